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
  selection: null,
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
  files: [{ file: 0, is_whole: true, is_saved: false, parts: [[3, 0, "fail\n"]] }],
  nodes: [[1, 0, [node(9, 2)]]],
  shifts: [[2, 0, 1]],
  places: [[0, [1, 4, 5, 1]]],
  undo: { label: "add fail", by: "A" },
  redo: null,
  selection: null,
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

test("between the places from and to which something moves, nodes shift and are not sent", () => {
  const six = [1, 2, 3, 4, 5, 6].map((id) => node(id, id));
  const text = "a\nb\nc\nd\ne\nf\n";
  const next = changed(
    { ...sheet, files: [{ ...sheet.files[0], text }], nodes: [...six, node(7, 1, 1)] },
    {
      ...change,
      files: [
        {
          ...change.files[0],
          parts: [
            [2, 2, ""],
            [10, 0, "b\n"],
          ],
        },
      ],
      nodes: [
        [1, 1, []],
        [5, 0, [node(2, 5)]],
      ],
      shifts: [
        [1, 0, -1],
        [5, 0, 0],
      ],
      places: undefined,
    },
  );
  expect(next?.files[0].text).toBe("a\nc\nd\ne\nb\nf\n");
  expect(next?.nodes).toEqual([node(1, 1), node(3, 2), node(4, 3), node(5, 4), node(2, 5), node(6, 6), node(7, 1, 1)]);
  expect(next?.nodes[0]).toBe(six[0]);
});

test("a change of another sheet is refused", () => {
  expect(changed({ ...sheet, revision: 7 }, change)).toBe(null);
  expect(changed(null, change)).toBe(null);
});
