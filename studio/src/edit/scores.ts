// What the children of a `utility-selector` score, as it is written, or as somebody drags a curve. docs/utility.md describes it.

import { signal } from "@preact/signals";
import type { SheetNode, WordCurve } from "../protocol";
import { type Curve, worth } from "./curves";
import * as sheet from "./sheet";

/** The curve that is being dragged, and the consideration whose it is. */
export const dragging = signal<{ id: number; curve: Curve } | null>(null);

/** What an expression comes to; `null` if nobody knows. */
type Value = (expression: string) => number | null;

/** The nodes directly in a node. */
export function inside(of: SheetNode): SheetNode[] {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  return nodes.filter((_, nth) => sheet.parents.value[nth] === at);
}

/** The curves as the language has them. */
export const known = (): WordCurve[] => sheet.words.value?.curves ?? [];

export const pointsOf = (of: SheetNode): SheetNode[] => inside(of).filter((one) => one.word === "point");

/** The curve of a consideration as it is written. */
export function curveOf(of: SheetNode): Curve {
  const all = known();
  const name = sheet.property(of, "curve") ?? all[0]?.name ?? "";
  const usual = Object.fromEntries(all.find((one) => one.name === name)?.parameters ?? []);
  const written = of.properties.filter((one) => usual[one.name] !== undefined);
  return {
    name,
    numbers: { ...usual, ...Object.fromEntries(written.map((one) => [one.name, Number(one.value)])) },
    points: pointsOf(of).map((one) => [Number(one.values[0]), Number(one.values[1])]),
  };
}

const within = (value: number): number => Math.min(1, Math.max(0, value));

/** What somebody has written: a number, or an expression. */
function read(text: string | undefined, value: Value): number | null {
  if (text === undefined || text.trim() === "") return null;
  return Number.isNaN(Number(text)) ? value(text) : Number(text);
}

/** What a consideration is worth, and its weight. */
function considered(of: SheetNode, value: Value): [number, number] | null {
  const x = read(of.values[0], value);
  const weight = read(sheet.property(of, "weight") ?? "1", value);
  if (x === null || weight === null) return null;
  const curve = dragging.value?.id === of.id ? dragging.value.curve : curveOf(of);
  return [within(worth(curve, within(x))), within(weight)];
}

/** What a block of considerations comes to. */
function combined(of: SheetNode, value: Value): number | null {
  const all = inside(of)
    .filter((one) => one.word === "consider" && !one.is_disabled)
    .map((one) => considered(one, value));
  const each = all.filter((one) => one !== null);
  if (each.length === 0 || each.length < all.length) return null;
  const softened = each.map(([c, w]) => c + (1 - w) * (1 - c));
  const compensated = softened.map((f) => f + (1 - f) * (1 - 1 / softened.length) * f);
  const how = sheet.property(of, "combine") ?? "product";
  if (how === "min") return Math.min(...softened);
  if (how === "max") return Math.max(...each.map(([c, w]) => w * c));
  if (how === "average") {
    const weights = each.reduce((sum, [, w]) => sum + w, 0);
    return weights > 0 ? each.reduce((sum, [c, w]) => sum + w * c, 0) / weights : null;
  }
  const factors = sheet.property(of, "compensate") === "true" ? compensated : softened;
  return factors.reduce((product, f) => product * f, 1);
}

/** The score of a child of a `utility-selector`; `null` if one of the values in it is not known. */
export function scoreOf(of: SheetNode, value: Value): number | null {
  const block = inside(of).find((one) => one.word === "score");
  const own = block ? combined(block, value) : read(sheet.property(of, "score"), value);
  const weight = read(sheet.property(block ?? of, "weight") ?? "1", value);
  if (own === null || weight === null) return null;
  return Math.max(0, own * weight);
}

/** The `utility-selector` around a node, or that node. */
export function selectorOf(of: SheetNode): SheetNode | null {
  const nodes = sheet.sheet.value?.nodes ?? [];
  let at = nodes.indexOf(of);
  while (at >= 0 && nodes[at].word !== "utility-selector") at = sheet.parents.value[at];
  return nodes[at] ?? null;
}

/** The expressions in the scores of its children, each once. */
export function expressionsIn(selector: SheetNode): string[] {
  const found = new Set<string>();
  const note = (text: string): number => found.add(text).size;
  for (const one of inside(selector)) scoreOf(one, note);
  return [...found];
}
