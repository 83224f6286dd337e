// The map of the arena as it is edited: what the server says of it, what is chosen, and what is asked for.

import { computed, signal } from "@preact/signals";
import { hasCome, type Kept, restored, settle } from "../edit/typing";
import type { MapEdit, MapSheet, MapSign } from "../protocol";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import * as drafts from "./drafts";

export type Place = readonly [x: number, y: number];

/** What a click does: takes and moves, paints a character, or puts something new. */
export type Tool = { is: "move" } | { is: "paint"; sign: string } | { is: "put"; words: string };

/** The map as it was said last; `null` if it is not known yet. */
export const map = signal<MapSheet | null>(null);
export const tool = signal<Tool>({ is: "move" });
/** Where the keyboard is. */
export const cursor = signal<Place>([0, 0]);
/** What is moved, and where the squares are that are painted, until they are let go. */
export const taken = signal<Place | null>(null);
export const stroke = signal<readonly Place[]>([]);
/** The character whose line of the legend is chosen. */
export const chosen = signal("");

export function forget(): void {
  [map.value, tool.value, cursor.value, taken.value, stroke.value, chosen.value] = [null, { is: "move" }, [0, 0], null, [], ""];
}

export function edit(what: MapEdit): void {
  model.refused.value = "";
  say({ say: "map", edit: what });
}

/** Puts in what a program before had not written, or drops it. */
export function decide(kept: Kept, isWanted: boolean): void {
  const all = map.value;
  if (!all) return;
  settle(all.file);
  const text = restored(all.text, kept);
  if (isWanted) edit({ do: "text", text: all.text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text, base: all.revision });
}

/** How many columns and rows the map has. */
export const size = computed<Place>(() => {
  const rows = map.value?.rows ?? [];
  return [Math.max(0, ...rows.map((row) => [...row].length)), rows.length];
});

const rows = computed(() => (map.value?.rows ?? []).map((row) => [...row]));

/** The character on a square; floor where a row has ended. */
export const signAt = ([x, y]: Place): string => rows.value[y]?.[x] ?? ".";

export const isFloor = (sign: string): boolean => sign === "." || sign === " ";
const isMark = (sign: string): boolean => !isFloor(sign) && sign !== "#";

/** The line of the legend that a character has. */
export const lineOf = (sign: string): MapSign | undefined => map.value?.legend.find((one) => one.sign <= sign && sign <= one.last);

/** What is on a square, in words. */
export function saidAt(place: Place, words: { wall: string; floor: string }): string {
  const sign = signAt(place);
  if (sign === "#") return words.wall;
  const line = lineOf(sign);
  return line ? `${line.word} ${line.name}`.trim() : words.floor;
}

const isInside = ([x, y]: Place): boolean => x >= 0 && y >= 0 && x < size.value[0] && y < size.value[1];

/** The squares between two, with both. */
export function line([x1, y1]: Place, [x2, y2]: Place): Place[] {
  const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
  const at = (from: number, to: number, nth: number): number => Math.round(from + ((to - from) * nth) / Math.max(1, steps));
  return Array.from({ length: steps + 1 }, (_, nth) => [at(x1, x2, nth), at(y1, y2, nth)] as const);
}

/** The mouse is pressed on a square, or Enter is. */
export function press(place: Place): void {
  if (!isInside(place)) return;
  cursor.value = place;
  const now = tool.value;
  if (now.is === "paint") stroke.value = [place];
  else if (now.is === "put") {
    edit({ do: "put", cell: [place[0], place[1]], words: now.words });
    tool.value = { is: "move" };
  } else if (isMark(signAt(place))) {
    taken.value = place;
    chosen.value = signAt(place);
  }
}

/** The mouse goes to a square while it is pressed. */
export function drag(place: Place): void {
  if (!isInside(place)) return;
  const last = stroke.value.at(-1);
  if (last) stroke.value = [...stroke.value, ...line(last, place).slice(1)];
  if (last || taken.value) cursor.value = place;
}

/** Lets go: paints, or moves what was taken. */
export function release(): void {
  const [from, to, painted, now] = [taken.value, cursor.value, stroke.value, tool.value];
  [taken.value, stroke.value] = [null, []];
  if (painted.length > 0 && now.is === "paint") edit({ do: "paint", cells: painted.map(([x, y]) => [x, y]), sign: now.sign });
  else if (from && (from[0] !== to[0] || from[1] !== to[1])) edit({ do: "move", from: [from[0], from[1]], to: [to[0], to[1]] });
}

/** Leaves what was begun as it was; returns whether anything was. */
export function cancel(): boolean {
  const isBegun = taken.value !== null || stroke.value.length > 0 || tool.value.is !== "move";
  [taken.value, stroke.value, tool.value] = [null, [], { is: "move" }];
  return isBegun;
}

const ARROWS: Record<string, Place> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** What a key does on the map; returns whether it does anything. */
export function pressKey(event: KeyboardEvent): boolean {
  const key = event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() === "z") edit({ do: event.shiftKey ? "redo" : "undo" });
    else if (key.toLowerCase() === "y") edit({ do: "redo" });
    else return false;
    return true;
  }
  const by = ARROWS[key];
  if (by) {
    const next: Place = [cursor.value[0] + by[0], cursor.value[1] + by[1]];
    if (!isInside(next)) return true;
    if (event.shiftKey && tool.value.is === "paint" && stroke.value.length === 0) stroke.value = [cursor.value];
    if (stroke.value.length > 0) drag(next);
    cursor.value = next;
  } else if (key === "Enter" || key === " ") {
    if (taken.value) release();
    else {
      press(cursor.value);
      if (stroke.value.length > 0) release();
    }
  } else if (key === "Escape") return cancel();
  else if (key === "Delete" || key === "Backspace") edit({ do: "paint", cells: [[...cursor.value]], sign: "." });
  else if (key === "#" || key === "." || ([...key].length === 1 && lineOf(key)))
    edit({ do: "paint", cells: [[...cursor.value]], sign: key });
  else return false;
  return true;
}

/** Painting with Shift and the arrows ends with Shift. */
export function releaseKey(event: KeyboardEvent): void {
  if (event.key === "Shift" && stroke.value.length > 0) release();
}

/** Takes over what the server says. */
export function take(next: MapSheet): void {
  map.value = next;
  drafts.settle(next);
  hasCome([{ name: next.file, text: next.text }]);
  const [wide, high] = size.value;
  const [x, y] = cursor.value;
  if (!isInside([x, y])) cursor.value = [Math.max(0, Math.min(x, wide - 1)), Math.max(0, Math.min(y, high - 1))];
}
