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

/** A value of a node in the text: the name of its property, or its number, and the piece of the text with its name. */
interface Entry {
  name: string;
  from: number;
  to: number;
}

/** A text in quotes, also in three and raw; or a word as it stands. */
const VALUE = /(#*)""".*?"""\1|(#+)".*?"\2|"(?:[^"\\]|\\.)*"|[^\s;{}="]+/sy;
/** A node or value that is switched off. */
const OFF = /\/-\s*/y;
/** What may stand between values: blanks, a line that goes on, comments. */
const BLANK = /(?:[^\S\n]|\\[^\n]*\n|\/\*.*?\*\/)*/sy;
const PROPERTY = /(?:"((?:[^"\\]|\\.)*)"|([^\s;{}="]+))\s*=\s*/sy;

/** Where a place of a text is in it. */
function offset(text: string, line: number, column: number): number {
  let begin = 0;
  for (let nth = 1; nth < line; nth++) begin = text.indexOf("\n", begin) + 1;
  return begin + column;
}

/** The values of the node that begins there, in their order. */
function entriesOf(text: string, begin: number): Entry[] {
  let place = begin;
  const read = (what: RegExp): RegExpExecArray | null => {
    what.lastIndex = place;
    const found = what.exec(text);
    if (found) place = what.lastIndex;
    return found;
  };
  const out: Entry[] = [];
  read(OFF);
  read(VALUE);
  for (let nth = 0; ; ) {
    read(BLANK);
    const isOff = read(OFF) !== null;
    const from = place;
    const property = read(PROPERTY);
    if (!read(VALUE)) return out;
    if (!isOff) out.push({ name: property ? (property[1] ?? property[2]) : String(nth++), from, to: place });
  }
}

/** Whether a problem is about this value or property of its node, or about a part of it. */
export function isAbout(one: Problem, name: string, of: Pick<SheetNode, "at">, text: string): boolean {
  const [line, column, last, end] = one.at;
  const [from, to] = [offset(text, line, column), offset(text, last, end)];
  const found = entriesOf(text, offset(text, of.at[0], of.at[1])).find((entry) => entry.name === name);
  return found !== undefined && found.from <= from && to <= found.to;
}
