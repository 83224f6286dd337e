// Finds out which functions of the WebAssembly a page uses at once: it plays a session as pages have it, without a browser,
// with a module in which every function leaves a mark. Usage: node profile.mjs MARKED.wasm EXAMPLES.json COUNT. It prints the
// numbers of the functions that were called.

import { readFileSync } from "node:fs";
import { begin } from "./wasm.mjs";

const [code, examples, count] = process.argv.slice(2);
/** The clock of the page: each question takes a twentieth of a second. */
let now = 1.7e12;
const { wasm, give, text } = await begin(code, () => {}, () => now);

/** Asks, and returns the last answer. */
function ask(question) {
  give(JSON.stringify(question));
  wasm.hear();
  let last = null;
  now += 50;
  wasm.turn();
  for (let length = wasm.answer(); length > 0; length = wasm.answer()) last = JSON.parse(text(length));
  for (let length = wasm.written(); length > 0; length = wasm.written()) text(length);
  return last;
}

let nth = 0;
let seen = { state: 0, opened: 0, mind: 0, tick: 0 };
function look(file, mind, isFresh, wanted = {}) {
  nth += 1;
  const has = isFresh ? { state: 0, opened: 0, mind: 0 } : seen;
  const about = { file, mind, seen: has.state, opened: has.opened, defined: has.mind, since: isFresh ? 0 : seen.tick, fills: 0 };
  const view = ask({
    say: "look",
    delta: true,
    nth,
    ...about,
    node: 2,
    language: "en",
    find: "",
    where: "",
    longest: false,
    hits: isFresh ? Number.MAX_SAFE_INTEGER : 0,
    worth: [],
    planner: null,
    what_if: null,
    sheet: null,
    map: null,
    tests: null,
    earlier: 0,
    ...wanted,
  });
  if (view?.kind === "view") seen = { ...seen, ...view };
  return view;
}

/** Types into the text of a document as somebody does who tries it: another number, a word that is not finished, and back. */
function type(file) {
  ask({ say: "play" });
  let sheet = null;
  for (let tick = 0; tick < 5 && !sheet; tick += 1) sheet = look(file, 0, true, { sheet: 0 })?.sheet;
  const own = sheet?.files?.[0]?.text ?? "";
  // In the code, not in a sentence about it.
  const found = /[<>] (\d+)/.exec(own) ?? /=(\d+)/.exec(own);
  if (!found) return;
  const from = found.index + found[0].length - found[1].length;
  let end = from + found[1].length;
  const lines = own.slice(0, from).split("\n");
  const piece = (begin, to, letters) => {
    ask({ say: "edit", edit: { do: "type", file: 0, from: begin, to, text: letters, since: sheet?.revision } });
    for (let tick = 0; tick < 8; tick += 1) sheet = look(file, 0, false, { sheet: sheet?.revision ?? 0 })?.sheet ?? sheet;
  };
  piece(from, end, "6");
  piece(from + 1, from + 1, "0");
  end = from + 2;
  for (const letter of " && hea") {
    piece(end, end, letter);
    end += 1;
  }
  const column = lines.at(-1).length + end - from;
  ask({ say: "complete", nth, caret: { in: "text", file: 0, line: lines.length, column, typed: null } });
  piece(end - 1, end, "");
  piece(from, end - 1, found[1]);
  ask({ say: "chosen", ids: [4] });
  ask({ say: "reveal", file, line: lines.length, column });
}

const files = JSON.parse(readFileSync(examples, "utf8"));
for (const [name, content] of files) {
  give(`${name}\0${content}`);
  wasm.put();
}
wasm.begin(0);
const documents = files.map(([name]) => name).filter((name) => name.endsWith(".kdl"));
ask({ say: "hello" });
ask({ say: "words" });
for (const file of documents) ask({ say: "preview", file });
for (const file of documents) {
  look(file, 0, true);
  // Long enough that what begins also ends.
  for (let tick = 0; tick < 340; tick += 1) {
    const mind = tick > 90 && tick < 120 ? 1 : 0;
    look(file, mind, false, { node: tick % 12, language: tick % 50 < 40 ? "en" : "zh" });
  }
  ask({ say: "go", tick: 190 });
  for (let tick = 0; tick < 20; tick += 1) look(file, 0, false);
  for (const say of ["step", "back", "play", "pause"]) {
    ask({ say });
    look(file, 0, false);
  }
  ask({ say: "go", tick: 40 });
  for (let tick = 0; tick < 5; tick += 1) look(file, 0, false);
  type(file);
}
const called = [];
for (let one = 0; one < Number(count); one += 1) if (wasm[`h${one}`].value === 1) called.push(one);
console.log(called.join(" "));
