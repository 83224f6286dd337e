import { expect, test, vi } from "vitest";

import table from "../public/words.zh.json";

test("what completions are for, and where they stand, is said in the language of the page", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(table)));
  const { language } = await import("../src/texts");
  const { purpose } = await import("../src/texts/purposes");
  const { complete, take } = await import("../src/edit/assist");
  const item = { label: "fail", kind: "word", insert: "fail", snippet: null, detail: "in a tree", doc: "Does nothing, and fails." };
  const asked = async (nth: number) => {
    const answer = complete({ in: "text", file: 0, line: 1, column: 0, typed: null });
    take({ nth, replaces: [1, 0, 1, 0], items: [item, { ...item, doc: "Of the game." }] });
    return (await answer)?.items.map((one) => [one.detail, one.doc]);
  };
  language.value = "en";
  expect(await asked(1)).toEqual([
    ["in a tree", "Does nothing, and fails."],
    ["in a tree", "Of the game."],
  ]);
  language.value = "zh";
  await vi.waitFor(() => expect(purpose("in a tree")).toBe("树中"));
  expect(await asked(2)).toEqual([
    ["树中", "什么也不做，失败。"],
    ["树中", "Of the game."],
  ]);
});
