// Names of the document in sentences of the server are shown as code, and plainly in tooltips.

import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Advice, Sheet, SheetNode, Words } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import { undo } from "../src/edit/actions";
import { advice, Compared } from "../src/edit/advice";
import { Inspector } from "../src/edit/inspector";
import { Why } from "../src/edit/menu";
import * as sheet from "../src/edit/sheet";
import { Refused } from "../src/panels/held";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = (ms = 60) => new Promise((done) => setTimeout(done, ms));
afterEach(() => render(null, document.body));
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};

test("a refusal shows names as code, and undoing something takes it away", async () => {
  model.refused.value = { says: "`{}` takes no children", with: ["wait"] };
  render([h(Refused, {}), h(Why, { of: "`rest` is taken" })], document.body);
  await turn();
  expect([...document.querySelectorAll("code")].map((one) => one.textContent)).toEqual(["wait", "rest"]);
  expect(document.body.textContent).not.toContain("`");
  undo();
  expect(model.refused.value).toBe("");
});

test("in tooltips there are no backquotes", async () => {
  language.value = "en";
  const word = (name: string) => ({ name, purpose: `like \`${name}\``, place: "in a tree", is_node: true, value: "value", properties: [] });
  sheet.mayEdit.value = true;
  sheet.heardWords.value = { words: [word("wait"), word("run")], of_nodes: [], curves: [] } as unknown as Words;
  const node = {
    id: 2,
    depth: 1,
    role: "task",
    word: "wait",
    values: ["1"],
    properties: [],
    at: [1, 0, 1, 1],
    file: 0,
  } as unknown as SheetNode;
  sheet.sheet.value = {
    revision: 1,
    files: [{ name: "a.kdl", text: "", is_whole: true }],
    nodes: [node],
    keys: [],
    leaves: [],
    problems: [],
  } as unknown as Sheet;
  sheet.chosen.value = [2];
  render(h(Inspector, {}), document.body);
  await turn();
  expect(document.querySelector(".by code")?.textContent).toBe("wait");
  expect([...document.querySelectorAll(".acts option")].map((one) => one.getAttribute("title"))).toEqual(["like wait", "like run"]);
});

test("what is worked out has the name of its definition as a name", async () => {
  advice.value = {
    nth: 1,
    label: { says: "learn {}", with: ["learned"] },
    told: [],
    before: "",
    after: "",
    nodes: [],
  } as unknown as Advice;
  render(h(Compared, {}), document.body);
  await turn();
  expect(document.querySelector("h2")?.innerHTML).toBe("learn <code>learned</code>");
  advice.value = null;
});
