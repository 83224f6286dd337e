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

const chosen = () => document.querySelector("[role=option][aria-selected=true] span")?.textContent ?? null;
/** Answers with what the server says of a name that is typed at the end of the field; `from` is where that begins. */
const answerFrom = async (from: number, ...inserts: string[]): Promise<void> => {
  const last = sent.at(-1);
  if (last?.say !== "complete") throw new Error("nothing was asked");
  const items = inserts.map((insert) => ({ label: insert, kind: "key", insert, snippet: null, detail: "", doc: "" }));
  assist.take({ nth: last.nth, replaces: [1, from, 1, field().value.length], items });
  await turn();
};

test.each([
  ["(ahead > 3)", 11],
  ["ahead in -4.0..=30.0 && !(ahead in -0.5..=2.5)", 46],
  ["mood == 'calm'", 14],
  ["mood != cross ", 14],
  ["free(door)", 10],
  ["ahead > max(1, 2)", 17],
  ["ahead >", 7],
  ["ahead > 3", 8],
])("behind %s, Enter and Tab write it, and take no name", async (text, from) => {
  for (const key of ["Enter", "Tab"]) {
    written.length = 0;
    type(text);
    await answerFrom(from, "ahead", "angry", "3d");
    expect([rows()[0], chosen()]).toEqual(["ahead", null]);
    press(key);
    expect([field().value, written]).toEqual([text, key === "Enter" ? [text] : []]);
  }
});

test("a name that is typed in full stands first, and Enter writes it", async () => {
  for (const [text, from] of [
    ["has", 0],
    ["!has", 1],
    ["mood == calm", 8],
  ] as const) {
    written.length = 0;
    const name = text.slice(from);
    type(text);
    await answerFrom(from, `${name}_struck`, "other", name);
    expect([rows(), chosen()]).toEqual([[name, `${name}_struck`, "other"], null]);
    press("Enter");
    expect([field().value, written]).toEqual([text, [text]]);
  }
});

test("it stands first also among more than the list shows", async () => {
  type("has");
  await answerFrom(0, ...Array.from({ length: 9 }, (_, nth) => `has_${nth}`), "has");
  expect(rows().slice(0, 2)).toEqual(["has", "has_0"]);
});

test("what only has the letters somewhere is not chosen by itself, but by an arrow", async () => {
  type("struck");
  await answerFrom(0, "has_struck", "stuck_rock");
  expect(chosen()).toBe(null);
  press("Enter");
  expect([field().value, written]).toEqual(["struck", ["struck"]]);
  type("struck");
  await answerFrom(0, "has_struck", "stuck_rock");
  press("ArrowDown");
  await turn();
  expect(chosen()).toBe("has_struck");
  press("Tab");
  expect(field().value).toBe("has_struck");
});

test("who opens the list with an arrow chooses with it", async () => {
  press("ArrowDown");
  await answerFrom(0, "ahead", "angry");
  expect(chosen()).toBe("ahead");
  press("Enter");
  expect([field().value, written]).toEqual(["ahead", []]);
});

test("names begin behind signs, and a function lacks its parenthesis", async () => {
  for (const [text, insert] of [
    ["{hea", "{health}"],
    ["#tr", "#true"],
    ["two-", "two-part"],
    ["ma", "max("],
    ["守", "守卫"],
  ]) {
    type(text);
    await answerFrom(0, insert);
    expect(chosen()).toBe(insert);
    press("Enter");
    expect(field().value).toBe(insert);
  }
});

test("a field that is to have the keyboard takes it once, however often it is drawn again", async () => {
  render(null, document.body);
  const draw = (placeholder: string) =>
    render(
      h(Suggest, { id: 2, name: "0", value: "", placeholder, isFocused: true, done: () => undefined, dropped: () => undefined }),
      document.body,
    );
  draw("the seconds");
  await turn();
  expect(document.activeElement).toBe(field());
  field().blur();
  draw("seconds");
  await turn();
  expect(document.activeElement).toBe(document.body);
});
