// What is at a point of the drawing, for the mouse.

import { TWO_SIDED } from "../edit/leading";
import type { SheetNode } from "../protocol";
import { edgesOf, leaves } from "./edges";
import type { Arrow, Card, Layout } from "./layout";
import * as shown from "./shown";
import * as source from "./source";

/** How near the pointer has to be to what is small. */
const NEAR = 9;
const ROW = 20;
/** How far from a card the gap between it and its neighbours still is. */
const FAR = 48;

/** A place from which a line is drawn: to the target of a new transition, to where an answer leads. */
export interface Handle {
  side: "to" | "yes" | "no";
  x: number;
  y: number;
}

/** What is at a point, with its line. */
export type Hit =
  | { on: "handle"; card: Card; nth: number; handle: Handle }
  | { on: "head" | "arrow"; arrow: Arrow; nth: number }
  | { on: "answer"; card: Card; nth: number }
  | { on: "row"; card: Card; nth: number }
  | { on: "card"; card: Card; nth: number };

export const nodeOf = (nth: number): SheetNode => source.nodes.value[nth];

/** The handles of a card: a state has one for a new transition, a question one for each of its two answers. */
export function handlesOf(card: Card): Handle[] {
  const of = nodeOf(card.nth);
  // Where no way of a transition comes to a state.
  if (of.role === "state") return [{ side: "to", x: card.x + card.w - 14, y: card.y }];
  if (of.role !== "question" || !TWO_SIDED.includes(of.word)) return [];
  // Where its lines leave it.
  const { yes, no } = leaves(card, card.isDown ?? false);
  return [
    { side: "yes", x: yes[0], y: yes[1] },
    { side: "no", x: no[0], y: no[1] },
  ];
}

export const isIn = (card: Card, x: number, y: number): boolean =>
  x >= card.x && x <= card.x + card.w && y >= card.y && y <= card.y + card.h;

/** The innermost card at a point. */
export function cardAt(of: Layout, x: number, y: number, isLeftOut: (nth: number) => boolean = () => false): Card | undefined {
  return of.cards.filter((card) => isIn(card, x, y) && !isLeftOut(card.nth)).at(-1);
}

export const rowAt = (card: Card, y: number): Card["rows"][number] | undefined =>
  card.rows.find((one) => y >= card.y + one.y && y < card.y + one.y + ROW);

/** How far a point is from a straight piece. */
function distance(x: number, y: number, [x1, y1]: [number, number], [x2, y2]: [number, number]): number {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  return Math.hypot(x - Math.min(right, Math.max(left, x)), y - Math.min(bottom, Math.max(top, y)));
}

/** The answer on whose edge a point is. */
function answerAt(of: Layout, x: number, y: number): { card: Card; nth: number } | undefined {
  for (const { to: card, label, text, by, isJump } of edgesOf(of, shown.lines.value, shown.parents.value, shown.isOut)) {
    if (card.way < 0 || by || isJump) continue;
    if (Math.abs(x - label[0]) <= text.length * 4 + 9 && Math.abs(y - label[1]) <= NEAR) return { card, nth: card.way };
  }
  return undefined;
}

/** The handle at a point, of the cards whose handles can be seen. */
export function handleAt(x: number, y: number, near: Card[]): { card: Card; handle: Handle } | undefined {
  for (const card of near)
    for (const handle of handlesOf(card)) if (Math.hypot(x - handle.x, y - handle.y) <= NEAR) return { card, handle };
  return undefined;
}

/** What is at a point; `near` are the cards whose handles can be seen. */
export function hitAt(of: Layout, x: number, y: number, near: Card[]): Hit | undefined {
  const held = handleAt(x, y, near);
  if (held) return { on: "handle", nth: held.card.nth, ...held };
  for (const arrow of of.arrows) {
    const end = arrow.points[arrow.points.length - 1];
    if (Math.hypot(x - end[0], y - end[1]) <= NEAR) return { on: "head", arrow, nth: arrow.nth };
  }
  for (const arrow of of.arrows) {
    const { label } = arrow;
    const isOnLabel = label && Math.abs(x - label.x) <= label.w / 2 && Math.abs(y - label.y) <= 8;
    const isOn = arrow.points.some((point, nth) => nth > 0 && distance(x, y, arrow.points[nth - 1], point) <= 4);
    const card = cardAt(of, x, y);
    if (isOnLabel || (isOn && (!card || card.isBox))) return { on: "arrow", arrow, nth: arrow.nth };
  }
  const answer = answerAt(of, x, y);
  if (answer) return { on: "answer", ...answer };
  const card = cardAt(of, x, y);
  if (!card) return undefined;
  const row = rowAt(card, y);
  return row ? { on: "row", card, nth: row.nth } : { on: "card", card, nth: card.nth };
}

/** The card in whose row of siblings a point is, although it is on none. */
export function gapAt(of: Layout, x: number, y: number, isLeftOut: (nth: number) => boolean): Card | undefined {
  let [best, least]: [Card | undefined, number] = [undefined, FAR];
  for (const card of of.cards) {
    if (card.isBox || isLeftOut(card.nth) || nodeOf(card.nth).depth === 0) continue;
    const isDown = card.isDown ?? of.isDown;
    const [at, from, size] = isDown ? [y, card.y, card.h] : [x, card.x, card.w];
    if (at < from - 22 || at > from + size + 22) continue;
    const [across, low, wide] = isDown ? [x, card.x, card.w] : [y, card.y, card.h];
    const far = Math.max(low - across, across - low - wide, 0);
    if (far < least) [best, least] = [card, far];
  }
  return best;
}

/** Whether a line of the drawing is inside of another one, or is it. */
export const isWithin = (nth: number, outer: number): boolean => nth >= outer && nth <= outer + shown.below.value[outer];
