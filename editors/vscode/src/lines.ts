/** What a game that runs is doing, line by line of its texts: pure, so that it can be tested without an editor. */

/** The part of the studio's protocol (docs/studio-protocol.md) that is read here. */
export type Definition = {
  texts: { name: string }[];
  places: ([file: number, line: number, ...rest: number[]] | null)[];
  behaviour: { lines: { id: string }[] } | null;
};

export type View = {
  kind: "view";
  state: number;
  opened: number;
  tick: number;
  definition?: Definition;
  marks: (string | [string, string])[];
};

/** A place in a text: its file as the studio names it, its line (from 1), and its column (from 0). */
export type Place = { file: string; line: number; column: number };

/** What a line of a text shows. */
export type LineState = "run" | "ok" | "fail";

/** The lines (from 0) of one file that have a mark now. Where several nodes stand on a line, what runs counts most. */
export function linesOf(definition: Definition, marks: View["marks"], file: string): Map<number, LineState> {
  const number = definition.texts.findIndex((text) => isSame(text.name, file));
  const lines = new Map<number, LineState>();
  definition.places.forEach((place, at) => {
    const mark = marks[at];
    const word = typeof mark === "string" ? mark : mark?.[0];
    const state = stateOf(word ?? "");
    if (!place || !state || place[0] !== number) return;
    const line = place[1] - 1;
    if (rank(state) > rank(lines.get(line))) lines.set(line, state);
  });
  return lines;
}

function stateOf(word: string): LineState | null {
  if (word === "run" || word === "entered") return "run";
  if (word === "ok" || word === "fail") return word;
  return null;
}

function rank(state: LineState | undefined): number {
  return state ? { fail: 1, ok: 2, run: 3 }[state] : 0;
}

/** Whether two names are of the same file: a game names its files from its own folder. */
export function isSame(name: string, file: string): boolean {
  const parts = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  const [short, long] = [parts(name), parts(file)];
  return short.length > 0 && short.every((part, at) => part === long[long.length - short.length + at]);
}

/** The id of the innermost line of a definition at a line of a file (from 1): as the studio's addresses name it. */
export function nodeAt(definition: Definition, file: string, line: number): string | null {
  const number = definition.texts.findIndex((text) => isSame(text.name, file));
  let found: string | null = null;
  let start = 0;
  definition.places.forEach((place, at) => {
    const id = definition.behaviour?.lines[at]?.id;
    if (place && id && place[0] === number && place[1] <= line && place[1] >= start) {
      found = id;
      start = place[1];
    }
  });
  return found;
}

/** The address of a studio's page with something that it goes to. */
export function addressOf(url: string, what: "node" | "test", id: string): string {
  return `${url}${url.includes("#") ? "&" : "#"}${what}=${encodeURIComponent(id)}`;
}

/** The file that a studio means by a name: one of those that are known, or the name itself if it is a whole path. */
export function fileOf(name: string, known: string[]): string | null {
  return known.find((file) => isSame(name, file)) ?? (/^([\\/]|[A-Za-z]:)/.test(name) ? name : null);
}

/** The address of the socket of a studio's page. */
export function socketOf(url: string): string {
  const page = new URL(url);
  const token = new URLSearchParams(page.hash.slice(1)).get("token");
  return `ws://${page.host}/socket${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}
