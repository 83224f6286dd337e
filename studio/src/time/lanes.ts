// What the timeline shows: which lanes there are and how high each is, which ticks are in view, and what was so at a tick.

import { signal } from "@preact/signals";
import { sharesAt } from "../crowd/shares";
import { store, stored, t } from "../texts";
import type { Bar, Behaviour, Film, View } from "../wire/model";
import { earlier, keyOf } from "./earlier";

export interface Span {
  from: number;
  to: number;
}

export interface Lane {
  kind: "bars" | "events" | "numbers" | "shares";
  name: string;
  bars: Bar[];
  /** Of a key: its name, by which it is pinned. */
  key: string | null;
  isPinned: boolean;
  /** The numbers with which expressions compare the key. */
  thresholds: number[];
  y: number;
  h: number;
}

/** A window is at least so many ticks wide. */
const NARROWEST = 8;
const GAP = 6;
const BARS = 24;
const EVENTS = 22;
const NUMBERS = 34;
const SHARES = 44;

/** The ticks of the whole run. */
export function wholeOf(view: View): Span {
  return { from: 0, to: Math.max(view.end ?? 0, view.last, 60) };
}

/** A window of so many ticks around a tick, within the whole run. */
export function around(tick: number, size: number, whole: Span): Span {
  const from = Math.max(whole.from, Math.min(tick - size * 0.7, whole.to - size));
  return { from, to: from + size };
}

/** Zooms around a place of a window; `null` if everything is in view then. */
export function zoomed(span: Span, whole: Span, tick: number, factor: number): Span | null {
  const size = Math.max(NARROWEST, (span.to - span.from) * factor);
  if (size >= whole.to - whole.from) return null;
  const from = tick - ((tick - span.from) / (span.to - span.from)) * size;
  return within({ from, to: from + size }, whole);
}

/** Moves a window into the whole run. */
export function within(span: Span, whole: Span): Span {
  const size = span.to - span.from;
  const from = Math.max(whole.from, Math.min(span.from, Math.max(whole.from, whole.to - size)));
  return { from, to: from + size };
}

/** A window goes along with a tick that was in it. While the game plays, what comes next is in view, too. */
export function along(span: Span, before: number, tick: number, plays: boolean): Span {
  if (tick === before || before < span.from || before > span.to) return span;
  const size = span.to - span.from;
  const spare = plays ? size * 0.15 : 0;
  let by = 0;
  if (tick > span.to - spare) by = tick - span.to + size * 0.15;
  else if (tick < span.from) by = tick - span.from - size * 0.15;
  const from = Math.max(0, span.from + by);
  return { from, to: from + size };
}

/** Which ticks are in view, if not all of them. */
export const excerpt = signal<Span | null>(null);

/** The keys whose lanes come first, for each file. */
const pinned = signal<Record<string, string[]>>(read());

function read(): Record<string, string[]> {
  try {
    const known: unknown = JSON.parse(stored("pins") ?? "{}");
    return known && typeof known === "object" ? (known as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

export const pinsOf = (file: string): string[] => pinned.value[file] ?? [];

export function togglePin(file: string, key: string): void {
  const all = pinsOf(file);
  const next = all.includes(key) ? all.filter((one) => one !== key) : [...all, key];
  pinned.value = { ...pinned.value, [file]: next };
  store("pins", JSON.stringify(pinned.value));
}

/** All lanes, from above. They depend on the definition and on what is pinned, so no lane moves because another one appears. */
export function lanesOf(behaviour: Behaviour, file: string, film: Film): Lane[] {
  const pins = pinsOf(file).filter((name) => behaviour.keys.some((key) => key.name === name));
  const numbers = behaviour.keys.filter((key) => key.ty === "int" || key.ty === "float").map((key) => key.name);
  const lanes: Lane[] = [];
  let y = 6;
  const thresholds = (name: string | null): number[] => {
    const nth = behaviour.keys.findIndex((key) => key.name === name);
    return behaviour.thresholds.filter((one) => one.key === nth).map((one) => one.value);
  };
  const add = (kind: Lane["kind"], name: string, bars: Bar[], key: string | null = null): void => {
    const h = { bars: BARS, events: EVENTS, numbers: NUMBERS, shares: SHARES }[kind];
    lanes.push({ kind, name, bars, key, isPinned: key !== null && pins.includes(key), thresholds: thresholds(key), y, h });
    y += h + GAP;
  };
  const addKey = (name: string): void => {
    const bars = film.keys[behaviour.keys.findIndex((key) => key.name === name)] ?? [];
    add(numbers.includes(name) ? "numbers" : "bars", name, bars, name);
  };
  if (film.shares) add("shares", t("crowd"), []);
  add("bars", t("does"), film.does);
  const before = earlier.value;
  if (before) add("bars", `↶ ${t("does")}`, before.lanes.does);
  if (hasStates(behaviour)) add("bars", t("states"), film.states);
  if (hasStates(behaviour) && before) add("bars", `↶ ${t("states")}`, before.lanes.states);
  if (hasPlans(behaviour)) add("bars", t("plans"), film.plans);
  for (const name of pins) addKey(name);
  // Of the earlier run, the keys that differ.
  for (const name of differing(behaviour)) {
    if (!pins.includes(name)) addKey(name);
    add(numbers.includes(name) ? "numbers" : "bars", `↶ ${name}`, before?.lanes.keys[before.keys.indexOf(name)] ?? []);
  }
  add("events", t("events"), []);
  for (const name of numbers) if (!pins.includes(name) && !differing(behaviour).includes(name)) addKey(name);
  return lanes;
}

/** The keys in which the earlier run differs, and which have lanes. */
function differing(behaviour: Behaviour): string[] {
  const names = earlier.value?.differences.map((one) => keyOf(one.what)) ?? [];
  return names.filter((name): name is string => behaviour.keys.some((key) => key.name === name)).slice(0, MOST_DIFFERING);
}

/** How many keys of the earlier run have lanes. */
const MOST_DIFFERING = 3;

/** Whether the states of a machine have a lane. */
const hasStates = (behaviour: Behaviour): boolean => behaviour.word === "machine";

/** Whether the plans of planners have a lane. */
const hasPlans = (behaviour: Behaviour): boolean =>
  behaviour.word === "planner" || behaviour.lines.some((line) => line.is === "node" && line.word === "planner");

/** How high all lanes of a definition can be: this does not change while it plays. */
export function roomFor(behaviour: Behaviour | null | undefined, hasShares: boolean): number {
  const own = behaviour && hasStates(behaviour) ? 2 : 1;
  const bars = (earlier.value ? 2 * own + MOST_DIFFERING : own) + (behaviour && hasPlans(behaviour) ? 1 : 0);
  return 6 + (hasShares ? SHARES + GAP : 0) + bars * (BARS + GAP) + EVENTS + GAP + (behaviour?.keys.length ?? 0) * (NUMBERS + GAP);
}

/** The bar in which a tick is. */
export function barAt(bars: Bar[], tick: number): Bar | undefined {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars[middle][0] <= tick) low = middle + 1;
    else high = middle;
  }
  const bar = bars[low - 1];
  return bar && tick <= bar[1] ? bar : undefined;
}

/** What a lane says about a tick; an event counts if it is at most so many ticks away. */
export function readout(lane: Lane, film: Film, tick: number, near: number, secs: (ticks: number) => string): string {
  if (lane.kind === "events") {
    const close = film.events.filter(([when, tone]) => tone !== "calm" && Math.abs(when - tick) <= near);
    const nearest = Math.min(...close.map(([when]) => Math.abs(when - tick)));
    return close
      .filter(([when]) => Math.abs(when - tick) === nearest)
      .map(([when, , text]) => `${when} · ${text}`)
      .join(" · ");
  }
  if (lane.kind === "shares") return sharesAt(film, tick);
  const bar = barAt(lane.bars, tick);
  if (!bar || bar[2] === "") return "";
  const [from, to, text, isCut] = bar;
  return lane.key === null ? `${text} · ${secs(to - from + 1)}${isCut ? ` · ⊘ ${t("cutOff")}` : ""}` : text;
}
