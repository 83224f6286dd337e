import { beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import { inLine, placeOf } from "../src/edit/versions";
import { edgesOf } from "../src/graph/edges";
import { layout } from "../src/graph/layout";
import { drawn, linesOf } from "../src/graph/versions";
import type { Compared, How } from "../src/protocol";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const of = (word: string, called: string, says: Compared["says"], path?: string[]): Compared => ({
  depth: 1,
  how: "changed",
  is_told: true,
  word,
  text: word,
  called,
  says,
  path,
});

beforeEach(() => {
  language.value = "en";
});

describe("a node that differs", () => {
  it("is told in the sentence of the server", () => {
    const said = { says: "{}: {} → {}", with: ["default", "100.0", "50.0"] };
    expect(inLine(of("key", "health", said))).toBe("key health: default: 100.0 → 50.0");
    expect(inLine(of("wait", "", { says: "{} → {}", with: ["1.0", "2.0"] }))).toBe("wait 1.0 → 2.0");
    expect(inLine(of("invert", "", ""))).toBe("invert");
  });

  it("says what is around it", () => {
    expect(placeOf(of("wait", "", "2.0", ["machine m", "state idle"]))).toBe("machine m › state idle");
    expect(placeOf(of("tree", "", "guard"))).toBe("");
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
        is_told: how !== "same",
        word: said.split(" ")[0],
        text: said,
        called: "",
        says: said.slice(said.split(" ")[0].length).trim(),
      };
    });
}

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
    const lines = linesOf(nodes);
    const parents = model.parentsOf(lines);
    const all = lines.map((_, nth) => nth);
    const of = layout(lines, parents, all, model.belowOf(parents), new Set(), (text) => text.length * 7);
    const called = (nth: number): string => nodes[nth].text;
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
    const { svg, at } = drawn(nodes, (text) => text.length * 7);
    const rain = nodes.find((one) => one.text === "case rain") as Compared;
    expect(at.get(rain)?.nth).toBe(nodes.indexOf(rain) + 1);
    expect(svg).toContain(">− rain<");
    expect(nodes.every((one) => at.has(one))).toBe(true);
  });

  it("shows the new value in full, however long both are", () => {
    const [was, is] = ["walk to the gate ".repeat(6).trim(), "stroll around the whole village ".repeat(6).trim()];
    const changed: Compared = { ...of("action", "patrol", { says: "{} → {}", with: [was, is] }), depth: 0 };
    const { svg } = drawn([changed], (text) => text.length * 7);
    expect(svg).toContain(`>${was} → ${is}<`);
  });
});
