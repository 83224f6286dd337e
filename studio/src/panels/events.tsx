// The events of the document, which can be sent to the chosen agent.

import { useState } from "preact/hooks";
import type { DeclaredEvent } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";

/** What a parameter begins with, by its type. */
const FIRST: Record<string, string> = { bool: "false", int: "0", float: "0", double: "0", vec2: "0, 0", vec3: "0, 0, 0" };

function Event({ of }: { of: DeclaredEvent }) {
  const [values, type] = useState(of.params.map((param) => FIRST[param.ty] ?? ""));
  // The tick after which it was sent: while that is shown, the event has still to come.
  const [sent, note] = useState(-1);
  const view = model.view.value as model.View;
  const isComing = sent === view.tick && model.refused.value === "";
  const send = (): void => {
    model.refused.value = "";
    say({ say: "send", mind: model.mind.value, event: of.name, values });
    note(view.tick);
  };
  return (
    <li data-event={of.name}>
      <code>{of.name}</code>
      {of.params.map((param, nth) => (
        <label key={param.name}>
          {param.name}{" "}
          <input
            class="code"
            value={values[nth]}
            title={param.ty}
            aria-label={`${of.name} ${param.name} (${param.ty})`}
            spellcheck={false}
            onInput={(event) => type(values.map((one, other) => (other === nth ? event.currentTarget.value : one)))}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === "Enter") send();
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
        </label>
      ))}
      <span class="grow" />
      <small aria-live="polite">{isComing ? t("inNextTick") : ""}</small>
      <button class="add" aria-label={`${t("send")} ${of.name}`} onClick={send}>
        {t("send")}
      </button>
    </li>
  );
}

/** Events come from the game; a page can send them, too, so that one sees what they do. */
export function Events() {
  const events = model.definition.value?.behaviour?.events ?? [];
  const view = model.view.value;
  if (events.length === 0 || !view || view.end !== null) return null;
  return (
    <section class="send-events" aria-label={t("eventsToSend")}>
      <h2>
        {t("eventsToSend")} <small>{events.length}</small>
      </h2>
      <p class="by">{t("eventsAre")}</p>
      <ul>
        {events.map((one) => (
          // Another file has other parameters under the same name.
          <Event key={`${view.file} ${one.name} ${one.params.map((param) => `${param.name} ${param.ty}`)}`} of={one} />
        ))}
      </ul>
    </section>
  );
}
