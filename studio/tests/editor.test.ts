// The editor of texts in a page that has keys of its own.

import { expect, test, vi } from "vitest";
import { open } from "../src/edit/code/editor";

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
