// The graph as a picture: cards, the edges of trees, the ways of transitions.

import { isCrowd } from "../crowd/crowd";
import { toneOfPage } from "../edit/others";
import { CODE, type Colours, UI } from "../parts/canvas";
import { glyphs, isQuestion, sign, toneOf } from "../parts/marks";
import { fitting } from "../parts/short";
import { paintReach } from "../testing/reached";
import { covered } from "../testing/tests";
import { t } from "../texts";
import * as model from "../wire/model";
import { type Edge, edgesOf } from "./edges";
import type { Arrow, Card, Layout } from "./layout";
import { RETURN } from "./machine";
import * as shown from "./shown";
import { paintSmall, SMALLEST_TEXT } from "./small";
import { taken } from "./taken";

/** Below this zoom, ways have no labels. */
export const SMALLEST_LABEL = 0.66;

/** Whether any of a rectangle is in view. */
export type Seen = (x1: number, y1: number, x2: number, y2: number) => boolean;

/** Draws everything in view; returns how many cards that is. */
export function paintAll(context: CanvasRenderingContext2D, of: Layout, isSeen: Seen, colour: Colours): number {
  const seen = of.cards.filter((card) => isSeen(card.x, card.y, card.x + card.w, card.y + card.h));
  if (context.getTransform().a < SMALLEST_TEXT * devicePixelRatio) {
    paintSmall(context, of, [seen, isSeen], colour);
    if (covered.value) for (const card of seen) paintReach(context, card, colour);
    arrows(context, of, colour);
    return seen.length;
  }
  // What a tree stands in is below its edges.
  for (const card of seen) if (card.isBox) painted(context, card, colour);
  edges(context, of, isSeen, colour);
  for (const card of seen) if (!card.isBox) painted(context, card, colour);
  if (covered.value) for (const card of seen) paintReach(context, card, colour);
  arrows(context, of, colour);
  return seen.length;
}

/** A line is bright when the child has been reached in this tick. */
function edges(context: CanvasRenderingContext2D, of: Layout, isSeen: Seen, colour: Colours): void {
  const all = edgesOf(of, shown.lines.value, shown.parents.value, shown.isOut);
  // The way taken is drawn last, so that it lies above the others; from a question to what stands after it still later.
  const ways = new Set(all.filter(taken(of)));
  const rank = (one: Edge): number => (one.isJump ? 0 : one.by ? 3 : 1) + (ways.has(one) ? 2 : 0);
  for (const one of [...all].sort((left, right) => rank(left) - rank(right))) {
    const [xs, ys] = [one.points.map(([x]) => x), one.points.map(([, y]) => y)];
    if (!isSeen(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))) continue;
    const isOn = ways.has(one);
    if (one.isJump) dashedArrow(context, one.points, colour(isOn ? "run" : "line-strong"), isOn ? 3 : 1.5);
    else if (one.by) chain(context, one, isOn, colour);
    else hang(context, one, [one.to.isDown ?? of.isDown, isOn], colour);
  }
}

/** From a card to one that hangs on it. */
function hang(
  context: CanvasRenderingContext2D,
  { to: card, points, label, text }: Edge,
  [isDown, isOn]: [boolean, boolean],
  colour: Colours,
): void {
  const mark = shown.strongest(card.nth);
  const isReached = mark !== "" && !mark.startsWith("was");
  context.strokeStyle = colour(isOn ? "run" : mark === "cut" ? "cut" : isReached ? "muted" : "line-strong");
  context.lineWidth = isOn ? 3 : 1.5;
  const share = isCrowd() ? (shown.heat(card.nth)?.share ?? 0) : 0;
  if (share > 0) {
    // As wide as the share of the crowd that is there.
    context.strokeStyle = colour(isOn ? "run" : "heat-4");
    context.lineWidth = Math.max(isOn ? 3 : 1.5, 14 * share);
    context.globalAlpha = 0.8;
  } else context.globalAlpha = isReached ? 1 : 0.55;
  context.setLineDash(mark === "cut" && share === 0 ? [5, 4] : []);
  rounded(context, points);
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (!text || (isDown && !card.edge)) return;
  context.font = `400 11.5px ${CODE}`;
  const w = context.measureText(text).width + 14;
  context.fillStyle = colour("bg");
  context.fillRect(label[0] - w / 2, label[1] - 9, w, 18);
  context.fillStyle = colour(isOn ? "run" : "muted");
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, label[0], label[1]);
  context.textAlign = "left";
}

/** From a question to what stands after it. */
function chain(context: CanvasRenderingContext2D, { by, points, label }: Edge, isOn: boolean, colour: Colours): void {
  context.strokeStyle = colour(isOn ? "run" : "line-strong");
  context.lineWidth = isOn ? 3 : 1.5;
  rounded(context, points);
  context.font = `400 11.5px ${CODE}`;
  context.fillStyle = colour(isOn ? "run" : "muted");
  context.textBaseline = "middle";
  context.fillText(t(by as "yes"), ...label);
}

/** A way that is not the usual one: dashed, with a head. */
export function dashedArrow(context: CanvasRenderingContext2D, points: [number, number][], tone: string, wide: number): void {
  context.strokeStyle = tone;
  context.lineWidth = wide;
  context.setLineDash([5, 4]);
  rounded(context, points);
  context.setLineDash([]);
  headOf(context, points, tone);
}

/** The head at the end of a line. */
export function headOf(context: CanvasRenderingContext2D, points: [number, number][], tone: string): void {
  const [end, before] = [points[points.length - 1], points[points.length - 2]];
  arrowHead(context, end, [Math.sign(before[0] - end[0]), Math.sign(before[1] - end[1])], tone);
}

/** The head of a line that comes from a direction. */
function arrowHead(context: CanvasRenderingContext2D, end: [number, number], [dx, dy]: [number, number], tone: string): void {
  context.fillStyle = tone;
  context.beginPath();
  context.moveTo(...end);
  context.lineTo(end[0] + dx * 9 - dy * 4.5, end[1] + dy * 9 - dx * 4.5);
  context.lineTo(end[0] + dx * 9 + dy * 4.5, end[1] + dy * 9 + dx * 4.5);
  context.fill();
}

/** A line with round corners. */
export function rounded(context: CanvasRenderingContext2D, points: [number, number][]): void {
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
export function shape(context: CanvasRenderingContext2D, card: Card, isTorn: boolean): void {
  const { x, y, w, h } = card;
  context.beginPath();
  if (card.kind === "test") {
    context.moveTo(x + 10, y);
    for (const [px, py] of [
      [x + w - 10, y],
      [x + w, y + h / 2],
      [x + w - 10, y + h],
      [x + 10, y + h],
      [x, y + h / 2],
    ])
      context.lineTo(px, py);
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
  const here = shown.heat(card.nth);
  if (!here) return;
  context.fillStyle = colour("run");
  context.fillRect(card.x + 4, card.y + card.h - 4, (card.w - 8) * here.share, 3);
  context.font = `600 10.5px ${UI}`;
  context.textAlign = "right";
  context.fillText(String(here.count), card.x + card.w - 6, card.y - 7);
  context.textAlign = "left";
}

/** The values of the keys in the expressions of a line, such as ` · 14`. */
function valuesOf(nth: number): string {
  const values = model.keysOf(shown.lines.value[nth]).map((key) => model.view.value?.keys?.[key]?.value || "–");
  return values.length === 0 ? "" : ` · ${values.join(", ")}`;
}

/** A card; one that is switched off is pale and struck through. */
function painted(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  if (!shown.isOut(card.nth)) {
    paint(context, card, colour);
    return;
  }
  context.filter = "opacity(0.45)";
  paint(context, card, colour);
  context.filter = "none";
  context.strokeStyle = colour("muted");
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(card.x + 10, card.y + 17);
  context.lineTo(card.x + card.w - 10, card.y + 17);
  context.stroke();
}

function paint(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const line = shown.lines.value[card.nth];
  const mark = shown.strongest(card.nth);
  const tone = toneOf(mark);
  const isOn = tone === "run";
  // Where what runs is a row of the card, only that row is filled.
  const isFilled = isOn && !card.isBox && card.nth === shown.running.value;
  const isAsleep = mark === "" || mark.startsWith("was");
  const isCut = mark === "cut" || mark === "left";
  if (card.hidden > 0) {
    context.strokeStyle = colour("line-strong");
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(card.x + 4, card.y + 4, card.w, card.h, 7);
    context.stroke();
  }
  if (shown.isSelected(line.id)) {
    context.strokeStyle = colour("accent");
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(card.x - 4, card.y - 4, card.w + 8, card.h + 8, 11);
    context.stroke();
  }
  othersFrame(context, card.nth, [card.x - 7, card.y - 7, card.w + 14, card.h + 14], colour);
  dot(context, card.nth, card.x, card.y, colour);
  shape(context, card, mark === "cut" && !card.isBox);
  const warm = isFilled || card.isBox ? 0 : shown.warmth(card.nth);
  context.fillStyle = colour(
    warm > 0
      ? `heat-${warm}`
      : isFilled
        ? "run-fill"
        : card.isBox
          ? isOn
            ? "surface"
            : "bg"
          : isOn
            ? "run-tint"
            : isCut
              ? "cut-tint"
              : "surface",
  );
  context.fill();
  context.lineWidth = isOn ? 2 : 1.2;
  context.strokeStyle = colour(isOn ? "run" : isCut ? "cut" : "line-strong");
  context.globalAlpha = isAsleep ? 0.6 : 1;
  if (card.isRegion || mark === "skip" || mark === "left" || card.kind === "goto" || card.kind === "branch") context.setLineDash([5, 4]);
  context.stroke();
  context.globalAlpha = 1;
  context.setLineDash([]);
  // On a card with heat, everything is in the ink of that heat.
  const strong = isFilled ? "run-ink" : warm > 0 ? `heat-ink-${warm > 3 ? "hi" : "lo"}` : "";
  const ink = strong || (isAsleep ? "muted" : "text");
  const middle = card.isBox || card.rows.length > 0 ? card.y + 17 : card.detail ? card.y + 16 : card.y + card.h / 2;
  const left = card.x + (isQuestion(card.kind) || card.kind === "test" ? 18 : 13);
  context.textBaseline = "middle";
  context.font = `500 13px ${UI}`;
  context.fillStyle = colour(strong || (isOn ? "run" : "muted"));
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
    context.fillStyle = colour(strong || "muted");
    context.fillText(card.detail, left + 2, card.y + 33);
    const values = valuesOf(card.nth);
    if (values) {
      const from = left + 2 + context.measureText(card.detail).width;
      context.fillStyle = colour(strong || "text");
      const room = card.x + card.w - from - (isQuestion(card.kind) ? 16 : 8);
      context.fillText(
        fitting(values, room, (text) => context.measureText(text).width),
        from,
        card.y + 33,
      );
    }
  }
  context.font = `600 13px ${UI}`;
  context.textAlign = "right";
  context.fillStyle = colour(strong || (tone === "faint" ? "faint" : tone));
  context.fillText(glyphs[mark], card.x + card.w - (isQuestion(card.kind) || card.kind === "test" ? 16 : 12), middle);
  context.textAlign = "left";
  paintHeat(context, card, colour);
  for (const row of card.rows) paintRow(context, card, row, strong, colour);
}

/** A frame in the colour of another page that has chosen this. */
function othersFrame(
  context: CanvasRenderingContext2D,
  nth: number,
  [x, y, w, h]: [x: number, y: number, w: number, h: number],
  colour: Colours,
): void {
  const [who] = shown.othersAt(nth);
  if (who === undefined) return;
  context.strokeStyle = colour(toneOfPage(who));
  context.lineWidth = 2;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.roundRect(x, y, w, h, 13);
  context.stroke();
  context.setLineDash([]);
}

/** The dot of a breakpoint. */
function dot(context: CanvasRenderingContext2D, nth: number, x: number, y: number, colour: Colours): void {
  const known = shown.breakpointAt(nth);
  if (!known) return;
  context.fillStyle = colour(known.is_on ? "fail" : "faint");
  context.beginPath();
  context.arc(x, y - 4, 4, 0, 2 * Math.PI);
  context.fill();
}

/** `ink` is the colour of everything on a card that is filled. */
function paintRow(context: CanvasRenderingContext2D, card: Card, row: Card["rows"][number], ink: string, colour: Colours): void {
  const mark = shown.drawn.value[row.nth];
  const line = shown.lines.value[row.nth];
  const y = card.y + row.y + 10;
  const isFilled = row.nth === shown.running.value;
  if (isFilled) {
    context.fillStyle = colour("run-fill");
    context.beginPath();
    context.roundRect(card.x + 6, y - 10, card.w - 12, 20, 4);
    context.fill();
  }
  if (shown.isSelected(line.id)) {
    context.strokeStyle = colour("accent");
    context.lineWidth = 1.5;
    context.strokeRect(card.x + 6, y - 10, card.w - 12, 20);
  }
  othersFrame(context, row.nth, [card.x + 4, y - 11, card.w - 8, 22], colour);
  context.font = `400 11.5px ${CODE}`;
  const tone = toneOf(mark);
  context.fillStyle = colour(ink || (isFilled ? "run-ink" : tone === "run" || tone === "ok" ? tone : "muted"));
  context.fillText(row.text, card.x + 14, y);
  const back = shown.returnOf(row.nth);
  if (back) {
    const from = card.x + 14 + context.measureText(row.text).width;
    context.fillStyle = colour(ink || (back.is_remembered ? "accent" : "muted"));
    context.fillText(` ↩ ${back.states.join(", ")}`, from, y, RETURN);
  }
  dot(context, row.nth, card.x + 7, y + 4, colour);
  if (mark) {
    context.textAlign = "right";
    context.fillStyle = colour(ink || (isFilled ? "run-ink" : tone));
    context.fillText(glyphs[mark], card.x + card.w - 10, y);
    context.textAlign = "left";
  }
}

/** The ways of all transitions; the one that was taken last and those that are selected lie above the others. */
function arrows(context: CanvasRenderingContext2D, of: Layout, colour: Colours): void {
  const isSelected = (nth: number): boolean => shown.isSelected(shown.lines.value[nth].id);
  const rank = ({ nth, from }: Arrow): number => {
    if (isSelected(nth) || isSelected(from)) return 3;
    const mark = shown.drawn.value[nth];
    return mark === "ok" ? 2 : mark === "was-ok" ? 1 : 0;
  };
  const all = of.arrows.map((arrow) => ({ arrow, rank: rank(arrow) })).sort((left, right) => left.rank - right.rank);
  for (const { arrow, rank: high } of all) {
    const tone = colour(["line-strong", "muted", "run", "accent"][high]);
    context.strokeStyle = tone;
    context.lineWidth = [1.2, 2, 3, 2.4][high];
    rounded(context, arrow.points);
    headOf(context, arrow.points, tone);
    if (arrow.history) historyMark(context, arrow.history, arrow.points[0], arrow.points[1], tone, colour);
  }
  labels(context, all, colour);
  for (const card of of.cards) if (card.isInitial) initialMark(context, card, colour);
}

/** What transitions wait for: in full on those that are selected, and on others where there is room. */
function labels(context: CanvasRenderingContext2D, all: { arrow: Arrow; rank: number }[], colour: Colours): void {
  const full = all.flatMap(({ arrow, rank }) => (rank === 3 && arrow.whole ? arrow.whole : []));
  const isCovered = (one: { x: number; y: number; w: number }): boolean =>
    full.some((other) => Math.abs(one.x - other.x) < (one.w + other.w) / 2 && Math.abs(one.y - other.y) < 14);
  // Where nobody could read them, there are none.
  if (context.getTransform().a >= SMALLEST_LABEL * devicePixelRatio)
    for (const { arrow, rank } of all)
      if (arrow.label && rank < 3 && !isCovered(arrow.label))
        label(context, arrow.label, arrow.label.isAside, colour(["muted", "text", "run"][rank]), colour);
  for (const one of full) label(context, one, false, colour("accent"), colour);
}

function label(context: CanvasRenderingContext2D, of: NonNullable<Arrow["whole"]>, isClear: boolean, tone: string, colour: Colours): void {
  context.font = `400 11.5px ${CODE}`;
  context.fillStyle = colour("bg");
  if (!isClear) context.fillRect(of.x - of.w / 2, of.y - 7, of.w, 14);
  context.fillStyle = tone;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(of.text, of.x, of.y + 0.5);
  context.textAlign = "left";
}

/** That a transition goes on where the state was left stands at its beginning. */
function historyMark(
  context: CanvasRenderingContext2D,
  text: string,
  start: [number, number],
  next: [number, number],
  tone: string,
  colour: Colours,
): void {
  const x = start[0] + Math.sign(next[0] - start[0]) * 4;
  context.beginPath();
  context.arc(x, start[1], 9, 0, 2 * Math.PI);
  context.fillStyle = colour("bg");
  context.fill();
  context.strokeStyle = tone;
  context.lineWidth = 1.2;
  context.stroke();
  context.font = `600 10px ${UI}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = tone;
  context.fillText(text, x, start[1] + 0.5);
  context.textAlign = "left";
}

/** A dot with an arrow at the state with which something begins. */
function initialMark(context: CanvasRenderingContext2D, card: Card, colour: Colours): void {
  const [x, y] = [card.x + 16, card.y];
  context.fillStyle = colour("muted");
  context.strokeStyle = colour("muted");
  context.lineWidth = 1.4;
  context.beginPath();
  context.arc(x, y - 11, 3.5, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.moveTo(x, y - 8);
  context.lineTo(x, y - 1);
  context.stroke();
}
