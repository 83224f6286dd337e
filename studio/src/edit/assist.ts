// What the server knows of a text that is being written.

import type { Caret, Completions, Hover } from "../protocol";
import { purpose } from "../texts/purposes";
import { say } from "../wire/wire";

let nth = 0;

/** Asks, and hands over the answer to the last question; a new question ends the wait for the one before. */
function asking<T extends { nth: number }>(kind: "complete" | "hover") {
  let waiting: { nth: number; answer: (found: T | null) => void } | null = null;
  return {
    ask: (caret: Caret): Promise<T | null> => {
      waiting?.answer(null);
      nth += 1;
      const own = nth;
      return new Promise((answer) => {
        waiting = { nth: own, answer };
        say({ say: kind, nth: own, caret });
      });
    },
    take: (found: T): void => {
      if (!waiting || waiting.nth !== found.nth) return;
      waiting.answer(found);
      waiting = null;
    },
  };
}

const completing = asking<Completions>("complete");

/** What could be written at a place; `null` if something else has been asked meanwhile. */
export const complete = completing.ask;

/** What words are for, and where they stand, is said in the language of the page. */
export function take(found: Completions): void {
  const items = found.items.map((one) => ({ ...one, detail: purpose(one.detail), doc: purpose(one.doc) }));
  completing.take({ ...found, items });
}

const hovering = asking<Hover>("hover");
const solving = asking<Hover>("hover");

/** What there is to know of the thing at a place, and what solves the problems there. */
export const hover = hovering.ask;

/** The same beside a node that is chosen: it does not end the wait of the text. */
export const solutions = solving.ask;

/** Whoever has asked takes the answer. */
export function takeHover(found: Hover): void {
  hovering.take(found);
  solving.take(found);
}
