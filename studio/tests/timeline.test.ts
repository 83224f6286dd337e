import { expect, test } from "vitest";
import { along, around, barAt, lanesOf, readout, roomFor, togglePin, wholeOf, within, zoomed } from "../src/time/lanes";
import type { Bar, Behaviour, Film, View } from "../src/wire/model";

const view = (tick: number, last: number, end?: number): View => ({ tick, last, end, file: "a.kdl" }) as View;
const film = (part: Partial<Film>): Film => ({ since: 0, to: 9, fills: 0, does: [], states: [], plans: [], keys: [], events: [], ...part });
const behaviour = (word: string, ...keys: string[]): Behaviour => ({
  name: "a",
  word,
  lines: [],
  keys: keys.map((name) => ({ name, scope: "agent", ty: "float" })),
  events: [],
  thresholds: [],
});

test("the whole run is in view, and never less than three seconds", () => {
  expect(wholeOf(view(5, 5))).toEqual({ from: 0, to: 60 });
  expect(wholeOf(view(5, 400))).toEqual({ from: 0, to: 400 });
  expect(wholeOf(view(5, 400, 900))).toEqual({ from: 0, to: 900 });
});

test("the wheel zooms around the pointer, never out of the run, and back to everything", () => {
  const whole = { from: 0, to: 1000 };
  const half = zoomed(whole, whole, 400, 0.5);
  expect(half).toEqual({ from: 200, to: 700 });
  // What is under the pointer stays there.
  expect((400 - 200) / 500).toBeCloseTo(400 / 1000);
  expect(zoomed({ from: 0, to: 500 }, whole, 0, 0.5)).toEqual({ from: 0, to: 250 });
  expect(zoomed({ from: 200, to: 700 }, whole, 400, 3)).toBe(null);
  const most = zoomed({ from: 10, to: 20 }, whole, 15, 0.01);
  expect(most && most.to - most.from).toBe(8);
  for (const tick of [0, 10, 500, 990, 1000]) {
    const { from, to } = around(tick, 100, whole);
    expect([to - from, from >= 0 && to <= 1000 && tick >= from && tick <= to]).toEqual([100, true]);
  }
  expect(within({ from: -50, to: 50 }, whole)).toEqual({ from: 0, to: 100 });
});

test("a window goes along with a tick that leaves it, and stays where somebody looks at something else", () => {
  const span = { from: 100, to: 200 };
  expect(along(span, 150, 160, true)).toEqual(span);
  expect(along(span, 199, 201, true)).toEqual({ from: 116, to: 216 });
  expect(along(span, 199, 200, false)).toEqual(span);
  expect(along(span, 150, 50, false).from).toBeLessThan(50);
  expect(along(span, 300, 301, true)).toEqual(span);
});

test("lanes follow from the definition: pinned keys first, and each number with what it is compared with", () => {
  const of = behaviour("tree", "mood", "health", "food");
  of.keys[0].ty = "string";
  of.thresholds = [
    { key: 1, value: 20 },
    { key: 1, value: 45 },
  ];
  const lanes = (): ReturnType<typeof lanesOf> => lanesOf(of, "a.kdl", film({}));
  const names = (): string[] => lanes().map((lane) => lane.name);
  expect(names()).toEqual(["does", "events", "health", "food"]);
  expect(lanes().map((lane) => lane.thresholds)).toEqual([[], [], [20, 45], []]);
  togglePin("a.kdl", "mood");
  togglePin("a.kdl", "food");
  expect(names()).toEqual(["does", "mood", "food", "events", "health"]);
  const last = lanes()[4];
  expect(last.y + last.h).toBeLessThanOrEqual(roomFor(of, false));
  togglePin("a.kdl", "mood");
  togglePin("a.kdl", "food");
  expect(lanesOf(behaviour("machine"), "a.kdl", film({})).map((lane) => lane.name)).toEqual(["does", "state", "events"]);
});

test("each lane says what was so at a tick", () => {
  const does: Bar[] = [
    [1, 4, "patrol", 1],
    [5, 9, "attack"],
    [12, 20, "patrol"],
  ];
  expect([0, 1, 4, 5, 10, 20, 21].map((tick) => barAt(does, tick)?.[2])).toEqual([
    undefined,
    "patrol",
    "patrol",
    "attack",
    undefined,
    "patrol",
    undefined,
  ]);
  const all = film({
    does,
    keys: [[[1, 9, "14"]]],
    events: [
      [6, "fight", "hit"],
      [6, "calm", "not shown"],
    ],
  });
  const lanes = lanesOf(behaviour("tree", "health"), "a.kdl", all);
  const said = (name: string, tick: number): string =>
    readout(lanes.find((lane) => lane.name === name) as (typeof lanes)[0], all, tick, 2, (ticks) => `${ticks}`);
  expect(said("does", 3)).toBe("patrol · 4 · ⊘ cut off");
  expect(said("does", 7)).toBe("attack · 5");
  expect(said("does", 11)).toBe("");
  expect(said("health", 7)).toBe("14");
  expect(said("events", 8)).toBe("6 · hit");
  expect(said("events", 9)).toBe("");
});

test("an agent with a planner has a lane of its plans, and another one has none", () => {
  const plain = behaviour("tree", "wood");
  const line = { id: "n1", indent: 0, is: "node", word: "planner" } as Behaviour["lines"][number];
  const planning = { ...plain, lines: [line] };
  const plans: Bar[] = [
    [2, 81, "earn: chop sell", 1],
    [82, 90, ""],
  ];
  const names = (of: Behaviour): string[] => lanesOf(of, "a.kdl", film({ plans })).map((lane) => lane.name);
  expect(names(planning)).toContain("plan");
  expect(names(plain)).not.toContain("plan");
  expect(roomFor(planning, false)).toBeGreaterThan(roomFor(plain, false));
  const lane = lanesOf(planning, "a.kdl", film({ plans })).find((one) => one.name === "plan");
  expect(lane && readout(lane, film({ plans }), 10, 1, (ticks) => `${ticks} ticks`)).toBe("earn: chop sell · 80 ticks · ⊘ cut off");
});
