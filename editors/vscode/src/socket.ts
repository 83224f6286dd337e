/** A look at a studio through its web socket. */

import { type Definition, type Place, type View, socketOf } from "./lines.ts";

/** How long an answer is waited for, and how often a game is looked at. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 100;

/** What is heard of a studio. */
export type Hears = {
  /** Which of its files is meant. */
  file: (all: string[]) => string | null;
  /** What there is to see of it. */
  seen: (definition: Definition, view: View) => void;
  /** Somebody has clicked on something there that stands in a text. */
  chosen?: (place: Place) => void;
  ended: () => void;
};

/** Looks at a file of a studio until it is closed. */
export class Look {
  private readonly socket: WebSocket;
  private definition: Definition | null = null;
  private isClosed = false;

  constructor(
    url: string,
    private readonly hears: Hears,
  ) {
    this.socket = new WebSocket(socketOf(url));
    this.socket.onopen = () => this.say({ say: "hello" });
    this.socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)));
    this.socket.onclose = () => this.end();
    this.socket.onerror = () => this.end();
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }

  private end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.hears.ended();
  }

  private say(what: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(what));
  }

  private hear(message: { kind: string }): void {
    if (message.kind === "hello") {
      const file = this.hears.file((message as { files?: string[] }).files ?? []);
      this.say({ say: "look", nth: 1, seen: 0, opened: 0, ...(file === null ? {} : { file }) });
      if (this.hears.chosen) this.say({ say: "listen" });
    } else if (message.kind === "view") {
      const view = message as unknown as View;
      if (view.definition) this.definition = view.definition;
      if (this.definition) this.hears.seen(this.definition, view);
      const next = { say: "look", nth: 1, seen: view.state, opened: view.opened };
      setTimeout(() => this.say(next), PAUSE_MS);
    } else if (message.kind === "reveal") {
      this.hears.chosen?.(message as unknown as Place);
      this.say({ say: "listen" });
    }
  }
}

/** The definition that a studio shows of a file; `null` if it does not say so in time. */
export function definitionOf(url: string, file: (all: string[]) => string | null): Promise<Definition | null> {
  return new Promise((resolve) => {
    let look: Look | null = null;
    const done = (found: Definition | null): void => {
      clearTimeout(timer);
      look?.close();
      resolve(found);
    };
    const timer = setTimeout(() => done(null), PATIENCE_MS);
    look = new Look(url, { file, seen: (definition) => done(definition), ended: () => done(null) });
  });
}
