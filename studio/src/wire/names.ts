// The names of files as people read them.

import { computed } from "@preact/signals";
import { files } from "./model";

/** Where the part of the names ends that all of them share: the folder that was opened. */
export function sharedPart(names: string[]): number {
  const [first = "", ...others] = names;
  const isShared = (end: number) => others.every((one) => one.startsWith(first.slice(0, end)));
  let end = folderEnd(first);
  while (end > 0 && !isShared(end)) end = folderEnd(first.slice(0, end - 1));
  return end;
}

/** Where the folder ends that a file or folder is in, with its slash; 0 without one. */
const folderEnd = (name: string): number => Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1;

/** The folder that all files are in, with its last slash; nothing without one. */
const shared = computed(() => (files.value[0] ?? "").slice(0, sharedPart(files.value)));

/** A file without the folder that all of them are in: nobody needs to read that with each of them. */
export function brief(file: string): string {
  return file.startsWith(shared.value) ? file.slice(shared.value.length) : file;
}
