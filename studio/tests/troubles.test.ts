// Problems of the document, shown at the nodes that they are about.

import { expect, test } from "vitest";
import { isAbout, troublesOf } from "../src/edit/troubles";
import type { Problem, SheetNode } from "../src/protocol";

const node = (id: number, depth: number, at: SheetNode["at"], file = 0): SheetNode => ({
  id,
  depth,
  file,
  role: "task",
  word: "wait",
  values: [],
  properties: [],
  is_disabled: false,
  at,
});
const problem = (at: Problem["at"], file = "a.kdl"): Problem => ({ file, at, severity: "error", code: "T0104", text: "no", help: null });

test("a problem is at the innermost node in whose words it is", () => {
  const nodes = [
    node(1, 0, [1, 0, 5, 1]),
    node(2, 1, [2, 4, 4, 5]),
    node(3, 2, [3, 8, 3, 20]),
    node(4, 0, [7, 0, 7, 9]),
    node(5, 0, [1, 0, 9, 1], 1),
  ];
  const all = [problem([3, 13, 3, 20]), problem([2, 10, 2, 12]), problem([7, 5, 7, 9]), problem([3, 0, 3, 4], "b.kdl")];
  const found = troublesOf(nodes, ["a.kdl", "b.kdl"], [...all, problem([1, 0, 1, 1], "c.kdl")]);
  expect([...found].map(([id, of]) => [id, of.length])).toEqual([
    [3, 1],
    [2, 1],
    [4, 1],
    [5, 1],
  ]);
});

test("a problem is about the value or the property that it marks", () => {
  const text = 'tree t {\n    wait "soon" name=x\n}\n';
  expect(isAbout(problem([2, 9, 2, 15]), "0", "soon", text)).toBe(true);
  expect(isAbout(problem([2, 16, 2, 22]), "name", "x", text)).toBe(true);
  expect(isAbout(problem([2, 16, 2, 22]), "0", "soon", text)).toBe(false);
  expect(isAbout(problem([2, 9, 3, 1]), "0", "soon", text)).toBe(false);
});
