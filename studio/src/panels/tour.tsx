// A tour of five steps through the page, with the guard of the examples.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as sheet from "../edit/sheet";
import type { Behaviour } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { lookAgain, open, say } from "../wire/wire";
import * as home from "./home";

/** The part of the page that each step is about; the style draws a line around it. */
const STEPS = ["graph", "why", "time", "keys", "edit"] as const;

/** The step that is shown; none when nobody takes the tour. */
export const step = signal<number | null>(null);

/** What the tour speaks of: the guard flees when it is weak and sees somebody. */
const NEEDS = ["see-enemy", "run-away", "attack", "patrol"];

/** Whether something is the guard that the tour goes through, whatever its file is called: one that looks up in each tick. */
export function isGuard(of: Behaviour): boolean {
  const labels = new Set(of.lines.map((line) => line.label));
  const isOne = of.word === "tree" && of.name === "guard" && NEEDS.every((one) => labels.has(one));
  return isOne && of.lines.some((line) => line.word === "reactive-selector") && of.lines.some((line) => /\bhealth\b/.test(line.text));
}

/** The file of the guard, if it can be opened. */
export const guard = computed(() => {
  const all = model.files.value.filter((file) => {
    const known = home.previews.value.get(file)?.behaviour;
    return known && isGuard(known);
  });
  return all.find((file) => /(^|\/)guard\.kdl$/.test(file)) ?? all[0];
});

function show(panel: "graph" | "edit"): void {
  model.panel.value = panel;
  lookAgain();
}

export function begin(): void {
  if (!guard.value) return;
  open(guard.value);
  model.panel.value = "graph";
  step.value = 0;
}

/** Ends the tour; returns whether there was one. */
export function end(): boolean {
  const was = step.value !== null;
  step.value = null;
  return was;
}

export function Tour() {
  const next = useRef<HTMLButtonElement>(null);
  const isSeen = useRef(false);
  const nth = step.value;
  const part = nth === null ? undefined : STEPS[nth];
  useEffect(() => {
    if (part) document.documentElement.dataset.tour = part;
    else delete document.documentElement.dataset.tour;
    next.current?.focus();
    isSeen.current = false;
    const aside = document.querySelector("aside");
    const byHand = (event: Event): void => {
      isSeen.current ||= event.type === "wheel" || event.target === aside;
    };
    for (const one of ["wheel", "pointerdown"]) aside?.addEventListener(one, byHand, { passive: true });
    return () => {
      for (const one of ["wheel", "pointerdown"]) aside?.removeEventListener(one, byHand);
    };
  }, [part]);
  // What is at the right may be out of view, and what stands above it grows while the guard plays; until somebody scrolls there.
  useEffect(() => {
    if (!isSeen.current) document.querySelector(`aside .${part}`)?.scrollIntoView({ block: "nearest" });
  }, [part, part && model.view.value?.tick]);
  // The last step is about what one sees then.
  useEffect(() => {
    if (part === "edit") show("edit");
    else if (part && model.panel.value !== "graph") show("graph");
    // What the game writes again is seen only while it plays.
    if (part === "keys" && model.view.value?.is_paused) say({ say: "play" });
  }, [part]);
  if (nth === null || !part) return null;
  const isExample = part === "edit" && !sheet.sheet.value;
  const isLast = nth === STEPS.length - 1;
  return (
    <section class="tour" role="region" aria-label={t("tour")} aria-live="polite">
      <h2>
        {t(`tour_${part}`)}{" "}
        <small>
          {nth + 1} / {STEPS.length}
        </small>
      </h2>
      <p>{t(isExample ? "tourSays_example" : `tourSays_${part}`)}</p>
      <button ref={next} onClick={() => (step.value = isLast ? null : nth + 1)}>
        {t(isLast ? "tourDone" : "tourNext")}
      </button>
      {nth > 0 && (
        <button class="plain" onClick={() => (step.value = nth - 1)}>
          {t("tourBack")}
        </button>
      )}
      {!isLast && (
        <button class="plain" onClick={end}>
          {t("tourSkip")}
        </button>
      )}
    </section>
  );
}
