// The breakpoints of each file, kept by the browser: a program that was started again gets them back.

import type { Breakpoint } from "./breakpoints";
import { store, stored } from "./texts";

/** What `break` says again. */
type Kept = Pick<Breakpoint, "mind" | "line" | "key" | "event" | "on" | "if" | "from" | "is_on" | "only_lists"> & {
  text: string | null;
  only: boolean;
};

interface OfFile {
  /** The start of the program that has them. */
  start: string;
  all: Kept[];
}

export function read(): Record<string, OfFile> {
  try {
    const known: unknown = JSON.parse(stored("breakpoints") ?? "{}");
    return known && typeof known === "object" ? (known as Record<string, OfFile>) : {};
  } catch {
    return {};
  }
}

/** What to say to a program that was started again since the breakpoints of this file were set; notes that it was said. */
export function again(file: string, start: string): Record<string, unknown>[] {
  const known = read();
  const own = known[file];
  if (!own || own.start === start) return [];
  store("breakpoints", JSON.stringify({ ...known, [file]: { ...own, start } }));
  return own.all.map(({ line, text, key, event, ...rest }) => ({
    say: "break",
    ...(line !== null ? { line, text } : key !== null ? { key } : { event }),
    ...rest,
  }));
}

/** Keeps the breakpoints that the program has for a file. */
export function keep(file: string, start: string, all: Breakpoint[]): void {
  const own = all.map((one): Kept => {
    const { line, key, event, on, from, is_on, only_lists } = one;
    const mind = one.only ?? one.mind;
    return { mind, line, text: one.line_text, key, event, on, if: one.if, from, is_on, only_lists, only: one.only !== null };
  });
  const known = read();
  const before = known[file];
  if (own.length === 0 && !before) return;
  if (before?.start === start && JSON.stringify(before.all) === JSON.stringify(own)) return;
  store("breakpoints", JSON.stringify({ ...known, [file]: { start, all: own } }));
}
