import { expect, test, vi } from "vitest";

const said: object[] = [];
vi.mock("../src/wire/wire", async (all) => ({ ...(await all<object>()), trySay: (what: object) => said.push(what) > 0, looks: () => 0 }));

import * as sheet from "../src/edit/sheet";
import { isComposed, isKey } from "../src/keys";
import * as model from "../src/wire/model";

function press(key: string, of: object = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, ...of });
  Object.defineProperty(event, "target", { value: document.body });
  return isKey(event);
}

test("a window above the page has the keys, and Escape closes it and nothing else", () => {
  const above = document.createElement("dialog");
  document.body.append(above);
  let closed = 0;
  above.addEventListener("close", () => closed++);
  above.showModal();
  [model.selected.value, model.panel.value] = ["n1", "text"];
  expect(press("g")).toBe(false);
  expect(model.panel.value).toBe("text");
  expect(press("Escape", { isComposing: true })).toBe(false);
  expect(closed).toBe(0);
  expect(press("Escape")).toBe(true);
  expect([above.open, closed, model.selected.value]).toEqual([false, 1, "n1"]);
  expect(press("Escape")).toBe(true);
  expect(model.selected.value).toBe(null);
});

test("a key by which a word is composed belongs to the input method", () => {
  const of = (more: object): boolean => isComposed(new KeyboardEvent("keydown", { key: "Enter", ...more }));
  expect([of({ isComposing: true }), of({})]).toEqual([true, false]);
});

test("what was done is taken back in the text, too, wherever the keyboard is", () => {
  [model.panel.value, sheet.mayEdit.value] = ["text", true];
  const done = (): unknown => (said.at(-1) as { edit?: unknown })?.edit;
  expect(press("z", { ctrlKey: true })).toBe(true);
  expect(done()).toEqual({ do: "undo" });
  expect(press("y", { ctrlKey: true })).toBe(true);
  expect(done()).toEqual({ do: "redo" });
  // What only watches has no history.
  sheet.mayEdit.value = false;
  expect(press("z", { ctrlKey: true })).toBe(false);
  model.panel.value = "graph";
});

test("Escape takes the keyboard from a button, and leaves it to the rows of the editor", () => {
  document.body.innerHTML = '<button></button><div class="sheet" role="tree" tabindex="0"></div>';
  const after = (what: string): string | undefined => {
    const one = document.querySelector(what) as HTMLElement;
    one.focus();
    const event = new KeyboardEvent("keydown", { key: "Escape" });
    Object.defineProperty(event, "target", { value: one });
    expect(isKey(event)).toBe(true);
    return document.activeElement?.tagName;
  };
  expect([after("button"), after(".sheet")]).toEqual(["BODY", "DIV"]);
});
