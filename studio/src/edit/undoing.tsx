// Undo and redo, by the names of what they take back and do again.

import { t } from "../texts";
import { said } from "../texts/purposes";
import * as sheet from "./sheet";
import { called } from "./together";

export function Undoing({ undo, redo }: { undo: () => void; redo: () => void }) {
  const all = sheet.sheet.value;
  if (!all) return null;
  const name = (what: "undo" | "redo"): string => {
    const done = all[what];
    if (!done) return t(what);
    return `${t(what)}: ${said(done.label)}${done.by === sheet.you.value ? "" : ` (${called(done.by)})`}`;
  };
  return (
    <>
      <button class="step" disabled={!all.undo} title={`${name("undo")}  Ctrl Z`} onClick={undo}>
        ↶ <span>{name("undo")}</span>
      </button>
      <button class="step" disabled={!all.redo} title={`${name("redo")}  Ctrl Shift Z`} onClick={redo}>
        ↷ <span>{name("redo")}</span>
      </button>
    </>
  );
}
