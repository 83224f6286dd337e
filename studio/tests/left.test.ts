// What was typed and never sent is told wherever one is in its document, with the way to it.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Definition } from "../src/protocol";

vi.hoisted(() => {
  const kept = { bases: ["tree t\n"], isLost: false, shown: "tree t\n// typed while dead\n" };
  localStorage.setItem("treemind-typed", JSON.stringify([["/w/a.kdl", kept]]));
});
vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined, looks: () => 0 }));

import * as sheet from "../src/edit/sheet";
import { settle } from "../src/edit/typing";
import { unsent } from "../src/edit/unsent";
import { Unsent } from "../src/panels/gone";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));
const buttons = () => [...document.querySelectorAll<HTMLButtonElement>(".unsent button")];
const said = () => buttons().map((one) => one.textContent);

function shows(file: string): void {
  model.definition.value = { draft: null, texts: [{ name: file, text: "tree t\n" }], problems: [] } as unknown as Definition;
}

beforeEach(async () => {
  [language.value, model.isConnected.value, sheet.mayEdit.value, model.panel.value] = ["en", true, true, "graph"];
  shows("/w/a.kdl");
  render(h(Unsent, {}), document.body);
  await turn();
});
afterEach(() => render(null, document.body));

test("the text that a page before has left is told until it is put in or discarded", async () => {
  expect(said()).toEqual(["Show it in the text"]);
  shows("/w/b.kdl");
  await turn();
  expect(said()).toEqual([]);
  shows("/w/a.kdl");
  model.panel.value = "edit";
  await turn();
  buttons()[0].click();
  await turn();
  expect([model.panel.value, sheet.writes.value, said()]).toEqual(["text", true, []]);
  sheet.writes.value = false;
  await turn();
  expect(said()).toEqual(["Show it in the text"]);
  settle("/w/a.kdl");
  await turn();
  expect(said()).toEqual([]);
});

test("so are fields, outside of the rows, which say it themselves", async () => {
  const one = { id: 0, node: "wait 3", field: "value", text: "4", edit: null, file: "/w/a.kdl", home: "tree t", nth: 0 };
  for (const why of ["gone", "lost"] as const) {
    unsent.value = [{ ...one, why }];
    await turn();
    expect(said()).toEqual(["Show it in Edit"]);
  }
  buttons()[0].click();
  await turn();
  expect([model.panel.value, said()]).toEqual(["edit", []]);
});

test("nothing is told to who cannot edit, or while nothing can be done", async () => {
  unsent.value = [{ id: 0, node: "", field: "", text: "4", edit: null, file: "/w/a.kdl", home: "", nth: 0, why: "lost" }];
  for (const [isConnected, mayEdit, shown] of [
    [true, true, 1],
    [true, false, 0],
    [false, true, 0],
  ] as const) {
    [model.isConnected.value, sheet.mayEdit.value] = [isConnected, mayEdit];
    await turn();
    expect(buttons().length).toBe(shown);
  }
});
