import { beforeEach, describe, expect, it } from "vitest";
import { docOf, expressionAs, expressionIn, givensOf, keyAs, typedOver, waysOf } from "../src/edit/given";
import * as sheet from "../src/edit/sheet";
import { keyNames, wayOf } from "../src/edit/value";
import { asked, computedAs, wordOf } from "../src/edit/worth";
import type { Sheet, SheetKey, SheetNode, Words } from "../src/protocol";
import * as model from "../src/wire/model";

const node = (id: number, role: string, word: string, name: string, properties: Record<string, string> = {}, depth = 1): SheetNode =>
  ({
    id,
    depth,
    file: 0,
    role,
    word,
    values: [name],
    properties: Object.entries(properties).map(([key, value]) => ({ name: key, value })),
    at: [id, 0, id, 1],
  }) as unknown as SheetNode;

const key = (word: string, name: string, more: Partial<SheetKey> = {}): SheetKey =>
  ({
    id: 90,
    word,
    name,
    ty: "float",
    default: null,
    doc: null,
    scope: "",
    values: [],
    list: null,
    sensor: null,
    uses: [],
    ...more,
  }) as SheetKey;

const serve = node(2, "task", "action", "serve");
const bare = node(3, "task", "emit", "help", { loud: "=heat / 2", when: "heat > 1", far: "{heat}", near: "heat" });
const call = node(4, "task", "subtree", "reload", { rest: "{ammo}" });

beforeEach(() => {
  const leaf = { id: 80, kind: "action", name: "serve", doc: "carry a plate out", uses: [] };
  sheet.sheet.value = {
    nodes: [node(1, "definition", "tree", "reload", { doc: "fills the gun" }, 0), serve, bare, call],
    leaves: [
      { ...leaf, params: [key("param", "pace", { default: "1.0", doc: "how fast" })] },
      { ...leaf, kind: "condition", doc: "another one", params: [] },
    ],
    keys: [
      key("key", "heat", { scope: "agent" }),
      key("inout", "rest", { ty: "int", scope: "in reload" }),
      key("in", "rounds", { ty: "int", default: "6", scope: "in reload" }),
      key("in", "others", { ty: "entity", list: "4", scope: "in reload" }),
      key("key", "own", { scope: "in reload" }),
    ],
  } as unknown as Sheet;
  const word = { place: "in a tree", is_node: true, value: "name", is_computed: false, properties: [] };
  sheet.heardWords.value = {
    words: ["action", "emit", "subtree"].map((name) => ({ ...word, name, purpose: "" })),
    of_nodes: [{ name: "when", purpose: "", default: null, is_computed: true }],
    curves: [],
  } as unknown as Words;
});

describe("what a node gives", () => {
  it("is what its leaf declares", () => {
    expect(docOf(serve)).toBe("carry a plate out");
    expect(givensOf(serve)).toEqual([{ name: "pace", purpose: "how fast", type: "float", default: "1.0", form: "argument" }]);
    expect(givensOf(bare)).toEqual([]);
  });

  it("is what the tree that it calls declares, and not the keys of that", () => {
    expect(docOf(call)).toBe("fills the gun");
    const found = givensOf(call).map((one) => [one.name, one.type, one.default, one.form]);
    expect(found).toEqual([
      ["rest", "int", null, "back"],
      ["rounds", "int", "6", "port"],
      ["others", "entity list=4", null, "back"],
    ]);
  });

  it("is what a machine, a planner, the candidates of a `find` and a node of the game declare", () => {
    const all = sheet.sheet.value as Sheet;
    const place = node(5, "task", "find", "place", { in: "covers" });
    const own = node(6, "task", "node", "stage");
    const asks = node(7, "question", "test-condition", "near");
    const leaf = { id: 80, doc: "", uses: [] };
    const param = (name: string): SheetKey[] => [key("param", name)];
    sheet.sheet.value = {
      ...all,
      nodes: [...all.nodes, node(8, "definition", "machine", "door", {}, 0), node(9, "definition", "planner", "thief", {}, 0)],
      leaves: [
        { ...leaf, kind: "candidates", name: "covers", params: param("range") },
        { ...leaf, kind: "action", name: "place", params: param("wrong") },
        { ...leaf, kind: "decorator", name: "stage", params: param("depth") },
        { ...leaf, kind: "condition", name: "near", params: param("how") },
      ],
      keys: [key("in", "gate", { scope: "in door" }), key("in", "loot", { scope: "in thief" })],
    } as unknown as Sheet;
    const runs = (word: string, name: string): SheetNode => node(10, "task", word, name);
    const found = [place, own, asks, runs("machine", "door"), runs("planner", "thief"), runs("decide", "door")].map((of) =>
      givensOf(of).map((one) => one.name),
    );
    expect(found).toEqual([["range"], ["depth"], ["how"], ["gate"], ["loot"], []]);
  });

  it("may be a key that is known there, and no port of another tree", () => {
    const all = sheet.sheet.value as Sheet;
    const inside = node(11, "task", "action", "fill");
    sheet.sheet.value = { ...all, nodes: [...all.nodes.slice(0, 1), inside, node(12, "definition", "tree", "cook", {}, 0), serve] };
    expect(keyNames(inside)).toEqual(["heat", "rest", "rounds", "others", "own"]);
    expect(keyNames(serve)).toEqual(["heat"]);
  });

  it("is written as the language has it", () => {
    expect(["0.5", "heat", "{heat}", "=heat / 2"].map((text) => wayOf(text, ["heat"], "argument"))).toEqual([
      "literal",
      "literal",
      "key",
      "expression",
    ]);
    expect(["3", "{ammo}", "=ammo"].map((text) => wayOf(text, ["ammo"], "port"))).toEqual(["literal", "key", "literal"]);
    expect(keyAs("heat", "argument")).toBe("{heat}");
    expect(keyAs("heat", "expression")).toBe("heat");
    expect(expressionAs("{heat} / 2", "argument")).toBe("=heat / 2");
    expect(expressionAs("=heat", "argument")).toBe("=heat");
    expect(expressionAs("heat / 2", "expression")).toBe("heat / 2");
    expect(["heat * 2", "=heat", "2.5", "{heat}"].map((text) => typedOver(text, "argument"))).toEqual([
      "=heat * 2",
      "=heat",
      "2.5",
      "{heat}",
    ]);
    expect(expressionIn("{heat}", "port")).toBe("heat");
    expect(expressionIn("=heat / 2", "port")).toBe("");
    expect([waysOf("port"), waysOf("back")]).toEqual([["literal", "key"], ["key"]]);
  });

  it("is asked for by the expression, and a text is none", () => {
    expect([computedAs(bare, "when"), computedAs(bare, "loud"), computedAs(call, "rest")]).toEqual(["expression", "argument", "back"]);
    model.panel.value = "edit";
    sheet.chosen.value = [bare.id];
    expect(asked.value).toEqual(["heat / 2", "heat > 1", "heat"]);
  });

  it("is computed where the word is, and not where another one of that name is", () => {
    const word = (name: string, place: string, is_computed: boolean) => ({ name, place, is_computed, is_node: false, properties: [] });
    sheet.heardWords.value = {
      words: [
        word("in", "before the root of a tree", false),
        word("in", "in a `network`", true),
        word("score", "in a child of a `utility-selector`, or in a goal", false),
        word("score", "in a `find`", true),
      ],
      of_nodes: [],
      curves: [],
    } as unknown as Words;
    const port = node(21, "other", "in", "rest");
    const score = node(23, "other", "score", "1", {}, 2);
    const nodes = [node(20, "definition", "tree", "t", {}, 0), port, node(22, "task", "find", "place"), score];
    sheet.sheet.value = { nodes, leaves: [], keys: [] } as unknown as Sheet;
    expect(computedAs(port, "0")).toBe(null);
    expect([computedAs(score, "0"), wordOf(score)?.place]).toEqual(["expression", "in a `find`"]);
  });
});
