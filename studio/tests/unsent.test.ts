import { beforeEach, expect, test } from "vitest";
import * as unsent from "../src/edit/unsent";

const wait = { id: 7, node: "wait", field: "value", text: "2.5 + patience" };

beforeEach(unsent.forget);

test("what is typed into a node that is removed is kept until it is written or closed", () => {
  unsent.types(wait);
  unsent.keep(new Set([6, 7]));
  expect(unsent.unsent.value).toEqual([]);
  unsent.keep(new Set([6]));
  expect(unsent.unsent.value).toEqual([wait]);
  // The node comes back with its id: its field has the text.
  unsent.keep(new Set([6, 7]));
  expect(unsent.textOf(7, "value")).toBe(wait.text);
  expect(unsent.textOf(7, "name")).toBeUndefined();
  unsent.drop(7, "name");
  expect(unsent.unsent.value).toEqual([wait]);
  unsent.drop(7, "value");
  expect(unsent.textOf(7, "value")).toBeUndefined();
});

test("what was written or taken back is not kept", () => {
  unsent.types(wait);
  unsent.types(null);
  unsent.keep(new Set());
  expect(unsent.unsent.value).toEqual([]);
});

test("of one field only the last text is kept", () => {
  for (const text of ["1.0", "2.0"]) {
    unsent.types({ ...wait, text });
    unsent.keep(new Set());
  }
  expect(unsent.unsent.value.map((one) => one.text)).toEqual(["2.0"]);
});
