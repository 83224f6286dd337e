// A static server for a built site, and talking to a browser: for the scripts that open a site in one.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** Serves a site below a path. `state.isDown` says that it answers nothing more; `told` hears the names that are asked for. */
export async function serve(site, below = "/", told = () => {}) {
  const state = { isDown: false };
  const server = createServer((ask, answer) => {
    const path = new URL(ask.url, "http://a").pathname;
    const name = (path.startsWith(below) ? path.slice(below.length) : path).replace(/(^|\/)$/, "$1index.html");
    told(name);
    try {
      if (state.isDown) throw new Error("down");
      const bytes = readFileSync(join(site, name));
      answer.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" });
      answer.end(bytes);
    } catch {
      answer.writeHead(state.isDown ? 503 : 404);
      answer.end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { state, url: `http://127.0.0.1:${server.address().port}${below}`, close: () => server.close() };
}

/** The address that a browser prints behind these words, which are the start of a pattern. */
export function printed(browser, pattern) {
  return new Promise((done, fail) => {
    let said = "";
    browser.on("error", fail);
    browser.stderr.on("data", (piece) => {
      said += piece;
      const found = said.match(pattern);
      if (found) done(found[1]);
    });
  });
}

/** Asks a browser by its socket; returns the function that asks. An answer that is an error is thrown. */
export async function talk(address) {
  const socket = new WebSocket(address);
  await new Promise((done) => {
    socket.onopen = done;
  });
  const waits = new Map();
  socket.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    waits.get(said.id)?.(said);
    waits.delete(said.id);
  };
  let asked = 0;
  return async (method, params = {}) => {
    asked += 1;
    const id = asked;
    const answer = new Promise((done) => waits.set(id, done));
    socket.send(JSON.stringify({ id, method, params }));
    const said = await answer;
    if (said.error) throw new Error(`${method}: ${said.message ?? said.error.message}`);
    return said.result;
  };
}

/** Starts Chromium, or what CHROMIUM names, with a window of 1440 by 900 and an empty profile in a folder. */
export async function chromium(profile) {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1440,900"];
  const program = spawn(process.env.CHROMIUM ?? "chromium", [...flags, `--user-data-dir=${profile}`, "about:blank"]);
  const browser = await printed(program, /DevTools listening on ws:\/\/([^/]+)/);
  const pages = await (await fetch(`http://${browser}/json`)).json();
  const ask = await talk(pages.find((one) => one.type === "page").webSocketDebuggerUrl);
  const value = async (expression) => {
    const said = await ask("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return said?.result?.value;
  };
  const holds = (expression) => until(async () => (await value(`!!(${expression})`)) === true);
  return { program, ask, value, holds };
}

/** Waits until something holds; asks twenty times a second. */
export async function until(holds) {
  while (!(await holds().catch(() => false))) await new Promise((done) => setTimeout(done, 50));
}
