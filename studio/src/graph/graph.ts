// The graph on a canvas: cards, edges, the way that is taken now; panning, zooming, folding and selecting.

import { computed, effect } from "@preact/signals";
import { everybody, isCrowd } from "../crowd/crowd";
import * as sheet from "../edit/sheet";
import { byLine as breakpoints } from "../panels/breakpoints";
import { CODE, type Colours, clear, colours, inCalm, inFrame, UI } from "../parts/canvas";
import { toneOf } from "../parts/marks";
import { covered } from "../testing/tests";
import { theme } from "../texts";
import * as model from "../wire/model";
import * as hands from "./hands";
import { type Arrow, type Card, type Layout, layout } from "./layout";
import { paintAll, type Seen, SMALLEST_LABEL } from "./paint";
import { type Box, hasMoved, isInRoom, within } from "./room";
import * as shown from "./shown";
import { stacked } from "./stack";

const NEAREST = 2.5;
const FARTHEST = 0.08;
/** How high the buttons at the foot of the graph are, with what is below them. */
const BUTTONS = 44;
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

const measurer = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
/** How wide a text is on a card. */
export const measure = (text: string, isCode: boolean): number => {
  measurer.font = isCode ? `400 11.5px ${CODE}` : `500 13px ${UI}`;
  return measurer.measureText(text).width;
};

/** A small picture of the whole graph, for when it does not fit. */
let small: HTMLCanvasElement | null = null;

/** Puts the small picture on a canvas; dragging in it moves the graph. */
export function mountMap(map: HTMLCanvasElement): () => void {
  small = map;
  smallOf = null;
  const pan = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !current || !canvas) return;
    const [across, down] = mapScale(current, map);
    camera.x = canvas.clientWidth / 2 - (event.offsetX / across) * camera.zoom;
    camera.y = canvas.clientHeight / 2 - (event.offsetY / down) * camera.zoom;
    byHand();
  };
  map.onpointerdown = pan;
  map.onpointermove = pan;
  redraw();
  return () => (small = null);
}

/** The keys whose values stand on cards. */
const keysShown = computed(() => [...new Set(shown.lines.value.flatMap(model.keysOf))]);

/** What the graph shows of a view: a view in which it is the same is not drawn again. */
const look = computed(() => {
  const { keys = [], returns = [] } = model.view.value ?? {};
  const stops = [...breakpoints.value].map(([line, one]) => [line, one.is_on]);
  return JSON.stringify([shown.drawn.value, keysShown.value.map((nth) => keys[nth]?.value), returns, stops]);
});

function playing(isWhole: boolean): Layout | null {
  if (!model.definition.value?.behaviour) return null;
  return layout(model.lines.value, model.parents.value, model.shown.value, model.below.value, model.folded.value, measure, { isWhole });
}

/** What is played, laid out. */
export const played = computed<Layout | null>(() => playing(false));

/** The document that one looks at, laid out for a picture that is saved: nothing is cut off for room. */
export const inFull = computed<Layout | null>(() => (shown.isSource.value ? stacked(measure, true) : playing(true)));

/** The document that one looks at, laid out: as it is written while one edits it, otherwise what is played. */
function laid(): Layout | null {
  return shown.isSource.value ? stacked(measure) : played.value;
}

/** Puts the graph on a canvas, and draws it whenever something changes. */
export function mount(element: HTMLCanvasElement, over: HTMLCanvasElement): () => void {
  canvas = element;
  const stopHands = hands.mount(over, {
    layout: () => current,
    camera: () => camera,
    pan: (x, y) => {
      [camera.x, camera.y] = [camera.x + x, camera.y + y];
      byHand();
    },
    hold: () => ([camera.fits, model.follows.value, pinned] = [false, false, null]),
    pin: (id) => (pinned = id),
  });
  const stopLayout = effect(() => {
    const id = pinned ?? shown.selected.peek();
    const anchor = targetOf(laidOut.findIndex((line) => line.id === id));
    const before = currentName;
    const own = shown.selected.peek();
    const wasAt = boxOf(own);
    current = laid();
    const name = `${model.view.peek()?.file ?? ""} ${model.definition.value?.behaviour?.name ?? ""} ${model.root.value ?? ""} ${shown.isSource.value ? "source" : ""}`;
    if (name !== currentName) {
      cameras.set(currentName, camera);
      camera = cameras.get(name) ?? { x: 0, y: 0, zoom: 1, fits: true };
      currentName = name;
    }
    laidOut = shown.lines.value;
    if (shown.isSource.value && before === name) {
      keepInPlace(anchor, id);
      // What is chosen is not lost by a drop, or by what the edit has done to everything. Nothing is moved below a drag.
      const isMoved = pinned !== null || hasMoved(wasAt, boxOf(own), element.clientWidth, element.clientHeight);
      if (isMoved && !camera.fits && !hands.isDragging()) wanted = own;
    }
    pinned = null;
    redraw();
  });
  const stopMarks = effect(() => {
    void [look.value, everybody.value];
    inCalm(draw, isCrowd() && !model.view.peek()?.is_paused, draw);
  });
  const stopChosen = effect(() => {
    void [shown.selected.value, shown.othersNow.value, sheet.chosen.value, theme.value, model.follows.value, covered.value];
    redraw();
  });
  const stopSelected = effect(() => {
    wanted = shown.selected.value;
    // When nothing is selected any more, it shows what runs again.
    if (!wanted && hasCome) [camera.fits, hasCome, model.follows.value] = [true, false, true];
    redraw();
  });
  const resize = new ResizeObserver(redraw);
  resize.observe(element);
  listen(element);
  return () => {
    stopLayout();
    stopMarks();
    stopChosen();
    stopSelected();
    stopHands();
    resize.disconnect();
    canvas = null;
    if (small) small.hidden = true;
  };
}

/** The lines of the layout. */
let laidOut: model.Line[] = [];

/** Where a line that was laid out is on the canvas. */
function boxOf(id: string | null): Box | null {
  const target = targetOf(laidOut.findIndex((line) => line.id === id));
  return target && seen(target);
}

/** What stays where it is after the next edit, instead of what is chosen: that is moved by itself. */
let pinned: string | null = null;

/** How far a drawing that has room is from the border at least. */
const BORDER = 12;

/** After an edit, one of its lines stays where it was in the window, as far as the whole has room then. */
function keepInPlace(before: { x: number; y: number } | null, id: string | null): void {
  const now = targetOf(laidOut.findIndex((line) => line.id === id));
  if (!before || !now || !current || !canvas || camera.fits) return;
  const { zoom } = camera;
  camera.x = within(camera.x, (before.x - now.x) * zoom, current.w * zoom, canvas.clientWidth, BORDER);
  camera.y = within(camera.y, (before.y - now.y) * zoom, current.h * zoom, canvas.clientHeight - BUTTONS, BORDER);
}

/** Somebody has moved the graph: it does not follow what runs any more. */
function byHand(): void {
  [camera.fits, model.follows.value] = [false, false];
  redraw();
}

const redraw = (): void => inFrame(draw, draw);

/** Brings the whole graph into view. */
export function fit(): void {
  [camera.fits, isAll] = [true, true];
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
    if (shown.isSource.value && hands.down(event)) {
      element.setPointerCapture(event.pointerId);
      return;
    }
    from = { x: event.clientX - camera.x, y: event.clientY - camera.y };
    hasMoved = false;
    element.setPointerCapture(event.pointerId);
  };
  element.onpointermove = (event) => {
    if (!from && shown.isSource.value && hands.move(event)) return;
    if (!from) {
      const held = shown.isSource.value ? hands.titleAt(event.offsetX, event.offsetY) : "";
      const full = held || (labelAt(event.offsetX, event.offsetY)?.label?.full ?? "");
      if (element.title !== full) element.title = full;
      return;
    }
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!hasMoved && Math.hypot(x - camera.x, y - camera.y) < 4) return;
    hasMoved = true;
    [camera.x, camera.y] = [x, y];
    byHand();
  };
  element.onpointerup = (event) => {
    if (!from && shown.isSource.value && hands.up(event)) return;
    from = null;
    if (hasMoved || shown.isSource.value) return;
    const found = at(event.offsetX, event.offsetY);
    model.selected.value = found < 0 ? null : shown.lines.value[found].id;
  };
  element.onpointercancel = () => {
    from = null;
    hands.cancel();
  };
  element.onmousedown = (event) => {
    // The keyboard stays in the rows, which know the keys.
    if (shown.isSource.value) event.preventDefault();
  };
  element.oncontextmenu = (event) => {
    if (shown.isSource.value) hands.context(event);
  };
  element.ondblclick = (event) => {
    if (shown.isSource.value) {
      hands.open(event);
      return;
    }
    const found = at(event.offsetX, event.offsetY);
    if (found < 0 || shown.below.value[found] === 0) return;
    const id = shown.lines.value[found].id;
    model.fold(id, !model.folded.value.has(id));
  };
  element.onwheel = (event) => {
    event.preventDefault();
    zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0012));
    const target = current && targetOf(shown.running.value);
    if (target && !isInView(target)) byHand();
  };
}

/** The way whose label is at a point of the canvas. */
function labelAt(px: number, py: number): Arrow | undefined {
  if (camera.zoom < SMALLEST_LABEL) return undefined;
  const [x, y] = [(px - camera.x) / camera.zoom, (py - camera.y) / camera.zoom];
  return current?.arrows.find(({ label }) => label && Math.abs(x - label.x) <= label.w / 2 && Math.abs(y - label.y) <= 8);
}

/** The line at a point of the canvas, -1 for none. */
function at(px: number, py: number): number {
  const [x, y] = [(px - camera.x) / camera.zoom, (py - camera.y) / camera.zoom];
  const named = labelAt(px, py);
  if (named) return named.nth;
  const hit = (card: Card): boolean => x >= card.x && x <= card.x + card.w && y >= card.y && y <= card.y + card.h;
  const card = current?.cards.filter(hit).at(-1);
  if (!card) return -1;
  const row = card.rows.find((one) => y >= card.y + one.y && y < card.y + one.y + 20);
  return row ? row.nth : card.nth;
}

/** Where the card or the row of a line is on the canvas, in its pixels, at a part of its width and height; for tests. */
export function place(id: string, across = 0.5, down?: number): { x: number; y: number } | null {
  const target = targetOf(shown.lines.value.findIndex((line) => line.id === id));
  if (!target) return null;
  const y = target.row || down !== undefined ? target.y + target.h * (down ?? 0.5) : target.y + 16;
  return { x: (target.x + target.w * across) * camera.zoom + camera.x, y: y * camera.zoom + camera.y };
}

/** Where a point of the drawing is on the canvas; for tests. */
export const onCanvas = (x: number, y: number): { x: number; y: number } => ({
  x: x * camera.zoom + camera.x,
  y: y * camera.zoom + camera.y,
});

/** What has to be in view so that a line can be seen: its row, or its card; of a box what is its own. */
interface Target {
  x: number;
  y: number;
  w: number;
  h: number;
  card: Card;
  row: Card["rows"][number] | undefined;
}

function targetOf(nth: number): Target | null {
  for (const card of current?.cards ?? []) {
    const row = card.rows.find((one) => one.nth === nth);
    const own = card.isBox ? card.own : card.h;
    if (row) return { x: card.x, y: card.y + row.y, w: card.w, h: 20, card, row };
    if (card.nth === nth) return { x: card.x, y: card.y, w: card.w, h: own, card, row };
  }
  return null;
}

/** The place of a target on the canvas. */
const seen = (one: Target): [x: number, y: number, w: number, h: number] => [
  one.x * camera.zoom + camera.x,
  one.y * camera.zoom + camera.y,
  one.w * camera.zoom,
  one.h * camera.zoom,
];

const isInView = (target: Target): boolean => !!canvas && isInRoom(seen(target), canvas.clientWidth, canvas.clientHeight);

/** The line that has been selected since the last picture, and whether the graph was moved for one. */
let wanted: string | null = null;
let hasCome = false;

/** Moves the graph as little as needed to show a line, and the head of its card if both have room; returns whether it did. */
function bringIntoView(nth: number): boolean {
  const target = targetOf(nth);
  if (!target || !canvas) return false;
  const margin = 12;
  const moved = (from: number, size: number, room: number): number =>
    from < margin || size > room ? margin - from : Math.min(0, room - margin - from - size);
  const [x, y, w, h] = seen(target);
  const top = target.card.y * camera.zoom + camera.y;
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight - BUTTONS];
  const across = moved(x, w, wide);
  const down = y + h - top + 2 * margin <= high ? moved(top, y + h - top, high) : moved(y, h, high);
  if (Math.abs(across) < 1 && Math.abs(down) < 1) return false;
  [camera.x, camera.y, camera.fits] = [camera.x + across, camera.y + down, false];
  return true;
}

/** What was followed in the last picture: what runs, and how it could be seen. */
let followed = "";

/** Keeps in view what runs, and shows what was selected. */
function attend(wide: number, high: number): void {
  const nth = shown.visible(shown.running.value);
  const now = [currentName, nth, wide, high, camera.zoom, current?.w, current?.h].join();
  if (!model.follows.value) followed = "";
  else if (now !== followed) {
    followed = now;
    if (!camera.fits) bringIntoView(nth);
  }
  if (!wanted) return;
  const [id, followedAll] = [wanted, camera.fits && model.follows.value];
  wanted = null;
  const line = shown.lines.value.findIndex((one) => one.id === id);
  if (!bringIntoView(line) || model.isSelectedByGame || line === nth) return;
  hasCome ||= followedAll;
  model.follows.value = false;
}

/** Where everything is. While the graph is not shown, such as beside the map, what it was last may be of another document. */
export const layoutNow = (): Layout | null => (canvas ? current : laid());

/** Whether somebody asked for all of it, however small it is then. */
let isAll = false;

/** How many cards the last picture has. */
let drawn = 0;
export const cardsDrawn = (): number => drawn;

function draw(): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context || !current) return;
  const colour = colours();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  if (camera.fits) {
    const margin = 36;
    const [room, above] = [high - BUTTONS, margin - BUTTONS / 4];
    camera.zoom = Math.min(1.25, (wide - 2 * margin) / Math.max(1, current.w), (room - 2 * above) / Math.max(1, current.h));
    camera.zoom = Math.max(isAll ? FARTHEST : SMALLEST_FIT, camera.zoom);
    // What is too large to be read as a whole shows what runs.
    const target = targetOf(shown.visible(shown.running.value)) ?? current.cards[0];
    const along = (size: number, room: number, middle: number): number =>
      size * camera.zoom <= room
        ? (room - size * camera.zoom) / 2
        : Math.min(margin, Math.max(room - margin - size * camera.zoom, room / 2 - middle * camera.zoom));
    camera.x = along(current.w, wide, target ? target.x + target.w / 2 : 0);
    camera.y = along(current.h, room, target ? target.y + target.h / 2 : 0);
    const isWhole = current.w * camera.zoom <= wide && current.h * camera.zoom <= high;
    if (!isWhole && !model.follows.value) camera.fits = false;
  }
  isAll &&= camera.fits;
  attend(wide, high);
  clear(canvas, context, wide, high);
  context.translate(camera.x, camera.y);
  context.scale(camera.zoom, camera.zoom);
  const [left, up] = [-camera.x / camera.zoom, -camera.y / camera.zoom];
  const [right, down] = [left + wide / camera.zoom, up + high / camera.zoom];
  const isSeen: Seen = (x1, y1, x2, y2) => x2 >= left - 8 && x1 <= right + 8 && y2 >= up - 8 && y1 <= down + 8;
  hands.follow();
  drawn = paintAll(context, current, isSeen, colour);
  drawMap(current, wide, high, colour);
}

/** How much smaller the small picture is, across and down: a tall tree is not a thread in it. */
const mapScale = (of: Layout, map: HTMLCanvasElement): [number, number] => [
  map.clientWidth / Math.max(1, of.w),
  map.clientHeight / Math.max(1, of.h),
];

/** What the small picture shows, and how. */
let [smallOf, smallAs]: [Layout | null, string] = [null, ""];

/** The whole graph in small, with what is in view; hidden when everything is. */
function drawMap(of: Layout, wide: number, high: number, colour: Colours): void {
  const context = small?.getContext("2d");
  if (!small || !context) return;
  const isWhole = camera.x >= 0 && camera.y >= 0 && camera.x + of.w * camera.zoom <= wide && camera.y + of.h * camera.zoom <= high;
  small.hidden = isWhole;
  const tones = isWhole ? [] : of.cards.map((card) => toneOf(shown.strongest(card.nth)));
  // It seldom changes while the graph does.
  const now = [tones, wide, high, ...Object.values(camera), small.clientWidth, theme.value].join();
  if (isWhole || (smallOf === of && smallAs === now)) return;
  [smallOf, smallAs] = [of, now];
  clear(small, context, small.clientWidth, small.clientHeight);
  const [across, down] = mapScale(of, small);
  const box = (x: number, y: number, w: number, h: number): [number, number, number, number] => [
    x * across,
    y * down,
    Math.max(1.5, w * across),
    Math.max(1.5, h * down),
  ];
  for (const [nth, card] of of.cards.entries()) {
    const tone = tones[nth];
    context.fillStyle = colour(
      tone === "run" ? "run-fill" : tone === "faint" ? "line" : tone === "ok" || tone === "fail" || tone === "cut" ? tone : "line-strong",
    );
    context.globalAlpha = card.isBox ? 0.25 : 1;
    context.fillRect(...box(card.x, card.y, card.w, card.h));
  }
  context.globalAlpha = 1;
  context.strokeStyle = colour("accent");
  context.lineWidth = 2;
  context.strokeRect(...box(-camera.x / camera.zoom, -camera.y / camera.zoom, wide / camera.zoom, high / camera.zoom));
}
