// While there is no connection, a cell keeps what was typed, and says that it is not written.

import { h, render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import type { Ask } from "../src/protocol";

const sent = vi.hoisted(() => [] as Ask[]);
vi.mock("../src/wire/wire", () => ({ say: (of: Ask) => sent.push(of), trySay: (of: Ask) => sent.push(of) > 0 }));

import { Cell } from "../src/edit/cells";
import * as trial from "../src/edit/trial";

const turn = () => new Promise((done) => setTimeout(done, 30));
afterEach(() => {
  render(null, document.body);
  trial.forget();
});

test("a cell keeps what was typed without a connection, with the reason, and writes it later", async () => {
  const written: string[] = [];
  render(h(Cell, { label: "name", value: "1", write: (text: string) => written.push(text) }), document.body);
  const field = document.querySelector("input") as HTMLInputElement;
  const leave = async (text: string): Promise<void> => {
    field.focus();
    field.value = text;
    field.blur();
    await turn();
  };
  trial.cut("no connection");
  await leave("2");
  expect([written, field.value, document.querySelector("[role=alert]")?.textContent]).toEqual([[], "2", "no connection"]);
  trial.forget();
  await leave("2");
  expect([written, field.value]).toEqual([["2"], "2"]);
});

test("who has asked whether something can be done hears that the connection broke off", () => {
  const heard: unknown[] = [];
  const edit = { do: "rename", id: 7, name: "life" } as const;
  trial.may(edit, (why) => heard.push(why));
  expect(heard).toEqual([]);
  trial.cut("no connection");
  trial.may(edit, (why) => heard.push(why));
  expect(heard).toEqual(["no connection", "no connection"]);
  sent.length = 0;
  trial.forget();
  trial.may(edit, (why) => heard.push(why));
  expect([heard.length, sent.length]).toEqual([2, 1]);
});
