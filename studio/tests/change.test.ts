// The document as it is edited, put together from what has changed.

import { expect, test } from "vitest";
import { changed } from "../src/edit/change";
import type { Sheet, SheetChange, SheetNode } from "../src/protocol";

const node = (id: number, line: number, file = 0): SheetNode => ({
  id,
  depth: 0,
  file,
  role: "task",
  word: "wait",
  values: [],
  properties: [],
  is_disabled: false,
  at: [line, 4, line, 12],
});

const sheet: Sheet = {
  revision: 1,
  files: [{ name: "a.kdl", text: "𝄞\nwait\nlog\n", is_whole: true, is_saved: true }],
  nodes: [node(1, 1), node(2, 2), node(3, 3), node(4, 1, 1)],
  keys: [],
  leaves: [],
  undo: null,
  redo: null,
  problems: [],
  told: [],
  unsaved: null,
  saves_at_once: true,
  conflicts: [],
  done: [],
};

const change: SheetChange = {
  since: 1,
  revision: 2,
  files: [{ file: 0, is_whole: true, is_saved: false, at: 3, gone: 0, text: "fail\n" }],
  nodes: [1, 0, [node(9, 2)]],
  shift: [0, 1],
  around: [[0, 5, 1]],
  undo: { label: "add fail", by: "A" },
  redo: null,
  told: [],
  unsaved: null,
  saves_at_once: true,
};

test("new nodes come in, and those behind them in the file move", () => {
  const next = changed(sheet, change);
  expect(next?.files[0]).toEqual({ name: "a.kdl", text: "𝄞\nfail\nwait\nlog\n", is_whole: true, is_saved: false });
  expect(next?.nodes).toEqual([{ ...node(1, 1), at: [1, 4, 5, 1] }, node(9, 2), node(2, 3), node(3, 4), node(4, 1, 1)]);
  expect(next?.undo?.label).toBe("add fail");
  expect(next?.keys).toBe(sheet.keys);
});

test("a change of another sheet is refused", () => {
  expect(changed({ ...sheet, revision: 7 }, change)).toBe(null);
  expect(changed(null, change)).toBe(null);
});
