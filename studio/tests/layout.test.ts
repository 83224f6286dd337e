import { expect, test } from "vitest";
import { labelOf } from "../src/graph/labels";
import type { Card, Layout } from "../src/graph/layout";
import { layout } from "../src/graph/layout";
import { language } from "../src/texts";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";
import { robot } from "./robot";

/** Every letter is seven pixels wide. */
const measure = (text: string): number => text.length * 7;

function laidOut(text: string, folded: ReadonlySet<string> = new Set(), isWhole = false): Layout {
  const lines = linesOf(text);
  const behaviour = { name: "it", word: "tree", lines, keys: [], events: [], thresholds: [] };
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
  model.root.value = null;
  model.folded.value = folded;
  return layout(lines, model.parents.value, model.shown.value, model.below.value, folded, measure, { isWhole });
}

const overlap = (a: Card, b: Card): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** A tree of some lines, always the same for a seed. */
function tree(seed: number, size: number): string {
  let state = seed;
  const draw = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
  let deep = 0;
  const rows = ["sequence"];
  for (let nth = 1; nth < size; nth++) {
    deep = 1 + draw(deep + 1);
    rows.push(`${"  ".repeat(deep)}${draw(2) ? "selector" : "action go"} name=n${nth}${"x".repeat(draw(30))}`);
  }
  return rows.join("\n");
}

test.each([3, 10, 40, 300])("no card of a tree with %i lines lies on another", (size) => {
  for (let seed = 1; seed <= 20; seed++) {
    const { cards, w, h } = laidOut(tree(seed, size));
    expect(cards).toHaveLength(size);
    const outside = cards.filter((one) => one.x < 0 || one.x + one.w > w || one.y + one.h > h);
    const pairs = cards.flatMap((one, nth) =>
      cards
        .slice(nth + 1)
        .filter((other) => overlap(one, other))
        .map((other) => [one.title, other.title]),
    );
    expect({ seed, outside, pairs }).toEqual({ seed, outside: [], pairs: [] });
  }
});

test("small trees grow down, large ones to the right", () => {
  expect(laidOut(tree(1, 10)).isDown).toBe(true);
  expect(laidOut(tree(1, 40)).isDown).toBe(false);
});

test("a folded card says how many lines it hides", () => {
  const { cards } = laidOut("sequence\n  selector\n    action a\n    action b\n  action c", new Set(["n1"]));
  expect(cards.map((card) => card.hidden)).toEqual([0, 2, 0]);
});

test("states lie inside of one another", () => {
  const { cards, isNested } = laidOut("state day\n  state work\n  state rest");
  expect(isNested).toBe(true);
  const [day, ...inside] = cards;
  for (const one of inside) {
    expect(one.x).toBeGreaterThanOrEqual(day.x);
    expect(one.y + one.h).toBeLessThanOrEqual(day.y + day.h);
  }
  expect(overlap(inside[0], inside[1])).toBe(false);
});

test("what is drawn at random says its weight of all of them", () => {
  const { cards } = laidOut("weighted-selector\n  action rest weight=2\n  action graze weight=1");
  expect(cards.map((card) => card.detail).slice(1)).toEqual(["rest 2 of 3", "graze 1 of 3"]);
});

test("ways say what their transitions wait for, where there is room", () => {
  const states = ["a", "b", "c", "d"];
  const text = states.map((name, nth) => {
    const to = [states[(nth + 1) % 4], states[(nth + 2) % 4]];
    return `state name=${name}\n  transition to=${to[0]} on=bell when=${name}>1\n  transition to=${to[1]} after=2.5`;
  });
  const { arrows, cards } = laidOut(text.join("\n"));
  const labels = arrows.flatMap(({ label }) => (label ? [label] : []));
  expect(arrows).toHaveLength(8);
  expect(labels.length).toBeGreaterThan(3);
  expect(labelOf(model.lines.value[1])).toBe("bell [a>1]");
  expect(labels.map((one) => one.full)).toContain("after 2.5 s");
  expect(overlaps(arrows, cards)).toEqual([]);
});

test("ways say in the language of the page what their transitions wait for", () => {
  laidOut("state name=a\n  transition to=b after=3.0\n  transition to=b done=success on=bell");
  const labels = (): string[] => model.lines.value.slice(1, 3).map(labelOf);
  expect(labels()).toEqual(["after 3.0 s", "bell done success"]);
  language.value = "zh";
  expect(labels()).toEqual(["3.0 秒后", "bell 完成 success"]);
  language.value = "en";
});

/** Which labels lie on cards or on one another, or are too narrow for their text. */
function overlaps(arrows: Layout["arrows"], cards: Card[]): string[] {
  const labels = arrows.flatMap(({ label }) => label ?? []);
  const boxes = labels.map((one) => ({ ...one, x: one.x - one.w / 2, y: one.y - 7, h: 14 }) as unknown as Card);
  const walls = cards.map((one) => (one.isBox ? { ...one, h: one.own } : one));
  return boxes.flatMap((box, nth) => {
    const others = [...walls, ...boxes.slice(nth + 1)];
    return others.some((other) => overlap(box, other)) || measure(labels[nth].text) > box.w ? [labels[nth].full] : [];
  });
}

test("nearly all ways of a dense machine have their labels", () => {
  const { arrows, cards, w, h } = laidOut(robot);
  const labels = arrows.flatMap(({ label }) => label ?? []);
  expect(arrows).toHaveLength(10);
  expect(labels.length).toBeGreaterThanOrEqual(8);
  expect(overlaps(arrows, cards)).toEqual([]);
  const outside = labels.filter((one) => one.x - one.w / 2 < 0 || one.x + one.w / 2 > w || one.y < 8 || one.y + 8 > h);
  expect(outside).toEqual([]);
  for (const { label, nth } of arrows) if (label?.text.endsWith("…")) expect(label.full).toBe(labelOf(model.lines.value[nth]));
});

test("in a picture that is saved, everything stands in full", () => {
  const long = "a-name-that-needs-more-room-than-a-card-has-on-the-screen";
  const text = `selector\n  sequence name=${long}\n    check expr=${long}>1\n  action go to=${long}`;
  const [onScreen, inFull] = [laidOut(text), laidOut(text, new Set(), true)];
  const texts = ({ cards }: Layout): string[] => cards.flatMap((one) => [one.title, one.detail]);
  expect(texts(onScreen).filter((one) => one.endsWith("…"))).toHaveLength(3);
  expect(texts(inFull).filter((one) => one.endsWith("…"))).toEqual([]);
  for (const one of inFull.cards) expect(Math.max(measure(one.title), measure(one.detail))).toBeLessThan(one.w);
  // What transitions wait for, and the rows of states.
  const wordy = robot.replace("when=has(rubbish)", 'when="has(rubbish) && battery > 0.5 && distance < 12.0"');
  const { arrows, cards } = laidOut(wordy, new Set(), true);
  expect(arrows.flatMap(({ nth, label }) => (label?.text === labelOf(model.lines.value[nth]) ? [] : [[label?.text, nth]]))).toEqual([]);
  expect(overlaps(arrows, cards)).toEqual([]);
  const rows = cards.flatMap((one) => one.rows.map((row) => [row.text, measure(row.text) - one.w] as const));
  expect(rows.filter(([row, over]) => row.endsWith("…") || over > 0)).toEqual([]);
  expect(laidOut(wordy).cards.some((one) => one.rows.some((row) => row.text.endsWith("…")))).toBe(true);
});

test("the ways of a state have their whole labels, beside one another, while it is selected", () => {
  const { arrows } = laidOut(robot);
  for (const { nth, from, whole } of arrows) {
    expect(whole?.text).toBe(labelOf(model.lines.value[nth]));
    const beside = arrows.filter((other) => other.from === from && other.nth !== nth).map((other) => other.whole);
    const box = (one: typeof whole): Card => ({ x: (one?.x ?? 0) - (one?.w ?? 0) / 2, y: one?.y ?? 0, w: one?.w, h: 14 }) as Card;
    expect(beside.filter((other) => overlap(box(whole), box(other)))).toEqual([]);
  }
});
