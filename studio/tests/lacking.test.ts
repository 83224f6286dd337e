// The field for a value that a node does not have yet.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Problem, Sheet, SheetNode, Word, Words } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { Inspector } from "../src/edit/inspector";
import * as sheet from "../src/edit/sheet";

const turn = (ms = 40) => new Promise((done) => setTimeout(done, ms));
const node = (id: number, word: string, more: Partial<SheetNode> = {}): SheetNode =>
  ({ id, depth: 1, role: "task", word, values: [], properties: [], at: [id, 4, id, 9], file: 0, is_disabled: false, ...more }) as SheetNode;
const word = (name: string, value: string, is_computed = false): Word =>
  ({ name, purpose: "", place: "in a tree", is_node: true, value, is_computed, properties: [] }) as unknown as Word;
const needs = (of: SheetNode, says: string, what: string): Problem =>
  ({
    at: of.at,
    code: "T0203",
    file: "a.kdl",
    severity: "error",
    about: { id: of.id },
    text: { says, with: [of.word, what] },
  }) as unknown as Problem;

const root = node(1, "tree", { depth: 0, role: "definition" });
let revision = 1;
function has(nodes: SheetNode[], problems: Problem[] = [], label = "add"): Sheet {
  const done = [{ by: sheet.you.value, label }].slice(0, revision - 1);
  return {
    revision: revision++,
    files: [{ name: "a.kdl" }],
    nodes,
    problems,
    undo: done[0] ?? null,
    selection: null,
    done,
    keys: [],
    leaves: [],
  } as unknown as Sheet;
}
const fields = () =>
  [...document.querySelectorAll<HTMLInputElement>(".inspector input")].map((one) => [
    one.getAttribute("aria-label"),
    one.value,
    one.placeholder,
  ]);

beforeEach(() => {
  sent.length = 0;
  revision = 1;
  sheet.forget();
  sheet.mayEdit.value = true;
  sheet.heardWords.value = {
    words: [word("wait", "value", true), word("set", "value"), word("subtree", "name"), word("sequence", "value"), word("state", "name")],
    of_nodes: [],
    curves: [],
  } as unknown as Words;
});
afterEach(() => {
  (document.activeElement as HTMLElement | null)?.blur();
  render(null, document.body);
});
/** The inspector beside the rows, to which a field gives the keyboard back. */
const show = () => render([h("div", { class: "sheet", role: "tree", tabIndex: 0 }), h(Inspector, {})], document.body);

test("what is added without a value that it needs is asked for it, and the value is written", async () => {
  show();
  sheet.take(has([root]));
  const wait = node(2, "wait");
  sheet.edit({ do: "add", text: "wait", spot: { id: 1, side: "into" } });
  sheet.take(has([root, wait], [needs(wait, "`{}` needs {}", "the number of seconds")]));
  await turn();
  expect(fields()).toEqual([["value", "", "the number of seconds"]]);
  const field = document.activeElement as HTMLInputElement;
  expect(field.getAttribute("aria-label")).toBe("value");
  field.value = "2 + 1";
  sent.length = 0;
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(sent).toEqual([{ say: "edit", edit: { do: "set", id: 2, name: "0", value: "2 + 1" } }]);
});

test("a node that is only looked at has the field, and the keyboard stays where it is", async () => {
  const [set, subtree] = [node(2, "set"), node(3, "subtree")];
  sheet.take(
    has([root, set, subtree], [needs(set, "`{}` needs {}", "statements"), needs(subtree, "`{}` needs the name of {}", "the tree")]),
  );
  sheet.chosen.value = [2];
  show();
  await turn();
  expect(fields()).toEqual([["value", "", "statements"]]);
  expect(document.activeElement?.getAttribute("aria-label")).not.toBe("value");
  sheet.chosen.value = [3];
  await turn();
  expect(fields()).toEqual([["subtree", "", "the tree"]]);
});

test("what takes no value, has one, or has its name as a property has no such field", async () => {
  const state = node(3, "state", { role: "state", properties: [{ name: "name", value: "idle" }] });
  sheet.take(has([root, node(2, "sequence"), state, node(4, "wait", { values: ["2.0"] })]));
  show();
  for (const [id, found] of [
    [2, []],
    [3, [["name", "idle", ""]]],
    [4, [["value", "2.0", ""]]],
  ] as const) {
    sheet.chosen.value = [id];
    await turn();
    expect(fields()).toEqual(found);
  }
});

test("what has no name cannot be renamed", async () => {
  const [sequence, subtree] = [node(2, "sequence"), node(3, "subtree", { values: ["flee"] })];
  sheet.take(has([root, sequence, subtree]));
  show();
  const isOffered = () => [...document.querySelectorAll(".acts button")].some((one) => one.textContent?.startsWith("Rename"));
  sheet.chosen.value = [2];
  await turn();
  expect(isOffered()).toBe(false);
  sheet.chosen.value = [3];
  await turn();
  expect(isOffered()).toBe(true);
});
