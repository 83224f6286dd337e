import { effect } from "@preact/signals";
import { expect, test, vi } from "vitest";
import type { Sheet } from "../src/protocol";

const looks = vi.hoisted(() => ({ count: 0 }));
vi.mock("../src/wire/wire", () => ({ say: () => true, trySay: () => true, open: () => undefined, lookAgain: () => (looks.count += 1) }));

import * as sheet from "../src/edit/sheet";
import * as tests from "../src/testing/tests";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 5));
const edited = (word: string, undo: object | null): Sheet => ({ undo, nodes: [{ id: 1, depth: 0, word }], files: [] }) as unknown as Sheet;

test("the first edit of a document with tests asks for them, although nobody has opened their tab", async () => {
  effect(tests.askOnceEdited);
  model.panel.value = "edit";
  sheet.sheet.value = edited("test", null);
  await turn();
  expect([tests.known(), looks.count]).toEqual([null, 0]);
  sheet.sheet.value = edited("tree", { by: "1" });
  await turn();
  // Without tests there is nothing to ask for.
  expect([tests.known(), looks.count]).toEqual([null, 0]);
  sheet.sheet.value = edited("test", { by: "1" });
  await turn();
  expect([tests.known(), looks.count]).toEqual([0, 1]);
  sheet.sheet.value = edited("test", { by: "1", label: "again" });
  await turn();
  expect(looks.count).toBe(1);
});
