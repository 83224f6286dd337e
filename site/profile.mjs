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
  return last;
}

let nth = 0;
let seen = { state: 0, opened: 0, mind: 0, tick: 0 };
function look(file, mind, isFresh) {
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
    hits: 0,
    worth: [],
    planner: null,
    what_if: null,
    sheet: null,
    map: null,
    tests: null,
    earlier: 0,
  });
  if (view?.kind === "view") seen = { ...seen, ...view };
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
  for (let tick = 0; tick < 120; tick += 1) look(file, tick > 90 ? 1 : 0, false);
  ask({ say: "go", tick: 190 });
  for (let tick = 0; tick < 20; tick += 1) look(file, 0, false);
  for (const say of ["step", "back", "play", "pause"]) {
    ask({ say });
    look(file, 0, false);
  }
  ask({ say: "go", tick: 40 });
  for (let tick = 0; tick < 5; tick += 1) look(file, 0, false);
}
const called = [];
for (let one = 0; one < Number(count); one += 1) if (wasm[`h${one}`].value === 1) called.push(one);
console.log(called.join(" "));
