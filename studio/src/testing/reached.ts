// What tests reached, in the graph: a bar beside each card, and a sign where something was not reached.

import type { Card } from "../graph/layout";
import { type Colours, UI } from "../parts/canvas";
import { type Reach, reach } from "./tests";

const tones: Record<Reach, string> = { all: "ok", part: "cut", none: "fail", "": "line" };
const signs: Record<Reach, string> = { all: "", part: "◐", none: "∅", "": "" };

/** Draws what tests reached of a card and of its rows. */
export function paintReach(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const own = reach(card.nth, card.hidden > 0);
  if (own && !card.isBox) {
    bar(context, card.x - 7, card.y, card.h, colour(tones[own]));
    sign(context, own, card.x - 8, card.y + card.h / 2, colour);
  }
  for (const row of card.rows) {
    const inner = reach(row.nth);
    if (!inner) continue;
    bar(context, card.x - 7, card.y + row.y, 20, colour(tones[inner]));
    sign(context, inner, card.x - 8, card.y + row.y + 10, colour);
  }
}

function bar(context: CanvasRenderingContext2D, x: number, y: number, high: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y + 2, 4, high - 4, 2);
  context.fill();
}

function sign(context: CanvasRenderingContext2D, of: Reach, x: number, y: number, colour: Colours): void {
  if (!signs[of]) return;
  context.fillStyle = colour("bg");
  context.beginPath();
  context.arc(x + 2, y, 8, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colour(tones[of]);
  context.font = `700 13px ${UI}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(signs[of], x + 2, y + 0.5);
  context.textAlign = "left";
}
