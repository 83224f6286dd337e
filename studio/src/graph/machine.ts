// The cards of a machine: states inside of states, regions side by side, and the ways that transitions lead.

import { short } from "../parts/short";
import { t } from "../texts";
import { type Line, property } from "../wire/model";
import { labelOf, placeLabels, waitOf } from "./labels";
import { type Arrow, type Card, extent, type Layout, type Measure, tree, type Wanted } from "./layout";
import { arrows } from "./route";

const PAD = 16;
const TITLE = 32;
const ROW = 20;
/** How much room is between boxes for the ways of transitions: as little as their labels need. */
const BETWEEN = [56, 72, 96, 120];
/** The same of a picture in which they stand in full. */
const BETWEEN_WHOLE = [...BETWEEN, 180, 260, 360];
/** And below a box. */
const BELOW = 48;
/** Of more ways, not all can have labels. */
const MOST_LABELS = 40;
/** Between regions nothing leads from one to another. */
const REGIONS = 22;
/** A tree of so many lines is text; a larger one is drawn. */
const MOST_ROWS = 4;
const LONGEST_ROW = 44;
/** Room behind a transition for the state to which its history leads. */
export const RETURN = 104;
/** How much wider than high a graph should be. */
const SHAPE = 1.5;

export function nested(
  lines: Line[],
  roots: number[],
  children: number[][],
  card: (nth: number) => Card,
  measure: Measure,
  wanted: Wanted,
): Layout {
  const isWhole = wanted.isWhole === true;
  let [best, least]: [Layout | null, number] = [null, Infinity];
  for (const between of isWhole ? BETWEEN_WHOLE : BETWEEN) {
    const cards = put(lines, roots, children, card, measure, between, wanted);
    const ways = arrows(lines, cards);
    placeLabels(lines, ways, cards, measure, isWhole);
    const lacks = ({ nth, label }: Arrow): boolean => (label ? isWhole && label.text !== label.full : labelOf(lines[nth]) !== "");
    const missing = ways.filter(lacks).length;
    if (missing < least) [best, least] = [{ cards, arrows: ways, ...whole(cards, ways), isDown: false, isNested: true }, missing];
    if (missing * 8 <= (isWhole ? 0 : ways.length) || ways.length > MOST_LABELS) break;
  }
  return best as Layout;
}

/** The size of all cards, ways and labels, moved to where none is outside of it. */
function whole(cards: Card[], ways: Arrow[]): { w: number; h: number } {
  const labels = ways.flatMap(({ label }) => label ?? []);
  const points = [...ways.flatMap((way) => way.points), ...labels.map((one): [number, number] => [one.x - one.w / 2, one.y - 8])];
  const [left, top] = [0, 1].map((axis) => -Math.min(0, ...points.map((point) => point[axis])));
  move([...cards, ...labels, ...ways.flatMap((way) => way.whole ?? [])], left, top);
  for (const way of ways) way.points = way.points.map(([x, y]) => [x + left, y + top]);
  const size = extent(cards);
  const ends = labels.map((one) => [one.x + one.w / 2, one.y + 8]).concat(ways.flatMap((way) => way.points));
  return { w: Math.max(size.w, ...ends.map(([x]) => x)), h: Math.max(size.h, ...ends.map(([, y]) => y)) };
}

function put(
  lines: Line[],
  roots: number[],
  children: number[][],
  card: (nth: number) => Card,
  measure: Measure,
  between: number,
  wanted: Wanted,
): Card[] {
  const texts = (nth: number, depth: number): Card["rows"] => {
    const line = lines[nth];
    const isWord = line.is === "part" && ["do", "entry", "exit"].includes(line.word);
    const own = isWord ? [] : [{ nth, text: `${"  ".repeat(depth)}${rowText(line)}`, y: 0 }];
    return own.concat(children[nth].flatMap((child) => texts(child, isWord ? depth : depth + 1)));
  };
  // A tree around machines is a box, too.
  const holds = (nth: number): boolean => lines[nth].is === "state" || children[nth].some(holds);
  const initial = (nth: number): string | undefined => (lines[nth].word === "initial" ? lines[nth].values[0]?.text : undefined);
  const withRows = (one: Card, rows: Card["rows"]): void => {
    one.rows = rows;
    rows.forEach((row, place) => {
      row.text = short(row.text, wanted.isWhole ? undefined : LONGEST_ROW);
      row.y = TITLE + place * ROW;
    });
    one.detail = "";
    const returns = (row: Card["rows"][number]): number => (property(lines[row.nth], "history") ? RETURN : 0);
    one.w = Math.max(one.w, 150, ...rows.map((row) => measure(row.text, true) + 44 + returns(row)));
    one.own = TITLE + rows.length * ROW + (rows.length > 0 ? 8 : 2);
    one.h = one.own;
  };
  const build = (nth: number, ratio: number): Card[] => {
    const one = card(nth);
    const others = children[nth].filter((child) => !holds(child) && initial(child) === undefined);
    const isTree = (child: number): boolean =>
      lines[child].is === "part" && (wanted.isOpen?.(child) || (lines[child].word === "do" && texts(child, 0).length > MOST_ROWS));
    withRows(
      one,
      others.filter((child) => !isTree(child)).flatMap((child) => texts(child, 0)),
    );
    const cards = [one];
    // What a state does is a tree of its own inside of it.
    for (const task of others.filter(isTree)) {
      const drawn = tree(lines, children[task], children, card, false, wanted);
      move(drawn.cards, PAD, one.h + 6);
      one.w = Math.max(one.w, drawn.w + 2 * PAD);
      one.h += drawn.h + 6 + PAD;
      one.own = one.h;
      one.isBox = true;
      cards.push(...drawn.cards);
    }
    const first = children[nth].map(initial).find((name) => name !== undefined);
    const states = children[nth].filter(holds);
    if (states.length === 0) return cards;
    one.isBox = true;
    const areRegions = one.kind.startsWith("parallel");
    const groups = states.map((state) => build(state, areRegions ? ratio / states.length : ratio));
    for (const [head] of groups) {
      head.isInitial = first !== undefined && lines[head.nth].label === first;
      head.isRegion = areRegions;
    }
    const inside = areRegions ? inRows(groups, groups.length, REGIONS) : flow(groups, ratio, between);
    move(inside, areRegions ? PAD : between * 0.75, one.h + (areRegions ? 4 : 12));
    const size = extent(inside);
    one.w = Math.max(one.w, size.w + (areRegions ? PAD : between * 0.75));
    one.h = size.h + (areRegions ? PAD : BELOW * 0.6);
    cards.push(...inside);
    return cards;
  };
  const first = roots.map(initial).find((name) => name !== undefined);
  const found = roots.filter(holds);
  const loose = roots.filter((root) => initial(root) === undefined && !holds(root));
  // What is folded has no states to show.
  const tops = found.length > 0 ? found.map((one) => build(one, SHAPE)) : loose.map((one) => build(one, SHAPE));
  for (const [head] of tops) head.isInitial = first !== undefined && lines[head.nth].label === first;
  const anywhere = found.length > 0 ? loose : [];
  if (anywhere.length > 0) {
    // Transitions of the machine itself leave every state.
    const one = { ...card(anywhere[0]), title: t("anyState"), kind: "anywhere" };
    withRows(
      one,
      anywhere.flatMap((root) => texts(root, 0)),
    );
    tops.unshift([one]);
  }
  const cards = flow(tops, SHAPE, between);
  for (const one of cards) [one.x, one.y, one.w, one.h, one.own] = [one.x, one.y, one.w, one.h, one.own].map(Math.round);
  return cards;
}

/** A line as a row. What a transition waits for and where it leads counts, not its words. */
const rowText = (line: Line): string =>
  line.text
    .replace(/^transition to=("[^"]*"|\S+)/, "→ $1")
    .replace(/ after=("[^"]*"|\S+)/, (text) => ` ${waitOf(line) ?? text}`)
    .replaceAll('"', "");

function move(cards: { x: number; y: number }[], x: number, y: number): void {
  for (const one of cards) [one.x, one.y] = [one.x + x, one.y + y];
}

/** Boxes in the number of rows that comes closest to the wanted ratio of width to height. */
function flow(groups: Card[][], wanted: number, between: number): Card[] {
  let [best, least] = [1, Infinity];
  for (let columns = 1; columns <= groups.length; columns++) {
    const { w, h } = extent(inRows(groups, columns, between));
    const size = Math.max(w / wanted, h);
    if (size < least - 1) [best, least] = [columns, size];
  }
  return inRows(groups, best, between);
}

/** Boxes in columns of equal width, row by row. */
function inRows(groups: Card[][], columns: number, between: number): Card[] {
  const widths: number[] = [];
  for (const [nth, [head]] of groups.entries()) widths[nth % columns] = Math.max(widths[nth % columns] ?? 0, head.w);
  let y = 0;
  for (let start = 0; start < groups.length; start += columns) {
    const row = groups.slice(start, start + columns);
    let x = 0;
    row.forEach((group, nth) => {
      move(group, x - group[0].x, y - group[0].y);
      x += widths[nth] + between;
    });
    y += Math.max(...row.map(([head]) => head.h)) + BELOW;
  }
  return groups.flat();
}
