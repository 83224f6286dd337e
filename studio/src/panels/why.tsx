// Why: the reasons in sentences.

import { effect, signal } from "@preact/signals";
import * as sheet from "../edit/sheet";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { Words } from "./now";

/** How often reasons change while time goes on, in milliseconds. Nobody reads faster, and text is what costs most. */
const CALM_MS = 250;

/** What is shown. */
const told = signal<{ view: model.View; note: string; doc: string; isElsewhere: boolean } | null>(null);
let [since, asked] = [0, ""];
let later: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const [view, selected] = [model.view.value, model.selected.value];
  const nth = model.lines.value.findIndex((line) => line.id === selected);
  const [note, doc] = [model.notes.value[nth] ?? "", model.lines.value[nth]?.doc ?? ""];
  // While one edits, the line that was selected last may be another one than the node that is chosen.
  const isElsewhere = model.panel.value === "edit" && sheet.isElsewhere(nth);
  const show = (): void => {
    since = performance.now();
    told.value = view && { view, note, doc, isElsewhere };
  };
  clearTimeout(later);
  // Whatever somebody asks for is there at once.
  const question = `${selected} ${isElsewhere} ${view?.mind} ${view?.file} ${view?.is_paused}`;
  const wait = view && !view.is_paused && question === asked ? since + CALM_MS - performance.now() : 0;
  asked = question;
  if (wait <= 0) show();
  else later = setTimeout(show, wait);
});

/** The keys that a sentence names, each with a way to the tick in which it was written last. */
function writers(text: string) {
  const keys = model.definition.value?.behaviour?.keys ?? [];
  const words = new Set(
    text
      .split("`")
      .filter((_, nth) => nth % 2)
      .flatMap((code) => code.match(/[\w.-]+/g) ?? []),
  );
  return keys.map((key, nth) => {
    const changed = told.value?.view.keys?.[nth]?.changed;
    if (!words.has(key.name) || changed === null || changed === undefined || changed === told.value?.view.tick) return null;
    return (
      <button key={key.name} class="link" data-writer={key.name} onClick={() => say({ say: "go", tick: changed })}>
        {key.name} → {t("tick")} {changed}
      </button>
    );
  });
}

function Reasons({ of }: { of: model.Reason[] }) {
  return (
    <ul class="reasons">
      {of.map((reason, nth) => (
        <li key={nth}>
          <button class="reason" disabled={reason.number === undefined} onClick={() => (model.selected.value = `n${reason.number}`)}>
            <Words text={reason.text} />
          </button>
          {linked(reason.tick) ?? (reason.because?.length ? null : writers(reason.text))}
          {reason.because && reason.because.length > 0 && <Reasons of={reason.because} />}
        </li>
      ))}
    </ul>
  );
}

/** A way to the tick that a sentence names. */
export function linked(tick: number | null | undefined) {
  if (tick === null || tick === undefined) return null;
  return (
    <button class="link" onClick={() => say({ say: "go", tick })}>
      → {t("tick")} {tick}
    </button>
  );
}

export function Why() {
  const { view, note, doc, isElsewhere } = told.value ?? {};
  const reasons = view?.explanation;
  if (!view || !reasons) return null;
  return (
    <section class="why" aria-label={t("why")}>
      <h2>{t("why")}</h2>
      {!isElsewhere && (view.why || note) && (
        <div class="asked">
          <h3>{t("thisNode")}</h3>
          {doc && <p class="doc">{doc}</p>}
          {note && <p>{note}</p>}
          {view.why && <Reasons of={[view.why]} />}
        </div>
      )}
      {reasons.does.length > 0 && (
        <>
          <h3>{t("what")}</h3>
          {view.doc && <p class="doc">{view.doc}</p>}
          <Reasons of={reasons.does} />
        </>
      )}
      {reasons.because && (
        <>
          <h3>{t("began")}</h3>
          <Reasons of={reasons.because} />
        </>
      )}
      {reasons.faults && (
        <>
          <h3>{t("wrong")}</h3>
          <Reasons of={reasons.faults} />
        </>
      )}
      {reasons.changed.length > 0 && (
        <>
          <h3>{t("changed")}</h3>
          <Reasons of={reasons.changed} />
        </>
      )}
      {reasons.instead.length > 0 && (
        <>
          <h3>{t("other")}</h3>
          <Reasons of={reasons.instead} />
        </>
      )}
    </section>
  );
}
