// A parameter is added to a leaf in the table.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { Leaves } from "../src/edit/leaves";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
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
