// The document as it is edited: what the server says of it, what is chosen, and what is asked for.

import { computed, signal } from "@preact/signals";
import * as model from "./model";
import type { Beside, Edit, Sheet, SheetNode, Where, Word, Words } from "./protocol";
import { say } from "./wire";

/** Whether this page may edit, and what others call it. */
export const mayEdit = signal(false);
export const you = signal("");
export const words = signal<Words | null>(null);
/** The document as it was said last; `null` if it cannot be edited, or is not known yet. */
export const sheet = signal<Sheet | null>(null);
/** The ids of the nodes that are chosen, the one that was chosen last at the end. */
export const chosen = signal<readonly number[]>([]);
export const folded = signal<ReadonlySet<number>>(new Set());
/** Whether the text of the document is typed. */
export const writes = signal(false);
/** Where something is to be added, while one chooses what. */
export const adding = signal<Beside | null>(null);

export function edit(what: Edit): void {
  model.refused.value = "";
  say({ say: "edit", edit: what });
}

/** Takes over what the server says. What is gone is no longer chosen; what has come is. */
export function take(next: Sheet): void {
  const before = new Set(sheet.value?.nodes.map((node) => node.id));
  const now = new Set(next.nodes.map((node) => node.id));
  const isMine = next.undo?.by === you.value && next.revision > (sheet.value?.revision ?? Infinity);
  const fresh = next.nodes.find((node) => !before.has(node.id));
  sheet.value = next;
  if (isMine && fresh) {
    chosen.value = [fresh.id];
    scrollTo(fresh.id);
  }
  if (chosen.value.some((id) => !now.has(id))) chosen.value = chosen.value.filter((id) => now.has(id));
}

export function scrollTo(id: number): void {
  requestAnimationFrame(() => document.getElementById(`sheet-${id}`)?.scrollIntoView({ block: "nearest" }));
}

/** The value of a property of a node. */
export const property = (of: SheetNode, name: string): string | undefined => of.properties.find((one) => one.name === name)?.value;

/** Chooses the node of a line of the definition, as far as the game plays this text. */
export function chooseLine(nth: number): void {
  const found = sheet.value?.nodes.find((one) => lineOf(one) === nth);
  if (!found || chosen.value.at(-1) === found.id) return;
  chosen.value = [found.id];
  scrollTo(found.id);
}

/** Forgets the document: another file is shown. */
export function forget(): void {
  [sheet.value, chosen.value, folded.value, adding.value, writes.value] = [null, [], new Set(), null, false];
}

/** For each node, the position of the one that it is in; -1 for none. */
export const parents = computed<number[]>(() => {
  const around: number[] = [];
  return (sheet.value?.nodes ?? []).map((node, nth) => {
    around.length = node.depth;
    const parent = around.at(-1) ?? -1;
    around.push(nth);
    return parent;
  });
});

/** The positions of the nodes that are in no folded one. */
export const shown = computed<number[]>(() => {
  const nodes = sheet.value?.nodes ?? [];
  let hidden = Infinity;
  const out: number[] = [];
  nodes.forEach((node, nth) => {
    if (node.depth > hidden) return;
    hidden = folded.value.has(node.id) ? node.depth : Infinity;
    out.push(nth);
  });
  return out;
});

export const hasChildren = (nth: number): boolean => {
  const nodes = sheet.value?.nodes ?? [];
  return (nodes[nth + 1]?.depth ?? 0) > nodes[nth].depth;
};

/** The node that was chosen last. */
export const node = computed<SheetNode | null>(() => {
  const last = chosen.value.at(-1);
  return sheet.value?.nodes.find((one) => one.id === last) ?? null;
});

/** The chosen nodes in the order of the text, without those that are in others of them. */
export const outermost = computed<SheetNode[]>(() => {
  const nodes = sheet.value?.nodes ?? [];
  const picked = new Set(chosen.value);
  return nodes.filter((one, nth) => {
    let around = parents.value[nth];
    while (around >= 0 && !picked.has(nodes[around].id)) around = parents.value[around];
    return picked.has(one.id) && around < 0;
  });
});

/** The text of a node, as it is written. */
export function textOf(of: SheetNode): string {
  const [line, column, last, end] = of.at;
  const lines = (sheet.value?.files[of.file].text ?? "").split("\n").slice(line - 1, last);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end);
  lines[0] = lines[0].slice(column);
  return lines.join("\n");
}

/** The words of a node in its row. */
export function said(of: SheetNode): { name: string; rest: string } {
  const others = of.properties.filter((one) => !/^(disabled|doc)$/.test(one.name));
  return { name: of.values.join(" "), rest: others.map((one) => `${one.name}=${one.value}`).join("  ") };
}

/** The line of the definition that runs what a node says; -1 for none. Only where the game plays this text. */
export function lineOf(of: SheetNode): number {
  const definition = model.definition.value;
  const file = sheet.value?.files[of.file];
  const nth = definition?.texts.findIndex((text) => text.name === file?.name && text.text === file.text) ?? -1;
  if (!definition || definition.draft || nth < 0) return -1;
  return definition.places?.findIndex((place) => place?.[0] === nth && place[1] === of.at[0] && place[2] === of.at[1]) ?? -1;
}

/** What can be added: nodes of trees, the leaves and the definitions of the document, by what somebody types. */
export function offers(query: string): { text: string; note: string; kind: string }[] {
  const nodes = sheet.value?.nodes ?? [];
  const typed = query.trim();
  const nameOf = (one: SheetNode): string => one.values[0] ?? "";
  const docOf = (one: SheetNode): string => property(one, "doc") ?? "";
  const declared = nodes.flatMap((one, nth) => {
    const around = parents.value[nth] < 0 ? "" : nodes[parents.value[nth]].word;
    if (around === "leaves" && /^(action|condition|node)$/.test(one.word))
      return [{ one, text: `${one.word} ${nameOf(one)}`, kind: one.word }];
    if (around === "" && one.word === "tree") return [{ one, text: `subtree ${nameOf(one)}`, kind: "subtree" }];
    if (around === "" && /^(machine|decide)$/.test(one.word)) return [{ one, text: `${one.word} ${nameOf(one)}`, kind: one.word }];
    return [];
  });
  const own = declared.map(({ one, text, kind }) => ({ text, note: docOf(one), kind }));
  const known: Word[] = words.value?.words ?? [];
  const inTrees = known.filter((word) => word.is_node).map((word) => ({ text: word.snippet, note: word.purpose, kind: word.name }));
  const names = new Set(inTrees.map((one) => one.kind));
  const others = known
    .filter((word) => !names.has(word.name))
    .map((word) => ({ text: word.name, note: `${word.purpose} · ${word.place}`, kind: word.name }));
  const all = [...own, ...inTrees, ...others];
  const first = typed.split(" ")[0];
  const fits = (one: { text: string; kind: string }): boolean => typed === "" || one.text.toLowerCase().includes(typed.toLowerCase());
  const found = all.filter(fits);
  const starts = (one: { text: string }): number => (one.text.split(" ").some((word) => word.startsWith(typed)) ? 0 : 1);
  found.sort((left, right) => starts(left) - starts(right));
  // A word with values of one's own.
  const isOwn = typed.includes(" ") && known.some((word) => word.name === first) && !found.some((one) => one.text === typed);
  return isOwn ? [{ text: typed, note: known.find((word) => word.name === first)?.purpose ?? "", kind: first }, ...found] : found;
}

export const beside = (id: number, side: Where): Beside => ({ id, side });
