// Lines of a behaviour for tests, from an indented text.

import type { Line } from "../src/wire/model";

/** A line for each row; two blanks are one level. The first word is its kind, `name=` its label. */
export function linesOf(text: string): Line[] {
  const of = (name: string): number => rows.findIndex((row) => row.includes(`name=${name}`));
  const rows = text.split("\n").filter((row) => row.trim() !== "");
  const least = Math.min(...rows.map((row) => row.search(/\S/)));
  return rows.map((row, nth) => {
    const words = row.trim();
    const [kind, ...rest] = (words.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ""));
    const is = kind === "state" || kind === "transition" ? kind : kind === "do" || kind === "initial" ? "part" : "node";
    const pairs = rest.filter((word) => word.includes("=")).map((word) => word.split(/=(.*)/s));
    return {
      id: `n${nth}`,
      indent: (row.search(/\S/) - least) / 2,
      text: words,
      doc: "",
      is,
      word: kind,
      values: rest.filter((word) => !word.includes("=")).map((text) => ({ text, parts: [] })),
      properties: pairs.map(([name, text]) => ({ name, text, parts: [] })),
      kind,
      targets: pairs.filter(([name]) => name === "to").map(([, state]) => `n${of(state)}`),
      label: pairs.find(([name]) => name === "name")?.[1],
    };
  });
}
