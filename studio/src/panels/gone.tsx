// The program is gone, or it was started again under an address that this page does not have.

import { What } from "../edit/gone";
import * as sheet from "../edit/sheet";
import { Typed } from "../edit/typed";
import { type Kept, typedInto, waiting } from "../edit/typing";
import { unsent } from "../edit/unsent";
import { t } from "../texts";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";

export function Gone() {
  if (!model.isConnected.value)
    return (
      <div class="lost" role="alert">
        {t("lost")} {!isAlone && sheet.mayEdit.value && t("lostKeeps")}
      </div>
    );
  // Who only watches goes on as before.
  const edits = model.panel.value === "edit" || sheet.writes.value || waiting.value.size > 0 || unsent.value.length > 0;
  if (!sheet.hasEnded.value || !edits) return null;
  const typed = (file: string, kept: Kept) =>
    typedInto(model.definition.value?.texts.find((one) => one.name === file)?.text ?? kept.bases[0], kept);
  return (
    <div class="lost" role="alert">
      <p>{t("ended")}</p>
      {(waiting.value.size > 0 || unsent.value.length > 0) && <p>{t("endedKeeps")}</p>}
      {[...waiting.value].map(([file, kept]) => (
        <Typed key={file} of={typed(file, kept)} />
      ))}
      {unsent.value.map((one, nth) => (
        <p key={nth}>
          <What of={one} />
        </p>
      ))}
    </div>
  );
}
