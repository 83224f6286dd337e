// To what an answer of a decision tree may lead: the lists of the inspector offer what a drag reaches.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, SheetNode } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { question } from "../src/edit/actions";
import { LeadsOn, leading } from "../src/edit/leading";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import { goalAt } from "../src/graph/goals";
import { nodeOf } from "../src/graph/hit";
import { stacked } from "../src/graph/stack";

const ROLES: Record<string, string> = {
  decide: "definition",
  test: "question",
  yes: "answer",
  no: "answer",
  branch: "branch",
};

const nodes = (
  [
    [0, "decide", "d"],
    [1, "test", "a < 3"],
    [2, "yes"],
    [3, "test", "b"],
    [4, "action", "eat"],
    [2, "no"],
    [1, "branch", "rest"],
    [2, "action", "nap"],
    [0, "decide", "other"],
    [1, "action", "flee"],
  ] as [number, string, string?][]
).map(
  ([depth, word, value], id) =>
    ({
      id,
      depth,
      word,
      role: ROLES[word] ?? "task",
      values: value === undefined ? [] : [value],
      properties: [],
      at: [id + 1, 0, id + 1, 1],
      file: 0,
      is_disabled: false,
    }) as unknown as SheetNode,
);

const turn = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const lists = () => [...document.querySelectorAll("select")];
const offered = (of: HTMLSelectElement) => [...of.options].slice(1).map((one) => `${one.disabled ? "- " : ""}${one.text}`);
async function take(id: number, list = lists()[0]): Promise<void> {
  list.value = String(id);
  list.dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
}

beforeEach(() => {
  sheet.forget();
  sheet.mayEdit.value = true;
  sheet.sheet.value = { revision: 1, files: [], nodes, done: [], undo: null, selection: null } as unknown as Sheet;
  sent.length = 0;
  question.value = null;
});
afterEach(() => render(null, document.body));

test("an answer may lead to each line of its decision tree, but not to what it stands in", async () => {
  render(h(LeadsOn, { of: nodes[5] }), document.body);
  await turn();
  expect(offered(lists()[0])).toEqual(["test b", "action eat", "branch rest", "action nap"]);
  // Nobody is asked before somebody comes near. What cannot be is not offered, and says why.
  await turn(200);
  expect(sent).toEqual([]);
  lists()[0].focus();
  await turn(200);
  const asked = sent.map((one) => one.say === "try" && one.edit);
  expect(asked).toEqual([
    { do: "lead", id: 5, side: null, to: 3, name: "b" },
    { do: "lead", id: 5, side: null, to: 4, name: "eat" },
    { do: "lead", id: 5, side: null, to: 6, name: null },
    { do: "lead", id: 5, side: null, to: 7, name: null },
  ]);
  for (const one of sent) if (one.say === "try") trial.hear({ nth: one.nth, why: one.edit === asked[1] ? "it is in use" : null });
  await turn();
  expect(offered(lists()[0])).toEqual(["test b", "- action eat", "branch rest", "action nap"]);
  expect(lists()[0].options[2].title).toBe("it is in use");
});

test("a branch is led to at once, and anything else gets a name first", async () => {
  render(h(LeadsOn, { of: nodes[1] }), document.body);
  await turn();
  expect(lists().map((one) => one.getAttribute("aria-label")?.split(":")[0])).toEqual(["yes", "no"]);
  await take(6, lists()[1]);
  const lead = { do: "lead", id: 1, side: "no" };
  expect(sent).toEqual([{ say: "edit", edit: { ...lead, to: 6, name: null } }]);
  await take(3, lists()[1]);
  expect(sent.length).toBe(1);
  expect(question.value?.value).toBe("b");
  expect(question.value?.edit("hungry")).toEqual({ ...lead, to: 3, name: "hungry" });
});

test("a drag does what the lists do", async () => {
  const of = stacked((one) => one.length * 7);
  for (const { to, goal } of (await import("../src/edit/leading")).goalsOf({ id: 5, side: null })) {
    const card = of.cards.find((one) => nodeOf(one.nth) === to);
    if (!card) throw new Error(`${to.word} is not drawn`);
    expect(goalAt(of, { is: "answer", nth: 5 }, card.x + 2, card.y + 2)?.edit).toEqual(goal.edit);
  }
  // What it stands in is passed through.
  const around = of.cards.find((one) => one.nth === 1);
  expect(around && goalAt(of, { is: "answer", nth: 5 }, around.x + 2, around.y + 2)).toBeNull();
});

test("a branch is named by words, and not by a number", () => {
  const wait = { ...nodes[4], id: 20, word: "wait", values: ["2.0"] };
  sheet.sheet.value = { ...(sheet.sheet.value as Sheet), nodes: [...nodes.slice(0, 8), wait, ...nodes.slice(8)] };
  expect(leading({ id: 5, side: null }, wait)?.name).toBe("wait");
  expect(leading({ id: 5, side: null }, nodes[4])?.name).toBe("eat");
});
