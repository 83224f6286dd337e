// The timeline with its buttons.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { speed, toEnd, toggle } from "./keys";
import * as model from "./model";
import { t, theme } from "./texts";
import { drawTimeline, heightOf, spanOf, tickAt } from "./timeline";
import { say } from "./wire";

/** How high the row of buttons is. */
const CONTROLS_PX = 42;

/** A way that is so long that somebody may want to see how far it is, and to stop it. */
const LONG_TICKS = 200;

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
    <footer style={{ height: `min(var(--time), ${heightOf(model.film.value) + CONTROLS_PX}px)` }}>
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
        {(
          [
            ["1:1", 0],
            ["30 s", 600],
            ["10 s", 200],
            ["2 s", 40],
          ] as const
        ).map(([name, ticks]) => (
          <button key={name} class="window" aria-pressed={extent.value === ticks} onClick={() => (extent.value = ticks)}>
            {ticks === 0 ? "∞" : name}
          </button>
        ))}
      </div>
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
      />
    </footer>
  );
}
