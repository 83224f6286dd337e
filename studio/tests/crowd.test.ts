import { expect, test, vi } from "vitest";
import { everybody, take } from "../src/crowd/crowd";
import type { View } from "../src/wire/model";

test("what everybody does changes no more often than it can be read, unless the game stands still", () => {
  const now = vi.spyOn(performance, "now");
  const at = (ms: number, tick: number, more: Partial<View> = {}): number | undefined => {
    now.mockReturnValue(ms);
    take({ tick, is_paused: false, crowd: { agents: 20, counts: null, cannot: null, found: {} }, ...more } as View);
    return everybody.value?.tick;
  };
  expect(at(1000, 1)).toBe(1);
  expect(at(1050, 2)).toBe(1);
  expect(at(1250, 6)).toBe(6);
  expect(at(1260, 7, { is_paused: true })).toBe(7);
  expect(at(1270, 8)).toBe(7);
  expect(at(1280, 9, { definition: {} as View["definition"] })).toBe(9);
  expect(at(1290, 10, { crowd: null })).toBeUndefined();
});
