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

test("a problem is about the value or the property that it marks, or a part of", () => {
  const text = 'tree t {\n    wait "soon" name=x\n    check "(a > 3)a" /* " */ /-off=1 while="b \\"\n" \\\n when=#"c "d" e"# {\n    }\n}\n';
  const is = (at: Problem["at"], line: number): string[] =>
    ["0", "1", "name", "off", "while", "when"].filter((name) => isAbout(problem(at), name, { at: [line, 4, 5, 5] }, text));
  expect(is([2, 9, 2, 15], 2)).toEqual(["0"]);
  expect(is([2, 16, 2, 22], 2)).toEqual(["name"]);
  expect(is([2, 9, 3, 1], 2)).toEqual([]);
  expect(is([2, 4, 2, 22], 2)).toEqual([]);
  // In an expression, the place of the mistake.
  expect(is([3, 18, 3, 19], 3)).toEqual(["0"]);
  const at = (what: string): Problem["at"] => {
    const lines = text.slice(0, text.indexOf(what)).split("\n");
    const column = lines[lines.length - 1].length;
    return [lines.length, column, lines.length, column + what.length];
  };
  expect(is(at('b \\"'), 3)).toEqual(["while"]);
  expect(is(at("d"), 3)).toEqual(["when"]);
  expect(is(at("check"), 3)).toEqual([]);
  expect(is(at(' e"#'), 3)).toEqual(["when"]);
});
