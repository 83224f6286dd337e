// A refusal goes when what it is about is over.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sheet } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import * as sheet from "../src/edit/sheet";
import { Refused } from "../src/panels/held";
import * as model from "../src/wire/model";

const text = () => document.querySelector(".refused span")?.textContent;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const has = (revision: number): void => {
  sheet.sheet.value = { revision, files: [], nodes: [] } as unknown as Sheet;
};

beforeEach(async () => {
  vi.useFakeTimers();
  [model.view.value, model.isConnected.value, model.refused.value] = [{ file: "a.kdl" } as unknown as model.View, true, ""];
  has(1);
  render(h(Refused, {}), document.body);
  await pass(50);
});
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
});

test("it goes when the text changes again, but not before it can be read", async () => {
  model.refused.value = "a block is not closed";
  await pass(1_000);
  has(2);
  await pass(5_000);
  expect(text()).toBe("a block is not closed");
  await pass(4_000);
  expect(text()).toBeUndefined();
  model.refused.value = "a block is not closed";
  await pass(20_000);
  expect(text()).toBe("a block is not closed");
  has(3);
  await pass(100);
  expect(text()).toBeUndefined();
});

test("it goes after a time, but not while somebody is in it, and not without a connection", async () => {
  model.refused.value = "no";
  await pass(50_000);
  document.querySelector<HTMLElement>(".refused button")?.focus();
  await pass(20_000);
  expect(text()).toBe("no");
  (document.activeElement as HTMLElement).blur();
  await pass(2_000);
  expect(text()).toBeUndefined();
  model.isConnected.value = false;
  model.refused.value = "the way is closed";
  await pass(120_000);
  expect(text()).toBe("the way is closed");
});
