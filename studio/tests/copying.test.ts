import { expect, test } from "vitest";
import { bare } from "../src/edit/actions";
import * as sheet from "../src/edit/sheet";
import { wordOf } from "../src/edit/worth";
import type { Sheet, SheetNode, Words } from "../src/protocol";

/** The text of the node that begins with some letters and ends with others. */
function copied(text: string, from: string, to: string): string {
  sheet.sheet.value = { files: [{ text }], nodes: [] } as unknown as Sheet;
  const place = (at: number): [number, number] => {
    const before = text.slice(0, at).split("\n");
    return [before.length, before[before.length - 1].length];
  };
  const start = text.indexOf(from);
  return sheet.textOf({ file: 0, at: [...place(start), ...place(text.indexOf(to, start) + to.length)] } as unknown as SheetNode);
}

test("a node is copied with the comments right above it and behind it", () => {
  const text = [
    "// not this",
    "",
    "  /* of",
    "     two lines */",
    "  // why",
    "  wait 1 // it hurts",
    "  wait 2; wait 3 /* a */ /* b */",
    "  // other */",
    "  selector {",
    "    wait 4",
    "  } /* end */",
  ].join("\n");
  expect(copied(text, "wait 1", "1")).toBe("/* of\n   two lines */\n// why\nwait 1 // it hurts");
  expect(copied(text, "wait 2", "2")).toBe("wait 2");
  expect(copied(text, "wait 3", "3")).toBe("wait 3");
  expect(copied(text, "selector", "}")).toBe("// other */\nselector {\n  wait 4\n} /* end */");
  expect(copied(text, "wait 4", "4")).toBe("wait 4");
  expect(copied("wait 1 /* a */\nwait 2", "wait 2", "2")).toBe("wait 2");
  // What reaches further left than the node stays as it is.
  expect(copied('  log """\n a\n """', "log", '"""\n a\n """')).toBe('log """\n a\n """');
});

test("what a chat has put into a fence is pasted without it", () => {
  expect(bare("```kdl\nwait 1\n  wait 2\n```\n")).toBe("wait 1\n  wait 2");
  expect(bare("\n  ```\nwait 1\n  ```")).toBe("wait 1");
  expect(bare("```\r\nwait 1\r\n```")).toBe("wait 1");
  for (const text of ["wait 1", "say ```\n", "say here\n```\nwait 1\n```"]) expect(bare(text)).toBe(text);
});

test("a question and a test of the document are told apart", () => {
  const word = (purpose: string, place: string) => ({ name: "test", purpose, place, is_node: false, properties: [] });
  const words = [word("declares", "at the top of a document"), word("asks", "in a decision tree")];
  sheet.heardWords.value = { words, of_nodes: [], curves: [] } as unknown as Words;
  const of = (role: string) => wordOf({ word: "test", role } as SheetNode)?.purpose;
  expect([of("question"), of("definition")]).toEqual(["asks", "declares"]);
});
