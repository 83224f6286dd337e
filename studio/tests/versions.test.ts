import { beforeEach, describe, expect, it } from "vitest";
import { inLine, placeOf } from "../src/edit/versions";
import type { Compared } from "../src/protocol";
import { language } from "../src/texts";

const of = (word: string, called: string, says: Compared["says"], path?: string[]): Compared => ({
  depth: 1,
  how: "changed",
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
