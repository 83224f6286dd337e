// The value of a key, which is written by a click on it.

import { useEffect, useRef, useState } from "preact/hooks";
import { sheet } from "../edit/sheet";
import { map } from "../map/map";
import { short } from "../parts/short";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { after, OLD_MS } from "./fading";
import { Words } from "./now";

export function Held({ name, value, isFresh }: { name: string; value: string; isFresh: boolean }) {
  const [isWritten, write] = useState(false);
  const tick = model.view.value?.tick;
  if (!isWritten) {
    const begin = (): void => {
      model.refused.value = "";
      write(true);
    };
    return (
      <button class="plain held" title={t("write")} aria-label={`${name} ${short(value) || "–"}, ${t("write")}`} onClick={begin}>
        <code key={isFresh ? `${tick}` : "still"} class={`value ${isFresh ? "fresh" : ""}`}>
          {value === "" ? "–" : short(value)}
        </code>
      </button>
    );
  }
  const done = (text: string | null): void => {
    write(false);
    if (text === null || text === value) return;
    if (holdOf(name) !== undefined) hold(name, text);
    else {
      model.edited.value = { mind: model.mind.value, key: name, value: text, was: value, tick: tick ?? 0 };
      model.rewritten.value = null;
      say({ say: "set", mind: model.mind.value, key: name, value: text });
    }
  };
  return (
    <input
      class="code"
      aria-label={`${t("write")} ${name}`}
      // What is typed stays, although the panel is drawn anew with each tick.
      defaultValue={value}
      ref={take}
      onBlur={() => write(false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done(event.currentTarget.value);
        if (event.key === "Escape") done(null);
      }}
    />
  );
}

/** Begins typing: what is typed takes the place of what is there. */
function take(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

/** What a key of the agent is held at, if it is held. */
function holdOf(name: string): string | undefined {
  const view = model.view.value;
  return view?.held.find((one) => one.mind === view.mind && one.key === name)?.value;
}

/** Holds a key at a value, or releases it. */
function hold(key: string, value: string | null): void {
  [model.edited.value, model.rewritten.value, model.refused.value] = [null, null, ""];
  const mind = model.mind.value;
  say(value === null ? { say: "release", mind, key } : { say: "hold", mind, key, value });
}

/** Holds a key at the value that it has, or releases it. */
export function Hold({ name, value }: { name: string; value: string }) {
  const held = holdOf(name);
  return (
    <button
      class={`plain pin hold ${held === undefined ? "" : "on"}`}
      aria-pressed={held !== undefined}
      aria-label={`${t("holdIt")}: ${name}`}
      title={held === undefined ? t("holdIt") : `${held} · ${t("isHeld")}`}
      disabled={held === undefined && value === ""}
      onClick={() => hold(name, held === undefined ? value : null)}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={`M2.5 5.5h7v5h-7zM4 5.5V3.5a2 2 0 0 1 4 0${held === undefined ? "" : "v2"}`} />
      </svg>
    </button>
  );
}

/** That the game has written a key again that somebody had edited here. */
export function Rewritten({ name }: { name: string }) {
  const again = model.rewritten.value;
  const held = holdOf(name);
  if (held !== undefined)
    return (
      <div class="again">
        <code>{held}</code> {t("isHeld")}
      </div>
    );
  if (again?.key !== name || again.mind !== model.view.value?.mind) return null;
  return (
    <div class="again" role="status">
      {t("writtenAgain")} {again.tick}: <code>{again.value}</code>{" "}
      <button class="link" onClick={() => hold(name, again.wanted)}>
        {t("holdIt")} <code>{again.wanted}</code>
      </button>
    </div>
  );
}

/** How long a refusal can be read at least, whatever changes meanwhile. */
const READ_MS = 8_000;

/** Why the server did not do what was asked last, until the text has changed since, or some time has passed. */
export function Refused() {
  const box = useRef<HTMLDivElement>(null);
  const why = model.refused.value;
  const since = useRef(0);
  const seen = useRef("");
  const isKept = model.view.value === null || !model.isConnected.value;
  useEffect(() => {
    since.current = Date.now();
    return why === "" || isKept ? undefined : after(OLD_MS, box, () => (model.refused.value = ""));
  }, [why, isKept]);
  // The texts as they are now: what is refused of an older one says nothing of them.
  const texts = `${sheet.value?.revision} ${map.value?.revision} ${model.view.value?.reloaded?.nth}`;
  useEffect(() => {
    const isNews = seen.current !== "" && seen.current !== texts;
    seen.current = texts;
    if (!isNews || why === "" || isKept) return;
    return after(Math.max(0, since.current + READ_MS - Date.now()), box, () => (model.refused.value = ""));
  }, [texts, why]);
  if (why === "") return null;
  return (
    <div ref={box} class="told bad refused" role="alert">
      <span>
        <Words text={said(why)} />
      </span>
      <button class="plain" aria-label={t("close")} title={t("closeAll")} onClick={() => (model.refused.value = "")}>
        ×
      </button>
    </div>
  );
}
