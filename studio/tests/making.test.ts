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

test("what is added is what the fields say now, and not what the text said before", async () => {
  model.view.value = { file: "a.kdl", mind: 0, tick: 9, last: 20, end: 20, is_live: false } as unknown as model.View;
  stretch.mark(3, 9);
  const comes = (of: object, wrong: string | null): void => {
    const made = { of, text: 'test "it"', proposed: ["flee"], wrong, refusal: null, nth: 1 };
    tests.tests.value = { tests: [], draft: made } as unknown as Tests;
  };
  const asked = () => sent.flatMap((one) => (one.say === "test" && one.test.do !== "try" ? [one.test] : []));
  const press = () => (document.querySelector("button.add") as HTMLButtonElement).click();
  comes({ mind: 0, from: 3, to: 9, name: "", never: [], facts: [] }, null);
  render(h(Making, {}), document.body);
  await turn();
  const box = document.querySelector("label.wide input") as HTMLInputElement;
  box.value = "";
  box.dispatchEvent(new Event("input", { bubbles: true }));
  await turn(300);
  sent.length = 0;
  (document.querySelector("input[data-never]") as HTMLElement).click();
  press();
  await turn();
  const now = { mind: 0, from: 3, to: 9, name: "", never: ["flee"], facts: [] };
  expect(asked()).toEqual([
    { do: "draft", of: now },
    { do: "draft", of: now },
  ]);
  // It comes, and fails, which nobody has seen before: then it is not added unasked.
  comes(now, "it fails");
  await turn();
  expect(asked().length).toBe(2);
  press();
  await turn();
  expect(asked().slice(2)).toEqual([{ do: "add" }]);
  // One that does not fail is added when it comes.
  stretch.mark(4, 9);
  sent.length = 0;
  press();
  comes({ ...now, from: 4 }, null);
  await turn();
  expect(asked()).toEqual([{ do: "draft", of: { ...now, from: 4 } }, { do: "add" }]);
});
