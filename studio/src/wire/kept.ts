// The breakpoints of each file, kept by the browser: a program that was started again gets them back.

import type { Breakpoint } from "../panels/breakpoints";
import type { Break } from "../protocol";
import { store, stored } from "../texts";

interface OfFile {
  /** The start of the program that has them. */
  start: string;
  all: Break[];
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
export function again(file: string, start: string): Break[] {
  const known = read();
  const own = known[file];
  if (!own || own.start === start) return [];
  store("breakpoints", JSON.stringify({ ...known, [file]: { ...own, start } }));
  return own.all;
}

/** Keeps the breakpoints that the program has for a file. */
export function keep(file: string, start: string, all: Breakpoint[]): void {
  const own = all.map((one): Break => {
    const { line, line_text: text, key, event, on, from, is_on, only_lists } = one;
    const at = line !== null ? { line, text: text ?? undefined } : key !== null ? { key } : { event: event ?? undefined };
    return { mind: one.only ?? one.mind, ...at, on, if: one.if, from, is_on, only_lists, only: one.only !== null };
  });
  const known = read();
  const before = known[file];
  if (own.length === 0 && !before) return;
  if (before?.start === start && JSON.stringify(before.all) === JSON.stringify(own)) return;
  store("breakpoints", JSON.stringify({ ...known, [file]: { start, all: own } }));
}
