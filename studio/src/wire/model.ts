// What the server says, and what the page remembers of it. docs/studio-protocol.md says when.

import { computed, signal } from "@preact/signals";
import type * as protocol from "../protocol";
import type { Said } from "../protocol";

export type Mark = protocol.MarkWord;
/** A line; one of a document as it is written says itself what its card shows. */
export type Line = protocol.Line & { parts?: { kind: string; name: string; rest: string } };
export type Behaviour = protocol.Behaviour;
export type Definition = protocol.Definition;
export type Problem = protocol.Problem;
export type Place = NonNullable<Definition["places"][number]>;
export type Reason = protocol.Reason;
export type Explanation = protocol.Explanation;
export type Body = protocol.Body;
export type Scene = protocol.Scene;
export type Bar = protocol.Bar;
export type Lanes = protocol.Lanes;
export type Film = Omit<protocol.Film, "past" | "shares"> & Partial<Pick<protocol.Film, "past" | "shares">>;
export type View = protocol.View;

export const noFilm: Film = { since: 0, to: 0, fills: 0, does: [], states: [], plans: [], keys: [], events: [] };

/** The ticks of a second of the arena; the server says it. */
export const ticksPerSec = signal(20);
export const files = signal<string[]>([]);
export const view = signal<View | null>(null);
/** The number of the question that was answered last. */
export const heard = signal(0);
export const definition = signal<Definition | null>(null);
export const film = signal<Film>(noFilm);
export const isConnected = signal(false);
/** Whether the program answers nobody who has the address of this page: it lacks the token. */
export const isForbidden = signal(false);
/** The file that this page looks at, and the agent: other pages may look at others. */
export const file = signal("");
export const mind = signal(0);
export const selected = signal<string | null>(null);
export const folded = signal<ReadonlySet<string>>(new Set());
export const panel = signal<"graph" | "edit" | "tests" | "text">("graph");
export const query = signal("");
export const helps = signal(false);
/** The key that was edited last, what was written, and what was there before. */
export const edited = signal<{ mind: number; key: string; value: string; was: string; tick: number } | null>(null);
/** The same if the game has written it again in the next tick: its tick and value. */
export const rewritten = signal<{ mind: number; key: string; value: string; wanted: string; tick: number } | null>(null);

/** Finds out whether the game has written the key again that was edited. */
export function lookForEdit(now: View): void {
  const last = edited.value;
  if (!last || now.mind !== last.mind || now.tick <= last.tick) return;
  const nth = definition.value?.behaviour?.keys.findIndex((key) => key.name === last.key) ?? -1;
  const value = now.keys?.[nth]?.value;
  // A game that goes on has ticked a few times before it hears of the edit.
  if (value === last.was && !now.is_paused && now.tick <= last.tick + LATE) return;
  edited.value = null;
  if (value === undefined || now.tick > last.tick + SOON) return;
  const isSame = value === last.value || (value !== "" && Number(value) === Number(last.value));
  if (!isSame) rewritten.value = { ...last, value, wanted: last.value, tick: now.keys?.[nth]?.changed ?? now.tick };
}

/** A key that has another value so many ticks later was written again. */
const SOON = 20;
/** An edit takes effect within so many ticks. */
const LATE = 10;

/** Why the server did not do what was asked last; empty if it did. */
export const refused = signal<Said>("");
/** The reload whose report the user has closed. */
export const closed = signal(0);
/** Closes what is said in the head of the page of something that is over. */
export function dismissAll(): void {
  refused.value = "";
  const last = view.value?.reloaded;
  if (last?.is_done) closed.value = Math.max(closed.value, last.nth);
}

export const lines = computed<Line[]>(() => definition.value?.behaviour?.lines ?? []);

/** For each line, the line that it is inside of; -1 for none. */
export function parentsOf(all: Line[]): number[] {
  const open: number[] = [];
  return all.map((line, nth) => {
    while (open.length > 0 && all[open[open.length - 1]].indent >= line.indent) open.pop();
    const parent = open.length > 0 ? open[open.length - 1] : -1;
    open.push(nth);
    return parent;
  });
}

/** How many lines are below each line. */
export function belowOf(parents: number[]): number[] {
  const counts = parents.map(() => 0);
  for (let nth = parents.length - 1; nth >= 0; nth--) if (parents[nth] >= 0) counts[parents[nth]] += counts[nth] + 1;
  return counts;
}

export const parents = computed<number[]>(() => parentsOf(lines.value));

export const marks = computed<Mark[]>(() => {
  const all = view.value?.marks ?? [];
  return lines.value.map((_, nth) => {
    const mark = all[nth] ?? "";
    return typeof mark === "string" ? mark : mark[0];
  });
});

/** The marks as they are drawn: where there is none, what came and went while nobody looked. */
export const drawn = computed<Mark[]>(() => {
  const flashes = new Map(view.value?.flashes ?? []);
  return flashes.size === 0 ? marks.value : marks.value.map((mark, nth) => mark || (flashes.get(nth) ?? ""));
});

export const notes = computed<string[]>(() => {
  const all = view.value?.marks ?? [];
  return lines.value.map((_, nth) => {
    const mark = all[nth] ?? "";
    return typeof mark === "string" ? "" : mark[1];
  });
});

/** For the lines of transitions with a history, where they lead now. */
export const returns = computed(() => new Map((view.value?.returns ?? []).map((one) => [one.line, one])));

export const below = computed<number[]>(() => belowOf(parents.value));

/** The line that is shown alone, with what is inside of it; `null` shows all. */
export const root = signal<string | null>(null);

/** The lines around the one that is shown alone, from the outermost on, and that line. */
export const crumbs = computed<number[]>(() => {
  const out: number[] = [];
  for (let nth = lines.value.findIndex((line) => line.id === root.value); nth >= 0; nth = parents.value[nth]) out.unshift(nth);
  return out;
});

/** The lines that are not inside of a folded one. */
export const shown = computed<number[]>(() => {
  const top = crumbs.value.at(-1);
  const [from, to] = top === undefined ? [0, lines.value.length] : [top, top + below.value[top] + 1];
  const hidden = lines.value.map(() => false);
  const out: number[] = [];
  for (let nth = from; nth < to; nth++) {
    const parent = parents.value[nth];
    hidden[nth] = parent >= from && (hidden[parent] || folded.value.has(lines.value[parent].id));
    if (!hidden[nth]) out.push(nth);
  }
  return out;
});

/** How deep each line is. */
const depths = computed<number[]>(() => {
  const out: number[] = [];
  for (const parent of parents.value) out.push(parent < 0 ? 0 : out[parent] + 1);
  return out;
});

/** Folds everything that is deeper than so many levels below what is shown; 0 unfolds all. */
export function foldTo(level: number): void {
  const top = crumbs.value.at(-1);
  const start = top === undefined ? 0 : depths.value[top];
  const isFolded = (nth: number): boolean => level > 0 && below.value[nth] > 0 && depths.value[nth] - start >= level;
  folded.value = new Set(lines.value.filter((_, nth) => isFolded(nth)).map((line) => line.id));
}

/** Shows a line alone, or all lines again. */
export function openAlone(id: string | null): void {
  const nth = lines.value.findIndex((line) => line.id === id);
  root.value = nth > 0 && below.value[nth] > 0 ? id : null;
  if (id) fold(id, false);
}

/** Whether graph and list keep in view what runs. Whoever moves them by hand ends that. */
export const follows = signal(true);

/** Whether the line that is selected was chosen by the game, where it has stopped, and not by hand. */
export let isSelectedByGame = false;

/** The documents as they are written now, and what is wrong with them. */
export const written = computed<protocol.Draft>(
  () => definition.value?.draft ?? { texts: definition.value?.texts ?? [], problems: definition.value?.problems ?? [] },
);

/** How high a line of the list is, in pixels; the style sheet says the same. */
export const ROW_PX = 25;

/** Scrolls the list to a line; returns whether it had to move. */
export function scrollList(nth: number): boolean {
  const rows = document.querySelector<HTMLElement>(".rows");
  const place = shown.value.indexOf(nth);
  if (!rows || place < 0 || query.value !== "") return false;
  const [y, before] = [place * ROW_PX, rows.scrollTop];
  if (y < before) rows.scrollTop = y;
  else if (y + ROW_PX > before + rows.clientHeight) rows.scrollTop = y + ROW_PX - rows.clientHeight;
  return rows.scrollTop !== before;
}

/** Scrolls the list to a line that somebody has chosen. */
export function scrollTo(id: string): void {
  const isByGame = isSelectedByGame;
  requestAnimationFrame(() => {
    const nth = lines.value.findIndex((line) => line.id === id);
    if (scrollList(nth) && !isByGame && nth !== running.value) follows.value = false;
  });
}

/** The line itself, or the one that it is folded into. */
export function visible(nth: number): number {
  let found = nth;
  for (let at = nth; at >= 0; at = parents.value[at]) if (folded.value.has(lines.value[at].id) && at !== nth) found = at;
  return found;
}

/** Selects a line, and shows it, wherever it is hidden. */
export function reveal(id: string, isByGame = false): void {
  isSelectedByGame = isByGame;
  const nth = lines.value.findIndex((line) => line.id === id);
  if (nth < 0) return;
  const top = crumbs.value.at(-1);
  if (top !== undefined && (nth < top || nth > top + below.value[top])) root.value = null;
  const open = new Set(folded.value);
  for (let around = parents.value[nth]; around >= 0; around = parents.value[around]) open.delete(lines.value[around].id);
  folded.value = open;
  selected.value = id;
  scrollTo(id);
}

/** Where the node of a line is in the texts. */
export function placeOf(id: string | null): Place | null {
  return definition.value?.places?.[lines.value.findIndex((line) => line.id === id)] ?? null;
}

/** The line of a document's text that somebody wants to see. */
export const textAt = signal<{ file: string; line: number; column: number } | null>(null);

export function showText(file: string, line: number, column = 0): void {
  panel.value = "text";
  textAt.value = { file, line, column };
  requestAnimationFrame(() => document.querySelector(".text .here")?.scrollIntoView({ block: "center" }));
}

export const isActive = (mark: Mark): boolean => mark === "run" || mark === "entered";

/** Whether a line is an action, be it the only node of a tree that is put there. */
export const isAction = (line: Line): boolean => line.is === "node" && line.word === "action";

/** The value of a property of a line. */
export const property = (line: Line, name: string): string | undefined => line.properties.find((one) => one.name === name)?.text;

/** The line that stands for what runs now: an action, else the innermost one; -1 if nothing runs. */
export const running = computed<number>(() => {
  const all = marks.value;
  const action = lines.value.findIndex((line, nth) => isActive(all[nth]) && isAction(line));
  if (action >= 0) return action;
  let found = -1;
  all.forEach((mark, nth) => {
    if (!isActive(mark)) return;
    if (found < 0 || lines.value[nth].indent > lines.value[found].indent) found = nth;
  });
  return found;
});

/** The strongest mark of a line and of what it hides. */
export function strongest(nth: number): Mark {
  const own = drawn.value[nth];
  if (!folded.value.has(lines.value[nth].id)) return own;
  const all = drawn.value.slice(nth, nth + below.value[nth] + 1);
  return all.find(isActive) ?? all.find((mark) => mark === "cut") ?? own;
}

/** What stands on a line behind its name: values, and properties other than the name. */
function rest(line: Line, name: string): string {
  const places = line.properties.filter((one) => one.name === "subtree").map((one) => one.text);
  const values = line.values.map((value) => value.text);
  const others = line.properties.filter((one) => one.name !== "name" && one.name !== "subtree");
  const said = others.map((one) => (one.name === "not" ? "not" : `${one.name}=${one.text}`));
  // Of a tree that is put there, what it consists of stands in brackets.
  const inner = [line.word, ...values].join(" ");
  const all = places.length > 0 ? [...places, ...said, `(${inner})`] : [...values, ...said];
  const text = all.join(" ").replaceAll('"', "");
  // Of `reload_gun`, the name `reload` is only a part.
  return `${text} `.startsWith(`${name} `) ? text.slice(name.length).trim() : text;
}

/** How many keys of a line have their values beside it. */
const MOST_VALUES = 2;

/** The keys in the expressions of a line, by their positions, each once. */
export function keysOf(line: Line): number[] {
  const all = [...line.values, ...line.properties].flatMap((one) => one.parts);
  const keys = all.map((part) => part.key).filter((key): key is number => key !== null);
  return [...new Set(keys)].slice(0, MOST_VALUES);
}

/** A line in parts: what kind it is, what it is called, and the rest. */
export function parts(line: Line): { kind: string; name: string; rest: string } {
  if (line.parts) return line.parts;
  const kind = line.word;
  if (line.is === "state") return { kind: line.kind ?? kind, name: line.label ?? "", rest: "" };
  if (line.is === "test" && kind === "test") return { kind: "test", name: property(line, "test") ?? "", rest: "" };
  if (line.is === "way") return { kind: "way", name: wayName(line), rest: "" };
  if (line.is === "transition" || line.is === "part" || line.is === "test") {
    const text = kind === "test-condition" ? line.text.slice(kind.length + 1) : line.text;
    return { kind: line.is === "part" ? kind : line.is, name: text.replaceAll('"', ""), rest: "" };
  }
  const name = line.label ?? "";
  return { kind: property(line, "subtree") === undefined ? kind : "subtree", name: name || kind, rest: rest(line, name) };
}

/** What a way of a test is for. */
export function wayName(line: Line): string {
  return (
    line.parts?.name ??
    property(line, "case") ??
    property(line, "weight") ??
    (line.values.map((value) => value.text).join(" ") || line.word)
  );
}

export function fold(id: string, isFolded: boolean): void {
  const next = new Set(folded.value);
  if (isFolded) next.add(id);
  else next.delete(id);
  folded.value = next;
}

export const secs = (tick: number): string => `${(tick / ticksPerSec.value).toFixed(2)} s`;
