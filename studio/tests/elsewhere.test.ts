// What is in a field is for the node and the document that it was typed for, whatever is shown then.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, SheetNode } from "../src/protocol";

const said: (Ask & { file?: string })[] = [];
let hear: (text: string) => void = () => {};
vi.mock("../src/wire/carrier", () => ({
  isAlone: false,
  carry: (heard: { message: (text: string) => void }) => {
    hear = heard.message;
    return { send: (text: string) => said.push(JSON.parse(text)) > 0, close: () => {} };
  },
  patience: {},
}));

import { Inspector } from "../src/edit/inspector";
import * as sheet from "../src/edit/sheet";
import { unsent } from "../src/edit/unsent";
import * as model from "../src/wire/model";
import { begin, open } from "../src/wire/wire";

const turn = () => new Promise((done) => setTimeout(done, 40));
const node = (id: number, word: string, name: string): SheetNode =>
  ({
    id,
    depth: id === 1 ? 0 : 1,
    role: id === 1 ? "definition" : "task",
    word,
    values: [],
    properties: [{ name: "name", value: name }],
    at: [id, 0, id, 9],
    file: 0,
  }) as unknown as SheetNode;
/** Another document numbers its nodes in the same way. */
const document_ = (file: string, name: string): Sheet =>
  ({
    revision: 1,
    files: [{ name: file, text: "", is_whole: true, is_saved: true }],
    nodes: [node(1, "tree", file), node(2, "sequence", name)],
    problems: [],
    keys: [],
    leaves: [],
    done: [],
    undo: null,
    selection: null,
  }) as unknown as Sheet;
const view = (file: string, name: string): void =>
  hear(
    JSON.stringify({
      kind: "view",
      nth: 0,
      file,
      mind: 0,
      tick: 9,
      state: 1,
      opened: 1,
      is_paused: true,
      hits: { last: 0, is_all: true, fresh: [] },
      definition: { texts: [], problems: [], draft: null, refusal: null, behaviour: null },
      sheet: document_(file, name),
    }),
  );
const field = () => document.querySelector<HTMLInputElement>('.inspector input[aria-label="name"]') as HTMLInputElement;
const edits = (): unknown[] =>
  said.flatMap((one) => (one.say === "edit" ? [one.edit as unknown] : one.say === "look" && one.file === "b.kdl" ? ["look"] : []));
async function type(text: string): Promise<void> {
  sheet.chosen.value = [2];
  await turn();
  field().focus();
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
}

await begin();
beforeEach(async () => {
  for (const one of unsent.value) unsent.value = unsent.value.filter((other) => other !== one);
  [model.files.value, model.file.value, sheet.mayEdit.value, model.panel.value] = [["a.kdl", "b.kdl"], "a.kdl", true, "edit"];
  render([h("div", { class: "sheet", role: "tree", tabIndex: 0 }), h(Inspector, {})], document.body);
  view("a.kdl", "loud");
  await turn();
  said.length = 0;
});
afterEach(() => render(null, document.body));

test("another address writes what is in a field before it turns to the other file", async () => {
  await type("backed");
  dispatchEvent(Object.assign(new Event("hashchange"), { newURL: "http://localhost/#file=b.kdl", oldURL: "" }));
  expect(edits().slice(0, 2)).toEqual([{ do: "set", id: 2, name: "name", value: "backed" }, "look"]);
  view("b.kdl", "calm");
  await turn();
  expect(edits().filter((one) => one !== "look").length).toBe(1);
});

test("what turns the page in another way writes nothing into the other file, and the text is offered again in its own", async () => {
  await type("backed");
  view("b.kdl", "calm");
  await turn();
  sheet.chosen.value = [2];
  await turn();
  expect(field().value).toBe("calm");
  expect(edits().filter((one) => one !== "look")).toEqual([]);
  expect(unsent.value.map((one) => [one.file, one.node, one.field, one.text])).toEqual([["a.kdl", "sequence", "name", "backed"]]);
  view("a.kdl", "loud");
  sheet.chosen.value = [2];
  await turn();
  expect(field().value).toBe("backed");
});

test("a page that is loaded again offers what was in a field, and one that is left with nothing in it does not", async () => {
  localStorage.removeItem("treemind-unsent");
  dispatchEvent(new Event("pagehide"));
  expect(localStorage.getItem("treemind-unsent")).toBeNull();
  await type("half");
  dispatchEvent(new Event("pagehide"));
  expect(JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]")).toMatchObject([
    { file: "a.kdl", field: "name", text: "half", why: "lost" },
  ]);
});

test("what is to be done in the other file is done behind the turn", async () => {
  open("b.kdl", () => said.push({ say: "go", tick: 3 }));
  expect(said.map((one) => one.say).slice(-2)).toEqual(["look", "go"]);
});
