import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Definition } from "../src/protocol";
import { type Piece, placesAfter, put } from "../src/wire/delta";
import { type Packed, packed, unpacked } from "../src/wire/packed";

/** What the server makes of a document that is edited: crates/treemind_studio/src/session/packed/tests.rs writes it. */
const [first, ...steps] = readFileSync(`${import.meta.dirname}/definitions.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line)) as [Definition, ...{ piece: Piece; definition: Definition }[]];

test("a definition is the same after its other form", () => {
  for (const definition of [first, ...steps.map((step) => step.definition)]) expect(unpacked(packed(definition))).toEqual(definition);
});

test("what the server sends makes the next definition", () => {
  let now = first;
  for (const { piece, definition } of steps) {
    const before = JSON.stringify(now);
    const next = unpacked(put(packed(now), piece) as Packed);
    expect(next).toEqual(definition);
    expect(JSON.stringify(now)).toBe(before);
    now = next;
  }
});

test("ids and names that are not as expected stay as they are", () => {
  const line = { ...(first.behaviour?.lines[0] as NonNullable<Definition["behaviour"]>["lines"][number]) };
  const odd = ["", "p9", "n07", "x", "n1.2.3.4", "n-1"].map((id) => ({ ...line, id }));
  const names = [
    { kind: "key", name: "a", at: [[0, 3, 0, 3, 1, "used"] as const] },
    { kind: "key", name: "a", at: [[0, 2, 0, 2, 1, "used"] as const, [0, 1, 0, 1, 1, "defined"] as const] },
  ];
  const behaviour = { ...(first.behaviour as NonNullable<Definition["behaviour"]>), lines: odd };
  const definition = { ...first, behaviour, names } as unknown as Definition;
  expect(unpacked(packed(definition))).toEqual(definition);
  const sorted = { ...definition, names: names.slice(0, 1).concat({ ...names[0] }) } as unknown as Definition;
  expect(packed(sorted).uses).toHaveLength(2);
  expect(unpacked(packed(sorted))).toEqual(sorted);
  expect(unpacked(packed({ ...first, behaviour: null, places: [null], names: [] }))).toMatchObject({ behaviour: null, places: [null] });
});

test("lines are known by where they are now", () => {
  expect(placesAfter(4, { splices: [[1, 1, ["x", "y", "z"]]] })).toEqual([0, -1, 4, 5]);
  expect(
    placesAfter(4, {
      splices: [
        [0, 0, ["x"]],
        [2, 1, []],
      ],
    }),
  ).toEqual([1, 2, -1, 3]);
  expect(placesAfter(2, undefined)).toEqual([0, 1]);
  expect(placesAfter(2, { items: [[0, { is: 1 }]] })).toEqual([0, 1]);
  expect(placesAfter(2, { is: [] })).toEqual([-1, -1]);
});
