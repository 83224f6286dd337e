// The program is gone, or it was started again under an address that this page does not have; and what was typed meanwhile.

import { What } from "../edit/gone";
import * as sheet from "../edit/sheet";
import { Typed } from "../edit/typed";
import { type Kept, left, typedInto, waiting } from "../edit/typing";
import { unsent } from "../edit/unsent";
import { toEditor, toTypedMap } from "../keys";
import { calledField, isKeptFor, kept } from "../map/drafts";
import { t } from "../texts";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";
import { typeText } from "./text";

export function Gone() {
  if (!model.isConnected.value)
    return (
      <div class="lost" role="alert">
        {t(model.isForbidden.value ? "wrongToken" : "lost")} {!isAlone && sheet.mayEdit.value && t("lostKeeps")}
      </div>
    );
  // Who only watches goes on as before.
  const names = new Set(model.written.value.texts.map((one) => one.name));
  const texts = [...[...left.value].filter(([file]) => names.has(file)), ...waiting.value];
  const isKept = texts.length > 0 || unsent.value.length > 0 || kept().length > 0;
  const edits = model.panel.value === "edit" || sheet.writes.value || isKept;
  if (!sheet.hasEnded.value || !edits) return null;
  const typed = (file: string, kept: Kept) =>
    typedInto(model.definition.value?.texts.find((one) => one.name === file)?.text ?? kept.bases[0] ?? "", kept);
  return (
    <div class="lost" role="alert">
      <p>{t("ended")}</p>
      {isKept && <p>{t("endedKeeps")}</p>}
      {texts.map(([file, kept], nth) => (
        <Typed key={`${nth} ${file}`} of={typed(file, kept)} />
      ))}
      {unsent.value.map((one, nth) => (
        <p key={nth}>
          <What of={one} />
        </p>
      ))}
      {kept().map(({ of, field, was, shown }) =>
        field ? (
          <p key={of + calledField(field)}>
            <What of={{ field: calledField(field), text: shown, node: of, edit: null, why: "lost" }} />
          </p>
        ) : (
          <Typed key={of} of={typedInto(was, { bases: [was], isLost: false, shown })} />
        ),
      )}
    </div>
  );
}

/** That something is kept that was typed into this document and could not be sent, and the way to it, wherever one is. */
export function Unsent() {
  if (!model.isConnected.value || !sheet.mayEdit.value) return null;
  const names = new Set(model.written.value.texts.map((one) => one.name));
  const isTyping = model.panel.value === "text" && sheet.writes.value;
  const inText = !isTyping && [...left.value.keys(), ...waiting.value.keys()].some((file) => names.has(file));
  // The rows say that above themselves.
  const inFields = model.panel.value !== "edit" && unsent.value.some((one) => names.has(one.file));
  // Of all that is kept for a document, only its map is none of its texts; of what is typed now, the map says so itself.
  const isAtMap = model.panel.value === "edit" && sheet.desk.value === "map";
  const shown = model.view.value?.file ?? "";
  const isMapLeft = [...left.value].some(([name, kept]) => kept.of !== undefined && kept.of === shown && !names.has(name));
  const inMap = isMapLeft || isKeptFor(shown, isAtMap);
  if (!inText && !inFields && !inMap) return null;
  return (
    <div class="lost unsent" role="alert">
      {t("keptTyped")} {inText && <button onClick={typeText}>{t("toTypedText")}</button>}{" "}
      {inFields && <button onClick={toEditor}>{t("toTypedFields")}</button>}{" "}
      {inMap && <button onClick={toTypedMap}>{t("toTypedMap")}</button>}
    </div>
  );
}
