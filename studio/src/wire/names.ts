// The names of files as people read them.

import { files } from "./model";

/** Where the part of the names ends that all of them share: the folder that was opened. */
export function sharedPart(names: string[]): number {
  const [first = "", ...others] = names;
  let end = Math.max(first.lastIndexOf("/"), first.lastIndexOf("\\")) + 1;
  while (end > 0 && !others.every((one) => one.startsWith(first.slice(0, end))))
    end = Math.max(first.lastIndexOf("/", end - 2), first.lastIndexOf("\\", end - 2)) + 1;
  return end;
}

/** A file without the folder that all of them are in: nobody needs to read that with each of them. */
export function brief(file: string): string {
  const end = sharedPart(files.value);
  return end > 0 && file.startsWith((files.value[0] ?? "").slice(0, end)) ? file.slice(end) : file;
}
