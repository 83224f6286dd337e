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

async function bring(name: string, bytes: BlobPart): Promise<void> {
  const input = document.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(input, "files", { configurable: true, value: [new File([bytes], name)] });
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await turn();
}

test("why an import fails shows names as code, and what is no text is not sent", async () => {
  await bring("zh.xml", "<root/> 守卫");
  expect(said).toEqual([{ say: "make", name: "zh.kdl", folder: "", origin: { of: "import", from: "zh.xml", text: "<root/> 守卫" } }]);
  model.refused.value = { says: "{}: {}", with: ["zh.xml", { says: "`{}` needs at least one child", with: ["Fallback"] }] };
  await turn();
  expect(document.querySelector(".begin .fail")?.innerHTML).toBe("zh.xml: <code>Fallback</code> needs at least one child");
  said.length = 0;
  for (const bytes of [new Uint8Array([0x61, 0xff, 0xfe, 0xc3]), new Uint8Array([0x61, 0, 0x62])]) {
    await bring("rnd.csv", bytes);
    expect([said, document.querySelector(".begin .fail")?.textContent]).toEqual([
      [],
      "rnd.csv: this file is no text, or one that is not in UTF-8, so nothing can be read from it.",
    ]);
  }
  model.refused.value = "";
});
