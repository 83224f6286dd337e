import { h, render } from "preact";
import { expect, test } from "vitest";
import { Cell } from "../src/edit/cells";
import type { Definition, Tests } from "../src/protocol";
import * as tests from "../src/testing/tests";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));

test("a cell keeps what it wrote when that is refused, with the reason; of others, nothing", async () => {
  const said: string[] = [];
  render(h(Cell, { label: "name", value: "health", write: (text: string) => said.push(text) }), document.body);
  const input = document.querySelector("input") as HTMLInputElement;
  input.focus();
  input.value = "生命 x";
  model.refused.value = "of something else";
  await turn();
  expect(input.value).toBe("生命 x");
  model.refused.value = "";
  input.blur();
  await turn();
  expect([said, input.value]).toEqual([["生命 x"], "生命 x"]);
  model.refused.value = "no name";
  await turn();
  expect([input.value, input.getAttribute("aria-invalid")]).toEqual(["生命 x", "true"]);
  expect(document.body.textContent).toContain("no name");
  // What is refused later was about something else.
  model.refused.value = "";
  await turn();
  model.refused.value = "no place";
  await turn();
  expect(document.body.textContent).not.toContain("no place");
});

test("tests cannot run while the document has mistakes", () => {
  tests.tests.value = { wrong: null, tests: [] } as unknown as Tests;
  model.definition.value = { draft: null, refusal: null } as unknown as Definition;
  expect(tests.canRun.value).toBe(true);
  model.definition.value = { draft: {}, refusal: null } as unknown as Definition;
  expect(tests.canRun.value).toBe(false);
});
