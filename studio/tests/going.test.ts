// Where the keyboard goes, and what is chosen with it.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask as Asked, Problem, Sheet, SheetNode } from "../src/protocol";

const sent = vi.hoisted(() => [] as Asked[]);
vi.mock("../src/wire/wire", async () => ({
  say: (of: Asked) => sent.push(of),
  trySay: (of: Asked) => sent.push(of) > 0,
  lookAgain: () => undefined,
  seed: (await import("@preact/signals")).signal(0),
}));

import * as acts from "../src/edit/actions";
import { Ask } from "../src/edit/menu";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import * as problems from "../src/panels/problems";
import { toKeyboard } from "../src/parts/keyboard";
import * as model from "../src/wire/model";

const turn = (ms = 60) => new Promise((done) => setTimeout(done, ms));
const find = (what: string) => document.querySelector(what) as HTMLElement;
const node = (id: number, line: number): SheetNode =>
  ({ id, depth: id === 1 ? 0 : 1, word: "wait", values: [], properties: [], file: 0, at: [line, 0, line, 9] }) as unknown as SheetNode;
const problem = (line: number, id?: number) =>
  ({ file: "a.kdl", at: [line, 2, line, 3], code: "T0104", severity: "error", about: id === undefined ? undefined : { id } }) as Problem;

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => setTimeout(then, 5));
  sheet.mayEdit.value = true;
  const nodes = [node(1, 1), node(2, 2), node(3, 3)];
  sheet.sheet.value = {
    revision: 1,
    nodes,
    keys: [],
    leaves: [],
    problems: [],
    files: [{ name: "a.kdl", text: "", is_whole: true }],
  } as unknown as Sheet;
  [sheet.chosen.value, sheet.folded.value] = [[2], new Set()];
});
afterEach(() => {
  render(null, document.body);
  document.body.innerHTML = "";
});

test("the keyboard goes where it is wanted, also when that comes later, and not away from who types", async () => {
  document.body.innerHTML = '<button class="tab"></button><input class="field"><div class="rows" tabindex="0"></div>';
  find(".tab").focus();
  toKeyboard(".rows");
  await turn();
  expect(document.activeElement).toBe(find(".rows"));
  // What is clicked on keeps it only until the rows are there.
  find(".tab").focus();
  toKeyboard(".later");
  await turn();
  document.body.insertAdjacentHTML("beforeend", '<div class="later" tabindex="0"></div>');
  await turn();
  expect(document.activeElement).toBe(find(".later"));
  find(".field").focus();
  toKeyboard(".rows");
  await turn();
  expect(document.activeElement).toBe(find(".field"));
});

test("the keyboard does not go into the rows of a document that gives way to another one", async () => {
  document.body.innerHTML = '<div class="rows" tabindex="0"></div>';
  let hasCome = false;
  toKeyboard(".rows", () => hasCome);
  await turn();
  expect(document.activeElement).toBe(document.body);
  document.body.innerHTML = '<div class="rows" tabindex="0"></div>';
  hasCome = true;
  await turn();
  expect(document.activeElement).toBe(find(".rows"));
});

test("in the rows, Home and End choose the first and the last one", () => {
  const press = (key: string, shiftKey = false) => acts.press(new KeyboardEvent("keydown", { key, shiftKey }));
  expect([press("End"), sheet.chosen.value]).toEqual([true, [3]]);
  expect([press("Home"), sheet.chosen.value]).toEqual([true, [1]]);
  expect([press("End", true), sheet.chosen.value]).toEqual([true, [1, 2, 3]]);
});

test("while one edits, a problem leads to the row of its node, and elsewhere into the text", () => {
  model.panel.value = "edit";
  problems.goTo(problem(3, 3));
  expect([model.panel.value, sheet.chosen.value]).toEqual(["edit", [3]]);
  // It is in no node.
  problems.goTo(problem(9));
  expect([model.panel.value, model.textAt.value]).toEqual(["text", { file: "a.kdl", line: 9, column: 2 }]);
  problems.goTo(problem(2, 2));
  expect([model.panel.value, sheet.chosen.value]).toEqual(["text", [3]]);
});

test("what is not saved is listed as it is edited, and shown where it is typed", () => {
  const played = { texts: [{ name: "a.kdl", text: "" }], problems: [problem(1)] };
  model.definition.value = played as unknown as typeof model.definition.value;
  const edited = [problem(3, 3), { ...problem(2, 2), severity: "warning" } as Problem];
  const files = [{ name: "a.kdl", text: "", is_whole: true, is_saved: false }];
  sheet.sheet.value = { ...(sheet.sheet.value as Sheet), files, problems: edited } as Sheet;
  model.panel.value = "edit";
  expect([problems.all.value, problems.counted.value]).toEqual([edited, [1, 1]]);
  // Another program has put something there that is no text.
  const unread = { ...problem(1), code: "T0001" };
  model.definition.value = { ...played, draft: { ...played, problems: [unread] } } as unknown as typeof model.definition.value;
  sheet.sheet.value = { ...(sheet.sheet.value as Sheet), problems: [] } as Sheet;
  expect([problems.all.value, problems.counted.value]).toEqual([[unread], [1, 0]]);
  model.definition.value = played as unknown as typeof model.definition.value;
  problems.goTo(problem(9));
  expect([model.panel.value, sheet.writes.value, model.textAt.value?.line]).toEqual(["text", true, 9]);
  // Nobody edits.
  [sheet.writes.value, model.panel.value] = [false, "graph"];
  expect(problems.all.value).toEqual(played.problems);
});

test("a name that is asked for is taken with the mouse alone, or given up", async () => {
  sent.length = 0;
  const open = (): void => {
    acts.question.value = { label: "Rename", value: "idle", edit: (name) => ({ do: "rename", id: 2, name }) };
    render(h(Ask, {}), document.body);
  };
  open();
  const [accept, cancel] = document.querySelectorAll<HTMLButtonElement>("dialog button");
  accept.click();
  await turn();
  for (const one of sent.splice(0)) if (one.say === "try") trial.hear({ nth: one.nth, why: null });
  expect(sent.flatMap((one) => (one.say === "edit" ? [one.edit] : []))).toEqual([{ do: "rename", id: 2, name: "idle" }]);
  expect(acts.question.value).toBe(null);
  open();
  cancel.click();
  expect(acts.question.value).toBe(null);
});
