// What stands on the ways of transitions: the event, the condition, the time.

import { short } from "../parts/short";
import { t } from "../texts";
import type { Line } from "../wire/model";
import { property } from "../wire/model";
import { type Arrow, type Card, cut, type Measure } from "./layout";

/** From left, top to right, bottom. */
type Box = [number, number, number, number];

const HIGH = 15;
/** The widest label while others have no place yet, and the narrowest that still says something, in pixels. */
const WIDEST = 130;
const NARROWEST = 52;
/** The widest one where there is room when all have their places. */
const WITH_ROOM = 420;
/** At how many places of a piece of a way a label may be. */
const MOST_PLACES = 60;
/** How wide it may be, of the width that it needs. */
const WIDTHS = [1, 0.8, 0.6, 0.4];
const WIDER = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

/** How long a transition waits, in the language of the page. */
export const waitOf = (line: Line): string | undefined => {
  const after = property(line, "after");
  return after && t("afterSeconds").replace("{}", after);
};

/** What a transition waits for: names and conditions as its document has them, the rest in the language of the page. */
export function labelOf(line: Line): string {
  const [on, done, when] = ["on", "done", "when"].map((name) => property(line, name));
  const parts = [on, waitOf(line), done && `${t("isDone")} ${done}`, when && `[${when}]`];
  return short(parts.filter(Boolean).join(" ").replaceAll('"', ""));
}

/** Gives each way its label, where there is room: not on cards, nor on other labels, nor on other ways. With `isWhole`, each
 * stands in full where that can be, also on other ways. */
export function placeLabels(lines: Line[], arrows: Arrow[], cards: Card[], measure: Measure, isWhole: boolean): void {
  const walls = cards.flatMap(solid);
  const boxes = new Map<Arrow, Box>();
  const pieces = arrows.flatMap((arrow) => segments(arrow).map((piece) => ({ arrow, piece })));
  const texts = arrows.map((arrow) => ({ arrow, text: labelOf(lines[arrow.nth]) })).filter(({ text }) => text !== "");
  const place = (arrow: Arrow, all: Box[], mayCross = false): void => {
    // Ways to the same state may share a piece: there, nobody could tell whose label it is.
    const isFree = (box: Box): boolean =>
      walls.every((other) => !meet(box, other)) &&
      [...boxes].every(([owner, other]) => owner === arrow || !meet(box, other)) &&
      (mayCross || pieces.every(({ arrow: other, piece }) => other === arrow || !meet(box, piece)));
    const found = all.find(isFree);
    if (found) boxes.set(arrow, found);
  };
  const inFull = ({ arrow, text }: (typeof texts)[number]): Box[] => candidates(arrow, measure(text, true) + 10, [1]);
  if (isWhole) for (const one of texts) place(one.arrow, inFull(one));
  for (const one of texts) if (isWhole && !boxes.has(one.arrow)) place(one.arrow, inFull(one), true);
  for (const { arrow, text } of texts) if (!boxes.has(arrow)) place(arrow, candidates(arrow, Math.min(WIDEST, measure(text, true) + 10)));
  // What is cut off takes the room that all others have left.
  for (const { arrow, text } of texts) {
    const [box, wide] = [boxes.get(arrow), Math.min(WITH_ROOM, measure(text, true) + 10)];
    const now = box ? box[2] - box[0] : 0;
    const widths = WIDER.filter((share) => wide * share > now + 4);
    if (box && widths.length > 0) place(arrow, candidates(arrow, wide, widths));
  }
  for (const { arrow, text } of texts) {
    const box = boxes.get(arrow);
    if (!box) continue;
    const label = cut(text, box[2] - box[0] - 8, measure, true);
    const [x, y, w] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0]];
    arrow.label = { text: label, full: text, x, y, w, isAside: !segments(arrow).some((piece) => meet(box, piece)) };
  }
  placeWhole(lines, arrows, cards, measure);
}

/** Gives each way the place of its label in full. It may lie on other ways, but not on a card or another label of its state, where that can be. */
function placeWhole(lines: Line[], arrows: Arrow[], cards: Card[], measure: Measure): void {
  const walls = cards.flatMap(solid);
  const taken = new Map<number, Box[]>();
  for (const arrow of arrows) {
    const text = labelOf(lines[arrow.nth]);
    if (text === "") continue;
    const own = taken.get(arrow.from) ?? [];
    taken.set(arrow.from, own);
    const all = candidates(arrow, measure(text, true) + 10, [1]);
    const isFree = (box: Box, others: Box[]): boolean => others.every((other) => !meet(box, other));
    const found = all.find((box) => isFree(box, [...walls, ...own])) ?? all.find((box) => isFree(box, own)) ?? all[0];
    if (!found) continue;
    own.push(found);
    arrow.whole = { text, x: (found[0] + found[2]) / 2, y: (found[1] + found[3]) / 2, w: found[2] - found[0] };
  }
}

/** What no label may lie on: a card; of a box what stands at its top, and its border. */
function solid(card: Card): Box[] {
  const [left, top, right, bottom] = [card.x - 2, card.y - 2, card.x + card.w + 2, card.y + card.h + 2];
  if (!card.isBox) return [[left, top, right, bottom]];
  return [
    [left, top, right, card.y + card.own + 2],
    [left, top, left + 4, bottom],
    [right - 4, top, right, bottom],
    [left, bottom - 4, right, bottom],
  ];
}

/** The straight pieces of a way, as boxes without width. */
function segments(arrow: Arrow): Box[] {
  return arrow.points.slice(1).map(([x, y], nth): Box => {
    const [px, py] = arrow.points[nth];
    return [Math.min(x, px), Math.min(y, py), Math.max(x, px), Math.max(y, py)];
  });
}

/** Where the label of a way could be, the best first: as wide as it can be, on level pieces, then on or beside the others. */
function candidates(arrow: Arrow, wide: number, widths = WIDTHS): Box[] {
  const size = ([left, top, right, bottom]: Box): number => right - left + bottom - top;
  const all = segments(arrow).sort((left, right) => size(right) - size(left));
  const around = (x: number, y: number, w: number): Box => [x - w / 2, y - HIGH / 2, x + w / 2, y + HIGH / 2];
  return widths
    .map((share) => Math.max(Math.min(wide, NARROWEST), wide * share))
    .flatMap((w) =>
      all.flatMap((piece): Box[] => {
        const [left, top, right, bottom] = piece;
        // The head of the arrow stays free.
        const isLevel = top === bottom;
        const room = isLevel ? right - left - 14 - w : bottom - top - 16 - HIGH;
        if (room < 0) return [];
        return places(room).flatMap((at) =>
          isLevel
            ? [0, -HIGH / 2 - 3, HIGH / 2 + 3].map((aside) => around(left + 7 + w / 2 + at, top + aside, w))
            : [0, -w / 2 - 3, w / 2 + 3].map((aside) => around(left + aside, top + 8 + HIGH / 2 + at, w)),
        );
      }),
    );
}

/** Places along some room, from its middle on. */
function places(room: number): number[] {
  const count = Math.min(MOST_PLACES, Math.floor(room / 6));
  const all = Array.from({ length: count + 1 }, (_, nth) => (count === 0 ? room / 2 : (room * nth) / count));
  return all.sort((left, right) => Math.abs(left - room / 2) - Math.abs(right - room / 2));
}

const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
