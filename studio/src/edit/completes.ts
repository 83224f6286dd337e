// Which of the things that could be written Enter takes by itself: only what completes a name whose beginning is there. Nothing here
// knows the page; the editor of texts has it, too.

import type { Completion } from "../protocol";

/** A text in which something is to be written, the caret in it, and the piece that an entry replaces. */
export interface Spot {
  text: string;
  from: number;
  at: number;
  to: number;
}

/** What may stand before a name and be replaced with it, as in `"guard"`, `{key}` and `#true`. */
const bare = (text: string): string => text.replace(/^[#"{]+/, "");

/** Whether it is there already. Of a function, the parenthesis behind its name is not replaced. */
function isThere(one: Completion, { text, from, at, to }: Spot): boolean {
  const { insert } = one;
  return insert === text.slice(from, at) || insert === text.slice(from, to) || (insert.endsWith("(") && text.startsWith(insert, from));
}

/** Whether what stands before the caret is the beginning of its name. */
function isBegun(one: Completion, { text, from, at }: Spot): boolean {
  const typed = bare(text.slice(from, at));
  return /[\p{L}_]/u.test(typed) && /[\p{L}\p{N}_-]$/u.test(typed) && bare(one.insert).startsWith(typed);
}

/** What is there already comes first. */
export function sorted(items: readonly Completion[], spot: Spot): Completion[] {
  const there = items.filter((one) => isThere(one, spot));
  return [...there, ...items.filter((one) => !there.includes(one))];
}

/** The place of the one that Enter takes although nobody has chosen it; -1 if it takes none: a name that is whole is none that lacks something. */
export function byItself(items: readonly Completion[], spot: Spot): number {
  return !items.some((one) => isThere(one, spot)) && items[0] && isBegun(items[0], spot) ? 0 : -1;
}
