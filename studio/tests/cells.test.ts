// What is typed into the fields of the tables, and refused.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, Sheet, SheetKey } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
const way = vi.hoisted(() => ({ isOpen: true }));
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => way.isOpen && sent.push(of) > 0 }));

import { Gone } from "../src/edit/gone";
import { Keys } from "../src/edit/keys";
import { Leaves } from "../src/edit/leaves";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import * as unsent from "../src/edit/unsent";
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
  sheet.sheet.value = { revision: 1, nodes: [], keys: [{ ...key, ...of }], leaves: [], files: [], done: [] } as unknown as Sheet;
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

test("so is all that was refused in a row, from the row, which keeps the keyboard", async () => {
  for (const label of ["name health", "default health"]) {
    leave(label, "two words");
    answer("not so");
  }
  await turn();
  const row = document.querySelector<HTMLElement>("tbody[data-key=health]") as HTMLElement;
  const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
  row.focus();
  row.dispatchEvent(key);
  await turn();
  expect([field("name health")?.value, field("default health")?.value, document.querySelector("[role=alert]")]).toEqual([
    "health",
    "1.0",
    null,
  ]);
  expect([document.activeElement, key.defaultPrevented, sent]).toEqual([row, true, []]);
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

test("what is typed without a connection is kept for the page that is loaded next, and written there", async () => {
  const stored = (): unsent.Unsent[] => JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]");
  const has = (first: number): void => {
    const node = (id: number, depth: number, word: string, values: string[]) => ({ id, depth, word, values, file: 0, properties: [] });
    const nodes = [node(first, 0, "blackboard", []), node(first + 1, 1, "key", ["health"])];
    const files = [{ name: "a.kdl", text: "", is_saved: true }];
    const none = { leaves: [], problems: [], done: [], undo: null, selection: null };
    sheet.take({ revision: first, nodes, keys: [{ ...key, id: first + 1 }], files, ...none } as unknown as Sheet);
  };
  has(6);
  await turn();
  trial.cut("nothing is sent");
  unsent.cut(true);
  // While it is typed, and when it is left.
  const input = field("name health") as HTMLInputElement;
  input.focus();
  input.value = "li";
  input.dispatchEvent(new Event("input", { bubbles: true }));
  expect(stored().map((one) => [one.field, one.text])).toEqual([["name health", "li"]]);
  leave("name health", "life");
  await turn();
  expect(stored().map((one) => [one.field, one.text, one.node])).toEqual([["name health", "life", "key health"]]);
  expect(document.querySelector("[role=alert]")?.textContent).toBe("nothing is sent");
  // The next page, where nodes have other numbers.
  render(null, document.body);
  unsent.cut(false);
  trial.forget();
  unsent.unsent.value = stored().map((one) => ({ ...one, id: 0 }));
  has(106);
  render(h(Keys, {}), document.body);
  await turn();
  const again = field("name health");
  expect([again?.value, again?.getAttribute("aria-invalid"), again?.parentElement?.textContent]).toEqual(["life", "true", "not sent"]);
  again?.focus();
  again?.blur();
  answer(null);
  await turn();
  expect(sent.at(-1)).toEqual({ say: "edit", edit: { do: "rename", id: 107, name: "life" } });
  expect([unsent.unsent.value, stored()]).toEqual([[], []]);
});

test("a new key that cannot be sent stays in its row", async () => {
  const name = field("name of a new key") as HTMLInputElement;
  const press = () => field("name of a new key")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  name.value = "mood";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  for (const [isOpen, left] of [
    [false, "mood"],
    [true, ""],
  ] as const) {
    way.isOpen = isOpen;
    press();
    answer(null);
    await turn();
    expect([field("name of a new key")?.value, model.refused.value !== ""]).toEqual([left, !isOpen]);
  }
});

test("a new key that is refused stays in its row with the reason", async () => {
  const press = () => field("name of a new key")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const name = field("name of a new key") as HTMLInputElement;
  name.value = "health";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  press();
  press();
  answer("there is one");
  await turn();
  const why = () => document.querySelector(".new [role=alert]")?.textContent;
  expect([field("name of a new key")?.value, why(), sent]).toEqual(["health", "there is one", []]);
  name.value = "mood";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  expect(why()).toBe(undefined);
  press();
  answer(null);
  await turn();
  expect([field("name of a new key")?.value, sent.map((one) => one.say)]).toEqual(["", ["edit"]]);
});

test("a refused name is kept when its field goes", async () => {
  show();
  const now = sheet.sheet.value as Sheet;
  sheet.sheet.value = {
    ...now,
    files: [{ name: "a.kdl", text: "" }],
    nodes: [{ id: 7, word: "key", values: ["health"], depth: 0 }],
  } as unknown as Sheet;
  await turn();
  leave("name health", "two words");
  answer("no such name");
  await turn();
  expect(unsent.unsent.value.map((one) => one.text)).toEqual([]);
  render(null, document.body);
  expect(unsent.unsent.value.map((one) => one.text)).toEqual(["two words"]);
  render(h(Keys, {}), document.body);
  await turn();
  expect(field("name health")?.value).toBe("two words");
  unsent.unsent.value.forEach(unsent.close);
});

test("what is in the row for a new key is kept for the page that is loaded next, which has it there and can add it", async () => {
  const none = { nodes: [], keys: [], leaves: [], problems: [], done: [], undo: null, selection: null };
  const has = (name: string): void => sheet.take({ revision: 1, files: [{ name, text: "", is_saved: true }], ...none } as unknown as Sheet);
  const fill = async (label: string, text: string): Promise<void> => {
    const input = [...document.querySelectorAll<HTMLInputElement>(".new input")].find(
      (one) => one.placeholder === label,
    ) as HTMLInputElement;
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await turn();
  };
  const inRow = () => [...document.querySelectorAll<HTMLInputElement>(".new input")].map((one) => one.value);
  const button = (name: string) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);
  const stored = (): unsent.Unsent[] => JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]");
  const listed = () => [...document.querySelectorAll(".kept-fields p span")].map((one) => one.textContent);
  const show = async (table: "keys" | "leaves"): Promise<void> => {
    sheet.desk.value = table;
    render([h(Gone, {}), h(table === "keys" ? Keys : Leaves, { key: table })], document.body);
    await turn();
  };
  model.isConnected.value = true;
  has("a.kdl");
  await show("keys");
  await fill("name of a new key", "armor");
  await fill("default", "0.5");
  await fill("what it is for", "how much a blow loses");
  expect(listed()).toEqual([]);
  // The next page, of a program that was started again.
  render(null, document.body);
  sheet.forget("type on");
  unsent.unsent.value = stored();
  has("a.kdl");
  await show("keys");
  expect(inRow()).toEqual(["armor", "0.5", "how much a blow loses"]);
  // Beside another table, it is listed.
  await show("leaves");
  expect([inRow(), listed()]).toEqual([["", ""], ["not written: name of a new key = armor · 0.5 · how much a blow loses"]]);
  await fill("name of a new leaf", "dodge");
  // Another document has another row.
  sheet.forget();
  has("b.kdl");
  await turn();
  expect([inRow(), listed()]).toEqual([["", ""], []]);
  sheet.forget();
  has("a.kdl");
  await show("keys");
  expect([inRow()[0], listed()]).toEqual(["armor", ["not written: name of a new leaf = dodge"]]);
  sent.length = 0;
  button("Write it")?.click();
  answer(null);
  document.querySelector(".new input")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  trial.hear({ nth: sent.flatMap((one) => (one.say === "try" ? [one.nth] : [])).at(-1) ?? 0, why: null });
  await turn();
  const added = { name: "armor", ty: "float", default: "0.5", doc: "how much a blow loses", values: "" };
  expect(sent.flatMap((one) => (one.say === "edit" ? [one.edit] : []))).toEqual([
    { do: "add-leaf", kind: "action", name: "dodge", doc: "" },
    { do: "add-key", key: added, scope: "agent" },
  ]);
  expect([inRow(), listed(), stored()]).toEqual([["", "", ""], [], []]);
  // What is given up is not kept.
  await fill("name of a new key", "mood");
  expect(stored().map((one) => one.text)).toEqual(["mood"]);
  document.querySelector(".new input")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([inRow()[0], stored()]).toEqual(["", []]);
});

test("a kept value that cannot be written now says why", async () => {
  const files = [{ name: "a.kdl", text: "", is_saved: true }];
  sheet.sheet.value = { revision: 1, nodes: [{ id: 7 }], keys: [], leaves: [], files, done: [] } as unknown as Sheet;
  const edit = { do: "set", id: 8, name: "0", value: "2.5" } as const;
  const of = { id: 8, node: "wait", field: "value", text: "2.5", edit, file: "a.kdl", home: "tree a", nth: 0, why: "lost" } as const;
  unsent.put(of);
  render(h(Gone, {}), document.body);
  const look = async (isConnected: boolean) => {
    model.isConnected.value = isConnected;
    await turn();
    const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "Write it");
    return [button?.disabled, button?.title];
  };
  expect([await look(true), await look(false)]).toEqual([
    [true, "Its node is not in the document. It can be written once that is there."],
    [true, "no connection: nothing is sent"],
  ]);
  unsent.close(of);
  unsent.put({ ...of, id: 7 });
  expect(await look(true)).toEqual([false, ""]);
  for (const one of unsent.unsent.value) unsent.close(one);
});
