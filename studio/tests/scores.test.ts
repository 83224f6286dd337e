// The scores of the children of a `utility-selector` as they would be now, also while a curve is dragged.

import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import type { Sheet, SheetNode, Words } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, looks: () => 0, lookAgain: () => undefined }));

import { Candidates } from "../src/edit/curve";
import { dragging, expressionsIn, scoreOf } from "../src/edit/scores";
import * as sheet from "../src/edit/sheet";
import { language } from "../src/texts";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

type Row = [depth: number, word: string, values?: string[], properties?: Record<string, string>];

function shows(rows: Row[]): SheetNode[] {
  const nodes = rows.map(([depth, word, values = [], properties = {}], nth) => ({
    id: nth + 1,
    depth,
    word,
    values,
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
    role: depth === 0 ? "definition" : "task",
    file: 0,
    is_disabled: false,
    at: [nth + 1, 0, nth + 1, 9],
  }));
  sheet.sheet.value = {
    revision: 1,
    nodes,
    files: [{ name: "a.kdl", text: "", is_whole: true, is_saved: true }],
    problems: [],
  } as unknown as Sheet;
  sheet.heardWords.value = {
    words: [],
    of_nodes: [],
    curves: [
      {
        name: "linear",
        purpose: "",
        parameters: [
          ["slope", 1],
          ["offset", 0],
        ],
      },
      { name: "step", purpose: "", parameters: [["at", 0.5]] },
    ],
  } as unknown as Words;
  return nodes as unknown as SheetNode[];
}

const values: Record<string, number> = { near: 0.8, "hunger / 100": 0.5, zeal: 2 };
const value = (text: string): number | null => values[text] ?? null;

test("a score is what its considerations come to, by their weights and the way in which they are combined", () => {
  const score = (block: Record<string, string>, considered: Row[], line: Record<string, string> = {}): number | null => {
    const nodes = shows([[0, "tree", ["t"]], [1, "utility-selector"], [2, "action", ["go"], line], [3, "score", [], block], ...considered]);
    return scoreOf(nodes[2], value);
  };
  const two: Row[] = [
    [4, "consider", ["near"], {}],
    [4, "consider", ["hunger / 100"], { weight: "0.5" }],
  ];
  expect(score({}, two)).toBeCloseTo(0.8 * 0.75);
  expect(score({ combine: "min" }, two)).toBeCloseTo(0.75);
  expect(score({ combine: "max" }, two)).toBeCloseTo(0.8);
  expect(score({ combine: "average" }, two)).toBeCloseTo((0.8 + 0.25) / 1.5);
  expect(score({ compensate: "true" }, two)).toBeCloseTo((0.8 + 0.2 * 0.5 * 0.8) * (0.75 + 0.25 * 0.5 * 0.75));
  expect(score({ weight: "zeal" }, [[4, "consider", ["near"], { curve: "linear", slope: "-1", offset: "1" }]])).toBeCloseTo(0.4);
  // Nobody knows what this comes to.
  expect(score({}, [...two, [4, "consider", ["far"]]])).toBe(null);
  const nodes = shows([
    [0, "tree", ["t"]],
    [1, "utility-selector"],
    [2, "action", ["go"], { score: "near", weight: "zeal" }],
  ]);
  expect(scoreOf(nodes[2], value)).toBeCloseTo(1.6);
  expect(expressionsIn(nodes[1])).toEqual(["near", "zeal"]);
});

test("while a curve is dragged, the score goes with it; what cannot be known now is said to be of the last choice", async () => {
  language.value = "en";
  const nodes = shows([
    [0, "tree", ["t"]],
    [1, "utility-selector"],
    [2, "action", ["go"]],
    [3, "score"],
    [4, "consider", ["near"]],
    [2, "action", ["rest"], { score: "0.3" }],
  ]);
  const behaviour = { name: "t", word: "tree", lines: linesOf("utility-selector\n  action go\n  action rest"), keys: [], events: [] };
  const places = [
    [0, 2, 0, 2, 9],
    [0, 3, 0, 3, 9],
    [0, 6, 0, 6, 9],
  ];
  const definition = { behaviour, places, texts: [{ name: "a.kdl", text: "" }], problems: [], draft: null };
  model.definition.value = definition as unknown as model.Definition;
  const view = (worth: [string, string][]): void =>
    void Object.assign(model.view, { value: { file: "a.kdl", tick: 9, marks: ["run", ["run", "0.91"], ["", "0.30"]], worth } });
  const shown = async (): Promise<unknown> => {
    await new Promise((done) => setTimeout(done, 20));
    return [document.querySelector("p")?.textContent, ...[...document.querySelectorAll("dd code")].map((one) => one.textContent)];
  };
  view([["near", "0.8"]]);
  render(h(Candidates, { of: nodes[4] }), document.body);
  expect(await shown()).toEqual(["Scores now", "0.80", "0.30"]);
  dragging.value = { id: 5, curve: { name: "linear", numbers: { slope: 0.5, offset: 0 }, points: [] } };
  expect(await shown()).toEqual(["Scores now", "0.40", "0.30"]);
  dragging.value = null;
  view([]);
  expect(await shown()).toEqual(["Scores of the last choice", "0.91", "0.30"]);
  render(null, document.body);
});
