import { beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import { calledBy, inLine, says } from "../src/edit/versions";
import { edgesOf } from "../src/graph/edges";
import { layout } from "../src/graph/layout";
import { drawn, linesOf } from "../src/graph/versions";
import type { Compared, How } from "../src/protocol";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const of = (word: string, old: string, now: string) => ({ how: "changed", word, old, new: now }) as const;
const changed = (word: string, old: string, now: string): string => says(of(word, old, now));

beforeEach(() => {
  language.value = "en";
});

describe("a changed node", () => {
  it("says what differs, each by its name", () => {
    expect(changed("wait", "wait 1.0", "wait 2.0")).toBe("1.0 → 2.0");
    expect(changed("timeout", 'timeout 0.5 name=hit doc="lands, once"', 'timeout 0.6 name=hit doc="lands, once"')).toBe("0.5 → 0.6");
    expect(changed("key", "key health type=float default=100.0", "key health type=float default=50.0")).toBe("default: 100.0 → 50.0");
    expect(changed("action", "action walk", 'action walk doc="on, and on"')).toBe('doc added: "on, and on"');
    expect(changed("action", "action walk instant=#true", "action walk")).toBe("instant removed: #true");
    expect(changed("selector", "sequence name=a", "selector name=a")).toBe("sequence → selector");
    expect(changed("action", "action walk", "action")).toBe("removed: walk");
    expect(changed("goto", "goto a b", "goto b a")).toBe("a b → b a");
    expect(changed("wait", "wait 1.0", "wait 2.0 name=rest")).toBe("1.0 → 2.0, name added: rest");
  });

  it("is called by what stays", () => {
    expect(inLine(of("action", "action patrol", "action patrol name=walk"))).toBe("action patrol: name added: walk");
    expect(inLine(of("key", "key health default=100.0", "key health default=50.0"))).toBe("key health: default: 100.0 → 50.0");
    expect(inLine(of("wait", "wait 1.0", "wait 2.0"))).toBe("wait 1.0 → 2.0");
    expect(inLine({ how: "added", word: "wait", old: "", new: "wait 2.0" })).toBe("wait 2.0");
  });
});

/** Nodes of both versions, from an indented text; what differs has its sign in front. */
function nodesOf(text: string): Compared[] {
  const hows: Record<string, How> = { "+": "added", "-": "removed" };
  return text
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => {
      const [, indent, sign, said] = row.match(/^( *)([+-]?)(.*)$/) as RegExpMatchArray;
      const how = hows[sign] ?? "same";
      return {
        depth: indent.length / 2,
        how,
        word: said.split(" ")[0],
        old: how === "added" ? "" : said,
        new: how === "removed" ? "" : said,
      };
    });
}

const say = (one: Compared) => ({ name: calledBy(one), says: says(one) });

describe("the drawing of two versions", () => {
  const nodes = nodesOf(`decide watch
  test "alarm"
    action run
  +test "seen"
    yes
      action strike
    no
      goto hide
  switch "weather"
    -case rain
      -goto hide
  random
    option 2
      action patrol
  branch hide
    action walk`);

  it("has the edges of the graph: answers, what follows from a no, and what a goto leads to", () => {
    const lines = linesOf(nodes, say);
    const parents = model.parentsOf(lines);
    const all = lines.map((_, nth) => nth);
    const of = layout(lines, parents, all, model.belowOf(parents), new Set(), (text) => text.length * 7);
    const called = (nth: number): string => nodes[nth].new || nodes[nth].old;
    const edges = edgesOf(of, lines, parents).map(({ from, to, text, isJump }) => [
      called(from.nth),
      isJump ? "goto" : text,
      called(to.nth),
    ]);
    expect(edges).toEqual([
      ["decide watch", "", 'test "alarm"'],
      ['test "alarm"', "yes", "action run"],
      ['test "seen"', "yes", "action strike"],
      ['test "seen"', "no", "goto hide"],
      ['switch "weather"', "rain", "goto hide"],
      ["random", "2", "action patrol"],
      ["branch hide", "", "action walk"],
      ['test "alarm"', "no", 'test "seen"'],
      ['switch "weather"', "else", "random"],
      ["goto hide", "goto", "branch hide"],
      ["goto hide", "goto", "branch hide"],
    ]);
  });

  it("leads from what differs in the list to where that is, also for an answer", () => {
    const { svg, at } = drawn(nodes, say, (text) => text.length * 7);
    const rain = nodes.find((one) => one.old === "case rain") as Compared;
    expect(at.get(rain)?.nth).toBe(nodes.indexOf(rain) + 1);
    expect(svg).toContain(">− rain<");
    expect(nodes.every((one) => at.has(one))).toBe(true);
  });
});
