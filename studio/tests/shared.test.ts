import { beforeEach, expect, test } from "vitest";
import { share, stored } from "../src/edit/shared";

beforeEach(() => localStorage.clear());

test("a page leaves in the storage what other pages keep there", () => {
  share("a", [], ['"one"']);
  share("a", [], ['"two"', '{"n":1}']);
  expect(stored("a")).toEqual(['"one"', '"two"', '{"n":1}']);
  // The first page writes on, and the second one has nothing left.
  share("a", ['"one"'], ['"one more"']);
  share("a", ['"two"', '{"n":1}'], []);
  expect(localStorage.getItem("a")).toBe('["one more"]');
  share("a", ['"one more"'], []);
  expect(localStorage.getItem("a")).toBeNull();
  localStorage.setItem("a", "no list");
  expect(stored("a")).toEqual([]);
});
