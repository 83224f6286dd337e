// Editing together: whether and when the document is saved, what clashes with a change on disk, and what others do.

import { computed } from "@preact/signals";
import { Words } from "../panels/now";
import type { Conflict } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { say } from "../wire/wire";
import { others, toneOfPage } from "./others";
import * as sheet from "./sheet";
import { waiting } from "./typing";
import { unsent } from "./unsent";
import { kept, unwritten } from "./unwritten";

/** Whether something is not on disk yet. */
export const isUnsaved = computed(() => {
  const all = sheet.sheet.value;
  // A file that is gone has nothing that was not saved, but what is here is not on disk.
  return !!all && (all.unsaved !== null || all.files.some((file) => !file.is_saved));
});

export const save = (): void => sheet.edit({ do: "save" });

addEventListener("beforeunload", (event) => {
  const isOther = sheet.mayEdit.value && unwritten.value.documents.length > 0;
  // What was typed into a node that is gone is kept, but for this address only.
  const isGone = unsent.value.some((one) => one.why === "gone");
  if (isUnsaved.value || isOther || isGone || waiting.value.size > 0) event.preventDefault();
});

let told = "";
/** Others see what is chosen here. */
export function tellChosen(): void {
  const isEdited = model.panel.value === "edit" && sheet.sheet.value !== null && model.isConnected.value;
  const ids = isEdited ? sheet.chosen.value : [];
  const now = `${sheet.you.value} ${ids}`;
  if (now === told || (ids.length === 0 && told === "")) return;
  told = now;
  say({ say: "chosen", ids: [...ids].slice(0, 1000) });
}

/** The colour of a page, for a style. */
export const colourOf = (who: string): string => `var(--${toneOfPage(who)})`;

/** What a page is called, by its number; without one, it is another program. */
export const called = (by: string): string =>
  by === "" ? t("anotherProgram") : by === sheet.you.value ? t("byYou") : `${t("page")} ${by}`;

/** How many names a row has room for. */
const MOST_NAMES = 2;

/** The names of those who have chosen a node, each in its colour. */
export function Others({ id }: { id: number }) {
  const all = others.value.get(id);
  if (!all) return null;
  return (
    <>
      {all.slice(0, MOST_NAMES).map((who) => (
        <small key={who} class="who" style={{ "--who": colourOf(who) }} title={`${t("alsoHere")} ${called(who)}`}>
          {called(who)}
        </small>
      ))}
      {all.length > MOST_NAMES && (
        <small title={`${t("alsoHere")} ${all.slice(MOST_NAMES).map(called).join(", ")}`}>+{all.length - MOST_NAMES}</small>
      )}
    </>
  );
}

/** Whether everything is saved, and when that is done. */
export function Saving() {
  const all = sheet.sheet.value;
  if (!all) return null;
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          disabled={!model.isConnected.value}
          checked={all.saves_at_once}
          onChange={(event) => sheet.edit({ do: "save-at-once", is_on: event.currentTarget.checked })}
        />
        {t("saveAtOnce")}
      </label>
      {!all.saves_at_once && (
        <button title={`${t("saveNow")}  Ctrl S`} disabled={!isUnsaved.value} onClick={save}>
          {t("saveNow")}
        </button>
      )}
      <State />
    </>
  );
}

/** Whether all that was done is on disk; what is kept that was typed into the files is not. */
function State() {
  if (!model.isConnected.value || sheet.sheet.value?.files.some((one) => kept.value.has(one.name)))
    return (
      <span class="fail" role="status" title={model.isConnected.value ? undefined : t("noConnection")}>
        ● {t(model.isConnected.value ? "notAllSent" : "nothingSent")}
      </span>
    );
  return (
    <span class={isUnsaved.value ? "fail" : "ok"} role="status" title={isUnsaved.value ? t("waitsForSave") : undefined}>
      {isUnsaved.value ? `● ${t("unsaved")}` : `✓ ${t("saved")}`}
    </span>
  );
}

/** Saves after somebody has said which of two texts counts. */
const saveOf = (whose: "mine" | "theirs"): void => sheet.edit({ do: "save", whose });

/** What keeps the document from being saved, and what clashes. */
export function Unsaved() {
  const all = sheet.sheet.value;
  if (!all?.unsaved) return null;
  return (
    <div class="unsaved" role="alert">
      <p class="told bad">
        <span>
          <Words text={said(all.unsaved.why)} />
        </span>
        {all.unsaved.remedy === "retry" && <button onClick={save}>{t("tryAgain")}</button>}
        {all.unsaved.remedy === "write-again" && <button onClick={() => saveOf("mine")}>{t("writeAgain")}</button>}
        {all.unsaved.remedy === "choose" && all.conflicts.length === 0 && (
          <>
            <button onClick={() => saveOf("mine")}>{t("keepMine")}</button>
            <button onClick={() => saveOf("theirs")}>{t("takeTheirs")}</button>
          </>
        )}
      </p>
      {all.conflicts.map((one) => (
        <Clash key={`${one.file} ${one.key}`} of={one} />
      ))}
    </div>
  );
}

function Clash({ of }: { of: Conflict }) {
  const settle = (whose: "mine" | "theirs"): void => sheet.edit({ do: "settle", file: of.file, key: of.key, whose });
  const side = (whose: "mine" | "theirs", label: string, act: string) => (
    <div class={whose}>
      <p class="head">
        <b>{label}</b> <button onClick={() => settle(whose)}>{act}</button>
      </p>
      {of[whose] === "" ? (
        <p class="muted">{t("isRemoved")}</p>
      ) : (
        <pre tabIndex={0} aria-label={label}>
          {essence(plain(of[whose]), plain(of[whose === "mine" ? "theirs" : "mine"]))}
        </pre>
      )}
    </div>
  );
  return (
    <section class="clash" aria-label={t("conflicts")}>
      <p>
        {of.path.join(" › ")} <small>{t(`clash_${of.how}`)}</small>
      </p>
      <p class="muted" title={of.base}>
        {t("wasBefore")}: <code>{of.base.split("\n")[0]}</code>
      </p>
      <div class="sides">
        {side("mine", t("here"), t("keepMine"))}
        {side("theirs", t("onDisk"), t("takeTheirs"))}
      </div>
    </section>
  );
}

/** How many equal lines are shown before and behind those that differ. */
const AROUND = 2;

/** Of a text of many lines, those that another one does not have, with a few around them. */
export function essence(own: string, other: string): string {
  const [mine, theirs] = [own.split("\n"), other.split("\n")];
  const most = Math.min(mine.length, theirs.length);
  let [same, end] = [0, 0];
  while (same < most && mine[same] === theirs[same]) same += 1;
  while (end < most - same && mine[mine.length - 1 - end] === theirs[theirs.length - 1 - end]) end += 1;
  const [from, to] = [same - AROUND, mine.length - end + AROUND];
  return [from > 0 ? "…" : null, ...mine.slice(Math.max(0, from), to), to < mine.length ? "…" : null]
    .filter((line) => line !== null)
    .join("\n");
}

/** A text without the indentation that its place gives it. */
function plain(text: string): string {
  const lines = text.split(/\r?\n/);
  const indents = lines.slice(1).filter((line) => line.trim() !== "");
  const least = Math.min(...indents.map((line) => line.length - line.trimStart().length));
  return lines.map((line, nth) => (nth === 0 ? line : line.slice(least))).join("\n");
}

/** What was done, and by whom; the latest first. */
export function Past() {
  const done = sheet.sheet.value?.done ?? [];
  if (done.length === 0) return null;
  return (
    <details class="past">
      <summary>{t("past")}</summary>
      <ol>
        {[...done].reverse().map((one, nth) => (
          <li key={String(done.length - nth)}>
            <span style={{ "--who": colourOf(one.by) }} class="who">
              {called(one.by)}
            </span>{" "}
            {said(one.label)}
          </li>
        ))}
      </ol>
    </details>
  );
}
