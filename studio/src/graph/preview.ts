// A graph as shapes, for a picture in which nobody can read names: the cards and edges of the graph itself.

import { type Colours, clear, colours } from "../parts/canvas";
import { isQuestion } from "../parts/marks";
import type { Line } from "../wire/model";
import { edgesOf } from "./edges";
import type { Card, Layout } from "./layout";
import { dashedArrow, headOf, rounded, shape } from "./paint";

/** A layout with the lines that it is of. */
export interface Drawn {
  of: Layout;
  lines: Line[];
  parents: number[];
}

export function drawPreview(canvas: HTMLCanvasElement, { of, lines, parents }: Drawn): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  clear(canvas, context, wide, high);
  const scale = Math.min(0.9, (wide - 24) / Math.max(1, of.w), (high - 24) / Math.max(1, of.h));
  context.translate((wide - of.w * scale) / 2, (high - of.h * scale) / 2);
  context.scale(scale, scale);
  const thin = 1.2 / scale;
  for (const card of of.cards) if (card.isBox) paint(context, card, thin, colour);
  for (const { points, isJump } of edgesOf(of, lines, parents)) {
    if (isJump) dashedArrow(context, points, colour("line-strong"), thin);
    else {
      [context.strokeStyle, context.lineWidth] = [colour("line-strong"), thin];
      rounded(context, points);
    }
  }
  for (const { points } of of.arrows) {
    [context.strokeStyle, context.lineWidth] = [colour("muted"), thin];
    rounded(context, points);
    headOf(context, points, colour("muted"));
  }
  for (const card of of.cards) if (!card.isBox) paint(context, card, thin, colour);
}

function paint(context: CanvasRenderingContext2D, card: Card, thin: number, colour: Colours): void {
  const isAction = card.kind === "action";
  const asks = isQuestion(card.kind) || card.kind === "test";
  shape(context, card, false);
  context.fillStyle = colour(
    card.isBox ? "surface" : isAction ? "run-fill" : asks ? "accent-tint" : card.kind === "atomic" ? "lane-1" : "raised",
  );
  context.fill();
  [context.strokeStyle, context.lineWidth] = [colour(asks ? "accent" : isAction ? "run" : "line-strong"), thin];
  context.setLineDash(card.kind === "goto" || card.kind === "branch" ? [5, 4] : []);
  context.stroke();
  context.setLineDash([]);
}
