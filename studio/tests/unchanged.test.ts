// What is known of rows and cards while the document has mistakes, and while somebody else works in it.

import { beforeEach, expect, test, vi } from "vitest";
import type { Sheet, SheetNode } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import { toneOfPage } from "../src/edit/others";
import * as sheet from "../src/edit/sheet";
import * as shown from "../src/graph/shown";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

const node = (id: number, depth: number, word: string, value = ""): SheetNode =>
  ({ id, depth, role: "task", word, values: value ? [value] : [], properties: [], at: [id, 0, id, 1], file: 0 }) as unknown as SheetNode;

/** What the page has heard: nodes, and the definition that is played. */
function hears(nodes: SheetNode[], text: string, isBad: boolean, lines = "sequence\n  wait 1\n  action go"): void {
  const behaviour = { name: "it", word: "tree", lines: linesOf(lines), keys: [], events: [], thresholds: [] };
  const texts = [{ name: "it.kdl", text: "good" }];
  const places = [
    [0, 2, 0],
    [0, 3, 0],
    [0, 4, 0],
  ];
  const draft = isBad ? { texts: [{ name: "it.kdl", text }], problems: [] } : null;
  model.definition.value = { behaviour, texts, problems: [], refusal: null, draft, ground: null, places, names: [] } as never;
  sheet.sheet.value = { revision: 1, files: [{ name: "it.kdl", text }], nodes, done: [] } as unknown as Sheet;
}

const all = () => [node(1, 0, "tree", "it"), node(2, 1, "sequence"), node(3, 2, "wait", "1"), node(4, 2, "action", "go")];
const ran = () => [...sheet.ran.value].map(([id, lines]) => `${id}: ${lines}`);

beforeEach(() => {
  sheet.forget();
  hears(all(), "good", false);
});

test("nodes that are unchanged keep what runs them while the document has mistakes; others do not", () => {
  expect(ran()).toEqual(["2: 0", "3: 1", "4: 2"]);
  // One is changed, one is new, and they stand elsewhere now.
  const changed = all().map((one) => ({ ...one, at: [one.at[0] + 5, 0, 0, 0] }) as SheetNode);
  changed[2].values = ["oops"];
  hears([...changed, node(9, 1, "wait", "1")], "bad", true);
  expect(ran()).toEqual(["2: 0", "4: 2"]);
  hears(all(), "good", false);
  expect(ran()).toEqual(["2: 0", "3: 1", "4: 2"]);
});

test("lines of another definition are not taken for those that were known, nor another text for the one that is played", () => {
  hears(all(), "bad", true, "sequence\n  action go\n  wait 1");
  expect(ran()).toEqual([]);
  hears(all(), "other", false);
  expect(ran()).toEqual([]);
});

test("what is said of a line is not said of a chosen node that has none", () => {
  sheet.chosen.value = [4];
  expect([sheet.isElsewhere(2), sheet.isElsewhere(-1)]).toEqual([false, false]);
  // A definition has no line of its own.
  sheet.chosen.value = [1];
  expect([sheet.isElsewhere(2), sheet.isElsewhere(-1)]).toEqual([true, false]);
});

test("cards know which other pages have chosen them", () => {
  [sheet.mayEdit.value, model.panel.value] = [true, "edit"];
  model.view.value = {
    others: [
      { who: "2", ids: [3, 4] },
      { who: "5", ids: [4] },
    ],
  } as never;
  expect([0, 1, 2, 3].map(shown.othersAt)).toEqual([[], [], ["2"], ["2", "5"]]);
  expect(toneOfPage("2")).not.toBe(toneOfPage("5"));
  model.panel.value = "graph";
  expect(shown.othersNow.value).toBe("");
});
