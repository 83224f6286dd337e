// Runs a session of the studio in a page alone. It carries texts between the page and the WebAssembly, and wakes it when
// something is due. What the functions do is said in crates/treemind_page/src/exports.rs.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The functions of the session; null until it has begun. */
let wasm = null;
/** What the page has asked before that. */
const early = [];
let timer = 0;
let isOver = false;

function give(text) {
  const bytes = encoder.encode(text);
  const at = wasm.input(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
}

function taken(length) {
  return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.output(), length));
}

function die(error) {
  if (isOver) return;
  isOver = true;
  clearTimeout(timer);
  let why = "";
  try {
    why = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.last_words_at(), wasm.last_words()));
  } catch {
    // It had not even begun.
  }
  postMessage({ died: why || String(error) });
}

/** Plays what is due, and hands out what there is. */
function turn() {
  if (isOver) return;
  clearTimeout(timer);
  try {
    const wait = wasm.turn();
    for (let length = wasm.answer(); length > 0; length = wasm.answer()) postMessage(taken(length));
    for (let length = wasm.written(); length > 0; length = wasm.written()) {
      const text = taken(length);
      const end = text.indexOf("\0");
      postMessage({ written: [text.slice(0, end), text.slice(end + 1)] });
    }
    timer = setTimeout(turn, wait);
  } catch (error) {
    die(error);
  }
}

function hear(text) {
  give(text);
  wasm.hear();
}

/**
 * Adds the functions of the second module to the first one, which calls this before it needs one of them. Whoever calls
 * cannot wait for an answer that comes later.
 */
function more() {
  if (wasm.is_here?.value !== 0) return;
  const ask = new XMLHttpRequest();
  ask.open("GET", new URL("more.wasm", import.meta.url), false);
  ask.responseType = "arraybuffer";
  ask.send();
  if (ask.status !== 200) throw new Error(`more.wasm cannot be loaded: ${ask.status} ${ask.statusText}`);
  new WebAssembly.Instance(new WebAssembly.Module(ask.response), { first: wasm });
  wasm.is_here.value = 1;
}

async function begin({ files, seed }) {
  const imports = { page: { now: () => performance.timeOrigin + performance.now(), more } };
  const get = async (name) => {
    const answer = await fetch(new URL(name, import.meta.url));
    if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
    return answer;
  };
  const [examples, code] = await Promise.all([get("examples.json").then((one) => one.json()), get("treemind.wasm")]);
  // Some servers do not say that it is WebAssembly, and then a browser compiles it only from its bytes.
  const made = await WebAssembly.instantiate(await code.arrayBuffer(), imports);
  wasm = made.instance.exports;
  for (const [name, text] of [...examples, ...files]) {
    give(`${name}\0${text}`);
    wasm.put();
  }
  wasm.begin(seed);
  postMessage({ ready: true });
  for (const text of early.splice(0)) hear(text);
  turn();
}

onmessage = ({ data }) => {
  if (isOver) return;
  if (typeof data !== "string") {
    begin(data).catch(die);
  } else if (!wasm) {
    early.push(data);
  } else {
    try {
      hear(data);
    } catch (error) {
      die(error);
      return;
    }
    turn();
  }
};
