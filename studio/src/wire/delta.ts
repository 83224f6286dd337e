// Views and films in parts: the server leaves out what the page has already.

import { joinedShares } from "../crowd/shares";
import { moved } from "../parts/points";
import type { Bar, Film, Lanes, View } from "./model";

/** What has changed in a list, an object or points. */
type Patch = [number, unknown][] | { set?: Record<string, unknown>; patch?: Record<string, Patch> } | string;

/** What has changed since the view with the state `base`. */
export type Patched = View & {
  definition_patch?: { opened: number; mind: number; piece: Piece };
  base?: number;
  same?: (keyof View)[];
  patch?: Partial<Record<keyof View, Patch>>;
};

function patched(before: unknown, patch: Patch): unknown {
  if (typeof patch === "string") return moved(before as string, patch);
  if (Array.isArray(patch)) {
    const list = [...(before as unknown[])];
    for (const [nth, item] of patch) list[nth] = item;
    return list;
  }
  const out = { ...(before as Record<string, unknown>), ...patch.set };
  for (const [name, inner] of Object.entries(patch.patch ?? {})) out[name] = patched(out[name], inner);
  return out;
}

/** What makes one value of another. */
export type Piece = {
  is?: unknown;
  object?: Record<string, Piece>;
  gone?: string[];
  splices?: [from: number, count: number, items: unknown[]][];
  items?: [number, Piece][];
  text?: TextPart[];
};

/** A part of a text that is another one: where it is in the text before, how long it was, and what is there instead. */
export type TextPart = [from: number, count: number, text: string];

/** The text that parts, in their order, make of another one. */
export function textOf(before: string, parts: TextPart[]): string {
  let next = 0;
  let out = "";
  for (const [from, count, text] of parts) {
    out += before.slice(next, from) + text;
    next = from + count;
  }
  return out + before.slice(next);
}

/** The value that a piece makes of another one. */
export function put(before: unknown, piece: Piece): unknown {
  if ("is" in piece) return piece.is;
  if (piece.text) return textOf(before as string, piece.text);
  if (piece.splices || piece.items) {
    const list: unknown[] = [];
    let next = 0;
    for (const [from, count, items] of piece.splices ?? []) {
      for (const item of (before as unknown[]).slice(next, from).concat(items)) list.push(item);
      next = from + count;
    }
    for (const item of (before as unknown[]).slice(next)) list.push(item);
    for (const [nth, inner] of piece.items ?? []) list[nth] = put(list[nth], inner);
    return list;
  }
  const out = { ...(before as Record<string, unknown>) };
  for (const [name, inner] of Object.entries(piece.object ?? {})) out[name] = put(out[name], inner);
  for (const name of piece.gone ?? []) delete out[name];
  return out;
}

/** Where the items of a list of so many are after a piece was put into it; -1 for those that are gone. */
export function placesAfter(count: number, piece: Piece | undefined): number[] {
  const out = Array.from({ length: count }, (_, nth) => nth);
  if (piece && "is" in piece) return out.fill(-1);
  for (const [from, gone, items] of piece?.splices ?? []) {
    const by = items.length - gone;
    for (let nth = from; nth < count; nth++) out[nth] = nth < from + gone ? -1 : out[nth] + by;
  }
  return out;
}

/** Puts back what the server has left out because the page has the view `last`. */
export function whole(view: Patched, last: View | null): View {
  const before = last as unknown as Record<string, unknown> | null;
  const out = view as unknown as Record<string, unknown>;
  if (before && view.base === before.state) {
    for (const name of view.same ?? []) out[name] = before[name];
    for (const [name, patch] of Object.entries(view.patch ?? {})) out[name] = patched(before[name], patch);
  }
  return view;
}

/** The bars and events of a film with those that are newer. */
export function joined(known: Film, fresh: Film): Film {
  const old = filledIn(known, fresh.past);
  const bars = (left: Bar[] | undefined, right: Bar[]): Bar[] => {
    const kept = left ?? [];
    const last = right.length > 0 ? right[0][0] : Infinity;
    let end = kept.length;
    while (end > 0 && kept[end - 1][0] >= last) end--;
    return kept.slice(0, end).concat(right);
  };
  return {
    since: 0,
    to: fresh.to,
    fills: fresh.fills,
    does: bars(old.does, fresh.does),
    states: bars(old.states, fresh.states),
    plans: bars(old.plans, fresh.plans),
    keys: fresh.keys.map((lane, nth) => bars(old.keys[nth], lane)),
    events: old.events.filter((event) => event[0] < fresh.since).concat(fresh.events),
    shares: joinedShares(known.shares, fresh.shares),
  };
}

/** Puts in what had happened before somebody looked. A bar takes the place of those that begin within it. */
function filledIn(old: Lanes, past: Film["past"]): Lanes {
  if (!past) return old;
  const bars = (left: Bar[] | undefined, right: Bar[]): Bar[] => {
    const [kept, out] = [left ?? [], [] as Bar[]];
    let nth = 0;
    for (const bar of right) {
      while (nth < kept.length && kept[nth][0] < bar[0]) out.push(kept[nth++]);
      while (nth < kept.length && kept[nth][0] <= bar[1]) nth++;
      out.push(bar);
    }
    return out.concat(kept.slice(nth));
  };
  const [before, after] = [old.events.filter(([tick]) => tick < past.from), old.events.filter(([tick]) => tick > past.to)];
  return {
    does: bars(old.does, past.does),
    states: bars(old.states, past.states),
    plans: bars(old.plans, past.plans),
    keys: past.keys.map((lane, nth) => bars(old.keys[nth], lane)),
    events: before.concat(past.events, after),
  };
}
