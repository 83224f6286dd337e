// Keys that follow each other at once are about the tick to which the page is on its way.

import { expect, test, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({ say: () => undefined }));

import * as stretch from "../src/time/stretch";
import { heads, tickMeant } from "../src/wire/heading";
import * as model from "../src/wire/model";

const at = (tick: number, heard: number, goal: number | null = null): void => {
  model.view.value = { file: "a.kdl", mind: 0, tick, goal, first: 0, last: 120 } as unknown as model.View;
  model.heard.value = heard;
};

test("a stretch is marked from the first tick to the last one before the page has gone to either", () => {
  at(60, 5);
  heads({ say: "go", tick: 0 }, 5);
  stretch.press();
  heads({ say: "go", tick: 120 }, 5);
  stretch.press();
  expect(stretch.stretch.value).toEqual({ from: 1, to: 120 });
});

test("what is shown counts as soon as it has come, and steps count from where the page goes", () => {
  at(60, 5);
  heads({ say: "go", tick: 10 }, 6);
  heads({ say: "step" }, 6);
  expect(tickMeant()).toBe(11);
  // An answer to a question from before.
  at(61, 6);
  expect(tickMeant()).toBe(11);
  at(11, 7);
  expect(tickMeant()).toBe(11);
  at(12, 8);
  expect(tickMeant()).toBe(12);
  // It goes there in several turns.
  at(13, 9, 90);
  expect(tickMeant()).toBe(90);
  heads({ say: "back" }, 9);
  expect(tickMeant()).toBe(89);
  heads({ say: "play" }, 9);
  expect(tickMeant()).toBe(90);
});
