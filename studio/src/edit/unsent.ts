// What somebody types into a field of a node, and what is not in the document: somebody else has removed the node meanwhile, or
// the program was gone. It is kept, also when the page is loaded again, and is in the field again.

import { signal } from "@preact/signals";
import type { Edit, Sheet, SheetNode } from "../protocol";
import { share, stored } from "./shared";

/** A text that is in a field and not in the document, or something that was done to a node and may not have arrived. */
export interface Unsent {
  /** The node; 0 as long as it is not known in the program that runs now, which may number its nodes in another way. */
  id: number;
  /** What the node is called. */
  node: string;
  /** Which field of it, or what was done. */
  field: string;
  text: string;
  /** What writes it; `null` if it cannot be done again. */
  edit: Edit | null;
  /** By which the node is found in another program: its file, its definition, and which of those that are called like it. */
  file: string;
  home: string;
  nth: number;
  /** How many are called like it: with fewer, it is not the one that was removed. */
  among?: number;
  /** What it is called once it has that, if that is another name. */
  renamed?: string;
  /** Its node was removed; it could not be sent; it was on its way when the program was gone; somebody else wrote there meanwhile. */
  why: "gone" | "lost" | "sent" | "changed";
}

const STORED = "treemind-unsent";
/** How much is kept for the next page. */
const MOST = 100;

/** What is being typed. */
let typing: Unsent | null = null;
/** Whether there is no program now: then what is being typed is kept for the next page, too. */
let isCut = false;

/** What was being typed when its node was removed, and what was not sent. */
export const unsent = signal<readonly Unsent[]>(stored(STORED).map((one) => JSON.parse(one)));

/** What this page has found or written in the storage, as it stands there. */
let known: readonly string[] = stored(STORED);

function store(withTyping = isCut): void {
  const all = unsent.value;
  const last = withTyping && typing ? [...all.filter((one) => !isSame(one, typing as Unsent)), typing] : all;
  const now = last.slice(-MOST).map(asStored);
  share(STORED, known, now);
  known = now;
}

// What is answered in one page is answered in all of them.
addEventListener("storage", ({ key }) => {
  if (key !== STORED) return;
  const all = stored(STORED);
  const gone = known.filter((one) => !all.includes(one));
  known = known.filter((one) => all.includes(one));
  const stay = unsent.value.filter((one) => !gone.includes(asStored(one)));
  if (stay.length < unsent.value.length) unsent.value = stay;
});

/** As it is stored: another program may number its nodes in another way. */
const asStored = (one: Unsent): string => JSON.stringify({ ...one, id: 0 });

const isSame = (one: Unsent, other: Unsent): boolean =>
  one.field === other.field && one.node === other.node && one.file === other.file && one.home === other.home && one.nth === other.nth;

/** What a node is called where it is gone. */
export const called = (of: SheetNode): string => `${of.word} ${of.values.join(" ")}`.trim();

/** What was typed in the row for something new; nothing of any other edit. */
export function textOfNew(of: Edit): string {
  const all =
    of.do === "add-key" ? [of.key.name, of.key.values, of.key.default, of.key.doc] : of.do === "add-leaf" ? [of.name, of.doc] : [];
  return all.filter((one) => one !== "").join(" · ");
}

/** The nodes of the definition in which a node is that are called the same, and what the definition is called. */
function namesakes({ nodes }: Pick<Sheet, "nodes">, at: number): { home: string; all: SheetNode[] } {
  const from = nodes.findLastIndex((one, nth) => nth <= at && one.depth === 0);
  const end = nodes.findIndex((one, nth) => nth > at && one.depth === 0);
  const own = nodes.slice(Math.max(0, from), end < 0 ? undefined : end);
  return { home: called(nodes[Math.max(0, from)]), all: own.filter((one) => called(one) === called(nodes[at])) };
}

/** What is typed into a field of a node, or was done to it, or to the whole document. */
export function about(of: SheetNode | null, now: Sheet, field: string, text: string, edit: Edit | null): Unsent {
  const at = of ? now.nodes.findIndex((one) => one.id === of.id) : -1;
  const { home, all } = at < 0 ? { home: "", all: [] } : namesakes(now, at);
  const file = now.files[of?.file ?? 0]?.name ?? "";
  const nth = all.findIndex((one) => one.id === of?.id);
  return {
    id: of?.id ?? 0,
    node: of ? called(of) : "",
    field,
    text,
    edit,
    file,
    home,
    nth,
    among: all.length,
    renamed: of ? renamedBy(of, edit) : "",
    why: "lost",
  };
}

/** What a node is called when an edit has been done to it. */
function renamedBy(of: SheetNode, edit: Edit | null): string {
  const at = edit?.do === "rename" ? 0 : edit?.do === "set" && /^\d+$/.test(edit.name) ? Number(edit.name) : -1;
  const to = edit?.do === "rename" ? edit.name : edit?.do === "set" ? edit.value : "";
  return at < 0 ? "" : called({ ...of, values: of.values.map((one, nth) => (nth === at ? to : one)) });
}

/** Something is in a field that is not in the document; `null` if there is nothing any more. */
export function types(what: Unsent | null): void {
  typing = what;
  if (isCut) store();
}

/** The program is gone, or is there again. */
export function cut(is: boolean): void {
  isCut = is;
  store();
}

/** The page is closed or loaded again: what is being typed is for the next one. */
export function leavePage(): void {
  if (typing) store(true);
}

/** It could not be sent, or nobody knows whether it has arrived. */
export function put(what: Unsent): void {
  // What could not be sent is shown in its field; of all else, each is another one.
  const rest = what.edit ? unsent.value.filter((one) => !one.edit || !isSame(one, what)) : unsent.value;
  unsent.value = rest.concat(what);
  store();
}

/** The document has these nodes now. */
export function keep(nodes: ReadonlySet<number>): void {
  const lost = typing;
  if (!lost || nodes.has(lost.id)) return;
  typing = null;
  const kept: Unsent = { ...lost, why: "gone" };
  put(kept);
  orphan = kept;
}

/** What was being typed when its node went. */
let orphan: Unsent | null = null;

/** Whether somebody was typing it when its node went; that is asked once. */
export function wasTyping(of: Unsent): boolean {
  if (of !== orphan) return false;
  orphan = null;
  return true;
}

/** Somebody types on where the text of a field that is gone is kept. */
export function retype(of: Unsent, text: string): void {
  const { edit } = of;
  const next =
    edit?.do === "comment"
      ? { ...edit, text }
      : edit?.do === "rename"
        ? { ...edit, name: text }
        : edit && "value" in edit
          ? ({ ...edit, value: text } as Edit)
          : edit;
  unsent.value = unsent.value.map((one) => (one === of ? { ...of, text, edit: next } : one));
  store();
}

/** What is in a field and not in the document because somebody else wrote there meanwhile. */
export const isMet = (id: number, field: string): boolean =>
  unsent.value.some((one) => one.id === id && one.field === field && one.why === "changed");

/** The text that a field had when its node was removed, or when it could not be sent. */
export const textOf = (id: number, field: string): string | undefined =>
  unsent.value.find((one) => one.id === id && one.field === field && one.edit)?.text;

/** The same without what belongs to a node that is gone. */
export const isNotSent = (id: number, field: string): boolean =>
  unsent.value.some((one) => one.id === id && one.field === field && one.edit && one.why !== "gone");

/** It has been written, or is not wanted. */
export function drop(id: number, field: string): void {
  leave(unsent.value.filter((one) => one.id !== id || one.field !== field));
}

/** This one is not wanted. */
export const close = (what: Unsent): void => leave(unsent.value.filter((one) => one !== what));

function leave(rest: readonly Unsent[]): void {
  if (rest.length === unsent.value.length) return;
  unsent.value = rest;
  store();
}

/** The edits that write one value of a node. */
const WRITES = /^(set|unset|comment|rename|set-default)$/;

/** What a node has where an edit writes. */
export function valueAt(of: SheetNode, edit: Edit): string | undefined {
  if (edit.do === "comment") return (of.comment ?? "").trimEnd();
  const name = edit.do === "rename" ? "0" : edit.do === "set-default" ? "default" : "name" in edit ? (edit.name as string) : "";
  return /^\d+$/.test(name) ? of.values[Number(name)] : of.properties.find((one) => one.name === name)?.value;
}

/** What an edit writes there. */
const written = (edit: Edit): string | undefined =>
  edit.do === "comment" ? edit.text.trimEnd() : edit.do === "rename" ? edit.name : "value" in edit ? (edit.value as string) : undefined;

/** Whether the node has what was to be written. */
function isWritten(of: SheetNode, edit: Edit | null): boolean {
  if (!edit || !WRITES.test(edit.do)) return false;
  const [is, text] = [valueAt(of, edit), written(edit)];
  return is === text || (edit.do === "set-default" && isLike(is ?? "", text ?? ""));
}

/** What this page has written last, by where it stands. */
const own = new Map<string, string>();
const placeOf = (edit: Edit): string =>
  "id" in edit ? `${edit.id} ${edit.do === "set" || edit.do === "unset" ? edit.name : edit.do}` : "";

/** This page has written something. */
export function wrote(edit: Edit): void {
  if (WRITES.test(edit.do)) own.set(placeOf(edit), written(edit) ?? "");
}

/** Whether somebody else has written, since `of` was shown, where an edit is to write. */
export function isChanged(of: SheetNode, now: Sheet, edit: Edit): boolean {
  const node = now.nodes.find((one) => one.id === of.id);
  if (!node || !WRITES.test(edit.do) || isWritten(node, edit)) return false;
  const is = valueAt(node, edit);
  return is !== valueAt(of, edit) && !isLike(is ?? "", own.get(placeOf(edit)) ?? "\0");
}

/** The same text, or the same number: `1` may be written as `1.0`. */
export const isLike = (value: string, typed: string): boolean =>
  value === typed || (typed.trim() !== "" && Number(value) === Number(typed));

/** Finds the nodes again in a document that has come; what has arrived after all is dropped. */
export function settle(now: Sheet): void {
  if (unsent.value.length === 0) return;
  const names = now.files.map((one) => one.name);
  const next = unsent.value.flatMap((one) => {
    const known = now.nodes.find((node) => node.id === one.id);
    // What another program writes again is another node, which is called the same.
    const found = known ?? (one.id === 0 || one.why === "gone" ? again(one, now, names) : undefined);
    if (!found) return isDone(one, now, names) ? [] : [one];
    if (isWritten(found, one.edit)) return [];
    // Another text of the file has another node by this number: then the node is gone.
    if (one.why === "gone" && called(found) !== one.node) return [{ ...one, id: 0 }];
    return one.id === found.id ? [one] : [{ ...one, id: found.id }];
  });
  if (next.length === unsent.value.length && next.every((one, nth) => one === unsent.value[nth])) return;
  unsent.value = next;
  store();
}

/** Whether a node is not found because it was removed, as was wanted, or because it is called what it was to be called. */
function isDone(one: Unsent, now: Sheet, names: readonly string[]): boolean {
  if (one.why === "gone" || !names.includes(one.file)) return false;
  if (one.field === "remove" && !one.edit) return true;
  const isIt = (node: SheetNode, nth: number): boolean =>
    called(node) === one.renamed && now.files[node.file].name === one.file && [one.home, one.renamed].includes(namesakes(now, nth).home);
  return !!one.renamed && now.nodes.some((node, nth) => isIt(node, nth) && isWritten(node, one.edit));
}

/** The node that was meant, in a program that was started again. */
function again(one: Unsent, now: Sheet, names: readonly string[]): SheetNode | undefined {
  const file = names.indexOf(one.file);
  const at = now.nodes.findIndex((node, nth) => node.file === file && called(node) === one.node && namesakes(now, nth).home === one.home);
  const all = at < 0 ? [] : namesakes(now, at).all;
  return one.why === "gone" && all.length < (one.among ?? 0) ? undefined : all[one.nth];
}

/** Another document is shown, or the program was started again: what is not written is kept, and what is being typed with it. */
export function forget(): void {
  if (typing) put({ ...typing, why: "lost" });
  typing = null;
  own.clear();
  unsent.value = unsent.value.map((one) => ({ ...one, id: 0 }));
  store();
}
