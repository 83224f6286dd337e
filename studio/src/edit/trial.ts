// What the server says of an edit before it is done: whether what is dragged may be dropped where it is now.

import { signal } from "@preact/signals";
import type { Edit, Said } from "../protocol";
import { say } from "../wire/wire";

/** What the server said of the edit that was asked for last: why it cannot be; `undefined` until it has. */
export const verdict = signal<Said | null | undefined>(undefined);

let nth = 0;
let isAsked = false;
let wanted: Edit | null = null;

/** Begins to ask about other things: what was asked before is of no use any more. */
export function begin(): void {
  [wanted, verdict.value] = [null, undefined];
}

/** Asks whether something can be done, unless that is what was asked last; nothing is asked about `null`. */
export function about(edit: Edit | null): void {
  if (JSON.stringify(edit) === JSON.stringify(wanted)) return;
  [wanted, verdict.value] = [edit, undefined];
  // The answer to a question about another place is of no use any more.
  nth += isAsked ? 1 : 0;
  ask();
}

/** One question at a time, the newest one next. */
function ask(): void {
  if (isAsked || !wanted) return;
  nth += 1;
  isAsked = true;
  say({ say: "try", nth, edit: wanted });
}

/** Takes in what the server says. */
export function hear(answer: { nth: number; why: Said | null }): void {
  isAsked = false;
  if (answer.nth !== nth) ask();
  else if (wanted) verdict.value = answer.why;
}
