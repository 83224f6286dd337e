// A parameter is added to a leaf in the table.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { Leaves } from "../src/edit/leaves";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import * as unsent from "../src/edit/unsent";
import { language } from "../src/texts";

const turn = () => new Promise((done) => setTimeout(done, 20));
const param = { name: "speed", ty: "float", default: "", doc: "", values: "" };
const added = [{ say: "edit", edit: { do: "add-param", id: 5, param } }];
const name = () => document.querySelector<HTMLInputElement>('input[aria-label="Add a parameter: go"]') as HTMLInputElement;
const type = () => name().parentElement?.querySelector("select") as HTMLSelectElement;
const plus = () => document.querySelector<HTMLElement>('button[aria-label="Add: go"]') as HTMLElement;
const press = (at: HTMLElement, key: string) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
/** Answers what was tried; returns what was done then. */
async function answer(why: string | null): Promise<Ask[]> {
  for (const one of sent.splice(0)) if (one.say === "try") trial.hear({ nth: one.nth, why });
  await turn();
  return sent;
}

beforeEach(async () => {
  [language.value, sent.length] = ["en", 0];
  const go = { id: 5, kind: "action", name: "go", doc: null, ty: null, params: [], uses: [] };
  sheet.sheet.value = { revision: 1, nodes: [], keys: [], leaves: [go], files: [] } as unknown as Sheet;
  render(h(Leaves, {}), document.body);
  document.querySelector<HTMLElement>('button[aria-label="Add a parameter: go"]')?.click();
  await turn();
  expect(document.activeElement).toBe(name());
  name().value = "speed";
});
afterEach(() => render(null, document.body));

test("Enter in the name or in the list of types writes it, and the row has the keyboard then", async () => {
  for (const field of [name, type]) {
    if (!name()) {
      document.querySelector<HTMLElement>('button[aria-label="Add a parameter: go"]')?.click();
      await turn();
      name().value = "speed";
    }
    sent.length = 0;
    field().focus();
    press(field(), "Enter");
    expect(await answer(null)).toEqual(added);
    expect(name()).toBe(null);
    expect((document.activeElement as HTMLElement).dataset.leaf).toBe("go");
  }
});

test("the button writes it, and so does leaving the form, once", async () => {
  type().focus();
  await turn();
  expect(sent).toEqual([]);
  plus().focus();
  plus().click();
  expect(await answer(null)).toEqual(added);
});

test("leaving the form writes it", async () => {
  type().focus();
  type().blur();
  expect(await answer(null)).toEqual(added);
  expect(name()).toBe(null);
});

test("without a name, or with Esc, nothing is written", async () => {
  press(name(), "Escape");
  await turn();
  expect([name(), sent]).toEqual([null, []]);
  document.querySelector<HTMLElement>('button[aria-label="Add a parameter: go"]')?.click();
  await turn();
  name().blur();
  await turn();
  expect([name(), sent]).toEqual([null, []]);
});

test("what is refused stays with the reason", async () => {
  press(name(), "Enter");
  expect(await answer("there is one already")).toEqual([]);
  expect([name().value, document.querySelector("[role=alert]")?.textContent]).toEqual(["speed", "there is one already"]);
});

test("without a connection it is kept for the page that is loaded next, which has it in the same form", async () => {
  const node = { id: 5, depth: 1, word: "action", values: ["go"], file: 0, properties: [] };
  const files = [{ name: "a.kdl", text: "", is_saved: true }];
  sheet.sheet.value = {
    ...sheet.sheet.value,
    nodes: [{ ...node, id: 4, depth: 0, word: "leaves", values: [] }, node],
    files,
  } as unknown as Sheet;
  const stored = (): unsent.Unsent[] => JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]");
  trial.cut("nothing is sent");
  unsent.cut(true);
  name().dispatchEvent(new Event("input", { bubbles: true }));
  expect(stored().map((one) => one.text)).toEqual(["speed"]);
  name().blur();
  await turn();
  expect([stored().map((one) => one.node), document.querySelector("[role=alert]")?.textContent]).toEqual([
    ["action go"],
    "nothing is sent",
  ]);
  render(null, document.body);
  trial.forget();
  unsent.cut(false);
  unsent.unsent.value = stored().map((one) => ({ ...one, id: 0 }));
  unsent.settle(sheet.sheet.value as Sheet);
  render(h(Leaves, {}), document.body);
  await turn();
  expect([name().value, name().parentElement?.textContent?.includes("not sent")]).toEqual(["speed", true]);
  press(name(), "Enter");
  expect(await answer(null)).toEqual(added);
  expect([name(), stored()]).toEqual([null, []]);
});
