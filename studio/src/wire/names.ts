// The names of files as people read them.

import { computed } from "@preact/signals";
import { files } from "./model";

/** Where the part of the names ends that all of them share: the folder that was opened. */
export function sharedPart(names: string[]): number {
  const [first = "", ...others] = names;
  let end = Math.max(first.lastIndexOf("/"), first.lastIndexOf("\\")) + 1;
  while (end > 0 && !others.every((one) => one.startsWith(first.slice(0, end))))
    end = Math.max(first.lastIndexOf("/", end - 2), first.lastIndexOf("\\", end - 2)) + 1;
  return end;
}

/** The folder that all files are in, with its last slash; nothing without one. */
const shared = computed(() => (files.value[0] ?? "").slice(0, sharedPart(files.value)));

/** A file without the folder that all of them are in: nobody needs to read that with each of them. */
export function brief(file: string): string {
  return file.startsWith(shared.value) ? file.slice(shared.value.length) : file;
}
