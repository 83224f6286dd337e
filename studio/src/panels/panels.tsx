// The list, the arena, the keys.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Heat, HeatLegend, Legend } from "../crowd/crowd";
import { mayEdit } from "../edit/sheet";
import { mountMap } from "../graph/graph";
import { toMap } from "../keys";
import { inFrame } from "../parts/canvas";
import { glyphs, markWord, sign, toneOf } from "../parts/marks";
import { short } from "../parts/short";
import { unmarked } from "../parts/unmarked";
import type { Said } from "../protocol";
import { t, theme } from "../texts";
import { said } from "../texts/purposes";
import { pinsOf, togglePin } from "../time/lanes";
import * as model from "../wire/model";
import { brief } from "../wire/names";
import { choose } from "../wire/wire";
import { drawArena, mindAt } from "./arena";
import { atKey, byLine, toggleAt, toggleAtKey } from "./breakpoints";
import { after, OLD_MS, WELL_MS } from "./fading";
import * as found from "./found";
import { Held, Hold, Rewritten } from "./held";
import { Words } from "./now";
import * as problems from "./problems";
import { linked } from "./why";

/** Longer lists have rows only for what is in view. */
const LONG = 60;
/** How many more rows there are above and below. */
const SPARE = 6;
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
  const running = model.visible(model.running.value);
  const isFollowed = model.follows.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFollowed) model.scrollList(running);
  }, [running, isFollowed, model.shown.value]);
  useEffect(() => {
    const resize = new ResizeObserver(() => {
      const { scrollTop: top, clientHeight: height } = list.current as HTMLDivElement;
      sight.value = { top, height };
      if (model.follows.peek()) model.scrollList(model.visible(model.running.peek()));
    });
    resize.observe(list.current as HTMLDivElement);
    return () => resize.disconnect();
  }, []);
  const byHand = (event: Event): void => {
    const list = event.currentTarget as HTMLElement;
    const isOnBar = event.type !== "pointerdown" || (event as PointerEvent).offsetX > list.clientWidth;
    if (list.scrollHeight > list.clientHeight && isOnBar) model.follows.value = false;
  };
  const outermost = Math.min(...source.map((nth) => model.lines.value[nth].indent), Infinity);
  return (
    <nav aria-label={t("list")}>
      <div class="head">
        <b title={behaviour?.name}>{behaviour?.name ?? "–"}</b>
        <small>
          {model.lines.value.length} {t("lines")}
        </small>
      </div>
      <input
        type="search"
        placeholder={`${t("find")}  /`}
        aria-label={t("find")}
        value={model.query.value}
        onInput={(event) => (model.query.value = event.currentTarget.value)}
      />
      <div
        ref={list}
        class="rows"
        role="tree"
        tabIndex={0}
        aria-label={behaviour?.name}
        aria-activedescendant={
          rows.slice(from, to).some((nth) => model.lines.value[nth].id === model.selected.value) ? `row-${model.selected.value}` : undefined
        }
        onWheel={byHand}
        onTouchMove={byHand}
        onPointerDown={byHand}
        onScroll={(event) => (sight.value = { top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      >
        {from > 0 && <div role="presentation" style={{ height: `${from * model.ROW_PX}px` }} />}
        {rows.slice(from, to).map((nth) => (
          <Row key={model.lines.value[nth].id} nth={nth} outermost={outermost} />
        ))}
        {to < rows.length && <div role="presentation" style={{ height: `${(rows.length - to) * model.ROW_PX}px` }} />}
      </div>
      <SmallMap />
      <div class="legend" aria-hidden="true">
        <span class="run">▶ {t("running")}</span>
        <span class="ok">✓ {t("success")}</span>
        <span class="fail">✕ {t("failure")}</span>
        <span class="cut">⊘ {t("cutOff")}</span>
        <span class="faint">▷✓✕ {t("before")}</span>
        <HeatLegend />
      </div>
    </nav>
  );
}

/** The whole graph in small. */
function SmallMap() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => mountMap(canvas.current as HTMLCanvasElement), []);
  return <canvas class="map" ref={canvas} aria-hidden="true" hidden />;
}

// An empty text is `null` here: Preact would write it anew each time.
function Row({ nth, outermost }: { nth: number; outermost: number }) {
  const line = model.lines.value[nth];
  const { kind, name, rest } = model.parts(line);
  const mark = model.strongest(nth);
  const isFolded = model.folded.value.has(line.id);
  const hasMore = model.below.value[nth] > 0;
  const back = model.returns.value.get(nth);
  return (
    <div
      id={`row-${line.id}`}
      role="treeitem"
      aria-level={(line.indent - outermost) / 2 + 1}
      aria-expanded={hasMore ? !isFolded : undefined}
      aria-selected={model.selected.value === line.id}
      class={`row ${toneOf(mark)} ${mark === "" ? "idle" : ""} ${nth === model.running.value ? "first" : ""}`}
      data-id={line.id}
      data-mark={mark}
      title={`${short(line.text, 2000)}${line.doc ? `\n${line.doc}` : ""}`}
      style={{ paddingLeft: `${10 + ((line.indent - outermost) / 2) * 14}px` }}
      onClick={() => (model.selected.value = line.id)}
      onDblClick={() => hasMore && model.fold(line.id, !isFolded)}
    >
      <Dot line={line} />
      <span
        class="fold"
        onClick={(event) => {
          if (hasMore) {
            event.stopPropagation();
            model.fold(line.id, !isFolded);
          }
        }}
      >
        {hasMore ? (isFolded ? "▸" : "▾") : null}
      </span>
      <span class="sign" aria-hidden="true">
        {line.is === "transition" ? null : sign(kind)}
      </span>
      <span class="name">{short(name)}</span> <span class="rest">{isFolded ? `+${model.below.value[nth]}` : short(rest) || null}</span>
      {back && (
        <span class={`returns ${back.is_remembered ? "" : "faint"}`} title={t("returnsTo")}>
          ↩ {back.states.join(", ")}
        </span>
      )}
      <Heat nth={nth} />
      <span class="mark" role="img" aria-label={mark === "" ? undefined : markWord(mark)} aria-hidden={mark === ""}>
        {glyphs[mark] || null}
      </span>
    </div>
  );
}

/** The dot of a breakpoint, and the place to click for one. */
function Dot({ line }: { line: model.Line }) {
  const known = byLine.value.get(line.id);
  if (line.is === "part") return <span class="dot" />;
  return (
    <span
      class={`dot ${known ? (known.is_on ? "on" : "off") : ""}`}
      title={known?.text ?? t("stopHere")}
      onClick={(event) => {
        event.stopPropagation();
        toggleAt(line.id);
      }}
    >
      ●
    </span>
  );
}

export function Blackboard() {
  const view = model.view.value as model.View;
  const keys = model.definition.value?.behaviour?.keys ?? [];
  if (!view.keys) return null;
  const pins = pinsOf(view.file);
  const [since, last] = [view.known_since, view.reloaded];
  const isReload = last?.is_done && last.tick === since;
  const unwritten = isReload ? `${t("sinceReload")} ${since}` : since > 0 ? t("noWriteLately") : t("noWrite");
  return (
    <section class="keys" aria-label={t("blackboard")}>
      <h2>
        {t("blackboard")} <small>{keys.length === 0 ? t("noKeys") : keys.length}</small>
      </h2>
      <table>
        <tbody>
          {keys.map((key, nth) => {
            const held = view.keys?.[nth];
            const isFresh = held?.changed !== null && held?.changed === view.tick;
            return (
              <tr key={key.name} data-key={key.name}>
                <td>
                  <code>{key.name}</code>
                  {key.scope !== "agent" && <small> {key.scope}</small>}
                  <div class="by">
                    {held?.by ? (
                      <>
                        <Words text={held.by.replace(/^`[^`]*` (changed )?/, "")} />
                        {!isFresh && linked(held.changed)}
                      </>
                    ) : (
                      unwritten
                    )}
                  </div>
                  <Rewritten name={key.name} />
                </td>
                <td class="stop">
                  <button
                    class={`plain pin ${pins.includes(key.name) ? "on" : ""}`}
                    aria-pressed={pins.includes(key.name)}
                    aria-label={`${t("pin")}: ${key.name}`}
                    title={t("pin")}
                    onClick={() => togglePin(view.file, key.name)}
                  >
                    <svg viewBox="0 0 12 12" aria-hidden="true">
                      <path d="M4 1h4M5 1v4L3 7h6L7 5V1M6 7v4" />
                    </svg>
                  </button>
                  <Hold name={key.name} value={held?.value ?? ""} />
                  <button
                    class={`plain dot ${atKey(key.name) ? "on" : ""}`}
                    aria-pressed={!!atKey(key.name)}
                    aria-label={`${t("stopAtKey")} ${key.name}`}
                    title={t("stopAtKey")}
                    onClick={() => toggleAtKey(key.name)}
                  >
                    ●
                  </button>
                </td>
                <td class="held">
                  <Held name={key.name} value={held?.value ?? ""} isFresh={isFresh} />
                </td>
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
  void found.pointed.value;
  useLayoutEffect(() =>
    inFrame(canvas, () => {
      if (canvas.current && ground && view.scene) drawArena(canvas.current, ground, view.scene, view.mind);
    }),
  );
  if (!ground || !view.scene) return null;
  const click = (event: MouseEvent): void => {
    const found = mindAt(
      canvas.current as HTMLCanvasElement,
      ground.rows[0].length,
      view.scene as model.Scene,
      event.offsetX,
      event.offsetY,
    );
    if (found !== null) choose(found);
  };
  const columns = ground.rows[0].length;
  const point = (event: MouseEvent): void => {
    const size = (canvas.current?.clientWidth ?? 0) / columns;
    if (size > 0) found.pointed.value = found.candidateAt(event.offsetX / size, event.offsetY / size);
  };
  return (
    <section class="arena">
      <canvas
        ref={canvas}
        role="img"
        aria-label={t("arena")}
        onClick={click}
        onMouseMove={point}
        onMouseLeave={() => (found.pointed.value = null)}
      />
      {/* To ask for a width lays the page out, so it is asked for only when it is needed. */}
      {found.pointed.value !== null && <found.Pointed width={canvas.current?.clientWidth ?? 0} columns={columns} />}
      {mayEdit.value && view.end === null && !view.is_live && (
        <button class="edit-map" title={`${t("editMap")}  A`} onClick={toMap}>
          {t("editMap")}
        </button>
      )}
      <Legend />
    </section>
  );
}

/** The sentences that say only how long something took: that matters least, and is said where one points. */
export const TIMINGS: readonly string[] = ["  read and checked in {} ms", "  swapped in {} ms"];
const isTiming = (line: Said): boolean => typeof line !== "string" && TIMINGS.includes(line.says);

/** A line about a node with the end of its path first, and the whole path behind it: what has become of the node is read first. */
function brieflyAt(line: Said): Said {
  if (typeof line === "string") return line;
  const [first, ...rest] = line.with;
  if (!line.says.startsWith("node {}: ")) return { ...line, with: line.with.map((one) => brieflyAt(one)) };
  const path = typeof first === "string" ? first : "";
  const end = path.slice(path.lastIndexOf("/") + 1);
  return end === path ? line : { says: "{}  ({})", with: [{ ...line, with: [`…/${end}`, ...rest] }, path] };
}

/** What the last change of the watched document did, until it is closed, or some time has passed. */
export function Reloaded() {
  const view = model.view.value;
  const box = useRef<HTMLDivElement>(null);
  const last = view?.reloaded;
  // What another program has written into a text that is edited may have errors that the text of the page does not have.
  const isState = !last?.is_done && !!model.definition.value?.draft && problems.counted.value[0] > 0;
  const nth = last?.nth ?? 0;
  const close = (): void => {
    model.closed.value = Math.max(model.closed.peek(), nth);
  };
  // That the text has errors is so for as long as it has.
  useEffect(() => (nth === 0 || isState ? undefined : after(last?.is_done ? WELL_MS : OLD_MS, box, close)), [nth, isState]);
  if (!last || last.nth <= model.closed.value) return null;
  const [first, ...rest] = last.lines.filter((one) => !isTiming(one)).map((one) => said(brieflyAt(one)));
  const timing = last.lines.filter(isTiming).map(said).join("\n");
  if (isState) {
    const first = problems.all.value[0];
    return (
      <div class="told bad errors" role="status">
        <b>
          ✕ <problems.Counts />
        </b>
        <button onClick={() => problems.next(1)}>
          {t("nextProblem")} <kbd>F8</kbd>
        </button>
        <span title={first && unmarked(said(first.text))}>
          {t("goesOnWithLast")}
          {first && (
            <>
              {" · "}
              {t("lineNo")} {first.at[0]}: <Words text={said(first.text)} />
            </>
          )}
        </span>
      </div>
    );
  }
  return (
    <div ref={box} class={`told ${last.is_done ? "ok" : "bad"}`} role="status" title={timing || undefined}>
      <b>
        {last.is_done ? "✓" : "✕"} {t("tick")} {last.tick}
      </b>
      <span>
        {view && first?.replace(view.file, brief(view.file))}
        {last.is_done && last.tick === view?.tick && !model.marks.value.some(Boolean) && ` · ${t("fromNextTick")}`}
      </span>
      <button class="plain" aria-label={t("close")} title={t("closeAll")} onClick={close}>
        ×
      </button>
      {rest.length > 0 && <pre tabIndex={0}>{rest.join("\n")}</pre>}
    </div>
  );
}
