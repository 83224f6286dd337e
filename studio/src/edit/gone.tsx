// What was being typed into fields of nodes that somebody has removed meanwhile, and what could not be sent.

import { useLayoutEffect, useRef } from "preact/hooks";
import { toDesk } from "../keys";
import { t } from "../texts";
import * as model from "../wire/model";
import { toRows } from "./actions";
import { tried } from "./menu";
import * as sheet from "./sheet";
import { close, retype, type Unsent, unsent, wasTyping } from "./unsent";

/** What it is, in one line. */
export function What({ of }: { of: Pick<Unsent, "field" | "text" | "node" | "edit" | "why"> }) {
  return (
    <span>
      {t(of.why === "sent" ? "perhapsSent" : "notWritten")}
      {of.why === "changed" && ` (${t("changedMeanwhile")})`} <b>{of.field}</b>
      {(of.edit || of.text !== "") && (
        <>
          {" = "}
          <code class="value">{of.text}</code>
        </>
      )}
      {of.node !== "" && (
        <>
          {" "}
          {t("ofNode")} <b>{of.node}</b>
        </>
      )}
    </span>
  );
}

/** The text of a field that is gone: whoever was typing there types on here, and not into what has the keyboard next. */
function Text({ of }: { of: Unsent }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (!wasTyping(of)) return;
    area.current?.focus();
    area.current?.setSelectionRange(of.text.length, of.text.length);
  }, []);
  return (
    <textarea
      ref={area}
      class="code"
      aria-label={of.field}
      rows={of.text.split("\n").length}
      value={of.text}
      onInput={(event) => retype(of, event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter" && !event.shiftKey) event.preventDefault();
        if (event.key === "Escape") toRows();
      }}
    />
  );
}

/** Writes it to its node, if that may be. */
function write(of: Unsent): void {
  const edit = of.edit;
  if (!edit) return;
  model.refused.value = "";
  tried(
    "id" in edit ? { ...edit, id: of.id } : edit,
    () => close(of),
    (why) => (model.refused.value = why),
  );
}

/** The table in whose row for something new it was typed. */
const tableOf = ({ edit }: Unsent) => (edit?.do === "add-key" ? "keys" : edit?.do === "add-leaf" ? "leaves" : null);

export function Gone() {
  const nodes = new Set(sheet.sheet.value?.nodes.map((one) => one.id));
  const files = new Set(sheet.sheet.value?.files.map((one) => one.name));
  const all = unsent.value.filter((one) => files.has(one.file) && (tableOf(one) ?? "") !== sheet.desk.value);
  const isThere = (one: Unsent): boolean => tableOf(one) !== null || nodes.has(one.id);
  const goTo = (one: Unsent): void => {
    const table = tableOf(one);
    if (table) toDesk(table, ".desk .new input");
    else sheet.reveal(one.id);
  };
  if (all.length === 0) return null;
  return (
    <div class="kept-fields">
      {all.length > 1 && (
        <p class="told bad unsent">
          <span>
            {all.length} {t("keptOnes")}
          </span>
          <button onClick={() => all.forEach(close)}>{t("discardAll")}</button>
        </p>
      )}
      {all.map((one, nth) => (
        <p key={`${one.id} ${one.field} ${nth}`} class="told bad unsent" role="alert">
          {one.why === "gone" ? (
            <span>
              {t(nodes.has(one.id) ? "typedIsBack" : "typedIsGone")} <b>{one.node}</b> · {one.field}: <Text of={one} />
            </span>
          ) : (
            <What of={one} />
          )}
          {one.why !== "gone" && one.edit && (
            <button
              disabled={!model.isConnected.value || !isThere(one)}
              title={model.isConnected.value ? (isThere(one) ? undefined : t("writeItLater")) : t("noConnection")}
              onClick={() => write(one)}
            >
              {t("writeIt")}
            </button>
          )}
          {isThere(one) && <button onClick={() => goTo(one)}>{t("toTheField")}</button>}
          {one.text !== "" && <button onClick={() => void navigator.clipboard.writeText(one.text)}>{t("copy")}</button>}
          <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => close(one)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
