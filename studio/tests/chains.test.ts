import { describe, expect, it } from "vitest";
import { chains } from "../src/graph/chains";
import type { Card } from "../src/graph/layout";
import type { Line } from "../src/wire/model";

/** Lines of a decision tree, each with its indentation, what it is and its word; and the cards of those that are no ways. */
function drawn(all: [depth: number, is: string, word: string][]): string[] {
  const lines = all.map(([, is, word]) => ({ is, word }) as Line);
  const parents = all.map(([depth], nth) => all.findLastIndex(([other], before) => before < nth && other < depth));
  const cards = all.flatMap(([, is, word], nth) => {
    if (is === "way") return [];
    const isWay = parents[nth] >= 0 && all[parents[nth]][1] === "way";
    const parent = isWay ? parents[parents[nth]] : parents[nth];
    return [{ nth, parent, way: isWay ? parents[nth] : -1, kind: is, title: word } as Card];
  });
  return [...chains(cards, lines, parents)].map(([to, { from, by }]) => `${from.title} ${by} ${to.title}`);
}

describe("what stands after a question", () => {
  it("follows from it where it has no answer of its own", () => {
    expect(
      drawn([
        [0, "test", "near"],
        [1, "node", "attack"],
        [0, "test", "switch mode"],
        [1, "way", "case"],
        [2, "node", "rest"],
        [0, "node", "walk"],
      ]),
    ).toEqual(["near no switch mode", "switch mode else walk"]);
  });

  it("does not follow from a question in another answer, nor from one with both answers", () => {
    expect(
      drawn([
        [0, "test", "near"],
        [1, "way", "yes"],
        [2, "test", "see"],
        [3, "node", "attack"],
        [1, "way", "no"],
        [2, "test", "mode"],
        [3, "way", "no"],
        [4, "node", "rest"],
        [2, "node", "walk"],
        [0, "node", "never"],
      ]),
    ).toEqual(["mode yes walk"]);
  });
});
