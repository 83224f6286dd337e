import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Sheet, SheetKey, Stub } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true }));

import { Keys } from "../src/edit/keys";
import * as sheet from "../src/edit/sheet";
import { isReadBelow } from "../src/edit/worth";
import { defined } from "../src/panels/home";
import { Answers } from "../src/panels/stubs";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const key = (id: number, name: string): SheetKey =>
  ({
    id,
    word: "key",
    name,
    ty: "int",
    default: "0",
    doc: null,
    scope: "agent",
    values: [],
    list: null,
    sensor: null,
    uses: [],
  }) as SheetKey;
const press = (name: string): void => {
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
};
const where = (): string => document.activeElement?.getAttribute("aria-label") ?? "";

afterEach(() => render(null, document.body));

test("the keyboard is in a row of a table, and in a field of it only after Enter", async () => {
  language.value = "en";
  sheet.sheet.value = { revision: 1, nodes: [], keys: [key(1, "health"), key(2, "alarm")], leaves: [], files: [] } as unknown as Sheet;
  render(h(Keys, {}), document.body);
  (document.querySelector(".table tbody") as HTMLElement).focus();
  expect(where()).toBe("health");
  press("j");
  expect(where()).toBe("alarm");
  press("ArrowUp");
  press("Enter");
  expect([where(), document.activeElement?.tagName]).toEqual(["name health", "INPUT"]);
  // In a field, a letter is a letter.
  press("j");
  expect(where()).toBe("name health");
  press("Escape");
  expect(where()).toBe("health");
});

test("what was refused of a script of answers is not said any more when it is mended", async () => {
  const of: Stub = { leaf: "dig", kind: "action", answers: "S F", is_random: false };
  render(h(Answers, { of }), document.body);
  const field = document.querySelector("input") as HTMLInputElement;
  const leave = (text: string): void => {
    field.focus();
    field.value = text;
    field.blur();
  };
  leave("S Q");
  model.refused.value = "`Q` is no answer";
  leave("S F");
  expect(model.refused.value).toBe("");
  // What others are refused stays.
  model.refused.value = "of something else";
  leave("S F");
  expect(model.refused.value).toBe("of something else");
  model.refused.value = "";
});

test("a property is offered where the node around reads it", () => {
  const of = (below: string[]) => ({ name: "score", purpose: "", default: null, is_computed: true, below });
  expect(isReadBelow(of(["utility-selector"]), "utility-selector")).toBe(true);
  expect(isReadBelow(of(["utility-selector"]), "sequence")).toBe(false);
  expect(isReadBelow(of([]), "sequence")).toBe(true);
});

test("what a file defines is said in the language of the page", () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no server")));
  language.value = "zh";
  expect(["tree", "machine", "decision tree", "planner of tomorrow"].map(defined)).toEqual([
    "行为树",
    "状态机",
    "决策树",
    "planner of tomorrow",
  ]);
  language.value = "en";
  expect(defined("tree")).toBe("tree");
});
