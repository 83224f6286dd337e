import { beforeEach, describe, expect, test } from "vitest";
import type { View } from "../src/wire/model";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

const GUARD = `
  reactive-selector
    sequence name=alarm
      condition see-enemy
      action attack range="1.5"
    action patrol
`;

function open(text: string, marks: View["marks"] = []): void {
  const behaviour = { name: "guard", word: "tree", lines: linesOf(text), keys: [], events: [], thresholds: [] };
  model.definition.value = {
    behaviour,
    texts: [],
    problems: [],
    refusal: null,
    draft: null,
    ground: null,
    places: [],
    names: [],
    is_in_git: false,
  };
  model.view.value = { marks } as View;
  model.folded.value = new Set();
  model.root.value = null;
}

describe("lines", () => {
  beforeEach(() => open(GUARD));

  test("know what they are inside of, and how many are below", () => {
    expect(model.parents.value).toEqual([-1, 0, 1, 1, 0]);
    expect(model.below.value).toEqual([4, 2, 0, 0, 0]);
  });

  test("are hidden below a folded one", () => {
    model.fold("n1", true);
    expect(model.shown.value).toEqual([0, 1, 4]);
    model.foldTo(1);
    expect(model.shown.value).toEqual([0, 1, 4]);
    model.foldTo(0);
    expect(model.shown.value).toEqual([0, 1, 2, 3, 4]);
  });

  test("are shown alone only with something inside", () => {
    model.openAlone("n1");
    expect(model.shown.value).toEqual([1, 2, 3]);
    expect(model.crumbs.value).toEqual([0, 1]);
    model.openAlone("n4");
    expect(model.root.value).toBeNull();
  });

  test("come into view wherever they are hidden", () => {
    model.fold("n1", true);
    model.reveal("n3");
    expect(model.selected.value).toBe("n3");
    expect(model.shown.value).toContain(3);
    model.openAlone("n1");
    model.reveal("n4");
    expect(model.shown.value).toContain(4);
  });
});

describe("marks", () => {
  test("come with a note or without", () => {
    open(GUARD, ["run", "", ["fail", "14 < 20"]] as View["marks"]);
    expect(model.marks.value).toEqual(["run", "", "fail", "", ""]);
    expect(model.notes.value[2]).toBe("14 < 20");
  });

  test("name an action as what runs, else the innermost line", () => {
    open(GUARD, ["run", "run", "ok", "run", ""]);
    expect(model.running.value).toBe(3);
    open(GUARD, ["run", "run", "", "", ""]);
    expect(model.running.value).toBe(1);
    open(GUARD);
    expect(model.running.value).toBe(-1);
  });

  test("of hidden lines show on the folded one", () => {
    open(GUARD, ["run", "", "fail", "cut", ""]);
    expect(model.strongest(1)).toBe("");
    model.fold("n1", true);
    expect(model.strongest(1)).toBe("cut");
  });
});

test("a line has a kind, a name and the rest", () => {
  const [named, leaf, negated] = linesOf("sequence name=alarm\naction attack range=1.5\ncondition dead not=true");
  expect(model.parts(named)).toEqual({ kind: "sequence", name: "alarm", rest: "" });
  const [reload] = linesOf("action reload_gun name=reload");
  expect(model.parts(reload)).toEqual({ kind: "action", name: "reload", rest: "reload_gun" });
  expect(model.parts(leaf)).toEqual({ kind: "action", name: "action", rest: "attack range=1.5" });
  expect(model.parts(negated).rest).toBe("dead not");
});

test("a tree that is put in a place has the word that puts it there", () => {
  const [action, work, named] = linesOf("action ring subtree=bell\nsequence subtree=reach\nsequence subtree=reach name=back");
  expect(model.isAction(action)).toBe(true);
  expect(model.isAction(work)).toBe(false);
  expect(model.parts({ ...work, label: "reach" })).toEqual({ kind: "subtree", name: "reach", rest: "(sequence)" });
  expect(model.parts(named)).toEqual({ kind: "subtree", name: "back", rest: "reach (sequence)" });
});

test("an edit that takes effect a few ticks later was not written again", () => {
  open(GUARD);
  const key = { name: "noise", type: "float", scope: "agent", values: [] };
  const behaviour = model.definition.value?.behaviour;
  if (model.definition.value && behaviour)
    model.definition.value = { ...model.definition.value, behaviour: { ...behaviour, keys: [key] } } as never;
  const look = (tick: number, value: string, is_paused = false): void =>
    model.lookForEdit({ mind: 0, tick, is_paused, keys: [{ value }] } as unknown as View);
  const edit = (): void => {
    model.edited.value = { mind: 0, key: "noise", value: "1", was: "0", tick: 140 };
    model.rewritten.value = null;
  };
  edit();
  look(141, "0");
  look(143, "1");
  expect([model.edited.value, model.rewritten.value]).toEqual([null, null]);
  // Whoever steps sees at once that the game wrote it.
  edit();
  look(141, "0", true);
  expect(model.rewritten.value).toMatchObject({ wanted: "1", value: "0", tick: 141 });
  edit();
  look(151, "0");
  expect(model.rewritten.value).toMatchObject({ tick: 151 });
});
