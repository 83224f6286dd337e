import { beforeEach, expect, test } from "vitest";
import { bring, keepFile, keptFiles } from "../src/wire/carrier";
import { aside, draft, ended, rescue, written } from "../src/wire/typed";

beforeEach(() => {
  localStorage.clear();
  bring([]);
  aside.value = null;
  // Far from all other tests in time.
  ended("", Number.NEGATIVE_INFINITY);
});

test("what was typed and not written yet is kept when the session ends", () => {
  draft("my/dog.kdl", "tree dog {");
  expect(ended("my/dog.kdl", 0)).toBe(true);
  expect(keptFiles()).toEqual([["my/dog.kdl", "tree dog {"]]);
  expect(rescue()).toBe(null);
});

test("what the session has written needs no rescue, and what was typed since does", () => {
  draft("my/dog.kdl", "a");
  written("my/dog.kdl", "a");
  expect(rescue()).toBe(null);
  draft("my/dog.kdl", "ab");
  written("my/dog.kdl", "a");
  expect(rescue()).toBe("my/dog.kdl");
  expect(keptFiles()).toEqual([["my/dog.kdl", "ab"]]);
});

test("a file that ends the session twice is not opened again, and its text stays", () => {
  keepFile("my/cat.kdl", "tree cat { }");
  draft("my/dog.kdl", "bad");
  expect(ended("my/dog.kdl", 0)).toBe(true);
  expect(ended("my/dog.kdl", 40_000)).toBe(false);
  expect(aside.value).toEqual(["my/dog.kdl", "bad"]);
  expect(keptFiles()).toEqual([
    ["my/cat.kdl", "tree cat { }"],
    ["my/dog.kdl.txt", "bad"],
  ]);
});

test("a file that nobody has typed is only not opened again", () => {
  expect(ended("01-guard/guard.kdl", 0)).toBe(true);
  expect(ended("01-guard/guard.kdl", 1000)).toBe(false);
  expect(aside.value).toBe(null);
  expect(keptFiles()).toEqual([]);
});

test("two ends that are far apart, or of different files, are accidents", () => {
  draft("my/dog.kdl", "good");
  expect(ended("my/dog.kdl", 0)).toBe(true);
  expect(ended("my/dog.kdl", 3_600_000)).toBe(true);
  expect(ended("my/cat.kdl", 3_600_001)).toBe(true);
  expect(aside.value).toBe(null);
});

test("a text that an address brought is not brought again after it has ended the session twice", () => {
  bring([["book-1/document.kdl", "bad"]]);
  expect(ended("book-1/document.kdl", 0)).toBe(true);
  expect(ended("book-1/document.kdl", 1)).toBe(false);
  expect(aside.value).toEqual(["book-1/document.kdl", "bad"]);
});
