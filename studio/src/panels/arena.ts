// The arena from above: walls, what lies about, who is where, and what the chosen one sees.

import { drawPeople, personAt } from "../crowd/crowd";
import { type Colours, clear, colours, UI } from "../parts/canvas";
import { theme } from "../texts";
import type { Body, Definition, Scene } from "../wire/model";
import { drawCandidates } from "./found";

type Ground = NonNullable<Definition["ground"]>;

export function drawArena(canvas: HTMLCanvasElement, ground: Ground, scene: Scene, mind: number): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [columns, rows] = [ground.rows[0]?.length ?? 1, ground.rows.length];
  const ratio = devicePixelRatio;
  const size = canvas.clientWidth / columns;
  const height = `${Math.round(size * rows)}px`;
  if (canvas.style.height !== height) canvas.style.height = height;
  clear(canvas, context, canvas.clientWidth, size * rows);
  context.setTransform(ratio * size, 0, 0, ratio * size, 0, 0);
  context.fillStyle = colour("surface");
  context.fillRect(0, 0, columns, rows);
  context.fillStyle = colour("run-tint");
  for (const [x, y] of scene.seen ?? []) context.fillRect(x, y, 1.02, 1.02);
  // A picture without a size cannot be drawn, and a hidden arena has none.
  if (canvas.width > 0 && canvas.height > 0) context.drawImage(stillOf(canvas, ground, scene, size, colour), 0, 0, columns, rows);
  const font = (scale: number): string => `500 ${scale}px ${UI}`;
  [context.textAlign, context.textBaseline] = ["center", "middle"];
  context.fillStyle = colour("run");
  for (const [x, y] of scene.way ?? []) {
    context.beginPath();
    context.arc(x + 0.5, y + 0.5, 0.11, 0, 7);
    context.fill();
  }
  drawCandidates(context, colour);
  if (scene.crowd) drawPeople(context, scene.crowd, colour);
  for (const body of scene.bodies) drawBody(context, body, body.mind === mind, colour, font);
}

/** The last picture of what stays, and what it was drawn of. */
let still: { of: unknown[]; canvas: HTMLCanvasElement | null } = { of: [], canvas: null };

/** What mostly stays where it is: walls, spots and what lies about. It is drawn when one of them changes. */
function stillOf(
  { width, height }: HTMLCanvasElement,
  ground: Ground,
  { things }: Scene,
  size: number,
  colour: Colours,
): HTMLCanvasElement {
  // Signs look different as soon as their font is loaded.
  const of = [ground, things, width, height, size, theme.value, document.fonts.status];
  if (still.canvas && of.every((one, nth) => one === still.of[nth])) return still.canvas;
  const canvas = still.canvas ?? document.createElement("canvas");
  still = { of, canvas };
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.scale(devicePixelRatio * size, devicePixelRatio * size);
  context.fillStyle = colour("line");
  // Walls beside one another are one box.
  ground.rows.forEach((row, y) => {
    for (const { 0: wall, index } of row.matchAll(/#+/g)) context.fillRect(index, y, wall.length + 0.02, 1.02);
  });
  [context.textAlign, context.textBaseline, context.font] = ["center", "middle", `500 0.75px ${UI}`];
  context.fillStyle = colour("faint");
  for (const spot of ground.spots) context.fillText(spot.name === "hut" ? "⌂" : spot.sign, spot.x + 0.5, spot.y + 0.5);
  context.fillStyle = colour("accent");
  for (const thing of things) {
    const sign = thing.kind === "door" ? (thing.open ? "/" : "+") : (SIGNS[thing.kind] ?? "•");
    context.fillText(sign, thing.x + 0.5, thing.y + 0.5);
  }
  return canvas;
}

const SIGNS: Record<string, string> = {
  coin: "¢",
  rubbish: "*",
  bin: "∪",
  charger: "±",
  bed: "▬",
  food: "%",
  stove: "≈",
  desk: "╤",
  ball: "o",
  depot: "■",
};

function drawBody(
  context: CanvasRenderingContext2D,
  body: Body,
  isChosen: boolean,
  colour: (name: string) => string,
  font: (scale: number) => string,
): void {
  const isUp = body.state === "up";
  const [x, y] = [body.x, body.y];
  context.globalAlpha = isUp ? 1 : 0.5;
  context.fillStyle = colour(isChosen ? "run-fill" : body.enemy ? "fail" : "muted");
  context.beginPath();
  context.moveTo(x + body.face[0] * 0.75, y + body.face[1] * 0.75);
  context.lineTo(x - body.face[1] * 0.34, y + body.face[0] * 0.34);
  context.lineTo(x + body.face[1] * 0.34, y - body.face[0] * 0.34);
  if (isUp) context.fill();
  context.beginPath();
  if (body.enemy) context.rect(x - 0.45, y - 0.45, 0.9, 0.9);
  else context.arc(x, y, 0.5, 0, 7);
  context.fill();
  if (isChosen || body.hurt) {
    context.lineWidth = 0.12;
    context.strokeStyle = colour(body.hurt ? "fail" : "accent");
    context.beginPath();
    context.arc(x, y, 0.68, 0, 7);
    context.stroke();
  }
  context.font = font(0.68);
  context.fillStyle = isChosen ? colour("run-ink") : colour("bg");
  context.fillText(isUp ? body.sign : body.state === "dead" ? "✝" : "z", x, y + 0.04);
  if (isUp && body.most > 0) {
    context.fillStyle = colour("line-strong");
    context.fillRect(x - 0.6, y - 0.95, 1.2, 0.14);
    context.fillStyle = colour("ok");
    context.fillRect(x - 0.6, y - 0.95, Math.max(0, (1.2 * body.health) / body.most), 0.14);
  }
  context.globalAlpha = 1;
}

/** The mind of the body at a point of the canvas, if there is one. */
export function mindAt(canvas: HTMLCanvasElement, columns: number, scene: Scene, px: number, py: number): number | null {
  const size = canvas.clientWidth / columns;
  const [x, y] = [px / size, py / size];
  if (scene.crowd) return personAt(scene.crowd, x, y);
  const near = scene.bodies.filter((body) => body.mind !== null && Math.hypot(body.x - x, body.y - y) < 1);
  return near[0]?.mind ?? null;
}
