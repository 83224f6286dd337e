// The cheat sheet of the book has the signs of the graph.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sign } from "../src/parts/marks";

test("the cheat sheet has the signs of the graph", () => {
  const page = readFileSync("../docs/cheat-sheet.md", "utf8");
  const rows = [...page.matchAll(/^\| (\S+) \| (?:\*\*)?\[`([a-z-]+)`\]/gm)].map((row) => [row[2] ?? "", row[1]]);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows).toEqual(rows.map(([name]) => [name, sign(name ?? "")]));
});
