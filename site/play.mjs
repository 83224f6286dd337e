// Plays examples with the WebAssembly of a built site, without a browser: what the page plays is then compared with what
// `treemind run` plays. Usage: node play.mjs SITE FOLDER TICKS SEED. For each document, it writes NAME.log and NAME.save into
// the folder, or NAME.refused; slashes in names become `--`.

import { readFileSync, writeFileSync } from "node:fs";
import { open } from "./wasm.mjs";

const [site, folder, ticks, seed] = process.argv.slice(2);
const { wasm, give, bytes } = await open(site);

const files = JSON.parse(readFileSync(`${site}/studio/examples.json`, "utf8"));
for (const [name, text] of files) {
  give(`${name}\0${text}`);
  wasm.put();
}
for (const [name] of files.filter(([name]) => name.endsWith(".kdl"))) {
  give(`${name}\0${ticks}\0${seed}`);
  const made = bytes(wasm.play());
  const end = made.indexOf(0);
  const place = `${folder}/${name.replaceAll("/", "--")}`;
  if (made[0] === 1) {
    writeFileSync(`${place}.refused`, made.subarray(1));
  } else {
    writeFileSync(`${place}.log`, made.subarray(0, end));
    writeFileSync(`${place}.save`, made.subarray(end + 1));
  }
}
