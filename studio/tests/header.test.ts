import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";

vi.mock("../src/wire/wire", () => ({
  say: () => true,
  trySay: () => true,
  open: () => undefined,
  lookAgain: () => undefined,
  choose: () => undefined,
}));

import words from "../public/words.zh.json";
import { NowBar } from "../src/panels/now";
import { Reloaded, TIMINGS } from "../src/panels/panels";
import { language } from "../src/texts";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

const turn = () => new Promise((done) => setTimeout(done, 20));
const heading = () => document.querySelector("h1")?.textContent;
afterEach(() => render(null, document.body));

async function shows(
  text: string,
  view: object,
  does: [number, number, string, 1?][] = [],
  states: [number, number, string][] = [],
): Promise<void> {
  language.value = "en";
  const behaviour = { name: "it", word: "tree", lines: linesOf(text), keys: [], events: [], thresholds: [] };
  model.definition.value = { behaviour, texts: [], problems: [], refusal: null, draft: null } as unknown as model.Definition;
  model.film.value = { ...model.noFilm, to: 9, does: does as unknown as model.Bar[], states: states as unknown as model.Bar[] };
  model.view.value = { file: "a.kdl", tick: 9, mind: 0, does: null, marks: [], reloaded: null, ...view } as unknown as model.View;
  render(h("main", {}, h(NowBar, {}), h(Reloaded, {})), document.body);
  await turn();
}

test("what runs and has no name is called by its word", async () => {
  await shows("sequence\n  action bark name=bark\n  wait 2.0", { marks: ["run", "ok", "run"] });
  expect(heading()).toBe("wait");
});

test("what runs is no reason for itself, and is not done instead of itself", async () => {
  const does = [
    [1, 4, "bark"],
    [5, 6, ""],
    [7, 9, "bark"],
  ] as [number, number, string][];
  const because = (text: string) => ({ does: "bark", explanation: { does: [{ text }], because: null } });
  await shows("action bark name=bark", because("`bark` is running"), does);
  expect([heading(), document.querySelectorAll(".part").length]).toEqual(["bark", 0]);
  await shows("action bark name=bark", because("`bark` is running since tick 3"), does);
  expect(document.querySelectorAll(".part").length).toBe(0);
  await shows("action bark name=bark", because("`health` is 14.0 < 20.0"), does);
  expect(document.querySelector(".part b")?.textContent).toBe("health is 14.0 < 20.0");
});

test("what it did before has the sign of its answer", async () => {
  const tree = "selector\n  action serve name=serve\n  action rest name=rest";
  const before = () => [...document.querySelectorAll(".part b")].at(-1)?.textContent?.replace(/[\d.]+ s$/, "");
  const shown = (mark: string, isCut?: 1) =>
    shows(tree, { does: "rest", marks: ["run", mark, "run"] }, [
      [1, 4, "serve", isCut],
      [5, 9, "rest"],
    ]);
  await shown("was-ok");
  expect(before()).toBe("✓ serve ");
  await shown("fail");
  expect(before()).toBe("✕ serve ");
  await shown("was-cut", 1);
  expect(before()).toBe("⊘ serve ");
  // Of a state, say, nothing is known.
  await shown("");
  expect(before()?.trim()).toBe("serve");
});

test("what ended some states ago is nothing that is done instead, and what a reload has cut off does not go on", async () => {
  const does = [
    [1, 3, "bark"],
    [4, 6, ""],
    [7, 9, "rest"],
  ] as [number, number, string][];
  const parts = () => document.querySelectorAll(".part").length;
  const one = [
    [1, 3, "awake"],
    [4, 9, "asleep"],
  ] as [number, number, string][];
  await shows("action rest name=rest", { does: "rest", marks: ["run"] }, does, one);
  expect(parts()).toBe(1);
  await shows("action rest name=rest", { does: "rest", marks: ["run"] }, does, [
    [1, 3, "awake"],
    [4, 6, "tired"],
    [7, 9, "asleep"],
  ]);
  expect(parts()).toBe(0);
  await shows("wait 1.0", { marks: [""] }, [[1, 9, "bark", 1]]);
  expect([heading(), document.querySelector(".disc.off") !== null]).toEqual(["nothing", true]);
});

test("what a reload kept and cut off stands before how long it took", async () => {
  const lines = [
    "a.kdl was read again",
    { says: "  read and checked in {} ms", with: ["3"] },
    "  swapped in a moment",
    { says: "  swapped in {} ms", with: ["1"] },
  ];
  await shows("action bark", { reloaded: { nth: 1, tick: 9, is_done: true, lines } });
  expect(document.querySelector("pre")?.textContent).toBe("  swapped in a moment");
  // How long it took is said where one points.
  expect(document.querySelector<HTMLElement>(".told")?.title).toBe("  read and checked in 3 ms\n  swapped in 1 ms");
});

test("what has become of a node is said before its whole path, in one line", async () => {
  const node = { says: "node {}: {}; aborted for 1 agent", with: ["reactive-selector/alarm/fight-or-flight/fight", "removed"] };
  const lines = ["what has changed was aborted", { says: "  {}: {}", with: ["guard", node] }];
  await shows("action bark", { reloaded: { nth: 1, tick: 9, is_done: true, lines } });
  expect(document.querySelector("pre")?.textContent).toBe(
    "  guard: node …/fight: removed; aborted for 1 agent  (reactive-selector/alarm/fight-or-flight/fight)",
  );
});

test("what a reload did goes after a time, and with Esc; that the text has errors stays, with the count before the sentence", async () => {
  vi.useFakeTimers();
  try {
    const told = () => document.querySelector(".told");
    const error = { file: "a.kdl", at: [1, 1, 1, 2], severity: "error", code: "T0001", text: { says: "an error", with: [] }, help: null };
    const shown = async (reloaded: object, draft: object | null = null): Promise<void> => {
      const done = shows("action bark", { reloaded });
      await vi.advanceTimersByTimeAsync(30);
      await done;
      model.definition.value = { ...model.definition.value, draft, problems: [] } as unknown as model.Definition;
      await vi.advanceTimersByTimeAsync(30);
    };
    await shown({ nth: 1, tick: 9, is_done: true, lines: ["everything continues"] });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(told()).not.toBe(null);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(told()).toBe(null);
    await shown({ nth: 2, tick: 9, is_done: true, lines: ["everything continues"] });
    expect(told()).not.toBe(null);
    model.dismissAll();
    await vi.advanceTimersByTimeAsync(30);
    expect(told()).toBe(null);
    await shown({ nth: 3, tick: 9, is_done: false, lines: ["it has errors"] }, { texts: [], problems: [error] });
    await vi.advanceTimersByTimeAsync(120_000);
    model.dismissAll();
    await vi.advanceTimersByTimeAsync(30);
    expect([...(told()?.children ?? [])].map((one) => one.tagName)).toEqual(["B", "BUTTON", "SPAN"]);
  } finally {
    model.closed.value = 0;
    vi.useRealTimers();
  }
});

test("the server still says how long a reload took in these words", () => {
  // A sentence that it does not say any more is not in the table.
  for (const one of TIMINGS) expect(Object.keys(words)).toContain(one);
});

test("what cannot be read is said once not to play", async () => {
  await shows("action bark", {});
  model.definition.value = {
    behaviour: null,
    texts: [],
    problems: [],
    refusal: "cannot read `a.kdl`: permission denied",
    draft: null,
  } as unknown as model.Definition;
  await turn();
  expect(document.querySelector(".does")?.textContent).toBe("Cannot play");
  expect(document.querySelector(".part")?.textContent).toBe("cannot read a.kdl: permission denied");
});
