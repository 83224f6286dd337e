import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ask as Asked, Edit, Sheet, SheetNode, Word, Words } from "../src/protocol";

const sent = vi.hoisted(() => [] as Asked[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Asked) => sent.push(of),
  trySay: (of: Asked) => sent.push(of) > 0,
}));

import * as acts from "../src/edit/actions";
import { Ask, Kinds } from "../src/edit/menu";
import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import { popup, TransitionForm } from "../src/graph/popup";
import { language } from "../src/texts";

const turn = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const node = (id: number, depth: number, role: string, word: string, values: string[] = []): SheetNode =>
  ({ id, depth, role, word, values, properties: [], at: [1, 0, 1, 1], file: 0, comment: "", is_disabled: false }) as unknown as SheetNode;
const word = (name: string): Word =>
  ({ name, purpose: `does ${name}`, place: "in a tree", is_node: true, properties: [] }) as unknown as Word;
const tries = () => sent.filter((one) => one.say === "try");
/** Answers all that was asked and not answered yet. */
function answer(why: (edit: Edit) => string | null): void {
  for (const one of tries()) if (one.say === "try") trial.hear({ nth: one.nth, why: why(one.edit) });
  sent.length = 0;
}

beforeEach(() => {
  [sent.length, language.value] = [0, "en"];
  // Without a window above, happy-dom has no dialogs that can be shown.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => render(null, document.body));

test("a name that is refused stays where it was typed, with the reason beside it", async () => {
  acts.question.value = { label: "Rename", value: "go", edit: (name) => ({ do: "rename", id: 3, name }) };
  render(h(Ask, {}), document.body);
  await turn();
  const field = () => document.querySelector<HTMLInputElement>("dialog input");
  const enter = () => document.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  const typed = field() as HTMLInputElement;
  typed.value = "two words";
  enter();
  answer(() => "no such name");
  await turn();
  expect([field()?.value, document.querySelector("[role=alert]")?.textContent]).toEqual(["two words", "no such name"]);
  expect(sent).toEqual([]);
  typed.value = "walk";
  typed.dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  expect(document.querySelector("[role=alert]")).toBe(null);
  enter();
  answer(() => null);
  await turn();
  // Only now it is done, and the window is gone.
  expect(field()).toBe(null);
});

test("kinds that a node cannot become are behind the others, and say why", async () => {
  sheet.sheet.value = { revision: 1, nodes: [node(1, 0, "definition", "tree"), node(2, 1, "task", "sequence")] } as unknown as Sheet;
  sheet.heardWords.value = { words: ["action", "sequence", "selector"].map(word), of_nodes: [], curves: [] } as unknown as Words;
  acts.changing.value = 2;
  render(h(Kinds, {}), document.body);
  await turn(200);
  answer((edit) => (edit.do === "change-kind" && edit.word === "action" ? "`action` takes no children" : null));
  await turn();
  const rows = [...document.querySelectorAll("[role=option]")];
  expect(rows.map((one) => [one.getAttribute("aria-disabled"), one.querySelector("small")?.textContent])).toEqual([
    [null, "does sequence"],
    [null, "does selector"],
    ["true", "action takes no children"],
  ]);
  (rows[2] as HTMLElement).click();
  answer(() => "`action` takes no children");
  await turn();
  expect(document.querySelector("dialog [role=alert]")?.textContent).toBe("action takes no children");
  (document.querySelectorAll("[role=option]")[1] as HTMLElement).click();
  const asked = tries()[0];
  expect(asked?.say === "try" && asked.edit).toEqual({ do: "change-kind", id: 2, word: "selector" });
  acts.changing.value = null;
});

test("a history is offered only where a transition may have one", async () => {
  const of = node(5, 2, "transition", "transition");
  sheet.sheet.value = { revision: 2, nodes: [of] } as unknown as Sheet;
  popup.value = { x: 0, y: 0, of };
  render(h(TransitionForm, {}), document.body);
  await turn(200);
  expect(tries().length).toBe(2);
  answer(() => "`b` has no states inside, so it has no history");
  await turn();
  expect(document.querySelector("select[name=history]")).toBe(null);
  sheet.sheet.value = { revision: 3, nodes: [of] } as unknown as Sheet;
  await turn(200);
  answer((edit) => (edit.do === "set-history" && edit.depth === "deep" ? "not so deep" : null));
  await turn();
  const offered = [...document.querySelectorAll<HTMLOptionElement>("select[name=history] option")];
  expect(offered.map((one) => one.value)).toEqual(["", "shallow"]);
  popup.value = null;
});
