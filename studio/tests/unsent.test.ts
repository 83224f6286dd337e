import { h, render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import type { Edit, Sheet, SheetNode } from "../src/protocol";

let isOpen = true;
const sent: Edit[] = [];
vi.mock("../src/wire/wire", () => ({
  say: () => undefined,
  trySay: (of: { edit: Edit }) => {
    if (isOpen) sent.push(of.edit);
    return isOpen;
  },
}));

import { Gone } from "../src/edit/gone";
import * as sheet from "../src/edit/sheet";
import "../src/edit/together";
import * as unsent from "../src/edit/unsent";
import * as model from "../src/wire/model";

const node = (id: number, depth: number, word: string, values: string[], when = ""): SheetNode =>
  ({ id, depth, word, values, file: 0, properties: when ? [{ name: "when", value: when }] : [], comment: null }) as unknown as SheetNode;
/** The document of a program, which numbers its nodes from `first` on. */
const document_ = (first: number, when: string): Sheet =>
  ({
    revision: first,
    files: [{ name: "a.kdl", text: "", is_saved: true }],
    nodes: [
      node(first, 0, "tree", ["a"]),
      node(first + 1, 1, "sequence", ["serve"]),
      node(first + 2, 0, "tree", ["b"]),
      node(first + 3, 1, "sequence", ["serve"]),
      node(first + 4, 1, "sequence", ["serve"], when),
    ],
    problems: [],
    unsaved: null,
    done: [],
    undo: null,
    selection: null,
  }) as unknown as Sheet;
const wait: unsent.Unsent = {
  id: 7,
  node: "wait",
  field: "value",
  text: "2.5 + patience",
  edit: { do: "set", id: 7, name: "0", value: "2.5 + patience" },
  file: "a.kdl",
  home: "tree a",
  nth: 0,
  why: "lost",
};
const gone = { ...wait, why: "gone" };
const texts = () => unsent.unsent.value.map((one) => [one.why, one.id, one.field, one.text]);
const stored = () => (JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]") as unsent.Unsent[]).map((one) => one.text);
/** Whether the browser asks before one leaves. */
function warns(): boolean {
  const leaves = new Event("beforeunload", { cancelable: true });
  dispatchEvent(leaves);
  return leaves.defaultPrevented;
}
/** Types into the second `serve` of the tree `b`. */
function write(when: string): void {
  const of = sheet.sheet.value?.nodes[4] as SheetNode;
  sheet.write(of, "when", when, { do: "set", id: of.id, name: "when", value: when });
}

beforeEach(() => {
  unsent.types(null);
  for (const one of unsent.unsent.value) unsent.close(one);
  unsent.cut(false);
  sheet.forget();
  [isOpen, sent.length, model.heard.value] = [true, 0, 0];
  sheet.asks(1);
});

test("what is typed into a node that is removed is kept until it is written or closed", () => {
  unsent.types(wait);
  unsent.keep(new Set([6, 7]));
  expect(unsent.unsent.value).toEqual([]);
  unsent.keep(new Set([6]));
  expect(unsent.unsent.value).toEqual([gone]);
  // The node comes back with its id: its field has the text.
  unsent.keep(new Set([6, 7]));
  expect(unsent.textOf(7, "value")).toBe(wait.text);
  expect(unsent.textOf(7, "name")).toBeUndefined();
  unsent.drop(7, "name");
  expect(unsent.unsent.value).toEqual([gone]);
  unsent.drop(7, "value");
  expect(unsent.textOf(7, "value")).toBeUndefined();
});

test("of a node that is there again with what was typed, nothing is said; and another one by its number is another one", () => {
  const typed = { ...wait, id: 14, node: "sequence serve", field: "when", text: "ready", home: "tree b", nth: 1 };
  const edit: Edit = { do: "set", id: 14, name: "when", value: "ready" };
  sheet.take(document_(10, ""));
  unsent.put({ ...typed, edit, why: "gone" });
  unsent.settle(document_(10, ""));
  expect(texts()).toEqual([["gone", 14, "when", "ready"]]);
  const other = document_(10, "");
  other.nodes[4] = node(14, 1, "wait", ["2"]);
  unsent.settle(other);
  expect(texts()).toEqual([["gone", 0, "when", "ready"]]);
  unsent.settle(document_(10, ""));
  expect(texts()).toEqual([["gone", 14, "when", "ready"]]);
  unsent.settle(document_(10, "ready"));
  expect(texts()).toEqual([]);
});

test("what was typed into a node that is gone outlives the document that is shown, the page and the program", () => {
  const without = (first: number): Sheet => {
    const all = document_(first, "");
    return { ...all, nodes: all.nodes.filter((one) => one.id !== first + 3) };
  };
  sheet.take(document_(10, ""));
  const of = sheet.sheet.value?.nodes[3] as SheetNode;
  unsent.types(unsent.about(of, document_(10, ""), "when", "ready", { do: "set", id: 13, name: "when", value: "ready" }));
  sheet.take(without(10));
  expect([texts(), stored(), warns()]).toEqual([[["gone", 13, "when", "ready"]], ["ready"], true]);
  // Another program writes it again, which makes it another node, and takes it away once more.
  const again = document_(10, "");
  again.nodes[3] = node(77, 1, "sequence", ["serve"]);
  sheet.take(again);
  expect([texts(), unsent.textOf(77, "when")]).toEqual([[["gone", 77, "when", "ready"]], "ready"]);
  sheet.take(without(10));
  expect(texts()[0][0]).toBe("gone");
  // Another document is shown, and the page loaded again: of those that are called like it, none is taken for it.
  sheet.forget();
  sheet.take({ ...document_(60, ""), files: [{ name: "b.kdl", text: "", is_saved: true }] } as unknown as Sheet);
  sheet.forget();
  unsent.unsent.value = JSON.parse(localStorage.getItem("treemind-unsent") ?? "[]");
  sheet.take(without(10));
  expect(texts()).toEqual([["gone", 0, "when", "ready"]]);
  // It comes back in another program, which is ended, too.
  for (const first of [30, 90]) {
    sheet.forget("type on");
    sheet.take(document_(first, ""));
    expect([texts(), stored(), unsent.textOf(first + 3, "when")]).toEqual([[["gone", first + 3, "when", "ready"]], ["ready"], "ready"]);
  }
  unsent.drop(93, "when");
  expect([texts(), stored(), warns()]).toEqual([[], [], false]);
});

test("whoever types when the node goes types on into what is kept", async () => {
  const turn = () => new Promise((done) => setTimeout(done, 20));
  render(h(Gone, {}), document.body);
  sheet.take(document_(10, ""));
  const of = sheet.sheet.value?.nodes[4] as SheetNode;
  unsent.types(unsent.about(of, document_(10, ""), "when", "rea", { do: "set", id: 14, name: "when", value: "rea" }));
  const all = document_(10, "");
  sheet.take({ ...all, nodes: all.nodes.slice(0, 4) });
  await turn();
  const area = document.querySelector("textarea") as HTMLTextAreaElement;
  expect([document.activeElement, area.selectionStart]).toEqual([area, 3]);
  area.value = "ready";
  area.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  expect([texts(), stored(), document.activeElement]).toEqual([[["gone", 14, "when", "ready"]], ["ready"], area]);
  // The node comes back: its field has what was typed, and writes that.
  sheet.take(document_(10, ""));
  expect([unsent.textOf(14, "when"), unsent.unsent.value[0].edit]).toEqual(["ready", { do: "set", id: 14, name: "when", value: "ready" }]);
  render(null, document.body);
});

test("what was written or taken back is not kept", () => {
  unsent.types(wait);
  unsent.types(null);
  unsent.keep(new Set());
  expect(unsent.unsent.value).toEqual([]);
});

test("of one field only the last text is kept", () => {
  for (const text of ["1.0", "2.0"]) {
    unsent.types({ ...wait, text });
    unsent.keep(new Set());
  }
  expect(unsent.unsent.value.map((one) => one.text)).toEqual(["2.0"]);
});

test("what could not be sent is in its field, and is found again in a program that was started again", () => {
  sheet.take(document_(10, ""));
  [isOpen, model.refused.value] = [false, ""];
  write("ready");
  expect([texts(), stored()]).toEqual([[["lost", 14, "when", "ready"]], ["ready"]]);
  expect([unsent.textOf(14, "when"), unsent.isNotSent(14, "when"), unsent.isNotSent(13, "when")]).toEqual(["ready", true, false]);
  // The same program goes on.
  sheet.take(document_(10, ""));
  expect(texts()).toEqual([["lost", 14, "when", "ready"]]);
  // Another one numbers its nodes in another way.
  sheet.forget("type on");
  expect(texts()).toEqual([["lost", 0, "when", "ready"]]);
  sheet.take(document_(30, ""));
  expect(texts()).toEqual([["lost", 34, "when", "ready"]]);
  // Another file does not lose it.
  sheet.forget();
  expect(stored()).toEqual(["ready"]);
  sheet.take(document_(30, "ready"));
  expect([texts(), stored()]).toEqual([[], []]);
});

test("what is being typed while there is no program is kept for the next page", () => {
  sheet.take(document_(10, ""));
  unsent.types({ ...wait, text: "1" });
  expect(stored()).toEqual([]);
  sheet.cut();
  expect(stored()).toEqual(["1"]);
  unsent.types({ ...wait, text: "12" });
  expect([stored(), unsent.unsent.value]).toEqual([["12"], []]);
  sheet.forget("type on");
  unsent.types(null);
  expect([texts(), stored()]).toEqual([[["lost", 0, "value", "12"]], ["12"]]);
});

test("edits that were on their way when the connection broke off are told, and those that have arrived are not", () => {
  sheet.take(document_(10, ""), 1);
  write("refused");
  sheet.refuse();
  write("ready");
  sheet.edit({ do: "remove", ids: [13] });
  sheet.edit({ do: "save" });
  sheet.cut();
  expect(texts()).toEqual([
    ["sent", 14, "when", "ready"],
    ["sent", 13, "remove", ""],
  ]);
  sheet.take(document_(10, "ready"), 2);
  expect(texts()).toEqual([["sent", 13, "remove", ""]]);
  // What an answer to a later question has, is known.
  sheet.asks(3);
  write("steady");
  model.heard.value = 4;
  sheet.cut();
  expect(texts()).toEqual([["sent", 13, "remove", ""]]);
});

test("what is in the document under its new name, or was to be removed and is gone, is not told", () => {
  const of = (nodes: SheetNode[]): Sheet => ({ ...document_(10, ""), nodes });
  const before = [node(10, 0, "tree", ["a"]), node(11, 1, "wait", ["2.0"]), node(12, 1, "run", ["x"]), node(13, 1, "wait", ["9.0"])];
  const start = (): void => {
    for (const one of unsent.unsent.value) unsent.close(one);
    sheet.forget();
    sheet.take(of(before), 1);
    sheet.write(before[1], "value", "3.5", { do: "set", id: 11, name: "0", value: "3.5" });
    sheet.edit({ do: "remove", ids: [12] });
    sheet.edit({ do: "rename", id: 10, name: "b" });
    sheet.cut();
    expect(texts()).toEqual([
      ["sent", 11, "value", "3.5"],
      ["sent", 12, "remove", ""],
      ["sent", 10, "rename", "b"],
    ]);
    sheet.forget("type on");
  };
  start();
  sheet.take(of([node(30, 0, "tree", ["b"]), node(31, 1, "wait", ["3.5"]), node(33, 1, "wait", ["9.0"])]), 1);
  expect(texts().map((one) => one[2])).toEqual(["value"]);
  start();
  sheet.take(of([node(30, 0, "tree", ["a"]), node(31, 1, "wait", ["3.5"]), node(33, 1, "wait", ["9.0"])]), 1);
  expect(texts()).toEqual([["sent", 30, "rename", "b"]]);
  // Nothing of it has arrived.
  start();
  sheet.take(of([...before.slice(0, 3), node(13, 1, "wait", ["3.5"])]), 1);
  expect(texts().length).toBe(3);
  // `1` is written as `1.0`.
  const key = { ...node(14, 1, "key", ["health"]), properties: [{ name: "default", value: "1.0" }] } as unknown as SheetNode;
  start();
  unsent.put({ ...wait, id: 14, node: "key health", edit: { do: "set-default", id: 14, value: "1" }, field: "default" });
  sheet.take(of([...before, key]), 1);
  expect(texts().length).toBe(3);
});

test("what else is done without a connection says that it is not done", () => {
  sheet.take(document_(10, ""));
  isOpen = false;
  sheet.edit({ do: "remove", ids: [13] });
  expect(model.refused.value).toContain("no connection");
  expect(texts()).toEqual([]);
});

test("what would replace something that others wrote meanwhile is kept and asked about; what one wrote oneself is not", () => {
  sheet.take(document_(10, "alone"));
  const of = sheet.sheet.value?.nodes[4] as SheetNode;
  const set = (value: string): Edit => ({ do: "set", id: 14, name: "when", value });
  sheet.take(document_(10, "theirs"));
  sheet.write(of, "when", "mine", set("mine"));
  expect([texts(), sent.length]).toEqual([[["changed", 14, "when", "mine"]], 0]);
  expect([unsent.isMet(14, "when"), unsent.textOf(14, "when")]).toEqual([true, "mine"]);
  // Whoever has seen it, writes it.
  sheet.write(sheet.sheet.value?.nodes[4] as SheetNode, "when", "mine", set("mine"));
  expect(sent).toEqual([set("mine")]);
  sheet.take(document_(10, "mine"));
  expect(texts()).toEqual([]);
  // What comes back of one's own is no change of others, also to a field that was shown before it.
  sheet.write(of, "when", "mine too", set("mine too"));
  expect([sent.length, texts()]).toEqual([2, []]);
  // Another property of the node is another place.
  const named: Edit = { do: "set", id: 14, name: "name", value: "served" };
  sheet.take(document_(10, "theirs again"));
  sheet.write(of, "name", "served", named);
  expect([sent.at(-1), texts()]).toEqual([named, []]);
  // The same text is no clash.
  sheet.write(of, "when", "theirs again", set("theirs again"));
  expect([sent.length, texts()]).toEqual([4, []]);
});
