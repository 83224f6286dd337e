// How many of a crowd do what, over time: a stacked area, as a lane of the timeline.

import type * as protocol from "../protocol";
import { t, theme } from "../texts";
import type { Film } from "../wire/model";

export type Shares = protocol.Shares;

/** A colour for each action, light or dark as the theme wants it. */
export const shade = (nth: number): string => `hsl(${(205 + nth * 67) % 360} 62% ${theme.value === "dark" ? 66 : 40}%)`;

/** A number with spaces between its thousands. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, "\u2009");

/** Those that are known, with those that are new; of the same tick the new ones count. */
export function joinedShares(known: Shares | null | undefined, fresh: Shares | null | undefined): Shares | null {
  if (!known || !fresh) return fresh ?? null;
  const first = fresh.ticks[0]?.[0] ?? Infinity;
  return { actions: fresh.actions, ticks: known.ticks.filter(([tick]) => tick < first).concat(fresh.ticks) };
}

/** The last place whose tick is not after this one. */
function placeOf(shares: Shares, tick: number): number {
  let [low, high] = [0, shares.ticks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shares.ticks[middle][0] <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many did what at a tick, those first of whom there are most. */
export function sharesAt(film: Film, tick: number): string {
  const [when, counts] = film.shares?.ticks[placeOf(film.shares, tick)] ?? [];
  if (!film.shares || when === undefined || !counts) return "";
  const named = counts.map((count, nth) => ({ count, name: nth === 0 ? t("nothing") : film.shares?.actions[nth - 1] }));
  return named
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, 4)
    .map(({ count, name }) => `${grouped(count)} ${name}`)
    .join(" · ");
}

type Point = [number, number];

/** The narrowest column, in pixels: there may be very many. */
const COLUMN = 3;

/** Draws those of the ticks in view, each action above the one before; what is still to come is pale. */
export function drawShares(
  context: CanvasRenderingContext2D,
  shares: Shares,
  { from, to, tick }: { from: number; to: number; tick: number },
  [y, h]: [number, number],
  at: (tick: number) => number,
): void {
  const first = Math.max(0, placeOf(shares, from));
  const wanted = shares.ticks.slice(first, Math.max(first, placeOf(shares, to)) + 2);
  let x = -Infinity;
  // What has been and what is still to come: for each action the outline of its area, first above and then below.
  const parts = [false, true].map(() => shares.actions.map((): [Point[], Point[]] => [[], []]));
  wanted.forEach(([when, counts], nth) => {
    const next = wanted[nth + 1]?.[0];
    const left = Math.max(x, Math.round(at(when - 1)));
    const right = Math.round(at(next === undefined ? when : next - 1));
    // Several ticks may be in one column, and those between two that are kept are as the first.
    if (right - left < (next === undefined ? 1 : COLUMN)) return;
    x = right;
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    let [sum, below] = [0, y + h];
    parts[when > tick ? 1 : 0].forEach(([above, under], action) => {
      sum += counts[action + 1] ?? 0;
      const top = Math.round(y + h - (sum / all) * h);
      step(above, left, right, top);
      step(under, left, right, below);
      below = top;
    });
  });
  parts.forEach((areas, isToCome) => {
    context.globalAlpha = isToCome ? 0.45 : 1;
    areas.forEach(([above, under], action) => {
      context.fillStyle = shade(action);
      context.beginPath();
      for (const [x, y] of above) context.lineTo(x, y);
      for (const [x, y] of under.reverse()) context.lineTo(x, y);
      context.fill();
    });
  });
  context.globalAlpha = 1;
}

/** Goes on to the right at a height. What stays at its height is one line: of a crowd, little changes from tick to tick. */
function step(line: Point[], left: number, right: number, y: number): void {
  const last = line.at(-1);
  if (last && last[0] === left && last[1] === y) last[0] = right;
  else line.push([left, y], [right, y]);
}
