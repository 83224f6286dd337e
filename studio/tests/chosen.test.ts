import { h, render } from "preact";
import { expect, test, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => true, trySay: () => true, lookAgain: () => undefined }));

import { Editing } from "../src/edit/edit";
import * as sheet from "../src/edit/sheet";
import type { Sheet } from "../src/protocol";

const turn = () => new Promise((done) => setTimeout(done, 30));

function sheetOf(name: string, id: number): Sheet {
  const node = {
    id,
    depth: 0,
    word: "tree",
    role: "definition",
    file: 0,
    values: [name],
    properties: [],
    is_disabled: false,
    at: [1, 0, 1, 9],
  };
  const files = [{ name: `${name}.kdl`, text: "", is_whole: true, is_saved: true }];
  const none = {
    undo: null,
    redo: null,
    unsaved: null,
    conflicts: [],
    done: [],
    told: [],
    keys: [],
    leaves: [],
    problems: [],
    selection: null,
  };
  return { revision: 1, nodes: [node], files, saves_at_once: true, ...none } as unknown as Sheet;
}

test("something is chosen in each document that is opened, so that something can be added to it", async () => {
  sheet.mayEdit.value = true;
  sheet.take(sheetOf("guard", 1));
  render(h(Editing, {}), document.body);
  await turn();
  expect(sheet.chosen.value).toEqual([1]);
  // Another one comes with the same answer of the server.
  sheet.forget();
  sheet.take(sheetOf("robot", 7));
  await turn();
  expect(sheet.chosen.value).toEqual([7]);
  render(null, document.body);
});
