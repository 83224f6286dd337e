// The map as squares: walls, what the legend says of the others, the cursor, and what is being done.

import { clear, colours, UI } from "../parts/canvas";
import * as map from "./map";

/** How large a square is drawn, in pixels, in a window of this width. */
export function squareFor(wide: number): number {
  return Math.max(10, Math.min(32, Math.floor((wide - 2) / Math.max(1, map.size.value[0]))));
}

export function draw(canvas: HTMLCanvasElement, square: number, hasFocus: boolean): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [wide, high] = map.size.value;
  const [width, height] = [wide * square + 1, high * square + 1];
  [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  clear(canvas, context, width, height);
  context.fillStyle = colour("surface");
  context.fillRect(0, 0, width, height);
  context.strokeStyle = colour("line");
  context.beginPath();
  for (let x = 0; x <= wide; x++) {
    context.moveTo(x * square + 0.5, 0);
    context.lineTo(x * square + 0.5, height);
  }
  for (let y = 0; y <= high; y++) {
    context.moveTo(0, y * square + 0.5);
    context.lineTo(width, y * square + 0.5);
  }
  context.stroke();
  const painted = new Set(map.stroke.value.map(([x, y]) => `${x} ${y}`));
  const tool = map.tool.value;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const isPainted = painted.has(`${x} ${y}`) && tool.is === "paint";
      const isTaken = map.taken.value?.[0] === x && map.taken.value[1] === y;
      const sign = isPainted ? tool.sign : map.signAt([x, y]);
      paint(context, [x, y], { sign, square, isPale: isTaken, isNew: isPainted }, colour);
    }
  const [x, y] = map.cursor.value;
  if (map.taken.value) paint(context, [x, y], { sign: map.signAt(map.taken.value), square, isPale: false, isNew: true }, colour);
  if (!hasFocus && !map.taken.value) return;
  context.strokeStyle = colour("accent");
  context.lineWidth = 2;
  context.strokeRect(x * square + 1, y * square + 1, square - 1, square - 1);
}

interface Square {
  sign: string;
  square: number;
  isPale: boolean;
  isNew: boolean;
}

function paint(context: CanvasRenderingContext2D, [x, y]: map.Place, of: Square, colour: (name: string) => string): void {
  const { sign, square } = of;
  const [left, top] = [x * square + 1, y * square + 1];
  if (of.isNew) {
    context.fillStyle = colour("accent-tint");
    context.fillRect(left, top, square - 1, square - 1);
  }
  if (map.isFloor(sign)) return;
  context.globalAlpha = of.isPale ? 0.35 : 1;
  if (sign === "#") {
    context.fillStyle = colour("line-strong");
    context.fillRect(left, top, square - 1, square - 1);
  } else {
    const word = map.lineOf(sign)?.word;
    const isActor = word === "actor";
    context.fillStyle = colour(isActor ? "run-fill" : word === "spot" ? "accent-tint" : "lane-1");
    context.beginPath();
    if (isActor) context.arc(left + (square - 1) / 2, top + (square - 1) / 2, square * 0.42, 0, 7);
    else context.roundRect(left + 1, top + 1, square - 3, square - 3, 4);
    context.fill();
    context.font = `600 ${Math.round(square * 0.6)}px ${UI}`;
    context.fillStyle = colour(isActor ? "run-ink" : "text");
    context.fillText(sign, left + (square - 1) / 2, top + square / 2);
  }
  context.globalAlpha = 1;
}
