// The form in which one says what a new transition waits for.

import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import type { Ask } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { newTransition, TransitionForm } from "../src/graph/popup";

const turn = () => new Promise((done) => setTimeout(done, 20));

test("a new transition waits for the end of what its state does", async () => {
  render(h(TransitionForm, null), document.body);
  newTransition(3, 4, 10, 10);
  await turn();
  const form = document.querySelector("form.popup") as HTMLFormElement;
  const done = form.querySelector<HTMLSelectElement>("select[name=done]") as HTMLSelectElement;
  expect([...done.options].map((one) => one.value)).toEqual(["", "any", "success", "failure"]);
  done.value = "failure";
  form.querySelector<HTMLInputElement>("input[name=when]")?.setAttribute("value", "health < 20");
  form.requestSubmit();
  await turn();
  const edits = sent.filter((one) => one.say === "edit");
  expect(edits).toEqual([{ say: "edit", edit: { do: "add-transition", from: 3, to: 4, trigger: 'when="health < 20" done=failure' } }]);
});
