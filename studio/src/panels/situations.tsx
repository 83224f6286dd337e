// What a search for a plan has reached: each situation with the way to it, and what that costs.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { short } from "../parts/short";
import type { SearchState, SituationState } from "../protocol";
import { t } from "../texts";
import { places } from "./tree";
import { number } from "./weighed";

const COLUMN = 58;
const ROW = 20;
const RADIUS = 5;
/** With more, steps are not named in the drawing. */
const NAMED = 40;

/** The situation that is pointed at. */
const pointed = signal(0);

/** A situation in words. */
function said(one: SituationState): string {
  const changes = one.changes.map(([key, value]) => `${key} = ${value === "" ? t("searchUnset") : value}`);
  const how = one.is_on_plan ? t("searchOnPlan") : one.is_looked_at ? t("searchLooked") : t("searchReached");
  const costs = `${t("searchCosts")} ${number(one.cost)}, ${t("searchLeast")} ${number(one.estimate)}`;
  return [one.from?.[1] ?? t("searchBegin"), how, costs, ...changes].join(" · ");
}

export function Situations({ of }: { of: SearchState | null }) {
  if (!of || of.situations.length === 0) return <p class="by">{t("searchTask")}</p>;
  return <Drawn of={of} />;
}

function Drawn({ of }: { of: SearchState }) {
  const all = of.situations;
  const box = useRef<HTMLDivElement>(null);
  const at = places(all).map(({ column, row }) => ({ x: 12 + column * COLUMN, y: 20 + row * ROW }));
  const width = Math.max(...at.map((one) => one.x)) + COLUMN;
  const height = Math.max(...at.map((one) => one.y)) + 14;
  const shown = all[pointed.value] ?? all[0];
  // Where the search begins is in view.
  const begin = at[0].y;
  useEffect(() => {
    if (box.current) box.current.scrollTop = begin - box.current.clientHeight / 2;
  }, [begin]);
  const move = (by: number): void => {
    pointed.value = Math.max(0, Math.min(all.length - 1, pointed.value + by));
  };
  return (
    <div class="situations">
      <h3>{t("searchIs")}</h3>
      <p class="by">
        {of.of} {t("searchOf")} {of.expansions}.{all.length < of.of ? ` ${t("searchShown")} ${all.length}.` : ""}
      </p>
      <div
        ref={box}
        class="scroll"
        role="group"
        tabIndex={0}
        aria-label={t("searchIs")}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          move(by);
        }}
      >
        <svg width={width} height={height} aria-hidden="true">
          {all.map((one, nth) => {
            if (!one.from) return null;
            const [from, to] = [at[one.from[0]], at[nth]];
            const middle = (from.x + to.x) / 2;
            return (
              <path
                key={nth}
                class={one.is_on_plan ? "way on-plan" : "way"}
                d={`M${from.x + RADIUS} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x - RADIUS} ${to.y}`}
              />
            );
          })}
          {all.map((one, nth) => (
            <g key={nth} onMouseEnter={() => (pointed.value = nth)}>
              <circle
                class={`${one.is_on_plan ? "on-plan" : one.is_looked_at ? "looked" : "reached"} ${pointed.value === nth ? "pointed" : ""}`}
                data-situation={nth}
                cx={at[nth].x}
                cy={at[nth].y}
                r={RADIUS}
              />
              {one.from && (one.is_on_plan || all.length <= NAMED) && (
                <text x={at[nth].x} y={at[nth].y - 7} text-anchor="middle">
                  {short(one.from[1], 11)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <p class="by" role="status">
        {said(shown)}
      </p>
      <p class="legend-of-search" aria-hidden="true">
        <small>
          <span class="on-plan">●</span> {t("searchOnPlan")} <span class="looked">●</span> {t("searchLooked")}{" "}
          <span class="reached">○</span> {t("searchReached")}
        </small>
      </p>
    </div>
  );
}
