// The timeline of the chosen agent on a canvas: what it did, its states, its numbers, what happened.

import { clear, colours } from "./canvas";
import type { Bar, Film, View } from "./model";
import { t } from "./texts";

const LABELS = 112;
const RIGHT = 28;
const RULER = 20;
const BAR = 24;
const EVENTS = 22;
const SERIES = 34;
const MOST_SERIES = 3;

interface Span {
  from: number;
  to: number;
}

/** The ticks that are in view: all of them, or the last `window`. */
export function spanOf(view: View, window: number): Span {
  const last = Math.max(view.end ?? 0, view.last, 60);
  if (window <= 0) return { from: 0, to: last };
  const middle = Math.min(Math.max(view.tick, window * 0.7), Math.max(last, window) - window * 0.3);
  return { from: Math.max(0, middle - window * 0.7), to: Math.max(window, middle + window * 0.3) };
}

export function tickAt(canvas: HTMLCanvasElement, span: Span, x: number): number {
  const share = (x - LABELS) / (canvas.clientWidth - LABELS - RIGHT);
  return Math.round(span.from + Math.min(1, Math.max(0, share)) * (span.to - span.from));
}

/** The place of a text among six related colours. */
function lane(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return 1 + (sum % 6);
}

const isNumber = (bars: Bar[]): boolean => bars.length > 1 && bars.every(([, , text]) => text !== "" && Number.isFinite(Number(text)));

/** How high all lanes are, in pixels. */
export function heightOf(film: Film): number {
  const bars = film.states.some(([, , text]) => text !== "") ? 2 : 1;
  const series = Math.min(MOST_SERIES, film.keys.filter(isNumber).length);
  return RULER + 12 + bars * (BAR + 5) + EVENTS + 4 + series * (SERIES + 6);
}

export function drawTimeline(canvas: HTMLCanvasElement, view: View, film: Film, keys: string[], span: Span, perSec: number): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  clear(canvas, context, wide, high);
  const at = (tick: number): number => LABELS + ((tick - span.from) / (span.to - span.from)) * (wide - LABELS - RIGHT);
  context.textBaseline = "middle";
  ruler(context, span, perSec, at, high, colour);
  const name = (text: string, y: number): void => {
    context.font = "400 12px Inter, sans-serif";
    context.fillStyle = colour("muted");
    context.fillText(text.length > 15 ? `${text.slice(0, 14)}…` : text, 16, y);
  };
  let y = RULER + 6;
  const clip = (work: () => void): void => {
    context.save();
    context.beginPath();
    context.rect(LABELS, 0, wide - LABELS, high);
    context.clip();
    work();
    context.restore();
  };
  const row = (label: string, bars: Bar[]): void => {
    name(label, y + BAR / 2);
    clip(() => {
      for (const bar of bars) paintBar(context, bar, view.tick, y, at, colour);
    });
    y += BAR + 5;
  };
  row(t("does"), film.does);
  if (film.states.some(([, , text]) => text !== "")) row(t("states"), film.states);
  name(t("events"), y + EVENTS / 2);
  clip(() => events(context, film, view.tick, y + EVENTS / 2, at, colour));
  y += EVENTS + 4;
  const series = film.keys.map((bars, nth) => ({ bars, name: keys[nth] ?? "" })).filter((one) => isNumber(one.bars));
  for (const one of series.slice(0, MOST_SERIES)) {
    if (y + SERIES > high) break;
    name(one.name, y + SERIES / 2);
    clip(() => steps(context, one.bars, view.tick, y, at, colour));
    y += SERIES + 6;
  }
  cursor(context, view.tick, at, high, colour);
}

function ruler(
  context: CanvasRenderingContext2D,
  span: Span,
  perSec: number,
  at: (tick: number) => number,
  high: number,
  colour: (name: string) => string,
): void {
  const length = (span.to - span.from) / perSec;
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600].find((one) => length / one <= 14) ?? 7200;
  context.font = "400 11px Inter, sans-serif";
  context.lineWidth = 1;
  for (let second = Math.ceil(span.from / perSec / step) * step; second * perSec <= span.to; second += step) {
    const x = Math.round(at(second * perSec)) + 0.5;
    context.strokeStyle = colour("line");
    context.beginPath();
    context.moveTo(x, RULER);
    context.lineTo(x, high);
    context.stroke();
    context.fillStyle = colour("faint");
    context.textAlign = second === 0 ? "left" : "center";
    context.fillText(`${Number(second.toFixed(1))} s`, x, RULER / 2);
  }
  context.textAlign = "left";
}

/** What is still to come is pale; what goes on now is filled. */
function paintBar(
  context: CanvasRenderingContext2D,
  [from, to, text]: Bar,
  tick: number,
  y: number,
  at: (tick: number) => number,
  colour: (name: string) => string,
): void {
  if (text === "") return;
  const [x1, x2] = [at(from - 1), Math.max(at(from - 1) + 1, at(to) - 1)];
  const isNow = from <= tick && tick <= to;
  context.globalAlpha = from > tick ? 0.45 : 1;
  context.fillStyle = colour(isNow ? "run-fill" : `lane-${lane(text)}`);
  context.beginPath();
  context.roundRect(x1, y, x2 - x1, BAR, 3);
  context.fill();
  if (isNow && at(to) > at(tick) + 2) {
    context.globalAlpha = 0.5;
    context.fillStyle = colour("surface");
    context.fillRect(at(tick), y, x2 - at(tick), BAR);
    context.globalAlpha = 1;
  }
  context.font = "500 12px Inter, sans-serif";
  if (context.measureText(text).width + 14 < x2 - x1) {
    context.fillStyle = colour(isNow ? (at(tick) - x1 > context.measureText(text).width + 12 ? "run-ink" : "text") : "text");
    context.fillText(text, Math.max(x1, LABELS) + 7, y + BAR / 2 + 0.5);
  }
  context.globalAlpha = 1;
}

function events(
  context: CanvasRenderingContext2D,
  film: Film,
  tick: number,
  y: number,
  at: (tick: number) => number,
  colour: (name: string) => string,
): void {
  const signs: Record<string, string> = { notice: "◆", fight: "✕", fault: "!" };
  const colours: Record<string, string> = { notice: "accent", fight: "fail", fault: "fail" };
  context.font = "600 11px Inter, sans-serif";
  context.textAlign = "center";
  let last = -Infinity;
  for (const [when, tone] of film.events) {
    const x = at(when);
    if (!signs[tone] || x - last < 9) continue;
    last = x;
    context.globalAlpha = when > tick ? 0.45 : 1;
    context.fillStyle = colour(colours[tone]);
    context.fillText(signs[tone], x, y);
  }
  context.globalAlpha = 1;
  context.textAlign = "left";
}

function steps(
  context: CanvasRenderingContext2D,
  bars: Bar[],
  tick: number,
  y: number,
  at: (tick: number) => number,
  colour: (name: string) => string,
): void {
  const numbers = bars.map(([, , text]) => Number(text));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const level = (value: number): number => y + SERIES - 4 - ((value - low) / Math.max(1e-9, high - low)) * (SERIES - 8);
  context.strokeStyle = colour("accent");
  context.lineWidth = 1.5;
  for (const isFuture of [false, true]) {
    context.globalAlpha = isFuture ? 0.4 : 1;
    context.beginPath();
    bars.forEach(([from, to], nth) => {
      if (from > tick !== isFuture) return;
      const height = level(numbers[nth]);
      if (nth > 0) context.moveTo(at(from - 1), level(numbers[nth - 1]));
      else context.moveTo(at(from - 1), height);
      context.lineTo(at(from - 1), height);
      context.lineTo(at(to), height);
    });
    context.stroke();
  }
  context.globalAlpha = 1;
}

function cursor(
  context: CanvasRenderingContext2D,
  tick: number,
  at: (tick: number) => number,
  high: number,
  colour: (name: string) => string,
): void {
  const x = at(tick);
  context.strokeStyle = colour("text");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, RULER);
  context.lineTo(x, high);
  context.stroke();
  context.font = "600 11px Inter, sans-serif";
  const w = context.measureText(String(tick)).width + 14;
  const left = Math.max(LABELS, x - w / 2);
  context.fillStyle = colour("text");
  context.beginPath();
  context.roundRect(left, 2, w, RULER - 3, 4);
  context.fill();
  context.fillStyle = colour("bg");
  context.fillText(String(tick), left + 7, RULER / 2 + 1);
}
