// The graph from so far away that nobody reads it: blocks and lines in the colours of what happens there. Thousands of them
// are drawn in a few milliseconds.

import { toneOfPage } from "../edit/others";
import { type Colours, UI } from "../parts/canvas";
import { toneOf } from "../parts/marks";
import { fitting, short } from "../parts/short";
import { edgesOf } from "./edges";
import type { Card, Layout } from "./layout";
import type { Seen } from "./paint";
import * as shown from "./shown";
import { taken } from "./taken";

/** Below this zoom, texts have less than four pixels. */
export const SMALLEST_TEXT = 0.3;

/** The colour of a card that has no text. */
function colourOf(card: Card): string {
  const tone = toneOf(shown.strongest(card.nth));
  const warm = shown.warmth(card.nth);
  if (warm > 0) return `heat-${warm}`;
  if (card.nth === shown.running.value) return "run-fill";
  return tone === "run" || tone === "ok" || tone === "fail" || tone === "cut" ? tone : "line-strong";
}

/** Draws boxes, then edges, then cards; those of one colour at once. */
export function paintSmall(context: CanvasRenderingContext2D, of: Layout, [seen, isSeen]: [Card[], Seen], colour: Colours): void {
  const zoom = context.getTransform().a;
  // Thinner than a pixel, nobody sees a line.
  const thin = Math.max(1.5, 1 / zoom);
  for (const card of seen) if (card.isBox) box(context, card, thin, colour);
  edges(context, of, isSeen, thin, colour);
  const byColour = new Map<string, Card[]>();
  for (const card of seen) {
    if (card.isBox) continue;
    const name = colourOf(card);
    const same = byColour.get(name);
    if (same) same.push(card);
    else byColour.set(name, [card]);
  }
  for (const [name, cards] of byColour) {
    context.fillStyle = colour(name);
    for (const { nth, x, y, w, h } of cards) {
      context.globalAlpha = shown.isOut(nth) ? 0.45 : 1;
      context.fillRect(x, y, w, h);
    }
  }
  context.globalAlpha = 1;
  if (seen.length <= MOST_NAMES) for (const card of seen) name(context, card, colour);
  context.strokeStyle = colour("accent");
  context.lineWidth = 2 * thin;
  for (const { nth, x, y, w, h } of seen) if (shown.isSelected(shown.lines.value[nth].id)) context.strokeRect(x, y, w, h);
  for (const { nth, x, y, w, h } of seen) {
    const [who] = shown.othersAt(nth);
    if (who === undefined) continue;
    context.strokeStyle = colour(toneOfPage(who));
    context.strokeRect(x - 2 * thin, y - 2 * thin, w + 4 * thin, h + 4 * thin);
  }
}

/** How many cards have their names at most: to measure texts takes time. */
const MOST_NAMES = 200;

/** Letters that are smaller than so many pixels nobody reads. */
const SMALLEST_LETTERS = 7;

/** The name of a card if it has room, and that of a definition beyond it: so far away, one looks for those. */
function name(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const pixel = devicePixelRatio / context.getTransform().a;
  const isTop = card.parent < 0;
  const size = isTop ? 11 * pixel : Math.min(9 * pixel, card.h);
  if (!isTop && (card.isBox || size < SMALLEST_LETTERS * pixel)) return;
  context.font = `${isTop ? 600 : 500} ${size}px ${UI}`;
  const warm = shown.warmth(card.nth);
  const ink = warm > 0 ? `heat-ink-${warm > 3 ? "hi" : "lo"}` : colourOf(card) === "run-fill" ? "run-ink" : "bg";
  context.fillStyle = colour(isTop ? "text" : ink);
  context.textBaseline = isTop ? "bottom" : "middle";
  if (isTop) {
    context.fillText(short(card.title, 24), card.x, card.y - 2 * pixel);
    return;
  }
  const text = fitting(card.title, card.w - 2 * pixel, (part) => context.measureText(part).width);
  // Of one or two letters, nobody knows what they are.
  if (text === card.title || text.length > 3) context.fillText(text, card.x + pixel, card.y + card.h / 2);
}

function box(context: CanvasRenderingContext2D, { nth, x, y, w, h }: Card, thin: number, colour: Colours): void {
  const isOn = toneOf(shown.strongest(nth)) === "run";
  context.fillStyle = colour(isOn ? "surface" : "bg");
  context.fillRect(x, y, w, h);
  context.strokeStyle = colour(isOn ? "run" : "line-strong");
  context.lineWidth = thin;
  context.strokeRect(x, y, w, h);
}

/** All edges of one sort are one line; the way that is taken lies above the others. */
function edges(context: CanvasRenderingContext2D, of: Layout, isSeen: Seen, thin: number, colour: Colours): void {
  const ways = [new Path2D(), new Path2D()];
  const isTaken = taken(of);
  for (const one of edgesOf(of, shown.lines.value, shown.parents.value, shown.isOut)) {
    const { points } = one;
    const ends = [points[0], points[points.length - 1]];
    const [xs, ys] = [ends.map(([x]) => x), ends.map(([, y]) => y)];
    if (!isSeen(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))) continue;
    const way = ways[isTaken(one) ? 1 : 0];
    way.moveTo(...points[0]);
    for (const point of points.slice(1)) way.lineTo(...point);
  }
  for (const [nth, way] of ways.entries()) {
    context.strokeStyle = colour(nth === 1 ? "run" : "line-strong");
    context.lineWidth = thin * (1 + nth);
    context.globalAlpha = nth === 1 ? 1 : 0.55;
    context.stroke(way);
  }
  context.globalAlpha = 1;
}
