// Who carries messages: a web socket to `treemind studio`, or a worker of this page, where there is no server.

import { t } from "../texts";

/** What the page hears of the other side. */
export interface Heard {
  open(): void;
  message(text: string): void;
  /** It has ended; `why` is a sentence, if the other side has said one. */
  close(why: string): void;
  /** The other side wants to hear nothing from this address. */
  forbidden(): void;
}

export interface Carrier {
  /** Returns whether there is a way to the other side. */
  send(text: string): boolean;
  /** Ends it, as if the other side had. */
  close(): void;
}

/** What the worker tells the page beside the messages of the protocol, which are texts. */
type Told = { ready: true } | { died: string } | { written: [string, string] };

const name = document.querySelector<HTMLMetaElement>('meta[name="worker"]')?.content;

/** Whether this page is alone: its session runs in a worker. */
export const isAlone = name !== undefined;

/** How long a worker may be silent after a question. One that never ends with a document would be silent for ever. */
export const patience = { secs: 20 };

/** Opens the way to a session; one in a worker plays with the seed, and hands out what it writes. */
export function carry(heard: Heard, socket: string, seed: number, written: (file: string, text: string) => void): Carrier {
  return name === undefined ? bySocket(heard, socket) : byWorker(heard, name, seed, written);
}

function bySocket(heard: Heard, address: string): Carrier {
  const socket = new WebSocket(address);
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    heard.open();
  };
  socket.onmessage = (event) => heard.message(event.data as string);
  // The server says why it has closed this page, if it has.
  socket.onclose = (event) => {
    heard.close(event.reason && `${event.reason} (${event.code})`);
    // A browser does not say why a web socket was not opened; it says so of a plain question.
    if (wasOpen) return;
    fetch(address.replace(/^ws/, "http")).then(
      (answer) => answer.status === 403 && heard.forbidden(),
      () => undefined,
    );
  };
  return {
    send: (text) => {
      const isOpen = socket.readyState === WebSocket.OPEN;
      if (isOpen) socket.send(text);
      return isOpen;
    },
    close: () => socket.close(),
  };
}

/** How many texts are kept between visits, and how long all of them are together at most, in UTF-16 units. */
const MOST_KEPT = 1 << 20;
const KEPT = "treemind-files";

/** The files that were written in this page, the ones written last at the end. */
export function keptFiles(): [string, string][] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(all)
      ? all.filter((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string"))
      : [];
  } catch {
    return [];
  }
}

/** Keeps a file for the next visit. The oldest ones are forgotten when there are too many. */
export function keepFile(file: string, text: string): void {
  const all = keptFiles().filter(([known]) => known !== file);
  all.push([file, text]);
  while (all.length > 1 && all.reduce((sum, [, one]) => sum + one.length, 0) > MOST_KEPT) all.shift();
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // No room, or no storage: then it lasts as long as the page.
  }
}

/** Forgets what was written: the examples are as they were. */
export function forgetFiles(): void {
  localStorage.removeItem(KEPT);
}

/** Files that an address brings along; what was kept of them counts before. */
let brought: [string, string][] = [];

export function bring(files: [string, string][]): void {
  brought = files;
}

/** Takes a file away from the next session; returns the text that it was brought with. */
export function dropFile(file: string): string | undefined {
  const text = brought.find(([name]) => name === file)?.[1];
  brought = brought.filter(([name]) => name !== file);
  try {
    localStorage.setItem(KEPT, JSON.stringify(keptFiles().filter(([name]) => name !== file)));
  } catch {
    // Nothing was kept.
  }
  return text;
}

/** All files of a page alone, as they are now. */
export async function allFiles(): Promise<[string, string][]> {
  const examples = (await (await fetch(new URL("examples.json", location.href.split("#")[0]))).json()) as [string, string][];
  return [...new Map([...examples, ...brought, ...keptFiles()])];
}

function byWorker(heard: Heard, script: string, seed: number, written: (file: string, text: string) => void): Carrier {
  if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
    queueMicrotask(() => heard.close(t("noWebAssembly")));
    return { send: () => false, close: () => {} };
  }
  const worker = new Worker(script, { type: "module" });
  let isOver = false;
  let isAsked = false;
  let silent = 0;
  const end = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(clock);
    worker.terminate();
    heard.close(why);
  };
  // It counts seconds: a machine that was asleep is awake for a second before somebody is called silent.
  const clock = setInterval(() => {
    silent = isAsked ? silent + 1 : 0;
    if (silent > patience.secs) end(t("silent"));
  }, 1000);
  worker.onmessage = (event: MessageEvent<string | Told>) => {
    const said = event.data;
    [isAsked, silent] = [false, 0];
    if (typeof said === "string") heard.message(said);
    else if ("ready" in said) heard.open();
    else if ("died" in said) end(said.died);
    else written(...said.written);
  };
  worker.onerror = (event) => end(event.message || t("noWorker"));
  worker.postMessage({ files: [...brought, ...keptFiles()], seed });
  return {
    send: (text) => {
      isAsked = true;
      worker.postMessage(text);
      return !isOver;
    },
    close: () => end(""),
  };
}
