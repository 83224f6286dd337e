// Why a document cannot be edited, and what to do instead.

import { CopyOfIt } from "../panels/begin";
import { Words } from "../panels/now";
import { unread } from "../panels/problems";
import type { Said } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";

/** Why the document cannot be read; nothing if it can, and is none that can be edited. */
function whyUnread(): Said[] {
  const found = unread.value.find((one) => one.file === model.written.value.texts[0]?.name);
  if (found) return [found.text, found.help].filter((one) => one !== null);
  const refusal = model.definition.value?.texts.length === 0 ? model.definition.value.refusal : null;
  return refusal ? [refusal] : [];
}

export function Unedited() {
  // What cannot be read can be copied as little as edited.
  const why = whyUnread();
  return (
    <div class="editing none">
      <p>{t(why.length > 0 ? "notRead" : "notEdited")}</p>
      {why.map((one, nth) => (
        <p key={nth}>
          <Words text={said(one)} />
        </p>
      ))}
      {why.length === 0 && <CopyOfIt />}
    </div>
  );
}
