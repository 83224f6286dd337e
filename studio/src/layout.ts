// Where the cards of a graph are. Nothing here knows colours, so a layout stays as it is while marks change.

import type { Line } from "./model";
import { parts } from "./model";
import { sign } from "./marks";

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
  /** The rows of a state: its tasks and transitions. */
  rows: { nth: number; text: string; y: number }[];
}

export interface Layout {
  cards: Card[];
  w: number;
  h: number;
  isDown: boolean;
  isNested: boolean;
}

const GAP = 18;
const LEVEL_DOWN = 40;
const LEVEL_RIGHT = 46;
const PAD = 14;
const TITLE = 32;
const ROW = 20;
/** Up to so many cards a tree grows down; larger ones grow to the right. */
const MOST_DOWN = 16;
const WIDEST = 180;

type Measure = (text: string, isCode: boolean) => number;

const cut = (text: string, width: number, measure: Measure, isCode: boolean): string => {
  if (measure(text, isCode) <= width) return text;
  let end = text.length;
  while (end > 1 && measure(`${text.slice(0, end)}…`, isCode) > width) end--;
  return `${text.slice(0, end)}…`;
};

export function layout(lines: Line[], parents: number[], shown: number[], below: number[], folded: ReadonlySet<string>, measure: Measure): Layout {
  const isNested = lines.some((line) => line.is === "state");
  const children = lines.map((): number[] => []);
  const roots: number[] = [];
  for (const nth of shown) {
    if (parents[nth] < 0 || nth === shown[0]) roots.push(nth);
    else children[parents[nth]].push(nth);
  }
  const card = (nth: number): Card => {
    const line = lines[nth];
    const { kind, name, rest } = parts(line);
    const title = cut(name, WIDEST, measure, false);
    const detail = cut(rest, WIDEST, measure, true);
    const hidden = folded.has(line.id) ? below[nth] : 0;
    const w = Math.max(measure(title, false) + measure(sign(kind), false) + (hidden ? 34 : 0), measure(detail, true) + 16) + 56;
    return { nth, x: 0, y: 0, w: Math.ceil(w), h: detail ? 46 : 34, title, detail, kind, parent: -1, edge: "", hidden, isBox: false, rows: [] };
  };
  if (isNested) return nested(lines, roots, children, card, measure);
  return tree(lines, roots, children, card, shown.length);
}

/** A tree. Where a line is only the way to another, it is the label of the edge. */
function tree(lines: Line[], roots: number[], children: number[][], card: (nth: number) => Card, count: number): Layout {
  const isDown = roots.length === 1 && count <= MOST_DOWN;
  const cards: Card[] = [];
  const of = new Map<number, Card>();
  const inner = new Map<number, number[]>();
  const make = (nth: number, parent: number, edge: string): void => {
    const isWay = lines[nth].is === "way" || (lines[nth].is === "part" && children[nth].length === 1);
    if (isWay && parent >= 0 && children[nth].length > 0) {
      const text = lines[nth].text.replace(/^(case|option) /, "").replaceAll('"', "");
      for (const child of children[nth]) make(child, parent, text);
      return;
    }
    const one = card(nth);
    one.parent = parent;
    one.edge = edge;
    cards.push(one);
    of.set(nth, one);
    if (parent >= 0) inner.get(parent)?.push(nth);
    inner.set(nth, []);
    const isTest = lines[nth].is === "test" && !/^(switch|random)/.test(lines[nth].text);
    // Below a question stands what follows from a yes; what follows from a no stands after it.
    children[nth].forEach((child, place) => make(child, nth, isTest && place === 0 ? "yes" : ""));
  };
  for (const root of roots) make(root, -1, "");
  // Between the questions of a decision tree there is room for what leads from one to the next.
  const gap = isDown ? GAP : lines.some((line) => line.is === "test") ? 28 : 12;
  const breadth = (one: Card): number => (isDown ? one.w : one.h);
  const extents = new Map<number, number>();
  for (const one of [...cards].reverse()) {
    const kids = inner.get(one.nth) ?? [];
    const sum = kids.reduce((all, kid) => all + (extents.get(kid) ?? 0), 0) + Math.max(0, kids.length - 1) * gap;
    extents.set(one.nth, Math.max(breadth(one), sum));
  }
  const depth = new Map<number, number>();
  const deepest: number[] = [];
  const labels: number[] = [];
  for (const one of cards) {
    const level = one.parent < 0 ? 0 : (depth.get(one.parent) ?? 0) + 1;
    depth.set(one.nth, level);
    const label = one.edge && !isDown ? one.edge.length * 7 + 24 : 0;
    deepest[level] = Math.max(deepest[level] ?? 0, isDown ? one.h : one.w);
    if (label > 0) labels[level] = Math.max(labels[level] ?? 0, label);
  }
  const starts = [0];
  for (let level = 0; level < deepest.length; level++) {
    starts[level + 1] = starts[level] + deepest[level] + (isDown ? LEVEL_DOWN : Math.max(LEVEL_RIGHT, (labels[level + 1] ?? 0) + 24));
  }
  let cursor = 0;
  const place = (nth: number, from: number): void => {
    const one = of.get(nth) as Card;
    const extent = extents.get(nth) as number;
    const along = starts[depth.get(nth) as number];
    const across = from + (extent - breadth(one)) / 2;
    [one.x, one.y] = isDown ? [across, along] : [along, across];
    const kids = inner.get(nth) ?? [];
    const sum = kids.reduce((all, kid) => all + (extents.get(kid) as number), 0) + Math.max(0, kids.length - 1) * gap;
    let at = from + (extent - sum) / 2;
    for (const kid of kids) {
      place(kid, at);
      at += (extents.get(kid) as number) + gap;
    }
  };
  for (const root of roots) {
    place(root, cursor);
    cursor += (extents.get(root) as number) + (roots.length > 1 ? 40 : GAP);
  }
  return { cards, ...extent(cards), isDown, isNested: false };
}

/** A machine: states inside of states, with what they do and where they lead as rows. */
function nested(lines: Line[], roots: number[], children: number[][], card: (nth: number) => Card, measure: Measure): Layout {
  const cards: Card[] = [];
  const texts = (nth: number, depth: number): { nth: number; text: string; y: number }[] => {
    const line = lines[nth];
    const isWord = line.is === "part" && ["do", "entry", "exit"].includes(line.text);
    const own = isWord ? [] : [{ nth, text: `${"  ".repeat(depth)}${line.text.replaceAll('"', "")}`, y: 0 }];
    return own.concat(children[nth].flatMap((child) => texts(child, isWord ? depth : depth + 1)));
  };
  // A tree around machines is a box, too.
  const holds = (nth: number): boolean => lines[nth].is === "state" || children[nth].some(holds);
  const build = (nth: number): Card[] => {
    const one = card(nth);
    const states = children[nth].filter(holds);
    const others = children[nth].filter((child) => !holds(child) && !/^initial /.test(lines[child].text));
    one.rows = others.flatMap((child) => texts(child, 0));
    one.rows.forEach((row, place) => {
      row.text = row.text.length > 44 ? `${row.text.slice(0, 43)}…` : row.text;
      row.y = TITLE + place * ROW;
    });
    const widest = Math.max(0, ...one.rows.map((row) => measure(row.text, true) + 44));
    one.detail = "";
    one.w = Math.max(one.w, widest, 150);
    one.h = TITLE + one.rows.length * ROW + (one.rows.length > 0 ? 8 : 2);
    if (states.length === 0) return [one];
    one.isBox = true;
    const inside = flow(states.map(build));
    for (const each of inside.cards) {
      each.x += PAD;
      each.y += one.h + 2;
    }
    one.w = Math.max(one.w, inside.w + 2 * PAD);
    one.h += inside.h + PAD;
    return [one, ...inside.cards];
  };
  const found = roots.filter(holds);
  // What is folded has no states to show.
  const tops = found.length > 0 ? found : roots.filter((root) => !/^initial /.test(lines[root].text));
  const all = flow(tops.map(build));
  cards.push(...all.cards);
  return { cards, ...extent(cards), isDown: false, isNested: true };
}

/** Boxes beside and below one another, about half as high as wide. */
function flow(groups: Card[][]): { cards: Card[]; w: number; h: number } {
  const area = groups.reduce((sum, [first]) => sum + (first.w + 24) * (first.h + 24), 0);
  const most = Math.max(Math.sqrt(area * 1.9), ...groups.map(([first]) => first.w));
  let [x, y, high, wide] = [0, 0, 0, 0];
  for (const group of groups) {
    const [first] = group;
    if (x > 0 && x + first.w > most) [x, y, high] = [0, y + high + 24, 0];
    for (const each of group) {
      each.x += x;
      each.y += y;
    }
    wide = Math.max(wide, x + first.w);
    x += first.w + 24;
    high = Math.max(high, first.h);
  }
  return { cards: groups.flat(), w: wide, h: y + high };
}

function extent(cards: Card[]): { w: number; h: number } {
  return { w: Math.max(0, ...cards.map((one) => one.x + one.w)), h: Math.max(0, ...cards.map((one) => one.y + one.h)) };
}
