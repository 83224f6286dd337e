// What is not on disk is kept for the next program, whatever document is shown.

import { beforeEach, expect, test, vi } from "vitest";
import type { Sheet } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined, looks: () => 0 }));

import * as sheet from "../src/edit/sheet";
import "../src/edit/together";
import * as typing from "../src/edit/typing";
import { forget, marked, unwritten, withMark } from "../src/edit/unwritten";
import type { View } from "../src/wire/model";
import * as model from "../src/wire/model";

const shown = (text: string, is_saved: boolean): Sheet =>
  ({ revision: 1, files: [{ name: "b.kdl", text, is_saved }], nodes: [], problems: [], done: [], unsaved: null }) as unknown as Sheet;
const text = (name: string) => ({ name, text: `${name} new\r\n`, saved: `${name} old\r\n` });
const warns = (): boolean => {
  const leaves = new Event("beforeunload", { cancelable: true });
  dispatchEvent(leaves);
  return leaves.defaultPrevented;
};

beforeEach(() => {
  sheet.forget();
  forget();
  for (const name of typing.left.value.keys()) typing.settle(name);
  typing.unstrand();
  [model.view.value, sheet.mayEdit.value] = [{ file: "b.kdl" } as View, true];
});

test("documents that are not shown are marked, warn before one leaves, and are offered to the next program", () => {
  sheet.take(shown("b old", true));
  expect([warns(), withMark("a.kdl", "a"), localStorage.getItem("treemind-typed")]).toEqual([false, "a", null]);
  unwritten.value = { revision: 7, documents: [{ file: "a.kdl", texts: [text("a.kdl"), text("leaves.kdl"), text("a.map")] }] };
  sheet.take(shown("b new", false));
  expect([warns(), withMark("a.kdl", "a"), withMark("c.kdl", "c")]).toEqual([true, "a ●", "c"]);
  sheet.cut();
  // Another program has nothing of it.
  typing.offer();
  forget();
  const offered = [...typing.left.value].map(([name, { bases, shown, of }]) => [name, bases, shown, of]);
  expect(offered).toEqual([
    ["b.kdl", ["b old"], "b new", "b.kdl"],
    ["a.kdl", ["a.kdl old\r\n"], "a.kdl new\n", "a.kdl"],
    ["leaves.kdl", ["leaves.kdl old\r\n"], "leaves.kdl new\n", "a.kdl"],
    ["a.map", ["a.map old\r\n"], "a.map new\n", "a.kdl"],
  ]);
  expect([...marked.value]).toEqual(["b.kdl", "a.kdl"]);
  // What has come after all is offered no more.
  for (const name of ["a.kdl", "leaves.kdl", "a.map"]) typing.hasCome([text(name)]);
  expect([...marked.value]).toEqual(["b.kdl"]);
});

test("what the server says of a document counts more than a sheet that is not shown any more", () => {
  sheet.take(shown("b new", false));
  unwritten.value = { revision: 7, documents: [{ file: "b.kdl", texts: [text("b.kdl")] }] };
  sheet.cut();
  typing.offer();
  expect(typing.left.value.get("b.kdl")?.shown).toBe("b.kdl new\n");
});

test("the same program has all that it had", () => {
  unwritten.value = { revision: 7, documents: [{ file: "a.kdl", texts: [text("a.kdl")] }] };
  sheet.cut();
  expect(localStorage.getItem("treemind-typed")).toContain("a.kdl new");
  typing.unstrand();
  typing.offer();
  expect([typing.left.value.size, localStorage.getItem("treemind-typed")]).toEqual([0, null]);
});
