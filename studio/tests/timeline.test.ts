import { expect, test } from "vitest";
import type { Film, View } from "../src/model";
import { heightOf, spanOf } from "../src/timeline";

const view = (tick: number, last: number, end?: number): View => ({ tick, last, end }) as View;

test("the whole run is in view, and never less than three seconds", () => {
  expect(spanOf(view(5, 5), 0)).toEqual({ from: 0, to: 60 });
  expect(spanOf(view(5, 400), 0)).toEqual({ from: 0, to: 400 });
  expect(spanOf(view(5, 400, 900), 0)).toEqual({ from: 0, to: 900 });
});

test("a window stays around the tick and inside of the run", () => {
  for (const tick of [0, 10, 500, 990, 1000]) {
    const { from, to } = spanOf(view(tick, 1000), 100);
    expect(to - from).toBeCloseTo(100);
    expect(from).toBeGreaterThanOrEqual(0);
    expect(to).toBeLessThanOrEqual(1000);
    expect(tick).toBeGreaterThanOrEqual(from);
    expect(tick).toBeLessThanOrEqual(to);
  }
});

test("only keys that are numbers have a lane", () => {
  const film = (keys: Film["keys"]): Film => ({ since: 0, to: 9, fills: 0, does: [], states: [], keys, events: [] });
  const none = heightOf(film([]));
  expect(
    heightOf(
      film([
        [
          [0, 4, "calm"],
          [4, 9, "angry"],
        ],
      ]),
    ),
  ).toBe(none);
  expect(
    heightOf(
      film([
        [
          [0, 4, "1.5"],
          [4, 9, "2"],
        ],
      ]),
    ),
  ).toBeGreaterThan(none);
});
