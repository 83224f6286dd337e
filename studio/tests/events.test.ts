import { expect, test, vi } from "vitest";
import type { Ask } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  choose: () => undefined,
  open: () => undefined,
  lookAgain: () => undefined,
}));

import { isKey } from "../src/keys";
import { follow } from "../src/panels/breakpoints";
import * as model from "../src/wire/model";
import { linesOf } from "./lines";

const shows = (nth: number, line: string): void => {
  model.view.value = { file: "a.kdl", mind: 0, tick: 7, event: { nth, of: 3, text: "", line } } as unknown as model.View;
  follow();
};

test("event by event, another line can be selected until the next event is shown", () => {
  const behaviour = { name: "it", word: "tree", lines: linesOf("sequence\n  action a\n  action b"), keys: [], events: [], thresholds: [] };
  model.definition.value = { behaviour } as unknown as model.Definition;
  shows(1, "n1");
  expect(model.selected.value).toBe("n1");
  model.selected.value = "n0";
  shows(1, "n1");
  expect(model.selected.value).toBe("n0");
  shows(2, "n2");
  expect(model.selected.value).toBe("n2");
});

test("Escape shows the whole tick again", () => {
  shows(1, "n1");
  sent.length = 0;
  const event = new KeyboardEvent("keydown", { key: "Escape" });
  document.body.dispatchEvent(event);
  expect(isKey(event)).toBe(true);
  expect(sent).toEqual([{ say: "go", tick: 7 }]);
  model.view.value = null;
});
