// The documents of which something is not on disk, whatever this page shows.

import { computed, signal } from "@preact/signals";
import { age, drafts } from "../map/drafts";
import type { UnwrittenList } from "../protocol";
import { left, waiting } from "./typing";
import { unsent } from "./unsent";

const NONE: UnwrittenList = { revision: 0, documents: [] };

/** What the server says of that; of the document that this page edits, the sheet has the texts. */
export const unwritten = signal<UnwrittenList>(NONE);

/** The files for which something is kept that is typed and not written. */
export const kept = computed<ReadonlySet<string>>(
  () =>
    new Set([
      ...[...left.value].map(([name, kept]) => kept.of ?? name),
      ...waiting.value.keys(),
      ...unsent.value.map((one) => one.file),
      ...[...drafts.value.values()].map((one) => one.document),
    ]),
);

/** The files that are marked in lists. */
export const marked = computed<ReadonlySet<string>>(() => new Set([...unwritten.value.documents.map((one) => one.file), ...kept.value]));

/** Whether something of a document is not on disk. */
export const isUnwritten = (file: string): boolean => unwritten.value.documents.some((one) => one.file === file);

/** The name of a file with its mark, for a list. */
export const withMark = (file: string, name: string): string => (marked.value.has(file) ? `${name} ●` : name);

/** All texts that the server has and the disk does not. */
export const texts = () => unwritten.value.documents.flatMap((one) => one.texts.map((text) => ({ ...text, of: one.file })));

/** Another program runs, and has nothing of it. */
export const forget = (): void => {
  unwritten.value = NONE;
  age();
};
