import { h, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const said: object[] = [];
vi.mock("../src/wire/wire", () => ({ say: (what: object) => said.push(what), open: () => undefined, lookAgain: () => undefined }));

import { Begin, CopyOfIt, canMake, fileOf } from "../src/panels/begin";
import * as folders from "../src/panels/folders";
import * as model from "../src/wire/model";

const turn = () => new Promise((done) => setTimeout(done, 20));
const field = (): HTMLInputElement => document.querySelector(".begin input") as HTMLInputElement;
const button = (): HTMLButtonElement => document.querySelector(".begin button") as HTMLButtonElement;

async function type(text: string): Promise<void> {
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
  await turn();
}

beforeEach(async () => {
  [canMake.value, folders.first.value] = [true, "trees"];
  said.length = 0;
  render(h(Begin, {}), document.body);
  await turn();
});
afterEach(() => render(null, document.body));

test("a document ends with .kdl, whatever was typed", () => {
  expect(["hero", " hero ", "hero.", "hero.kdl", "hero.KDL", "bosses/ogre", "v1.2"].map(fileOf)).toEqual([
    ...Array(5).fill("hero.kdl"),
    "bosses/ogre.kdl",
    "v1.2.kdl",
  ]);
  expect(["", "  ", ".kdl", "bosses/", "bosses/.kdl"].map(fileOf)).toEqual(Array(5).fill(""));
});

test("the name of the file is shown before it is made", async () => {
  await type("hero");
  expect(document.getElementById(field().getAttribute("aria-describedby") as string)?.textContent).toContain("hero.kdl in trees");
  button().click();
  expect(said).toEqual([{ say: "make", name: "hero.kdl", folder: "", origin: { of: "tree" } }]);
});

test("without a name, nothing is made, and that is said", async () => {
  await type(" ");
  expect([button().disabled, button().title]).toEqual([true, "A name is needed first."]);
  expect(document.querySelector("#makes-file")?.textContent).toBe("A name is needed first.");
});

test("what cannot be changed can be copied to where it can", async () => {
  model.view.value = { file: "01-guard/guard.kdl" } as unknown as model.View;
  render(h(CopyOfIt, {}), document.body);
  await turn();
  document.querySelector<HTMLButtonElement>(".copy-of-it")?.click();
  expect(said).toEqual([{ say: "make", name: "guard.kdl", folder: "", origin: { of: "copy", file: "01-guard/guard.kdl" } }]);
  // A recording has no copy that could be edited.
  model.view.value = { file: "night.mcap" } as unknown as model.View;
  await turn();
  expect(document.querySelector(".copy-of-it")).toBe(null);
});
