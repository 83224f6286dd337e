// What can be done to a document. The rows and the graph do it by the same code, with the mouse and with the keyboard.

import { signal } from "@preact/signals";
import type { Edit, SheetNode } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { balance, learns } from "./advice";
import * as sheet from "./sheet";
import { wordAround, wordOf } from "./worth";

/** A name that is asked for before something is done. */
export interface Question {
  label: string;
  value: string;
  /** What is done with the name. */
  edit: (name: string) => Edit;
}
export const question = signal<Question | null>(null);

/** The node whose kind is being changed. */
export const changing = signal<number | null>(null);

/** Where the list of what can be done is open. */
export const menu = signal<{ x: number; y: number } | null>(null);

/** Gives the keyboard back to the rows, which know all keys of the editor. */
export const toRows = (): void => document.querySelector<HTMLElement>(".sheet[role=tree]")?.focus({ preventScroll: true });

/** Begins to add something after a node; into the root of a tree, beside which nothing may stand. */
export function addTo(of: SheetNode): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const around = nodes[sheet.parents.value[nodes.indexOf(of)]];
  sheet.add(of.id, of.depth === 0 || (of.role === "task" && around?.word === "tree") ? "into" : "after");
}

interface Keys {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Chooses a node; with Shift up to it, with Ctrl as well. */
export function choose(id: number, event: Keys): void {
  const now = sheet.chosen.value;
  const nodes = sheet.sheet.value?.nodes ?? [];
  const ids = sheet.shown.value.map((nth) => nodes[nth].id);
  if (event.shiftKey && now.length > 0) {
    const [from, to] = [ids.indexOf(now[0]), ids.indexOf(id)].sort((a, b) => a - b);
    const picked = ids.slice(from, to + 1).filter((one) => one !== now[0] && one !== id);
    sheet.chosen.value = now[0] === id ? [id] : [now[0], ...picked, id];
  } else if (event.ctrlKey || event.metaKey) {
    sheet.chosen.value = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
  } else sheet.chosen.value = [id];
  const of = sheet.node.value;
  const line = of ? sheet.lineOf(of) : -1;
  if (line >= 0) model.selected.value = model.lines.value[line].id;
}

/** Chooses the row before or after the one that was chosen last. */
function step(by: 1 | -1, event: KeyboardEvent): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const rows = sheet.shown.value;
  const now = rows.findIndex((nth) => nodes[nth].id === sheet.chosen.value.at(-1));
  const next = rows[Math.min(rows.length - 1, Math.max(0, now + by))];
  if (next === undefined) return;
  choose(nodes[next].id, { shiftKey: event.shiftKey, ctrlKey: false, metaKey: false });
  sheet.scrollTo(nodes[next].id);
}

/** Chooses the first or the last row. */
function toEnd(by: 1 | -1, event: KeyboardEvent): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const next = sheet.shown.value.at(by > 0 ? -1 : 0);
  if (next === undefined) return;
  choose(nodes[next].id, { shiftKey: event.shiftKey, ctrlKey: false, metaKey: false });
  sheet.scrollTo(nodes[next].id);
}

/** The nodes that a drag moves, and that are removed, copied and cut together. */
export const ids = (): number[] => sheet.outermost.value.map((one) => one.id);

export function remove(): void {
  if (ids().length > 0) sheet.edit({ do: "remove", ids: ids() });
}

export const duplicate = (): void => sheet.edit({ do: "duplicate", ids: ids() });

/** Disables what is chosen, or no longer if the node that was chosen last is disabled. */
export const disable = (of: SheetNode): void => sheet.edit({ do: "disable", ids: ids(), is_on: !of.is_disabled });

/** Puts something around what is chosen. */
export function wrap(): void {
  const [first, ...others] = ids();
  if (first !== undefined) sheet.add(first, "around", others);
}

/** Moves what is chosen past the peer before or after it: of several nodes, that one goes past them. */
function shift(by: 1 | -1): void {
  const picked = sheet.outermost.value;
  const nodes = sheet.sheet.value?.nodes ?? [];
  const [first] = picked;
  if (!first) return;
  if (picked.length === 1) {
    sheet.edit({ do: "reorder", id: first.id, by });
    return;
  }
  const around = sheet.parents.value[nodes.indexOf(first)];
  const peers = nodes.filter((_, nth) => sheet.parents.value[nth] === around);
  const at = peers.indexOf(first);
  const isRow = picked.every((one, nth) => peers[at + nth] === one);
  const passed = peers[by < 0 ? at - 1 : at + picked.length];
  if (!isRow) model.refused.value = t("notInARow");
  else if (passed) sheet.edit({ do: "reorder", id: passed.id, by: -by * picked.length });
}

/** Moves what is chosen out of the node around it, or into the one before it. */
function level(by: "in" | "out"): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const [first] = sheet.outermost.value;
  const nth = nodes.indexOf(first);
  if (nth < 0) return;
  const around = sheet.parents.value[nth];
  const before = nodes.findLastIndex((_, other) => other < nth && sheet.parents.value[other] === around);
  // A state leaves the state around it for the machine or state around that; a task stands behind what was around it.
  const outer = first.role === "state" ? sheet.parents.value[around] : around;
  const [goal, side] = by === "in" ? [before, "into" as const] : [outer, first.role === "state" ? ("into" as const) : ("after" as const)];
  if (by === "in" && goal < 0) model.refused.value = t("nothingBefore");
  else if (goal >= 0 && goal !== undefined) sheet.edit({ do: "move", ids: ids(), spot: sheet.beside(nodes[goal].id, side) });
}

export function fold(of: SheetNode, isFolded: boolean): void {
  const next = new Set(sheet.folded.value);
  if (isFolded) next.add(of.id);
  else next.delete(of.id);
  sheet.folded.value = next;
}

export const undo = (): void => sheet.edit({ do: "undo" });
export const redo = (): void => sheet.edit({ do: "redo" });
/** What undoes now: while a text is typed, what has not arrived goes first. */
export const takingBack = { by: undo };

/** What is chosen, as the text of a document. */
export const copied = (): string => sheet.outermost.value.map(sheet.textOf).join("\n");

/** A text without the lines of a fence that a chat has put around it. */
export const bare = (text: string): string => text.replace(/^\s*(`{3,}).*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/, "$2");

export function paste(copied: string): void {
  const text = bare(copied);
  const last = sheet.node.value;
  if (text && last) sheet.edit({ do: "add", text, spot: sheet.beside(last.id, last.depth === 0 ? "into" : "after") });
}

/** Copies what is chosen, for a list in which one cannot press a key for it. */
export async function copy(): Promise<void> {
  await navigator.clipboard.writeText(copied());
}

async function pasteCopied(): Promise<void> {
  try {
    paste(await navigator.clipboard.readText());
  } catch {
    model.refused.value = t("pasteByKey");
  }
}

/** Whether a key of the rows changes nodes. */
const changes = ({ altKey }: KeyboardEvent, key: string, isControl: boolean): boolean =>
  isControl ? key === "d" : altKey ? key.startsWith("Arrow") : /^([awud]|Delete|Backspace)$/.test(key);

/** What a key does to what is chosen; returns whether it does anything. */
export function press(event: KeyboardEvent): boolean {
  const of = sheet.node.value;
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const why = sheet.whyFixed.value;
  if (why && changes(event, isControl ? key : event.key, isControl)) model.refused.value = why;
  else if (isControl && key === "z") (event.shiftKey ? redo : takingBack.by)();
  else if (isControl && key === "y") redo();
  else if (isControl && key === "d" && of) duplicate();
  else if (isControl) return false;
  else if (event.altKey && key === "ArrowUp") shift(-1);
  else if (event.altKey && key === "ArrowDown") shift(1);
  else if (event.altKey && key === "ArrowLeft") level("out");
  else if (event.altKey && key === "ArrowRight") level("in");
  else if (event.altKey) return false;
  // Capital letters are keys of the whole page.
  else if (key !== event.key) return false;
  else if (key === "ArrowUp" || key === "k") step(-1, event);
  else if (key === "ArrowDown" || key === "j") step(1, event);
  else if (key === "Home" || key === "End") toEnd(key === "Home" ? -1 : 1, event);
  else if (key === "a" && isEmpty()) addFirst();
  else if (!of) return false;
  else if (key === "ArrowLeft" || key === "h") fold(of, true);
  else if (key === "ArrowRight" || key === "l") fold(of, false);
  else if (key === "a") addTo(of);
  else if (key === "w") wrap();
  else if (key === "u") sheet.edit({ do: "unwrap", id: of.id });
  else if (key === "d") disable(of);
  else if (key === "Delete" || key === "Backspace") remove();
  else if (key === "Enter" || key === "F2") document.querySelector<HTMLInputElement>(".inspector input")?.focus();
  else return false;
  return true;
}

/** Whether the document has no node yet. */
export const isEmpty = (): boolean => sheet.sheet.value?.nodes.length === 0;

/** Adds the first node of an empty document. */
export const addFirst = (): void => sheet.add(0, "into");

/** Whether a node is in a decision tree. */
export function isInDecision(of: SheetNode): boolean {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  return of.depth > 0 && nodes.findLast((one, nth) => nth < at && one.depth === 0)?.word === "decide";
}

/** Whether a state is active together with those beside it. */
function isRegion(of: SheetNode): boolean {
  const nodes = sheet.sheet.value?.nodes ?? [];
  return nodes[sheet.parents.value[nodes.indexOf(of)]]?.word === "parallel";
}

/** Whether what is around a state can begin with it, and does not yet. */
export function mayBegin(of: SheetNode): boolean {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const around = sheet.parents.value[nodes.indexOf(of)];
  const begins = nodes.some((one, nth) => one.word === "initial" && sheet.parents.value[nth] === around && one.values[0] === of.values[0]);
  return of.role === "state" && !isRegion(of) && !begins;
}

/** Makes all states in a state active together, or one of them again. */
export const allActive = (of: SheetNode): void =>
  sheet.edit(of.word === "parallel" ? { do: "make-sequential", id: of.id } : { do: "make-parallel", id: of.id });

/** Something that can be done to what is chosen. */
export interface Action {
  label: string;
  key?: string;
  /** Whether it only reads: it can be done while nothing can be changed. */
  isReading?: boolean;
  run: () => void;
}

const named = (label: string, edit: Question["edit"], value = ""): Action => ({
  label: `${label} …`,
  run: () => (question.value = { label, value, edit }),
});

/** The name of its own that a step of a planner has. */
function ownName(of: SheetNode): string | undefined {
  return wordAround(of) === "planner" ? sheet.property(of, "name") : undefined;
}

/** The name that renaming changes. */
const calledNow = (of: SheetNode): string => ownName(of) ?? of.values[0] ?? "";

/** Whether a node has a name that can be changed: what stands there may be a number, an expression, or nothing. */
export const hasName = (of: SheetNode): boolean => ownName(of) !== undefined || (of.values.length > 0 && wordOf(of)?.value === "name");

/** What can be done to the node that was chosen last, and to all that are chosen. */
export function actions(): Action[] {
  const of = sheet.node.value;
  if (!of) return [];
  const { id } = of;
  const isTask = of.role === "task";
  const isState = of.role === "state";
  const isMachine = of.role === "definition" && of.word === "machine";
  const list: (Action | false)[] = [
    { label: t("add"), key: "a", run: () => addTo(of) },
    isTask && { label: t("wrap"), key: "w", run: wrap },
    isTask && { label: t("unwrap"), key: "u", run: () => sheet.edit({ do: "unwrap", id }) },
    isTask && { label: `${t("changeKind")} …`, run: () => (changing.value = id) },
    (isState || isMachine) && named(t(of.word === "parallel" ? "addRegion" : "addState"), (name) => ({ do: "add-state", id, name })),
    isState && { label: t(of.word === "parallel" ? "makeSequential" : "makeParallel"), run: () => allActive(of) },
    mayBegin(of) && { label: t("makeInitial"), run: () => sheet.edit({ do: "set-initial", id }) },
    (of.role === "question" || isInDecision(of)) && of.word !== "goto" && named(t("shareBranch"), (name) => ({ do: "share", id, name })),
    of.word === "decide" && of.depth === 0 && { label: `${t("balance")} …`, run: () => balance(id) },
    of.depth === 0 && { label: `${t("learn")} …`, run: () => (learns.value = true) },
    { label: of.is_disabled ? t("switchOn") : t("switchOff"), key: "d", run: () => disable(of) },
    { label: t("duplicate"), key: "Ctrl D", run: duplicate },
    { label: t("copy"), key: "Ctrl C", isReading: true, run: () => void copy() },
    { label: t("cutOut"), key: "Ctrl X", run: () => void copy().then(remove) },
    { label: t("paste"), key: "Ctrl V", run: () => void pasteCopied() },
    isTask && named(t("extract"), (name) => ({ do: "extract", id, name })),
    of.word === "subtree" && { label: t("inline"), run: () => sheet.edit({ do: "inline", id }) },
    hasName(of) && named(t("rename"), (name) => ({ do: "rename", id, name }), calledNow(of)),
    { label: t("remove"), key: "Del", run: remove },
  ];
  return list.filter((one) => one !== false);
}
