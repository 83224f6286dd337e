// What the server says of an edit before it is done: whether what is dragged may be dropped where it is now, whether a name may
// be given, and what a list may offer.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Edit, Said } from "../protocol";
import { say } from "../wire/wire";

/** Why something cannot be done; `null` if it can. */
export type Verdict = Said | null;

/** What the server said of the edit that was asked for last while something is dragged; `undefined` until it has. */
export const verdict = signal<Verdict | undefined>(undefined);

/** The number of the last question. */
let last = 0;
/** That of the question about what is dragged that is on its way; it is no longer of use if it is not `current`. */
let asked = 0;
let current = 0;
let wanted: Edit | null = null;
/** Who waits for other answers, by the numbers of the questions. */
const waiting = new Map<number, (why: Verdict) => void>();

/** Begins to ask about other things: what was asked before is of no use any more. */
export function begin(): void {
  [wanted, verdict.value] = [null, undefined];
}

/** Asks whether something can be done, unless that is what was asked last; nothing is asked about `null`. */
export function about(edit: Edit | null): void {
  if (JSON.stringify(edit) === JSON.stringify(wanted)) return;
  [wanted, verdict.value, current] = [edit, undefined, 0];
  ask();
}

/** One question about what is dragged at a time, the newest one next. */
function ask(): void {
  if (asked !== 0 || !wanted) return;
  last += 1;
  [asked, current] = [last, last];
  say({ say: "try", nth: last, edit: wanted });
}

/** Why nothing can be done while there is no connection; `null` while there is one. */
let broken: Verdict = null;
export const whyBroken = (): Verdict => broken;

/** Asks whether something can be done, whatever is dragged meanwhile. Without a connection, nothing can. */
export function may(edit: Edit, then: (why: Verdict) => void): void {
  if (broken !== null) {
    then(broken);
    return;
  }
  last += 1;
  waiting.set(last, then);
  say({ say: "try", nth: last, edit });
}

/** What is to be done when some questions are answered, and the last of these. */
let later: readonly (readonly [nth: number, then: () => void])[] = [];

/** Does something behind all that waits for an answer now: what was typed may be written only then. */
export function behind(then: () => void): void {
  if (waiting.size === 0) then();
  else later = [...later, [last, then]];
}

/** Takes in what the server says. */
export function hear({ nth, why }: { nth: number; why: Verdict }): void {
  const then = waiting.get(nth);
  waiting.delete(nth);
  if (then) then(why);
  const isDue = ([end]: readonly [number, unknown]): boolean => ![...waiting.keys()].some((one) => one <= end);
  const due = later.filter(isDue);
  later = later.filter((one) => !isDue(one));
  for (const [, then] of due) then();
  if (nth !== asked) return;
  asked = 0;
  if (nth !== current) ask();
  else if (wanted) verdict.value = why;
}

/** The connection has broken off: who waits for an answer hears why there is none. */
export function cut(why: Said): void {
  const all = [...waiting.values()];
  forget();
  broken = why;
  for (const then of all) then(why);
}

/** The connection is another one: what was asked before will not be answered. */
export function forget(): void {
  broken = null;
  asked = 0;
  later = [];
  waiting.clear();
}

/** How long something is chosen before it is asked what can be done to it: who only passes by asks nothing. */
const CALM_MS = 120;

/** What the server says of several edits, in their order, as long as `state` is the same; nothing until it has said all. */
export function useVerdicts(edits: readonly Edit[], state: unknown): readonly Verdict[] {
  const [known, know] = useState<readonly Verdict[]>([]);
  const key = JSON.stringify([edits, state]);
  useEffect(() => {
    let isOld = false;
    know([]);
    const found: Verdict[] = [];
    let left = edits.length;
    const wait = setTimeout(() => {
      edits.forEach((edit, nth) => {
        may(edit, (why) => {
          [found[nth], left] = [why, left - 1];
          if (left === 0 && !isOld) know(found);
        });
      });
    }, CALM_MS);
    return () => {
      isOld = true;
      clearTimeout(wait);
    };
  }, [key]);
  return known;
}
