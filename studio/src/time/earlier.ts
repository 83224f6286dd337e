// The run that was played before it was played again from an earlier tick, with the document as it is now.

import { signal } from "@preact/signals";
import type { Difference, EarlierRun, Lanes } from "../protocol";
import * as model from "../wire/model";

export interface Earlier extends EarlierRun {
  lanes: Lanes;
  /** The agent whose lanes these are, and the file. */
  mind: number;
  file: string;
}

/** The earlier run of the agent that is shown. */
export const earlier = signal<Earlier | null>(null);
/** The number of the last one that the user has closed. */
const closed = signal(0);

const isOf = (view: model.View): boolean => earlier.value?.mind === view.mind && earlier.value.file === view.file;

/** The number of the earlier run whose lanes the page has. */
export function known(): number {
  const view = model.view.value;
  const isSame = view && view.mind === model.mind.value && (model.file.value === "" || view.file === model.file.value) && isOf(view);
  return isSame ? (earlier.value?.nth ?? 0) : 0;
}

export function take(view: model.View): void {
  const next = view.earlier;
  const lanes = next?.lanes ?? (isOf(view) && earlier.value?.nth === next?.nth ? earlier.value?.lanes : undefined);
  const isShown = next && lanes && next.nth > closed.value;
  earlier.value = isShown ? { ...next, lanes, mind: view.mind, file: view.file } : null;
}

export function close(): void {
  closed.value = earlier.value?.nth ?? closed.value;
  earlier.value = null;
}

/** What differs first. */
export const first = (): Difference | undefined => earlier.value?.differences[0];

/** The name of what differs. */
export const keyOf = (what: Difference["what"]): string | null => (typeof what === "object" ? what.key : null);
