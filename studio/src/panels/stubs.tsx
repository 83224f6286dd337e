// Leaves without code: one chooses what they answer, so that a tree plays before its code is written.

import { useRef } from "preact/hooks";
import type { Stub } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";

const HANDS = [
  ["S", "success", "✓", "ok"],
  ["F", "failure", "✕", "fail"],
  ["R", "running", "▶", "run"],
] as const;

export const stubOf = (leaf: string): Stub | undefined => model.view.value?.stubs.find((one) => one.leaf === leaf);

function answer(of: Stub, answers: string, isRandom = false): void {
  model.refused.value = "";
  say({ say: "answer", leaf: of.leaf, answers, is_random: isRandom });
}

/** What a leaf answers: always the same, one after the other, or at random. */
export function Answers({ of }: { of: Stub }) {
  // What was sent last from the field: it may have been refused, and then it is mended there.
  const sent = useRef<string | null>(null);
  const draw = (): void => {
    const several = of.answers.includes(" ") ? of.answers : of.kind === "condition" ? "S F" : "R R R S F";
    answer(of, several, !of.is_random);
  };
  return (
    <div class="answers" role="group" aria-label={`${t("answers")}: ${of.leaf}`} data-stub={of.leaf}>
      {HANDS.map(([letter, word, sign, tone]) => (
        <button
          key={letter}
          class={`plain ${tone}`}
          title={t(word)}
          aria-label={`${of.leaf}: ${t(word)}`}
          aria-pressed={of.answers === letter}
          onClick={() => answer(of, of.answers === letter ? "" : letter)}
        >
          {sign}
        </button>
      ))}
      <button class="plain" title={t("atRandom")} aria-label={`${of.leaf}: ${t("atRandom")}`} aria-pressed={of.is_random} onClick={draw}>
        ⚂
      </button>
      <input
        key={of.answers}
        class="code"
        defaultValue={of.answers}
        placeholder={t("usualAnswer")}
        title={t("answersLike")}
        aria-label={`${t("script")}: ${of.leaf}`}
        spellcheck={false}
        onBlur={(event) => {
          const text = event.currentTarget.value.trim();
          if (text !== of.answers) answer(of, text, of.is_random);
          else if (sent.current !== null && sent.current !== text) model.refused.value = "";
          sent.current = text;
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") event.currentTarget.value = of.answers;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </div>
  );
}

export function Stubs() {
  const stubs = model.view.value?.stubs ?? [];
  if (stubs.length === 0) return null;
  return (
    <section class="stubs" aria-label={t("stubs")}>
      <h2>
        {t("stubs")} <small>{stubs.length}</small>
      </h2>
      <p class="by">{t("stubsAre")}</p>
      {stubs.map((one) => (
        <div key={one.leaf} class="stub">
          <span>
            <small>{one.kind}</small> <code>{one.leaf}</code>
          </span>
          <Answers of={one} />
        </div>
      ))}
    </section>
  );
}
