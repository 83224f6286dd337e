// Whoever types the text stays in it, whatever becomes of what plays meanwhile.

import { beforeEach, expect, test, vi } from "vitest";

const heard = vi.hoisted(() => ({ now: null as Heard | null }));
vi.mock("../src/wire/carrier", () => ({
  isAlone: false,
  patience: { ms: 0 },
  carry: (of: typeof heard.now) => {
    heard.now = of;
    return { send: () => true, close: () => undefined };
  },
}));

import * as sheet from "../src/edit/sheet";
import { left } from "../src/edit/typing";
import { type Sheet, VERSION } from "../src/protocol";
import type { Heard } from "../src/wire/carrier";
import * as model from "../src/wire/model";
import { begin } from "../src/wire/wire";

const say = (message: object) => heard.now?.message(JSON.stringify(message));
let state = 0;

/** The program says what plays: nothing, the document, or an older one because this has mistakes. */
function plays(of: { behaviour: boolean; draft?: boolean; file?: string }): void {
  state += 1;
  const behaviour = of.behaviour ? { name: "cat", word: "tree", lines: [], keys: [] } : null;
  const draft = of.draft ? { texts: [], problems: [] } : null;
  const definition = { behaviour, draft, texts: [], problems: [], refusal: of.behaviour ? null : "nothing plays", names: [], places: [] };
  const view = { kind: "view", file: of.file ?? "own.kdl", nth: 1, state, mind: 0, tick: 1, opened: 1, agents: [], held: [], keys: [] };
  say({ ...view, is_paused: true, breakpoints: [], hits: [], tests: null, earlier: null, definition });
}

beforeEach(async () => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  await begin();
  heard.now?.open();
  const hello = { version: VERSION, start: "1", files: ["own.kdl", "b.kdl"], may_edit: true, can_make: false, has_previews: false };
  say({ kind: "hello", ...hello, folder: "", is_folder_empty: false, you: "1" });
  [model.file.value, sheet.writes.value] = ["own.kdl", false];
});

test("when a document plays for the first time, who types goes on typing", () => {
  plays({ behaviour: false });
  expect(model.panel.value).toBe("text");
  plays({ behaviour: true });
  expect(model.panel.value).toBe("graph");
  plays({ behaviour: false });
  sheet.writes.value = true;
  plays({ behaviour: true });
  expect(model.panel.value).toBe("text");
  // Another document is another text.
  plays({ behaviour: true, file: "b.kdl" });
  expect(model.panel.value).toBe("graph");
});

test("when the mistakes for which the text was shown are gone, too", () => {
  plays({ behaviour: true });
  model.panel.value = "graph";
  plays({ behaviour: true, draft: true });
  expect(model.panel.value).toBe("text");
  plays({ behaviour: true });
  expect(model.panel.value).toBe("graph");
  plays({ behaviour: true, draft: true });
  sheet.writes.value = true;
  plays({ behaviour: true });
  expect(model.panel.value).toBe("text");
});

test("edits that are not on disk are offered when another program is there, and not when the same one is", () => {
  const hello = (start: string) => {
    const of = { version: VERSION, start, files: ["own.kdl"], may_edit: true, can_make: false, has_previews: false };
    say({ kind: "hello", ...of, folder: "", is_folder_empty: false, you: "1" });
  };
  const has = (text: string, is_saved: boolean, name = "own.kdl", saved?: string): void => {
    const none = { nodes: [], keys: [], leaves: [], problems: [], done: [], undo: null, selection: null };
    sheet.take({ revision: ++state, files: [{ name, text, is_whole: true, is_saved, saved }], ...none } as unknown as Sheet);
  };
  const edits = (): void => {
    has("wait 1\n", true);
    has("wait 1\nwait 7\n", false);
    heard.now?.close("");
  };
  vi.useFakeTimers();
  hello("1");
  edits();
  hello("1");
  expect(left.value.size).toBe(0);
  edits();
  hello("2");
  expect(left.value.get("own.kdl")).toEqual({ bases: ["wait 1\n"], of: "own.kdl", isLost: false, shown: "wait 1\nwait 7\n" });
  has("wait 1\nwait 7\n", true);
  expect(left.value.size).toBe(0);
  heard.now?.close("");
  hello("3");
  expect(left.value.size).toBe(0);
  // A page that is loaded while something is not saved is told what is on disk.
  has("wait 9\n", false, "late.kdl", "wait 8\n");
  heard.now?.close("");
  hello("4");
  expect(left.value.get("late.kdl")?.bases).toEqual(["wait 8\n"]);
  vi.useRealTimers();
});
