// The graph on a canvas: cards, edges, the way that is taken now; panning, zooming, folding and selecting.

import { effect } from "@preact/signals";
import { heat } from "./crowd";
import { type Card, type Layout, layout } from "./layout";
import { glyphs, isQuestion, sign, toneOf } from "./marks";
import * as model from "./model";
import { theme } from "./texts";

const UI = "Inter, system-ui, sans-serif";
const CODE = "'JetBrains Mono', ui-monospace, monospace";
const NEAREST = 2.5;
const FARTHEST = 0.08;
/** Below this nobody reads the names. */
const SMALLEST_FIT = 0.68;

interface Camera {
  x: number;
  y: number;
  zoom: number;
  /** Whether it keeps everything in view. */
  fits: boolean;
}

let canvas: HTMLCanvasElement | null = null;
let camera: Camera = { x: 0, y: 0, zoom: 1, fits: true };
/** The cameras of definitions that were left. */
const cameras = new Map<string, Camera>();
let current: Layout | null = null;
let currentName = "";
let isDue = false;

const measurer = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
const measure = (text: string, isCode: boolean): number => {
  measurer.font = isCode ? `400 11.5px ${CODE}` : `500 13px ${UI}`;
  return measurer.measureText(text).width;
};

/** A small picture of the whole graph, for when it does not fit. */
let small: HTMLCanvasElement | null = null;

/** Puts the graph on a canvas, with a small one for the whole of it, and draws it whenever something changes. */
export function mount(element: HTMLCanvasElement, map: HTMLCanvasElement): () => void {
  canvas = element;
  small = map;
  const pan = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !current) return;
    const [across, down] = mapScale(current, map);
    camera.x = element.clientWidth / 2 - (event.offsetX / across) * camera.zoom;
    camera.y = element.clientHeight / 2 - (event.offsetY / down) * camera.zoom;
    camera.fits = false;
    redraw();
  };
  map.onpointerdown = pan;
  map.onpointermove = pan;
  const stopLayout = effect(() => {
    const behaviour = model.definition.value?.behaviour;
    current = behaviour ? layout(model.lines.value, model.parents.value, model.shown.value, model.below.value, model.folded.value, measure) : null;
    const name = `${model.view.peek()?.file ?? ""} ${behaviour?.name ?? ""} ${model.root.value ?? ""}`;
    if (name !== currentName) {
      cameras.set(currentName, camera);
      camera = cameras.get(name) ?? { x: 0, y: 0, zoom: 1, fits: true };
      currentName = name;
    }
    redraw();
  });
  const stopMarks = effect(() => {
    void [model.marks.value, model.selected.value, theme.value, model.view.value?.crowd];
    redraw();
  });
  const resize = new ResizeObserver(redraw);
  resize.observe(element);
  listen(element);
  return () => {
    stopLayout();
    stopMarks();
    resize.disconnect();
    canvas = null;
    small = null;
  };
}

function redraw(): void {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw();
  });
}

/** Brings the whole graph into view. */
export function fit(): void {
  camera.fits = true;
  redraw();
}

export function zoom(factor: number): void {
  if (canvas) zoomAt(canvas.clientWidth / 2, canvas.clientHeight / 2, factor);
}

function zoomAt(x: number, y: number, factor: number): void {
  const next = Math.min(NEAREST, Math.max(FARTHEST, camera.zoom * factor));
  camera.x = x - ((x - camera.x) * next) / camera.zoom;
  camera.y = y - ((y - camera.y) * next) / camera.zoom;
  camera.zoom = next;
  camera.fits = false;
  redraw();
}

function listen(element: HTMLCanvasElement): void {
  let from: { x: number; y: number } | null = null;
  let hasMoved = false;
  element.onpointerdown = (event) => {
    from = { x: event.clientX - camera.x, y: event.clientY - camera.y };
    hasMoved = false;
    element.setPointerCapture(event.pointerId);
  };
  element.onpointermove = (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!hasMoved && Math.hypot(x - camera.x, y - camera.y) < 4) return;
    hasMoved = true;
    [camera.x, camera.y, camera.fits] = [x, y, false];
    redraw();
  };
  element.onpointerup = (event) => {
    from = null;
    if (hasMoved) return;
    const found = at(event.offsetX, event.offsetY);
    model.selected.value = found < 0 ? null : model.lines.value[found].id;
  };
  element.ondblclick = (event) => {
    const found = at(event.offsetX, event.offsetY);
    if (found < 0 || model.below.value[found] === 0) return;
    const id = model.lines.value[found].id;
    model.fold(id, !model.folded.value.has(id));
  };
  element.onwheel = (event) => {
    event.preventDefault();
    zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0012));
  };
}

/** The line at a point of the canvas, -1 for none. */
function at(px: number, py: number): number {
  const [x, y] = [(px - camera.x) / camera.zoom, (py - camera.y) / camera.zoom];
  const hit = (card: Card): boolean => x >= card.x && x <= card.x + card.w && y >= card.y && y <= card.y + card.h;
  const card = current?.cards.filter(hit).at(-1);
  if (!card) return -1;
  const row = card.rows.find((one) => y >= card.y + one.y && y < card.y + one.y + 20);
  return row ? row.nth : card.nth;
}

/** Where a card is on the canvas, in its pixels; for tests and for the keyboard. */
export function place(id: string): { x: number; y: number } | null {
  const card = current?.cards.find((one) => model.lines.value[one.nth].id === id);
  if (!card) return null;
  return { x: (card.x + card.w / 2) * camera.zoom + camera.x, y: (card.y + 16) * camera.zoom + camera.y };
}

type Colours = (name: string) => string;
/** Whether any of a rectangle is in view. */
type Seen = (x1: number, y1: number, x2: number, y2: number) => boolean;

/** How many cards the last picture has. */
let drawn = 0;
export const cardsDrawn = (): number => drawn;

function draw(): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context || !current) return;
  const style = getComputedStyle(document.documentElement);
  // Asking for a style costs more than drawing a card.
  const known = new Map<string, string>();
  const colour: Colours = (name) => {
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = style.getPropertyValue(`--${name}`).trim()));
    return found;
  };
  const [wide, high, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
  if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
  }
  if (camera.fits) {
    const margin = 36;
    camera.zoom = Math.min(1.25, (wide - 2 * margin) / Math.max(1, current.w), (high - 2 * margin) / Math.max(1, current.h));
    camera.zoom = Math.max(SMALLEST_FIT, camera.zoom);
    // What is too large to be read as a whole shows what runs.
    const card = current.cards.find((one) => one.nth === model.running.value) ?? current.cards[0];
    const along = (size: number, room: number, middle: number): number =>
      size * camera.zoom + 2 * margin <= room
        ? (room - size * camera.zoom) / 2
        : Math.min(margin, Math.max(room - margin - size * camera.zoom, room / 2 - middle * camera.zoom));
    camera.x = along(current.w, wide, card ? card.x + card.w / 2 : 0);
    camera.y = along(current.h, high, card ? card.y + card.h / 2 : 0);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, wide, high);
  context.translate(camera.x, camera.y);
  context.scale(camera.zoom, camera.zoom);
  const byLine = new Map(current.cards.map((card) => [card.nth, card]));
  const [left, up] = [-camera.x / camera.zoom, -camera.y / camera.zoom];
  const [right, down] = [left + wide / camera.zoom, up + high / camera.zoom];
  const isSeen: Seen = (x1, y1, x2, y2) => x2 >= left - 8 && x1 <= right + 8 && y2 >= up - 8 && y1 <= down + 8;
  if (!current.isNested) {
    edges(context, current, byLine, isSeen, colour);
  }
  drawn = 0;
  for (const card of current.cards) {
    if (!isSeen(card.x, card.y, card.x + card.w, card.y + card.h)) continue;
    paint(context, card, colour);
    drawn += 1;
  }
  if (current.isNested) arrows(context, current, colour);
  drawMap(current, wide, high, colour);
}

/** How much smaller the small picture is, across and down: a tall tree is not a thread in it. */
const mapScale = (of: Layout, map: HTMLCanvasElement): [number, number] => [map.clientWidth / Math.max(1, of.w), map.clientHeight / Math.max(1, of.h)];

/** The whole graph in small, with what is in view; hidden when everything is. */
function drawMap(of: Layout, wide: number, high: number, colour: Colours): void {
  const context = small?.getContext("2d");
  if (!small || !context) return;
  const isWhole = camera.x >= 0 && camera.y >= 0 && camera.x + of.w * camera.zoom <= wide && camera.y + of.h * camera.zoom <= high;
  small.hidden = isWhole;
  if (isWhole) return;
  const ratio = devicePixelRatio;
  small.width = Math.round(small.clientWidth * ratio);
  small.height = Math.round(small.clientHeight * ratio);
  const [across, down] = mapScale(of, small);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const box = (x: number, y: number, w: number, h: number): [number, number, number, number] => [x * across, y * down, Math.max(1.5, w * across), Math.max(1.5, h * down)];
  for (const card of of.cards) {
    const mark = model.strongest(card.nth);
    const tone = toneOf(mark);
    context.fillStyle = colour(tone === "run" ? "run-fill" : tone === "faint" ? "line" : tone === "ok" || tone === "fail" || tone === "cut" ? tone : "line-strong");
    context.globalAlpha = card.isBox ? 0.25 : 1;
    context.fillRect(...box(card.x, card.y, card.w, card.h));
  }
  context.globalAlpha = 1;
  context.strokeStyle = colour("accent");
  context.lineWidth = 2;
  context.strokeRect(...box(-camera.x / camera.zoom, -camera.y / camera.zoom, wide / camera.zoom, high / camera.zoom));
}

/** A line is bright when the child has been reached in this tick. */
function edges(context: CanvasRenderingContext2D, of: Layout, byLine: Map<number, Card>, isSeen: Seen, colour: Colours): void {
  const marks = model.marks.value;
  const drawOne = (card: Card, points: [number, number][], label: [number, number] | null): void => {
    const mark = model.strongest(card.nth);
    const isOn = leadsOn(card);
    const isReached = mark !== "" && !mark.startsWith("was");
    context.strokeStyle = colour(isOn ? "run" : mark === "cut" ? "cut" : isReached ? "muted" : "line-strong");
    context.globalAlpha = isReached ? 1 : 0.55;
    context.lineWidth = isOn ? 3 : 1.5;
    context.setLineDash(mark === "cut" ? [5, 4] : []);
    rounded(context, points);
    context.setLineDash([]);
    context.globalAlpha = 1;
    if (label && card.edge) {
      context.font = `400 11.5px ${CODE}`;
      const w = context.measureText(card.edge).width + 14;
      context.fillStyle = colour("bg");
      context.fillRect(label[0] - w / 2, label[1] - 9, w, 18);
      context.fillStyle = colour(isOn ? "run" : "muted");
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(card.edge, label[0], label[1]);
      context.textAlign = "left";
    }
  };
  // The way taken is drawn last, so that it lies above the others.
  const chained = chains(of.cards);
  const all = of.cards.filter((card) => card.parent >= 0 && !chained.has(card));
  const rank = (card: Card): number => (leadsOn(card) ? 1 : 0);
  for (const card of all.sort((left, right) => rank(left) - rank(right))) {
    const parent = byLine.get(card.parent) as Card;
    const isOut = !isSeen(Math.min(parent.x, card.x), Math.min(parent.y, card.y), Math.max(parent.x + parent.w, card.x + card.w), Math.max(parent.y + parent.h, card.y + card.h));
    if (isOut) continue;
    if (of.isDown) {
      const [x1, y1, x2, y2] = [parent.x + parent.w / 2, parent.y + parent.h, card.x + card.w / 2, card.y];
      const middle = y2 - 20;
      drawOne(card, [[x1, y1], [x1, middle], [x2, middle], [x2, y2]], card.edge ? [x2, y2 - 12] : null);
    } else {
      const [x1, y1, x2, y2] = [parent.x + parent.w, parent.y + parent.h / 2, card.x, card.y + card.h / 2];
      const middle = x1 + 18;
      const label: [number, number] = [(middle + x2) / 2 + 4, y2];
      drawOne(card, [[x1, y1], [middle, y1], [middle, y2], [x2, y2]], label);
    }
  }
  // From a question to what follows from a no.
  for (const [next, card] of chained) {
    const isOn = marks[card.nth] === "fail";
    const x = card.x + 26;
    context.strokeStyle = colour(isOn ? "run" : "line-strong");
    context.lineWidth = isOn ? 3 : 1.5;
    context.beginPath();
    context.moveTo(x, card.y + card.h);
    context.lineTo(x, next.y);
    context.stroke();
    context.font = `400 11.5px ${CODE}`;
    context.fillStyle = colour(isOn ? "run" : "muted");
    context.textBaseline = "middle";
    context.fillText(card.title === "switch" ? "else" : "no", x + 10, (card.y + card.h + next.y) / 2);
  }
}

/** Whether a card is on the way to what runs. */
function leadsOn(card: Card): boolean {
  const [running, last] = [model.running.value, card.nth + model.below.value[card.nth]];
  return model.isActive(model.strongest(card.nth)) || (card.nth <= running && running <= last);
}

/** The cards that follow from a no, each with its question, which stands before it. */
function chains(cards: Card[]): Map<Card, Card> {
  const found = new Map<Card, Card>();
  const last = new Map<number, Card>();
  for (const card of cards) {
    const before = last.get(card.parent);
    if (before?.kind === "test" && card.kind !== "branch") found.set(card, before);
    last.set(card.parent, card);
  }
  return found;
}

function rounded(context: CanvasRenderingContext2D, points: [number, number][]): void {
  context.beginPath();
  context.moveTo(...points[0]);
  for (let nth = 1; nth < points.length - 1; nth++) {
    const [a, b, c] = [points[nth - 1], points[nth], points[nth + 1]];
    const radius = Math.min(8, Math.hypot(b[0] - a[0], b[1] - a[1]) / 2, Math.hypot(c[0] - b[0], c[1] - b[1]) / 2);
    context.arcTo(b[0], b[1], c[0], c[1], radius);
  }
  context.lineTo(...(points.at(-1) as [number, number]));
  context.stroke();
}

/** The outline of a card: pills ask, hexagons decide, rectangles do. */
function shape(context: CanvasRenderingContext2D, card: Card, isTorn: boolean): void {
  const { x, y, w, h } = card;
  context.beginPath();
  if (card.kind === "test") {
    context.moveTo(x + 10, y);
    for (const [px, py] of [[x + w - 10, y], [x + w, y + h / 2], [x + w - 10, y + h], [x + 10, y + h], [x, y + h / 2]]) context.lineTo(px, py);
    context.closePath();
  } else if (isTorn) {
    context.moveTo(x + 6, y);
    context.lineTo(x + w, y);
    for (let nth = 1; nth <= 6; nth++) context.lineTo(x + w - (nth % 2 ? 5 : 0), y + (h * nth) / 6);
    context.lineTo(x + 6, y + h);
    context.arcTo(x, y + h, x, y + h - 6, 6);
    context.lineTo(x, y + 6);
    context.arcTo(x, y, x + 6, y, 6);
    context.closePath();
  } else {
    context.roundRect(x, y, w, h, isQuestion(card.kind) ? h / 2 : card.isBox ? 10 : 7);
  }
}

/** How much of a crowd is here: a bar at the foot of the card, and how many that are. */
function paintHeat(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const here = heat(card.nth);
  if (!here) return;
  context.fillStyle = colour("run");
  context.fillRect(card.x + 4, card.y + card.h - 4, (card.w - 8) * here.share, 3);
  context.font = `600 10.5px ${UI}`;
  context.textAlign = "right";
  context.fillText(String(here.count), card.x + card.w - 6, card.y - 7);
  context.textAlign = "left";
}

function paint(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const line = model.lines.value[card.nth];
  const mark = model.strongest(card.nth);
  const tone = toneOf(mark);
  const isOn = tone === "run";
  const holds = card.rows.some((row) => row.nth === model.running.value);
  const isFilled = isOn && !card.isBox && (card.nth === model.running.value || holds);
  const isAsleep = mark === "" || mark.startsWith("was");
  const isCut = mark === "cut" || mark === "left";
  if (card.hidden > 0) {
    context.strokeStyle = colour("line-strong");
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(card.x + 4, card.y + 4, card.w, card.h, 7);
    context.stroke();
  }
  if (model.selected.value === line.id) {
    context.strokeStyle = colour("accent");
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(card.x - 4, card.y - 4, card.w + 8, card.h + 8, 11);
    context.stroke();
  }
  shape(context, card, mark === "cut" && !card.isBox);
  context.fillStyle = colour(isFilled ? "run-fill" : card.isBox ? (isOn ? "surface" : "bg") : isOn ? "run-tint" : isCut ? "cut-tint" : "surface");
  context.fill();
  context.lineWidth = isOn ? 2 : 1.2;
  context.strokeStyle = colour(isOn ? "run" : isCut ? "cut" : isAsleep ? "line" : "line-strong");
  if (mark === "skip" || mark === "left" || card.kind === "goto" || card.kind === "branch") context.setLineDash([5, 4]);
  context.stroke();
  context.setLineDash([]);
  const ink = isFilled ? "run-ink" : isAsleep ? "muted" : "text";
  const middle = card.isBox || card.rows.length > 0 ? card.y + 17 : card.detail ? card.y + 16 : card.y + card.h / 2;
  const left = card.x + (isQuestion(card.kind) || card.kind === "test" ? 18 : 13);
  context.textBaseline = "middle";
  context.font = `500 13px ${UI}`;
  context.fillStyle = colour(isFilled ? "run-ink" : isOn ? "run" : "muted");
  const signs = sign(card.kind);
  context.fillText(signs, left, middle);
  const after = left + context.measureText(signs).width + 7;
  context.fillStyle = colour(ink);
  context.fillText(card.title, after, middle);
  if (card.hidden > 0) {
    context.fillStyle = colour("muted");
    context.fillText(`+${card.hidden}`, after + context.measureText(`${card.title} `).width + 3, middle);
  }
  if (card.detail) {
    context.font = `400 11.5px ${CODE}`;
    context.fillStyle = colour(isFilled ? "run-ink" : "muted");
    context.fillText(card.detail, left + 2, card.y + 33);
  }
  context.font = `600 13px ${UI}`;
  context.textAlign = "right";
  context.fillStyle = colour(isFilled ? "run-ink" : tone === "faint" ? "faint" : tone);
  context.fillText(glyphs[mark], card.x + card.w - (isQuestion(card.kind) || card.kind === "test" ? 16 : 12), middle);
  context.textAlign = "left";
  paintHeat(context, card, colour);
  for (const row of card.rows) paintRow(context, card, row, colour, isFilled);
}

function paintRow(context: CanvasRenderingContext2D, card: Card, row: Card["rows"][number], colour: Colours, isFilled: boolean): void {
  const mark = model.marks.value[row.nth];
  const line = model.lines.value[row.nth];
  const y = card.y + row.y + 10;
  if (model.selected.value === line.id) {
    context.strokeStyle = colour("accent");
    context.lineWidth = 1.5;
    context.strokeRect(card.x + 6, y - 10, card.w - 12, 20);
  }
  context.font = `400 11.5px ${CODE}`;
  const tone = toneOf(mark);
  context.fillStyle = colour(isFilled ? "run-ink" : tone === "run" || tone === "ok" ? tone : "muted");
  context.fillText(row.text, card.x + 14, y);
  if (mark) {
    context.textAlign = "right";
    context.fillStyle = colour(isFilled ? "run-ink" : tone === "faint" ? "faint" : tone);
    context.fillText(glyphs[mark], card.x + card.w - 10, y);
    context.textAlign = "left";
  }
}

/** The transition that was taken last, and the one that is selected: from its row to the state that it leads to. */
function arrows(context: CanvasRenderingContext2D, of: Layout, colour: Colours): void {
  const places = new Map(of.cards.map((card) => [model.lines.value[card.nth].id, card]));
  for (const card of of.cards) {
    for (const row of card.rows) {
      const line = model.lines.value[row.nth];
      const mark = model.marks.value[row.nth];
      const isTaken = mark === "ok" || mark === "was-ok";
      const isSelected = model.selected.value === line.id;
      if (line.is !== "transition" || !(isTaken || isSelected)) continue;
      for (const id of line.targets ?? []) {
        const target = places.get(id);
        if (!target) continue;
        const isRight = target.x + target.w / 2 >= card.x + card.w / 2;
        const [x1, y1] = [isRight ? card.x + card.w : card.x, card.y + row.y + 10];
        const isBelow = Math.abs(target.x - card.x) < 40;
        const [x2, y2] = [isBelow === isRight ? target.x + target.w : target.x, target.y + 17];
        const bend = isRight ? 42 : -42;
        const end = isBelow === isRight ? 42 : -42;
        context.strokeStyle = colour(isSelected ? "accent" : mark === "ok" ? "run" : "muted");
        context.fillStyle = context.strokeStyle;
        context.lineWidth = mark === "ok" ? 3 : 1.5;
        context.beginPath();
        context.moveTo(x1, y1);
        context.bezierCurveTo(x1 + bend, y1, x2 + end, y2, x2 + Math.sign(end) * 7, y2);
        context.stroke();
        context.beginPath();
        context.moveTo(x2, y2);
        context.lineTo(x2 + Math.sign(end) * 9, y2 - 5);
        context.lineTo(x2 + Math.sign(end) * 9, y2 + 5);
        context.fill();
      }
    }
  }
}
