// What is typed into the text of a map, or a field of its legend, and not written. It outlives the view, the page and the program,
// by the name of its file.

import { signal } from "@preact/signals";
import { applied, difference, inFile, plain, restored, typedInto } from "../edit/typing";
import { isLike } from "../edit/unsent";
import type { MapSheet } from "../protocol";
import { store, stored, t } from "../texts";
import * as model from "../wire/model";

/** A text that is typed, and the text of the map into which it was. */
export interface Draft {
  was: string;
  shown: string;
  /** The document beside which it was typed. */
  document: string;
}

const STORED = "map-typed";

export const drafts = signal<ReadonlyMap<string, Draft>>(read());

/** What was typed into since the page was loaded and the program started. */
const fresh = new Set<string>();

/** Another program is there. */
export function age(): void {
  fresh.clear();
  drafts.value = new Map(drafts.peek());
}

function read(): Map<string, Draft> {
  try {
    return new Map(JSON.parse(stored(STORED) ?? "[]") as [string, Draft][]);
  } catch {
    return new Map();
  }
}

/** The name by which a text is kept: the map of the program has no file, and is another one for each document. */
const nameOf = (all: MapSheet): string => all.file || `${model.view.peek()?.file ?? ""}#`;

export const draftOf = (all: MapSheet): Draft | undefined => drafts.value.get(nameOf(all));

function keep(all: MapSheet, draft: Draft | null, name = nameOf(all)): void {
  const next = new Map(drafts.value);
  fresh.add(name);
  if (draft) next.set(name, draft);
  else next.delete(name);
  drafts.value = next;
  store(STORED, JSON.stringify([...next]));
}

/** This is in the field now. */
export function type(all: MapSheet, shown: string): void {
  const was = draftOf(all)?.was ?? all.text;
  if (shown === plain(was) && was === all.text) keep(all, null);
  else keep(all, { was, shown, document: model.view.peek()?.file ?? "" });
}

/** A field of the legend: the line of a character, and which property; without one, the name. */
export interface Field {
  sign: string;
  property: string;
}

const fieldName = (all: MapSheet, { sign, property }: Field): string => `${nameOf(all)}\n${sign}${property}`;

/** What is kept, and of which map; without a field, it is the text of that. */
export const kept = (): (Draft & { of: string; field: Field | null })[] =>
  [...drafts.value].map(([name, draft]) => {
    const [of, place] = name.split("\n");
    const [sign, ...property] = place ?? "";
    return { ...draft, of, field: place ? { sign, property: property.join("") } : null };
  });

/** What a field is called. */
export const calledField = ({ sign, property }: Field): string => `${sign} ${property || t("name")}`;

/** What is kept for fields of this map, and what they hold; nothing if they are gone. */
const fields = (all: MapSheet) =>
  kept().flatMap(({ of, field, was, shown }) => (field && of === nameOf(all) ? [{ field, was, shown, now: heldBy(all, field) }] : []));

function heldBy(all: MapSheet, { sign, property }: Field): string | undefined {
  const line = all.legend.find((one) => one.sign === sign);
  return property === "" ? line?.name : line?.properties.find(([name]) => name === property)?.[1];
}

/** What is typed into a field; nothing if the map has changed since: then that is to be decided. */
export function inField(all: MapSheet, field: Field): string | undefined {
  const draft = drafts.value.get(fieldName(all, field));
  return draft?.was === heldBy(all, field) ? draft?.shown : undefined;
}

/** This is in a field that had `was` before; `null` if it is written, or not wanted. */
export function typeField(all: MapSheet, field: Field, shown: string | null, was = heldBy(all, field) ?? ""): void {
  if (shown === null && !drafts.value.has(fieldName(all, field))) return;
  keep(all, shown === null ? null : { was, shown, document: model.view.peek()?.file ?? "" }, fieldName(all, field));
}

/** What was typed into fields that hold something else by now, or that the map has no longer. */
export const oldFields = (all: MapSheet) => fields(all).filter(({ was, now }) => was !== now);

/** What is typed is not wanted. */
export const discard = (all: MapSheet): void => keep(all, null);

/** Whether the map has changed since it was typed. */
export const isOld = (all: MapSheet, draft: Draft): boolean => draft.was !== all.text;

/** The whole text as it is to be written; the line ends stay as they are in the file. */
export const written = (all: MapSheet, draft: Draft): string =>
  applied(all.text, inFile(all.text, difference(plain(all.text), draft.shown)));

const keptOf = ({ was, shown }: Draft) => ({ bases: [was], isLost: false, shown });

/** What was typed, and what that has taken the place of. */
export const typed = (all: MapSheet, draft: Draft): ReturnType<typeof typedInto> => typedInto(all.text, keptOf(draft));

/** Puts what was typed into the map as it is now; returns the text that is to be written. */
export function putIn(all: MapSheet, draft: Draft): string {
  const next = { ...draft, was: all.text, shown: restored(all.text, keptOf(draft)) };
  keep(all, next);
  return written(all, next);
}

/** A map has come: what it has after all is kept no longer. */
export function settle(all: MapSheet): void {
  const draft = draftOf(all);
  if (draft && draft.shown === plain(all.text)) keep(all, null);
  for (const { field, shown, now } of fields(all)) if (now !== undefined && isLike(now, shown.trim())) typeField(all, field, null);
}

/** Whether something is kept that was typed beside a document, or only what was typed there `before`. */
export const isKeptFor = (document: string, before = false): boolean =>
  [...drafts.value].some(([name, one]) => one.document === document && !(before && fresh.has(name)));
