// Where the cards of a graph are. Nothing here knows colours, so a layout stays as it is while marks change.

import { sign } from "../parts/marks";
import { fitting, short } from "../parts/short";
import { t } from "../texts";
import type { Line } from "../wire/model";
import { keysOf, parts, property, wayName } from "../wire/model";
import { nested } from "./machine";

export interface Card {
  nth: number;
  x: number;
  y: number;
  w: number;
  h: number;
  title: string;
  detail: string;
  kind: string;
  /** The card that it hangs on, -1 for none. */
  parent: number;
  /** What stands on the edge to it. */
  edge: string;
  /** How many lines are folded away below it. */
  hidden: number;
  /** Whether it holds other cards. */
  isBox: boolean;
  /** Of a box: how much of it from its top is its own, and holds no other states. */
  own: number;
  /** Whether it is the state that its machine or state begins with. */
  isInitial: boolean;
  /** Whether it is a region: it is active together with its neighbours. */
  isRegion: boolean;
  /** Of several graphs beside one another: whether its own grows down. */
  isDown?: boolean;
  /** The line of the answer that stands on the edge to it; -1 if there is none. */
  way: number;
  /** Whether it begins what follows from a written `no` of a question. */
  isNo?: boolean;
  /** The rows of a state: its tasks and transitions. */
  rows: { nth: number; text: string; y: number }[];
}

/** The way of a transition from its row to a state. */
export interface Arrow {
  /** The line of the transition. */
  nth: number;
  /** The line of the state that it leaves. */
  from: number;
  points: [number, number][];
  /** `H` or `H*` if it leads to where the state was left. */
  history: string;
  /** What stands on it, shortened to its room, and where its middle is. */
  label?: { text: string; full: string; x: number; y: number; w: number; isAside: boolean };
  /** What stands on it in full while it, or its state, is selected. */
  whole?: { text: string; x: number; y: number; w: number };
}

export interface Layout {
  cards: Card[];
  arrows: Arrow[];
  w: number;
  h: number;
  isDown: boolean;
  isNested: boolean;
}

/** Room for the value of a key beside an expression. */
const VALUE = 44;
const GAP = 18;
const LEVEL_DOWN = 40;
const LEVEL_RIGHT = 40;
/** Up to so many cards a tree grows down; larger ones grow to the right. */
const MOST_DOWN = 16;
const WIDEST = 180;
/** How many letters there may be on an edge. */
const LONGEST_EDGE = 60;
/** How finely the outline of a tree is known. */
const BUCKET = 8;

export type Measure = (text: string, isCode: boolean) => number;

/** What is wanted of a layout. */
export interface Wanted {
  /** Which parts of states are drawn in place although they would be rows. */
  isOpen?: (nth: number) => boolean;
  /** Whether every text has the room that it needs, as in a picture that is saved. */
  isWhole?: boolean;
}

/** A text that is not wider than this. */
export const cut = (text: string, width: number, measure: Measure, isCode: boolean): string =>
  fitting(text, width, (part) => measure(part, isCode));

export function layout(
  lines: Line[],
  parents: number[],
  shown: number[],
  below: number[],
  folded: ReadonlySet<string>,
  measure: Measure,
  wanted: Wanted = {},
): Layout {
  const widest = wanted.isWhole ? Infinity : WIDEST;
  const isNested = shown.some((nth) => lines[nth].is === "state");
  const children = lines.map((): number[] => []);
  const roots: number[] = [];
  for (const nth of shown) {
    if (parents[nth] < 0 || nth === shown[0]) roots.push(nth);
    else children[parents[nth]].push(nth);
  }
  const card = (nth: number): Card => {
    const line = lines[nth];
    const { kind, name, rest: all } = parts(line);
    const weight = weightOf(lines, parents, nth);
    const rest = weight && line.is === "node" ? all.replace(/(^| )weight=\S+/, `$1${weight}`) : all;
    const title = cut(name, widest, measure, false);
    const detail = cut(rest, widest, measure, true);
    const hidden = folded.has(line.id) ? below[nth] : 0;
    const w =
      Math.max(
        measure(title, false) + measure(sign(kind), false) + (hidden ? 34 : 0),
        measure(detail, true) + keysOf(line).length * VALUE + 16,
      ) + 56;
    return {
      nth,
      x: 0,
      y: 0,
      w: Math.ceil(w),
      h: detail ? 46 : 34,
      title,
      detail,
      kind,
      parent: -1,
      edge: "",
      hidden,
      isBox: false,
      own: 0,
      isInitial: false,
      isRegion: false,
      way: -1,
      rows: [],
    };
  };
  return isNested
    ? nested(lines, roots, children, card, measure, wanted)
    : tree(lines, roots, children, card, shown.length <= MOST_DOWN && roots.length === 1 && !asksFirst(lines, roots), wanted);
}

/** The weight of a line that is drawn at random, of all weights beside it: `2 of 3`. Empty if there is none that is known. */
function weightOf(lines: Line[], parents: number[], nth: number): string {
  const isDrawn = lines[nth].word === "option" || lines[parents[nth]]?.word === "weighted-selector";
  const own = isDrawn ? property(lines[nth], "weight") : undefined;
  if (own === undefined) return "";
  const beside = lines.filter((_, other) => parents[other] === parents[nth]).map((line) => property(line, "weight"));
  const total = beside.reduce((sum, weight) => sum + Number(weight ?? 0), 0);
  return Number.isFinite(total) ? `${own} ${t("of")} ${total}` : own;
}

/** Whether a tree is one of questions: it is read from the top, and each no leads to what is below it. */
const asksFirst = (lines: Line[], roots: number[]): boolean =>
  roots.some((root) => lines[root].is === "test" || (lines[root].word === "decide" && lines[root].indent === 0));

/** A tree. Where a line is only the way to another, it is the label of the edge. */
export function tree(
  lines: Line[],
  roots: number[],
  children: number[][],
  card: (nth: number) => Card,
  isDown: boolean,
  { isWhole }: Wanted,
): Layout {
  const cards: Card[] = [];
  const above = lines.map(() => -1);
  children.forEach((below, nth) => {
    for (const child of below) above[child] = nth;
  });
  const of = new Map<number, Card>();
  const inner = new Map<number, number[]>();
  const make = (nth: number, parent: number, edge: string, way = -1): void => {
    const isWay = lines[nth].is === "way" || (lines[nth].is === "part" && children[nth].length === 1);
    if (isWay && parent >= 0 && children[nth].length > 0) {
      const { word } = lines[nth];
      // The answers that are written out are in the language of those that are not.
      const isAnswer = word === "yes" || word === "no";
      const text = isAnswer ? t(word) : weightOf(lines, above, nth) || wayName(lines[nth]);
      const before = cards.length;
      for (const child of children[nth]) make(child, parent, text, nth);
      if (word === "no" && lines[parent].is === "test") cards[before].isNo = true;
      return;
    }
    const one = card(nth);
    one.parent = parent;
    one.edge = short(edge, isWhole ? undefined : LONGEST_EDGE);
    one.way = way;
    cards.push(one);
    of.set(nth, one);
    if (parent >= 0) inner.get(parent)?.push(nth);
    inner.set(nth, []);
    const isTest = lines[nth].is === "test" && /^(test|range)/.test(lines[nth].word);
    // Below a question stands what follows from a yes; what follows from a no stands after it.
    for (const [place, child] of children[nth].entries()) make(child, nth, isTest && place === 0 ? t("yes") : "");
  };
  for (const root of roots) make(root, -1, "");
  const asks = asksFirst(lines, roots);
  along(cards, isDown, asks);
  // Between the questions of a decision tree there is room for what leads from one to the next.
  across(cards, inner, roots, isDown, isDown ? GAP : asks ? 28 : 12, asks && !isDown);
  return { cards, arrows: [], ...extent(cards), isDown, isNested: false };
}

/** How far along each card is: next to its parent; in columns or rows for the whole graph where that is clearer. */
function along(cards: Card[], isDown: boolean, isAligned: boolean): void {
  const label = (one: Card): number => (one.edge && !isDown ? one.edge.length * 7 + 48 : 0);
  const gaps = new Map<number, number>();
  const depth = new Map<number, number>();
  const sizes: number[] = [];
  const levelGaps: number[] = [];
  for (const one of cards) {
    const level = one.parent < 0 ? 0 : (depth.get(one.parent) as number) + 1;
    depth.set(one.nth, level);
    sizes[level] = Math.max(sizes[level] ?? 0, isDown ? one.h : one.w);
    levelGaps[level] = Math.max(levelGaps[level] ?? 0, label(one));
    gaps.set(one.parent, Math.max(gaps.get(one.parent) ?? 0, label(one)));
  }
  const starts = [0];
  for (const [level, size] of sizes.entries()) {
    starts[level + 1] = starts[level] + size + (isDown ? LEVEL_DOWN : Math.max(LEVEL_RIGHT, levelGaps[level + 1] ?? 0));
  }
  const of = new Map(cards.map((one) => [one.nth, one]));
  for (const one of cards) {
    const parent = of.get(one.parent);
    if (isDown) one.y = starts[depth.get(one.nth) as number];
    else if (isAligned || !parent) one.x = starts[depth.get(one.nth) as number];
    else one.x = parent.x + parent.w + Math.max(LEVEL_RIGHT, gaps.get(one.parent) ?? 0);
  }
}

/** The outline of a part of a tree: for each piece along, from where to where it reaches across. */
interface Outline {
  from: number;
  lows: number[];
  highs: number[];
}

/** How far across each card is: as near to its neighbours as their outlines allow, and parents at the middle of their children. */
function across(cards: Card[], inner: Map<number, number[]>, roots: number[], isDown: boolean, gap: number, asks: boolean): void {
  const of = new Map(cards.map((one) => [one.nth, one]));
  /** Where a part begins within that of its parent, and where the middle of its card is within it. */
  const offsets = new Map<number, number>();
  const middles = new Map<number, number>();
  const breadth = (one: Card): number => (isDown ? one.w : one.h);
  /** Places things beside one another; answers how far each is, and the outline of all. */
  const beside = (all: Outline[], apart: number): [number[], Outline] => {
    const sum: Outline = { from: Infinity, lows: [], highs: [] };
    const places = all.map((one): number => {
      let shift = 0;
      if (sum.from < Infinity) {
        shift = -Infinity;
        one.lows.forEach((low, nth) => {
          const high = sum.highs[one.from + nth - sum.from];
          if (high !== undefined) shift = Math.max(shift, high + apart - low);
        });
        if (shift === -Infinity) shift = 0;
      }
      merge(sum, one, shift);
      return shift;
    });
    return [places, sum];
  };
  const measured = (nth: number): Outline => {
    const one = of.get(nth) as Card;
    const kids = inner.get(nth) as number[];
    // A yes lies beside its question, a no below it, in whichever order they are written.
    const noes = asks ? kids.findIndex((kid) => of.get(kid)?.isNo) : -1;
    const way = noes < 0 ? -1 : of.get(kids[noes])?.way;
    if (noes > 0 || (noes === 0 && kids.some((kid) => of.get(kid)?.way !== way)))
      kids.sort((left, right) => Number(of.get(left)?.way === way) - Number(of.get(right)?.way === way));
    const [places, sum] = beside(kids.map(measured), gap);
    for (const [place, kid] of kids.entries()) offsets.set(kid, places[place]);
    const ends = kids.map((kid, place) => places[place] + (middles.get(kid) as number));
    const no = ends[kids.findIndex((kid) => asks && of.get(kid)?.isNo)];
    const centre = kids.length === 0 ? breadth(one) / 2 : middleOf(ends, breadth(one), no, asks);
    middles.set(nth, centre);
    const [start, size] = isDown ? [one.y, one.h] : [one.x, one.w];
    const half = breadth(one) / 2;
    const rows = (from: number, to: number, low: number, high: number): Outline => {
      const count = Math.max(1, Math.ceil(to / BUCKET) - Math.floor(from / BUCKET));
      return { from: Math.floor(from / BUCKET), lows: Array(count).fill(low), highs: Array(count).fill(high) };
    };
    const own = rows(start, start + size, centre - half, centre + half);
    // The edges to the children take room, too.
    if (sum.from < Infinity)
      merge(own, rows(start + size, sum.from * BUCKET, Math.min(ends[0], centre) - 9, Math.max(ends[ends.length - 1], centre) + 9), 0);
    // The line of a no goes down from the foot of its question.
    if (no !== undefined) merge(own, rows(start, start + size, centre - half, Math.max(no, centre + half) + 9), 0);
    merge(own, sum, 0);
    return own;
  };
  const put = (nth: number, from: number): void => {
    const one = of.get(nth) as Card;
    const at = from + (middles.get(nth) as number) - breadth(one) / 2;
    if (isDown) one.x = at;
    else one.y = at;
    for (const kid of inner.get(nth) as number[]) put(kid, from + (offsets.get(kid) as number));
  };
  const [places] = beside(roots.map(measured), roots.length > 1 ? 40 : GAP);
  for (const [place, root] of roots.entries()) put(root, places[place]);
  const [left, top] = [Math.min(...cards.map((one) => one.x)), Math.min(...cards.map((one) => one.y))];
  for (const one of cards) [one.x, one.y] = [one.x - left, one.y - top];
}

/** Where a card is beside what hangs on it: at its middle; where one reads from the top, at the first, and above a no. */
function middleOf(ends: number[], size: number, no: number | undefined, asks: boolean): number {
  if (!asks) return (ends[0] + ends[ends.length - 1]) / 2;
  return Math.min(ends[0], no === undefined ? Infinity : no - size / 2 - 20);
}

/** Adds an outline to another one. */
function merge(to: Outline, one: Outline, shift: number): void {
  if (one.lows.length === 0) return;
  if (to.lows.length === 0) to.from = one.from;
  while (to.from > one.from) {
    to.from -= 1;
    to.lows.unshift(Infinity);
    to.highs.unshift(-Infinity);
  }
  one.lows.forEach((low, nth) => {
    const at = one.from + nth - to.from;
    while (to.lows.length <= at) {
      to.lows.push(Infinity);
      to.highs.push(-Infinity);
    }
    to.lows[at] = Math.min(to.lows[at], low + shift);
    to.highs[at] = Math.max(to.highs[at], one.highs[nth] + shift);
  });
}

export function extent(cards: Card[]): { w: number; h: number } {
  let [w, h] = [0, 0];
  for (const one of cards) [w, h] = [Math.max(w, one.x + one.w), Math.max(h, one.y + one.h)];
  return { w, h };
}
