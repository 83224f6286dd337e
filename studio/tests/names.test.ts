import { describe, expect, it } from "vitest";
import { files } from "../src/wire/model";
import { brief } from "../src/wire/names";

describe("the names of files", () => {
  it("leave out the folder that all of them are in", () => {
    files.value = ["/home/ann/minds/boss.kdl", "/home/ann/minds/yard/guard.kdl", "/home/ann/minds/yard/gate.kdl"];
    expect(files.value.map(brief)).toEqual(["boss.kdl", "yard/guard.kdl", "yard/gate.kdl"]);
    expect(brief("/home/ann/minds/boss.map")).toBe("boss.map");
    expect(brief("/elsewhere/boss.map")).toBe("/elsewhere/boss.map");
    files.value = ["C:\\minds\\boss.kdl", "C:\\minds\\guard.kdl"];
    expect(files.value.map(brief)).toEqual(["boss.kdl", "guard.kdl"]);
    files.value = ["/home/ann/minds/boss.kdl"];
    expect(files.value.map(brief)).toEqual(["boss.kdl"]);
  });

  it("stay as they are if no folder has all of them", () => {
    for (const names of [
      ["01-guard/guard.kdl", "02-pet/pet.kdl"],
      ["boss.kdl"],
      ["minds/a.kdl", "minded/a.kdl"],
      ["a/b.kdl", "c.kdl"],
      ["/home/ann/minds/boss.kdl", "01-guard/guard.kdl"],
      [],
    ]) {
      files.value = names;
      expect(names.map(brief)).toEqual(names);
    }
  });
});
