// Ctrl S saves wherever the keyboard is, and what is typed is written before. Ctrl Z undoes where nothing is typed.

import { h, render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import type { Ask, Edit, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", async () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => sent.push(of) > 0,
  seed: (await import("@preact/signals")).signal(0),
}));

import { Cell } from "../src/edit/cells";
import * as sheet from "../src/edit/sheet";
import { Unsaved } from "../src/edit/together";
import * as trial from "../src/edit/trial";
import { isSave, isTakenBack } from "../src/keys";
import * as model from "../src/wire/model";

function press(at: HTMLElement, key = "s"): boolean {
  const event = new KeyboardEvent("keydown", { key, ctrlKey: true, shiftKey: key === "Z" });
  Object.defineProperty(event, "target", { value: at });
  return key === "s" ? isSave(event) : isTakenBack(event);
}
const done = () => sent.flatMap((one) => (one.say === "edit" ? [one.edit.do] : []));

beforeEach(() => {
  sent.length = 0;
  sheet.mayEdit.value = true;
  sheet.sheet.value = { revision: 1, nodes: [], keys: [], leaves: [], files: [] } as unknown as Sheet;
});

test("a field that is tried first is written before it is saved, and keeps the keyboard", () => {
  const edit = (name: string): Edit => ({ do: "rename", id: 7, name });
  render(h(Cell, { label: "name", value: "health", edit }), document.body);
  const field = document.querySelector("input") as HTMLInputElement;
  field.focus();
  field.value = "life";
  expect(press(field)).toBe(true);
  expect([done(), document.activeElement]).toEqual([[], field]);
  for (const one of sent.splice(0)) if (one.say === "try") trial.hear({ nth: one.nth, why: null });
  expect(done()).toEqual(["rename", "save"]);
});

test("elsewhere it saves at once, and not what cannot be edited", () => {
  expect([press(document.body), done()]).toEqual([true, ["save"]]);
  sheet.mayEdit.value = false;
  expect([press(document.body), done()]).toEqual([false, ["save"]]);
});

test("what keeps it from being saved is said with names as code, and can be tried again", async () => {
  const files = [{ name: "a.kdl", text: "", is_whole: true, is_saved: false }];
  const unsaved = { why: "a.kdl cannot be read: it is `binary`", remedy: "retry" };
  sheet.sheet.value = {
    revision: 1,
    nodes: [],
    keys: [],
    leaves: [],
    files,
    conflicts: [],
    saves_at_once: true,
    unsaved,
  } as unknown as Sheet;
  render(h(Unsaved, {}), document.body);
  expect(document.querySelector(".unsaved span")?.innerHTML).toBe("a.kdl cannot be read: it is <code>binary</code>");
  // The program tries it by itself.
  expect(done()).toEqual([]);
  document.querySelector<HTMLButtonElement>(".unsaved button")?.click();
  expect(done()).toEqual(["save"]);
  render(null, document.body);
});

test("in a field in which nobody has typed, Ctrl Z undoes what was done to the document", () => {
  model.panel.value = "edit";
  const field = document.createElement("input");
  field.defaultValue = "health";
  document.body.append(field);
  expect([press(field, "z"), press(field, "Z"), press(field, "y")]).toEqual([true, true, true]);
  field.value = "life";
  expect(press(field, "z")).toBe(false);
  expect(press(document.createElement("select"), "z")).toBe(true);
  model.panel.value = "graph";
  expect(press(document.createElement("select"), "z")).toBe(false);
  expect(done()).toEqual(["undo", "redo", "redo", "undo"]);
});
