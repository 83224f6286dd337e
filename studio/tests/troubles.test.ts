// Problems of the document, shown at the nodes that they are about.

import { expect, test, vi } from "vitest";
import type { Problem, Sheet } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true }));

import * as sheet from "../src/edit/sheet";
import { troubles } from "../src/edit/troubles";

const problem = (code: string, about?: Problem["about"]): Problem => ({
  file: "a.kdl",
  at: [1, 0, 1, 4],
  severity: "error",
  code,
  text: "no",
  help: null,
  about,
});

test("each node has the problems that are about it, and what is about none is at none", () => {
  const problems = [problem("T0101", { id: 3 }), problem("T0102"), problem("T0103", { id: 2, entry: "0" }), problem("T0104", { id: 3 })];
  sheet.sheet.value = { problems } as unknown as Sheet;
  expect([...troubles.value].map(([id, of]) => [id, of.map((one) => one.code)])).toEqual([
    [3, ["T0101", "T0104"]],
    [2, ["T0103"]],
  ]);
  sheet.sheet.value = null;
  expect(troubles.value.size).toBe(0);
});
