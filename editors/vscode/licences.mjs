// Writes the licences of what the extension contains into dist/LICENSES.txt.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** What a package needs when it runs, with what that needs. */
function needed(name, found) {
  if (found.has(name)) return found;
  const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  found.set(name, manifest);
  for (const other of Object.keys(manifest.dependencies ?? {})) needed(other, found);
  return found;
}

const texts = [...needed("vscode-languageclient", new Map()).values()].map(({ name, version, license }) => {
  const file = readdirSync(`node_modules/${name}`).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
});
mkdirSync("dist", { recursive: true });
writeFileSync("dist/LICENSES.txt", texts.join(`\n${"-".repeat(72)}\n\n`));
