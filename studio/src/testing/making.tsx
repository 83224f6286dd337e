// A test that is made of what happened: of a stretch of the timeline, with what is to be given and what is never to be.

import { effect, signal } from "@preact/signals";
import { Words } from "../panels/now";
import { toKeyboard } from "../parts/keyboard";
import type { Fact, Stretch } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import { ask, clear, mark, stretch, whyNot } from "../time/stretch";
import * as model from "../wire/model";
import * as tests from "./tests";

const name = signal("");
const never = signal<readonly string[]>([]);
const facts = signal<readonly Fact[]>([]);
/** Whether the test is being added: then the form is done with. */
let adds = false;
/** Whether it is added as soon as it is made of what the fields say: it may still be made anew. */
let isDue = false;
/** Whether it is added also if it fails, as the button has said. */
let mayFail = false;

/** What the fields say; `null` if no test can be made of it. */
function asked(): Stretch | null {
  const of = stretch.peek();
  const lines = facts.peek().filter((one) => one.line.trim() !== "");
  const mind = model.view.peek()?.mind ?? 0;
  return of && !whyNot.peek() ? { mind, ...of, name: name.peek(), never: [...never.peek()], facts: lines } : null;
}

const isSame = (one: Stretch, other: Stretch | null): boolean =>
  other !== null && (["mind", "from", "to", "name", "never", "facts"] as const).every((key) => sameJson(one[key], other[key]));

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Adds the test to the document. */
function add(): void {
  const made = tests.tests.peek()?.draft;
  [adds, isDue, mayFail] = [true, true, !!made?.wrong];
  // A field may say something else since.
  if (made && !isSame(made.of, asked())) draft();
  addDue();
}

function addDue(): void {
  const made = tests.tests.value?.draft;
  if (!isDue || !made || !isSame(made.of, asked())) return;
  isDue = false;
  if (made.text && !made.refusal && (mayFail || !made.wrong)) tests.ask({ do: "add" });
}

/** How long one has to stop typing before the test is made with the name, in milliseconds. */
const CALM_MS = 250;
let calm: ReturnType<typeof setTimeout> | undefined;

/** Whether another test of the document has the name that is typed. */
const isTaken = (): boolean => tests.tests.value?.tests.some((one) => one.name === name.value.trim()) ?? false;

/** Asks for the test of the stretch that is marked. */
export function draft(): void {
  clearTimeout(calm);
  if (whyNot.peek()) ask();
  const of = asked();
  if (of) tests.ask({ do: "draft", of });
}

function forget(): void {
  clearTimeout(calm);
  clear();
  isDue = false;
  [name.value, never.value, facts.value] = ["", [], []];
}

// When the server has added the test, or another page has discarded it, the form is empty again.
let had = false;
effect(() => {
  const has = !!tests.tests.value?.draft;
  if (had && !has) {
    forget();
    if (adds) tests.chooseLast();
    toKeyboard(".cases");
    adds = false;
  }
  had = has;
  addDue();
});

export function Making() {
  const of = stretch.value;
  const made = tests.tests.value?.draft;
  if (!of || tests.recording.value) return null;
  const tick = (which: "from" | "to") => (
    <label>
      {t(which === "from" ? "fromTick" : "toTick")}{" "}
      <input
        key={of[which]}
        type="number"
        min={1}
        max={model.view.value?.last}
        defaultValue={of[which]}
        onChange={(event) => {
          const value = Number(event.currentTarget.value);
          if (which === "from") mark(value, Math.max(value, of.to));
          else mark(Math.min(value, of.from), value);
          ask();
          draft();
        }}
      />
    </label>
  );
  const toggle = (one: string): void => {
    never.value = never.value.includes(one) ? never.value.filter((known) => known !== one) : [...never.value, one];
    draft();
  };
  const setFact = (nth: number, next: Fact): void => {
    facts.value = facts.value.with(nth, next);
  };
  return (
    <section class="making" aria-label={t("makeTest")}>
      <h2>{t("makeTest")}</h2>
      <div class="acts">
        {tick("from")} {tick("to")}
        {!made && (
          <button class="make" disabled={!!whyNot.value} onClick={draft}>
            {t("makeTest")}
          </button>
        )}
      </div>
      {whyNot.value && (
        <p class="told bad" role="alert">
          <span>
            <Words text={whyNot.value} />
          </span>
        </p>
      )}
      {made && (
        <>
          <label class="wide">
            {t("testName")}{" "}
            <input
              value={name.value}
              placeholder={t("nameOfWhat")}
              // What is typed stays, whatever comes in meanwhile.
              onInput={(event) => {
                name.value = event.currentTarget.value;
                clearTimeout(calm);
                calm = setTimeout(draft, CALM_MS);
              }}
              onChange={draft}
            />
          </label>
          {isTaken() && (
            <p class="hint" role="status">
              {t("testNameTaken")}
            </p>
          )}
          {[...new Set([...never.value, ...made.proposed])].length > 0 && (
            <fieldset>
              <legend>{t("neverRuns")}</legend>
              {[...new Set([...never.value, ...made.proposed])].sort().map((one) => (
                <label key={one}>
                  <input type="checkbox" data-never={one} checked={never.value.includes(one)} onChange={() => toggle(one)} />{" "}
                  <code>{one}</code>
                </label>
              ))}
            </fieldset>
          )}
          <fieldset>
            <legend>{t("happensToo")}</legend>
            {facts.value.map((fact, nth) => (
              <div class="fact" key={nth}>
                <input
                  type="number"
                  aria-label={t("tick")}
                  min={of.from}
                  max={of.to}
                  value={fact.tick}
                  onInput={(event) => setFact(nth, { ...fact, tick: Number(event.currentTarget.value) })}
                  onChange={draft}
                />
                <input
                  class="line"
                  aria-label={t("scriptLine")}
                  placeholder={t("scriptLineBegins")}
                  title={t("scriptLineLike")}
                  value={fact.line}
                  onInput={(event) => setFact(nth, { ...fact, line: event.currentTarget.value })}
                  onChange={draft}
                />
                <button
                  class="plain"
                  aria-label={t("remove")}
                  title={t("remove")}
                  onClick={() => {
                    facts.value = facts.value.toSpliced(nth, 1);
                    draft();
                  }}
                >
                  ×
                </button>
              </div>
            ))}
            <button
              class="happens"
              onClick={() => {
                facts.value = [...facts.value, { tick: within(of), line: "" }];
                toKeyboard(`.making .fact:nth-of-type(${facts.value.length}) .line`);
              }}
            >
              + {t("makeHappen")}
            </button>
          </fieldset>
          {made.wrong && (
            <p class="told bad" role="alert">
              <span>
                <Words text={said(made.wrong)} />
              </span>
            </p>
          )}
          {made.text && (
            <pre class="drafted" tabIndex={0} aria-label={t("testText")}>
              {made.text}
            </pre>
          )}
          <div class="acts">
            <button class="add" disabled={!made.text || !!made.refusal} onClick={add}>
              ✓ {t(made.wrong ? "addFailing" : "addTest")}
            </button>
            <button
              class="discard"
              onClick={() => {
                forget();
                tests.ask({ do: "forget" });
              }}
            >
              × {t("discard")}
            </button>
          </div>
          {made.refusal && <p class="hint">{said(made.refusal)}</p>}
        </>
      )}
    </section>
  );
}

/** The tick that is shown, if it is in the stretch. */
const within = (of: { from: number; to: number }): number => Math.max(of.from, Math.min(of.to, model.view.value?.tick ?? of.from));
