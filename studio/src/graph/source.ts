// The document as it is written, as lines that the graph can draw: with what is switched off, and with its mistakes.

import { computed, signal } from "@preact/signals";
import * as sheet from "../edit/sheet";
import type { SheetNode } from "../protocol";
import * as model from "../wire/model";

type Line = model.Line;

/** What is drawn at the top of a document; everything else is in the rows. */
const DRAWN = ["tree", "machine", "decide", "planner"];
/** The words that ask in a decision tree. */
export const QUESTIONS = ["test", "range", "test-condition", "switch", "random", "best"];
/** Nodes that are called by their first value. */
const NAMED = ["action", "condition", "subtree", "machine", "decide", "tree", "branch", "monitor", "planner", "goal", "task", "method"];

/** The parts of states whose tasks are drawn as trees, by their ids. */
export const opened = signal<ReadonlySet<number>>(new Set());

/** The id of the line of a node. */
export const idOf = (node: number): string => `#${node}`;

/** The nodes that are drawn, in the order of the text. */
export const nodes = computed<SheetNode[]>(() => {
  let isDrawn = false;
  return (sheet.sheet.value?.nodes ?? []).filter((one) => {
    if (one.depth === 0) isDrawn = DRAWN.includes(one.word);
    return isDrawn;
  });
});

/** For each of them, the position of the one around it; -1 for none. */
export const parents = computed<number[]>(() => {
  const around: number[] = [];
  return nodes.value.map((one, nth) => {
    around.length = one.depth;
    const parent = around.at(-1) ?? -1;
    around.push(nth);
    return parent;
  });
});

export const below = computed<number[]>(() => model.belowOf(parents.value));

/** Where the node with an id is among them; -1 if it is not drawn. */
export const placeOf = computed(() => new Map(nodes.value.map((one, nth) => [one.id, nth])));

/** Whether each of them, or something around it, is switched off. */
export const areOut = computed<boolean[]>(() => {
  const out: boolean[] = [];
  for (const [nth, one] of nodes.value.entries()) out.push(one.is_disabled || (out[parents.value[nth]] ?? false));
  return out;
});

export const folded = computed<ReadonlySet<string>>(() => new Set([...sheet.folded.value].map(idOf)));

export const shown = computed<number[]>(() => {
  const hidden: boolean[] = [];
  return nodes.value.flatMap((_, nth) => {
    const parent = parents.value[nth];
    hidden.push(parent >= 0 && (hidden[parent] || sheet.folded.value.has(nodes.value[parent].id)));
    return hidden[nth] ? [] : [nth];
  });
});

const quoted = (text: string): string => (/[\s="{};]/.test(text) || text === "" ? `"${text}"` : text);

const isOf = (of: SheetNode): Line["is"] => {
  if (of.role === "state" || (of.word === "machine" && of.depth === 0)) return "state";
  if (of.role === "transition") return "transition";
  if (of.role === "state-part") return "part";
  if (of.role === "answer") return "way";
  if (of.role === "question" && QUESTIONS.includes(of.word)) return "test";
  return "node";
};

/** A node as its card shows it. */
function partsOf(of: SheetNode, kind: string): NonNullable<Line["parts"]> {
  const others = of.properties.filter((one) => !["doc", "disabled", "name"].includes(one.name));
  const properties = others.map((one) => (one.name === "not" && one.value === "true" ? "not" : `${one.name}=${one.value}`));
  const name = sheet.property(of, "name");
  const is = isOf(of);
  if (is === "state") return { kind, name: of.values.join(" "), rest: "" };
  if (is === "way") return { kind: "way", name: of.values.join(" ") || properties.join(" ") || of.word, rest: "" };
  if (is === "test")
    return { kind: "test", name: of.word === "test" ? of.values.join(" ") : [of.word, ...of.values].join(" "), rest: properties.join(" ") };
  if (is === "transition" || is === "part")
    return { kind: is === "part" ? of.word : is, name: [of.word, ...of.values, ...properties].join(" "), rest: "" };
  if (of.word === "goto") return { kind: "goto", name: `goto ${of.values.join(" ")}`, rest: "" };
  const isNamed = name === undefined && NAMED.includes(of.word) && of.values.length > 0;
  const title = name ?? (isNamed ? of.values[0] || of.word : of.word);
  return { kind: of.word === "tree" ? "tree" : of.word, name: title, rest: [...of.values.slice(isNamed ? 1 : 0), ...properties].join(" ") };
}

/** What kind of state it is. */
function kindOf(nth: number): string {
  const of = nodes.value[nth];
  if (of.word === "machine" || of.word === "parallel") return of.word;
  if (sheet.property(of, "final") === "true") return "final";
  const end = nth + below.value[nth];
  for (let at = nth + 1; at <= end; at++) if (nodes.value[at].role === "state") return "composite";
  return "atomic";
}

/** The state that a name means, seen from a state: the nearest one around which it is. */
function stateNamed(path: string, from: number): number {
  const names = path.split(".");
  const isIt = (nth: number): boolean => {
    let at = nth;
    for (const name of [...names].reverse()) {
      if (at < 0 || nodes.value[at].values[0] !== name) return false;
      at = parents.value[at];
    }
    return nodes.value[nth].role === "state";
  };
  for (let around = from; around >= 0; around = parents.value[around]) {
    if (isIt(around)) return around;
    for (let at = around + 1; at <= around + below.value[around]; at++) if (isIt(at)) return at;
  }
  return -1;
}

export const lines = computed<Line[]>(() =>
  nodes.value.map((of, nth): Line => {
    const compiled = model.lines.value[sheet.lineOf(of)];
    const pieces = compiled ? [...compiled.values, ...compiled.properties].flatMap((one) => one.parts) : [];
    const is = isOf(of);
    const kind = is === "state" ? kindOf(nth) : of.word;
    const to = sheet.property(of, "to") ?? sheet.property(of, "push");
    const target = is === "transition" && to !== undefined ? stateNamed(to, parents.value[nth]) : -1;
    return {
      id: idOf(of.id),
      indent: of.depth * 2,
      text: [
        of.word,
        ...of.values.map(quoted),
        ...of.properties.filter((one) => one.name !== "doc").map((one) => `${one.name}=${quoted(one.value)}`),
      ].join(" "),
      doc: sheet.property(of, "doc") ?? "",
      is,
      word: of.word,
      kind: is === "state" ? kind : undefined,
      values: of.values.map((text, place) => ({ text, parts: place === 0 ? pieces : [] })),
      properties: of.properties.map((one) => ({ name: one.name, text: one.value, parts: [] })),
      label: of.values[0] ?? "",
      targets: target >= 0 ? [idOf(nodes.value[target].id)] : undefined,
      parts: partsOf(of, kind),
    };
  }),
);

/** The definitions that are drawn: the position of each, and of the last node in it. */
export const definitions = computed<[number, number][]>(() =>
  nodes.value.flatMap((of, nth) => (of.depth === 0 ? [[nth, nth + below.value[nth]] as [number, number]] : [])),
);

/** Opens a part of a state in place, or closes it. */
export function open(id: number, isOpen: boolean): void {
  const next = new Set(opened.value);
  if (isOpen) next.add(id);
  else next.delete(id);
  opened.value = next;
}
