import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import * as assist from "../src/edit/assist";
import { Suggest } from "../src/edit/suggest";

const turn = () => new Promise((done) => setTimeout(done, 20));
const written: string[] = [];
const field = () => document.querySelector("input") as HTMLInputElement;
const rows = () => [...document.querySelectorAll("[role=option] span")].map((one) => one.textContent);

function type(text: string): void {
  field().value = text;
  field().setSelectionRange(text.length, text.length);
  field().dispatchEvent(new Event("input", { bubbles: true }));
}
const press = (key: string) => field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
/** Answers the last question with these. */
async function answer(end: number, ...inserts: string[]): Promise<void> {
  const last = sent.at(-1);
  if (last?.say !== "complete") throw new Error("nothing was asked");
  const items = inserts.map((insert) => ({ label: insert, kind: "key", insert, snippet: null, detail: "", doc: "" }));
  assist.take({ nth: last.nth, replaces: [1, 0, 1, end], items });
  await turn();
}

beforeEach(async () => {
  [sent.length, written.length] = [0, 0];
  render(
    h(Suggest, { id: 1, name: "when", value: "", done: (text: string) => written.push(text), dropped: () => undefined }),
    document.body,
  );
  await turn();
  field().focus();
});
afterEach(() => render(null, document.body));

test("what is suggested for a text that was typed on is not taken", async () => {
  type("he");
  await answer(2, "health", "help");
  expect(rows()).toEqual(["health", "help"]);
  type("health < 60");
  await turn();
  expect(rows()).toEqual([]);
  press("Enter");
  expect([field().value, written]).toEqual(["health < 60", ["health < 60"]]);
});

test("nor when Enter comes before the list is drawn again", async () => {
  type("he");
  await answer(2, "health", "help");
  type("health < 60");
  press("Enter");
  expect([field().value, written]).toEqual(["health < 60", ["health < 60"]]);
});

test("a suggestion for what is in the field is taken", async () => {
  type("he");
  await answer(2, "health", "help");
  press("Enter");
  expect([field().value, written]).toEqual(["health", []]);
});
