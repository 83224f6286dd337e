// What somebody types behind a word, as the text of a document: an expression stands in quotes there.

import type { Words } from "../protocol";

/** The word at the beginning, whatever its letters, and what stands behind it. */
export function split(typed: string): { first: string; rest: string } {
  const [first, ...rest] = typed.trim().split(/ +/);
  return { first: first.toLowerCase(), rest: rest.join(" ") };
}

/** A value that stands as it is: a text in quotes, a number, `#true`, a name. */
const PLAIN = /^(?:#*".*|#\w+|[+-]?[\d_]*\.?\d[\d_]*(?:e[+-]?\d+)?|(?![+-.]?\d)[^\s"(){}[\]/\\;#=]+)$/isu;

/** The first place outside of texts at which one of these begins; the whole length if none does. */
function placeOf(text: string, what: RegExp): number {
  const outside = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, (found) => "_".repeat(found.length));
  const at = outside.search(what);
  return at < 0 ? text.length : at;
}

/** What is typed, with its expression in quotes if the word takes one, and with nothing else changed. */
export function quoted(typed: string, words: Pick<Words, "words" | "of_nodes">): string {
  const text = typed.trim();
  const { first } = split(text);
  const own = words.words.filter((one) => one.name === first);
  if (own.length === 0) return text;
  const rest = text.slice(first.length).trim();
  if (!own.some((one) => one.is_computed)) return rest === "" ? first : `${first} ${rest}`;
  // Behind the value come properties and what is in the node; but `if a { 1 } else { 2 }` is a value.
  const names = [...own.flatMap((one) => one.properties), ...words.of_nodes].map((one) => one.name);
  const property = placeOf(rest, new RegExp(`(?<=^|\\s)(?:${names.join("|")})=(?!=)`, "u"));
  const block = rest.startsWith("if ") ? rest.length : placeOf(rest, /\{/u);
  const end = Math.min(names.length > 0 ? property : rest.length, block);
  const value = rest.slice(0, end).trim();
  const isPlain = value === "" || PLAIN.test(value);
  const said = isPlain ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  return [first, said, rest.slice(end).trim()].filter((part) => part !== "").join(" ");
}
