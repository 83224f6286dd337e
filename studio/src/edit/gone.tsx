// What was being typed into fields of nodes that somebody has removed meanwhile.

import { t } from "../texts";
import * as sheet from "./sheet";
import { drop, unsent } from "./unsent";

export function Gone() {
  const nodes = new Set(sheet.sheet.value?.nodes.map((one) => one.id));
  return (
    <>
      {unsent.value.map((one) => (
        <p key={`${one.id} ${one.field}`} class="told bad" role="alert">
          <span>
            {t(nodes.has(one.id) ? "typedIsBack" : "typedIsGone")} <b>{one.node}</b> · {one.field}: <code class="value">{one.text}</code>
          </span>
          {nodes.has(one.id) && <button onClick={() => sheet.reveal(one.id)}>{t("toTheField")}</button>}
          <button onClick={() => void navigator.clipboard.writeText(one.text)}>{t("copy")}</button>
          <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => drop(one.id, one.field)}>
            ×
          </button>
        </p>
      ))}
    </>
  );
}
