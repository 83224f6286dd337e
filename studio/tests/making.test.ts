import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Ask, Tests } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: () => true,
  open: () => undefined,
  lookAgain: () => undefined,
}));

import { Making } from "../src/testing/making";
import * as tests from "../src/testing/tests";
import * as stretch from "../src/time/stretch";
import * as model from "../src/wire/model";

const turn = (ms = 20) => new Promise((done) => setTimeout(done, ms));
afterEach(() => render(null, document.body));

test("the test is made again with the name that is typed, and a taken name is said", async () => {
  model.view.value = { file: "a.kdl", mind: 0, tick: 9, last: 20, end: 20, is_live: false } as unknown as model.View;
  stretch.mark(3, 9);
  const draft = { of: { mind: 0, from: 3, to: 9, name: "" }, text: 'test "it"', proposed: [], wrong: null, refusal: null, nth: 1 };
  tests.tests.value = { tests: [{ id: "a", name: "flees", state: "passed" }], draft } as unknown as Tests;
  render(h(Making, {}), document.body);
  await turn();
  const box = document.querySelector("label.wide input") as HTMLInputElement;
  sent.length = 0;
  for (const text of ["fl", "flees"]) {
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  await turn();
  expect(document.querySelector(".hint")?.textContent).toContain("Another test has this name");
  await turn(400);
  const names = sent.flatMap((one) => (one.say === "test" && one.test.do === "draft" ? [one.test.of.name] : []));
  expect(names).toEqual(["flees"]);
});
