import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import type { Sheet } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, looks: () => 0, lookAgain: () => undefined }));

import * as sheet from "../src/edit/sheet";
import { Write } from "../src/edit/write";
import { language } from "../src/texts";

test("beside the text, undo and redo have the names of what they do", () => {
  language.value = "en";
  sheet.you.value = "1";
  sheet.sheet.value = {
    revision: 1,
    nodes: [],
    files: [{ name: "a.kdl", text: "", is_whole: true, is_saved: true }],
    problems: [],
    undo: { label: "wrap in cooldown", by: "1" },
    redo: null,
  } as unknown as Sheet;
  render(h(Write, {}), document.body);
  const steps = [...document.querySelectorAll<HTMLButtonElement>("[role=toolbar] .step")];
  expect(steps.map((one) => [one.textContent, one.title, one.disabled])).toEqual([
    ["↶ Undo: wrap in cooldown", "Undo: wrap in cooldown  Ctrl Z", false],
    ["↷ Redo", "Redo  Ctrl Shift Z", true],
  ]);
  render(null, document.body);
});
