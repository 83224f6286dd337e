// Whether every block of the book that has a button plays: each is read and played for a few ticks by the WebAssembly of the
// built site. Usage: node blocks.mjs SITE. It prints how many there are, and what is wrong with the others.

import { readdirSync, readFileSync } from "node:fs";
import { open } from "./wasm.mjs";
import "./whole.js";

const TICKS = 5;
const [site] = process.argv.slice(2);
const { wasm, give, bytes } = await open(site);

/** Why a text does not play; an empty text if it does. */
function refusal(name, text) {
  give(`${name}\0${text}`);
  wasm.put();
  give(`${name}\0${TICKS}\x000`);
  const made = bytes(wasm.play());
  return made[0] === 1 ? made.subarray(1).toString() : "";
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&amp;": "&" };
const unescaped = (text) => text.replace(/&(lt|gt|quot|#39|#x27|amp);/g, (one) => entities[one]);

/** The blocks of a page. */
function blocks(page) {
  const text = readFileSync(`${site}/${page}`, "utf8");
  return [...text.matchAll(/<code class="language-kdl[^"]*">([\s\S]*?)<\/code>/g)].map(([, block]) => unescaped(block));
}

const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const shared = blocks("docs/nodes/index.html").at(-1);
let [played, refused, parts] = [0, 0, 0];
for (const page of pages.sort()) {
  const before = [];
  for (const text of blocks(page)) {
    const isOf = (folder) => page.startsWith(`docs/${folder}/`);
    const made = globalThis.treemindWhole(text, [...before], isOf("codes") ? null : isOf("nodes") ? shared : "");
    before.push(text);
    if (made?.why) parts += 1;
    if (!made?.text) continue;
    // What pages about mistakes show has them.
    const why = isOf("codes") ? "" : refusal(`my/${played + refused}.kdl`, made.text);
    if (why === "") {
      played += 1;
    } else {
      refused += 1;
      console.log(`${page}: ${why.trim()}\n${made.text}`);
    }
  }
}
console.log(`${played} blocks play, ${refused} do not, ${parts} say why not`);
process.exitCode = refused > 0 ? 1 : 0;
