// The timeline of the chosen agent on a canvas: what it did, its states, what happened, and the values of its keys.

import { drawShares } from "../crowd/shares";
import { type Colours, clear, colours, UI } from "../parts/canvas";
import { fitting, short } from "../parts/short";
import type { Bar, Film } from "../wire/model";
import { type Lane, readout, type Span } from "./lanes";

export const LABELS = 112;
const RIGHT = 28;
export const RULER = 20;

export interface Timeline {
  tick: number;
  film: Film;
  lanes: Lane[];
  span: Span;
  perSec: number;
  /** How far the lanes are scrolled, in pixels. */
  top: number;
  /** Where the pointer is. */
  pointer: { x: number; y: number } | null;
  /** Whether a stretch is being marked: then it is seen as it is, without what was so under the pointer. */
  isMarking: boolean;
  /** What is marked. */
  stretch: Span | null;
  /** Where the earlier run begins to differ. */
  differs: number | null;
}

export function tickAt(canvas: HTMLCanvasElement, span: Span, x: number): number {
  return Math.round(placeAt(canvas, span, x));
}

/** The same between two ticks. */
export function placeAt(canvas: HTMLCanvasElement, span: Span, x: number): number {
  const share = (x - LABELS) / (canvas.clientWidth - LABELS - RIGHT);
  return span.from + Math.min(1, Math.max(0, share)) * (span.to - span.from);
}

/** The lane at a height of the canvas. */
export function laneAt(lanes: Lane[], top: number, y: number): Lane | undefined {
  const at = y - RULER + top;
  return y < RULER ? undefined : lanes.find((lane) => at >= lane.y && at < lane.y + lane.h);
}

/** How far lanes can be scrolled. */
export function mostScrolled(canvas: HTMLCanvasElement, lanes: Lane[]): number {
  const last = lanes.at(-1);
  return last ? Math.max(0, last.y + last.h + 6 - (canvas.clientHeight - RULER)) : 0;
}

/** The place of a text among six related colours. */
function shade(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return 1 + (sum % 6);
}

type At = (tick: number) => number;

export function drawTimeline(canvas: HTMLCanvasElement, of: Timeline): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  clear(canvas, context, wide, high);
  const { span, tick } = of;
  const at: At = (when) => LABELS + ((when - span.from) / (span.to - span.from)) * (wide - LABELS - RIGHT);
  context.textBaseline = "middle";
  ruler(context, of, at, high, colour);
  if (of.stretch) marked(context, of.stretch, at, high, colour);
  const clip = (left: number, work: () => void): void => {
    context.save();
    context.beginPath();
    context.rect(left, RULER, wide - left, high - RULER);
    context.clip();
    work();
    context.restore();
  };
  for (const lane of of.lanes) {
    const y = RULER + lane.y - of.top;
    if (y + lane.h < RULER || y > high) continue;
    clip(0, () => label(context, lane, y, colour));
    clip(LABELS, () => {
      if (lane.kind === "events") events(context, of.film, tick, y + lane.h / 2, at, colour);
      else if (lane.kind === "shares" && of.film.shares) drawShares(context, of.film.shares, { ...span, tick }, [y, lane.h], at);
      else if (lane.kind === "numbers") steps(context, lane, tick, y, at, colour);
      else for (const bar of lane.bars) if (bar[1] >= span.from && bar[0] <= span.to) paintBar(context, bar, tick, y, lane.h, at, colour);
    });
  }
  if (of.differs !== null) differs(context, of.differs, at, high, colour);
  cursor(context, tick, at, high, colour);
  if (of.pointer && of.pointer.x >= LABELS) {
    const when = Math.round(placeAt(canvas, span, of.pointer.x));
    pointed(context, of, when, at, wide, high, colour);
  }
  const most = mostScrolled(canvas, of.lanes);
  if (most > 0) {
    const room = high - RULER;
    context.fillStyle = colour("line-strong");
    context.fillRect(wide - 5, RULER + (of.top / (room + most)) * room, 3, (room / (room + most)) * room);
  }
}

/** The stretch that is marked. */
function marked(context: CanvasRenderingContext2D, { from, to }: Span, at: At, high: number, colour: Colours): void {
  const [left, right] = [Math.max(LABELS, at(from - 1)), Math.max(LABELS, at(to))];
  context.fillStyle = colour("accent-tint");
  context.fillRect(left, 0, Math.max(2, right - left), high);
  context.fillStyle = colour("accent");
  context.fillRect(left, 0, 2, high);
  context.fillRect(right - 2, 0, 2, high);
}

/** Where two runs begin to differ. */
function differs(context: CanvasRenderingContext2D, tick: number, at: At, high: number, colour: Colours): void {
  const x = Math.round(at(tick)) + 0.5;
  if (x < LABELS) return;
  context.strokeStyle = colour("cut");
  context.lineWidth = 1.5;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(x, RULER);
  context.lineTo(x, high);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colour("cut");
  context.font = `700 13px ${UI}`;
  context.textAlign = "center";
  context.fillText("≠", x, RULER / 2 + 1);
  context.textAlign = "left";
}

/** What was so at the tick under the pointer, in each lane. */
function pointed(context: CanvasRenderingContext2D, of: Timeline, when: number, at: At, wide: number, high: number, colour: Colours): void {
  const x = Math.max(LABELS, Math.min(at(when), wide - RIGHT));
  context.strokeStyle = colour("muted");
  context.setLineDash([3, 3]);
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, RULER);
  context.lineTo(Math.round(x) + 0.5, high);
  context.stroke();
  context.setLineDash([]);
  const secs = (ticks: number): string => `${(ticks / of.perSec).toFixed(2)} s`;
  const near = (5 * (of.span.to - of.span.from)) / Math.max(1, wide - LABELS - RIGHT);
  context.font = `500 11.5px ${UI}`;
  const pill = (text: string, y: number): void => {
    const shown = fitting(text, wide * 0.4, (part) => context.measureText(part).width);
    const w = context.measureText(shown).width + 14;
    const left = x + 8 + w > wide - 8 ? x - 8 - w : x + 8;
    context.fillStyle = colour("raised");
    context.strokeStyle = colour("line-strong");
    context.beginPath();
    context.roundRect(left, y - 9, w, 18, 4);
    context.fill();
    context.stroke();
    context.fillStyle = colour("text");
    context.fillText(shown, left + 7, y + 0.5);
  };
  pill(`${when} · ${secs(when)}`, RULER / 2);
  for (const lane of of.isMarking ? [] : of.lanes) {
    const y = RULER + lane.y - of.top + lane.h / 2;
    const text = y > RULER + 8 && y < high ? readout(lane, of.film, when, near, secs) : "";
    if (text) pill(text, y);
  }
}

function label(context: CanvasRenderingContext2D, lane: Lane, y: number, colour: Colours): void {
  context.font = `400 12px ${UI}`;
  context.fillStyle = colour(lane.isPinned ? "text" : "muted");
  context.fillText(
    fitting(lane.name, LABELS - 24, (text) => context.measureText(text).width),
    18,
    y + lane.h / 2,
  );
  if (!lane.isPinned) return;
  context.fillStyle = colour("accent");
  context.beginPath();
  context.arc(9, y + lane.h / 2, 3, 0, 7);
  context.fill();
}

/** How far the label of the ruler stays away from the tick that is shown, in pixels. */
const BESIDE_TICK = 36;
/** The same of the sign where two runs begin to differ. */
const BESIDE_SIGN = 26;

function ruler(context: CanvasRenderingContext2D, { span, perSec, tick, differs }: Timeline, at: At, high: number, colour: Colours): void {
  const length = (span.to - span.from) / perSec;
  const step = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600].find((one) => length / one <= 14) ?? 7200;
  context.font = `400 11px ${UI}`;
  context.lineWidth = 1;
  for (let nth = Math.ceil(span.from / perSec / step - 1e-9); nth * step * perSec <= span.to; nth++) {
    const x = Math.round(at(nth * step * perSec)) + 0.5;
    context.strokeStyle = colour("line");
    context.beginPath();
    context.moveTo(x, RULER);
    context.lineTo(x, high);
    context.stroke();
    if (Math.abs(x - at(tick)) < BESIDE_TICK || (differs !== null && Math.abs(x - at(differs)) < BESIDE_SIGN)) continue;
    context.fillStyle = colour("faint");
    context.textAlign = nth === 0 ? "left" : "center";
    context.fillText(`${Number((nth * step).toFixed(2))} s`, x, RULER / 2);
  }
  context.textAlign = "left";
}

/** What is still to come is pale; what goes on now is filled; what was cut off is torn at its end. */
function paintBar(
  context: CanvasRenderingContext2D,
  [from, to, text, isCut]: Bar,
  tick: number,
  y: number,
  high: number,
  at: At,
  colour: Colours,
): void {
  if (text === "") return;
  const [x1, x2] = [at(from - 1), Math.max(at(from - 1) + 1, at(to) - 1)];
  const isNow = from <= tick && tick <= to;
  const isTorn = !!isCut && x2 - x1 > 8;
  context.globalAlpha = from > tick ? 0.45 : 1;
  context.fillStyle = colour(isNow ? "run-fill" : `lane-${shade(text)}`);
  context.beginPath();
  if (isTorn) {
    context.moveTo(x1 + 3, y);
    context.lineTo(x2, y);
    torn(context, x2, y, high);
    context.lineTo(x1 + 3, y + high);
    context.arcTo(x1, y + high, x1, y + high - 3, 3);
    context.lineTo(x1, y + 3);
    context.arcTo(x1, y, x1 + 3, y, 3);
    context.closePath();
  } else {
    context.roundRect(x1, y, x2 - x1, high, 3);
  }
  context.fill();
  if (isNow && at(to) > at(tick) + 2) {
    context.save();
    context.clip();
    context.globalAlpha = 0.5;
    context.fillStyle = colour("surface");
    context.fillRect(at(tick), y, x2 - at(tick), high);
    context.restore();
  }
  if (isCut) {
    context.strokeStyle = colour("cut");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x2, y);
    if (isTorn) torn(context, x2, y, high);
    else context.lineTo(x2, y + high);
    context.stroke();
  }
  context.font = `500 12px ${UI}`;
  const begin = Math.max(x1, LABELS);
  const shown = short(text);
  const w = context.measureText(shown).width;
  if (w + 14 < x2 - begin) {
    const write = (ink: string, from: number, to: number): void => {
      context.save();
      context.beginPath();
      context.rect(from, y, to - from, high);
      context.clip();
      context.fillStyle = colour(ink);
      context.fillText(shown, begin + 7, y + high / 2 + 0.5);
      context.restore();
    };
    // What is filled has an ink of its own, and ends at the tick that is shown.
    const end = isNow ? Math.min(x2, Math.max(begin, at(tick))) : begin;
    if (end > begin + 7) write("run-ink", begin, end);
    if (end < begin + 7 + w) write("text", end, x2);
  }
  context.globalAlpha = 1;
}

/** A ragged line down. */
function torn(context: CanvasRenderingContext2D, x: number, y: number, high: number): void {
  for (let nth = 1; nth <= 6; nth++) context.lineTo(x - (nth % 2 ? 4 : 0), y + (high * nth) / 6);
}

function events(context: CanvasRenderingContext2D, film: Film, tick: number, y: number, at: At, colour: Colours): void {
  const signs: Record<string, string> = { notice: "◆", fight: "✕", fault: "!" };
  const tones: Record<string, string> = { notice: "accent", fight: "fail", fault: "fail" };
  context.font = `600 11px ${UI}`;
  context.textAlign = "center";
  let last = -Infinity;
  for (const [when, tone] of film.events) {
    const x = at(when);
    if (!signs[tone] || x - last < 9) continue;
    last = x;
    context.globalAlpha = when > tick ? 0.45 : 1;
    context.fillStyle = colour(tones[tone]);
    context.fillText(signs[tone], x, y);
  }
  context.globalAlpha = 1;
  context.textAlign = "left";
}

/** The values of a key as a line with steps. What is no number is a gap. */
function steps(context: CanvasRenderingContext2D, lane: Lane, tick: number, y: number, at: At, colour: Colours): void {
  const numbers = lane.bars.map(([, , text]) => (text === "" ? Number.NaN : Number(text)));
  const known = numbers.filter(Number.isFinite);
  if (known.length === 0) return;
  let [low, high] = [Infinity, -Infinity];
  for (const one of [...lane.thresholds, ...known]) [low, high] = [Math.min(low, one), Math.max(high, one)];
  const level = (value: number): number => y + lane.h - 4 - ((value - low) / Math.max(1e-9, high - low)) * (lane.h - 8);
  // What expressions compare it with.
  context.strokeStyle = colour("fail");
  context.fillStyle = colour("fail");
  context.lineWidth = 1;
  context.font = `400 10px ${UI}`;
  context.setLineDash([4, 3]);
  let [drawn, named] = [Infinity, Infinity];
  for (const threshold of [...lane.thresholds].sort((left, right) => left - right)) {
    const height = Math.round(level(threshold)) + 0.5;
    // Of hundreds, a few are drawn: they would hide the key.
    if (drawn - height < 6) continue;
    drawn = height;
    context.beginPath();
    context.moveTo(LABELS, height);
    context.lineTo(context.canvas.clientWidth - RIGHT, height);
    context.stroke();
    // Numbers that lie on one another are not read.
    if (named - height < 10) continue;
    context.fillText(String(Number(threshold.toPrecision(6))), context.canvas.clientWidth - RIGHT + 3, height, RIGHT - 4);
    named = height;
  }
  context.setLineDash([]);
  context.strokeStyle = colour("accent");
  context.lineWidth = 1.5;
  for (const isFuture of [false, true]) {
    context.globalAlpha = isFuture ? 0.4 : 1;
    context.beginPath();
    lane.bars.forEach(([from, to], nth) => {
      if (from > tick !== isFuture || !Number.isFinite(numbers[nth])) return;
      const height = level(numbers[nth]);
      const joins = nth > 0 && Number.isFinite(numbers[nth - 1]) && lane.bars[nth - 1][1] + 1 === from;
      context.moveTo(at(from - 1), joins ? level(numbers[nth - 1]) : height);
      context.lineTo(at(from - 1), height);
      context.lineTo(at(to), height);
    });
    context.stroke();
  }
  context.globalAlpha = 1;
}

function cursor(context: CanvasRenderingContext2D, tick: number, at: At, high: number, colour: Colours): void {
  const x = at(tick);
  if (x < LABELS - 1) return;
  context.strokeStyle = colour("text");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, RULER);
  context.lineTo(x, high);
  context.stroke();
  context.font = `600 11px ${UI}`;
  const w = context.measureText(String(tick)).width + 14;
  const left = Math.max(LABELS, x - w / 2);
  context.fillStyle = colour("text");
  context.beginPath();
  context.roundRect(left, 2, w, RULER - 3, 4);
  context.fill();
  context.fillStyle = colour("bg");
  context.fillText(String(tick), left + 7, RULER / 2 + 1);
}
