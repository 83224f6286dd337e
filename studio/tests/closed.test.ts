// While something in a document is not closed, its nodes cannot be changed: what would change them is disabled, and says why.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => sent.push(of) > 0,
  lookAgain: () => undefined,
}));

import { menu, press } from "../src/edit/actions";
import { Editing } from "../src/edit/edit";
import { Inspector } from "../src/edit/inspector";
import * as sheet from "../src/edit/sheet";
import { Write } from "../src/edit/write";
import * as begin from "../src/panels/begin";
import { language, t } from "../src/texts";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));

function node(id: number, depth: number, word: string, role: string) {
  return { id, depth, word, role, file: 0, values: [word], properties: [], comment: null, is_disabled: false, at: [id, 0, id, 9] };
}

async function shows(is_whole: boolean): Promise<void> {
  const nodes = [node(1, 0, "tree", "definition"), node(2, 1, "sequence", "task"), node(3, 2, "wait", "task")];
  const files = [{ name: "a.kdl", text: "", is_whole, is_saved: true }];
  const none = {
    undo: null,
    redo: null,
    unsaved: null,
    conflicts: [],
    done: [],
    told: [],
    keys: [],
    leaves: [],
    problems: [],
    selection: null,
  };
  sheet.sheet.value = { revision: 1, nodes, files, saves_at_once: true, ...none } as unknown as Sheet;
  [sheet.mayEdit.value, sheet.chosen.value, model.refused.value] = [true, [3], ""];
  HTMLElement.prototype.showPopover ??= () => undefined;
  render(h("main", {}, h(Editing, {}), h("aside", {}, h(Inspector, {}))), document.body);
  await turn();
  menu.value = { x: 0, y: 0 };
  await turn();
}

const all = (of: string) => [...document.querySelectorAll<HTMLButtonElement>(of)];
/** Whether somebody could press it: also what lies in something that is disabled cannot be pressed. */
const can = (one: HTMLButtonElement): boolean => !one.disabled && !one.closest("fieldset")?.disabled;
const key = (name: string, more: object = {}) => press(new KeyboardEvent("keydown", { key: name, ...more }));

beforeEach(() => {
  [language.value, sent.length] = ["en", 0];
});
afterEach(() => {
  menu.value = null;
  render(null, document.body);
});

test("while everything is closed, nodes can be changed", async () => {
  await shows(true);
  expect(all(".inspector .acts button").filter(can).length).toBeGreaterThan(4);
  expect(all(".menu button").filter(can).length).toBeGreaterThan(7);
  expect(all(".bar button").find((one) => one.textContent?.includes("Add"))?.disabled).toBe(false);
  expect(all(".row[draggable=true]").length).toBe(3);
  sent.length = 0;
  key("u");
  expect(sent).toEqual([{ say: "edit", edit: { do: "unwrap", id: 3 } }]);
});

test("while a block is open, what would change nodes is disabled and says why", async () => {
  await shows(false);
  const why = t("openBlock");
  expect(all(".inspector :is(button, input, select, textarea)").filter(can)).toEqual([]);
  expect(document.querySelector(".inspector fieldset")?.getAttribute("aria-description")).toBe(why);
  expect(all(".inspector .acts button").find((one) => one.textContent?.includes("Remove"))?.title).toBe(why);
  expect(
    all(".menu button")
      .filter(can)
      .map((one) => one.textContent?.trim()),
  ).toEqual(["Copy Ctrl C"]);
  expect(all(".menu button")[0].title).toBe(why);
  const add = all(".bar button").find((one) => one.textContent?.includes("Add"));
  expect([add?.disabled, add?.title]).toEqual([true, why]);
  expect(all(".row[draggable=true]")).toEqual([]);
});

test("a key that would change nodes says why it does not", async () => {
  await shows(false);
  for (const [name, more] of [["a"], ["w"], ["u"], ["d"], ["Delete"], ["ArrowUp", { altKey: true }], ["d", { ctrlKey: true }]] as const) {
    [model.refused.value, sheet.adding.value, sent.length] = ["", null, 0];
    expect(key(name, more), name).toBe(true);
    expect([model.refused.value, sheet.adding.value, sent], name).toEqual([t("openBlock"), null, []]);
  }
  // What only looks still does.
  model.refused.value = "";
  key("ArrowUp");
  expect([sheet.chosen.value, model.refused.value]).toEqual([[2], ""]);
});

test("what cannot be read says so, and offers no copy", async () => {
  await shows(true);
  sheet.sheet.value = null;
  const refused = (texts: object[]) => ({
    behaviour: null,
    texts,
    problems: [],
    refusal: "cannot read `a.kdl`: permission denied",
    draft: null,
  });
  model.definition.value = refused([]) as unknown as model.Definition;
  await turn();
  expect(document.querySelector(".editing")?.textContent).toBe(`${t("notRead")}cannot read a.kdl: permission denied`);
  // What is no text says what it is, where it would be typed, too.
  const problem = {
    file: "a.kdl",
    at: [1, 0, 1, 0],
    severity: "error",
    code: "T0001",
    text: "this file is UTF-16 text",
    help: "save it as UTF-8",
  };
  const unreadable = { ...refused([{ name: "a.kdl", text: "" }]), problems: [problem], refusal: "the document has errors" };
  [begin.canMake.value, model.view.value] = [true, { file: "a.kdl" } as model.View];
  model.definition.value = unreadable as unknown as model.Definition;
  render([h(Editing, {}), h(Write, {})], document.body);
  await turn();
  const whole = `${t("notRead")}this file is UTF-16 textsave it as UTF-8`;
  expect(all(".editing.none").map((one) => one.textContent)).toEqual([whole, whole]);
  // A file in another format may have mistakes, too.
  model.definition.value = refused([{ name: "a.xml", text: "" }]) as unknown as model.Definition;
  await turn();
  expect(document.querySelector(".editing")?.textContent).toContain(t("notEdited"));
  [begin.canMake.value, model.view.value] = [false, null];
});
