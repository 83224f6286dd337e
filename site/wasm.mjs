// The WebAssembly of a built site in Node: its two modules, and texts into it and out of it. What the functions do is said in
// crates/treemind_page/src/exports.rs.

import { readFileSync } from "node:fs";

const decoder = new TextDecoder();

/** Begins one module, whose clock is `now`. It calls `more` before it needs what is in the other. */
export async function begin(file, more, now = () => performance.now()) {
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { page: { now, more } });
  const wasm = instance.exports;
  return {
    wasm,
    give(text) {
      const bytes = new TextEncoder().encode(text);
      const at = wasm.input(bytes.length);
      new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    },
    bytes(length) {
      const at = wasm.output();
      return Buffer.from(wasm.memory.buffer, at, length);
    },
    text(length) {
      const at = wasm.output();
      return decoder.decode(new Uint8Array(wasm.memory.buffer, at, length));
    },
  };
}

/** Begins the WebAssembly of a site. What it needs later is loaded when it is called. */
export async function open(site) {
  const made = await begin(`${site}/studio/treemind.wasm`, () => {
    if (made.wasm.is_here.value === 1) return;
    const second = new WebAssembly.Module(readFileSync(`${site}/studio/more.wasm`));
    new WebAssembly.Instance(second, { first: made.wasm });
    made.wasm.is_here.value = 1;
  });
  return made;
}
