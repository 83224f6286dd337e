// The quick fixes of a problem, beside the node that it is about.

import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Ask, Problem, Said, Sheet, SheetNode } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import * as assist from "../src/edit/assist";
import * as sheet from "../src/edit/sheet";
import { Troubles } from "../src/edit/solving";

const turn = () => new Promise((done) => setTimeout(done, 20));
const node = { id: 3, file: 1, depth: 0 } as SheetNode;
const buttons = () =>
  [...document.querySelectorAll<HTMLElement>(".troubles li")].map((one) => [...one.querySelectorAll("button")].map((of) => of.textContent));

function problem(code: string, at: Problem["at"]): Problem {
  return { file: "b.kdl", at, severity: "error", code, text: "no", help: null, about: { id: 3 } };
}

function show(revision: number, problems: Problem[], isWhole = true): void {
  const files = ["a.kdl", "b.kdl"].map((name) => ({ name, text: "", is_whole: isWhole, is_saved: true }));
  sheet.sheet.value = { revision, files, problems, nodes: [node] } as unknown as Sheet;
  sheet.chosen.value = [3];
  render(h(Troubles, { of: node }), document.body);
}

/** What was asked last, and the answer to it. */
async function answer(...fixes: Said[]): Promise<unknown> {
  const last = sent.at(-1);
  if (last?.say !== "hover") throw new Error("nothing was asked");
  assist.takeHover({ nth: last.nth, at: [1, 0, 1, 0], title: "", text: [], fixes });
  await turn();
  return last.caret;
}

afterEach(() => {
  render(null, document.body);
  sent.length = 0;
});

test("each problem has what solves it, and a click does that", async () => {
  show(1, [problem("T0101", [2, 4, 2, 9]), problem("T0104", [2, 4, 2, 9]), problem("T0103", [3, 8, 3, 9])]);
  await turn();
  expect(await answer({ says: "write `{}`", with: ["selector"] })).toEqual({ in: "text", file: 1, line: 2, column: 4, typed: null });
  expect(await answer("remove it")).toMatchObject({ line: 3, column: 8 });
  expect(sent.length).toBe(2);
  expect(buttons()).toEqual([["write selector"], [], ["remove it"]]);
  document.querySelector<HTMLElement>(".troubles button")?.click();
  expect(sent.at(-1)).toEqual({ say: "edit", edit: { do: "fix", file: 1, line: 2, column: 4, label: "write `selector`" } });
});

test("what solved a problem of a text before is not offered, and is asked again", async () => {
  show(1, [problem("T0101", [2, 4, 2, 9])]);
  await turn();
  await answer("remove it");
  expect(buttons()).toEqual([["remove it"]]);
  show(2, [problem("T0101", [3, 4, 3, 9])]);
  await turn();
  expect(buttons()).toEqual([[]]);
  expect(await answer("remove this")).toMatchObject({ line: 3 });
  expect(buttons()).toEqual([["remove this"]]);
});

test("nothing is offered where only the text can be changed", async () => {
  show(1, [problem("T0101", [2, 4, 2, 9])], false);
  await turn();
  expect([sent, buttons()]).toEqual([[], [[]]]);
});
