// The edges of trees: from a card to the one that it hangs on, from a question to what follows it, from a `goto` to its branch.

import type { Line } from "../wire/model";
import { type Chain, chains, hanging, jumps } from "./chains";
import type { Card, Layout } from "./layout";

export type Point = [number, number];

/** A line of a tree. */
export interface Edge {
  from: Card;
  to: Card;
  points: Point[];
  label: Point;
  /** What stands on it; of a chain its answer. */
  text: string;
  by?: Chain["by"];
  isJump?: boolean;
}

/** How far from its left border a line leaves a card at its foot. */
export const FOOT = 26;

/** Where the two answers of a question leave its card. */
export function leaves(card: Card, isDown: boolean): { yes: Point; no: Point } {
  const [right, foot]: [Point, Point] = [
    [card.x + card.w, card.y + card.h / 2],
    [card.x + (isDown ? card.w / 2 : FOOT), card.y + card.h],
  ];
  return isDown ? { yes: foot, no: right } : { yes: right, no: foot };
}

/** The way of an edge, and where the middle of what stands on it is. */
export function edgeOf(parent: Card, card: Card, isDown: boolean): { points: Point[]; label: Point } {
  if (isDown) {
    const [x1, y1, x2, y2] = [parent.x + parent.w / 2, parent.y + parent.h, card.x + card.w / 2, card.y];
    const middle = y2 - 20;
    return {
      points: [
        [x1, y1],
        [x1, middle],
        [x2, middle],
        [x2, y2],
      ],
      label: [x2, y2 - 12],
    };
  }
  const [x1, y1, x2, y2] = [parent.x + parent.w, parent.y + parent.h / 2, card.x, card.y + card.h / 2];
  const middle = x1 + 18;
  const label: Point = [(middle + x2) / 2 + 4, y2];
  // A no leaves a question at its foot, as it does where it leads to what follows.
  if (card.isNo && y2 > parent.y + parent.h) {
    const { no } = leaves(parent, isDown);
    return { points: [no, [no[0], y2], [x2, y2]], label };
  }
  return {
    points: [
      [x1, y1],
      [middle, y1],
      [middle, y2],
      [x2, y2],
    ],
    label,
  };
}

/** From a question to what stands after it in its list, around what is between them and not meant. */
function chainOf(from: Card, to: Card, by: Chain["by"], isDown: boolean, between: Card[]): { points: Point[]; label: Point } {
  if (isDown) {
    const y = from.y + Math.min(from.h, to.h) / 2;
    const start = from.x + from.w;
    return {
      points: [
        [start, y],
        [to.x, y],
      ],
      label: [start + 4, y - 9],
    };
  }
  const [x, foot, end]: [number, number, Point] = [from.x + FOOT, from.y + from.h, [to.x + FOOT, to.y]];
  // At the foot there is the no.
  if (by === "yes") {
    const [{ yes }, above] = [leaves(from, isDown), to.y - 12];
    const aside = Math.max(yes[0], ...between.map((card) => card.x + card.w)) + 9;
    return { points: [yes, [aside, yes[1]], [aside, above], [end[0], above], end], label: [aside + 4, yes[1] + 14] };
  }
  const label: Point = [x + 10, Math.min((foot + to.y) / 2, foot + 14)];
  if (between.length === 0) return { points: [[x, foot], end], label };
  const [left, low, high] = [Math.min(from.x, to.x) - 12, foot + 12, to.y - 12];
  return { points: [[x, foot], [x, low], [left, low], [left, high], [end[0], high], end], label: [x + 10, foot + 8] };
}

/** From a `goto` to its branch: from its right to the head of the branch. */
function jumpOf(from: Card, to: Card): Point[] {
  const [x, y] = [from.x + from.w, from.y + from.h / 2];
  const [aside, above, end] = [x + 14, to.y - 14, to.x + to.w - FOOT];
  return [
    [x, y],
    [aside, y],
    [aside, above],
    [end, above],
    [end, to.y],
  ];
}

/** The edges of layouts, which are asked for with each picture. */
const known = new WeakMap<Layout, { lines: Line[]; edges: Edge[] }>();

/** All lines of a layout. What is switched off leads nowhere. */
export function edgesOf(of: Layout, lines: Line[], parents: number[], isOut?: (nth: number) => boolean): readonly Edge[] {
  const before = known.get(of);
  if (before?.lines === lines) return before.edges;
  const edges = found(of, lines, parents, isOut);
  known.set(of, { lines, edges });
  return edges;
}

function found(of: Layout, lines: Line[], parents: number[], isOut: (nth: number) => boolean = () => false): Edge[] {
  const byLine = new Map(of.cards.map((card) => [card.nth, card]));
  const chained = chains(of.cards, lines, parents, isOut);
  const all: Edge[] = [];
  for (const [to, text] of hanging(of.cards, lines, isOut)) {
    const from = byLine.get(to.parent);
    if (!from || chained.has(to)) continue;
    all.push({ from, to, text, ...edgeOf(from, to, to.isDown ?? of.isDown) });
  }
  const passed = of.cards.filter((card) => card.kind === "branch" || isOut(card.nth));
  for (const [to, { from, by }] of chained) {
    const between = passed.filter((card) => card.parent === to.parent && card.nth > from.nth && card.nth < to.nth);
    all.push({ from, to, by, text: by, ...chainOf(from, to, by, to.isDown ?? of.isDown, between) });
  }
  for (const { from, to } of jumps(of.cards, lines, parents)) {
    const points = jumpOf(from, to);
    if (!isOut(from.nth) && !isOut(to.nth)) all.push({ from, to, text: "", points, label: points[0], isJump: true });
  }
  return all;
}
