// Editing in the drawing with the mouse: choosing, dragging, drawing lines, and the place that is shown before one lets go.

import { signal } from "@preact/signals";
import * as acts from "../edit/actions";
import { openMenu } from "../edit/menu";
import * as sheet from "../edit/sheet";
import * as trial from "../edit/trial";
import { type Colours, clear, colours, inFrame, UI } from "../parts/canvas";
import type { Said } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { type Goal, goalAt, type Load, loadOf } from "./goals";
import { cardAt, type Hit, handleAt, handlesOf, hitAt, nodeOf } from "./hit";
import type { Card, Layout } from "./layout";
import { editTransition } from "./popup";
import * as source from "./source";

/** What the graph lends to the hands. */
export interface Stage {
  layout: () => Layout | null;
  camera: () => { x: number; y: number; zoom: number };
  pan: (x: number, y: number) => void;
  /** Whoever works in the drawing does not want it to move by itself. */
  hold: () => void;
  /** A line stays where it is in the window when the next edit has been done. */
  pin: (id: string) => void;
}

interface Drag {
  load: Load | null;
  /** Where it began: in the window, and in the drawing. */
  from: { x: number; y: number };
  begun: { x: number; y: number };
  /** The cards that follow the pointer. */
  cards: Card[];
  /** Whether it chooses what it encloses. */
  isBand: boolean;
  /** Why it stays where it is, whatever one does: it is a whole definition, or nothing can be changed. */
  stays: string | null;
  hasMoved: boolean;
  /** A click without a drag chooses only what was hit. */
  hit: Hit | undefined;
  goal: Goal | null;
}

/** The height of the line with the name in a box. */
const HEAD = 32;

/** Why what is dragged cannot be dropped, and where that is said. */
export const told = signal<{ x: number; y: number; text: string } | null>(null);

let stage: Stage | null = null;
let over: HTMLCanvasElement | null = null;
let drag: Drag | null = null;
let pointer = { x: 0, y: 0 };
let hovered: Card | undefined;

const inDrawing = (px: number, py: number): { x: number; y: number } => {
  const { x, y, zoom } = (stage as Stage).camera();
  return { x: (px - x) / zoom, y: (py - y) / zoom };
};

/** Takes in what the server says of a place. */
export function hear(answer: { nth: number; why: Said | null }): void {
  trial.hear(answer);
  tell();
}

function tell(): void {
  const verdict = trial.verdict.value;
  const why = drag?.stays ? drag.stays : drag?.goal && verdict ? said(verdict) : "";
  told.value = why ? { x: pointer.x + 14, y: pointer.y + 18, text: why } : null;
  repaint();
}

/** Says where what is dragged would go now. */
function aim(): void {
  const layout = stage?.layout();
  if (drag?.stays) tell();
  if (!drag?.load || !layout) return;
  const { x, y } = inDrawing(pointer.x, pointer.y);
  const goal = goalAt(layout, drag.load, x, y);
  drag.goal = goal;
  trial.about(goal?.edit ?? null);
  tell();
}

/** Begins something at a point of the canvas; returns whether the hands do it, or the graph pans. */
export function down(event: PointerEvent): boolean {
  const layout = stage?.layout();
  if (!layout || event.button !== 0) return event.button === 2;
  const at = { x: event.offsetX, y: event.offsetY };
  const { x, y } = inDrawing(at.x, at.y);
  const hit = hitAt(layout, x, y, near(layout));
  acts.toRows();
  pointer = at;
  if (!hit && !event.shiftKey) return false;
  if (hit) {
    stage?.hold();
    chooseHit(hit, event);
  }
  const [isPlain, fixed] = [!event.shiftKey && !event.ctrlKey, sheet.whyFixed.value];
  const load = hit && isPlain && !fixed ? loadOf(hit) : null;
  // What cannot be moved pans the graph; a box is a large part of it.
  const stays = hit && !load && isPlain && isHead(hit, y) ? (fixed ?? t("wholeStays")) : null;
  if (hit && !load && !stays && isPlain) return false;
  drag = { load, from: at, begun: { x, y }, cards: cardsOf(layout, load), isBand: !hit, stays, hasMoved: false, hit, goal: null };
  trial.begin();
  return true;
}

/** Whether it is the line with the name of a definition. */
const isHead = (hit: Hit, y: number): boolean => hit.on === "card" && (!hit.card.isBox || y < hit.card.y + HEAD);

/** Chooses what was hit; something of several that are chosen stays so, because they may be dragged together. */
function chooseHit(hit: Hit, event: PointerEvent): void {
  const { id } = nodeOf(hit.nth);
  const isKept = sheet.chosen.value.includes(id) && !event.shiftKey && !event.ctrlKey && !event.metaKey;
  if (!isKept) acts.choose(id, event);
  sheet.scrollTo(id);
}

function cardsOf(layout: Layout, load: Load | null): Card[] {
  if (load?.is !== "nodes") return [];
  const places = load.ids.map((id) => source.placeOf.value.get(id) ?? -1);
  return layout.cards.filter((card) => places.some((place) => card.nth >= place && card.nth <= place + source.below.value[place]));
}

export function move(event: PointerEvent): boolean {
  pointer = { x: event.offsetX, y: event.offsetY };
  if (!drag) {
    const layout = stage?.layout();
    const { x, y } = inDrawing(pointer.x, pointer.y);
    const now = layout ? cardAt(layout, x, y) : undefined;
    if (now !== hovered) {
      hovered = now;
      repaint();
    }
    return false;
  }
  if (!drag.hasMoved && Math.hypot(pointer.x - drag.from.x, pointer.y - drag.from.y) < 4) return true;
  drag.hasMoved = true;
  edgePan();
  aim();
  repaint();
  return true;
}

/** What the handle under the pointer is for; empty if there is none. */
export function titleAt(px: number, py: number): string {
  const layout = stage?.layout();
  if (!layout) return "";
  const { x, y } = inDrawing(px, py);
  const side = handleAt(x, y, near(layout))?.handle.side;
  return side ? t(({ to: "handleTo", yes: "handleYes", no: "handleNo" } as const)[side]) : "";
}

/** Near the border the drawing moves, so that one reaches what is not in view. */
function edgePan(): void {
  if (!over || !stage) return;
  const margin = 28;
  const by = (at: number, size: number): number => (at < margin ? margin - at : at > size - margin ? size - margin - at : 0);
  const [x, y] = [by(pointer.x, over.clientWidth), by(pointer.y, over.clientHeight)];
  if (x !== 0 || y !== 0) stage.pan(x / 3, y / 3);
}

export function up(event: PointerEvent): boolean {
  const done = drag;
  drag = null;
  if (!done) return event.button === 2;
  const refusal = trial.verdict.value;
  told.value = null;
  repaint();
  if (!done.hasMoved) {
    if (done.hit && (done.hit.on === "card" || done.hit.on === "row") && !event.shiftKey && !event.ctrlKey && !event.metaKey)
      acts.choose(nodeOf(done.hit.nth).id, event);
    return true;
  }
  if (done.stays) model.refused.value = done.stays;
  else if (done.isBand) choosesBand(done);
  else if (done.goal && refusal) model.refused.value = refusal;
  else if (done.goal?.drop) done.goal.drop(pointer.x, pointer.y);
  else if (done.goal) {
    const { edit } = done.goal;
    // What was dragged is elsewhere now: what it was dropped on has not moved.
    if (edit.do === "move") stage?.pin(source.idOf(edit.spot.id));
    sheet.edit(edit);
  }
  return true;
}

/** Ends what was begun, and changes nothing. */
export function cancel(): boolean {
  if (!drag) return false;
  drag = null;
  told.value = null;
  repaint();
  return true;
}

/** Chooses all cards that a frame encloses. */
function choosesBand(done: Drag): void {
  const { x, y } = inDrawing(pointer.x, pointer.y);
  const [left, right] = [Math.min(x, done.begun.x), Math.max(x, done.begun.x)];
  const [top, bottom] = [Math.min(y, done.begun.y), Math.max(y, done.begun.y)];
  const inside = (stage?.layout()?.cards ?? []).filter(
    (card) => card.x >= left && card.x + card.w <= right && card.y >= top && card.y + card.h <= bottom && nodeOf(card.nth).depth > 0,
  );
  if (inside.length > 0) sheet.chosen.value = inside.map((card) => nodeOf(card.nth).id);
}

/** A double click opens: a transition its form, a part of a state in place, the use of a tree that tree; else it folds. */
export function open(event: MouseEvent): void {
  const layout = stage?.layout();
  if (!layout) return;
  const { x, y } = inDrawing(event.offsetX, event.offsetY);
  const hit = hitAt(layout, x, y, []);
  if (!hit) return;
  const line = hit.nth;
  const of = nodeOf(line);
  if (of.role === "transition" && sheet.whyFixed.value) model.refused.value = sheet.whyFixed.value;
  else if (of.role === "transition") editTransition(of, event.offsetX, event.offsetY);
  else if (hit.on === "row") openPart(line);
  else if (of.word === "subtree") toTree(of.values[0]);
  else if (isPartRoot(line)) source.open(nodeOf(source.parents.value[line]).id, false);
  else if (source.below.value[line] > 0) acts.fold(of, !sheet.folded.value.has(of.id));
}

const isPart = (line: number): boolean => line >= 0 && ["do", "entry", "exit"].includes(nodeOf(line).word);
const isPartRoot = (line: number): boolean => {
  const around = source.parents.value[line];
  return isPart(around) && source.opened.value.has(nodeOf(around).id);
};

/** Opens the part of a state in which a row is. */
function openPart(line: number): void {
  for (let at = line; at >= 0; at = source.parents.value[at])
    if (isPart(at)) {
      source.open(nodeOf(at).id, true);
      return;
    }
}

/** Chooses the tree with a name, which the drawing then shows. */
function toTree(name: string | undefined): void {
  const tree = source.nodes.value.find((one) => one.depth === 0 && one.word === "tree" && one.values[0] === name);
  if (tree) acts.choose(tree.id, { shiftKey: false, ctrlKey: false, metaKey: false });
}

/** The list of what can be done to what is under the pointer. */
export function context(event: MouseEvent): void {
  event.preventDefault();
  const layout = stage?.layout();
  if (!layout) return;
  const { x, y } = inDrawing(event.offsetX, event.offsetY);
  const hit = hitAt(layout, x, y, []);
  if (!hit) return;
  chooseHit(hit, event as PointerEvent);
  openMenu(event.clientX, event.clientY);
}

/** The cards whose handles are shown: the one under the pointer, and the one that was chosen last. */
function near(layout: Layout): Card[] {
  if (sheet.whyFixed.value) return [];
  const last = sheet.chosen.value.at(-1);
  const place = last === undefined ? -1 : (source.placeOf.value.get(last) ?? -1);
  return layout.cards.filter((card) => card === hovered || card.nth === place);
}

const repaint = (): void => inFrame(paint, paint);

/** Puts what follows the pointer on a canvas above the graph, so that the graph is not drawn again for it. */
export function mount(element: HTMLCanvasElement, on: Stage): () => void {
  [over, stage] = [element, on];
  return () => {
    [over, stage, drag, hovered] = [null, null, null, undefined];
    told.value = null;
  };
}

/** Whether something is being dragged. */
export const isDragging = (): boolean => drag?.hasMoved ?? false;

/** The graph was drawn again: its handles may be elsewhere. */
export const follow = (): void => repaint();

let wasEmpty = true;

function paint(): void {
  const context = over?.getContext("2d");
  const layout = stage?.layout();
  if (!over || !context || !stage || !layout) return;
  const isActive = document.querySelector("main.edits") !== null;
  const cards = isActive ? near(layout) : [];
  const isEmpty = !drag?.hasMoved && cards.length === 0;
  if (isEmpty && wasEmpty) return;
  wasEmpty = isEmpty;
  clear(over, context, over.clientWidth, over.clientHeight);
  if (!isActive) return;
  const { x, y, zoom } = stage.camera();
  context.translate(x, y);
  context.scale(zoom, zoom);
  const colour = colours();
  if (drag?.hasMoved) paintDrag(context, drag, colour);
  else for (const card of cards) paintHandles(context, card, colour);
}

function paintHandles(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  for (const handle of handlesOf(card)) {
    context.beginPath();
    context.arc(handle.x, handle.y, 6, 0, 2 * Math.PI);
    context.fillStyle = colour("bg");
    context.fill();
    context.strokeStyle = colour("accent");
    context.lineWidth = 2;
    context.stroke();
    if (handle.side !== "to") paintAnswer(context, card, handle, handle.side, colour);
  }
}

/** Which answer a handle is: beside it, where its line is not. */
function paintAnswer(
  context: CanvasRenderingContext2D,
  card: Card,
  { x, y }: { x: number; y: number },
  side: "yes" | "no",
  colour: Colours,
): void {
  const isAtFoot = y >= card.y + card.h;
  context.font = `600 11px ${UI}`;
  context.fillStyle = colour("accent");
  context.textBaseline = "middle";
  context.textAlign = isAtFoot ? "right" : "left";
  context.fillText(t(side), isAtFoot ? x - 9 : x + 5, isAtFoot ? y + 9 : y - 13);
  context.textAlign = "left";
}

function paintDrag(context: CanvasRenderingContext2D, of: Drag, colour: Colours): void {
  const { x, y } = inDrawing(pointer.x, pointer.y);
  if (of.isBand) {
    context.strokeStyle = colour("accent");
    context.setLineDash([4, 4]);
    context.strokeRect(of.begun.x, of.begun.y, x - of.begun.x, y - of.begun.y);
    return;
  }
  const isRefused = trial.verdict.value != null;
  const tone = colour(isRefused ? "fail" : "accent");
  if (of.goal) paintGoal(context, of.goal, tone, isRefused);
  if (of.load && of.load.is !== "nodes") {
    context.strokeStyle = tone;
    context.lineWidth = 2.4;
    context.beginPath();
    context.moveTo(of.begun.x, of.begun.y);
    context.lineTo(x, y);
    context.stroke();
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fillStyle = tone;
    context.fill();
    return;
  }
  context.globalAlpha = 0.75;
  for (const card of of.cards.slice(0, 40)) {
    const [left, top] = [card.x + x - of.begun.x, card.y + y - of.begun.y];
    context.fillStyle = colour("surface");
    context.strokeStyle = tone;
    context.lineWidth = 1.5;
    context.beginPath();
    context.roundRect(left, top, card.w, card.h, 7);
    context.fill();
    context.stroke();
    context.fillStyle = colour("text");
    context.font = `500 13px ${UI}`;
    context.textBaseline = "middle";
    context.fillText(card.title, left + 13, top + 17, card.w - 20);
  }
  context.globalAlpha = 1;
}

function paintGoal(context: CanvasRenderingContext2D, { shape }: Goal, tone: string, isRefused: boolean): void {
  context.strokeStyle = tone;
  context.lineWidth = 4;
  context.lineCap = "round";
  context.setLineDash(isRefused ? [6, 8] : []);
  context.beginPath();
  if (shape.is === "line") {
    context.moveTo(shape.x1, shape.y1);
    context.lineTo(shape.x2, shape.y2);
  } else context.roundRect(shape.x - 4, shape.y - 4, shape.w + 8, shape.h + 8, 10);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "butt";
}

/** What is dragged, and whether it may be dropped, for tests. */
export const state = () => {
  const verdict = trial.verdict.value;
  return { isDragging: isDragging(), goal: drag?.goal?.edit ?? null, verdict: verdict && said(verdict) };
};
