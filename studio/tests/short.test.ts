import { expect, test } from "vitest";
import { cut } from "../src/graph/layout";
import { fitting, short } from "../src/parts/short";

const long = "x".repeat(10_000);

test("a text of ten thousand letters is measured a few times, and never as a whole", () => {
  const measured: number[] = [];
  const measure = (text: string): number => {
    measured.push(text.length);
    return text.length * 7;
  };
  expect(cut(long, 180, measure, true)).toBe(`${"x".repeat(24)}…`);
  expect(measured.length).toBeLessThan(15);
  expect(Math.max(...measured)).toBeLessThan(500);
});

test("as much of a text stays as there is room for", () => {
  for (const width of [1, 10, 14, 21, 77, 140])
    for (const text of ["a", "ab", "patrol", "see-enemy and run"]) {
      const shown = fitting(text, width, (part) => part.length * 7);
      // One letter and the dots are shown, however little room there is.
      expect(shown.length * 7).toBeLessThanOrEqual(Math.max(14, width));
      if (text.length * 7 <= width) expect(shown).toBe(text);
    }
});

test("no letter is halved", () => {
  const cats = "🐱".repeat(300);
  for (let width = 10; width < 40; width++) expect(fitting(cats, width, (part) => part.length)).toMatch(/^(🐱)+…$/u);
  for (let most = 4; most < 20; most++) expect(short(cats, most)).toMatch(/^(🐱)+…$/u);
  expect(short(cats, 600)).toBe(cats);
});
