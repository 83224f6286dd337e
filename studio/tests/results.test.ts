import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Definition, Tests } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => true, trySay: () => true, open: () => undefined, lookAgain: () => undefined }));

import { TestPane, Verdict } from "../src/testing/pane";
import * as tests from "../src/testing/tests";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

const turn = () => new Promise((done) => setTimeout(done, 20));
const lines = linesOf("sequence\n  action walk");
const told = (wrong: string | null): Tests =>
  ({
    revision: 1,
    by: "touched",
    is_running: false,
    tests: [{ id: "a", name: "walks", file: "guard.kdl", line: 9, is_random: false, state: "passed", millis: 1, failure: null }],
    covered: { reached: 2, total: 2, definitions: [{ name: "guard", lines: lines.map(() => [1, 1]) }] },
    wrong,
    opened: null,
    draft: null,
  }) as unknown as Tests;

afterEach(() => render(null, document.body));

test("results from before the errors of a document are said to be that", async () => {
  const behaviour = { name: "guard", word: "tree", lines, keys: [], events: [], thresholds: [] };
  model.definition.value = { behaviour, problems: [], refusal: null, draft: null } as unknown as Definition;
  model.panel.value = "tests";
  tests.tests.value = told(null);
  render(h("main", {}, h(TestPane, {}), h(Verdict, {})), document.body);
  await turn();
  const text = () => document.body.textContent ?? "";
  const verdict = () => document.querySelector(".verdict")?.textContent?.trim();
  expect([text().includes("100.0 %"), verdict(), tests.reach(1)]).toEqual([true, "✓", "all"]);
  tests.tests.value = told("the document has errors");
  await turn();
  expect([text().includes("100.0 %"), verdict(), tests.reach(1)]).toEqual([false, "!", ""]);
  expect(text()).toContain("from before the document had errors");
});
