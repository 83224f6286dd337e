import { expect, test } from "vitest";
import { joined, type Patched, whole } from "../src/delta";
import type { Film, View } from "../src/model";

const patched = (view: Record<string, unknown>): Patched => view as unknown as Patched;

test("what is the same comes from the view before, and lists are patched", () => {
  const before = { state: 7, file: "guard.kdl", marks: ["run", "", "ok"] } as unknown as View;
  const view = whole(patched({ state: 8, base: 7, same: ["file"], patch: { marks: [[1, "fail"]] } }), before);
  expect(view).toMatchObject({ state: 8, file: "guard.kdl", marks: ["run", "fail", "ok"] });
  expect(before).toMatchObject({ marks: ["run", "", "ok"] });
});

test("parts of another view are left alone", () => {
  const before = { state: 6, file: "guard.kdl" } as unknown as View;
  expect(whole(patched({ state: 8, base: 7, same: ["file"] }), before)).not.toHaveProperty("file");
  expect(whole(patched({ state: 8, file: "pet.kdl" }), null)).toMatchObject({ file: "pet.kdl" });
});

test("a newer film goes on where the older one is right", () => {
  const old: Film = { since: 0, to: 9, does: [[0, 4, "patrol"], [4, 9, "attack"]], states: [], keys: [[[0, 9, "1"]]], events: [[3, "start", "a"], [9, "stop", "a"]] as never };
  const fresh: Film = { since: 8, to: 20, does: [[4, 12, "attack"], [12, 20, "patrol"]], states: [], keys: [[]], events: [[9, "stop", "b"]] as never };
  const film = joined(old, fresh);
  expect(film.does).toEqual([[0, 4, "patrol"], [4, 12, "attack"], [12, 20, "patrol"]]);
  expect(film.keys).toEqual([[[0, 9, "1"]]]);
  expect(film.events).toEqual([[3, "start", "a"], [9, "stop", "b"]]);
  expect(film.to).toBe(20);
});
