// A stretch of the timeline that somebody has marked, with the mouse or with a key.

import { computed, effect, signal } from "@preact/signals";
import type { Makeable } from "../protocol";
import { t } from "../texts";
import { said as sentence } from "../texts/purposes";
import { tickMeant } from "../wire/heading";
import * as model from "../wire/model";
import { say } from "../wire/wire";

export interface Stretch {
  from: number;
  to: number;
}

/** What is marked. */
export const stretch = signal<Stretch | null>(null);
/** What the server said last of a stretch: whether a test can be made of it. */
const answer = signal<Makeable | null>(null);
/** Whether all of what is marked has happened. When a game is played again, it has not until the game has come so far. */
const hasHappened = computed(() => (model.view.value?.last ?? 0) >= (stretch.value?.to ?? 0));
/** Why no test can be made of what is marked; `null` if it can, or is not known yet. */
export const whyNot = computed(() => {
  const [of, said] = [stretch.value, answer.value];
  if (of && !hasHappened.value) return t("notPlayedAgain");
  return of && said?.mind === model.view.value?.mind && said?.from === of.from && said.to === of.to && said.why ? sentence(said.why) : null;
});
/** Where the mark began with the key; the next press ends it. */
const begun = signal<number | null>(null);

/** Marks from one tick to another, whichever is earlier. The first tick that happened is 1. */
export function mark(one: number, other: number): void {
  const last = model.view.value?.last ?? 0;
  const within = (tick: number): number => Math.max(1, Math.min(last, Math.round(tick)));
  const [from, to] = [within(one), within(other)];
  stretch.value = last === 0 ? null : { from: Math.min(from, to), to: Math.max(from, to) };
}

/** Asks whether a test can be made of what is marked. */
export function ask(): void {
  const of = stretch.peek();
  const mind = model.view.peek()?.mind ?? 0;
  if (of) say({ say: "test", test: { do: "try", of: { mind, ...of, name: "", never: [], facts: [] } } });
}

/** Takes in what the server says of a stretch. */
export function hear(said: Makeable): void {
  answer.value = said;
}

// A changed document may have made it another answer, and so may what has happened since.
effect(() => {
  void model.definition.value;
  if (hasHappened.value) ask();
});

/** The first press begins a stretch at the tick that is shown, or will be as soon as the page has gone there; the second one ends it there. */
export function press(): void {
  const tick = tickMeant();
  mark(begun.value ?? tick, tick);
  ask();
  begun.value = begun.value === null ? tick : null;
}

export function clear(): void {
  [stretch.value, begun.value] = [null, null];
}
