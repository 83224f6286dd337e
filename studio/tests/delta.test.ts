import { expect, test } from "vitest";
import { joined, type Patched, put, type TextPart, whole } from "../src/wire/delta";
import type { Film, View } from "../src/wire/model";

const patched = (view: Record<string, unknown>): Patched => view as unknown as Patched;

test("what is the same comes from the view before, and lists are patched", () => {
  const before = { state: 7, file: "guard.kdl", marks: ["run", "", "ok"] } as unknown as View;
  const view = whole(patched({ state: 8, base: 7, same: ["file"], patch: { marks: [[1, "fail"]] } }), before);
  expect(view).toMatchObject({ state: 8, file: "guard.kdl", marks: ["run", "fail", "ok"] });
  expect(before).toMatchObject({ marks: ["run", "", "ok"] });
});

test("objects are patched from within, and points move", () => {
  const scene = { bodies: [], crowd: { unit: 0.2, points: "AAAABBBBCCCCDDDD____", clock: "07:00", messages: 1 } };
  const patch = { scene: { patch: { crowd: { set: { clock: "07:01" }, patch: { points: "_9999xSY" } } } } };
  const view = whole(patched({ state: 8, base: 7, patch }), { state: 7, scene } as unknown as View);
  expect(view.scene?.crowd).toMatchObject({ unit: 0.2, points: "9999BBBBCCCCDEDC____", clock: "07:01", messages: 1 });
  expect(scene.crowd.clock).toBe("07:00");
});

test("parts of another view are left alone", () => {
  const before = { state: 6, file: "guard.kdl" } as unknown as View;
  expect(whole(patched({ state: 8, base: 7, same: ["file"] }), before)).not.toHaveProperty("file");
  expect(whole(patched({ state: 8, file: "pet.kdl" }), null)).toMatchObject({ file: "pet.kdl" });
});

test("a newer film goes on where the older one is right", () => {
  const old: Film = {
    since: 0,
    to: 9,
    fills: 0,
    does: [
      [0, 4, "patrol"],
      [4, 9, "attack"],
    ],
    states: [],
    plans: [],
    keys: [[[0, 9, "1"]]],
    events: [
      [3, "start", "a"],
      [9, "stop", "a"],
    ] as never,
  };
  const fresh: Film = {
    since: 8,
    to: 20,
    fills: 0,
    does: [
      [4, 12, "attack"],
      [12, 20, "patrol"],
    ],
    states: [],
    plans: [],
    keys: [[]],
    events: [[9, "stop", "b"]] as never,
  };
  const film = joined(old, fresh);
  expect(film.does).toEqual([
    [0, 4, "patrol"],
    [4, 12, "attack"],
    [12, 20, "patrol"],
  ]);
  expect(film.keys).toEqual([[[0, 9, "1"]]]);
  expect(film.events).toEqual([
    [3, "start", "a"],
    [9, "stop", "b"],
  ]);
  expect(film.to).toBe(20);
});

test("what was filled in takes the place of the bars that begin within it", () => {
  const old: Film = {
    since: 0,
    to: 30,
    fills: 1,
    does: [
      [11, 20, "rest"],
      [21, 30, "graze"],
    ],
    states: [],
    plans: [],
    keys: [],
    events: [[15, "calm", "b"]],
  };
  const past = {
    from: 1,
    to: 10,
    does: [
      [1, 4, "graze"],
      [5, 20, "rest"],
    ] as Film["does"],
    states: [],
    plans: [],
    keys: [],
    events: [[2, "calm", "a"]] as Film["events"],
  };
  const fresh: Film = { since: 30, to: 31, fills: 2, does: [[21, 31, "graze"]], states: [], plans: [], keys: [], events: [], past };
  const film = joined(old, fresh);
  expect(film.does).toEqual([
    [1, 4, "graze"],
    [5, 20, "rest"],
    [21, 31, "graze"],
  ]);
  expect(film.events).toEqual([
    [2, "calm", "a"],
    [15, "calm", "b"],
  ]);
  expect(film.fills).toBe(2);
});

test("a definition is made of the one before, piece by piece", () => {
  const before = {
    name: "guard",
    draft: null,
    texts: [{ name: "a.kdl", text: "wait 1.0 \u{1f600}" }],
    lines: [{ id: "n0" }, { id: "n1" }, { id: "n2" }],
  };
  const piece = {
    object: {
      name: { is: "pet" },
      texts: { items: [[0, { object: { text: { text: [[5, 3, "2.5"]] as TextPart[] } }, gone: [] }] as [number, object]] },
      lines: {
        splices: [[1, 1, [{ id: "x" }, { id: "y" }]]] as [number, number, unknown[]][],
        items: [[3, { object: { id: { is: "n3" } } }]] as [number, object][],
      },
    },
    gone: ["draft"],
  };
  expect(put(before, piece)).toEqual({
    name: "pet",
    texts: [{ name: "a.kdl", text: "wait 2.5 \u{1f600}" }],
    lines: [{ id: "n0" }, { id: "x" }, { id: "y" }, { id: "n3" }],
  });
  expect(before.texts[0].text).toBe("wait 1.0 \u{1f600}");
  expect(put([1], { is: null })).toBe(null);
});
