// The document as it is edited, with what has changed since: the server sends only that.

import type { FileChange, Sheet, SheetChange, SheetFile, SheetNode } from "../protocol";
import { textOf } from "../wire/delta";

/** Some items of a list give way to others. */
function spliced<T>(list: T[], of: [number, number, T[]] | undefined): T[] {
  if (!of) return list;
  const [at, gone, items] = of;
  return [...list.slice(0, at), ...items, ...list.slice(at + gone)];
}

function fileOf({ saved, ...before }: SheetFile, of: FileChange | undefined): SheetFile {
  if (!of) return before;
  return { ...before, text: textOf(before.text, of.parts), is_whole: of.is_whole, is_saved: of.is_saved };
}

function nodesOf(before: SheetNode[], { nodes, shifts, places }: SheetChange): SheetNode[] {
  if (!nodes && !shifts && !places) return before;
  const all: SheetNode[] = [];
  const fresh = new Set<SheetNode>();
  let next = 0;
  for (const [at, gone, items] of nodes ?? []) {
    while (next < at) all.push(before[next++]);
    next += gone;
    for (const one of items) {
      fresh.add(one);
      all.push(one);
    }
  }
  while (next < before.length) all.push(before[next++]);
  /** By how many lines the nodes of a file are further down from here on. */
  const further = new Map<number, number>();
  let turn = 0;
  all.forEach((one, nth) => {
    for (let shift = shifts?.[turn]; shift && shift[0] <= nth; shift = shifts?.[++turn]) further.set(shift[1], shift[2]);
    const by = further.get(one.file) ?? 0;
    if (by === 0 || fresh.has(one)) return;
    const [line, column, last, end] = one.at;
    all[nth] = { ...one, at: [line + by, column, last + by, end] };
  });
  for (const [nth, at] of places ?? []) all[nth] = { ...all[nth], at };
  return all;
}

/** The sheet after a change; `null` if it is about another sheet. */
export function changed(before: Sheet | null, of: SheetChange): Sheet | null {
  if (before?.revision !== of.since) return null;
  return {
    revision: of.revision,
    files: before.files.map((file, nth) =>
      fileOf(
        file,
        of.files.find((one) => one.file === nth),
      ),
    ),
    nodes: nodesOf(before.nodes, of),
    keys: spliced(before.keys, of.keys),
    leaves: spliced(before.leaves, of.leaves),
    problems: spliced(before.problems, of.problems),
    conflicts: spliced(before.conflicts, of.conflicts),
    done: spliced(before.done, of.done),
    undo: of.undo,
    redo: of.redo,
    selection: of.selection,
    told: of.told,
    unsaved: of.unsaved,
    saves_at_once: of.saves_at_once,
  };
}
