// Learning from a table: what was chosen stays while it is refused.

import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import type { Advice, Ask } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: Ask) => sent.push(of),
  trySay: () => true,
  open: () => undefined,
  lookAgain: () => undefined,
}));

import { advice, Learn, learns } from "../src/edit/advice";
import { language } from "../src/texts";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));

test("a name that is refused stays in the dialog with the reason, and so does the table", async () => {
  language.value = "en";
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  learns.value = true;
  render(h(Learn, {}), document.body);
  await turn();
  const file = document.querySelector<HTMLInputElement>("input[type=file]");
  Object.defineProperty(file, "files", { value: [{ text: async () => "night,do\ntrue,watch\n" }] });
  file?.dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
  const name = document.querySelector<HTMLInputElement>("input[name=name]");
  if (name) name.value = "watchman";
  const learn = async () => {
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await turn();
  };
  await learn();
  expect(sent).toEqual([{ say: "advise", wanted: { wanted: "learn", table: "night,do\ntrue,watch\n", target: "do", name: "watchman" } }]);
  model.refused.value = { says: "the decision tree `{}` is in {}", with: ["watchman", "parts.kdl"] };
  await turn();
  expect(document.querySelector("[role=alert]")?.textContent).toBe("the decision tree watchman is in parts.kdl");
  expect([model.refused.value, learns.value, name?.value]).toEqual(["", true, "watchman"]);
  expect([...document.querySelectorAll("option")].map((one) => one.textContent)).toEqual(["night", "do"]);
  await learn();
  expect(document.querySelector("[role=alert]")).toBe(null);
  expect(sent.length).toBe(2);
  advice.value = { nth: 1, label: "learn", told: [], before: "", after: "x", nodes: [] } as Advice;
  await turn();
  expect(learns.value).toBe(false);
  render(null, document.body);
});
