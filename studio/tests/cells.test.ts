// What is typed into the fields of the tables, and refused.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, SheetKey } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { Keys } from "../src/edit/keys";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = (ms = 60) => new Promise((done) => setTimeout(done, ms));
const key = {
  id: 7,
  word: "key",
  name: "health",
  ty: "float",
  default: "1.0",
  doc: null,
  scope: "agent",
  values: [],
  list: null,
  sensor: null,
  uses: [],
};
const show = (of: Partial<SheetKey> = {}): void => {
  sheet.sheet.value = { revision: 1, nodes: [], keys: [{ ...key, ...of }], leaves: [], files: [] } as unknown as Sheet;
};
const field = (label: string) => document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`);
const type = () => document.querySelector<HTMLSelectElement>('select[aria-label="type health"]') as HTMLSelectElement;
function leave(label: string, text: string): void {
  const input = field(label) as HTMLInputElement;
  input.focus();
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.blur();
}
/** Answers what was tried. */
function answer(why: string | null): void {
  const tries = sent.splice(0).filter((one) => one.say === "try");
  for (const one of tries) trial.hear({ nth: one.nth, why });
}

beforeEach(() => {
  [language.value, model.refused.value, sent.length] = ["en", "", 0];
  show();
  render(h(Keys, {}), document.body);
});
afterEach(() => render(null, document.body));

test("a name that is refused stays in its field with the reason, and is written when it is mended", async () => {
  leave("name health", "two words");
  answer("no such name");
  await turn();
  expect([field("name health")?.value, document.querySelector("[role=alert]")?.textContent]).toEqual(["two words", "no such name"]);
  // What else is refused changes nothing of it.
  model.refused.value = "of something else";
  await turn();
  expect(field("name health")?.value).toBe("two words");
  expect(sent).toEqual([]);
  leave("name health", "life");
  await turn();
  expect(document.querySelector("[role=alert]")).toBe(null);
  answer(null);
  expect(sent).toEqual([{ say: "edit", edit: { do: "rename", id: 7, name: "life" } }]);
  show({ name: "life" });
  await turn();
  expect(field("name life")?.value).toBe("life");
});

test("a refused name is given up with Esc", async () => {
  leave("name health", "two words");
  answer("no such name");
  await turn();
  const input = field("name health") as HTMLInputElement;
  input.focus();
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([input.value, document.querySelector("[role=alert]")]).toEqual(["health", null]);
});

test("a key that is to be an enumeration is shown as one, and asked for its values", async () => {
  type().value = "enum";
  type().dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
  expect(type().value).toBe("enum");
  expect(document.activeElement).toBe(field("values health"));
  // Nothing is said before there are values, and it goes on being asked.
  field("values health")?.blur();
  await turn();
  expect([type().value, sent]).toEqual(["enum", []]);
  leave("values health", "calm angry");
  answer(null);
  expect(sent).toEqual([{ say: "edit", edit: { do: "set-type", id: 7, ty: "enum", values: "calm angry" } }]);
});

test("Esc leaves the type as it was", async () => {
  type().value = "enum";
  type().dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([type().value, field("values health"), sent]).toEqual(["float", null, []]);
});
