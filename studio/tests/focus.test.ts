// The keyboard goes on in the editor when what had it is gone after an edit.

import { afterEach, beforeEach, expect, test } from "vitest";
import { keepFocus } from "../src/edit/focus";
import * as sheet from "../src/edit/sheet";
import type { Sheet } from "../src/protocol";

const come = async (): Promise<void> => {
  sheet.sheet.value = { revision: 1, nodes: [], keys: [], leaves: [], files: [] } as unknown as Sheet;
  await new Promise((done) => setTimeout(done, 80));
};
const find = (what: string) => document.querySelector(what) as HTMLElement;
/** Takes something out of the page, with the keyboard that it has: a browser gives that to the page then. */
function gone(what: string): void {
  const field = find(what);
  field.remove();
  if (document.activeElement === field) field.blur();
}
let end = (): void => undefined;

beforeEach(() => {
  const rows =
    '<tbody data-key="a" tabindex="-1"></tbody><tbody data-key="b" tabindex="-1"><tr><td><button>Declare</button></td></tr></tbody>';
  document.body.innerHTML = `<input class="else"><div class="editing"><div class="sheet" role="tree" tabindex="0"></div></div>
    <aside class="inspector"><button>Inline</button><input></aside><div class="desk"><div class="table"><table>${rows}</table></div></div>`;
  end = keepFocus();
});
afterEach(() => end());

test("the rows have it when a button beside them is gone", async () => {
  find(".inspector button").focus();
  gone(".inspector button");
  await come();
  expect(document.activeElement).toBe(find(".sheet"));
});

test("the row of the table has it, also if that is another one now", async () => {
  find(".table button").focus();
  gone(".table button");
  const row = find("tbody[data-key=b]");
  row.replaceWith(row.cloneNode(true));
  await come();
  expect((document.activeElement as HTMLElement).dataset.key).toBe("b");
  gone("tbody[data-key=b]");
  await come();
  expect((document.activeElement as HTMLElement).dataset.key).toBe("a");
});

test("who has left a field, or is elsewhere, is left alone", async () => {
  find(".inspector input").focus();
  find(".inspector input").blur();
  await come();
  expect(document.activeElement).toBe(document.body);
  find(".inspector input").focus();
  gone(".inspector input");
  find(".else").focus();
  await come();
  expect(document.activeElement).toBe(find(".else"));
});

test("what is typed on when the field has gone is no command", async () => {
  const done: string[] = [];
  find(".sheet").addEventListener("keydown", (event) => done.push(event.key));
  const type = (what: string) => find(what).dispatchEvent(new Event("input", { bubbles: true }));
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  find(".inspector input").focus();
  type(".inspector input");
  gone(".inspector input");
  await come();
  expect(document.activeElement).toBe(find(".sheet"));
  for (const key of ["d", "u", "Enter", "a"]) press(key);
  expect(done).toEqual(["a"]);
  // Whoever has ended with Enter, or has left, is done.
  for (const key of ["Enter", "Escape"]) {
    find(".inspector").innerHTML = "<input>";
    find(".inspector input").focus();
    type(".inspector input");
    press(key);
    gone(".inspector input");
    find(".sheet").focus();
    press("d");
  }
  expect(done).toEqual(["a", "d", "d"]);
});
