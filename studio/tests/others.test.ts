// What is chosen, while several pages edit the same document.

import { beforeEach, expect, test, vi } from "vitest";
import type { Done, Sheet, SheetNode } from "../src/protocol";

vi.mock("../src/wire/wire", () => ({ say: () => undefined, trySay: () => true }));

import * as sheet from "../src/edit/sheet";

const [A, B] = ["1", "2"];
const node = (id: number, word: string): SheetNode =>
  ({ id, depth: id === 1 ? 0 : 1, role: "task", word, values: [], properties: [], at: [id, 0, id, 1], file: 0 }) as unknown as SheetNode;
const monitor = node(3, "monitor");
const start = [node(1, "tree"), node(2, "wait"), monitor];
const steps: Done[] = [];
const nodes = [...start];
let revision = 1;

/** Somebody does something, by which these nodes come. */
function does(by: string, label: string, ...added: SheetNode[]): void {
  steps.push({ by, label });
  nodes.splice(2, 0, ...added);
  revision += 1;
}

const now = (more: Partial<Sheet> = {}): Sheet =>
  ({
    revision,
    files: [],
    nodes: [...nodes],
    undo: steps.at(-1) ?? null,
    selection: null,
    done: steps.slice(-100),
    saves_at_once: false,
    ...more,
  }) as unknown as Sheet;

beforeEach(() => {
  sheet.forget();
  sheet.you.value = B;
  steps.length = 0;
  nodes.splice(0, nodes.length, ...start);
  revision = 1;
  sheet.asks(1);
  sheet.take(now(), 1);
  sheet.chosen.value = [monitor.id];
});

test("what another page adds is not chosen, though this page has done something since", () => {
  for (let nth = 0; nth < 10; nth++) {
    does(A, "duplicate wait", node(10 + nth, "wait"));
    sheet.edit({ do: "disable", ids: [monitor.id], is_on: true });
    does(B, "disable monitor");
    sheet.take(now(), 2 + nth);
    expect(sheet.chosen.value).toEqual([monitor.id]);
  }
});

test("what has come together with what another page did is not chosen: nobody knows whose it is", () => {
  sheet.edit({ do: "duplicate", ids: [monitor.id] });
  does(A, "duplicate wait", node(10, "wait"));
  does(B, "duplicate monitor", node(11, "monitor"));
  sheet.take(now(), 2);
  expect(sheet.chosen.value).toEqual([monitor.id]);
});

test("what another page adds before the own edit is heard is not chosen, and what the own edit adds is", () => {
  sheet.edit({ do: "duplicate", ids: [monitor.id] });
  does(A, "duplicate wait", node(10, "wait"));
  // The question was asked before the edit.
  sheet.take(now(), 1);
  expect(sheet.chosen.value).toEqual([monitor.id]);
  does(B, "duplicate monitor", node(11, "monitor"));
  sheet.take(now(), 2);
  expect(sheet.chosen.value).toEqual([11]);
});

test("what another page types on, or brings back, is not chosen", () => {
  does(A, "type");
  sheet.take(now(), 2);
  sheet.asks(2);
  sheet.edit({ do: "duplicate", ids: [monitor.id] });
  // What is typed on is no step of its own.
  nodes.splice(2, 0, node(10, "wait"));
  revision += 1;
  does(B, "duplicate monitor", node(11, "monitor"));
  sheet.take(now(), 3);
  expect(sheet.chosen.value).toEqual([monitor.id]);
  // An edit that was refused is not waited for any longer.
  sheet.edit({ do: "duplicate", ids: [monitor.id] });
  sheet.take(now(), 4);
  nodes.splice(2, 0, node(12, "wait"));
  revision += 1;
  sheet.take(now({ selection: { by: A, ids: [12] } }), 5);
  expect(sheet.chosen.value).toEqual([monitor.id]);
});

test("the last of what was added quickly is chosen, also when every edit is saved at once and the history is long", () => {
  for (let nth = 0; nth < 120; nth++) does(A, "duplicate wait");
  sheet.take(now(), 2);
  sheet.asks(2);
  for (let nth = 0; nth < 3; nth++) sheet.edit({ do: "duplicate", ids: [monitor.id] });
  sheet.edit({ do: "disable", ids: [monitor.id], is_on: true });
  does(B, "duplicate monitor", node(10, "monitor"));
  does(B, "duplicate monitor", node(11, "monitor"));
  revision += 2;
  sheet.take(now({ saves_at_once: true, files: [{}] as unknown as Sheet["files"] }), 2);
  expect(sheet.chosen.value).toEqual([11]);
  does(B, "duplicate monitor", node(12, "monitor"));
  does(B, "disable monitor");
  sheet.take(now(), 3);
  expect(sheet.chosen.value).toEqual([12]);
});
