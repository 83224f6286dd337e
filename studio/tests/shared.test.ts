import { beforeEach, expect, test, vi } from "vitest";
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

test("what another page overwrites at the same moment is written again", () => {
  share("b", [], ['"own"']);
  localStorage.setItem("b", '["other"]');
  dispatchEvent(new StorageEvent("storage", { key: "b" }));
  expect(stored("b")).toEqual(['"other"', '"own"']);
  // What another page removes later stays removed.
  vi.useFakeTimers({ now: Date.now() + 1000 });
  localStorage.setItem("b", '["other"]');
  dispatchEvent(new StorageEvent("storage", { key: "b" }));
  expect(stored("b")).toEqual(['"other"']);
  vi.useRealTimers();
  share("b", ['"own"'], []);
  dispatchEvent(new StorageEvent("storage", { key: "b" }));
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(stored("b")).toEqual(['"other"']);
});
