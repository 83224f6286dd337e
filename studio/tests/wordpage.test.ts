// The page of the documentation on a node, for who reads Chinese.

import { h, render } from "preact";
import { expect, test, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => undefined }));

import { Page, take } from "../src/edit/word";
import { language } from "../src/texts";

test("what exists in Chinese is shown, and that the rest is English", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ "the `seconds`": "秒数" })));
  take({ word: "wait", place: "task", text: "Waits.\n\n| option | |\n|---|---|\n| `a` | the `seconds` |" });
  render(h(Page, { word: "wait", place: "task" }), document.body);
  expect(document.body.textContent).not.toContain("Only in English");
  expect(document.body.textContent).toContain("the seconds");
  language.value = "zh";
  await vi.waitFor(() => expect(document.body.textContent).toContain("秒数"));
  expect(document.body.textContent).toContain("以下说明尚未译成中文之处为英文。");
  expect(document.body.textContent).toContain("Waits.");
  language.value = "en";
});
