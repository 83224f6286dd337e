import { expect, test } from "vitest";
import { hasMoved, within } from "../src/graph/room";

test("a drawing that has room stays in the window when something of it keeps its place", () => {
  expect(within(100, 50, 300, 600, 12)).toBe(150);
  expect([within(100, -400, 300, 600, 12), within(100, 900, 300, 600, 12)]).toEqual([12, 288]);
  // Somebody had moved it out: it comes no further in than it is moved, and goes no further out.
  expect([within(-80, -40, 300, 600, 12), within(-80, 30, 300, 600, 12), within(500, 40, 300, 600, 12)]).toEqual([-80, -50, 500]);
  // What has no room shows as much as there is room for.
  expect([within(0, -400, 900, 600, 12), within(-200, -20, 900, 600, 12)]).toEqual([-312, -220]);
});

test("what was in sight is looked after when an edit moves it, and nothing else is", () => {
  const at = (x: number, y: number) => [x, y, 80, 30] as const;
  expect(hasMoved(at(10, 10), at(900, 10), 600, 400)).toBe(true);
  expect(hasMoved(at(-40, 10), at(-90, 10), 600, 400)).toBe(true);
  // Somebody has turned away from it; or it stays; or it is new, or gone.
  expect(hasMoved(at(700, 10), at(900, 10), 600, 400)).toBe(false);
  expect(hasMoved(at(10, -30), at(10, -90), 600, 400)).toBe(false);
  expect(hasMoved(at(10, 10), at(10.4, 10), 600, 400)).toBe(false);
  expect([hasMoved(null, at(10, 10), 600, 400), hasMoved(at(10, 10), null, 600, 400)]).toEqual([false, false]);
});
