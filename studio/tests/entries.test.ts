// *Back* of the browser leads to the file that was shown before.

import { beforeEach, expect, test, vi } from "vitest";

let entries: typeof import("../src/wire/entries");
let [made, at]: [string[], number] = [[], 0];
vi.spyOn(history, "pushState").mockImplementation((_state, _unused, url) => {
  made = [...made.slice(0, at + 1), String(url)];
  at += 1;
});
vi.spyOn(history, "replaceState").mockImplementation((_state, _unused, url) => {
  made[at] = String(url);
});
/** The browser goes to another entry, whose address the page hears. */
const go = (by: number): void => {
  at += by;
  entries.goTo(new URLSearchParams(made[at].slice(1)).get("file") ?? "");
};

beforeEach(async () => {
  vi.resetModules();
  entries = await import("../src/wire/entries");
  [made, at] = [[""], 0];
});

test("each file has an entry, which says where one was in it", () => {
  for (const one of ["#file=a&tick=1", "#file=a&tick=2", "#file=b&tick=5", "#file=b&tick=7", "#file=c"]) entries.write(one);
  expect(made).toEqual(["#file=a&tick=2", "#file=b&tick=7", "#file=c"]);
  go(-1);
  // The old file is still shown.
  entries.write("#file=c&tick=3");
  expect(made[1]).toBe("#file=b&tick=7");
  entries.write("#file=b&tick=7");
  go(-1);
  entries.write("#file=a&tick=2");
  expect([made, at]).toEqual([["#file=a&tick=2", "#file=b&tick=7", "#file=c"], 0]);
  // From there one goes on to another one.
  entries.write("#file=d");
  expect(made).toEqual(["#file=a&tick=2", "#file=d"]);
});

test("who chooses a file while the browser goes to another one has an entry for it", () => {
  for (const one of ["#file=a", "#file=b"]) entries.write(one);
  go(-1);
  entries.choose("a");
  entries.choose("c");
  entries.write("#file=c");
  expect(made).toEqual(["#file=a", "#file=c"]);
});

test("an address that leads to no file gets the one of the file that is shown", () => {
  for (const one of ["#file=a", "#file=b"]) entries.write(one);
  made[at] = "#file=gone";
  go(0);
  entries.choose("");
  entries.write("#file=b");
  expect([made, at]).toEqual([["#file=a", "#file=b"], 1]);
});
