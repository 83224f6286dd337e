import { beforeEach, describe, expect, it } from "vitest";
import { docOf, expressionAs, expressionIn, givensOf, keyAs, waysOf } from "../src/edit/given";
import * as sheet from "../src/edit/sheet";
import { wayOf } from "../src/edit/value";
import { asked, computedAs } from "../src/edit/worth";
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
});
