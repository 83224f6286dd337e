import { expect, test, vi } from "vitest";

const said: { say: string; tick?: number; file?: string; mind?: number }[] = [];
let hear: (text: string) => void = () => {};
vi.mock("../src/wire/carrier", () => ({
  isAlone: false,
  carry: (heard: { message: (text: string) => void }) => {
    hear = heard.message;
    return { send: (text: string) => said.push(JSON.parse(text)) > 0, close: () => {} };
  },
  patience: {},
}));

test("another address goes there: to its file, its agent and its tick, as soon as the file has come", async () => {
  const wire = await import("../src/wire/wire");
  const model = await import("../src/wire/model");
  await wire.begin();
  model.files.value = ["a.kdl", "b.kdl"];
  const view = (file: string): object => ({
    kind: "view",
    nth: 0,
    file,
    mind: 0,
    tick: 9,
    state: 1,
    opened: 1,
    is_paused: true,
    hits: { last: 0, is_all: true, fresh: [] },
  });
  hear(JSON.stringify(view("a.kdl")));
  const go = (): (number | undefined)[] => said.filter((one) => one.say === "go").map((one) => one.tick);
  const turn = (hash: string): void =>
    void dispatchEvent(Object.assign(new Event("hashchange"), { newURL: `http://localhost/${hash}`, oldURL: "" }));
  turn("#tick=150");
  expect(said.at(-1)?.say).toBe("look");
  hear(JSON.stringify(view("a.kdl")));
  expect(go()).toEqual([150]);
  turn("#file=b.kdl&agent=2&tick=7");
  expect(said.at(-1)).toMatchObject({ say: "look", file: "b.kdl" });
  hear(JSON.stringify(view("a.kdl")));
  expect(go()).toEqual([150]);
  hear(JSON.stringify(view("b.kdl")));
  expect(go()).toEqual([150, 7]);
  expect(model.mind.value).toBe(1);
  // It is done once.
  hear(JSON.stringify(view("b.kdl")));
  expect(go()).toEqual([150, 7]);
  expect(model.refused.value).toBe("");
  // A file that is not there is named, and what is said of it is not about another one.
  turn("#file=c.kdl&tick=8");
  expect(said.filter((one) => one.say === "files").length).toBe(1);
  hear(JSON.stringify(view("b.kdl")));
  expect(model.refused.value).toBe("");
  hear(JSON.stringify({ kind: "files", files: ["a.kdl", "b.kdl"] }));
  hear(JSON.stringify(view("b.kdl")));
  expect(go()).toEqual([150, 7]);
  expect(model.refused.value).toBe("The address names a file that is not there: `c.kdl`");
  turn("#tick=8");
  hear(JSON.stringify(view("b.kdl")));
  expect(go()).toEqual([150, 7, 8]);
  // One that has come since the page knows the files is opened.
  turn("#file=d.kdl&tick=3");
  hear(JSON.stringify({ kind: "files", files: ["a.kdl", "b.kdl", "d.kdl"] }));
  expect(said.at(-1)).toMatchObject({ say: "look", file: "d.kdl" });
  hear(JSON.stringify(view("d.kdl")));
  expect(go()).toEqual([150, 7, 8, 3]);
  expect(model.refused.value).toBe("");
});

test("an address that the page is loaded with may name a file that is new, too", async () => {
  const { VERSION } = await import("../src/protocol");
  const model = await import("../src/wire/model");
  dispatchEvent(Object.assign(new Event("hashchange"), { newURL: "http://localhost/#file=e.kdl", oldURL: "" }));
  const hello = { kind: "hello", version: VERSION, start: "1", files: ["a.kdl", "b.kdl"], folder: "", you: "x" };
  const asked = said.length;
  hear(JSON.stringify(hello));
  expect(said.slice(asked).some((one) => one.say === "files")).toBe(true);
  hear(JSON.stringify({ kind: "files", files: ["a.kdl", "b.kdl", "e.kdl"] }));
  expect(said.at(-1)).toMatchObject({ say: "look", file: "e.kdl" });
  expect(model.file.value).toBe("e.kdl");
});
