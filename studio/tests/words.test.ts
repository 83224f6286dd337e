import { expect, test } from "vitest";
import { glyphs, markWord, sign, toneOf } from "../src/parts/marks";
import { language, t } from "../src/texts";
import type { Mark } from "../src/wire/model";

test("every mark has a drawing and a word in both languages", () => {
  const marks = Object.keys(glyphs) as Mark[];
  const shown = marks.filter((mark): mark is Exclude<Mark, ""> => mark !== "");
  for (const of of ["en", "zh"] as const) {
    language.value = of;
    for (const mark of shown) expect(markWord(mark), mark).not.toMatch(/undefined|^$/);
  }
  language.value = "en";
  expect(markWord("was-ok")).toBe(`${t("success")} (${t("before")})`);
});

test("what is over is pale, what was cut off is not", () => {
  expect(toneOf("was-run")).toBe("faint");
  expect(toneOf("left")).toBe("cut");
  expect(toneOf("was-left")).toBe("faint");
  expect(toneOf("entered")).toBe("run");
});

test("reactive nodes have the sign of their plain sisters, with a turn", () => {
  expect(sign("reactive-selector")).toBe(`${sign("selector")}↻`);
  expect(sign("parallel-all")).toBe(sign("parallel"));
  expect(sign("something-new")).toBe("◇");
});

test("no text takes the place of another one of the same name", () => {
  const tables = import.meta.glob<string>("../src/texts/*.ts", { query: "?raw", import: "default", eager: true });
  const names = Object.values(tables).flatMap((table) => [...table.matchAll(/^ {2}(\w+): \[/gm)].map((one) => one[1]));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});

test("Chinese has full-width punctuation", () => {
  const tables = import.meta.glob<string>("../src/texts/*.ts", { query: "?raw", import: "default", eager: true });
  const source = Object.values(tables).join("\n");
  expect(source.length).toBeGreaterThan(5000);
  expect(source.match(/[\u4e00-\u9fff”」）][,;:?!].*/g)).toBeNull();
});
