// The timeline with its buttons.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { again, mayAgain, speed, toEnd, toggle, toTests } from "../keys";
import { Words } from "../panels/now";
import { inCalm } from "../parts/canvas";
import { Split, sizes } from "../parts/split";
import { t, theme } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { Runs } from "./compare";
import { earlier, first } from "./earlier";
import { along, around, excerpt, lanesOf, roomFor, togglePin, wholeOf, within, zoomed } from "./lanes";
import { ask, clear, mark, press, stretch, whyNot } from "./stretch";
import { drawTimeline, LABELS, laneAt, mostScrolled, placeAt, RULER, type Timeline, tickAt } from "./timeline";

/** How high the row of buttons is, and its border. */
const CONTROLS_PX = 43;

/** A way that is so long that somebody may want to see how far it is, and to stop it. */
const LONG_TICKS = 200;

/** Where the pointer is above the timeline. */
const pointer = signal<Timeline["pointer"]>(null);
/** Where the stretch begins that is marked with the mouse. */
let marks: number | null = null;
/** Whether a stretch is being marked: nothing may lie on it then. */
const isMarking = signal(false);
/** How far the lanes are scrolled. */
const top = signal(0);
/** The tick that the window was last moved for, and the file. */
let shown = { file: "", tick: 0 };

/** Zooms the timeline around the tick that is shown. */
export function zoomTime(factor: number): void {
  const view = model.view.value;
  if (!view) return;
  const whole = wholeOf(view);
  excerpt.value = zoomed(excerpt.value ?? whole, whole, view.tick, factor);
}

/** Brings all ticks into view. */
export function showAllTicks(): void {
  excerpt.value = null;
}

export function Time() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = model.view.value as model.View;
  const behaviour = model.definition.value?.behaviour;
  const whole = wholeOf(view);
  const film = model.film.value;
  if (view.file !== shown.file) excerpt.value = null;
  else if (excerpt.value) excerpt.value = along(excerpt.value, shown.tick, view.tick, !view.is_paused);
  shown = { file: view.file, tick: view.tick };
  const span = excerpt.value ?? whole;
  const lanes = behaviour ? lanesOf(behaviour, view.file, film) : [];
  void theme.value;
  useLayoutEffect(() =>
    // The lanes of a crowd take long to draw.
    inCalm(canvas, !!film.shares && !view.is_paused && !pointer.value, () => {
      if (!canvas.current) return;
      top.value = Math.min(top.value, mostScrolled(canvas.current, lanes));
      const [perSec, scrolled] = [model.ticksPerSec.value, top.value];
      drawTimeline(canvas.current, {
        tick: view.tick,
        film,
        lanes,
        span,
        perSec,
        top: scrolled,
        pointer: pointer.value,
        isMarking: isMarking.value,
        stretch: stretch.value,
        differs: first()?.tick ?? null,
      });
    }),
  );
  void [pointer.value, top.value, stretch.value, earlier.value];
  // A listener that is not passive, so that the page stays where it is.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const turn = (event: WheelEvent): void => {
      event.preventDefault();
      const now = model.view.value as model.View;
      const all = wholeOf(now);
      const seen = excerpt.value ?? all;
      const by = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (event.offsetX < LABELS) top.value = Math.max(0, top.value + event.deltaY);
      else if (by !== 0 && excerpt.value) {
        const ticks = (by * (seen.to - seen.from)) / element.clientWidth;
        excerpt.value = within({ from: seen.from + ticks, to: seen.to + ticks }, all);
      } else excerpt.value = zoomed(seen, all, placeAt(element, seen, event.offsetX), Math.exp(event.deltaY * 0.002));
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [model.definition.value?.refusal]);
  if (model.definition.value?.refusal) return null;
  const scrub = (event: PointerEvent): void => {
    pointer.value = { x: event.offsetX, y: event.offsetY };
    const element = canvas.current as HTMLCanvasElement;
    const lane = event.offsetX < LABELS ? laneAt(lanes, top.value, event.offsetY) : undefined;
    // A long name has no room beside its lane.
    if (element.title !== (lane?.name ?? "")) element.title = lane?.name ?? "";
    const cursor = event.offsetX >= LABELS ? "" : lane?.key ? "pointer" : "default";
    if (element.style.cursor !== cursor) element.style.cursor = cursor;
    if (event.type === "pointerdown" && lane?.key) togglePin(view.file, lane.key);
    if (event.buttons !== 1) isMarking.value = false;
    if (event.buttons !== 1 || (event.type === "pointerdown" && event.offsetX < LABELS)) return;
    const tick = Math.min(tickAt(element, span, event.offsetX), view.end ?? view.last);
    if (event.shiftKey) {
      if (event.type === "pointerdown") marks = tick;
      isMarking.value = true;
      mark(marks ?? tick, tick);
      return;
    }
    marks = null;
    if (tick !== view.tick) say({ say: "go", tick });
  };
  const go = (tick: number) => () => say({ say: "go", tick });
  const end = view.end ?? view.last;
  // Two runs need more room than one, as long as they are compared.
  const most = earlier.value ? "max(var(--time), 30vh)" : "var(--time)";
  return (
    <footer
      style={{
        height: sizes.value.time ? "var(--time)" : `min(${most}, ${roomFor(behaviour, !!film.shares) + RULER + CONTROLS_PX}px)`,
      }}
    >
      <Split pane="time" />
      <div class="controls">
        <button title={t("first")} aria-label={t("first")} onClick={go(view.first)}>
          «
        </button>
        <button title={t("back")} aria-label={t("back")} onClick={() => say({ say: "back" })}>
          ‹
        </button>
        <button class="play" title={t("play")} aria-label={t("play")} aria-pressed={!view.is_paused} onClick={toggle}>
          {view.is_paused ? "▶" : "❚❚"}
        </button>
        <button title={t("step")} aria-label={t("step")} onClick={() => say({ say: "step" })}>
          ›
        </button>
        <button title={t("last")} aria-label={t("last")} onClick={toEnd}>
          »
        </button>
        <span class="tick">
          {t("tick")} <b>{view.tick}</b> {t("of")} {end}
        </span>
        <button title={t("slower")} aria-label={t("slower")} onClick={() => speed(-1)}>
          −
        </button>
        <span class="speed">{view.speed}×</span>
        <button title={t("faster")} aria-label={t("faster")} onClick={() => speed(1)}>
          +
        </button>
        {view.goal !== null && view.goal - view.tick > LONG_TICKS && (
          <span class="way" role="status">
            {t("onTheWay")} {view.goal} <progress aria-label={t("onTheWay")} max={view.goal} value={view.tick} />
            <button onClick={() => say({ say: "pause" })}>{t("stopThere")}</button>
          </span>
        )}
        <span class="grow" />
        {mayAgain() && (
          <button class="again" title={`${t("fromHereLong")}  R`} onClick={again}>
            ↻ {t("fromHere")}
          </button>
        )}
        <button class="mark" title={`${t("markStretch")}  r`} aria-label={t("markStretch")} aria-pressed={!!stretch.value} onClick={press}>
          ⟦⟧
        </button>
        {stretch.value && (
          <>
            <button class="make" title={whyNot.value ?? `${t("makeTest")}  T`} disabled={!!whyNot.value} onClick={toTests}>
              {stretch.value.from}–{stretch.value.to}: {t("makeTest")}
            </button>
            {whyNot.value && (
              <span class="whynot" role="status" title={whyNot.value}>
                <Words text={whyNot.value} />
              </span>
            )}
            <button class="plain" title={t("clearStretch")} aria-label={t("clearStretch")} onClick={clear}>
              ×
            </button>
          </>
        )}
        <button
          class="window"
          title={`${t("allTicks")}  e`}
          aria-label={t("allTicks")}
          aria-pressed={!excerpt.value}
          onClick={showAllTicks}
        >
          ∞
        </button>
        {[30, 10, 2].map((secs) => {
          const size = secs * model.ticksPerSec.value;
          const isSo = !!excerpt.value && Math.abs(span.to - span.from - size) < 0.5;
          return (
            <button key={secs} class="window" aria-pressed={isSo} onClick={() => (excerpt.value = around(view.tick, size, whole))}>
              {secs} s
            </button>
          );
        })}
      </div>
      <div class="lanes">
        <canvas
          ref={canvas}
          role="slider"
          tabIndex={0}
          aria-label={t("timeline")}
          aria-valuemin={view.first}
          aria-valuemax={end}
          aria-valuenow={view.tick}
          aria-valuetext={`${model.secs(view.tick)}, ${view.does ?? t("nothing")}`}
          onPointerDown={scrub}
          onPointerMove={scrub}
          onPointerUp={(event) => {
            if (event.shiftKey) ask();
            isMarking.value = false;
          }}
          onPointerLeave={() => (pointer.value = null)}
        />
        <Runs />
      </div>
    </footer>
  );
}
