import { expect, test } from "vitest";
import { drawShares } from "../src/crowd/shares";

/** Everything that is filled: how opaque, and the corners around it. */
function filled(ticks: [number, number[]][], tick: number): [number, [number, number][]][] {
  const fills: [number, [number, number][]][] = [];
  let path: [number, number][] = [];
  const context = {
    globalAlpha: 1,
    fillStyle: "",
    beginPath: () => (path = []),
    lineTo: (x: number, y: number) => path.push([x, y]),
    fill: () => path.length > 0 && fills.push([context.globalAlpha, path]),
  };
  const shares = { actions: ["eat", "sleep"], ticks };
  drawShares(context as unknown as CanvasRenderingContext2D, shares, { from: 1, to: 40, tick }, [0, 100], (at) => at * 10);
  return fills;
}

/** How high an area is at a place: the outline goes to the right above it, and back below. */
function heightAt(corners: [number, number][], x: number): number {
  // Below what stays at its height, there may be fewer corners than above.
  const end = Math.max(...corners.map(([x]) => x));
  const turn = corners.findIndex(([x]) => x === end) + 1;
  const at = (line: [number, number][]): number => {
    const nth = line.findIndex(([left], nth) => nth % 2 === 0 && left <= x && x < line[nth + 1][0]);
    return nth < 0 ? Number.NaN : line[nth][1];
  };
  return at(corners.slice(turn).reverse()) - at(corners.slice(0, turn));
}

test("each action has an area as high as its share, one above the other", () => {
  const [eats, sleeps] = filled(
    [
      [1, [0, 1, 3]],
      [11, [2, 2, 0]],
      [21, [0, 1, 3]],
    ],
    40,
  );
  expect([5, 105, 205].map((x) => heightAt(eats[1], x))).toEqual([25, 50, 25]);
  expect([5, 105, 205].map((x) => heightAt(sleeps[1], x))).toEqual([75, 0, 75]);
  expect([eats[0], sleeps[0]]).toEqual([1, 1]);
});

test("what stays as it was is one line, however many ticks there are", () => {
  const ticks = Array.from({ length: 40 }, (_, nth): [number, number[]] => [nth + 1, [0, 1, 1]]);
  expect(filled(ticks, 40).map(([, corners]) => corners.length)).toEqual([4, 4]);
});

test("what is still to come is pale", () => {
  const ticks: [number, number[]][] = [
    [1, [0, 1, 1]],
    [11, [0, 1, 1]],
  ];
  const areas = filled(ticks, 10);
  expect(areas.map(([alpha, corners]) => [alpha, corners[0][0]])).toEqual([
    [1, 0],
    [1, 0],
    [0.45, 100],
    [0.45, 100],
  ]);
});
