// What the chosen agent does now, in letters that can be read from across a room, and why.

import type { ComponentChildren } from "preact";
import { Everybody } from "../crowd/crowd";
import { glyphs, toneOf } from "../parts/marks";
import { short } from "../parts/short";
import { language, t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";

/** Words between backquotes are names of the document. */
export function Words({ text }: { text: string }) {
  return (
    <>
      {short(text, 2000)
        .split("`")
        .map((part, nth) => (nth % 2 ? <code key={nth}>{part}</code> : part))}
    </>
  );
}

/** The first reason that nothing else is behind, such as `14.0 < 20.0`. */
function deepest(reasons: model.Reason[]): string {
  const first = reasons[0]?.because?.at(-1) ?? reasons[0];
  return first?.text.split(/[;；]/)[0] ?? "";
}

/** Whether a line is a state, or what a state does, and no part of a tree. */
function isInState(nth: number): boolean {
  if (nth < 0 || model.lines.value[nth].is === "state") return true;
  const parent = model.parents.value[nth];
  return parent >= 0 && model.lines.value[parent].is === "part" && isInState(model.parents.value[parent]);
}

/** Whether a sentence says of something no more than how it is, or since when it runs. */
function isAbout(sentence: string, name: string): boolean {
  const rest = sentence.startsWith(`\`${name}\``) ? sentence.slice(name.length + 2) : null;
  return rest !== null && !rest.includes("`") && (/^( is running|正在运行)/.test(rest) || !/\d/.test(rest));
}

/** The sign of how something ended: it was cut off, or its lines say what it answered last. */
function Answer({ of: [, , name, isCut] }: { of: model.Bar }) {
  const last = model.lines.value.flatMap((line, nth) => {
    const mark = model.marks.value[nth];
    return line.is === "node" && model.parts(line).name === name && /^(was-)?(ok|fail)$/.test(mark) ? [mark] : [];
  });
  const mark = isCut ? "cut" : last[0];
  if (!mark || (!isCut && last.some((one) => glyphs[one] !== glyphs[mark]))) return null;
  return <span class={toneOf(mark.replace("was-", "") as model.Mark)}>{glyphs[mark]}</span>;
}

/** What it does now, and what else is said in the same place, so that it moves nothing when it comes. */
export function NowBar({ children }: { children?: ComponentChildren }) {
  const view = model.view.value as model.View;
  const refusal = model.definition.value?.refusal;
  const path: string[] = [];
  for (let nth = model.parents.value[model.running.value] ?? -1; nth >= 0; nth = model.parents.value[nth]) {
    const line = model.lines.value[nth];
    if (line.is === "state" || (line.is === "node" && model.property(line, "name") !== undefined)) path.unshift(line.label ?? "");
  }
  const bars = model.film.value.does;
  const now = bars.findLastIndex(([from]) => from <= view.tick);
  const started = bars[now]?.[0];
  const last = bars.slice(0, Math.max(0, now)).findLast(([, , text]) => text !== "");
  // What ended some states ago gave way to others.
  const moves = model.film.value.states.filter(([from]) => last && from > last[1] && from <= started);
  const before = moves.length > 1 ? undefined : last;
  // What a reload has cut off does not go on.
  const isCut = bars[now]?.[3] && bars[now][1] <= view.tick;
  const line = model.lines.value[model.running.value];
  const what = view.does ?? (isCut ? "" : bars[now]?.[2]) ?? "";
  const own = line?.is === "state" ? line.label : line?.is === "node" ? model.parts(line).name : "";
  // What has no name of its own, such as a wait, is called by its word.
  const title = what || own || "";
  // A state does what it does because of the transition that was taken last; a tree inside of it has reasons of its own.
  const taken = model.lines.value.findIndex((line, nth) => line.is === "transition" && /^(was-)?ok$/.test(model.marks.value[nth]));
  const isTold = taken >= 0 && (model.marks.value[taken] === "ok" || isInState(model.running.value));
  const cause = view.explanation?.because?.map((one) => one.text).join(language.value === "zh" ? "；" : "; ");
  // If nothing runs, what came last decided.
  const told = view.explanation?.does ?? [];
  const way = isTold ? `\`${model.lines.value[taken].text.replaceAll('"', "")}\`` : deepest(title ? told : told.slice(-1));
  // What made it begin, if that was seen; else the way to it.
  const found = cause || way;
  // That something runs because it runs is no reason.
  const why = isAbout(found, title) ? "" : found;
  // What holds a step without a name, such as a wait, is named once.
  if (own !== title && path.at(-1) === title) path.pop();
  if (refusal) {
    const errors = model.definition.value?.problems.filter((one) => one.severity === "error").length ?? 0;
    return (
      <section class="now bad" aria-label={t("doesNow")}>
        <span class="disc" aria-hidden="true">
          !
        </span>
        <div class="does">
          {errors > 0 && <small>{t("stopped")}</small>}
          <h1>{errors > 0 ? `${errors} ${t(errors === 1 ? "error" : "errors")}` : t("stopped")}</h1>
        </div>
        <div class="part wide">
          <b>
            <Words text={said(refusal)} />
          </b>
        </div>
        {children}
      </section>
    );
  }
  return (
    <section class="now" aria-label={t("doesNow")}>
      <span class={`disc ${title ? "" : "off"}`} aria-hidden="true">
        ▶
      </span>
      <div class="does">
        <small title={path.join(" › ")}>{path.join(" › ") || model.definition.value?.behaviour?.name}</small>
        <h1 title={title} aria-live="polite">
          {short(title) || t("nothing")}
        </h1>
      </div>
      <Everybody />
      {why && (
        <div class="part wide">
          <small>{t("because")}</small>
          <b>
            <Words text={why} />
          </b>
        </div>
      )}
      {before && before[2] !== title && (
        <div class="part">
          <small>{t("instead")}</small>
          <b>
            <Answer of={before} /> {short(before[2])} <i>{model.secs(before[1] - before[0] + 1)}</i>
          </b>
        </div>
      )}
      <span class="grow" />
      {children}
      <div class="clock">
        <b>{model.secs(view.tick)}</b>
        <small>
          {t("tick")} <span id="tick">{view.tick}</span>
          {started !== undefined && started <= view.tick ? ` · +${model.secs(view.tick - started)}` : ""}
        </small>
      </div>
    </section>
  );
}
