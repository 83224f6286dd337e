// The editor of texts in a page that has keys of its own.

import { startCompletion } from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";
import { expect, test, vi } from "vitest";
import { open } from "../src/edit/code/editor";
import type { Problem, Said } from "../src/protocol";

const hooks = () => ({
  label: "text",
  changed: vi.fn(),
  undo: vi.fn(),
  redo: vi.fn(),
  rename: vi.fn(),
  format: vi.fn(),
  complete: async () => null,
  hover: async () => null,
  fix: vi.fn(),
});

test("keys of the editor do not reach the page, but saving does", () => {
  const heard: string[] = [];
  addEventListener("keydown", (event) => heard.push(event.key));
  const code = open(document.body, "tree t {\n    run\n}\n", hooks() as unknown as Parameters<typeof open>[2]);
  const content = document.querySelector(".cm-content") as HTMLElement;
  const press = (key: string, more: KeyboardEventInit = {}) =>
    content.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  for (const key of ["Home", "End", "ArrowLeft", "ArrowRight", "ArrowDown", "a", " "]) press(key);
  press("Home", { shiftKey: true });
  expect(heard).toEqual([]);
  press("s", { ctrlKey: true });
  press("S", { ctrlKey: true });
  expect(heard).toEqual(["s", "S"]);
  press("s", { ctrlKey: true, altKey: true });
  press("S", { ctrlKey: true, shiftKey: true });
  press("s");
  expect(heard).toEqual(["s", "S"]);
  code.close();
});

const listed = () => [...document.querySelectorAll(".cm-tooltip-autocomplete li")];
const chosen = () =>
  document.querySelector(".cm-tooltip-autocomplete li[aria-selected]")?.querySelector(".cm-completionLabel")?.textContent;

/** Types at the end of an editor that is offered these, in place of `typed`; then presses `Enter`. */
async function enterAfter(text: string, typed: string, inserts: string[], ...keys: string[]) {
  const items = inserts.map((insert) => ({ label: insert, kind: "word", insert, snippet: null, detail: "", doc: "" }));
  const complete = async () => ({ replaces: [1, text.length - typed.length, 1, text.length], items });
  const code = open(document.body, "", { ...hooks(), says: String, fixesLabel: "", complete } as unknown as Parameters<typeof open>[2]);
  const content = document.querySelector(".cm-content") as HTMLElement;
  const view = EditorView.findFromDOM(content) as EditorView;
  view.dispatch({ changes: { from: 0, insert: text }, selection: { anchor: text.length }, userEvent: "input.type" });
  startCompletion(view);
  await vi.waitFor(() => expect(listed().length).toBe(inserts.length));
  // The component takes no key at once.
  await new Promise((done) => setTimeout(done, 100));
  const press = (key: string) => content.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  for (const key of keys) press(key);
  const first = chosen() ?? null;
  press("Enter");
  const result = { first, text: code.text() };
  code.close();
  return result;
}

test("Enter takes only what completes a name that is begun", async () => {
  expect(await enterAfter("wai", "wai", ["wait", "wait-until"])).toEqual({ first: "wait", text: "wait" });
  expect(await enterAfter("wait", "wait", ["wait-until", "wait"])).toEqual({ first: null, text: "wait\n" });
  expect(await enterAfter('check "(a)', "", ["ahead", "angry"])).toEqual({ first: null, text: 'check "(a)\n' });
  expect(await enterAfter("check (", "", ["ahead", "angry"], "ArrowDown", "ArrowDown")).toEqual({ first: "angry", text: "check (angry" });
});

test("the popup of a problem says its help in words", async () => {
  const says = (of: Said): string => (typeof of === "string" ? of : of.says.replace("{}", String(of.with[0])));
  const about = { title: "", text: [], at: [1, 0, 1, 7], fixes: [] };
  const all = { ...hooks(), says, fixesLabel: "", hover: async () => about };
  const code = open(document.body, "selectr", all as unknown as Parameters<typeof open>[2]);
  const help = { says: "did you mean `{}`?", with: ["selector"] };
  const problem = { at: [1, 0, 1, 7], severity: "error", code: "T0101", text: "unknown node", help, file: "a.kdl" };
  code.mark([problem as unknown as Problem]);
  const content = document.querySelector(".cm-content") as HTMLElement;
  content.dispatchEvent(new KeyboardEvent("keydown", { key: ".", ctrlKey: true, bubbles: true, cancelable: true }));
  await vi.waitFor(() =>
    expect(document.querySelector(".cm-tooltip.about .problem")?.textContent).toBe("T0101: unknown node\ndid you mean selector?"),
  );
  code.close();
});
