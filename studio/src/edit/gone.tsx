// What was being typed into fields of nodes that somebody has removed meanwhile, and what could not be sent.

import { t } from "../texts";
import * as model from "../wire/model";
import { tried } from "./menu";
import * as sheet from "./sheet";
import { close, type Unsent, unsent } from "./unsent";

/** What it is, in one line. */
export function What({ of }: { of: Unsent }) {
  return (
    <span>
      {t(of.why === "sent" ? "perhapsSent" : "notWritten")} <b>{of.field}</b>
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

/** Writes it to its node, if that may be. */
function write(of: Unsent): void {
  const edit = of.edit;
  if (!edit || !("id" in edit)) return;
  model.refused.value = "";
  tried(
    { ...edit, id: of.id },
    () => close(of),
    (why) => (model.refused.value = why),
  );
}

export function Gone() {
  const nodes = new Set(sheet.sheet.value?.nodes.map((one) => one.id));
  const files = new Set(sheet.sheet.value?.files.map((one) => one.name));
  const all = unsent.value.filter((one) => files.has(one.file));
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
              {t(nodes.has(one.id) ? "typedIsBack" : "typedIsGone")} <b>{one.node}</b> · {one.field}: <code class="value">{one.text}</code>
            </span>
          ) : (
            <What of={one} />
          )}
          {one.why !== "gone" && one.edit && (
            <button
              disabled={!model.isConnected.value || !nodes.has(one.id)}
              title={model.isConnected.value && nodes.has(one.id) ? undefined : t("writeItLater")}
              onClick={() => write(one)}
            >
              {t("writeIt")}
            </button>
          )}
          {nodes.has(one.id) && <button onClick={() => sheet.reveal(one.id)}>{t("toTheField")}</button>}
          {one.text !== "" && <button onClick={() => void navigator.clipboard.writeText(one.text)}>{t("copy")}</button>}
          <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => close(one)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
