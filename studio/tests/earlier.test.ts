import { h, render } from "preact";
import { expect, test, vi } from "vitest";

const said: object[] = [];
vi.mock("../src/wire/wire", () => ({ say: (what: object) => said.push(what), choose: () => undefined, lookAgain: () => undefined }));

import { differences, earlier } from "../src/time/earlier";
import { Time } from "../src/time/time";
import * as model from "../src/wire/model";

const bars = (...all: [number, number, string][]): model.Bar[] =>
  all.map(([from, to, text]) => [from, to, text, false] as unknown as model.Bar);
let nth = 0;
const none = { states: [], plans: [], events: [] };

function runs(was: { does: model.Bar[]; health: model.Bar[] }, now: typeof was): unknown[] {
  const keys = [{ name: "health" }] as unknown as model.Behaviour["keys"];
  model.definition.value = { behaviour: { name: "it", word: "tree", lines: [], keys } } as unknown as model.Definition;
  model.film.value = { ...model.noFilm, to: 60, does: now.does, keys: [now.health] };
  const lanes = { ...none, does: was.does, keys: [was.health] };
  earlier.value = { nth: ++nth, from: 10, to: 60, compared: 50, keys: ["health"], lanes, differences: [], mind: 0, file: "a" } as never;
  return differences.value.map(({ tick, what, was, now }) => [tick, typeof what === "object" ? what.key : what, was, now]);
}

test("two runs differ in each stretch in which they do, and not only in the first one", () => {
  const found = runs(
    { does: bars([1, 20, "patrol"], [21, 30, "attack"], [31, 60, "patrol"]), health: bars([1, 60, "100"]) },
    { does: bars([1, 24, "patrol"], [25, 40, "attack"], [41, 60, "flee"]), health: bars([1, 60, "100"]) },
  );
  expect(found).toEqual([
    [21, "does", "attack", "patrol"],
    [31, "does", "patrol", "attack"],
    [41, "does", "patrol", "flee"],
  ]);
});

test("a number that changes in each tick differs where it begins to, and again after it was the same", () => {
  const does = bars([1, 60, "patrol"]);
  const falling = Array.from({ length: 10 }, (_, nth): [number, number, string] => [20 + nth, 20 + nth, `${90 - nth}`]);
  const found = runs(
    { does, health: bars([1, 60, "100"]) },
    { does, health: bars([1, 19, "100"], ...falling, [30, 39, "100"], [40, 49, "7"], [50, 60, "100"]) },
  );
  expect(found).toEqual([
    [20, "health", "100", "90"],
    [40, "health", "100", "7"],
  ]);
});

test("ticks that were not compared, or of which one run knows nothing, do not differ", () => {
  const found = runs(
    { does: bars([1, 9, "patrol"], [55, 60, "attack"]), health: bars([30, 40, "1"]) },
    { does: bars([1, 9, "attack"], [11, 60, "patrol"]), health: bars([41, 50, "2"]) },
  );
  expect(found).toEqual([]);
});

test("what differs is listed in the timeline, where it needs no scrolling of anything else", async () => {
  const view = {
    file: "a",
    tick: 21,
    mind: 0,
    first: 0,
    last: 60,
    end: null,
    goal: null,
    speed: 1,
    is_paused: true,
    keys: [],
    does: "hide",
  };
  runs({ does: bars([0, 60, "walk"]), health: [] }, { does: bars([0, 20, "walk"], [21, 60, "hide"]), health: [] });
  Object.assign(model.definition.value?.behaviour ?? {}, { thresholds: [], events: [] });
  model.view.value = view as unknown as model.View;
  render(h(Time, {}), document.body);
  await new Promise((done) => setTimeout(done, 20));
  const row = document.querySelector<HTMLElement>("footer .runs [data-tick='21']");
  expect([row?.textContent, row?.getAttribute("aria-current")]).toEqual(["21doeswalkhide", "true"]);
  row?.querySelector("button")?.click();
  expect(said).toEqual([{ say: "go", tick: 21 }]);
  document.querySelector<HTMLElement>(".runs [aria-label='Close']")?.click();
  await new Promise((done) => setTimeout(done, 20));
  expect(document.querySelector(".runs")).toBe(null);
  render(null, document.body);
});
