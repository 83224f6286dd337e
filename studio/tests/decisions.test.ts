// A decision tree in the drawing of the document as it is written: what each answer leads to.

import { beforeEach, expect, test, vi } from "vitest";
import type { Sheet, SheetNode } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true, lookAgain: () => undefined }));

import * as sheet from "../src/edit/sheet";
import { type Edge, edgesOf } from "../src/graph/edges";
import { handlesOf } from "../src/graph/hit";
import type { Card, Layout } from "../src/graph/layout";
import * as source from "../src/graph/source";
import { stacked } from "../src/graph/stack";
import { jumped } from "../src/graph/taken";
import type { Mark } from "../src/wire/model";

const ROLES: Record<string, string> = {
  decide: "definition",
  test: "question",
  range: "question",
  switch: "question",
  random: "question",
  yes: "answer",
  no: "answer",
  case: "answer",
  option: "answer",
  branch: "branch",
};

/** The nodes of an indented text; a `-` before a word is switched off. */
function nodesOf(text: string): SheetNode[] {
  const rows = text.split("\n").filter((row) => row.trim() !== "");
  const least = Math.min(...rows.map((row) => row.search(/\S/)));
  return rows.map((row, nth) => {
    const [word, ...values] = row.trim().replace(/^-/, "").split(" ");
    return {
      id: nth + 1,
      depth: (row.search(/\S/) - least) / 2,
      role: ROLES[word] ?? "task",
      word,
      values,
      properties: [],
      is_disabled: row.trim().startsWith("-"),
      at: [nth + 1, 0, nth + 1, 1],
      file: 0,
    } as unknown as SheetNode;
  });
}

let of: Layout;
let edges: readonly Edge[];

/** The lines of the drawing of a text, each as what it leads from, what stands on it, and to what. */
function drawn(text: string): string[] {
  sheet.sheet.value = { revision: 1, files: [], nodes: nodesOf(text), done: [], undo: null, selection: null } as unknown as Sheet;
  of = stacked((one) => one.length * 7);
  edges = edgesOf(of, source.lines.value, source.parents.value, (nth) => source.areOut.value[nth]);
  return edges.map(({ from, to, text, isJump }) => `${from.title} ${isJump ? "~" : text || "-"} ${to.title}`).sort();
}

const titled = (title: string): Card => of.cards.find((one) => one.title === title) as Card;

beforeEach(() => sheet.forget());

test("what stands after a question is its no, down to the last line of the list", () => {
  const all = drawn(`
    decide d
      test a
        action x
      test b
        action y
      wait 1.0
  `);
  expect(all).toEqual(["a no b", "a yes x", "b no wait", "b yes y", "d - a"]);
  // Each no goes straight down, and each yes to the right.
  for (const { from, by, points } of edges.filter((one) => one.by)) {
    expect(by).toBe("no");
    expect(points).toHaveLength(2);
    expect(points[0][0]).toBe(points[1][0]);
    expect(points[1][1]).toBeGreaterThan(points[0][1]);
    expect(points[0][1]).toBe(from.y + from.h);
  }
});

test("a range and a switch lead on, too; a branch only hangs on what goes to it", () => {
  const all = drawn(`
    decide d
      range far
        action x
      switch sky
        case rain
          goto hut
      branch hut
        action walk
      action rest
  `);
  expect(all).toEqual([
    "d - range far",
    "goto hut ~ hut",
    "hut - walk",
    "range far no switch sky",
    "range far yes x",
    "switch sky else rest",
    "switch sky rain goto hut",
  ]);
  // The line goes around the branch that stands between them.
  const [on] = edges.filter((one) => one.by === "else");
  const branch = titled("hut");
  expect(on.points.some(([x, y]) => x < branch.x && y > branch.y + branch.h)).toBe(true);
});

test("what is switched off leads nowhere, and a name means a branch of its own decision tree", () => {
  const all = drawn(`
    decide d
      test a
        goto out
      -test b
        action y
      action z
      branch out
        action u
    decide e
      -action old
      test c
        goto out
      branch out
        action v
  `);
  expect(all).toEqual([
    "a no z",
    "a yes goto out",
    "b yes y",
    "c yes goto out",
    "d - a",
    "e - c",
    "e - old",
    "goto out ~ out",
    "goto out ~ out",
    "out - u",
    "out - v",
  ]);
  const roots = edges.filter((one) => one.isJump).map(({ from, to }) => [from.nth < 10, to.nth < 10]);
  expect(roots).toEqual([
    [true, true],
    [false, false],
  ]);
});

test("the two handles of a question are where its yes and its no leave it", () => {
  const all = drawn(`
    decide d
      test a
        no
          action x
        yes
          test b
            no
              action y
          action z
  `);
  expect(all).toEqual(["a no x", "a yes b", "b no y", "b yes z", "d - a"]);
  for (const title of ["a", "b"]) {
    const card = titled(title);
    for (const handle of handlesOf(card)) {
      const edge = edges.find((one) => one.from === card && one.text === handle.side) as Edge;
      expect([handle.side, edge.points[0]]).toEqual([handle.side, [handle.x, handle.y]]);
    }
    // A test in a browser takes hold of a no there.
    expect(handlesOf(card)[1]).toEqual({ side: "no", x: card.x + 26, y: card.y + card.h });
  }
  const under = edges.find((one) => one.text === "no" && one.from.title === "a") as Edge;
  expect(titled("x").y).toBeGreaterThan(titled("a").y + titled("a").h);
  expect(under.points.map(([, y]) => y)).toEqual([...under.points.map(([, y]) => y)].sort((a, b) => a - b));
});

test("no card lies on another, nor on the line of a no", () => {
  drawn(`
    decide d
      test a
        yes
          switch s
            case 1
              action one
            case 2
              action two
          action three
        no
          test b
            no
              test c
                action x
              action y
          test e
            action f
          action g
      branch out
        action u
  `);
  const hits = (one: Card, [x1, y1]: number[], [x2, y2]: number[]): boolean =>
    Math.max(x1, x2) > one.x + 1 &&
    Math.min(x1, x2) < one.x + one.w - 1 &&
    Math.max(y1, y2) > one.y + 1 &&
    Math.min(y1, y2) < one.y + one.h - 1;
  const over = of.cards.flatMap((one, nth) =>
    of.cards.slice(nth + 1).filter((other) => hits(one, [other.x, other.y], [other.x + other.w, other.y + other.h])),
  );
  expect(over).toEqual([]);
  const crossed = edges.flatMap(({ from, to, points, isJump }) =>
    isJump
      ? []
      : of.cards
          .filter((one) => points.some((point, nth) => nth > 0 && hits(one, points[nth - 1], point)))
          .map((one) => `${from.title} ${to.title}: ${one.title}`),
  );
  expect(crossed).toEqual([]);
});

test("a goto is on the way taken where its question has led to it, or another goto to the branch that begins with it", () => {
  drawn(`
    decide d
      test a
        yes
          goto out
        no
          test b
            action x
          goto far
      branch out
        switch sky
          case rain
            goto far
          case sun
            goto hut
      branch far
        goto hut
      branch hut
        action walk
  `);
  const lines = source.lines.value;
  const marked = (marks: Record<string, Mark>) => {
    const all = lines.map((line): Mark => marks[line.label || line.word] ?? "");
    return [...jumped(edges, lines, all)].map((card) => `${lines[card.nth].label} at ${card.nth}`);
  };
  expect(marked({})).toEqual([]);
  // Its own answer, and then no case.
  expect(marked({ a: "ok", sky: "fail" })).toEqual(["out at 3"]);
  expect(marked({ a: "ok", sky: "ok", sun: "ok" })).toEqual(["out at 3", "hut at 13"]);
  // What stands after a question is its no; a branch leads on at once.
  expect(marked({ a: "fail", b: "ok" })).toEqual([]);
  expect(marked({ a: "fail", b: "fail" })).toEqual(["far at 7", "hut at 15"]);
  // What was a tick ago is over.
  expect(marked({ a: "was-ok", b: "was-fail" })).toEqual([]);
});
