// What is worked out for decision trees: compared with what there is, before it is accepted.

import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { drawn } from "../graph/versions";
import { Words } from "../panels/now";
import { Dialog } from "../parts/dialog";
import type { Advice, Said } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { toRows } from "./actions";
import * as sheet from "./sheet";
import { inWords, sourceOf, telling } from "./versions";

/** What was worked out last, until it is accepted or put away. */
export const advice = signal<Advice | null>(null);

/** Whether somebody chooses a table from which to learn. */
export const learns = signal(false);

export const balance = (id: number): void => say({ say: "advise", wanted: { wanted: "balance", id } });

const back = (): void => void requestAnimationFrame(toRows);

/** What is done, with the name of the definition as such: `learn learned` reads like a slip. */
export const marked = (label: Said): Said =>
  typeof label === "string" ? label : { ...label, with: label.with.map((one) => (typeof one === "string" ? `\`${one}\`` : one)) };

/** The comparison. */
export function Compared() {
  const found = advice.value;
  if (!found) return null;
  const close = (): void => {
    advice.value = null;
    back();
  };
  const isBetter = found.before !== found.after;
  const nodes = telling(found.nodes);
  return (
    <Dialog label={said(found.label)} name="advice" close={close}>
      <div>
        <h2>
          <Words text={said(marked(found.label))} />
        </h2>
        {found.told.map(said).map((line) => (
          <p key={line}>
            <Words text={line} />
          </p>
        ))}
        {isBetter && (
          <div class="drawn" tabIndex={0} role="group" aria-label={t("graph")}>
            <img alt={inWords(nodes)} src={sourceOf(drawn(nodes).svg)} />
          </div>
        )}
        {isBetter && (
          <div class="versions">
            <section aria-label={t("asItIs")}>
              <h3>{t("asItIs")}</h3>
              <pre class="code" tabIndex={0}>
                {found.before}
              </pre>
            </section>
            <section aria-label={t("asItWouldBe")}>
              <h3>{t("asItWouldBe")}</h3>
              <pre class="code" tabIndex={0}>
                {found.after}
              </pre>
            </section>
          </div>
        )}
        <p class="acts">
          {isBetter && (
            <button
              onClick={() => {
                sheet.edit({ do: "accept", nth: found.nth });
                close();
              }}
            >
              {t("accept")}
            </button>
          )}
          <button onClick={close}>{t(isBetter ? "cancel" : "close")}</button>
        </p>
      </div>
    </Dialog>
  );
}

/** The table from which to learn: a file, the column that says what to do, and the name of the decision tree. */
export function Learn() {
  const table = useSignal("");
  const waits = useSignal(false);
  const why = useSignal("");
  const end = (): void => {
    [learns.value, table.value, waits.value, why.value] = [false, "", false, ""];
  };
  // What was chosen stays until something is learned from it.
  useSignalEffect(() => {
    if (!waits.value) return;
    if (advice.value) end();
    else if (model.refused.value) [why.value, waits.value, model.refused.value] = [said(model.refused.value), false, ""];
  });
  if (!learns.value) return null;
  const close = (): void => {
    end();
    back();
  };
  const columns = table.value
    .split("\n", 1)[0]
    .split(",")
    .map((one) => one.trim().replace(/^"|"$/g, ""))
    .filter(Boolean);
  return (
    <Dialog label={t("learn")} name="ask" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
          [advice.value, model.refused.value, why.value, waits.value] = [null, "", "", true];
          say({ say: "advise", wanted: { wanted: "learn", table: table.value, target: given.target, name: given.name || "learned" } });
        }}
      >
        <h2>{t("learn")}</h2>
        <label>
          {t("table")}
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={async (event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) table.value = await file.text();
            }}
          />
        </label>
        {columns.length > 0 && (
          <label>
            {t("target")}
            <select name="target">
              {columns.map((one) => (
                <option key={one} selected={one === columns.at(-1)}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {t("name")}
          <input name="name" class="code" defaultValue="learned" />
        </label>
        {why.value && (
          <p class="told bad" role="alert">
            <Words text={why.value} />
          </p>
        )}
        <p class="acts">
          <button type="submit" disabled={columns.length === 0 || waits.value}>
            {t("learn")}
          </button>
          <button type="button" onClick={close}>
            {t("cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
