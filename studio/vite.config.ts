import { readdirSync, readFileSync } from "node:fs";
import { build, defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

/** FNV-1a of the names and contents of all sources; a test in Rust computes the same and compares. */
function fingerprint(): string {
  const isSource = (name: string): boolean => /\.(html|json|ts|tsx|css)$/.test(name);
  const inside = readdirSync("./src", { recursive: true, encoding: "utf8" }).map((name) => `src/${name.replaceAll("\\", "/")}`);
  const names = [...readdirSync("."), ...inside].filter(isSource).sort();
  let hash = 0xcbf29ce484222325n;
  for (const name of names) {
    for (const byte of Buffer.concat([Buffer.from(`${name}\0`), readFileSync(name), Buffer.from("\0")])) {
      hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    }
  }
  return hash.toString(16).padStart(16, "0");
}

const stamp: Plugin = {
  name: "stamp",
  transformIndexHtml: () => [{ tag: "meta", attrs: { name: "sources", content: fingerprint() }, injectTo: "head-prepend" }],
};

/** The editor of texts is a second file, which the page asks for when somebody begins to type. */
function editor(): Plugin {
  let outDir = "";
  return {
    name: "editor",
    apply: "build",
    configResolved: (config) => {
      outDir = config.build.outDir;
    },
    closeBundle: async () => {
      await build({
        configFile: false,
        logLevel: "warn",
        build: {
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          rollupOptions: {
            input: "src/edit/code/editor.ts",
            preserveEntrySignatures: "exports-only",
            output: { entryFileNames: "editor.js", format: "es" },
          },
        },
      });
    },
  };
}

// One file, so that the server has nothing to look for.
export default defineConfig({
  plugins: [stamp, viteSingleFile(), editor()],
  build: { outDir: "../crates/treemind_studio/page", emptyOutDir: true, modulePreload: false },
});
