// Measures the studio's page in Chromium: `node --experimental-websocket studio/measure.mjs target/dist/treemind`.
//
// First, a node of a tree of 1 500 is dragged about for ten seconds, while the character plays: how many frames a second
// there are, the longest, and what the main thread does in one. Then a crowd of 10 000 plays: what the main thread does for
// a view, and how much comes over the wire. Nothing else should run meanwhile. CHROMIUM names another browser.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "../site/browser.mjs";

const [program = "target/dist/treemind"] = process.argv.slice(2);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const folder = mkdtempSync(join(tmpdir(), "treemind-measure-"));

const { program: browser, ask, value, holds } = await chromium(join(folder, "profile"));
const spent = async () => Object.fromEntries((await ask("Performance.getMetrics")).metrics.map((one) => [one.name, one.value]));
const PARTS = ["Task", "Script", "Layout", "RecalcStyle"];

/** What the main thread has done between two moments, for each of so many. */
const between = (from, to, count) =>
  PARTS.map((part) => `${part} ${(((to[`${part}Duration`] - from[`${part}Duration`]) / count) * 1000).toFixed(1)} ms`).join(", ");

await ask("Page.enable");
await ask("Performance.enable", { timeDomain: "threadTicks" });
await ask("Page.addScriptToEvaluateOnNewDocument", {
  source: `(() => { const Plain = WebSocket; [globalThis.views, globalThis.bytes] = [0, 0]; globalThis.WebSocket = class extends Plain { constructor(...of) { super(...of); this.addEventListener("message", ({ data }) => { views += 1; bytes += data.length ?? data.byteLength; }); } }; })()`,
});

/** Opens the page of the program that is started with these words, and ends the program afterwards. */
async function withPage(words, work) {
  const run = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const url = await new Promise((done) => {
      let said = "";
      for (const output of [run.stdout, run.stderr])
        output.on("data", (piece) => {
          said += piece;
          const found = said.match(/http:\/\/\S+/);
          if (found) done(found[0]);
        });
    });
    await ask("Page.navigate", { url });
    await holds("globalThis.treemind?.model.view.value");
    await work();
  } finally {
    run.kill();
  }
}

const rows = Array.from({ length: 30 }, (_, row) => `        sequence {\n${`            check "health < ${row}"\n`.repeat(49)}        }\n`);
const many = join(folder, "many.kdl");
writeFileSync(many, `blackboard { key health type=float default=100.0; }\ntree many {\n    selector {\n${rows.join("")}    }\n}\n`);
await withPage(["studio", many], async () => {
  await ask("Input.dispatchKeyEvent", { type: "keyDown", key: "E", text: "E" });
  await holds("document.querySelectorAll('.sheet .row').length > 2");
  await holds("treemind.layout()?.cards.length >= 1500");
  await sleep(2000);
  const { x, y, w, h } = await value("(({ x, y, width: w, height: h }) => ({ x, y, w, h }))(document.querySelector('.graph canvas').getBoundingClientRect())");
  const from = await value(
    "(() => { const one = treemind.sheet.sheet.value.nodes.filter((one) => one.word === 'check').map((one) => treemind.place('#' + one.id, 0.5, 0.5)).find((at) => at && at.x > 30 && at.y > 30 && at.x < 600 && at.y < 500); return one; })()",
  );
  const mouse = (type, at, buttons) => ask("Input.dispatchMouseEvent", { type, x: at.x, y: at.y, button: "left", buttons, clickCount: 1 });
  const start = { x: x + from.x, y: y + from.y };
  await mouse("mouseMoved", start, 0);
  await mouse("mousePressed", start, 1);
  await value("(() => { globalThis.frames = []; let last = performance.now(); const next = (now) => { frames.push(now - last); last = now; requestAnimationFrame(next); }; requestAnimationFrame(next); })()");
  const before = await spent();
  const begin = performance.now();
  let moves = 0;
  for (let turn = 0; performance.now() - begin < 10_000; turn += 1) {
    const at = { x: x + w * (0.5 + 0.4 * Math.cos(turn / 40)), y: y + h * (0.45 + 0.35 * Math.sin(turn / 23)) };
    await mouse("mouseMoved", at, 1);
    moves += 1;
    await sleep(Math.max(0, begin + moves * 16.6 - performance.now()));
  }
  const isDragging = await value("treemind.hands().isDragging");
  const after = await spent();
  const frames = (await value("frames")).slice(1).sort((a, b) => a - b);
  await ask("Input.dispatchKeyEvent", { type: "keyDown", key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 });
  await mouse("mouseReleased", start, 0);
  if (!isDragging) throw new Error("nothing was dragged");
  const perSecond = (frames.length / 10).toFixed(1);
  const late = frames.filter((one) => one > 25).length;
  console.log(`drag: ${moves} moves, ${perSecond} frames a second, half of them within ${frames[frames.length >> 1].toFixed(1)} ms, ${late} of ${frames.length} later than 25 ms, the longest ${frames.at(-1).toFixed(0)} ms`);
  console.log(`drag: for each frame ${between(before, after, frames.length)}`);
});

await withPage(["run", "examples/12-village/village.kdl", "--agents", "10000", "--studio"], async () => {
  await sleep(5000);
  for (let nth = 0; nth < 3; nth += 1) {
    const [before, views, bytes] = [await spent(), await value("views"), await value("bytes")];
    await sleep(8000);
    const count = (await value("views")) - views;
    const wire = ((await value("bytes")) - bytes) / 8000;
    console.log(`crowd: ${count} views in 8 s, for each ${between(before, await spent(), count)}; ${wire.toFixed(0)} KB a second`);
  }
});

browser.kill();
await new Promise((done) => browser.on("exit", done));
rmSync(folder, { recursive: true, force: true });
process.exit(0);
