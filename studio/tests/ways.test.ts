// How a value is written is chosen, and then it is written.

import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Sheet, SheetNode, Words } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import { Inspector } from "../src/edit/inspector";
import * as sheet from "../src/edit/sheet";
import { language } from "../src/texts";

const turn = (ms = 60) => new Promise((done) => setTimeout(done, ms));
afterEach(() => render(null, document.body));

test("the field has the keyboard after the switch between literal, key and expression", async () => {
  language.value = "en";
  sheet.mayEdit.value = true;
  const wait = { name: "wait", purpose: "", place: "in a tree", is_node: true, value: "value", is_computed: true, properties: [] };
  sheet.heardWords.value = { words: [wait], of_nodes: [], curves: [] } as unknown as Words;
  const node = { id: 2, depth: 1, role: "task", word: "wait", values: ["1"], properties: [], at: [1, 0, 1, 1], file: 0 };
  const key = { id: 3, name: "rest", scope: "agent", uses: [] };
  sheet.sheet.value = {
    revision: 1,
    files: [{ name: "a.kdl", text: "", is_whole: true }],
    nodes: [node as unknown as SheetNode],
    keys: [key],
    leaves: [],
    problems: [],
    done: [],
  } as unknown as Sheet;
  sheet.chosen.value = [2];
  render(h(Inspector, {}), document.body);
  await turn();
  for (const [way, tag] of [
    ["ƒ", "INPUT"],
    ["k", "SELECT"],
    ["1", "INPUT"],
  ]) {
    const button = [...document.querySelectorAll<HTMLElement>(".ways button")].find((one) => one.textContent === way);
    button?.focus();
    button?.click();
    await turn();
    expect([way, document.activeElement?.tagName, document.activeElement?.getAttribute("aria-label")]).toEqual([way, tag, "value"]);
  }
});
