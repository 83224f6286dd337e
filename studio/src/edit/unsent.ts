// What somebody types into a field of a node while somebody else removes the node: it is kept, and is in the field again if the
// node comes back.

import { signal } from "@preact/signals";

/** A text that is in a field and not in the document. */
export interface Unsent {
  id: number;
  /** What the node is called. */
  node: string;
  /** Which field of it. */
  field: string;
  text: string;
}

/** What is being typed. */
let typing: Unsent | null = null;

/** What was being typed when its node was removed. */
export const unsent = signal<readonly Unsent[]>([]);

const isSame = (one: Unsent, other: Unsent): boolean => one.id === other.id && one.field === other.field;

/** Something is in a field that is not in the document; `null` if there is nothing any more. */
export function types(what: Unsent | null): void {
  typing = what;
}

/** The document has these nodes now. */
export function keep(nodes: ReadonlySet<number>): void {
  const lost = typing;
  if (!lost || nodes.has(lost.id)) return;
  typing = null;
  unsent.value = unsent.value.filter((one) => !isSame(one, lost)).concat(lost);
}

/** The text that a field had when its node was removed. */
export const textOf = (id: number, field: string): string | undefined =>
  unsent.value.find((one) => one.id === id && one.field === field)?.text;

/** It has been written, or is not wanted. */
export function drop(id: number, field: string): void {
  const rest = unsent.value.filter((one) => one.id !== id || one.field !== field);
  if (rest.length < unsent.value.length) unsent.value = rest;
}

/** Another document is shown. */
export function forget(): void {
  typing = null;
  unsent.value = [];
}
