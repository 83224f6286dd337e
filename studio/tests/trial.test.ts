import { beforeEach, expect, test, vi } from "vitest";
import type { Edit } from "../src/protocol";

const sent = vi.hoisted(() => [] as { nth: number; edit: unknown }[]);
vi.mock("../src/wire/wire", () => ({ say: (of: { nth: number; edit: unknown }) => sent.push(of) }));

import * as trial from "../src/edit/trial";

const move = (id: number): Edit => ({ do: "move", ids: [1], spot: { id, side: "into" } }) as Edit;
const why = { en: "no" } as never;

beforeEach(() => {
  trial.begin();
  sent.length = 0;
});

test("one question is on its way at a time, and the newest one is next", () => {
  trial.about(move(2));
  trial.about(move(2));
  trial.about(move(3));
  trial.about(move(4));
  expect(sent.map((one) => one.edit)).toEqual([move(2)]);
  trial.hear({ nth: sent[0].nth, why });
  expect(trial.verdict.value).toBe(undefined);
  expect(sent.map((one) => one.edit)).toEqual([move(2), move(4)]);
  trial.hear({ nth: sent[1].nth, why });
  expect(trial.verdict.value).toBe(why);
  trial.about(move(5));
  expect(trial.verdict.value).toBe(undefined);
  trial.hear({ nth: sent[2].nth, why: null });
  expect(trial.verdict.value).toBe(null);
});

test("an answer that comes when nothing is dragged any more says nothing", () => {
  trial.about(move(2));
  trial.begin();
  trial.hear({ nth: sent[0].nth, why });
  expect(trial.verdict.value).toBe(undefined);
});

test("what a list or a name asks is answered beside what is dragged", () => {
  const heard: unknown[] = [];
  trial.about(move(2));
  trial.may(move(7), (said) => heard.push(said));
  trial.may(move(8), (said) => heard.push(said));
  expect(sent.map((one) => one.edit)).toEqual([move(2), move(7), move(8)]);
  trial.hear({ nth: sent[2].nth, why });
  trial.hear({ nth: sent[0].nth, why: null });
  expect([heard, trial.verdict.value]).toEqual([[why], null]);
  trial.hear({ nth: sent[1].nth, why: null });
  trial.hear({ nth: sent[1].nth, why });
  expect(heard).toEqual([why, null]);
});

test("after a new connection, what is dragged is asked about again", () => {
  trial.about(move(2));
  trial.forget();
  trial.begin();
  trial.about(move(2));
  expect(sent.length).toBe(2);
  trial.hear({ nth: sent[1].nth, why });
  expect(trial.verdict.value).toBe(why);
});
