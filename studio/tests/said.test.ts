import { expect, test, vi } from "vitest";

import table from "../public/words.zh.json";

test("a sentence is said in the language of the page, with what is in its holes", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(table)));
  const { language } = await import("../src/texts");
  const { english, said } = await import("../src/texts/purposes");
  const taken = { says: "another {} is named `{}`", with: [{ says: "key", with: [] }, "key"] };
  language.value = "en";
  expect(said(taken)).toBe("another key is named `key`");
  expect(said("as it is {}")).toBe("as it is {}");
  language.value = "zh";
  await vi.waitFor(() => expect(said(taken)).toBe("已有名为 `key` 的键"));
  expect(said({ says: "wrap in {}", with: ["cooldown"] })).toBe("用 cooldown 包裹");
  // The server knows it in English only.
  expect(english(taken)).toBe("another key is named `key`");
});
