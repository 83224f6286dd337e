// The tests of a document as the server says them, and what they reached.

import { computed, effect, signal } from "@preact/signals";
import { sheet } from "../edit/sheet";
import type { Test, TestAsk, Tests } from "../protocol";
import * as model from "../wire/model";
import { lookAgain, open, say } from "../wire/wire";

/** The tests as they were said last; `null` if there are none here, or they are not known yet. */
export const tests = signal<Tests | null>(null);
/** The test that is chosen: its id. */
export const chosen = signal<string | null>(null);
/** Whether the graph shows what the tests reached. */
export const covers = signal(true);
/** The document to which the tests belong. */
const owner = signal("");
/** Whether this page waits for a recording of a test. */
let waits = false;

export function ask(test: TestAsk): void {
  model.refused.value = "";
  say({ say: "test", test });
}

/** Runs tests; all without an id. */
export function run(...ids: string[]): void {
  toDocument();
  ask({ do: "run", ids });
}

/** The tests belong to the document: a recording of one has none. */
function toDocument(): void {
  if (recording.value) leave();
}

/** Has a test played as a recording, which is shown when it is there. */
export function watch(id: string): void {
  toDocument();
  waits = true;
  ask({ do: "open", id });
}

/** Turns to a test that the address names, has it played as soon as the tests are known, and goes to a tick and a node of its recording. */
export function show(id: string, tick: number | null, node: string | null): void {
  model.panel.value = "tests";
  [wanted, isAsked] = [{ id, tick, node }, false];
  askForWanted();
  // The tests were not asked for yet.
  lookAgain();
}

/** Asks for the recording that the address wants, once the tests are known. */
function askForWanted(): void {
  const test = tests.value?.tests.find((one) => one.id === wanted?.id);
  if (!test || isAsked) return;
  [chosen.value, isAsked] = [test.id, true];
  queueMicrotask(() => watch(test.id));
}

let wanted: { id: string; tick: number | null; node: string | null } | null = null;
/** Whether the recording that the address wants was asked for. */
let isAsked = false;

/** The recording of a test that is shown, and the name of the test. */
export const recording = computed(() => {
  const opened = tests.value?.opened;
  if (!opened || model.view.value?.file !== opened.file) return null;
  return tests.value?.tests.find((one) => one.id === opened.id) ?? null;
});

/** Chooses the node that the address names as soon as the recording is shown: another file begins without one. */
effect(() => {
  if (!recording.value || wanted?.id !== recording.value.id) return;
  model.selected.value = wanted.node;
  wanted = null;
});

/** The document and the test whose recording is shown. */
export const shown = (): { file: string; test: string } | null => recording.value && { file: owner.value, test: recording.value.id };

/** From the recording of a test back to its document. */
export const leave = (): void => open(owner.value);

/** Whether a document with tests has been edited: the tab says how they go, although nobody has opened it. */
const isEdited = computed(() => !!sheet.value?.undo && sheet.value.nodes.some((one) => one.depth === 0 && one.word === "test"));

/** Asks for them as soon as that is so. */
export function askOnceEdited(): void {
  if (isEdited.value && !tests.peek()) queueMicrotask(lookAgain);
}

/** What the page has: the server says only what is newer. `null` if nobody has looked at the tests yet. */
export const known = (): number | null => {
  const isWanted = model.panel.value === "tests" || isEdited.value || tests.value;
  return recording.value || !isWanted ? null : (tests.value?.revision ?? 0);
};

export function take(next: Tests, file: string): void {
  const before = tests.value?.opened?.nth ?? 0;
  const last = tests.value?.tests.length ?? 0;
  [tests.value, owner.value] = [next, file];
  if (choosesLast && next.tests.length > last) [chosen.value, choosesLast] = [next.tests.at(-1)?.id ?? null, false];
  askForWanted();
  if (!next.tests.some((one) => one.id === chosen.value))
    chosen.value = (next.tests.find((one) => one.failure) ?? next.tests[0])?.id ?? null;
  const opened = next.opened;
  if (waits && opened && opened.nth > before) {
    waits = false;
    queueMicrotask(() => {
      open(opened.file, () => say({ say: "go", tick: wanted?.tick ?? opened.tick }));
    });
  }
}

/** Chooses the test that was added last. */
export function chooseLast(): void {
  choosesLast = true;
}
let choosesLast = false;

/** Another file is shown. The recording of a test stays with the tests. */
export function turnTo(file: string): void {
  if (file === tests.value?.opened?.file || file === owner.value) return;
  [tests.value, chosen.value, owner.value] = [null, null, ""];
}

/** How many there are in each state. */
export const counts = computed(() => {
  const of = (state: Test["state"]): number => tests.value?.tests.filter((one) => one.state === state).length ?? 0;
  return { passed: of("passed"), failed: of("failed"), waiting: of("waiting"), stale: of("stale") };
});

/** Whether the tests can run: not with mistakes in the document. */
export const canRun = computed(() => {
  const now = model.definition.value;
  return !tests.value?.wrong && !now?.draft && !now?.refusal;
});

/** Whether what is known of the tests is from before the document had mistakes: nothing holds of it now. */
export const areOld = computed(() => !canRun.value && (tests.value?.tests.length ?? 0) > 0);

/** How much of each line of the definition the tests reached; `null` if that is not shown. */
export const covered = computed(() => {
  if (model.panel.value !== "tests" || !covers.value || areOld.value) return null;
  const name = model.definition.value?.behaviour?.name;
  const found = tests.value?.covered?.definitions.find((one) => one.name === name);
  return found && found.lines.length === model.lines.value.length ? found.lines : null;
});

export type Reach = "all" | "part" | "none" | "";

/** How much of a line, with its rows below if it is folded, was reached. */
export function reach(nth: number, isWhole = false): Reach {
  const lines = covered.value;
  if (!lines) return "";
  const last = isWhole ? nth + model.below.value[nth] : nth;
  let [reached, total] = [0, 0];
  for (let at = nth; at <= last; at++) [reached, total] = [reached + lines[at][0], total + lines[at][1]];
  return total === 0 ? "" : reached === total ? "all" : reached === 0 ? "none" : "part";
}

/** The lines that no test reached, or only in part. */
export const missing = computed(() => {
  const lines = covered.value ?? [];
  return lines.flatMap(([reached, total], nth) => (reached < total ? [nth] : []));
});
