// The tour says what the page shows at each of its steps.

import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const said = vi.hoisted(() => [] as object[]);
vi.mock("../src/wire/wire", () => ({ say: (what: object) => said.push(what), open: () => undefined, lookAgain: () => undefined }));

import * as sheet from "../src/edit/sheet";
import * as tour from "../src/panels/tour";
import type { Sheet } from "../src/protocol";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const text = () => document.querySelector(".tour p")?.textContent ?? "";

beforeEach(async () => {
  [language.value, model.panel.value, sheet.sheet.value, said.length] = ["en", "graph", null, 0];
  model.view.value = { file: "guard.kdl", tick: 1, is_paused: true } as unknown as model.View;
  render(h(tour.Tour, {}), document.body);
});
afterEach(() => {
  tour.step.value = null;
  render(null, document.body);
});

test("what the game writes again is seen because it plays", async () => {
  tour.step.value = 3;
  await vi.waitFor(() => expect(text()).toContain("Hold 10"));
  await vi.waitFor(() => expect(said).toEqual([{ say: "play" }]));
});

test("the last step shows the editor, and speaks of what can be changed there", async () => {
  tour.step.value = 4;
  await vi.waitFor(() => expect(model.panel.value).toBe("edit"));
  // An example of the program cannot be changed.
  await vi.waitFor(() => expect(text()).toContain("stay as they are"));
  sheet.sheet.value = { nodes: [], files: [] } as unknown as Sheet;
  await vi.waitFor(() => expect(text()).toContain("change it at the right"));
  tour.step.value = 3;
  await vi.waitFor(() => expect(model.panel.value).toBe("graph"));
});
