// The value of a key, which is written by a click on it.

import { useState } from "preact/hooks";
import * as model from "./model";
import { t } from "./texts";
import { say } from "./wire";

export function Held({ name, value, isFresh }: { name: string; value: string; isFresh: boolean }) {
  const [isWritten, write] = useState(false);
  const tick = model.view.value?.tick;
  if (!isWritten) {
    const begin = (): void => {
      model.refused.value = "";
      write(true);
    };
    return (
      <button class="plain held" title={t("write")} aria-label={`${name} ${value || "–"}, ${t("write")}`} onClick={begin}>
        <code key={isFresh ? `${tick}` : "still"} class={`value ${isFresh ? "fresh" : ""}`}>
          {value === "" ? "–" : value}
        </code>
      </button>
    );
  }
  const done = (text: string | null): void => {
    write(false);
    if (text === null || text === value) return;
    model.edited.value = { mind: model.mind.value, key: name, value: text, tick: tick ?? 0 };
    model.rewritten.value = null;
    say({ say: "set", mind: model.mind.value, key: name, value: text });
  };
  return (
    <input
      class="code"
      aria-label={`${t("write")} ${name}`}
      value={value}
      ref={(input) => input?.focus()}
      onBlur={() => write(false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done(event.currentTarget.value);
        if (event.key === "Escape") done(null);
      }}
    />
  );
}

/** That the game has written a key again that somebody had edited here. */
export function Rewritten({ name }: { name: string }) {
  const again = model.rewritten.value;
  if (again?.key !== name || again.mind !== model.view.value?.mind) return null;
  return (
    <div class="again" role="status">
      {t("writtenAgain")} {again.tick}: <code>{again.value}</code>
    </div>
  );
}

/** Why the server did not do what was asked last. */
export function Refused() {
  if (model.refused.value === "") return null;
  return (
    <div class="told bad" role="alert">
      <span>{model.refused.value}</span>
      <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => (model.refused.value = "")}>
        ×
      </button>
    </div>
  );
}
