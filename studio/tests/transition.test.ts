// The form in which one says what a new transition waits for.

import { h, render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import type { Ask, Said, Sheet } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import * as sheet from "../src/edit/sheet";
import * as trial from "../src/edit/trial";
import { newTransition, popup, TransitionForm } from "../src/graph/popup";

const turn = () => new Promise((done) => setTimeout(done, 20));
const form = () => document.querySelector("form.popup") as HTMLFormElement;
const field = (name: string) => form().querySelector(`[name=${name}]`) as HTMLInputElement;
const edits = () => sent.filter((one) => one.say === "edit");
async function answer(why: Said | null): Promise<number> {
  const tries = sent.splice(0).filter((one) => one.say === "try");
  for (const one of tries) trial.hear({ nth: one.nth, why });
  await turn();
  return tries.length;
}

beforeEach(async () => {
  sent.length = 0;
  render(h(TransitionForm, null), document.body);
  newTransition(3, 4, 10, 10);
  await turn();
});

test("a new transition waits for the end of what its state does", async () => {
  const done = form().querySelector<HTMLSelectElement>("select[name=done]") as HTMLSelectElement;
  expect([...done.options].map((one) => one.value)).toEqual(["", "any", "success", "failure"]);
  done.value = "failure";
  field("when").setAttribute("value", "health < 20");
  form().requestSubmit();
  await turn();
  await answer(null);
  expect(edits()).toEqual([{ say: "edit", edit: { do: "add-transition", from: 3, to: 4, trigger: 'when="health < 20" done=failure' } }]);
  expect(popup.value).toBe(null);
});

test("what is refused stays in the form with the reason until it is accepted", async () => {
  field("when").value = "health < 20";
  form().requestSubmit();
  form().requestSubmit();
  expect(await answer("a transition waits for one of on=, after= and done=")).toBe(1);
  expect([edits(), field("when").value]).toEqual([[], "health < 20"]);
  expect(form().querySelector("[role=alert]")?.textContent).toContain("waits for one of");
  field("after").value = "2";
  field("after").dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
  expect(form().querySelector("[role=alert]")).toBe(null);
  form().requestSubmit();
  await answer(null);
  expect(edits()).toEqual([{ say: "edit", edit: { do: "add-transition", from: 3, to: 4, trigger: 'after=2 when="health < 20"' } }]);
  expect(form()).toBe(null);
});

test("the events that the document declares are offered", async () => {
  const leaves = [
    { kind: "event", name: "bell" },
    { kind: "action", name: "go" },
  ];
  sheet.sheet.value = { revision: 1, nodes: [], keys: [], leaves, files: [] } as unknown as Sheet;
  await turn();
  const list = document.getElementById(field("on").getAttribute("list") ?? "");
  expect([...(list?.querySelectorAll("option") ?? [])].map((one) => one.value)).toEqual(["bell"]);
  expect(field("after").closest("label")?.textContent).toContain("(s)");
});
