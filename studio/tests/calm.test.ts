// A list does not act while the arrow keys pass by what it offers.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Calm } from "../src/edit/calm";

const turn = () => new Promise((done) => setTimeout(done, 20));
const taken: string[] = [];
const list = () => document.querySelector("select") as HTMLSelectElement;
const press = (key: string) => list().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
async function to(value: string): Promise<void> {
  list().value = value;
  list().dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
}

beforeEach(() => {
  taken.length = 0;
  const lines = ["wait", "fail", "run"].map((one) => h("option", { key: one, value: one }, one));
  render(h(Calm, { label: "kind", value: "wait", take: (one) => taken.push(one), children: lines }), document.body);
  list().focus();
});
afterEach(() => render(null, document.body));

test("what is chosen with the mouse, or from a list that was opened, acts at once", async () => {
  await to("fail");
  press("ArrowDown");
  list().dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await to("run");
  press(" ");
  await to("fail");
  expect(taken).toEqual(["fail", "run", "fail"]);
});

test("arrows only go through it: Enter takes, Esc goes back, and leaving it takes", async () => {
  press("ArrowDown");
  await to("fail");
  press("ArrowDown");
  await to("run");
  expect([taken, list().value]).toEqual([[], "run"]);
  press("Escape");
  await turn();
  list().blur();
  expect([taken, list().value]).toEqual([[], "wait"]);
  list().focus();
  press("f");
  await to("fail");
  press("Enter");
  await turn();
  expect(taken).toEqual(["fail"]);
  press("ArrowDown");
  await to("run");
  press("Tab");
  list().blur();
  expect(taken).toEqual(["fail", "run"]);
});
