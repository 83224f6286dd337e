// Which values of a node are computed, and what those expressions come to in the running game.

import { computed } from "@preact/signals";
import type { Said, SheetNode, Word, WordProperty } from "../protocol";
import * as model from "../wire/model";
import { expressionIn, type Form, givenForm } from "./given";
import { expressionsIn, selectorOf } from "./scores";
import * as sheet from "./sheet";
import { namesIn } from "./value";

/** What the language says of the word of a node. Nodes of trees have words that declarations and states have, too. */
export function wordOf(of: SheetNode): Word | undefined {
  const all = (sheet.words.value?.words ?? []).filter((one) => one.name === of.word);
  // A question has the word of a declaration, too: a test.
  const isMeant = (one: Word): boolean =>
    of.role === "question" ? one.place.startsWith("in a decision tree") : one.is_node === (of.role === "task");
  const meant = all.filter(isMeant);
  // Some words mean something else in the block of another one: a score, say, in that of a `find`.
  return meant.find((one) => meant.length > 1 && one.place.includes(`\`${wordAround(of)}\``)) ?? meant[0] ?? all[0];
}

/** The properties that a node may have. */
export function known(of: SheetNode): WordProperty[] {
  const all = sheet.words.value;
  const word = wordOf(of);
  return [...(word?.properties ?? []), ...(word?.is_node ? (all?.of_nodes ?? []) : [])];
}

/** A value that a node does not have. */
export interface Lacking {
  isNeeded: boolean;
  /** What it needs, if the server says so: `the number of seconds`. */
  what: Said;
}

/** The code of what something has to have. */
const IS_NEEDED = "T0203";

/** The value that a node may have behind its word, and does not. */
export function lacking(of: SheetNode): Lacking | null {
  if (of.values.length > 0) return null;
  const word = wordOf(of);
  const file = sheet.sheet.value?.files[of.file]?.name;
  const needed = (sheet.sheet.value?.problems ?? []).find(({ file: where, at, code, text }) => {
    const isHere = where === file && at[0] === of.at[0] && at[1] === of.at[1] && code === IS_NEEDED;
    // The same code is that of a property; a sentence about the value has the word in its hole.
    return isHere && typeof text !== "string" && /^`\{\}` needs (the name of )?\{\}$/.test(text.says) && text.with[0] === of.word;
  });
  if (needed && typeof needed.text !== "string") return { isNeeded: true, what: needed.text.with[1] ?? "" };
  // The name of a state, say, may also be written as a property.
  const isElsewhere = word?.value === "name" && sheet.property(of, "name") !== undefined;
  const mayHave = word !== undefined && (word.value !== "value" || word.is_computed) && !isElsewhere;
  return mayHave ? { isNeeded: false, what: "" } : null;
}

/** Whether a property means something in a node below this word. */
export const isReadBelow = (of: WordProperty, parent: string): boolean => of.below.length === 0 || of.below.includes(parent);

/** The word of the node around a node. */
export function wordAround(of: SheetNode): string {
  const nodes = sheet.sheet.value?.nodes ?? [];
  return nodes[sheet.parents.value[nodes.indexOf(of)]]?.word ?? "";
}

/** How a value, by its number, or a property may be computed; `null` if not. What the table does not know is a parameter of a leaf, or a port. */
export function computedAs(of: SheetNode, name: string): Form | null {
  const form = (is: boolean): Form | null => (is ? "expression" : null);
  // A test has a name where a question has an expression.
  if (/^\d+$/.test(name)) return form(of.depth > 0 && (wordOf(of)?.is_computed ?? false));
  const about = known(of).find((one) => one.name === name);
  if (about) return form(about.is_computed);
  return of.role === "task" ? givenForm(of, name) : null;
}

/** The names that stand for something else than keys around a node: the ports and parameters of its definition. */
function ports(of: SheetNode): Set<string> {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  const top = nodes.findLastIndex((one, nth) => nth <= at && one.depth === 0);
  const end = nodes.findIndex((one, nth) => nth > top && one.depth === 0);
  const inner = nodes.slice(top + 1, end < 0 ? undefined : end);
  return new Set(inner.filter((one) => /^(in|out|inout|param)$/.test(one.word)).map((one) => one.values[0]));
}

/** The expressions of the node that is chosen, of which one may want to know what they come to. */
export const asked = computed<string[]>(() => {
  const of = sheet.node.value;
  if (!of || model.panel.value !== "edit") return [];
  const other = ports(of);
  const own = [...of.values.map((value, nth) => [String(nth), value]), ...of.properties.map((one) => [one.name, one.value])];
  const said = own.map(([name, value]) => {
    const form = computedAs(of, name);
    return form === null ? "" : expressionIn(value, form);
  });
  // A number is what it says.
  const named = said.filter((value) => namesIn(value).length > 0 && !namesIn(value).some((name) => other.has(name)));
  // The scores of the others beside it, if it is one of several among which a choice is made.
  const selector = selectorOf(of);
  return [...new Set([...named, ...(selector ? expressionsIn(selector) : [])])];
});

/** The same as one text: it changes only with the expressions. */
export const askedFor = computed(() => JSON.stringify(asked.value));

/** What an expression comes to now, if the last view says so. */
export function worthOf(expression: string): string | null {
  return model.view.value?.worth?.find(([text]) => text === expression)?.[1] ?? null;
}
