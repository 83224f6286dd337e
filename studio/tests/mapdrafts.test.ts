// The text of a map that is typed and not written.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask, MapSheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: (of: Ask) => sent.push(of) > 0,
  lookAgain: () => undefined,
  looks: () => 0,
}));

import * as sheet from "../src/edit/sheet";
import * as drafts from "../src/map/drafts";
import * as map from "../src/map/map";
import { MapPane } from "../src/map/pane";
import { Unsent } from "../src/panels/gone";
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
  // What the next page reads.
  expect(JSON.parse(localStorage.getItem("map-typed") ?? "[]")).toEqual([
    ["/w/a.map", { was: "a\nb\n", shown: "a\nb\n[rules]\n", document: "/w/a.kdl" }],
  ]);
  show();
  await turn();
  button("Show it in the map")?.click();
  await turn();
  expect([sheet.desk.value, button("Show it in the map")]).toEqual(["map", undefined]);
  map.take(has("a\nb\n", 1));
  await turn();
  expect(field().value).toBe("a\nb\n[rules]\n");
  button("Write")?.click();
  expect(texts()).toEqual([{ do: "text", text: "a\nb\n[rules]\n", base: 1 }]);
  map.take(has("a\nb\n[rules]\n", 2));
  expect(drafts.drafts.value.size).toBe(0);
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
