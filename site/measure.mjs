// Measures a built site in Chromium: `node --experimental-websocket site/measure.mjs [SITE]`. How long it takes from the
// start of loading to the first tick, how many frames a second the guard has, and how many ticks a second a village of
// 20 000 plays. Nothing else should run meanwhile. CHROMIUM names another browser.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, serve } from "./browser.mjs";

const [site = "target/site"] = process.argv.slice(2);
const PEOPLE = 20_000;
const SECONDS = 20;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const server = await serve(site);
const studio = `${server.url}studio/`;

const profile = mkdtempSync(join(tmpdir(), "treemind-measure-"));
const { program, ask, value, holds } = await chromium(profile);
let opened = 0;
const open = (address) => {
  opened += 1;
  return ask("Page.navigate", { url: `${studio}?${opened}#${address}` });
};
const tick = "globalThis.treemind?.model.view.value?.tick";

await ask("Page.enable");
await ask("Page.addScriptToEvaluateOnNewDocument", {
  source: `(() => { const look = () => { if (${tick} >= 1) globalThis.first = performance.now(); else requestAnimationFrame(look); }; look(); })()`,
});
const firsts = [];
for (let nth = 0; nth < 5; nth += 1) {
  await open("file=01-guard/guard.kdl");
  await holds("globalThis.first");
  firsts.push(Math.round(await value("first")));
}
console.log(`first tick after ${firsts[0]} ms for the first time, then ${firsts.slice(1).join(", ")} ms`);
const frames = await value(
  "new Promise((done) => { let count = 0; const begin = performance.now(); const next = () => { count += 1; performance.now() - begin < 5000 ? requestAnimationFrame(next) : done(count / 5); }; next(); })",
);
console.log(`the guard has ${frames.toFixed(1)} frames a second`);
const map = JSON.parse(readFileSync(join(site, "studio/examples.json"), "utf8")).find(([name]) => name === "12-village/village.map")[1];
const kept = JSON.stringify([["12-village/village.map", map.replace(/crowd \d+/, `crowd ${PEOPLE}`)]]);
await value(`localStorage.setItem("treemind-files", ${JSON.stringify(kept)})`);
await open("file=12-village/village.kdl");
await holds(`${tick} > 20`);
const people = await value("treemind.model.view.value.scene.crowd.does.length");
const [begin, from] = [performance.now(), await value(tick)];
await sleep(SECONDS * 1000);
const ticks = (await value(tick)) - from;
console.log(`a village of ${PEOPLE}, of whom ${people} are shown, plays ${((ticks * 1000) / (performance.now() - begin)).toFixed(1)} ticks a second`);
program.kill();
server.close();
await sleep(500);
rmSync(profile, { recursive: true, force: true });
process.exit(0);
