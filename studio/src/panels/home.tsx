// The first page: each file as a small picture of what it defines, and the keys to know.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { measure } from "../graph/graph";
import { type Layout, layout } from "../graph/layout";
import { type Colours, clear, colours } from "../parts/canvas";
import { KeyList } from "../parts/dialog";
import { isQuestion } from "../parts/marks";
import type { Preview } from "../protocol";
import { t, theme } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { brief } from "../wire/names";
import { open, say } from "../wire/wire";
import { Begin } from "./begin";
import * as tour from "./tour";

/** Whether the files are shown instead of one of them. */
export const isOpen = signal(false);
/** Whether nobody has chosen a file yet. */
export const isFirst = signal(false);
/** Whether the server can say what a file defines without opening it. */
export const hasPreviews = signal(false);
export const previews = signal<ReadonlyMap<string, Preview>>(new Map());

/** Shows the files; asks for what is not known yet. */
export function show(first = false): void {
  if (!hasPreviews.value) return;
  [isOpen.value, isFirst.value] = [true, first];
  say({ say: "files" });
  askPreviews();
}

/** Asks what the files define of which that is not known yet, if they are shown. */
export function askPreviews(): void {
  if (!isOpen.peek()) return;
  for (const file of model.files.peek()) if (!previews.peek().has(file)) say({ say: "preview", file });
}

/** Takes in what a file defines. */
export function take(preview: Preview): void {
  previews.value = new Map([...previews.value, [preview.file, preview]]);
}

/** Shows the files, or the one that is open again. */
export function toggle(): void {
  if (isOpen.value) isOpen.value = false;
  else show();
}

/** The layouts of the files, without what is folded. */
const layouts = computed<Map<string, Layout>>(() => {
  const known = new Map<string, Layout>();
  for (const { file, behaviour } of previews.value.values()) {
    if (!behaviour || behaviour.lines.length === 0) continue;
    const all = behaviour.lines.map((_, nth) => nth);
    const parents = model.parentsOf(behaviour.lines);
    known.set(file, layout(behaviour.lines, parents, all, model.belowOf(parents), new Set(), measure));
  }
  return known;
});

/** Draws a graph as shapes: nobody can read names that small. */
export function drawSmall(canvas: HTMLCanvasElement, of: Layout): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const colour = colours();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  clear(canvas, context, wide, high);
  const scale = Math.min(0.9, (wide - 24) / Math.max(1, of.w), (high - 24) / Math.max(1, of.h));
  context.translate((wide - of.w * scale) / 2, (high - of.h * scale) / 2);
  context.scale(scale, scale);
  const thin = 1.2 / scale;
  context.lineWidth = thin;
  context.strokeStyle = colour("line-strong");
  const byLine = new Map(of.cards.map((card) => [card.nth, card]));
  for (const card of of.cards) if (card.isBox) box(context, card, colour);
  for (const card of of.cards) {
    const parent = byLine.get(card.parent);
    if (!parent) continue;
    context.strokeStyle = colour("line-strong");
    context.beginPath();
    if (of.isDown) {
      const [x1, x2, y] = [parent.x + parent.w / 2, card.x + card.w / 2, card.y - 20];
      context.moveTo(x1, parent.y + parent.h);
      context.lineTo(x1, y);
      context.lineTo(x2, y);
      context.lineTo(x2, card.y);
    } else {
      const [x, y1, y2] = [parent.x + parent.w + 18, parent.y + parent.h / 2, card.y + card.h / 2];
      context.moveTo(parent.x + parent.w, y1);
      context.lineTo(x, y1);
      context.lineTo(x, y2);
      context.lineTo(card.x, y2);
    }
    context.stroke();
  }
  context.strokeStyle = colour("muted");
  for (const { points } of of.arrows) {
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.stroke();
  }
  for (const card of of.cards) if (!card.isBox) box(context, card, colour);
}

function box(context: CanvasRenderingContext2D, card: Layout["cards"][0], colour: Colours): void {
  const isAction = card.kind === "action";
  const asks = isQuestion(card.kind) || card.kind === "test";
  context.beginPath();
  context.roundRect(card.x, card.y, card.w, card.h, asks ? card.h / 2 : card.isBox ? 14 : 7);
  context.fillStyle = colour(
    card.isBox ? "surface" : isAction ? "run-fill" : asks ? "accent-tint" : card.kind === "atomic" ? "lane-1" : "raised",
  );
  context.fill();
  context.strokeStyle = colour(asks ? "accent" : isAction ? "run" : "line-strong");
  context.stroke();
}

function Picture({ file }: { file: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const of = layouts.value.get(file);
  void theme.value;
  useEffect(() => {
    if (canvas.current && of) drawSmall(canvas.current, of);
  });
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** What a file may define, as the server calls it, and as the page does. */
const DEFINED: Record<string, "defines_tree" | "defines_machine" | "defines_decision"> = {
  tree: "defines_tree",
  machine: "defines_machine",
  "decision tree": "defines_decision",
};

/** What a file defines, in the language of the page. */
export const defined = (word: string): string => (DEFINED[word] ? t(DEFINED[word]) : word);

export function Home() {
  const keys: [string, string][] = [
    ["Space", t("kPlay")],
    ["Shift ← →", t("kChange")],
    [", .", t("kTick")],
    ["s", t("kSearch")],
    ["?", t("keys")],
  ];
  return (
    <section class="home" role="main" aria-label={t("files")} tabIndex={0}>
      <h1>{t("choose")}</h1>
      <KeyList keys={keys} label={t("fiveKeys")} />
      {tour.guard.value && (
        <button class="take-tour" onClick={tour.begin}>
          {t("takeTour")}
        </button>
      )}
      <Begin />
      <ul>
        {model.files.value.map((file) => {
          const known = previews.value.get(file);
          const [name, folder] = [known?.behaviour?.name ?? file.split("/").at(-1), brief(file)];
          return (
            <li key={file}>
              <button data-file={file} aria-current={!isFirst.value && file === model.view.value?.file} onClick={() => open(file)}>
                <Picture file={file} />
                <b>{name}</b>
                <small title={file}>{folder}</small>
                <small class={known?.wrong ? "wrong" : ""}>
                  {known?.wrong
                    ? said(known.wrong)
                    : known?.behaviour
                      ? `${defined(known.behaviour.word)} · ${known.behaviour.lines.length} ${t("lines")}`
                      : "…"}
                </small>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
