// Opens a built site in Firefox, by hand: `node --experimental-websocket site/firefox.mjs [SITE] [FIREFOX]`. On Debian,
// `apt-get install firefox-esr` installs it. It watches the guard flee at tick 190, changes one number of its tree, and
// watches it flee earlier; then the site has to work without its server. The site is served below a path of its own.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

const [site = "target/site", program = "firefox-esr"] = process.argv.slice(2);
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };

let isDown = false;
const server = createServer((ask, answer) => {
  const name = new URL(ask.url, "http://a").pathname.replace(/^\/below\//, "").replace(/(^|\/)$/, "$1index.html");
  try {
    if (isDown) throw new Error("down");
    const bytes = readFileSync(join(site, name));
    answer.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" });
    answer.end(bytes);
  } catch {
    answer.writeHead(isDown ? 503 : 404);
    answer.end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/below/studio/`;

const profile = mkdtempSync(join(tmpdir(), "treemind-firefox-"));
const firefox = spawn(program, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"]);
const end = (status) => {
  firefox.kill();
  server.close();
  rmSync(profile, { recursive: true, force: true });
  process.exit(status);
};
setTimeout(() => {
  console.error("Firefox takes longer than two minutes");
  end(1);
}, 120_000);
const address = await new Promise((done, fail) => {
  let said = "";
  firefox.on("error", fail);
  firefox.stderr.on("data", (piece) => {
    said += piece;
    const found = said.match(/WebDriver BiDi listening on (ws:\S+)/);
    if (found) done(`${found[1]}/session`);
  });
});
const socket = new WebSocket(address);
await new Promise((done) => {
  socket.onopen = done;
});
const waits = new Map();
socket.onmessage = ({ data }) => {
  const said = JSON.parse(data);
  waits.get(said.id)?.(said);
};
let asked = 0;
async function ask(method, params) {
  asked += 1;
  const id = asked;
  const answer = new Promise((done) => waits.set(id, done));
  socket.send(JSON.stringify({ id, method, params }));
  const said = await answer;
  if (said.type === "error") throw new Error(`${method}: ${said.message}`);
  return said.result;
}
await ask("session.new", { capabilities: {} });
const { contexts } = await ask("browsingContext.getTree", {});
const context = contexts[0].context;
const value = async (expression) => {
  const said = await ask("script.evaluate", { expression, target: { context }, awaitPromise: true });
  if (said.type === "exception") throw new Error(said.exceptionDetails.text);
  return said.result.value;
};
const until = async (expression) => {
  while (!(await value(`!!(${expression})`).catch(() => false))) await new Promise((done) => setTimeout(done, 50));
};
const open = async (hash) => {
  await ask("browsingContext.navigate", { context, url: `${url}?${asked}${hash}`, wait: "complete" });
};
const at = (tick) => `globalThis.treemind?.model.view.value?.tick === ${tick} && treemind.model.view.value.is_paused`;
const FLEES = "JSON.stringify(treemind.model.view.value.agents).includes('run-away')";
const must = (holds, what) => {
  console.log(`${holds ? "✓" : "✕"} ${what}`);
  if (!holds) end(1);
};

try {
  console.log(await value("navigator.userAgent"));
  await open("#file=01-guard/guard.kdl&tick=190");
  await until(at(190));
  must(await value(FLEES), "the guard flees at tick 190");
  await value("document.querySelectorAll('[role=tab]')[1].click(); treemind.say({ say: 'go', tick: 150 }), 1");
  await until(`${at(150)} && treemind.sheet.sheet.value`);
  must(!(await value(FLEES)), "at tick 150, it does not");
  await value(`(() => {
    const text = treemind.sheet.sheet.value.files[0].text;
    const from = text.indexOf("health < 20") + "health < ".length;
    treemind.say({ say: "edit", edit: { do: "type", file: 0, from, to: from + 2, text: "60" } });
  })(), 1`);
  await until("(localStorage.getItem('treemind-files') ?? '').includes('health < 60')");
  await open("#file=01-guard/guard.kdl&tick=170");
  await until(at(170));
  must(await value(FLEES), "with `health < 60`, it flees at tick 170");
  await until("navigator.serviceWorker.controller");
  isDown = true;
  await ask("browsingContext.reload", { context, wait: "complete" });
  await until(at(170));
  must(await value(FLEES), "without the server, the page is the same");
  end(0);
} catch (error) {
  console.error(error);
  end(1);
}
