// Rules: which fired in the tick that is shown, and why the others did not.

import type { RuleState } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { Words } from "./now";
import { choice, Head, shownOf } from "./weighed";

const SIGNS = { fired: "✶", unmet: "·", held: "=", cools: "◷", skipped: "⤼", idle: "·" } as const;
const TONES = { fired: "run", unmet: "faint", held: "muted", cools: "muted", skipped: "faint", idle: "faint" } as const;
const WORDS = {
  fired: "ruleFired",
  unmet: "ruleUnmet",
  held: "ruleHeld",
  cools: "ruleCools",
  skipped: "ruleSkipped",
  idle: "ruleIdle",
} as const;

const chosen = choice();

/** What is behind the verdict, in sentences. */
function Because({ of }: { of: RuleState }) {
  const test = of.why?.because?.[0]?.text;
  const isPlain = of.is === "fired" || of.is === "unmet";
  return (
    <>
      {!isPlain && of.why && (
        <p class="by">
          <Words text={of.why.text} />
        </p>
      )}
      {test && of.is !== "idle" && (
        <p class="by">
          <Words text={test} />
        </p>
      )}
    </>
  );
}

function Rule({ of }: { of: RuleState }) {
  const { fired } = of;
  return (
    <li class={`rule ${TONES[of.is]}`} data-rule={of.name} data-is={of.is}>
      <div class="line">
        <span class="mark" aria-hidden="true">
          {SIGNS[of.is]}
        </span>
        <b class="code">{of.name}</b>
        <span class="how">{t(WORDS[of.is])}</span>
        <span class="grow" />
        {fired !== null && fired !== model.view.value?.tick && (
          <button class="link" title={`${t("ruleLast")} ${fired}`} onClick={() => say({ say: "go", tick: fired })}>
            ✶ {t("tick")} {fired}
          </button>
        )}
      </div>
      <small class="when">
        when <code>{of.when}</code>
      </small>
      <Because of={of} />
    </li>
  );
}

export function Rules() {
  const all = model.view.value?.rules ?? [];
  const of = shownOf(all, chosen);
  if (!of) return null;
  return (
    <section class="rules" aria-label={`${t("rulesOf")} ${of.name}`}>
      <Head title={t("rulesOf")} of={of} all={all} chosen={chosen} />
      <ol>
        {of.rules.map((one) => (
          <Rule key={one.name} of={one} />
        ))}
      </ol>
    </section>
  );
}
