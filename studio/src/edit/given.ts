// What a node gives to the leaf that it runs, to the event that it reports, or to the tree that it calls: parameters and ports.

import type { SheetKey, SheetNode } from "../protocol";
import * as sheet from "./sheet";

/**
 * How a value may be written: as an expression that names keys; as an argument, where a key stands in braces and an expression
 * behind `=`; at a port, which takes no expression; or at a port that is written back, which takes only a key.
 */
export type Form = "expression" | "argument" | "port" | "back";
export type Way = "literal" | "key" | "expression";

const WAYS: Record<Form, readonly Way[]> = {
  expression: ["literal", "key", "expression"],
  argument: ["literal", "key", "expression"],
  port: ["literal", "key"],
  back: ["key"],
};

export const waysOf = (form: Form): readonly Way[] => WAYS[form];

/** A parameter or port, as its manifest or its tree declares it. */
export interface Given {
  name: string;
  purpose: string;
  type: string;
  default: string | null;
  form: Form;
}

/** By the word of a task that runs another definition, the words by which that is defined. */
const CALLS: Record<string, readonly string[]> = {
  subtree: ["tree", "machine", "decide"],
  machine: ["machine"],
  decide: ["decide"],
  planner: ["planner"],
};

/** Whether a node runs another definition, which may have ports. */
export const isCall = (of: SheetNode): boolean => of.word in CALLS || of.word.startsWith("subtree");

/** By the word of a node, the kinds of leaves that it runs, if they are called otherwise. */
const KINDS: Record<string, readonly string[]> = {
  emit: ["event"],
  node: ["composite", "decorator"],
  find: ["candidates"],
  "test-condition": ["condition"],
};

const formOf = (key: SheetKey): Form => {
  if (key.word === "param") return "argument";
  // A list is never written in one place.
  return key.word === "in" && key.list === null ? "port" : "back";
};

/** What declares the thing that a node is about: a leaf, or a tree by its ports. */
function declaration(of: SheetNode): { doc: string; keys: SheetKey[] } | null {
  const all = sheet.sheet.value;
  // What a `find` calls the candidates is its own; where they come from is a property.
  const name = of.word === "find" ? sheet.property(of, "in") : of.values[0];
  if (!all || name === undefined || (of.role !== "task" && of.word !== "test-condition")) return null;
  const defined = CALLS[of.word];
  if (defined) {
    const tree = all.nodes.find((one) => one.depth === 0 && defined.includes(one.word) && one.values[0] === name);
    const keys = all.keys.filter((one) => one.scope === `in ${name}` && /^(in|out|inout)$/.test(one.word));
    return tree ? { doc: sheet.property(tree, "doc") ?? "", keys } : null;
  }
  const kinds = KINDS[of.word] ?? [of.word];
  const leaf = all.leaves.find((one) => one.id !== 0 && one.name === name && kinds.includes(one.kind));
  return leaf ? { doc: leaf.doc ?? "", keys: leaf.params } : null;
}

/** What the leaf or the tree of a node is for. */
export const docOf = (of: SheetNode): string => declaration(of)?.doc ?? "";

/** All that can be given to what a node is about. */
export const givensOf = (of: SheetNode): Given[] =>
  (declaration(of)?.keys ?? []).map((key) => ({
    name: key.name,
    purpose: key.doc ?? "",
    type: [key.list === null ? key.ty : `${key.ty} list=${key.list}`, ...key.values].join(" "),
    default: key.default,
    form: formOf(key),
  }));

/** How a property is written that the language does not know. */
export const givenForm = (of: SheetNode, name: string): Form =>
  givensOf(of).find((one) => one.name === name)?.form ?? (isCall(of) ? "port" : "argument");

/** Whether a text is a number or a truth value. */
export const isLiteral = (text: string): boolean => /^-?[\d.]+(e-?\d+)?$|^(true|false)$/i.test(text.trim());

/** The key in `"{key}"`. */
export const inBraces = (text: string): string | null => /^\s*\{([^{}]*)\}\s*$/.exec(text)?.[1].trim() ?? null;

/** A value as an expression; empty if it is a literal that stands where literals and expressions look alike. */
export function expressionIn(text: string, form: Form): string {
  if (form === "expression") return text;
  const key = inBraces(text);
  if (key !== null) return key;
  return form === "argument" && text.startsWith("=") ? text.slice(1).trim() : "";
}

/** How a key is written. */
export const keyAs = (key: string, form: Form): string => (form === "expression" ? key : `{${key}}`);

/** What somebody has typed as an expression, as the text has it. */
export const expressionAs = (typed: string, form: Form): string =>
  form !== "argument" || typed === "" || typed.startsWith("=") ? typed : `=${typed.replace(/\{([^{}]*)\}/g, "$1")}`;

/** What somebody has typed where an expression was: another one, unless it is plainly a number, a truth value or a key. */
export const typedOver = (typed: string, form: Form): string =>
  isLiteral(typed) || inBraces(typed) !== null ? typed : expressionAs(typed, form);
