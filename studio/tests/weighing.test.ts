// Where situations of a search and units of a network are drawn.

import { expect, test } from "vitest";
import { placed, strongest } from "../src/panels/network";
import { places } from "../src/panels/tree";

const at = (from: number | null, steps: number) => ({ from: from === null ? null : ([from, "step"] as [number, string]), steps });

test("each leaf of a search has a row, and what leads to several stands in their middle", () => {
  const all = [at(null, 0), at(0, 1), at(0, 1), at(1, 2), at(1, 2)];
  expect(places(all)).toEqual([
    { column: 0, row: 1.25 },
    { column: 1, row: 0.5 },
    { column: 1, row: 2 },
    { column: 2, row: 0 },
    { column: 2, row: 1 },
  ]);
});

test("situations whose predecessor is not shown have rows of their own, and long searches do not overflow", () => {
  const chain = Array.from({ length: 20_000 }, (_, nth) => at(nth === 0 ? null : nth - 1, nth));
  expect(places([...chain, at(null, 3)]).at(-1)).toEqual({ column: 3, row: 1 });
  expect(places([])).toEqual([]);
});

test("columns of a network stand in the middle of the longest", () => {
  const of = placed([1, 3, 2], { width: 100, row: 30, radius: 8 });
  expect(of.height).toBe(90);
  expect([of.y(0, 0), of.y(1, 0), of.y(1, 2), of.y(2, 1)]).toEqual([45, 15, 75, 60]);
  expect([of.x(0), of.x(2)]).toEqual([10, 90]);
  expect(strongest([1, -3, 2])).toBe(3);
  expect(strongest([])).toBe(0);
});
