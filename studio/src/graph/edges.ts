// The edges of trees: from a card to the one that it hangs on.

import type { Card } from "./layout";

/** The way of an edge, and where the middle of what stands on it is. */
export function edgeOf(parent: Card, card: Card, isDown: boolean): { points: [number, number][]; label: [number, number] } {
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
  return {
    points: [
      [x1, y1],
      [middle, y1],
      [middle, y2],
      [x2, y2],
    ],
    label: [(middle + x2) / 2 + 4, y2],
  };
}
