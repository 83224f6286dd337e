import { expect, test, vi } from "vitest";

let hear: (text: string) => void = () => {};
vi.mock("../src/wire/carrier", () => ({
  isAlone: false,
  carry: (heard: { message: (text: string) => void }) => {
    hear = heard.message;
    return { send: () => true, close: () => {} };
  },
  patience: {},
}));

import { VERSION } from "../src/protocol";
import * as model from "../src/wire/model";
import { comeBack, leave } from "../src/wire/panel";
import { begin } from "../src/wire/wire";

test("a page that is loaded again shows the document as it was left", async () => {
  model.view.value = { file: "a.kdl" } as unknown as model.View;
  model.panel.value = "edit";
  leave();
  [model.panel.value, model.view.value] = ["graph", null];
  // Another document begins with its graph.
  comeBack("b.kdl");
  expect(model.panel.value).toBe("graph");
  await begin();
  const hello = { kind: "hello", version: VERSION, start: "1", files: ["a.kdl"], folder: "", you: "x", may_edit: true };
  hear(JSON.stringify(hello));
  expect(model.panel.value).toBe("edit");
  // Whoever has gone elsewhere in the meantime is left there when the program comes back.
  model.panel.value = "graph";
  hear(JSON.stringify({ ...hello, start: "2" }));
  expect(model.panel.value).toBe("graph");
});
