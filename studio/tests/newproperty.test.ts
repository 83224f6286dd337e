// The fields of the inspector for what a node does not have yet: a new property, and a parameter that takes a key.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, SheetNode, Words } from "../src/protocol";

const [sent, way] = vi.hoisted(() => [[] as Ask[], { isThere: true }]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => way.isThere && sent.push(of) > 0,
}));

import { Inspector } from "../src/edit/inspector";
import * as sheet from "../src/edit/sheet";
import * as unsent from "../src/edit/unsent";

const turn = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const node = (id: number, word: string, value: string, role = "task"): SheetNode =>
  ({ id, depth: 1, role, word, values: [value], properties: [], at: [id, 4, id, 9], file: 0, is_disabled: false }) as unknown as SheetNode;
const key = (word: string, name: string) =>
  ({ id: 9, word, name, ty: "float", default: null, doc: null, scope: "agent", values: [], list: null, uses: [] }) as const;

beforeEach(() => {
  [sent.length, way.isThere, sheet.mayEdit.value] = [0, true, true];
  sheet.forget();
  sheet.take({
    revision: 1,
    files: [{ name: "a.kdl", is_whole: true }],
    nodes: [{ ...node(1, "tree", "t", "definition"), depth: 0 }, node(2, "action", "serve"), node(3, "action", "serve")],
    problems: [],
    undo: null,
    selection: null,
    done: [],
    keys: [key("key", "heat")],
    leaves: [{ id: 80, kind: "action", name: "serve", doc: null, uses: [], params: [key("param", "pace")] }],
  } as unknown as Sheet);
  const word = { place: "in a tree", is_node: true, value: "name", is_computed: false, properties: [] };
  sheet.heardWords.value = {
    words: [{ ...word, name: "action", purpose: "" }],
    of_nodes: ["when", "doc"].map((name) => ({ name, purpose: "", default: null, is_computed: false, below: [] })),
    curves: [],
  } as unknown as Words;
  render([h("div", { class: "sheet", role: "tree", tabIndex: 0 }), h(Inspector, {})], document.body);
  sheet.chosen.value = [2];
});
afterEach(() => {
  for (const one of unsent.unsent.value) unsent.close(one);
  render(null, document.body);
});

const list = () => document.querySelector<HTMLSelectElement>("select[aria-label='Add a property …']") as HTMLSelectElement;
const field = () => document.querySelector<HTMLInputElement>("[aria-label='value when']");
async function types(text: string): Promise<void> {
  await turn();
  list().value = "when";
  list().dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
  const box = field() as HTMLInputElement;
  expect(document.activeElement).toBe(box);
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
const edits = () => sent.filter((one) => one.say === "edit");
const written = (id: number, value: string) => ({ say: "edit", edit: { do: "set", id, name: "when", value } });

test("what is typed into a new property is written when it is left for another row, and once", async () => {
  await types("heat > 2");
  field()?.blur();
  sheet.chosen.value = [3];
  await turn();
  expect(edits()).toEqual([written(2, "heat > 2")]);
  expect(field()).toBeNull();
});

test("Enter writes it, Esc gives it up, and an empty one waits", async () => {
  await types("");
  field()?.blur();
  await turn();
  expect([edits(), field()?.value]).toEqual([[], ""]);
  list().value = "";
  list().dispatchEvent(new Event("change", { bubbles: true }));
  await types("heat > 3");
  field()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await turn();
  expect([edits(), field()]).toEqual([[written(2, "heat > 3")], null]);
  expect(document.activeElement?.getAttribute("role")).toBe("tree");
  await types("heat > 4");
  field()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([edits().length, field()]).toEqual([1, null]);
});

test("what could not be written is in the field again when its node is chosen", async () => {
  await types("heat > 5");
  way.isThere = false;
  field()?.blur();
  sheet.chosen.value = [3];
  await turn();
  expect(field()).toBeNull();
  sheet.chosen.value = [2];
  await turn();
  expect([field()?.value, field()?.getAttribute("aria-invalid")]).toEqual(["heat > 5", "true"]);
  expect(document.activeElement).not.toBe(field());
  way.isThere = true;
  field()?.focus();
  field()?.blur();
  await turn();
  expect(edits()).toEqual([written(2, "heat > 5")]);
  expect(unsent.unsent.value).toEqual([]);
});

test("a parameter that is to take a key says that none is chosen until one is", async () => {
  await turn();
  const said = () => document.querySelector(".about small")?.textContent ?? "";
  expect(said()).toContain("has no default");
  document.querySelector<HTMLElement>("[aria-label='pace: a key']")?.click();
  await turn();
  expect(said()).toContain("no key is chosen yet");
  const now = sheet.sheet.value as Sheet;
  const serve = { ...now.nodes[1], properties: [{ name: "pace", value: "{heat}" }] };
  sheet.take({ ...now, revision: 2, nodes: [now.nodes[0], serve as SheetNode, now.nodes[2]] });
  await turn();
  expect(said()).toContain("taken from the key");
});
