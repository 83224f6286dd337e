// The parts of the page that are text: what it does now, the list, why, the keys, the document, the timeline's frame.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { drawArena, mindAt } from "./arena";
import { Heat, Legend } from "./crowd";
import { speed, toEnd, toggle } from "./keys";
import { glyphs, sign, toneOf } from "./marks";
import * as model from "./model";
import { drawTimeline, spanOf, tickAt } from "./timeline";
import { t, theme } from "./texts";
import { Held } from "./held";
import { choose, say } from "./wire";

/** Words between backquotes are names of the document. */
function Words({ text }: { text: string }) {
  return <>{text.split("`").map((part, nth) => (nth % 2 ? <code key={nth}>{part}</code> : part))}</>;
}

/** The keys that a sentence names, each with a way to the tick in which it was written last. */
function writers(text: string) {
  const keys = model.definition.value?.behaviour?.keys ?? [];
  const words = new Set(text.split("`").filter((_, nth) => nth % 2).flatMap((code) => code.match(/[\w.-]+/g) ?? []));
  return keys.map((key, nth) => {
    const changed = model.view.value?.keys?.[nth]?.changed;
    if (!words.has(key.name) || changed === null || changed === undefined || changed === model.view.value?.tick) return null;
    return <button key={key.name} class="link" data-writer={key.name} onClick={() => say({ say: "go", tick: changed })}>{key.name} → {t("tick")} {changed}</button>;
  });
}

/** The first reason that nothing else is behind, such as `14.0 < 20.0`. */
function deepest(reasons: model.Reason[]): string {
  const first = reasons[0]?.because?.at(-1) ?? reasons[0];
  return first?.text.split(";")[0] ?? "";
}

export function NowBar() {
  const view = model.view.value as model.View;
  const refusal = model.definition.value?.refusal;
  const path: string[] = [];
  for (let nth = model.parents.value[model.running.value] ?? -1; nth >= 0; nth = model.parents.value[nth]) {
    const line = model.lines.value[nth];
    if (line.is === "state" || (line.is === "node" && line.text.includes("name="))) path.unshift(line.label ?? "");
  }
  const bars = model.film.value.does;
  const now = bars.findLastIndex(([from]) => from <= view.tick);
  const before = bars.slice(0, Math.max(0, now)).findLast(([, , text]) => text !== "");
  const started = bars[now]?.[0];
  // A machine does what it does because of the transition that it took last.
  const taken = model.lines.value.findIndex((line, nth) => line.is === "transition" && /^(was-)?ok$/.test(model.marks.value[nth]));
  const why = taken >= 0 ? `\`${model.lines.value[taken].text.replaceAll('"', "")}\`` : deepest(view.explanation?.does ?? []);
  if (refusal) {
    const errors = model.definition.value?.problems.filter((one) => one.is_error).length ?? 0;
    return (
      <section class="now bad">
        <span class="disc">!</span>
        <div><small>{t("stopped")}</small><h1>{errors > 0 ? `${errors} × ✕` : t("stopped")}</h1></div>
        <div class="part wide"><b><Words text={refusal} /></b></div>
      </section>
    );
  }
  return (
    <section class="now" aria-live="polite">
      <span class={`disc ${bars[now]?.[2] ? "" : "off"}`}>▶</span>
      <div><small>{path.join(" › ") || model.definition.value?.behaviour?.name}</small><h1>{(view.does ?? bars[now]?.[2]) || t("nothing")}</h1></div>
      {why && <div class="part wide"><small>{t("because")}</small><b><Words text={why} /></b></div>}
      {before && (
        <div class="part"><small>{t("instead")}</small><b><span class="cut">⊘</span> {before[2]} <i>{model.secs(before[1] - before[0] + 1)}</i></b></div>
      )}
      <span class="grow" />
      <div class="clock"><b>{model.secs(view.tick)}</b><small>{t("tick")} <span id="tick">{view.tick}</span>{started !== undefined && started <= view.tick ? ` · +${model.secs(view.tick - started)}` : ""}</small></div>
    </section>
  );
}

/** Longer lists have rows only for what is in view. */
const LONG = 200;
/** How many more rows there are above and below. */
const SPARE = 12;
/** The part of the list that is in view: how far down it begins, and how high it is, in pixels. */
const sight = signal({ top: 0, height: 900 });

export function List() {
  const behaviour = model.definition.value?.behaviour;
  const query = model.query.value.toLowerCase();
  const isFound = (nth: number): boolean => query === "" || model.lines.value[nth].text.toLowerCase().includes(query);
  const source = query === "" ? model.shown.value : model.lines.value.map((_, nth) => nth);
  const rows = source.filter(isFound);
  const isLong = rows.length > LONG;
  const from = isLong ? Math.min(rows.length, Math.max(0, Math.floor(sight.value.top / model.ROW_PX) - SPARE)) : 0;
  const to = isLong ? Math.min(rows.length, from + Math.ceil(sight.value.height / model.ROW_PX) + 2 * SPARE) : rows.length;
  const outermost = Math.min(...source.map((nth) => model.lines.value[nth].indent), Infinity);
  return (
    <nav aria-label={t("list")}>
      <div class="head"><b>{behaviour?.name ?? "–"}</b> <small>{model.lines.value.length} {t("lines")}</small></div>
      <input type="search" placeholder={`${t("find")}  /`} aria-label={t("find")} value={model.query.value} onInput={(event) => (model.query.value = event.currentTarget.value)} />
      <div class="rows" role="tree" aria-label={behaviour?.name} onScroll={(event) => (sight.value = { top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}>
        {from > 0 && <div style={{ height: `${from * model.ROW_PX}px` }} />}
        {rows.slice(from, to).map((nth) => <Row key={model.lines.value[nth].id} nth={nth} outermost={outermost} />)}
        {to < rows.length && <div style={{ height: `${(rows.length - to) * model.ROW_PX}px` }} />}
      </div>
      <div class="legend" aria-hidden="true">
        <span class="run">▶ {t("running")}</span><span class="ok">✓ {t("success")}</span><span class="fail">✕ {t("failure")}</span>
        <span class="cut">⊘ {t("cutOff")}</span><span class="faint">▷✓✕ {t("before")}</span>
      </div>
    </nav>
  );
}

function Row({ nth, outermost }: { nth: number; outermost: number }) {
  const line = model.lines.value[nth];
  const { kind, name, rest } = model.parts(line);
  const mark = model.strongest(nth);
  const isFolded = model.folded.value.has(line.id);
  const hasMore = model.below.value[nth] > 0;
  return (
    <div
      role="treeitem" aria-level={(line.indent - outermost) / 2 + 1} aria-expanded={hasMore ? !isFolded : undefined} aria-selected={model.selected.value === line.id}
      class={`row ${toneOf(mark)} ${mark === "" ? "idle" : ""} ${nth === model.running.value ? "first" : ""}`} data-id={line.id} data-mark={mark} title={`${line.text}${line.doc ? `\n${line.doc}` : ""}`}
      style={{ paddingLeft: `${10 + ((line.indent - outermost) / 2) * 14}px` }} onClick={() => (model.selected.value = line.id)} onDblClick={() => hasMore && model.fold(line.id, !isFolded)}
    >
      <span class="fold" onClick={(event) => { if (hasMore) { event.stopPropagation(); model.fold(line.id, !isFolded); } }}>{hasMore ? (isFolded ? "▸" : "▾") : ""}</span>
      <span class="sign" aria-hidden="true">{line.is === "transition" ? "" : sign(kind)}</span>
      <span class="name">{name}</span> <span class="rest">{isFolded ? `+${model.below.value[nth]}` : rest}</span>
      <Heat nth={nth} />
      <span class="mark" aria-label={mark}>{glyphs[mark]}</span>
    </div>
  );
}

function Reasons({ of }: { of: model.Reason[] }) {
  return (
    <ul class="reasons">
      {of.map((reason, nth) => (
        <li key={nth}>
          <button class="reason" disabled={reason.number === undefined} onClick={() => (model.selected.value = `n${reason.number}`)}><Words text={reason.text} /></button>
          {linked(reason.text) ?? (reason.because?.length ? null : writers(reason.text))}
          {reason.because && reason.because.length > 0 && <Reasons of={reason.because} />}
        </li>
      ))}
    </ul>
  );
}

/** A way to the tick that a sentence names. */
function linked(text: string) {
  const tick = text.match(/(?:in|since) tick (\d+)/)?.[1];
  return tick && <button class="link" onClick={() => say({ say: "go", tick: Number(tick) })}>→ {t("tick")} {tick}</button>;
}

export function Why() {
  const view = model.view.value as model.View;
  const told = view.explanation;
  const doc = model.lines.value.find((line) => line.id === model.selected.value)?.doc ?? "";
  if (!told) return null;
  const note = model.notes.value[model.lines.value.findIndex((line) => line.id === model.selected.value)] ?? "";
  return (
    <section class="why" aria-label={t("why")}>
      <h2>{t("why")}</h2>
      {(view.why || note) && (
        <div class="asked"><h3>{t("thisNode")}</h3>{doc && <p class="doc">{doc}</p>}{note && <p>{note}</p>}{view.why && <Reasons of={[view.why]} />}</div>
      )}
      {told.does.length > 0 && <><h3>{t("what")}</h3>{view.doc && <p class="doc">{view.doc}</p>}<Reasons of={told.does} /></>}
      {told.changed.length > 0 && <><h3>{t("changed")}</h3><Reasons of={told.changed} /></>}
      {told.instead.length > 0 && <><h3>{t("other")}</h3><Reasons of={told.instead} /></>}
    </section>
  );
}

export function Blackboard() {
  const view = model.view.value as model.View;
  const keys = model.definition.value?.behaviour?.keys ?? [];
  if (!view.keys) return null;
  return (
    <section aria-label={t("blackboard")}>
      <h2>{t("blackboard")} <small>{keys.length === 0 ? t("noKeys") : keys.length}</small></h2>
      <table>
        <tbody>
          {keys.map((key, nth) => {
            const held = view.keys?.[nth];
            const isFresh = held?.changed !== null && held?.changed === view.tick;
            return (
              <tr key={key.name} data-key={key.name}>
                <td>
                  <code>{key.name}</code>{key.scope !== "agent" && <small> {key.scope}</small>}
                  <div class="by">{held?.by ? <><Words text={held.by.replace(/^`[^`]*` changed /, "")} />{linked(held.by)}</> : view.first > 0 ? `${t("noWriteSince")} ${view.first}` : t("noWrite")}</div>
                </td>
                <td class="held"><Held name={key.name} value={held?.value ?? ""} isFresh={isFresh} /></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

export function Arena() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = model.view.value as model.View;
  const ground = model.definition.value?.ground;
  // Another theme is drawn anew.
  void theme.value;
  useEffect(() => {
    if (canvas.current && ground && view.scene) drawArena(canvas.current, ground, view.scene, view.mind);
  });
  if (!ground || !view.scene) return null;
  const click = (event: MouseEvent): void => {
    const found = mindAt(canvas.current as HTMLCanvasElement, ground.rows[0].length, view.scene as model.Scene, event.offsetX, event.offsetY);
    if (found !== null) choose(found);
  };
  return <section class="arena"><canvas ref={canvas} role="img" aria-label={t("arena")} onClick={click} /><Legend /></section>;
}

/** A line of a document with its words coloured. */
function coloured(text: string) {
  const pattern = /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(#?-?\b\d[\d._]*\b|#true|#false)|(^\s*[\w-]+)/g;
  const out = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, comment, string, number, word] = match;
    const start = match.index;
    if (start > from) out.push(text.slice(from, start));
    const kind = comment ? "comment" : string ? "string" : number ? "number" : word ? "word" : "";
    out.push(<span class={kind}>{all}</span>);
    from = start + all.length;
  }
  out.push(text.slice(from));
  return out;
}

export function Document() {
  const definition = model.definition.value;
  const label = model.lines.value.find((line) => line.id === model.selected.value)?.label;
  const at = model.textAt.value;
  // A line of the text leads to what it names in the list, the longest name first.
  const toNode = (text: string): void => {
    const words = new Set(text.match(/[\w-]+/g) ?? []);
    const named = model.lines.value.filter((one) => one.label && words.has(one.label));
    const best = named.sort((left, right) => (right.label?.length ?? 0) - (left.label?.length ?? 0))[0];
    if (best) model.reveal(best.id);
  };
  const isNamed = (line: string): boolean => !!label && new RegExp(`(^|[\\s="])${label.replace(/[^\w-]/g, "\\$&")}($|[\\s="])`).test(line);
  return (
    <div class="text" tabIndex={0}>
      {definition?.texts.map((one) => (
        <pre key={one.name} aria-label={one.name}>
          {one.text.replace(/\n$/, "").split("\n").map((line, nth) => {
            const found = definition.problems.filter((problem) => problem.file === one.name && problem.line === nth + 1);
            return (
              <div
                key={nth} data-line={nth + 1} onClick={() => toNode(line)}
                class={`${found.some((problem) => problem.is_error) ? "bad" : found.length > 0 ? "odd" : ""} ${isNamed(line) ? "named" : ""} ${at?.file === one.name && at.line === nth + 1 ? "here" : ""}`}
              >
                <span class="number">{nth + 1}</span><span>{coloured(line)}</span>
                {found.map((problem) => <em key={problem.code}>{problem.text}{problem.help ? ` · ${problem.help}` : ""} <b>{problem.code}</b></em>)}
              </div>
            );
          })}
        </pre>
      ))}
      {definition?.refusal && definition.texts.length === 0 && <p>{definition.refusal}</p>}
    </div>
  );
}

/** What the last change of the watched document did, until it is closed. */
export function Reloaded() {
  const last = model.view.value?.reloaded;
  if (!last || last.nth <= model.closed.value) return null;
  const [first, ...rest] = last.lines;
  return (
    <div class={`told ${last.is_done ? "ok" : "bad"}`} role="status">
      <b>{last.is_done ? "✓" : "✕"} {t("tick")} {last.tick}</b>
      <span>{first}</span>
      <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => (model.closed.value = last.nth)}>×</button>
      {rest.length > 0 && <pre>{rest.join("\n")}</pre>}
    </div>
  );
}

/** How many ticks the timeline shows; 0 means all. */
const extent = signal(0);

export function Time() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = model.view.value as model.View;
  const span = spanOf(view, extent.value);
  const keys = model.definition.value?.behaviour?.keys.map((key) => key.name) ?? [];
  void theme.value;
  useEffect(() => {
    if (canvas.current) drawTimeline(canvas.current, view, model.film.value, keys, span, model.ticksPerSec.value);
  });
  if (model.definition.value?.refusal) return null;
  const scrub = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const element = canvas.current as HTMLCanvasElement;
    const tick = Math.min(tickAt(element, span, event.offsetX), view.end ?? view.last);
    if (tick !== view.tick) say({ say: "go", tick });
  };
  const go = (tick: number) => () => say({ say: "go", tick });
  const end = view.end ?? view.last;
  return (
    <footer>
      <div class="controls">
        <button title={t("first")} aria-label={t("first")} onClick={go(view.first)}>«</button>
        <button title={t("back")} aria-label={t("back")} onClick={() => say({ say: "back" })}>‹</button>
        <button class="play" title={t("play")} aria-label={t("play")} aria-pressed={!view.is_paused} onClick={toggle}>{view.is_paused ? "▶" : "❚❚"}</button>
        <button title={t("step")} aria-label={t("step")} onClick={() => say({ say: "step" })}>›</button>
        <button title={t("last")} aria-label={t("last")} onClick={toEnd}>»</button>
        <span class="tick">{t("tick")} <b>{view.tick}</b> {t("of")} {end}</span>
        <button title={t("slower")} aria-label={t("slower")} onClick={() => speed(-1)}>−</button>
        <span class="speed">{view.speed}×</span>
        <button title={t("faster")} aria-label={t("faster")} onClick={() => speed(1)}>+</button>
        <span class="grow" />
        {([["1:1", 0], ["30 s", 600], ["10 s", 200], ["2 s", 40]] as const).map(([name, ticks]) => (
          <button key={name} class="window" aria-pressed={extent.value === ticks} onClick={() => (extent.value = ticks)}>{ticks === 0 ? "∞" : name}</button>
        ))}
      </div>
      <canvas
        ref={canvas} role="slider" tabIndex={0} aria-label={t("timeline")} aria-valuemin={view.first} aria-valuemax={end} aria-valuenow={view.tick}
        aria-valuetext={`${model.secs(view.tick)}, ${view.does ?? t("nothing")}`} onPointerDown={scrub} onPointerMove={scrub}
      />
    </footer>
  );
}
