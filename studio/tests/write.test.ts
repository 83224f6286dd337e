import { expect, test } from "vitest";
import { difference, inFile } from "../src/edit/write";

test("the piece in which texts differ is as short as it can be, and never cuts a letter", () => {
  expect(difference("abc", "abxc")).toEqual({ from: 2, to: 2, text: "x" });
  expect(difference("aaa", "aa")).toEqual({ from: 2, to: 3, text: "" });
  expect(difference("a𝄞b", "a𝄢b")).toEqual({ from: 1, to: 3, text: "𝄢" });
  expect(difference("", "x")).toEqual({ from: 0, to: 0, text: "x" });
});

test("a piece of a text with line ends of two letters is where it is in the file", () => {
  const file = "a\r\nb\r\nc";
  expect(inFile(file, { from: 4, to: 4, text: "x\ny" })).toEqual({ from: 6, to: 6, text: "x\r\ny" });
  expect(inFile(file, { from: 1, to: 2, text: "" })).toEqual({ from: 1, to: 3, text: "" });
  expect(inFile("a\nb", { from: 2, to: 3, text: "\n" })).toEqual({ from: 2, to: 3, text: "\n" });
});
