// What the server knows of a text that is being written.

import type { Caret, Completions } from "../protocol";
import { say } from "../wire/wire";

/** A question that waits for its answer. */
let nth = 0;
let waiting: { nth: number; answer: (found: Completions | null) => void } | null = null;

/** What could be written at a place; `null` if something else has been asked meanwhile. */
export function complete(caret: Caret): Promise<Completions | null> {
  waiting?.answer(null);
  nth += 1;
  const own = nth;
  return new Promise((answer) => {
    waiting = { nth: own, answer };
    say({ say: "complete", nth: own, caret });
  });
}

/** Takes an answer of the server. */
export function take(found: Completions): void {
  if (!waiting || waiting.nth !== found.nth) return;
  waiting.answer(found);
  waiting = null;
}
