// Breakpoints: where the game comes to a stop; and the events of a tick, one after another.

import { computed, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type * as protocol from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { choose, say } from "../wire/wire";
import { Words } from "./now";

export type Breakpoint = protocol.Breakpoint;
export type Hit = protocol.Hit;

/** How many of the last hits are listed. */
const MOST_LISTED = 200;

/** What happened at breakpoints, the last one first. */
export const hits = signal<Hit[]>([]);
let known = 0;
export const lastHit = (): number => known;

/** The number of no hit: the server answers it with all that it has. */
const NONE = Number.MAX_SAFE_INTEGER;

export function forgetHits(): void {
  [hits.value, known] = [[], NONE];
}

/** Takes in what has happened since the last view. */
export function takeHits(news: protocol.Hits): void {
  // An answer that was under way when the page forgot its hits knows nothing of that.
  if ((news.last === known || known === NONE) && !news.is_all) return;
  const before = news.is_all ? [] : hits.value;
  const fresh = news.fresh.filter((one) => news.is_all || one.nth > known);
  known = news.last;
  if (news.is_all || fresh.length > 0) hits.value = [...fresh.reverse(), ...before].slice(0, MOST_LISTED);
}

const all = computed<Breakpoint[]>(() => model.view.value?.breakpoints ?? []);

/** Those of the definition that is shown, by their lines. */
export const byLine = computed<Map<string, Breakpoint>>(() => {
  const name = model.definition.value?.behaviour?.name;
  const own = all.value.filter((one) => one.of === name && one.line !== null);
  return new Map(own.map((one) => [one.line as string, one]));
});

/** Sets a breakpoint at a line, or removes it. */
export function toggleAt(line: string): void {
  const known = byLine.value.get(line);
  if (known) say({ say: "unbreak", id: known.id });
  else say({ say: "break", mind: model.mind.value, line });
}

export function toggleAtKey(key: string): void {
  const known = atKey(key);
  if (known) say({ say: "unbreak", id: known.id });
  else say({ say: "break", mind: model.mind.value, key });
}

export const atKey = (key: string): Breakpoint | undefined =>
  all.value.find((one) => one.key === key && one.of === model.definition.value?.behaviour?.name);

/** Goes one event of the tick on or back. */
export const event = (by: 1 | -1): void => say({ say: "event", by, mind: model.mind.value });

const ONS: protocol.On[] = ["enter", "end", "success", "failure", "abort"];

function One({ of }: { of: Breakpoint }) {
  const [isOpen, open] = useState(false);
  const change = (what: Partial<protocol.Break>): void => say({ say: "break", mind: of.only ?? model.mind.value, id: of.id, ...what });
  const hit = model.view.value?.stopped?.breakpoint === of.id;
  return (
    <li class={`${hit ? "hit" : ""} ${of.is_on ? "" : "off"}`} data-breakpoint={of.id}>
      <div class="head">
        <input
          type="checkbox"
          aria-label={`${t("isOn")}: ${of.text}`}
          checked={of.is_on}
          onChange={(event) => change({ is_on: event.currentTarget.checked })}
        />
        <button class="plain what" disabled={of.line === null} onClick={() => of.line && model.reveal(of.line)}>
          <Words text={of.text} />
        </button>
        <span class="count" title={t("hits")}>
          {of.count}×
        </span>
        <button
          class="plain"
          aria-expanded={isOpen}
          aria-label={`${t("edit")}: ${of.text}`}
          title={t("edit")}
          onClick={() => open(!isOpen)}
        >
          …
        </button>
        <button
          class="plain"
          aria-label={`${t("remove")}: ${of.text}`}
          title={t("remove")}
          onClick={() => say({ say: "unbreak", id: of.id })}
        >
          ×
        </button>
      </div>
      {!isOpen && (of.if || of.from > 1 || of.only !== null || of.only_lists) && (
        <small>
          {[
            of.if && `${t("if")} ${of.if}`,
            of.from > 1 && `${t("fromTime")} ${of.from}`,
            of.only !== null && t("onlyThis"),
            of.only_lists && t("onlyLists"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      )}
      {of.wrong && <p class="wrong">{said(of.wrong)}</p>}
      {isOpen && (
        <div class="edit">
          {of.line !== null && (
            <label>
              {t("when")}{" "}
              <select value={of.on} onChange={(event) => change({ on: event.currentTarget.value as protocol.On })}>
                {ONS.map((on) => (
                  <option key={on} value={on}>
                    {t(`on_${on}`)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            {t("if")}{" "}
            <input
              class="code"
              value={of.if}
              placeholder={t("holdsSuch")}
              onKeyDown={(event) => event.stopPropagation()}
              onChange={(event) => change({ if: event.currentTarget.value })}
            />
          </label>
          <label>
            {t("fromTime")}{" "}
            <input
              type="number"
              min={1}
              value={of.from}
              onKeyDown={(event) => event.stopPropagation()}
              onChange={(event) => change({ from: Number(event.currentTarget.value) })}
            />
          </label>
          <label>
            <input type="checkbox" checked={of.only_lists} onChange={(event) => change({ only_lists: event.currentTarget.checked })} />{" "}
            {t("onlyLists")}
          </label>
          <label>
            <input
              type="checkbox"
              checked={of.only !== null}
              onChange={(event) => change({ mind: model.mind.value, only: event.currentTarget.checked })}
            />{" "}
            {t("onlyThis")}
          </label>
        </div>
      )}
    </li>
  );
}

export function Breakpoints() {
  const events = (model.definition.value?.behaviour?.events ?? []).map((one) => one.name);
  const known = new Set(all.value.map((one) => one.event));
  const line = model.lines.value.find((one) => one.id === model.selected.value);
  return (
    <section class="breakpoints" aria-label={t("breakpoints")}>
      <h2>
        {t("breakpoints")}{" "}
        {all.value.length > 0 && (
          <button class="link" onClick={() => say({ say: "unbreak" })}>
            {t("removeAll")}
          </button>
        )}
      </h2>
      {line && line.is !== "part" && (
        <button class="add" aria-pressed={byLine.value.has(line.id)} title="b" onClick={() => toggleAt(line.id)}>
          <span class="dot" aria-hidden="true">
            ●
          </span>{" "}
          {byLine.value.has(line.id) ? t("dontStopAt") : t("stopAt")} <code>{model.parts(line).name}</code>
        </button>
      )}
      {events.some((name) => !known.has(name)) && (
        <select
          aria-label={t("stopAtEvent")}
          value=""
          onChange={(event) => say({ say: "break", mind: model.mind.value, event: event.currentTarget.value })}
        >
          <option value="">{t("stopAtEvent")} …</option>
          {events
            .filter((name) => !known.has(name))
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
      )}
      {all.value.length > 0 ? (
        <ul>
          {all.value.map((one) => (
            <One key={one.id} of={one} />
          ))}
        </ul>
      ) : (
        !line && <p class="by">{t("noBreakpoints")}</p>
      )}
      <HitList />
    </section>
  );
}

/** What happened at breakpoints, each with the way there. */
function HitList() {
  if (hits.value.length === 0) return null;
  const go = (hit: Hit): void => {
    if (hit.mind !== model.mind.value) choose(hit.mind);
    if (hit.line) model.reveal(hit.line, true);
    say({ say: "go", tick: hit.tick });
  };
  const names = model.view.value?.agents ?? [];
  return (
    <>
      <h3>
        {t("hitList")} {hits.value.length}
      </h3>
      <ol class="hits" aria-label={t("hitList")}>
        {hits.value.map((hit) => (
          <li key={hit.nth}>
            <button class="plain" data-hit={hit.tick} aria-current={hit.tick === model.view.value?.tick} onClick={() => go(hit)}>
              <b>{hit.tick}</b>
              <span>
                <Words text={hit.text} />
                <small>
                  {[
                    names.length > 1 && names[hit.mind]?.name,
                    hit.agents > 1 && `${hit.agents} ${t("agents")}`,
                    ...hit.values.map(([key, value]) => `${key} ${value}`),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Where it has come to a stop, or which event of the tick it is. */
export function Halt() {
  const view = model.view.value;
  const [stopped, within] = [view?.stopped, view?.event];
  if (!stopped && !within) return null;
  return (
    <div class={`told halt ${stopped ? "hit" : ""}`} role="status">
      {within ? (
        <>
          <b>
            {t("event")} {within.nth} {t("of")} {within.of}
          </b>
          <span>{within.text ? <Words text={within.text} /> : t("tickBegins")}</span>
          <span>
            <button class="plain" title="I" aria-label={t("eventBack")} onClick={() => event(-1)}>
              ‹
            </button>
            <button class="plain" title="i" aria-label={t("eventOn")} onClick={() => event(1)}>
              ›
            </button>
          </span>
        </>
      ) : (
        stopped && (
          <>
            <b>
              ● {t("tick")} {stopped.tick}
            </b>
            <span>
              <Words text={stopped.text} />
              {stopped.agents > 1 ? ` · ${stopped.agents} ${t("agents")}` : ""}
              {view?.is_live && !view.is_controlled ? ` · ${t("goesOn")}` : ""}
            </span>
            <button aria-label={t("play")} title={t("play")} onClick={() => say({ say: "play" })}>
              ▶
            </button>
          </>
        )
      )}
    </div>
  );
}

/** The stop that the page has gone to, and the event of a tick. */
let [shown, shownEvent] = ["", ""];

/** Looks at the tick as a whole again; returns whether its events were shown. */
export function leaveEvents(): boolean {
  const view = model.view.value;
  if (!view?.event) return false;
  say({ say: "go", tick: view.tick });
  return true;
}

/** Shows what a stop or an event is about. */
export function follow(): void {
  const view = model.view.value;
  const stopped = view?.stopped;
  const name = stopped ? `${stopped.breakpoint}.${stopped.tick}` : "";
  if (stopped && name !== shown) {
    if (stopped.mind !== model.mind.value) choose(stopped.mind);
    if (stopped.line) model.reveal(stopped.line, true);
  }
  shown = name;
  // Whoever selects something else at the same event stays there.
  const event = view?.event;
  const at = event ? `${view.file} ${view.mind} ${view.tick} ${event.nth}` : "";
  if (event?.line && at !== shownEvent) model.reveal(event.line, true);
  shownEvent = at;
}
