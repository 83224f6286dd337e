// Planners: their goals with bars, the plan as a row of steps, and what they would do with other facts.

import { computed, effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { glyphs, markWord, sign, toneOf } from "../parts/marks";
import { short } from "../parts/short";
import type { GoalState, PlannerState, PlanShown, StepState, WhatIf } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { lookAgain, say } from "../wire/wire";
import { Words } from "./now";
import { asked, openStep, whatIf } from "./planning";
import { Situations } from "./situations";

const SIGNS = { pursued: "▶", fruitless: "✕", holds: "✓", open: "○", closed: "·" } as const;
const TONES = { pursued: "run", fruitless: "fail", holds: "ok", open: "muted", closed: "faint" } as const;
const WORDS = {
  pursued: "goalPursued",
  fruitless: "goalFruitless",
  holds: "goalHolds",
  open: "goalOpen",
  closed: "goalClosed",
} as const;

/** The planner that the user chose last, by the number of its node. */
const chosen = signal<number | null>(null);

/** The planner that is shown: the one around the line that is selected, the one that was chosen, one that runs, the first. */
const shown = computed<PlannerState | null>(() => {
  const all = model.view.value?.plans ?? [];
  let nth = model.lines.value.findIndex((line) => line.id === model.selected.value);
  for (; nth >= 0; nth = model.parents.value[nth]) {
    const around = all.find((one) => `n${one.node}` === model.lines.value[nth].id);
    if (around) return around;
  }
  return all.find((one) => one.node === chosen.value) ?? all.find((one) => one.is_running) ?? all[0] ?? null;
});

effect(() => {
  asked.value = shown.value?.node ?? null;
});
let lastAsked = "null null";
effect(() => {
  const now = `${asked.value} ${JSON.stringify(whatIf.value)}`;
  if (now === lastAsked) return;
  lastAsked = now;
  queueMicrotask(lookAgain);
});
// Of another agent or another document, other facts are asked about.
let lastPlace = "";
effect(() => {
  const view = model.view.value;
  const place = `${view?.file} ${view?.mind} ${view?.opened}`;
  if (place !== lastPlace) whatIf.value = null;
  lastPlace = place;
});

const number = (value: number): string => String(Number(value.toPrecision(4)));

function Goals({ goals }: { goals: GoalState[] }) {
  const most = Math.max(...goals.map((one) => one.score ?? 0), 0);
  return (
    <ul class="goals" aria-label={t("goals")}>
      {goals.map((one) => {
        const share = one.score !== null && most > 0 ? Math.max(0, one.score) / most : 0;
        return (
          <li key={one.name} class={TONES[one.is]} data-goal={one.name} data-is={one.is}>
            <div class="goal">
              <span class="mark" aria-hidden="true">
                {SIGNS[one.is]}
              </span>
              <b class="code">{one.name}</b>
              <span class="how" title={one.is === "closed" ? t("goalClosedWhy") : undefined}>
                {t(WORDS[one.is])}
              </span>
              <span class="grow" />
              <span class="score">{one.score === null ? "–" : number(one.score)}</span>
            </div>
            <div class="track" aria-hidden="true">
              <span style={{ width: `${share * 100}%` }} />
            </div>
            <small class="aim">
              {one.is_task ? "does" : "wants"} <code>{one.aim}</code>
            </small>
            {one.why.length > 0 && (
              <div class="none" role="status">
                {one.why.map((sentence, nth) => (
                  <p key={nth}>
                    <Words text={sentence} />
                  </p>
                ))}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The lines of a step and of what is in it. */
function linesOf(node: number): number[] {
  const first = model.lines.value.findIndex((line) => line.id === `n${node}`);
  return first < 0 ? [] : Array.from({ length: model.below.value[first] + 1 }, (_, nth) => first + nth);
}

/** What is in a step, with the marks of the tick. */
function Inside({ step }: { step: StepState }) {
  const all = linesOf(step.node);
  const outermost = model.lines.value[all[0]]?.indent ?? 0;
  return (
    <div class="inside" role="group" aria-label={step.name}>
      {step.why && (
        <p class="by">
          <Words text={step.why} />
        </p>
      )}
      {all.map((nth) => {
        const line = model.lines.value[nth];
        const { kind, name, rest } = model.parts(line);
        const mark = model.drawn.value[nth] ?? "";
        return (
          <button
            key={line.id}
            class={`plain ${toneOf(mark)}`}
            style={{ paddingLeft: `${6 + (line.indent - outermost) * 7}px` }}
            aria-pressed={model.selected.value === line.id}
            title={line.text}
            onClick={() => {
              model.selected.value = line.id;
              model.reveal(line.id);
            }}
          >
            <span class="sign" aria-hidden="true">
              {sign(kind)}
            </span>
            <span class="name">{short(name)}</span> <span class="rest">{short(rest) || null}</span>
            <span class="mark" role="img" aria-label={mark === "" ? undefined : markWord(mark)} aria-hidden={mark === ""}>
              {glyphs[mark] || null}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function Plan({ plan, of }: { plan: PlanShown; of: string }) {
  const opened = plan.steps.find((_, nth) => openStep.value === `${of} ${nth}`);
  return (
    <>
      <ol class="plan" aria-label={t("plan")}>
        {plan.steps.map((step, nth) => {
          const how = nth < plan.cursor ? "done" : nth === plan.cursor && of === "game" ? "now" : "next";
          const id = `${of} ${nth}`;
          const said = { done: t("stepDone"), now: t("stepNow"), next: t("stepNext") }[how];
          const costs = how === "done" ? "" : step.cost === null ? t("stepLost") : `${t("stepCosts")} ${number(step.cost)}`;
          return (
            <li key={id} aria-current={how === "now" ? "step" : undefined}>
              {nth > 0 && (
                <span class="then" aria-hidden="true">
                  →
                </span>
              )}
              <button
                class={`step is-${how} ${how !== "done" && step.cost === null ? "lost" : ""}`}
                data-step={step.name}
                aria-expanded={openStep.value === id}
                title={[said, costs, step.why?.replaceAll("`", "")].filter(Boolean).join("\n")}
                onClick={() => (openStep.value = openStep.value === id ? null : id)}
              >
                {how === "done" ? "✓ " : how === "now" ? "▶ " : ""}
                {step.name}
                {how !== "done" && <small> {step.cost === null ? "✕" : number(step.cost)}</small>}
              </button>
            </li>
          );
        })}
        <li class="sum">= {plan.cost === null ? "✕" : number(plan.cost)}</li>
      </ol>
      {opened && <Inside step={opened} />}
    </>
  );
}

/** A fact that may be another one. */
function Fact({ nth, asks }: { nth: number; asks: WhatIf }) {
  const key = model.definition.value?.behaviour?.keys[nth];
  const now = model.view.value?.keys?.[nth]?.value ?? "";
  if (!key) return null;
  const given = asks.given.find(([name]) => name === key.name)?.[1];
  const give = (value: string): void => {
    const others = asks.given.filter(([name]) => name !== key.name);
    whatIf.value = { ...asks, given: value === now ? others : [...others, [key.name, value]] };
  };
  const value = given ?? now;
  return (
    <tr class={given === undefined ? undefined : "changed"} data-fact={key.name}>
      <td>
        <code>{key.name}</code>
      </td>
      <td>
        {key.ty === "bool" && /^#?(true|false)$/.test(value) ? (
          <label class="line">
            <input
              type="checkbox"
              aria-label={key.name}
              checked={value.endsWith("true")}
              onChange={(event) => give(now.startsWith("#") ? `#${event.currentTarget.checked}` : String(event.currentTarget.checked))}
            />{" "}
            <code>{value.replace("#", "")}</code>
          </label>
        ) : (
          <input
            key={value}
            class="code"
            defaultValue={value === "unset" ? "" : value}
            placeholder={t("whatIfUnset")}
            aria-label={key.name}
            spellcheck={false}
            onBlur={(event) => give(event.currentTarget.value.trim())}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === "Escape") event.currentTarget.value = value;
              if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
            }}
          />
        )}
      </td>
    </tr>
  );
}

/** What the planner would do with other facts. */
function Otherwise({ of, asks }: { of: PlannerState; asks: WhatIf }) {
  const found = model.view.value?.foreseen;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "start" }), []);
  const wasSearched = found?.goals.some((one) => one.is === "fruitless");
  return (
    <div ref={box} class="otherwise">
      <p class="by">{t("whatIfIs")}</p>
      <table>
        <tbody>
          {of.keys.map((nth) => (
            <Fact key={nth} nth={nth} asks={asks} />
          ))}
        </tbody>
      </table>
      <div class="line">
        <select
          aria-label={t("whatIfGoal")}
          value={asks.goal === null ? "" : String(asks.goal)}
          onChange={(event) => {
            const goal = event.currentTarget.value;
            whatIf.value = { ...asks, goal: goal === "" ? null : Number(goal) };
          }}
        >
          <option value="">{t("whatIfBest")}</option>
          {of.goals.map((one, nth) => (
            <option key={one.name} value={String(nth)}>
              {one.name}
            </option>
          ))}
        </select>
        <button disabled={asks.given.length === 0} onClick={() => (whatIf.value = { ...asks, given: [] })}>
          {t("whatIfReset")}
        </button>
        <button class="searches" aria-pressed={asks.search} onClick={() => (whatIf.value = { ...asks, search: !asks.search })}>
          {t("searchShow")}
        </button>
      </div>
      {found?.wrong && (
        <p class="none" role="alert">
          <Words text={said(found.wrong)} />
        </p>
      )}
      {found && !found.wrong && (
        <div class="found" role="status">
          <h3>{found.plan ? t("planHere") : wasSearched ? t("noneThen") : t("nothingToDo")}</h3>
          {found.plan && <Plan plan={found.plan} of="if" />}
          <Goals goals={found.goals} />
          {asks.search && (found.plan || wasSearched) && <Situations of={found.search ?? null} />}
        </div>
      )}
    </div>
  );
}

export function Planner() {
  const view = model.view.value;
  const of = shown.value;
  if (!view?.plans?.length || !of) return null;
  const asks = whatIf.value?.node === of.node ? whatIf.value : null;
  const turn = (): void => {
    whatIf.value = asks ? null : { node: of.node, given: [], goal: null, search: false };
    if (!asks && !view.is_paused) say({ say: "pause" });
  };
  const choose = (node: number): void => {
    chosen.value = node;
    model.selected.value = `n${node}`;
  };
  return (
    <section class="planner" aria-label={`${t("planner")} ${of.name}`}>
      <div class="head">
        <h2>{t("planner")}</h2>
        {view.plans.length > 1 ? (
          <select aria-label={t("planner")} value={String(of.node)} onChange={(event) => choose(Number(event.currentTarget.value))}>
            {view.plans.map((one) => (
              <option key={one.node} value={String(one.node)}>
                {one.name}
              </option>
            ))}
          </select>
        ) : (
          <code>{of.name}</code>
        )}
        <span class="grow" />
        <button class="what-if" title={t("whatIfLong")} aria-pressed={!!asks} onClick={turn}>
          {t("whatIf")}
        </button>
      </div>
      {of.plan ? (
        <Plan plan={of.plan} of="game" />
      ) : (
        <p class="by">
          {!of.is_running ? (
            t("planRests")
          ) : of.searches === null ? (
            t("noPlanNow")
          ) : (
            <>
              {t("thinks")} <code>{of.goals[of.searches]?.name}</code>
            </>
          )}
        </p>
      )}
      {of.left_out.length > 0 && (
        <p class="by">
          {t("leftOut")} <code>{of.left_out.join(" ")}</code>
        </p>
      )}
      <Goals goals={of.goals} />
      {asks && <Otherwise of={of} asks={asks} />}
    </section>
  );
}
