import { h, render } from "preact";
import { expect, test } from "vitest";
import { Cell } from "../src/edit/cells";
import type { Definition, Tests } from "../src/protocol";
import * as tests from "../src/testing/tests";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));

test("a cell that was left shows what the document has, when what it wrote was refused", async () => {
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
  expect(input.value).toBe("health");
});

test("tests cannot run while the document has mistakes", () => {
  tests.tests.value = { wrong: null, tests: [] } as unknown as Tests;
  model.definition.value = { draft: null, refusal: null } as unknown as Definition;
  expect(tests.canRun.value).toBe(true);
  model.definition.value = { draft: {}, refusal: null } as unknown as Definition;
  expect(tests.canRun.value).toBe(false);
});
