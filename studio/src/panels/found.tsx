// What a `find` has looked at: dots on the map, and a list of them with what was measured.

import { computed, signal } from "@preact/signals";
import type { CandidateState, FindState } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";

/** The candidate that is pointed at, in the list or on the map. */
export const pointed = signal<number | null>(null);

/** The search that is shown: that of the line that is selected, or the last one. */
export const sought = computed<FindState | null>(() => {
  const all = model.view.value?.finds ?? [];
  return all.find((one) => `n${one.node}` === model.selected.value) ?? all[0] ?? null;
});

const number = (value: number): string => String(Number(value.toPrecision(3)));

/** A candidate in words: what became of it, and what it was measured at. */
export function said(one: CandidateState): string[] {
  const is = one.chosen
    ? `${t("candidateChosen")} ${number(one.score ?? 0)}`
    : one.score !== null
      ? `${t("candidateKept")} ${number(one.score)}`
      : one.out
        ? `${t("candidateOut")} ${one.out}`
        : t("candidateZero");
  return [is, ...one.measured.map(([name, told]) => `${name} ${number(told)}`)];
}

/** The candidate at a place of the map, in metres. */
export function candidateAt(x: number, y: number): number | null {
  const all = sought.value?.candidates ?? [];
  const near = all.flatMap((one, nth) => (one.at && Math.hypot(one.at[0] - x, one.at[1] - y) < 0.6 ? [nth] : []));
  return near[0] ?? null;
}

/** Draws the candidates: the better the score, the larger and fuller the dot; a cross is out, and a ring was chosen. */
export function drawCandidates(context: CanvasRenderingContext2D, colour: (name: string) => string): void {
  const all = sought.value?.candidates ?? [];
  const best = Math.max(...all.map((one) => one.score ?? 0), 0.001);
  all.forEach((one, nth) => {
    if (!one.at) return;
    const [x, y] = one.at;
    context.lineWidth = 0.09;
    context.beginPath();
    if (one.score === null) {
      context.strokeStyle = colour("muted");
      context.moveTo(x - 0.2, y - 0.2);
      context.lineTo(x + 0.2, y + 0.2);
      context.moveTo(x + 0.2, y - 0.2);
      context.lineTo(x - 0.2, y + 0.2);
      context.stroke();
    } else {
      context.fillStyle = colour("ok");
      context.globalAlpha = 0.35 + (0.65 * one.score) / best;
      context.arc(x, y, 0.16 + (0.16 * one.score) / best, 0, 7);
      context.fill();
      context.globalAlpha = 1;
    }
    if (one.chosen || pointed.value === nth) {
      context.strokeStyle = colour(one.chosen ? "ok" : "accent");
      context.beginPath();
      context.arc(x, y, 0.46, 0, 7);
      context.stroke();
    }
  });
}

/** What is pointed at, beside the pointer. */
export function Pointed({ width, columns }: { width: number; columns: number }) {
  const one = pointed.value === null ? null : sought.value?.candidates[pointed.value];
  if (!one?.at || width === 0) return null;
  const size = width / columns;
  const isRight = one.at[0] > columns / 2;
  const side = isRight ? { right: `${width - one.at[0] * size + 10}px` } : { left: `${one.at[0] * size + 10}px` };
  return (
    <div class="pointed" style={{ ...side, top: `${one.at[1] * size + 10}px` }}>
      <code>{one.value}</code>
      {said(one).map((line) => (
        <div key={line}>
          <small>{line}</small>
        </div>
      ))}
    </div>
  );
}

/** The candidates as a list, the best first. */
export function Found() {
  const of = sought.value;
  if (!of || of.candidates.length === 0) return null;
  const all = of.candidates.map((one, nth) => ({ one, nth }));
  all.sort((left, right) => (right.one.score ?? -1) - (left.one.score ?? -1));
  return (
    <section class="found-list" aria-label={`${t("candidatesOf")} ${of.name}`}>
      <div class="head">
        <h2>{t("candidatesOf")}</h2>
        <code>{of.name}</code>
        <span class="grow" />
        <small>
          {t("foundAt")} {of.tick}
        </small>
      </div>
      <ol>
        {all.map(({ one, nth }) => {
          const [is, ...measured] = said(one);
          return (
            <li key={nth} data-candidate={nth} class={`${one.score === null ? "is-out" : ""} ${pointed.value === nth ? "is-pointed" : ""}`}>
              <button
                class="plain"
                aria-pressed={pointed.value === nth}
                onMouseEnter={() => (pointed.value = nth)}
                onMouseLeave={() => (pointed.value = null)}
                onFocus={() => (pointed.value = nth)}
                onBlur={() => (pointed.value = null)}
              >
                <span class={`mark ${one.score === null ? "faint" : "ok"}`} aria-hidden="true">
                  {one.chosen ? "◉" : one.score === null ? "×" : "●"}
                </span>
                <code>{one.value}</code>
                <span>{is}</span>
                {measured.length > 0 && <small>{measured.join(" · ")}</small>}
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
