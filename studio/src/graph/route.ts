// The ways of transitions: from their rows to the states that they lead to, around all boxes and beside one another.

import type { Line } from "../wire/model";
import { property } from "../wire/model";
import type { Arrow, Card } from "./layout";

/** How far apart lines are. */
const LANE = 8;
/** Lines that are nearer look like one. */
const NEAR = 6;
/** What a bend, the crossing of another line and each pixel beside another line cost, in pixels. */
const BEND = 24;
const CROSS = 36;
const BESIDE = 40;

/** How many places may be looked at for all ways together: a graph with hundreds of transitions shows the shorter ones. */
const MOST_WORK = 1_500_000;

type Point = [number, number];
/** What no line may cross: from left, top to right, bottom. */
type Wall = [number, number, number, number];

/** So many ways each have a piece of their own; of more, those to the same state may be one. */
const MOST_ALONE = 24;

/** Finds a way for each transition between cards that are shown. */
export function arrows(lines: Line[], cards: Card[]): Arrow[] {
  const places = new Map(cards.map((card) => [lines[card.nth].id, card]));
  const wanted = cards.flatMap((card) =>
    card.rows.flatMap((row) => {
      const line = lines[row.nth];
      if (line.is !== "transition") return [];
      return (line.targets ?? []).flatMap((id) => {
        const target = places.get(id);
        return target ? [{ nth: row.nth, card, y: card.y + row.y + 10, target, history: property(line, "history") }] : [];
      });
    }),
  );
  // Short ways first: they have the least choice.
  const far = (one: (typeof wanted)[number]): number => Math.abs(one.card.x - one.target.x) + Math.abs(one.y - one.target.y);
  wanted.sort((left, right) => far(left) - far(right));
  const grid = new Grid(
    cards,
    wanted.map((one) => one.y),
  );
  return wanted.flatMap((one, nth) => {
    const goal = wanted.length > MOST_ALONE ? one.target.nth : nth;
    const points = grid.way(sides(one.card, one.y), entries(one.target), goal, around(cards, one.card, one.target));
    return points ? [{ nth: one.nth, from: one.card.nth, points, history: one.history ? (one.history === "deep" ? "H*" : "H") : "" }] : [];
  });
}

/** The smallest box that holds two others: a way between them has no reason to leave it. */
function around(cards: Card[], a: Card, b: Card): Wall {
  let found: Wall = [-Infinity, -Infinity, Infinity, Infinity];
  for (const box of cards) {
    const holds = (one: Card): boolean =>
      one !== box && one.x >= box.x && one.y >= box.y && one.x + one.w <= box.x + box.w && one.y + one.h <= box.y + box.h;
    if (holds(a) && holds(b) && box.w * box.h < (found[2] - found[0]) * (found[3] - found[1]))
      found = [box.x, box.y, box.x + box.w, box.y + box.h];
  }
  return found;
}

/** Where a line may leave a card, with the direction in which it goes. */
function sides(card: Card, y: number): { at: Point; to: number }[] {
  return [
    { at: [card.x + card.w, y], to: RIGHT },
    { at: [card.x, y], to: LEFT },
  ];
}

/** Where a line may come to a card, with the direction from which it comes. */
function entries(card: Card): { at: Point; to: number }[] {
  return [
    { at: [card.x + card.w, card.y + 17], to: RIGHT },
    { at: [card.x, card.y + 17], to: LEFT },
    { at: [card.x + Math.min(64, card.w / 2), card.y], to: UP },
    ...(card.isBox && card.own < card.h ? [] : [{ at: [card.x + Math.min(64, card.w / 2), card.y + card.h] as Point, to: DOWN }]),
  ];
}

const [RIGHT, LEFT, UP, DOWN] = [0, 1, 2, 3];
const STEPS: Point[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];

/** The places through which lines can go, and those that are taken. */
class Grid {
  private xs: number[];
  private ys: number[];
  /** Whether a place is inside of a card. */
  private blocked: Uint8Array;
  /** For each place, who goes through it across (even) and down (odd): the state that it leads to, plus 1. */
  private taken: Int32Array;

  constructor(cards: Card[], rows: number[]) {
    // The tree inside of a state is within its card.
    const boxes = cards.filter((card) => card.parent < 0 && card.own > 0);
    const [xs, ys] = [new Set<number>(), new Set<number>()];
    for (const card of boxes) {
      for (const lane of [1, 2, 3, 4, 5]) {
        for (const x of [card.x - lane * LANE, card.x + card.w + lane * LANE]) xs.add(Math.round(x));
        if (lane < 5)
          for (const y of [card.y - lane * LANE, card.y + card.own + lane * LANE, card.y + card.h + lane * LANE]) ys.add(Math.round(y));
      }
      for (const { at } of entries(card)) {
        xs.add(Math.round(at[0]));
        ys.add(Math.round(at[1]));
      }
    }
    for (const y of rows) ys.add(Math.round(y));
    this.xs = thin(xs);
    this.ys = thin(ys);
    this.blocked = new Uint8Array(this.xs.length * this.ys.length);
    this.taken = new Int32Array(2 * this.xs.length * this.ys.length);
    const walls = boxes.map((card): Wall => [card.x, card.y, card.x + card.w, card.y + card.own]);
    for (const [left, top, right, bottom] of walls) {
      this.ys.forEach((y, down) => {
        if (y <= top - 4 || y >= bottom + 4) return;
        this.xs.forEach((x, across) => {
          if (x > left - 4 && x < right + 4) this.blocked[down * this.xs.length + across] = 1;
        });
      });
    }
  }

  /** How many places have been looked at. */
  private work = 0;

  /** The cheapest way from one of some places to one of others; lines to the same state may share it. */
  way(from: { at: Point; to: number }[], to: { at: Point; to: number }[], goal: number, within: Wall): Point[] | null {
    const wide = this.xs.length;
    const count = wide * this.ys.length * 4;
    const cost = new Float64Array(count).fill(Infinity);
    const before = new Int32Array(count).fill(-1);
    const queue = new Queue();
    const rest = (place: number): number => {
      const [x, y] = [this.xs[place % wide], this.ys[Math.floor(place / wide)]];
      return Math.min(...to.map(({ at }) => Math.max(0, Math.abs(x - at[0]) + Math.abs(y - at[1]) - 2 * LANE)));
    };
    const next = (at: Point, direction: number): number => {
      const [dx, dy] = STEPS[direction];
      const across =
        dx > 0 ? this.xs.findIndex((x) => x >= at[0] + 4) : dx < 0 ? this.xs.findLastIndex((x) => x <= at[0] - 4) : nearest(this.xs, at[0]);
      const down =
        dy > 0 ? this.ys.findIndex((y) => y >= at[1] + 4) : dy < 0 ? this.ys.findLastIndex((y) => y <= at[1] - 4) : nearest(this.ys, at[1]);
      return across < 0 || down < 0 ? -1 : down * wide + across;
    };
    const starts = new Map<number, Point>();
    for (const { at, to: direction } of from) {
      const place = next(at, direction);
      if (place < 0 || this.blocked[place]) continue;
      cost[place * 4 + direction] = 0;
      starts.set(place * 4 + direction, at);
      queue.push(place * 4 + direction, rest(place));
    }
    const ends = new Map<number, { at: Point; to: number }>();
    for (const one of to) {
      const place = next(one.at, one.to);
      if (place >= 0 && !this.blocked[place]) ends.set(place * 4 + opposite(one.to), one);
    }
    let reached = -1;
    for (let item = queue.pop(); item && this.work < MOST_WORK; item = queue.pop()) {
      this.work += 1;
      const [state, guess] = item;
      const sum = cost[state];
      if (guess > sum + rest(state >> 2)) continue;
      if (ends.has(state)) {
        reached = state;
        break;
      }
      const [place, direction] = [state >> 2, state & 3];
      for (let turn = 0; turn < 4; turn++) {
        if (turn === opposite(direction)) continue;
        const [dx, dy] = turn === direction ? STEPS[direction] : [0, 0];
        // Turning stands still; going on takes a step.
        const [across, down] = [(place % wide) + dx, Math.floor(place / wide) + dy];
        if (across < 0 || down < 0 || across >= wide || down >= this.ys.length) continue;
        const other = down * wide + across;
        if (this.blocked[other]) continue;
        const [x, y] = [this.xs[across], this.ys[down]];
        if (x < within[0] || x > within[2] || y < within[1] || y > within[3]) continue;
        let more = BEND;
        if (turn === direction) {
          const length = Math.abs(x - this.xs[place % wide]) + Math.abs(y - this.ys[Math.floor(place / wide)]);
          const isDown = dy !== 0 ? 1 : 0;
          const along = this.taken[other * 2 + isDown];
          const through = this.taken[other * 2 + 1 - isDown];
          more = length + (along && along !== goal + 1 ? BESIDE * LANE : 0) + (through && through !== goal + 1 ? CROSS : 0);
        }
        const total = sum + more;
        if (total >= cost[other * 4 + turn]) continue;
        cost[other * 4 + turn] = total;
        before[other * 4 + turn] = state;
        queue.push(other * 4 + turn, total + rest(other));
      }
    }
    if (reached < 0) return null;
    const end = ends.get(reached) as { at: Point; to: number };
    const points: Point[] = [end.at];
    let state = reached;
    for (;;) {
      const place = state >> 2;
      this.take(place, (state & 3) >= UP ? 1 : 0, goal + 1);
      points.push([this.xs[place % wide], this.ys[Math.floor(place / wide)]]);
      if (before[state] < 0) break;
      state = before[state];
    }
    points.push(starts.get(state) as Point);
    return straight(points.reverse());
  }

  /** Notes who goes through a place, and through those that are so near that two lines would look like one. */
  private take(place: number, isDown: 0 | 1, by: number): void {
    const wide = this.xs.length;
    const [across, down] = [place % wide, Math.floor(place / wide)];
    const [all, at, step] = isDown ? [this.xs, across, 1] : [this.ys, down, wide];
    for (let nth = at; nth >= 0 && all[at] - all[nth] < NEAR; nth--) this.taken[(place - (at - nth) * step) * 2 + isDown] = by;
    for (let nth = at + 1; nth < all.length && all[nth] - all[at] < NEAR; nth++) this.taken[(place + (nth - at) * step) * 2 + isDown] = by;
  }
}

const opposite = (direction: number): number => direction ^ 1;

function nearest(all: number[], value: number): number {
  let best = 0;
  all.forEach((one, nth) => {
    if (Math.abs(one - value) < Math.abs(all[best] - value)) best = nth;
  });
  return best;
}

/** In order, and none next to another one. */
function thin(all: Set<number>): number[] {
  const sorted = [...all].sort((left, right) => left - right);
  return sorted.filter((one, nth) => nth === 0 || one > sorted[nth - 1]);
}

/** Without the points in the middle of a straight piece. */
function straight(points: Point[]): Point[] {
  const out: Point[] = [];
  for (const point of points) {
    const [a, b] = [out[out.length - 2], out[out.length - 1]];
    if (b && b[0] === point[0] && b[1] === point[1]) continue;
    if (a && b && ((a[0] === b[0] && b[0] === point[0]) || (a[1] === b[1] && b[1] === point[1]))) out.pop();
    out.push(point);
  }
  return out;
}

/** What is cheapest first: a binary heap. */
class Queue {
  private items: [number, number][] = [];

  push(state: number, cost: number): void {
    const items = this.items;
    let at = items.push([state, cost]) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (items[up][1] <= items[at][1]) break;
      [items[up], items[at]] = [items[at], items[up]];
      at = up;
    }
  }

  pop(): [number, number] | undefined {
    const items = this.items;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0 || !last) return top;
    items[0] = last;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < items.length && items[left][1] < items[least][1]) least = left;
      if (right < items.length && items[right][1] < items[least][1]) least = right;
      if (least === at) return top;
      [items[at], items[least]] = [items[least], items[at]];
      at = least;
    }
  }
}
