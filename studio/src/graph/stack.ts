// Several definitions in one graph, side by side in rows.

import { type Layout, layout, type Measure } from "./layout";
import * as source from "./source";

const GAP = 64;
/** How much wider than high the whole should be. */
const SHAPE = 1.5;

/** The definitions of a document as it is written, one beside another. */
export function stacked(measure: Measure, isWhole = false): Layout {
  const shown = source.shown.value;
  let at = 0;
  const all = source.definitions.value.map(([from, to]) => {
    const own: number[] = [];
    for (; at < shown.length && shown[at] <= to; at++) if (shown[at] >= from) own.push(shown[at]);
    const isOpen = (nth: number): boolean => source.opened.value.has(source.nodes.value[nth].id);
    return layout(source.lines.value, source.parents.value, own, source.below.value, source.folded.value, measure, { isOpen, isWhole });
  });
  return inRows(all);
}

/** Puts graphs beside one another, in rows of about the same width. */
export function inRows(all: Layout[]): Layout {
  const area = all.reduce((sum, one) => sum + (one.w + GAP) * (one.h + GAP), 0);
  const widest = Math.max(Math.sqrt(area * SHAPE), ...all.map((one) => one.w));
  const whole: Layout = { cards: [], arrows: [], w: 0, h: 0, isDown: false, isNested: false };
  let [x, y, high] = [0, 0, 0];
  for (const one of all) {
    if (x > 0 && x + one.w > widest) [x, y, high] = [0, y + high + GAP, 0];
    move(one, x, y);
    whole.cards.push(...one.cards);
    whole.arrows.push(...one.arrows);
    whole.w = Math.max(whole.w, x + one.w);
    whole.h = Math.max(whole.h, y + one.h);
    high = Math.max(high, one.h);
    x += one.w + GAP;
  }
  return whole;
}

function move(one: Layout, x: number, y: number): void {
  for (const card of one.cards) {
    card.isDown = one.isDown;
    card.x += x;
    card.y += y;
  }
  for (const way of one.arrows) {
    way.points = way.points.map(([px, py]) => [px + x, py + y]);
    for (const text of [way.label, way.whole])
      if (text) {
        text.x += x;
        text.y += y;
      }
  }
}
