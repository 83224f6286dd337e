// Many agents at once: who is looked for, and how many are at each line of the definition.

import { signal } from "@preact/signals";
import { Words } from "../panels/now";
import { Points, pixelOf } from "../parts/canvas";
import { placesOf } from "../parts/points";
import type * as protocol from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { choose, lookAgain } from "../wire/wire";
import { grouped, shade } from "./shares";

export type Counts = protocol.LineCounts;
export type People = protocol.People;

/** Whom the page looks for: a text in the name, the action or a state; and a condition. */
export const find = signal("");
export const holds = signal("");
/** Whether those come first who have done longest what they do. */
export const longest = signal(false);

/** What everybody does, and the tick of that. While the game plays, it changes only as often as somebody can read it. */
export const everybody = signal<{ crowd: protocol.Crowd; tick: number } | null>(null);
const CALM_MS = 200;
let lastMs = 0;

/** Takes in what everybody does; at once if the game stands still, or something else is shown than before. */
export function take({ crowd, tick, is_paused, definition }: model.View): void {
  const isCalm = is_paused || definition || performance.now() - lastMs >= CALM_MS;
  if (crowd && everybody.peek() && !isCalm) return;
  lastMs = performance.now();
  everybody.value = crowd ? { crowd, tick } : null;
}

/** A crowd has so many that a list of all of them is of no use. */
const MANY = 12;

export function Crowd() {
  const crowd = everybody.value?.crowd;
  if (!crowd || crowd.agents < MANY) return null;
  const look = (to: typeof find, text: string): void => {
    to.value = text;
    lookAgain();
  };
  const mind = model.view.value?.mind;
  return (
    <section class="crowd" aria-label={t("crowd")}>
      <h2>
        {t("crowd")} <small>{crowd.found.count === crowd.agents ? crowd.agents : `${crowd.found.count} ${t("of")} ${crowd.agents}`}</small>
      </h2>
      <div class="ask">
        <input
          type="search"
          aria-label={t("findAgents")}
          placeholder={t("findAgents")}
          value={find.value}
          onInput={(event) => look(find, event.currentTarget.value)}
        />
        <input
          type="search"
          class="code"
          aria-label={t("whoHolds")}
          placeholder={t("holdsSuch")}
          value={holds.value}
          aria-invalid={!!crowd.found.wrong}
          onInput={(event) => look(holds, event.currentTarget.value)}
        />
      </div>
      {crowd.found.wrong && (
        <p class="wrong" role="alert">
          {said(crowd.found.wrong)}
        </p>
      )}
      <button
        class="plain order"
        aria-pressed={longest.value}
        onClick={() => {
          longest.value = !longest.value;
          lookAgain();
        }}
      >
        {t("longestFirst")}
      </button>
      <div class="agents" role="listbox" aria-label={t("agent")}>
        {crowd.found.agents.map((agent) => (
          <button
            key={agent.nth}
            role="option"
            aria-selected={agent.nth === mind}
            class="plain"
            data-agent={agent.nth}
            onClick={() => choose(agent.nth)}
          >
            <b>{agent.name}</b>{" "}
            <span>
              {agent.does ?? "–"} {howLong(agent)}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** For how long an agent has done what it does. */
function howLong({ since, is_least }: protocol.FoundAgent): string {
  const tick = everybody.value?.tick ?? 0;
  if (since === null || since > tick) return "";
  const secs = (tick - since + 1) / model.ticksPerSec.value;
  return `· ${is_least ? "≥ " : ""}${secs.toFixed(secs < 10 ? 1 : 0)} s`;
}

/** How much of the crowd is at a line, from 0 to 1, and how many that are. */
export function heat(nth: number): { share: number; count: number } | null {
  const crowd = everybody.value?.crowd;
  const counts = crowd?.counts?.[nth];
  if (!crowd || crowd.agents < 2 || !counts) return null;
  const count = counts[0] || counts[1];
  return { share: Math.min(1, count / crowd.agents), count };
}

/** From which share of a crowd on a card has each step of heat. */
export const STEPS = [0, 0.02, 0.08, 0.2, 0.45];

/** How warm a line is in a crowd, from 1 to 5; 0 if nobody is there, or there is no crowd. */
export function warmth(nth: number): number {
  const here = isCrowd() ? heat(nth) : null;
  return here ? STEPS.filter((least) => here.share >= least).length : 0;
}

/** Whether so many agents are shown that the graph is about all of them. */
export const isCrowd = (): boolean => (everybody.value?.crowd?.agents ?? 0) >= MANY;

/** What most of them do, in a sentence, and how many of them are looked for. */
export function Everybody() {
  const crowd = everybody.value?.crowd;
  if (!crowd || !isCrowd()) return null;
  const doing = new Map<string, number>();
  model.lines.value.forEach((line, nth) => {
    const counts = crowd.counts?.[nth];
    if (model.isAction(line) && counts) doing.set(line.label ?? line.word, (doing.get(line.label ?? line.word) ?? 0) + counts[0]);
  });
  const most = [...doing].filter(([, count]) => count > 0).sort((left, right) => right[1] - left[1]);
  const wanted = [find.value && `\`${find.value}\``, holds.value && `\`${holds.value}\``].filter(Boolean).join(" · ");
  return (
    <div class="part everybody">
      <small>{t("crowd")}</small>
      <b>
        {most.length === 0 && `${grouped(crowd.agents)} ${t("agents")}`}
        {most.slice(0, 2).map(([name, count], nth) => (
          <span key={name}>
            {nth > 0 && " · "}
            {grouped(count)} {nth === 0 && `${t("of")} ${grouped(crowd.agents)} `}
            <code>{name}</code>
          </span>
        ))}
        {crowd.cannot && (
          <span title={t("cannotMeans")}>
            {" · "}
            {grouped(crowd.cannot.count)} {t("cannot")} <code>{crowd.cannot.branch}</code>
          </span>
        )}
        {wanted && !crowd.found.wrong && (
          <span>
            {" · "}
            {grouped(crowd.found.count)} {t("match")} <Words text={wanted} />
          </span>
        )}
      </b>
    </div>
  );
}

/** What the colours of the cards mean. */
export function HeatLegend() {
  if (!isCrowd()) return null;
  return (
    <span class="heats">
      {STEPS.map((least, nth) => (
        <i key={least} style={{ background: `var(--heat-${nth + 1})` }} title={`≥ ${Math.round(least * 100)} %`} />
      ))}{" "}
      {t("shareHere")}
    </span>
  );
}

/** The same as a bar behind a row of the list. */
export function Heat({ nth }: { nth: number }) {
  const crowd = everybody.value?.crowd;
  const counts = crowd?.counts?.[nth];
  if (!crowd || crowd.agents < 2 || !counts) return null;
  const [runs, ok, fail, cut] = counts;
  const told = [
    [runs, "▶", t("running")],
    [ok, "✓", t("success")],
    [fail, "✕", t("failure")],
    [cut, "⊘", t("cutOff")],
  ] as const;
  const title = told
    .filter(([count]) => count > 0)
    .map(([count, , word]) => `${count} ${word}`)
    .join(" · ");
  // Colours that change cost less than boxes whose widths change.
  const part = (count: number): string => `${Math.ceil((100 * count) / crowd.agents)}%`;
  const [first, second, third] = [part(runs), part(runs + ok), part(runs + ok + fail)];
  const stripes = `var(--bar-run) 0 ${first}, var(--bar-ok) 0 ${second}, var(--bar-fail) 0 ${third}, transparent 0`;
  const image = `linear-gradient(90deg, ${stripes})`;
  return (
    <span class="heat" style={{ backgroundImage: image }} title={title} data-runs={runs} data-ok={ok} data-fail={fail}>
      <b>{runs || ok || fail || cut}</b>
    </span>
  );
}

/** Everybody as a point, in the colour of what they do. Points are set one by one: to have each drawn costs twice as much. */
export function drawPeople(context: CanvasRenderingContext2D, people: People, colour: (name: string) => string): void {
  const [places, { unit, does }] = [placesOf(people.points), people];
  const scale = context.getTransform().a;
  const size = Math.max(1, Math.round((does.length > 3000 ? 0.22 : 0.34) * scale));
  const at = (place: number): number => Math.round(place * unit * scale - size / 2);
  const points = new Points(context.canvas.width, context.canvas.height);
  for (let action = 0; action <= people.actions.length; action++) {
    const fill = pixelOf(context, action > 0 ? shade(action - 1) : colour("faint"));
    for (let nth = 0; nth < does.length; nth++)
      if (does[nth] === action) points.set(at(places[2 * nth]), at(places[2 * nth + 1]), size, fill);
  }
  context.save();
  context.resetTransform();
  context.drawImage(points.drawn(), 0, 0);
  context.restore();
  if (people.chosen !== null) {
    context.strokeStyle = colour("accent");
    context.lineWidth = 0.18;
    context.beginPath();
    context.arc(places[2 * people.chosen] * unit, places[2 * people.chosen + 1] * unit, 0.9, 0, 7);
    context.stroke();
  }
}

/** The person that is nearest to a point of the arena, if one is near. */
export function personAt(people: People, x: number, y: number): number | null {
  const [places, { unit, does }] = [placesOf(people.points), people];
  let nearest = -1;
  let distance = 1.5;
  for (let nth = 0; nth < does.length; nth++) {
    const away = Math.hypot(places[2 * nth] * unit - x, places[2 * nth + 1] * unit - y);
    if (away < distance) [nearest, distance] = [nth, away];
  }
  return nearest < 0 ? null : (people.persons?.[nearest] ?? nearest);
}

/** What the colours of the points mean. */
export function Legend() {
  const people = model.view.value?.scene?.crowd;
  if (!people) return null;
  return (
    <p class="people">
      <b>{people.clock}</b>
      {people.actions.map((action, nth) => (
        <span key={action}>
          <i style={{ background: shade(nth) }} />
          {action}
        </span>
      ))}
    </p>
  );
}
