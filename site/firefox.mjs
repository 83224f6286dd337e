// Opens a built site in Firefox, by hand: `node --experimental-websocket site/firefox.mjs [SITE] [FIREFOX]`. On Debian,
// `apt-get install firefox-esr` installs it. It watches the guard flee at tick 190, changes one number of its tree, and
// watches it flee earlier; then the site has to work without its server. The site is served below a path of its own.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, serve, talk, until } from "./browser.mjs";

const [site = "target/site", program = "firefox-esr"] = process.argv.slice(2);
const server = await serve(site, "/below/");
const url = `${server.url}studio/`;

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
const ask = await talk(`${await printed(firefox, /WebDriver BiDi listening on (ws:\S+)/)}/session`);
await ask("session.new", { capabilities: {} });
const { contexts } = await ask("browsingContext.getTree", {});
const context = contexts[0].context;
const value = async (expression) => {
  const said = await ask("script.evaluate", { expression, target: { context }, awaitPromise: true });
  if (said.type === "exception") throw new Error(said.exceptionDetails.text);
  return said.result.value;
};
const holds = (expression) => until(() => value(`!!(${expression})`));
let opened = 0;
const open = async (hash) => {
  opened += 1;
  await ask("browsingContext.navigate", { context, url: `${url}?${opened}${hash}`, wait: "complete" });
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
  await holds(at(190));
  must(await value(FLEES), "the guard flees at tick 190");
  await value("document.querySelectorAll('[role=tab]')[1].click(); treemind.say({ say: 'go', tick: 150 }), 1");
  await holds(`${at(150)} && treemind.sheet.sheet.value`);
  must(!(await value(FLEES)), "at tick 150, it does not");
  await value(`(() => {
    const text = treemind.sheet.sheet.value.files[0].text;
    const from = text.indexOf("health < 20") + "health < ".length;
    treemind.say({ say: "edit", edit: { do: "type", file: 0, from, to: from + 2, text: "60" } });
  })(), 1`);
  await holds("(localStorage.getItem('treemind-files') ?? '').includes('health < 60')");
  await open("#file=01-guard/guard.kdl&tick=170");
  await holds(at(170));
  must(await value(FLEES), "with `health < 60`, it flees at tick 170");
  await holds("navigator.serviceWorker.controller");
  server.state.isDown = true;
  await ask("browsingContext.reload", { context, wait: "complete" });
  await holds(at(170));
  must(await value(FLEES), "without the server, the page is the same");
  end(0);
} catch (error) {
  console.error(error);
  end(1);
}
