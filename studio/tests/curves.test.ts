import { describe, expect, it } from "vitest";
import { between, type Curve, differing, dragged, halfway, handles, worth } from "../src/edit/curves";

/** What the server says of the curves, as far as it is needed here. */
const USUAL: Record<string, Record<string, number>> = {
  linear: { slope: 1, offset: 0 },
  power: { exponent: 2 },
  logistic: { mid: 0.5, steep: 10 },
  exponential: { steep: 4 },
  step: { at: 0.5 },
  points: {},
};

const curve = (name: string, numbers = {}, points: [number, number][] = []): Curve => ({
  name,
  numbers: { ...USUAL[name], ...numbers },
  points,
});

describe("curves", () => {
  it("compute what docs/utility.md says", () => {
    expect(worth(curve("linear", { slope: -1, offset: 1 }), 0.25)).toBe(0.75);
    expect(worth(curve("power"), 0.5)).toBe(0.25);
    expect(worth(curve("logistic", { mid: 0.7, steep: 12 }), 0.7)).toBe(0.5);
    expect(worth(curve("exponential", { steep: 0 }), 0.3)).toBe(0.3);
    expect(worth(curve("exponential"), 1)).toBe(1);
    expect([0.49, 0.5].map((x) => worth(curve("step"), x))).toEqual([0, 1]);
    const points = curve("points", {}, [
      [0.2, 0],
      [0.4, 0.8],
      [0.9, 0],
    ]);
    expect(worth(points, 0.3)).toBeCloseTo(0.4);
    expect([0, 0.1, 1].map((x) => worth(points, x))).toEqual([0, 0, 0]);
  });

  it("go through the place to which a handle is dragged", () => {
    for (const name of Object.keys(USUAL).filter((one) => one !== "step")) {
      const before = curve(name, {}, [
        [0.2, 0.1],
        [0.8, 0.9],
      ]);
      handles(before).forEach(([x], nth) => {
        if (name === "logistic" && nth === 0) return;
        const is = dragged(before, nth, x, 0.4);
        const after = { ...before, ...is, numbers: { ...before.numbers, ...is.numbers } };
        expect(handles(after)[nth][1], `${name} ${nth}`).toBeCloseTo(0.4, 1);
      });
    }
    expect(dragged(curve("step"), 0, 0.3, 0.9).numbers).toEqual({ at: 0.3 });
    expect(dragged(curve("logistic"), 0, 2, 0.9).numbers).toEqual({ mid: 1 });
    // A point stays between its neighbours.
    const two = curve("points", {}, [
      [0.2, 0.1],
      [0.8, 0.9],
    ]);
    expect(dragged(two, 0, 0.95, -1).points?.[0]).toEqual([0.79, 0]);
  });

  it("have room for a point where there is none", () => {
    const points: [number, number][] = [
      [0, 0.1],
      [0.5, 0.9],
    ];
    expect(between(points, 0.254, 1.2)).toEqual({ behind: 1, at: [0.25, 1] });
    expect(between(points, 0.503, 0.2)).toBeNull();
    expect(between(points, 0.9, 0.2)?.behind).toBe(2);
    expect(halfway(points, 0)).toEqual([0.25, 0.5]);
    expect(halfway(points, 1)).toEqual([0.25, 0.5]);
  });

  it("are written as one thing for each point and for the curve itself", () => {
    const line = curve("points", {}, [
      [0, 0],
      [1, 1],
    ]);
    const both = {
      nth: 0,
      entries: [
        { name: "0", value: "0.12" },
        { name: "1", value: "0.17" },
      ],
    };
    expect(differing(line, dragged(line, 0, 0.12, 0.17))).toEqual([both]);
    expect(differing(line, dragged(line, 0, 0, 0))).toEqual([]);
    const wave = curve("logistic");
    expect(differing(wave, { numbers: { mid: 0.3, steep: 10 } })).toEqual([{ nth: null, entries: [{ name: "mid", value: "0.3" }] }]);
  });
});
