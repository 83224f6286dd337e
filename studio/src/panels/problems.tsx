// What is wrong with the documents as they are written now, and the way from one problem to the next.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as sheet from "../edit/sheet";
import { played } from "../graph/graph";
import { drawPreview } from "../graph/preview";
import { t, theme } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { Words } from "./now";
import { typeText } from "./text";

/** The problem that was gone to, by its place in the list. */
export const chosen = signal<model.Problem | null>(null);

/** The colour, sign and word of each severity, the worst first. */
const severities = { error: ["fail", "✕", "mistake"], warning: ["run", "!", "doubt"] } as const;

export const isError = (one: model.Problem): boolean => one.severity === "error";
/** The colour, sign and word of a problem. */
export const shown = (one: model.Problem) => severities[one.severity];

/** The code of a problem: a file is no text in UTF-8. */
const NOT_TEXT = "T0001";

/** What keeps a file from being read as a text. */
export const unread = computed<model.Problem[]>(() => model.written.value.problems.filter((one) => one.code === NOT_TEXT));

/** The texts and what is wrong with them: as they stand in the editor while one edits, also if they are not saved; else as they are played. */
const now = computed(() => {
  const edited = model.panel.value === "edit" || sheet.writes.value ? sheet.sheet.value : null;
  return edited
    ? // What is on disk by now is none of the texts that are edited.
      { texts: edited.files, problems: [...unread.value, ...edited.problems], isSaved: edited.files.every((one) => one.is_saved) }
    : { ...model.written.value, isSaved: true };
});

/** All problems: errors first, and then as they stand in the texts. */
export const all = computed<model.Problem[]>(() => {
  const { texts, problems } = now.value;
  const place = (one: model.Problem): number => texts.findIndex((text) => text.name === one.file);
  return [...problems].sort(
    (a, b) => Number(isError(b)) - Number(isError(a)) || place(a) - place(b) || a.at[0] - b.at[0] || a.at[1] - b.at[1],
  );
});

/** How many errors and how many warnings there are. */
export const counted = computed<[number, number]>(() => {
  const errors = all.value.filter(isError).length;
  return [errors, all.value.length - errors];
});

/** Goes to a problem in the text. */
function toText(problem: model.Problem): void {
  chosen.value = problem;
  // A text that is not saved is shown only where it is typed.
  if (!now.value.isSaved) typeText();
  model.showText(problem.file, problem.at[0], problem.at[1]);
}

/** Whether a problem is shown in the row of its node, and not in the text. */
const isInRows = (): boolean => model.panel.value === "edit" && sheet.mayEdit.value && sheet.isWhole.value;

/** Goes to a problem: while one edits, to the row of its node, beside which the inspector says it; else into the text. */
export function goTo(problem: model.Problem): void {
  const id = isInRows() ? problem.about?.id : undefined;
  if (id === undefined) {
    toText(problem);
    return;
  }
  chosen.value = problem;
  sheet.reveal(id);
  requestAnimationFrame(() => document.querySelector(".inspector")?.closest("aside")?.scrollTo(0, 0));
}

/** Goes to the next or the previous problem. */
export function next(by: 1 | -1): void {
  const list = all.value;
  if (list.length === 0) return;
  const now = chosen.value ? list.indexOf(chosen.value) : -1;
  const start = now < 0 && by < 0 ? 0 : now;
  goTo(list[(start + by + list.length) % list.length]);
}

/** How many problems there are, in words. */
export function Counts() {
  const [errors, warnings] = counted.value;
  return (
    <>
      {errors} {t(errors === 1 ? "error" : "errors")}
      {warnings > 0 && ` · ${warnings} ${t(warnings === 1 ? "warning" : "warnings")}`}
    </>
  );
}

/** The list of problems, while there are any, and a small picture of what plays instead. */
export function Problems() {
  if (all.value.length === 0) return null;
  const several = now.value.texts.length > 1;
  return (
    <section class="problems" aria-label={t("problems")}>
      <h2>
        {t("problems")}{" "}
        <small>
          <Counts />
        </small>
        <kbd>F8</kbd>
      </h2>
      <ul>
        {all.value.map((one, nth) => (
          <li key={nth}>
            <button
              class="plain"
              data-problem={nth}
              aria-current={one === chosen.value}
              onClick={() => goTo(one)}
              onDblClick={() => toText(one)}
            >
              <span class={shown(one)[0]} aria-hidden="true">
                {shown(one)[1]}
              </span>
              <span>
                <b class={shown(one)[0]}>{t(shown(one)[2])}</b> <Words text={said(one.text)} />
                {one.help && (
                  <small>
                    <Words text={said(one.help)} />
                  </small>
                )}
              </span>
              <small>
                {several ? `${one.file.split("/").at(-1)}:` : ""}
                {one.at[0]}
                <br />
                {one.code}
              </small>
            </button>
            {isInRows() && (
              <button class="link" onClick={() => toText(one)}>
                {t("inTheText")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {model.definition.value?.draft && <LastGood />}
    </section>
  );
}

/** The graph that plays while the text has mistakes. */
function LastGood() {
  const canvas = useRef<HTMLCanvasElement>(null);
  void [theme.value, model.view.value?.tick];
  useEffect(() => {
    const of = played.value;
    if (canvas.current && of) drawPreview(canvas.current, { of, lines: model.lines.value, parents: model.parents.value });
  });
  return (
    <button class="plain good" onClick={() => (model.panel.value = "graph")}>
      <small>{t("lastGood")}</small>
      <canvas ref={canvas} aria-hidden="true" />
    </button>
  );
}
