import { expect, test, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true }));

import * as sheet from "../src/edit/sheet";
import * as home from "../src/panels/home";
import { guard, isGuard } from "../src/panels/tour";
import type { Behaviour, Sheet, SheetNode } from "../src/protocol";
import * as wire from "../src/wire/model";

let last = 0;
const node = (depth: number, role: string, word: string): SheetNode =>
  ({ id: ++last, depth, role, word, values: [], properties: [], at: [1, 0, 1, 1], file: 0 }) as unknown as SheetNode;

test("of what has come, that is chosen for which the rest came", () => {
  const board = node(0, "definition", "blackboard");
  const key = node(1, "other", "key");
  const decide = node(0, "definition", "decide");
  const state = node(1, "state", "state");
  expect(sheet.meant([key, decide])).toBe(decide);
  expect(sheet.meant([board, key, decide])).toBe(decide);
  expect(sheet.meant([node(2, "state-part", "initial"), state])).toBe(state);
  expect(sheet.meant([key])).toBe(key);
  expect(sheet.meant([])).toBe(undefined);
});

test("what was in a node that is gone is chosen, and else its neighbour", () => {
  const tree = node(0, "definition", "tree");
  const [outer, inner, other] = [node(1, "task", "invert"), node(2, "task", "run"), node(1, "task", "wait")];
  const of = (revision: number, nodes: SheetNode[]): Sheet =>
    ({ revision, nodes, files: [], undo: { by: "1" }, selection: null, done: [] }) as unknown as Sheet;
  sheet.take(of(1, [tree, outer, inner, other]));
  sheet.chosen.value = [outer.id];
  sheet.take(of(2, [tree, { ...inner, depth: 1 }, other]));
  expect(sheet.chosen.value).toEqual([inner.id]);
  sheet.take(of(3, [tree, other]));
  expect(sheet.chosen.value).toEqual([other.id]);
  wire.selected.value = null;
});

test("the guard of the tour is known by what it does", () => {
  const leaves = ["see-enemy", "run-away", "attack", "patrol", "weak"].map((label) => ({
    word: label === "weak" ? "check" : "action",
    label,
    text: label === "weak" ? 'check "health < 20"' : label,
  }));
  const lines = [...leaves, { word: "reactive-selector", text: "reactive-selector" }];
  const guardian = { word: "tree", name: "guard", lines } as unknown as Behaviour;
  expect(isGuard(guardian)).toBe(true);
  expect(isGuard({ ...guardian, lines: guardian.lines.slice(1) })).toBe(false);
  expect(isGuard({ ...guardian, lines: guardian.lines.filter((one) => one.label !== "weak") })).toBe(false);
  expect(isGuard({ ...guardian, word: "machine" })).toBe(false);
});

test("the tour is not about a guard that looks up only when what it does has ended", () => {
  const of = (name: string, selector: string): Behaviour => {
    const lines = ["see-enemy", "run-away", "attack", "patrol"].map((label) => ({ word: "action", label, text: label }));
    return { word: "tree", name, lines: [{ word: selector, text: selector }, { word: "check", text: "check health" }, ...lines] } as never;
  };
  home.previews.value = new Map(
    [
      ["a/guard-classic.kdl", of("guard-classic", "selector")] as const,
      ["a/guard-tuned.kdl", of("guard", "reactive-selector")] as const,
      ["a/guard.kdl", of("guard", "reactive-selector")] as const,
    ].map(([file, behaviour]) => [file, { file, behaviour, wrong: null }]),
  );
  wire.files.value = ["a/guard-classic.kdl"];
  expect(guard.value).toBe(undefined);
  wire.files.value = ["a/guard-classic.kdl", "a/guard-tuned.kdl", "a/guard.kdl"];
  expect(guard.value).toBe("a/guard.kdl");
});

test("of a part that is shared, the branch is chosen, and not what leads there", () => {
  const [decide, line] = [node(0, "definition", "decide"), node(1, "question", "action")];
  const of = (revision: number, nodes: SheetNode[]): Sheet =>
    ({ revision, nodes, files: [], undo: { by: sheet.you.value }, selection: null, done: [] }) as unknown as Sheet;
  sheet.take(of(11, [decide, line]));
  sheet.chosen.value = [line.id];
  sheet.edit({ do: "lead", id: 1, side: "yes", to: 2, name: "rest" });
  const branch = node(1, "branch", "branch");
  sheet.take(of(12, [decide, node(1, "answer", "yes"), node(2, "question", "goto"), branch, { ...line, depth: 2 }]));
  expect(sheet.chosen.value).toEqual([branch.id]);
  // Where nothing becomes a branch, one stays where one is.
  sheet.edit({ do: "lead", id: 1, side: "no", to: 2, name: null });
  sheet.take(of(13, [decide, node(1, "answer", "no"), node(2, "question", "goto"), branch]));
  expect(sheet.chosen.value).toEqual([branch.id]);
  wire.selected.value = null;
});
