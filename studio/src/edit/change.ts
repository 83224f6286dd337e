// The document as it is edited, with what has changed since: the server sends only that.

import type { FileChange, Sheet, SheetChange, SheetFile, SheetNode } from "../protocol";

/** Some items of a list give way to others. */
function spliced<T>(list: T[], of: [number, number, T[]] | undefined): T[] {
  if (!of) return list;
  const [at, gone, items] = of;
  return [...list.slice(0, at), ...items, ...list.slice(at + gone)];
}

function fileOf(before: SheetFile, of: FileChange | undefined): SheetFile {
  if (!of) return before;
  const text = before.text.slice(0, of.at) + of.text + before.text.slice(of.at + of.gone);
  return { ...before, text, is_whole: of.is_whole, is_saved: of.is_saved };
}

function nodesOf(before: SheetNode[], { around, nodes, shift }: SheetChange): SheetNode[] {
  const ended = around ? [...before] : before;
  for (const [nth, last, end] of around ?? []) ended[nth] = { ...ended[nth], at: [ended[nth].at[0], ended[nth].at[1], last, end] };
  const all = spliced(ended, nodes);
  if (!nodes || !shift) return all;
  const [from, [file, by]] = [nodes[0] + nodes[2].length, shift];
  return all.map((one, nth) => {
    if (nth < from || one.file !== file) return one;
    const [line, column, last, end] = one.at;
    return { ...one, at: [line + by, column, last + by, end] };
  });
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
    told: of.told,
    unsaved: of.unsaved,
    saves_at_once: of.saves_at_once,
  };
}
