// The first page: each file as a small picture of what it defines, and the keys to know.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { withMark } from "../edit/unwritten";
import { measure } from "../graph/graph";
import { layout } from "../graph/layout";
import { type Drawn, drawPreview } from "../graph/preview";
import { KeyList } from "../parts/dialog";
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

/** What the files define, laid out, without what is folded. */
const layouts = computed<Map<string, Drawn>>(() => {
  const known = new Map<string, Drawn>();
  for (const { file, behaviour } of previews.value.values()) {
    if (!behaviour || behaviour.lines.length === 0) continue;
    const { lines } = behaviour;
    const parents = model.parentsOf(lines);
    const all = lines.map((_, nth) => nth);
    known.set(file, { of: layout(lines, parents, all, model.belowOf(parents), new Set(), measure), lines, parents });
  }
  return known;
});

function Picture({ file }: { file: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = layouts.value.get(file);
  void theme.value;
  useEffect(() => {
    if (canvas.current && drawn) drawPreview(canvas.current, drawn);
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
                <b title={name}>{withMark(file, name ?? "")}</b>
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
