// A page alone: what was typed outlives the session that it was typed for.

import { signal } from "@preact/signals";
import { stored } from "../texts";
import { dropFile, keepFile, keptFiles } from "./carrier";

/** What was typed last and the session has not written yet. */
const DRAFT = "treemind-draft";
/** A file that ends the session twice within this time is not opened again. */
const AGAIN_MS = 120_000;

type Named = [file: string, text: string];

/** A text that has ended the session twice: it is kept, but not played. */
export const aside = signal<Named | null>(null);

let last = { file: "", at: Number.NEGATIVE_INFINITY };

function drafted(): Named | null {
  try {
    const known: unknown = JSON.parse(stored(DRAFT) ?? "null");
    return Array.isArray(known) && known.length === 2 && known.every((one) => typeof one === "string") ? (known as Named) : null;
  } catch {
    return null;
  }
}

function forget(): void {
  try {
    localStorage.removeItem(DRAFT);
  } catch {
    // Nothing was kept either.
  }
}

/** Keeps a text while it is typed, before the session has read it. */
export function draft(file: string, text: string): void {
  try {
    localStorage.setItem(DRAFT, JSON.stringify([file, text]));
  } catch {
    // No room: then what the session has written counts.
  }
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");

/** The session has written a file, so that it is kept. */
export function written(file: string, text: string): void {
  keepFile(file, text);
  const known = drafted();
  if (known && known[0] === file && plain(known[1]) === plain(text)) forget();
}

/** Keeps what was typed for a session that has ended before it wrote it; returns the file. */
export function rescue(): string | null {
  const known = drafted();
  forget();
  if (!known) return null;
  keepFile(...known);
  return known[0];
}

/** After the session has ended with a file open: what was typed is kept. Returns whether the file is opened again. */
export function ended(open: string, now = Date.now()): boolean {
  const file = rescue() ?? open;
  const isAgain = last.file === file && now - last.at < AGAIN_MS;
  last = { file, at: now };
  if (!isAgain || file === "") return true;
  const text = keptFiles().find(([name]) => name === file)?.[1] ?? dropFile(file);
  if (text !== undefined) {
    dropFile(file);
    // What has another ending is not played.
    keepFile(`${file}.txt`, text);
    aside.value = [file, text];
  }
  return false;
}
