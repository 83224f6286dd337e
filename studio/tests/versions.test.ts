import { describe, expect, it } from "vitest";
import { says } from "../src/edit/versions";

const changed = (word: string, old: string, now: string): string => says({ how: "changed", word, old, new: now });

describe("a changed node", () => {
  it("says first what differs", () => {
    expect(changed("wait", "wait 1.0", "wait 2.0")).toBe("1.0 → 2.0");
    expect(changed("timeout", 'timeout 0.5 name=hit doc="lands, once"', 'timeout 0.6 name=hit doc="lands, once"')).toBe(
      '0.5 → 0.6 · name=hit doc="lands, once"',
    );
    expect(changed("action", "action walk", 'action walk doc="on, and on"')).toBe('– → doc="on, and on" · walk');
    expect(changed("action", "action walk instant=#true", "action walk")).toBe("instant=#true → – · walk");
    expect(changed("selector", "sequence name=a", "selector name=a")).toBe("sequence → selector · name=a");
    expect(changed("goto", "goto a b", "goto b a")).toBe("a b → b a");
  });
});
