// What the graph shows: what is played, or the document as it is written while one edits it, with what runs of it.

import { computed } from "@preact/signals";
import * as crowd from "../crowd/crowd";
import { others } from "../edit/others";
import * as sheet from "../edit/sheet";
import { byLine as breakpoints } from "../panels/breakpoints";
import * as model from "../wire/model";
import * as source from "./source";

/** Whether it is the document as it is written. */
export const isSource = computed(() => model.panel.value === "edit" && sheet.mayEdit.value && source.nodes.value.length > 0);

const either = <T>(written: { value: T }, played: { value: T }) => computed<T>(() => (isSource.value ? written : played).value);

export const lines = either<model.Line[]>(source.lines, model.lines);
export const parents = either<number[]>(source.parents, model.parents);
export const below = either<number[]>(source.below, model.below);
export const shown = either<number[]>(source.shown, model.shown);
export const folded = either<ReadonlySet<string>>(source.folded, model.folded);

/** How much a mark counts where a node runs at several places. */
const STRENGTH: model.Mark[] = [
  "run",
  "entered",
  "cut",
  "left",
  "ok",
  "fail",
  "skip",
  "was-run",
  "was-cut",
  "was-left",
  "was-ok",
  "was-fail",
  "was-skip",
  "",
];

/** The lines that run what a line of the graph says. */
export const ran = (nth: number): number[] => (isSource.value ? (sheet.ran.value.get(source.nodes.value[nth].id) ?? []) : [nth]);

/** The marks as they are drawn. */
export const drawn = computed<model.Mark[]>(() => {
  const all = model.drawn.value;
  if (!isSource.value) return all;
  return source.nodes.value.map((_, nth) => {
    const marks = ran(nth).map((one) => all[one] ?? "");
    return STRENGTH.find((mark) => marks.includes(mark)) ?? "";
  });
});

/** The strongest mark of a line and of what it hides. */
export function strongest(nth: number): model.Mark {
  const own = drawn.value[nth];
  if (!folded.value.has(lines.value[nth].id)) return own;
  const all = drawn.value.slice(nth, nth + below.value[nth] + 1);
  return all.find(model.isActive) ?? all.find((mark) => mark === "cut") ?? own;
}

/** The line that stands for what runs now; -1 if there is none. */
export const running = computed<number>(() => {
  if (!isSource.value || model.running.value < 0) return model.running.value;
  return source.nodes.value.findIndex((one) => sheet.ran.value.get(one.id)?.includes(model.running.value));
});

/** The lines that are chosen. */
const chosen = computed<ReadonlySet<string>>(() => {
  if (isSource.value) return new Set(sheet.chosen.value.map(source.idOf));
  return new Set(model.selected.value ? [model.selected.value] : []);
});
export const isSelected = (id: string): boolean => chosen.value.has(id);

/** The other pages that have chosen what a line says. */
export const othersAt = (nth: number): string[] => (isSource.value ? (others.value.get(source.nodes.value[nth].id) ?? []) : []);

/** What others have chosen, as one text: it changes only when that does. */
export const othersNow = computed<string>(() => (isSource.value ? JSON.stringify([...others.value]) : ""));

/** The line that was chosen last. */
export const selected = computed<string | null>(() => {
  if (!isSource.value) return model.selected.value;
  const last = sheet.chosen.value.at(-1);
  return last === undefined ? null : source.idOf(last);
});

export const isOut = (nth: number): boolean => isSource.value && source.areOut.value[nth];

/** Where a transition with a history leads now. */
export function returnOf(nth: number) {
  return ran(nth)
    .map((line) => model.returns.value.get(line))
    .find(Boolean);
}

export const heat = (nth: number) => crowd.heat(ran(nth)[0] ?? -1);
export const warmth = (nth: number): number => crowd.warmth(ran(nth)[0] ?? -1);

/** The breakpoint at a line. */
export function breakpointAt(nth: number) {
  return ran(nth)
    .map((line) => breakpoints.value.get(model.lines.value[line]?.id))
    .find(Boolean);
}

/** The line itself, or the one that it is folded into. */
export function visible(nth: number): number {
  let found = nth;
  for (let at = nth; at >= 0; at = parents.value[at]) if (folded.value.has(lines.value[at].id) && at !== nth) found = at;
  return found;
}
