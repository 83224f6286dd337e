import { expect, test } from "vitest";
import { forgetHits, hits, lastHit, takeHits } from "../src/panels/breakpoints";
import type { Hit } from "../src/protocol";

const hit = (nth: number): Hit => ({ nth, tick: nth, text: "began" }) as Hit;

test("an answer that was under way when hits were forgotten loses none", () => {
  takeHits({ last: 1, is_all: false, fresh: [hit(1)] });
  expect(lastHit()).toBe(1);
  forgetHits();
  takeHits({ last: 1, is_all: false, fresh: [] });
  takeHits({ last: 1, is_all: true, fresh: [hit(1)] });
  expect(hits.value.map((one) => one.nth)).toEqual([1]);
  takeHits({ last: 2, is_all: false, fresh: [hit(2)] });
  expect(hits.value.map((one) => one.nth)).toEqual([2, 1]);
});
