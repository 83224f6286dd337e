// The run that was played before it was played again from an earlier tick, with the document as it is now.

import { computed, signal } from "@preact/signals";
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

/** Where two lanes begin to differ; what is no number counts as another difference whenever one of both changes. */
function between(was: readonly model.Bar[], now: readonly model.Bar[], from: number, to: number): Omit<Difference, "what">[] {
  const all: Omit<Difference, "what">[] = [];
  const isNumber = (text: string): boolean => text !== "" && Number.isFinite(Number(text));
  let [left, right, until] = [0, 0, -1];
  while (left < was.length && right < now.length) {
    const [one, other] = [was[left], now[right]];
    const [begin, end] = [Math.max(one[0], other[0], from), Math.min(one[1], other[1], to)];
    if (begin <= end && one[2] !== other[2]) {
      const last = until === begin - 1 ? all[all.length - 1] : undefined;
      const isSame = last && ((last.was === one[2] && last.now === other[2]) || (isNumber(one[2]) && isNumber(other[2])));
      if (!isSame) all.push({ tick: begin, was: one[2], now: other[2] });
      until = end;
    }
    if (one[1] <= other[1]) left++;
    else right++;
  }
  return all;
}

/** How much of the run that is shown can be compared: what it does later makes no difference any more. */
const compared = computed(() => {
  const { since, fills, to } = model.film.value;
  return `${since} ${fills} ${Math.min(to, earlier.value?.compared ?? 0)}`;
});

/** All in which the run that is shown differs from the earlier one, first difference first, as far as the page has both. */
export const differences = computed<Difference[]>(() => {
  const before = earlier.value;
  if (!before) return [];
  void compared.value;
  const film = model.film.peek();
  const within = [before.from + 1, Math.min(before.compared, film.to)] as const;
  const all: Difference[] = [];
  const add = (what: Difference["what"], was: readonly model.Bar[], now: readonly model.Bar[]): void => {
    for (const one of between(was, now, ...within)) all.push({ ...one, what });
  };
  add("does", before.lanes.does, film.does);
  add("states", before.lanes.states, film.states);
  for (const [nth, { name: key }] of (model.definition.value?.behaviour?.keys ?? []).entries()) {
    const place = before.keys.indexOf(key);
    if (place >= 0) add({ key }, before.lanes.keys[place] ?? [], film.keys[nth] ?? []);
  }
  const nameOf = (one: Difference): string => `${one.tick} ${JSON.stringify(one.what)}`;
  const known = new Set(all.map(nameOf));
  // What the page has not, or not any more, is said by the server: where each begins to differ.
  return before.differences
    .filter((one) => !known.has(nameOf(one)))
    .concat(all)
    .sort((one, other) => one.tick - other.tick);
});

/** The name of what differs. */
export const keyOf = (what: Difference["what"]): string | null => (typeof what === "object" ? what.key : null);
