// What is kept for a document is offered until it is answered, whatever else is kept for it, and in each page.

import { beforeEach, expect, test, vi } from "vitest";

const STORED = "treemind-typed";
const BASE = "wait 1\nwait 2\nwait 3\n";
const EDITED = BASE.replace("1", "10");
const TYPED = EDITED.replace("10", "100");

type Page = typeof import("../src/edit/typing");

/** Another page of the browser: it has the same storage, and hears of what others do to it. */
async function page(): Promise<Page> {
  vi.resetModules();
  return await import("../src/edit/typing");
}

const tell = () => dispatchEvent(new StorageEvent("storage", { key: STORED }));
const shown = ({ left }: Page) => [...left.value].map(([name, kept]) => [name, kept.shown]);
const lost = { name: "a.kdl", text: EDITED, saved: BASE };

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: Date.now() + 10_000 });
});

test("edits that were not saved are offered with what was typed into them, also where that clashes with what others have written", async () => {
  const one = await page();
  one.strand([lost]);
  one.offer();
  // The text of the new program is another one where somebody types.
  one.ask("a.kdl", { bases: [EDITED], isLost: false, shown: TYPED });
  expect(one.left.value.get("a.kdl")).toMatchObject({ bases: [BASE], shown: TYPED });
});

test("what was typed into another text is offered after it, and neither takes the place of the other", async () => {
  const one = await page();
  one.strand([lost]);
  one.offer();
  one.ask("a.kdl", { bases: ["wait 7\n"], isLost: false, shown: "wait 8\n" });
  one.keep("a.kdl", { bases: ["wait 7\n"], isLost: false, shown: "wait 9\n" });
  expect(shown(one)).toEqual([["a.kdl", EDITED]]);
  const next = await page();
  for (const text of [EDITED, "wait 8\n", "wait 9\n"]) {
    expect(shown(next)).toEqual([["a.kdl", text]]);
    next.settle("a.kdl");
  }
  expect(shown(next)).toEqual([]);
});

test("an offer is in each page until it is answered in one", async () => {
  const one = await page();
  const before = await page();
  one.strand([lost]);
  one.offer();
  tell();
  const later = await page();
  const pages = [one, before, later];
  expect(pages.map((page) => shown(page))).toEqual(pages.map(() => [["a.kdl", EDITED]]));
  // What one page does with its own does not take it from the others.
  one.keep("a.kdl", { bases: [EDITED], isLost: false, shown: TYPED });
  tell();
  one.keep("a.kdl", null);
  tell();
  expect(pages.map((page) => shown(page))).toEqual(pages.map(() => [["a.kdl", EDITED]]));
  vi.setSystemTime(Date.now() + 1000);
  later.settle("a.kdl");
  tell();
  expect(pages.map((page) => shown(page))).toEqual([[], [], []]);
  // And it does not come back.
  for (const page of pages) page.unstrand();
  expect(localStorage.getItem(STORED)).toBeNull();
});

test("what is offered is shown in whole lines, and what others have added is not among those that go", async () => {
  const { typedInto } = await page();
  const kept = { bases: [BASE], isLost: false, shown: EDITED };
  expect(typedInto(`// theirs\n${BASE}`, kept)).toEqual({ parts: [{ removed: "wait 1\n", text: "wait 10\n" }], clashes: false });
  const clash = BASE.replace("1\n", "5\n// theirs\n");
  expect(typedInto(clash, kept)).toEqual({ parts: [{ removed: "wait 1\n", text: "wait 10\n" }], clashes: true });
});

test("what was answered in another page is not told of fields either, and does not come back", async () => {
  vi.resetModules();
  const one = await import("../src/edit/unsent");
  one.put({ id: 3, node: "wait 1", field: "value", text: "2", edit: null, file: "a.kdl", home: "tree t", nth: 0, why: "lost" });
  vi.resetModules();
  const other = await import("../src/edit/unsent");
  expect(other.unsent.value.length).toBe(1);
  vi.setSystemTime(Date.now() + 1000);
  other.close(other.unsent.value[0]);
  dispatchEvent(new StorageEvent("storage", { key: "treemind-unsent" }));
  one.cut(false);
  expect([one.unsent.value, localStorage.getItem("treemind-unsent")]).toEqual([[], null]);
});
