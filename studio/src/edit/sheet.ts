// The document as it is edited: what the server says of it, what is chosen, and what is asked for.

import { computed, effect, signal } from "@preact/signals";
import type { Beside, Done, Edit, Fit, Fits, Role, Sheet, SheetChange, SheetNode, Where, Words } from "../protocol";
import { t } from "../texts";
import { inLanguage } from "../texts/purposes";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";
import { say, trySay } from "../wire/wire";
import { changed } from "./change";
import { quoted, split } from "./quoting";
import { ask, hasCome, plain, strand } from "./typing";
import * as unsent from "./unsent";
import * as unwritten from "./unwritten";

/** Whether this page may edit, and what others call it. */
export const mayEdit = signal(false);
/** Whether this page could edit in a program that has ended, and cannot in the one that runs now. */
export const hasEnded = signal(false);
export const you = signal("");
/** Counts the documents that were shown: what was made for one of them means nothing in the next, where other nodes have its ids. */
export const turns = signal(0);
/** The words of the language, as the server says them, and as the page does. */
export const heardWords = signal<Words | null>(null);
export const words = computed(() => heardWords.value && inLanguage(heardWords.value));
/** The document as it was said last; `null` if it cannot be edited, or is not known yet. */
export const sheet = signal<Sheet | null>(null);
/** Whether all its blocks are closed; until they are, nobody knows its nodes. */
export const isWhole = computed(() => (sheet.value?.files ?? []).every((one) => one.is_whole));
/** The ids of the nodes that are chosen, the one that was chosen last at the end. */
export const chosen = signal<readonly number[]>([]);
export const folded = signal<ReadonlySet<number>>(new Set());
/** Whether the text of the document is typed. */
export const writes = signal(false);
/** What is shown beside the document while it is edited. */
export const desk = signal<"graph" | "keys" | "leaves" | "map">("graph");
/** Where something is to be added, while one chooses what. */
export const adding = signal<Beside | null>(null);
/** What is to be put around several nodes: those behind the first one. */
export const addingFor = signal<readonly number[]>([]);

/** An edit of this page, until the server has heard of it. */
interface OnItsWay {
  /** The last question that was asked before it: an answer to a later one has what it did. */
  asked: number;
  /** Whether what it adds is what one goes on with; a key that an expression needed, or the blackboard that a scope needs, is not. */
  movesOn: boolean;
  /** What it is about among all that it adds; `null` if any of it may be. */
  about: Role | null;
  /** Whether somebody has chosen what to add, and may have to say more of it. */
  isAdd: boolean;
  /** What it does, until it is refused. */
  edit: Edit | null;
  /** What the field is called in which it was typed. */
  field: string;
}
let onTheirWay: readonly OnItsWay[] = [];
/** What this page has just added, until it is looked at. */
export const added = signal<number | null>(null);
/** The number of the last question of the page. */
let asked = 0;

/** The page asks its next question. */
export function asks(nth: number): void {
  asked = nth;
}

/** The edits by which something comes that one goes on with. */
const ADDS = /^(add|add-state|add-transition|duplicate|extract|lead|share|accept|fix|type)$/;

/** Does something to the document. What it adds is chosen then, unless one is to `stay` where one is. */
export function edit(what: Edit, then: "go on" | "stay" = "go on"): void {
  send(what, then);
}

/** The same; returns whether it could be sent, and says if not. */
export function send(what: Edit, then: "go on" | "stay" = "go on"): boolean {
  const is = tryTo(what, then);
  if (!is && model.refused.value === "") model.refused.value = t("notDone");
  return is;
}

/** The same, without a word if it could not. */
export function tryTo(what: Edit, then: "go on" | "stay" = "go on", field = ""): boolean {
  model.refused.value = "";
  const isSent = trySay({ say: "edit", edit: what });
  // A branch comes with what leads to it.
  const about = /^(lead|share)$/.test(what.do) ? "branch" : null;
  if (isSent) {
    unsent.wrote(what);
    onTheirWay = [
      ...onTheirWay,
      { asked, movesOn: then === "go on" && ADDS.test(what.do), about, isAdd: what.do === "add", edit: what, field },
    ];
  }
  return isSent;
}

/** Writes what is in a field. What cannot be sent, and what would replace something that others wrote since `of` was shown, is kept, and offered again. */
export function write(of: SheetNode, field: string, text: string, what: Edit): void {
  const now = sheet.value;
  const isMet = !!now && unsent.isChanged(of, now, what);
  const isSent = !isMet && tryTo(what, "go on", field);
  if (!isSent && now) unsent.put({ ...unsent.about(of, now, field, text, what), why: isMet ? "changed" : "lost" });
}

/** The server has refused the first of the edits that are on their way. */
export function refuse(): void {
  const first = onTheirWay.findIndex((one) => one.edit);
  if (sheet.value && first >= 0) offerAgain(onTheirWay[first].edit, sheet.value);
  onTheirWay = onTheirWay.map((one, nth) => (nth === first ? { ...one, edit: null } : one));
}

/** What was kept and could not be put in is offered again. */
function offerAgain(edit: Edit | null, { files }: Sheet): void {
  if (edit?.do === "put-in") ask(files[edit.file].name, { bases: [edit.base], isLost: false, shown: plain(edit.text) });
}

/** The edits that are kept or told elsewhere, and those after which nothing is missing. */
const UNTOLD = /^(undo|redo|save|save-at-once|settle|type|put-in)$/;

/** The way to the server has broken off: nobody knows what has become of what was on its way. */
export function cut(): void {
  const now = sheet.value;
  for (const { edit, asked, field } of onTheirWay)
    if (now && edit && asked >= model.heard.value) {
      offerAgain(edit, now);
      if (!UNTOLD.test(edit.do)) tell(edit, now, field);
    }
  onTheirWay = [];
  unsent.cut(true);
  // Of the document that is edited here, the sheet has the texts; those of all others are with what is not on disk.
  const others = unwritten.texts();
  const own = (now?.files ?? []).filter((one) => !one.is_saved && others.every((other) => other.name !== one.name));
  const of = model.view.value?.file;
  // A page alone keeps the whole text.
  if (!isAlone) strand([...own.map(({ name, text }) => ({ name, text, saved: onDisk.get(name), of })), ...others]);
}

/** The texts of the files when they were last on disk. */
const onDisk = new Map<string, string>();

/** Tells of an edit that has perhaps not arrived. */
function tell(edit: Edit, now: Sheet, field: string): void {
  const id = "id" in edit ? edit.id : "ids" in edit ? edit.ids[0] : "spot" in edit ? edit.spot.id : undefined;
  const of = now.nodes.find((one) => one.id === id);
  const text =
    edit.do === "rename"
      ? edit.name
      : /^set(-default)?$/.test(edit.do) && "value" in edit
        ? edit.value
        : "text" in edit
          ? edit.text
          : unsent.textOfNew(edit);
  const again = /^(set|unset|comment|rename|set-default)$/.test(edit.do) ? edit : null;
  unsent.put({ ...unsent.about(of ?? null, now, field || edit.do, text, again), why: "sent" });
}

/** Takes over what has changed; returns whether it is about the sheet that the page has. */
export function takeChange(of: SheetChange, nth = Infinity): boolean {
  const next = changed(sheet.value, of);
  if (next) take(next, nth);
  return next !== null;
}

/** How many of the steps that were done the server lists. */
const MOST_DONE = 100;

/** The steps that were done since; `null` if some were taken back meanwhile. */
function stepsSince(before: readonly Done[], now: readonly Done[]): readonly Done[] | null {
  const isSame = (one: Done, other: Done | undefined): boolean =>
    one.by === other?.by && JSON.stringify(one.label) === JSON.stringify(other.label);
  // The first ones are no longer listed.
  const most = before.length < MOST_DONE ? 0 : before.length - 1;
  for (let gone = 0; gone <= most; gone++)
    if (before.slice(gone).every((one, nth) => isSame(one, now[nth]))) return now.slice(before.length - gone);
  return null;
}

/**
 * Takes out the edits of this page that `next` has, in the answer to the question `nth`. Returns them only if nobody else has
 * done anything since the last sheet: otherwise nobody knows who has added what.
 */
function arrived(next: Sheet, nth: number): readonly OnItsWay[] {
  const before = sheet.value;
  const waiting = onTheirWay;
  const steps = before && stepsSince(before.done, next.done);
  const own = (steps ?? []).filter((one) => one.by === you.value).length;
  onTheirWay = waiting.slice(own).filter((one) => one.asked >= nth);
  if (!before || !steps || own < steps.length || next.undo?.by !== you.value || next.selection) return [];
  // Each step makes one revision, and another one for each file that it saves. What somebody types on is no other step.
  const each = next.saves_at_once ? 1 + next.files.length : 1;
  return next.revision - before.revision <= each * waiting.length ? waiting : [];
}

/** Takes over what the server says in its answer to the question `nth`. What is gone is no longer chosen; what this page has added is. */
export function take(next: Sheet, nth = Infinity): void {
  const before = new Set(sheet.value?.nodes.map((node) => node.id));
  const now = new Set(next.nodes.map((node) => node.id));
  const own = arrived(next, nth).findLast((one) => one.movesOn);
  const come = next.nodes.filter((node) => !before.has(node.id));
  const fresh = own && meant(own.about ? come.filter((node) => node.role === own.about) : come);
  // What is undone or done again chooses what was chosen there, and a tree that is put somewhere its root.
  const isNews = next.revision !== sheet.value?.revision;
  const again = isNews && next.selection?.by === you.value ? next.selection.ids : [];
  const isGone = chosen.value.length > 0 && !chosen.value.some((id) => now.has(id));
  const left = isGone ? beyond(chosen.value.at(-1) as number, now) : undefined;
  unsent.keep(now);
  for (const { name, text, is_saved, saved } of next.files) {
    const on = is_saved ? text : saved;
    if (on !== undefined) onDisk.set(name, on);
  }
  hasCome(next.files);
  sheet.value = next;
  unsent.settle(next);
  if (again.length > 0) {
    chosen.value = again;
    scrollTo(again[again.length - 1]);
  } else if (fresh) {
    if (own?.isAdd) added.value = fresh.id;
    chosen.value = [fresh.id];
    scrollTo(fresh.id);
  } else if (left !== undefined) chosen.value = [left];
  if (chosen.value.some((id) => !now.has(id))) chosen.value = chosen.value.filter((id) => now.has(id));
}

/**
 * What was meant of all that has come: what says where something begins may come with a state, and keys and leaves with
 * what needs them.
 */
export function meant(added: SheetNode[]): SheetNode | undefined {
  const comesAlong = (of: SheetNode): boolean =>
    of.word === "initial" || of.role === "other" || (of.depth === 0 && /^(blackboard|leaves|main|import)$/.test(of.word));
  return added.find((node) => !comesAlong(node)) ?? added.find((node) => node.word !== "initial") ?? added[0];
}

/** Where one goes on when a node is gone: with what was in it, with the peer behind it or before it, or with what it was in. */
function beyond(id: number, stays: ReadonlySet<number>): number | undefined {
  const nodes = sheet.value?.nodes ?? [];
  for (let nth = nodes.findIndex((one) => one.id === id); nth >= 0; nth = parents.value[nth]) {
    if (stays.has(nodes[nth].id)) return nodes[nth].id;
    const inner = nodes.find((one, other) => parents.value[other] === nth && stays.has(one.id) && one.role === nodes[nth].role);
    if (inner) return inner.id;
    const isPeer = (_: SheetNode, other: number): boolean => parents.value[other] === parents.value[nth] && stays.has(nodes[other].id);
    const peer =
      nodes.find((one, other) => other > nth && isPeer(one, other)) ?? nodes.findLast((one, other) => other < nth && isPeer(one, other));
    if (peer) return peer.id;
  }
  return undefined;
}

export function scrollTo(id: number): void {
  requestAnimationFrame(() => document.getElementById(`sheet-${id}`)?.scrollIntoView({ block: "nearest" }));
}

/** Chooses a node wherever it is, and shows it. */
export function reveal(id: number): void {
  const nodes = sheet.value?.nodes ?? [];
  const open = new Set(folded.value);
  for (let around = parents.value[nodes.findIndex((one) => one.id === id)]; around >= 0; around = parents.value[around])
    open.delete(nodes[around].id);
  [folded.value, chosen.value] = [open, [id]];
  const line = node.value ? lineOf(node.value) : -1;
  if (line >= 0) model.selected.value = model.lines.value[line].id;
  scrollTo(id);
}

/** The value of a property of a node. */
export const property = (of: SheetNode, name: string): string | undefined => of.properties.find((one) => one.name === name)?.value;

/** Chooses the node of a line of the definition, as far as the game plays this text. */
export function chooseLine(nth: number): void {
  const found = sheet.value?.nodes.find((one) => ran.value.get(one.id)?.includes(nth));
  if (!found || chosen.value.at(-1) === found.id) return;
  chosen.value = [found.id];
  scrollTo(found.id);
}

/** Forgets the document: another file is shown. Of a program that was started again, the same text is typed on. */
export function forget(then: "turn" | "type on" = "turn"): void {
  [sheet.value, chosen.value, folded.value, adding.value] = [null, [], new Set(), null];
  turns.value = turns.peek() + 1;
  onTheirWay = [];
  known.value = null;
  if (then === "turn") writes.value = false;
  unsent.forget();
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

/** The position of a node, and those of all nodes around it. */
export function parentsOf(nth: number): number[] {
  const all: number[] = [];
  for (let at = nth; at >= 0; at = parents.value[at]) all.push(at);
  return all;
}

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

/** The name of the file of a node if that is an imported one, by the number of the file: as seen from the document. */
export function importedFrom(file: number): string | null {
  const [own, other] = [sheet.value?.files[0]?.name ?? "", sheet.value?.files[file]?.name ?? null];
  const folder = own.slice(0, own.lastIndexOf("/") + 1);
  return file === 0 ? null : other?.startsWith(folder) ? other.slice(folder.length) : other;
}

/** The name of the imported file into which a new leaf is written: the first one that has leaves; `null` for the document itself. */
export const leavesGoTo = computed<string | null>(() => {
  const blocks = (sheet.value?.nodes ?? []).filter((one) => one.depth === 0 && one.word === "leaves");
  return blocks.length === 0 ? null : importedFrom(Math.min(...blocks.map((one) => one.file)));
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

/** The text of a node, as it is written, with the comments right above it and behind it. */
export function textOf(of: SheetNode): string {
  const [line, column, last, end] = of.at;
  const all = (sheet.value?.files[of.file].text ?? "").split("\n");
  const lines = all.slice(line - 1, last);
  if (!isComment(lines[lines.length - 1].slice(end).trim())) lines[lines.length - 1] = lines[lines.length - 1].slice(0, end);
  const own = lines[0].slice(0, column);
  lines[0] = lines[0].slice(column);
  if (own.trim() !== "") return lines.join("\n").trim();
  // What is copied stands at the margin, wherever it stood.
  const found = [...commentAbove(all, line - 1), ...lines];
  const isBelow = found.every((one) => one.trim() === "" || one === lines[0] || one.startsWith(own));
  return (isBelow ? found.map((one) => (one.startsWith(own) ? one.slice(own.length) : one)) : found).join("\n").trim();
}

const isComment = (text: string): boolean => /^(\/\/[^\n]*|\/\*((?!\*\/).)*\*\/)$/s.test(text);

/** The lines of comments right above a line. */
function commentAbove(all: string[], line: number): string[] {
  let first = line;
  for (let from = line - 1; from >= 0 && all[from].trim() !== ""; from--)
    if (isComment(all.slice(from, first).join("\n").trim())) first = from;
    // A comment may have several lines.
    else if (!all[first - 1].trim().endsWith("*/")) break;
  return all.slice(first, line);
}

/** Why what is chosen cannot be changed, and nothing added beside it: something in its file is not closed. `null` if it can. */
export const whyFixed = computed<string | null>(() => {
  const files = sheet.value?.files ?? [];
  const own = outermost.value.map((one) => files[one.file]);
  return (own.length > 0 ? own : files).every((one) => one.is_whole) ? null : t("openBlock");
});

/** The words of a node in its row. */
export function said(of: SheetNode): { name: string; rest: string } {
  const others = of.properties.filter((one) => !/^(disabled|doc)$/.test(one.name));
  return { name: of.values.join(" "), rest: others.map((one) => `${one.name}=${one.value}`).join("  ") };
}

/** The lines of the definition that run each node, by its id; only where the game plays this text. */
const played = computed<ReadonlyMap<number, number[]>>(() => {
  const out = new Map<number, number[]>();
  const definition = model.definition.value;
  const now = sheet.value;
  if (!definition || definition.draft || !now) return out;
  const places = new Map<string, number[]>();
  definition.places?.forEach((place, nth) => {
    const key = place ? `${place[0]} ${place[1]} ${place[2]}` : "";
    if (place) places.set(key, [...(places.get(key) ?? []), nth]);
  });
  const files = now.files.map((file) => definition.texts.findIndex((text) => text.name === file.name && text.text === file.text));
  for (const one of now.nodes) {
    const found = places.get(`${files[one.file]} ${one.at[0]} ${one.at[1]}`);
    if (found) out.set(one.id, found);
  }
  return out;
});

/** What was known when the game played the whole text: the lines of the definition, and for each node what it said and what ran it. */
interface Known {
  lines: string[];
  nodes: ReadonlyMap<number, { says: string; lines: number[] }>;
}
const known = signal<Known | null>(null);

/** Everything that a node says, but not where it stands. */
const says = (of: SheetNode): string => JSON.stringify([of.word, of.values, of.properties.map((one) => [one.name, one.value])]);

/** Whether the game plays each file of the document as it is written now. */
function isPlayed(): boolean {
  const texts = model.definition.peek()?.texts ?? [];
  return (sheet.peek()?.files ?? []).every((file) => texts.every((one) => one.name !== file.name || one.text === file.text));
}

effect(() => {
  const all = played.value;
  if (all.size === 0 || !isPlayed()) return;
  const nodes = (sheet.peek()?.nodes ?? []).flatMap((one) => {
    const lines = all.get(one.id);
    return lines ? [[one.id, { says: says(one), lines }] as const] : [];
  });
  known.value = { lines: model.lines.peek().map((line) => line.text), nodes: new Map(nodes) };
});

/**
 * The lines of the definition that run each node, by its id. While the document has mistakes, the game plays on with the last good
 * one: what is unchanged since then still runs.
 */
export const ran = computed<ReadonlyMap<number, number[]>>(() => {
  if (!model.definition.value?.draft) return played.value;
  const out = new Map<number, number[]>();
  const [before, now] = [known.value, model.lines.value];
  if (before?.lines.length !== now.length || before.lines.some((text, nth) => text !== now[nth].text)) return out;
  for (const one of sheet.value?.nodes ?? []) {
    const same = before.nodes.get(one.id);
    if (same?.says === says(one)) out.set(one.id, same.lines);
  }
  return out;
});

/** The node that one has chosen is not the one of a line: whatever is said of the line is about something else. */
export function isElsewhere(nth: number): boolean {
  const owner = sheet.value?.nodes.find((one) => ran.value.get(one.id)?.includes(nth));
  return !!owner && !!node.value && owner.id !== node.value.id;
}

/** The first line of the definition that runs what a node says; -1 for none. */
export const lineOf = (of: SheetNode): number => ran.value.get(of.id)?.[0] ?? -1;

/** What may stand where something is to be added, as the server knows it, for each side that was asked for. */
const fits = signal<ReadonlyMap<Where, Fits>>(new Map());

/** What can be added, and on which side. */
export interface Offer extends Fit {
  side: Where;
}

/** Begins to choose what to add. What fits only beside the node, or only into it, is offered too. */
export function add(id: number, side: Where, others: readonly number[] = []): void {
  adding.value = { id, side };
  addingFor.value = others;
  fits.value = new Map();
  askFits();
}

/** Asks what may stand there, as far as that is not known. */
export function askFits(): void {
  const spot = adding.peek();
  if (!spot) return;
  for (const side of sidesFor(spot.side)) if (!fits.peek().has(side)) say({ say: "fits", spot: { id: spot.id, side } });
}

const nearSides = (side: Where): Where[] => (side === "around" ? [side] : [side, side === "into" ? "after" : "into"]);

/** The sides on which something can be added. Where nothing fits beside a node and into it, something may still fit around it. */
function sidesFor(side: Where): Where[] {
  const near = nearSides(side);
  const isFull = side !== "around" && near.every((one) => fits.value.get(one)?.fits.length === 0);
  return isFull ? [...near, "around"] : near;
}

/** Takes what the server says may stand at a place. */
export function takeFits(of: Fits): void {
  if (of.spot.id !== adding.value?.id) return;
  const before = isAsking.peek();
  fits.value = new Map(fits.value).set(of.spot.side, of);
  // All that was asked for has come: only what may be around the node is still to be asked.
  if (before && nearSides(adding.value.side).every((side) => fits.peek().has(side))) askFits();
}

/** Whether the server has not yet said what may stand there. */
export const isAsking = computed(() => adding.value !== null && !sidesFor(adding.value.side).every((side) => fits.value.has(side)));

/** Why nothing at all may stand there: beside the node, or in it. */
export const whyNot = computed(() => {
  const all = adding.value ? nearSides(adding.value.side).map((side) => fits.value.get(side)) : [];
  return all.every((one) => one?.why) ? (all[0]?.why ?? null) : null;
});

/** What can be added, by what somebody types. */
export function offers(query: string): Offer[] {
  const spot = adding.value;
  if (!spot) return [];
  const typed = query.trim();
  const lists = sidesFor(spot.side).map((side) => ({ side, fits: fits.value.get(side)?.fits ?? [] }));
  // Among tasks, a word means the same in both places; a `machine` beside a definition is another definition.
  const isSame = (sheet.value?.nodes.find((one) => one.id === spot.id)?.depth ?? 0) > 0;
  const all = lists.flatMap(({ side, fits }, nth) =>
    fits
      .filter((one) => !isSame || !lists.slice(0, nth).some((before) => before.fits.some((other) => other.text === one.text)))
      .map((one) => ({ ...one, side })),
  );
  const found = all.filter((one) => typed === "" || one.text.toLowerCase().includes(typed.toLowerCase()));
  const rank = (one: Fit): number =>
    one.text
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(typed.toLowerCase()))
      ? 0
      : 1;
  found.sort((left, right) => rank(left) - rank(right));
  // A word with values of one's own.
  const { first } = split(typed);
  const own = words.value && typed.includes(" ") ? quoted(typed, words.value) : typed;
  const word = words.value?.words.find((one) => one.name === first);
  const isOwn = typed.includes(" ") && word && !found.some((one) => one.text === own);
  if (!isOwn) return found;
  const sides = new Set(all.filter((one) => one.word === first).map((one) => one.side));
  if (sides.size === 0) sides.add(spot.side);
  // Where several places have the word, what fits here says what it is for.
  const doc = all.find((one) => one.word === first)?.doc ?? word.purpose;
  return [...[...sides].map((side) => ({ text: own, doc, word: first, side })), ...found];
}

export const beside = (id: number, side: Where): Beside => ({ id, side });
