// The text of a map that is typed and not written.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, MapSheet, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => sent.push(of) > 0,
  lookAgain: () => undefined,
  looks: () => 0,
}));

import * as sheet from "../src/edit/sheet";
import { Saving } from "../src/edit/together";
import * as trial from "../src/edit/trial";
import * as unwritten from "../src/edit/unwritten";
import * as drafts from "../src/map/drafts";
import * as map from "../src/map/map";
import { MapPane } from "../src/map/pane";
import { Gone, Unsent } from "../src/panels/gone";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));
const has = (text: string, revision: number, more: Partial<MapSheet> = {}): MapSheet => ({
  revision,
  file: "/w/a.map",
  refusal: null,
  text,
  rows: [],
  legend: [],
  problem: null,
  undo: null,
  redo: null,
  unsaved: null,
  theirs: null,
  minds: [],
  things: [],
  properties: [],
  ...more,
});
const field = () => document.querySelector<HTMLTextAreaElement>(".map textarea") as HTMLTextAreaElement;
const button = (name: string) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);
const texts = () => sent.flatMap((one) => (one.say === "map" ? [one.edit] : []));
const show = () => render([h(MapPane, {}), h(Unsent, {})], document.body);
async function type(text: string): Promise<void> {
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
}

beforeEach(async () => {
  [language.value, sent.length, drafts.drafts.value] = ["en", 0, new Map()];
  [model.isConnected.value, sheet.mayEdit.value, model.panel.value, sheet.desk.value] = [true, true, "edit", "map"];
  model.view.value = { file: "/w/a.kdl", tick: 1 } as unknown as model.View;
  map.take(has("a\nb\n", 5));
  show();
  await turn();
});
afterEach(() => render(null, document.body));

test("what is typed stays over other views, a reload and another program, which says where it is", async () => {
  await type("a\nb\n[rules]\n");
  render(null, document.body);
  sheet.desk.value = "keys";
  map.forget();
  unwritten.forget();
  // What the next page reads.
  expect(JSON.parse(localStorage.getItem("map-typed") ?? "[]")).toEqual([
    ["/w/a.map", { was: "a\nb\n", shown: "a\nb\n[rules]\n", document: "/w/a.kdl" }],
  ]);
  expect(unwritten.withMark("/w/a.kdl", "a")).toBe("a ●");
  show();
  map.take(has("a\nb\n", 1));
  await turn();
  button("Show it in the map")?.click();
  expect(sheet.desk.value).toBe("map");
  await vi.waitFor(() => expect(document.activeElement).toBe(field()));
  expect(field().value).toBe("a\nb\n[rules]\n");
  // It says so until that is decided.
  expect(button("Show it in the map")).toBeDefined();
  button("Write")?.click();
  expect(texts()).toEqual([{ do: "text", text: "a\nb\n[rules]\n", base: 1 }]);
  map.take(has("a\nb\n[rules]\n", 2));
  expect([drafts.drafts.value.size, unwritten.withMark("/w/a.kdl", "a")]).toEqual([0, "a"]);
  await turn();
  expect(button("Show it in the map")).toBeUndefined();
  // Of what is typed now, the map says so itself.
  await type("a\nb\nmore\n");
  expect([button("Show it in the map"), unwritten.withMark("/w/a.kdl", "a")]).toEqual([undefined, "a ●"]);
});

test("a map that has changed since is not written over: what was typed is put in, or discarded", async () => {
  await type("a\nb\nmine\n");
  map.take(has("A\nb\n", 6));
  await turn();
  expect([field().value, (button("Write") as HTMLButtonElement).disabled]).toEqual(["a\nb\nmine\n", true]);
  expect([document.querySelector(".left ins")?.textContent, document.querySelector(".left details pre")?.textContent]).toEqual([
    "mine\n",
    "A\nb\n",
  ]);
  button("Put it in")?.click();
  await turn();
  expect(texts()).toEqual([{ do: "text", text: "A\nb\nmine\n", base: 6 }]);
  // It is there until the map has it.
  expect(field().value).toBe("A\nb\nmine\n");
  map.take(has("else\n", 7));
  await turn();
  button("Discard")?.click();
  await turn();
  expect([field().value, document.querySelector(".left"), drafts.drafts.value.size]).toEqual(["else\n", null, 0]);
});

test("so do fields of the legend, until the map has what was typed, and also if it has the line no longer", async () => {
  const line = (health: string) => ({ sign: "g", last: "g", word: "actor", name: "guard", properties: [["health", health]] });
  const legend = (health: string, revision: number) => has("", revision, { legend: [line(health)] as unknown as MapSheet["legend"] });
  const input = () => document.querySelector('input[aria-label="health: guard"]') as HTMLInputElement;
  const fill = (text: string): void => {
    input().focus();
    input().value = text;
    input().dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** The next page reads what this one has left. */
  const reload = async (): Promise<void> => {
    render(null, document.body);
    drafts.drafts.value = new Map(JSON.parse(localStorage.getItem("map-typed") ?? "[]"));
    show();
    await turn();
  };
  const look = () => [input().value, input().parentElement?.textContent?.includes("not sent")];
  map.take(legend("120", 5));
  await turn();
  fill("1");
  await turn();
  expect(look()).toEqual(["1", false]);
  fill("135");
  await reload();
  expect([look(), drafts.isKeptFor("/w/a.kdl")]).toEqual([["135", true], true]);
  // Without a connection, nothing is sent, and it stays; whatever else is refused.
  trial.cut("nothing is sent");
  input().focus();
  input().blur();
  model.refused.value = "of something else";
  await turn();
  expect([input().value, sent]).toEqual(["135", []]);
  await reload();
  expect(look()).toEqual(["135", true]);
  trial.forget();
  // Another program has taken the line out, and put it in again.
  map.take(has("", 6));
  await turn();
  expect(document.querySelector(".map .head .told")?.textContent).toContain("kept: g health:135");
  map.take(legend("120", 7));
  await turn();
  input().focus();
  input().blur();
  expect(texts()).toEqual([{ do: "set", sign: "g", name: "health", value: "135" }]);
  expect(drafts.drafts.value.size).toBe(1);
  map.take(legend("135", 8));
  await turn();
  expect([look(), drafts.drafts.value.size]).toEqual([["135", false], 0]);
  // What is given up is not kept.
  fill("140");
  input().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([look(), drafts.drafts.value.size]).toEqual([["135", false], 0]);
  // It is written in another way than it was typed.
  fill("1e2");
  input().blur();
  map.take(legend("100", 9));
  await turn();
  expect([look(), drafts.drafts.value.size]).toEqual([["100", false], 0]);
});

test("line ends of two letters stay, and names between backquotes are names", async () => {
  map.take(has("a\r\nb\r\n", 8));
  await turn();
  await type("a\nc\n");
  button("Write")?.click();
  expect(texts()).toEqual([{ do: "text", text: "a\r\nc\r\n", base: 8 }]);
  await type("a\nb\n");
  expect(drafts.drafts.value.size).toBe(0);
  map.take(has("", 9, { refusal: { says: "the map `{}` cannot be read", with: ["a.map"] } as unknown as MapSheet["refusal"] }));
  await turn();
  expect(document.querySelector(".map p")?.innerHTML).toBe("the map <code>a.map</code> cannot be read");
});

/** The map of a guard with this health. */
const guard = (health: string, revision: number) =>
  has("", revision, {
    legend: [{ sign: "g", last: "g", word: "actor", name: "guard", properties: [["health", health]] }] as unknown as MapSheet["legend"],
  });
const health = () => document.querySelector('input[aria-label="health: guard"]') as HTMLInputElement;
const fillHealth = async (text: string): Promise<void> => {
  health().focus();
  health().value = text;
  health().dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
};

test("of a field that another program has changed since, the map shows what it is now, and what was typed is put in or discarded", async () => {
  map.take(guard("120", 5));
  await turn();
  await fillHealth("200");
  // The program was killed, and is there again.
  map.forget();
  unwritten.forget();
  await turn();
  map.take(guard("90", 1));
  await turn();
  const asked = () => [health().value, document.querySelector(".left del")?.textContent, document.querySelector(".left ins")?.textContent];
  expect(asked()).toEqual(["90", "90", "200"]);
  // Who only passes the field by, or gives it up, decides nothing.
  health().focus();
  health().blur();
  health().focus();
  health().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await turn();
  expect([asked(), texts()]).toEqual([["90", "90", "200"], []]);
  button("Put it in")?.click();
  await turn();
  expect(texts()).toEqual([{ do: "set", sign: "g", name: "health", value: "200" }]);
  // It is there until the map has it.
  expect([health().value, drafts.drafts.value.size]).toEqual(["200", 1]);
  map.take(guard("200.0", 2));
  await turn();
  expect([asked(), drafts.drafts.value.size]).toEqual([["200.0", undefined, undefined], 0]);
  await fillHealth("7");
  map.take(guard("8", 3));
  await turn();
  // As long as the keyboard is in it, it stays as it is.
  expect(health().value).toBe("7");
  health().blur();
  await turn();
  expect(asked()).toEqual(["8", "8", "7"]);
  button("Discard")?.click();
  await turn();
  expect([asked(), drafts.drafts.value.size]).toEqual([["8", undefined, undefined], 0]);
});

test("the page of a program that has ended lists what is kept for a map, and a document with that is not called saved", async () => {
  const files = [{ name: "/w/a.kdl", text: "", is_saved: true }];
  sheet.sheet.value = { revision: 1, nodes: [], files, done: [], saves_at_once: true, unsaved: null } as unknown as Sheet;
  render([h(MapPane, {}), h(Saving, {}), h(Gone, {})], document.body);
  map.take(guard("120", 5));
  await turn();
  const sign = () => document.querySelector(".switch + [role=status]")?.textContent;
  expect(sign()).toBe("✓ saved");
  await fillHealth("200");
  expect(sign()).toBe("● not all is written");
  // What is kept for another document is not of this one.
  model.view.value = { file: "/w/b.kdl", tick: 1 } as unknown as model.View;
  sheet.sheet.value = { ...sheet.sheet.value, files: [{ ...files[0], name: "/w/b.kdl" }] } as unknown as Sheet;
  await turn();
  expect(sign()).toBe("✓ saved");
  [sheet.hasEnded.value, sheet.mayEdit.value] = [true, false];
  await turn();
  expect([...document.querySelectorAll(".lost p")].at(-1)?.textContent).toBe("not written: g health = 200 of /w/a.map");
  [sheet.hasEnded.value, sheet.sheet.value] = [false, null];
});
