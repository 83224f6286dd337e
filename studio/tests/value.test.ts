import { describe, expect, it } from "vitest";
import { namesIn, wayOf } from "../src/edit/value";

describe("values", () => {
  it("are a literal, a key or an expression", () => {
    const ways = ["", "2.5", "true", "health", "health < 20", "rage"].map((text) => wayOf(text, ["health"]));
    expect(ways).toEqual(["literal", "literal", "literal", "key", "expression", "expression"]);
  });

  it("name keys, and neither functions nor texts nor components", () => {
    expect(namesIn("max(health, 2) < pos.x && mood == 'calm' && \u5b88 > 1e3")).toEqual(["health", "pos", "mood", "\u5b88"]);
  });
});
