// Which nodes the problems of the document are about: they are shown where the nodes are, too.

import { computed } from "@preact/signals";
import type { Problem, SheetNode } from "../protocol";
import * as sheet from "./sheet";

/** A place in a text: its line, and its column there. */
type Place = [line: number, column: number];

const isBefore = (one: Place, other: Place): boolean => one[0] < other[0] || (one[0] === other[0] && one[1] <= other[1]);

/** For each node, by its id, what is wrong in its own words; what is wrong in a node within it is only that one's. */
export function troublesOf(nodes: readonly SheetNode[], files: readonly string[], problems: readonly Problem[]): Map<number, Problem[]> {
  const out = new Map<number, Problem[]>();
  for (const one of problems) {
    const file = files.indexOf(one.file);
    const [line, column] = one.at;
    // Nodes come before those that they contain, so the last one is the innermost.
    const of = nodes.findLast(
      ({ file: own, at }) => own === file && isBefore([at[0], at[1]], [line, column]) && isBefore([line, column], [at[2], at[3]]),
    );
    if (of) out.set(of.id, [...(out.get(of.id) ?? []), one]);
  }
  return out;
}

/** The same for the document as it is edited. */
export const troubles = computed<ReadonlyMap<number, Problem[]>>(() => {
  const all = sheet.sheet.value;
  if (!all) return new Map();
  return troublesOf(
    all.nodes,
    all.files.map((file) => file.name),
    all.problems,
  );
});

/** The node of the document that a problem is about; `null` if it is about none. */
export function nodeOf(problem: Problem): number | null {
  const all = sheet.sheet.value;
  if (!all) return null;
  const names = all.files.map((file) => file.name);
  return [...troublesOf(all.nodes, names, [problem]).keys()][0] ?? null;
}

/** Whether a problem is about this value or property of its node. */
export function isAbout(one: Problem, name: string, value: string, text: string): boolean {
  const [line, column, last, end] = one.at;
  if (line !== last) return false;
  const marked = text.split("\n")[line - 1]?.slice(column, end) ?? "";
  return marked.startsWith(`${name}=`) || (value !== "" && (marked === value || marked === JSON.stringify(value)));
}
