// A stretch of the timeline that somebody has marked, with the mouse or with a key.

import { signal } from "@preact/signals";
import * as model from "../wire/model";

export interface Stretch {
  from: number;
  to: number;
}

/** What is marked. */
export const stretch = signal<Stretch | null>(null);
/** Where the mark began with the key; the next press ends it. */
const begun = signal<number | null>(null);

/** Marks from one tick to another, whichever is earlier. The first tick that happened is 1. */
export function mark(one: number, other: number): void {
  const last = model.view.value?.last ?? 0;
  const within = (tick: number): number => Math.max(1, Math.min(last, Math.round(tick)));
  const [from, to] = [within(one), within(other)];
  stretch.value = last === 0 ? null : { from: Math.min(from, to), to: Math.max(from, to) };
}

/** The first press begins a stretch at the tick that is shown, the second one ends it there. */
export function press(): void {
  const tick = model.view.value?.tick ?? 0;
  mark(begun.value ?? tick, tick);
  begun.value = begun.value === null ? tick : null;
}

export function clear(): void {
  [stretch.value, begun.value] = [null, null];
}
