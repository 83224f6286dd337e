// What is typed to add it stays until it is added; an expression gets the quotes that it needs.

import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, Words } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => sent.push(of) > 0,
  lookAgain: () => undefined,
}));

import { Editing } from "../src/edit/edit";
import { quoted } from "../src/edit/quoting";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};

const word = (name: string, is_computed: boolean, ...properties: string[]) => ({
  name,
  purpose: `what ${name} does`,
  place: "in a tree",
  is_node: true,
  is_computed,
  properties: properties.map((one) => ({ name: one })),
});
const words = {
  words: [word("check", true), word("wait", true), word("repeat", true), word("action", false), word("subtree", false)],
  of_nodes: [{ name: "name" }, { name: "while" }],
  curves: [],
} as unknown as Words;

test.each([
  ["check ahead > 3", 'check "ahead > 3"'],
  ["check (ahead > 3)", 'check "(ahead > 3)"'],
  ["check mood == 'calm'", "check \"mood == 'calm'\""],
  ["check a==1", 'check "a==1"'],
  ["check max(a, 2) > 1", 'check "max(a, 2) > 1"'],
  ['check ahead > 3 name="a long = text"', 'check "ahead > 3" name="a long = text"'],
  ["check name == 3 while=near", 'check "name == 3" while=near'],
  ['check mood == "calm"', 'check "mood == \\"calm\\""'],
  ["repeat n + 1 { wait 3 }", 'repeat "n + 1" { wait 3 }'],
  ["check if a { b } else { c }", 'check "if a { b } else { c }"'],
])("%s becomes %s", (typed, text) => expect(quoted(typed, words)).toBe(text));

test.each([
  'check "ahead > 3"',
  'check "ahead > 3" name=x',
  'check #"a " b"#',
  "check #true",
  "check near",
  "check 守卫 name=x",
  "wait 2.5",
  "wait -1e3",
  "wait name=x",
  "repeat forever { run }",
  "repeat 3",
  "action go a b",
  "subtree dog (x)",
  "unknown a b",
])("%s stays as it is", (typed) => expect(quoted(typed, words)).toBe(typed));

test("a word may begin with a capital letter", () => expect(quoted(" Wait  a + 1 ", words)).toBe('wait "a + 1"'));

const field = () => document.querySelector<HTMLInputElement>("dialog[open] input");
const listed = () => [...document.querySelectorAll(".finds [role=option] span:not(.sign)")].map((one) => one.textContent);
async function type(text: string): Promise<void> {
  const box = field() as HTMLInputElement;
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
}
const enter = () => field()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
const tries = () => sent.flatMap((one) => (one.say === "try" ? [one] : []));
const edits = () => sent.flatMap((one) => (one.say === "edit" ? [one.edit] : []));
async function answer(why: string | null): Promise<void> {
  trial.hear({ nth: tries().at(-1)?.nth ?? 0, why });
  await turn();
}

afterEach(() => render(null, document.body));

test("what is refused stays, with the reason, until something else is typed", async () => {
  language.value = "en";
  const node = { id: 1, depth: 0, word: "tree", role: "definition", file: 0, values: ["t"], properties: [], at: [1, 0, 1, 9] };
  const none = { undo: null, redo: null, unsaved: null, conflicts: [], done: [], told: [], keys: [], leaves: [], problems: [] };
  const files = [{ name: "a.kdl", text: "", is_whole: true, is_saved: true }];
  sheet.sheet.value = { revision: 1, nodes: [node], files, saves_at_once: true, selection: null, ...none } as unknown as Sheet;
  [sheet.mayEdit.value, sheet.chosen.value, sheet.heardWords.value] = [true, [1], words];
  model.isConnected.value = true;
  render(h(Editing, {}), document.body);
  sheet.add(1, "into");
  for (const side of ["into", "after"] as const) {
    const fits = words.words.map((one) => ({ text: one.name, word: one.name, doc: one.purpose }));
    sheet.takeFits({ spot: { id: 1, side }, why: null, fits } as unknown as Parameters<typeof sheet.takeFits>[0]);
  }
  await turn();
  sent.length = 0;
  await type("Wait 3");
  expect(listed()[0]).toBe("wait 3");
  await type("xyz 3");
  expect([listed(), document.querySelector(".finds")?.textContent]).toEqual([[], "Nothing found."]);
  await type("subtree dog");
  enter();
  await answer("`dog` would contain itself");
  expect([field()?.value, document.querySelector("dialog .why code")?.textContent, edits()]).toEqual(["subtree dog", "dog", []]);
  expect(model.refused.value).toBe("");
  await type("subtree do");
  expect(document.querySelector("dialog .why")).toBe(null);
  // Without a program nothing is added, and the box says so.
  await type("check ahead > 3");
  model.isConnected.value = false;
  await turn();
  sent.length = 0;
  enter();
  const why = "There is no connection: nothing can be added until it is back.";
  expect([sent, document.querySelector("dialog .why")?.textContent, field()?.value]).toEqual([[], why, "check ahead > 3"]);
  model.isConnected.value = true;
  await turn();
  expect(document.querySelector("dialog .why")).toBe(null);
  expect(listed()[0]).toBe('check "ahead > 3"');
  sent.length = 0;
  enter();
  enter();
  expect(tries().length).toBe(1);
  await answer(null);
  expect(edits()).toEqual([{ do: "add", text: 'check "ahead > 3"', spot: { id: 1, side: "into" }, others: [] }]);
  expect(field()).toBe(null);
});
