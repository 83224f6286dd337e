import { beforeEach, describe, expect, it } from "vitest";
import { inLine, says } from "../src/edit/versions";
import { language } from "../src/texts";

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
