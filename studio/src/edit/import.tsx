// Where the nodes of imported files are written.

import { t } from "../texts";
import * as sheet from "./sheet";

/** The name of an imported file, beside what stands in it; nothing for the document itself. */
export function Import({ of }: { of: number }) {
  const name = sheet.importedFrom(of);
  if (name === null) return null;
  return (
    <small class="import" title={t("importedHow")}>
      ↪ {name}
    </small>
  );
}

/** The same for a node that is known by its id. */
export function ImportOf({ id }: { id: number }) {
  const node = sheet.sheet.value?.nodes.find((one) => one.id === id);
  return node ? <Import of={node.file} /> : null;
}

/** That a new leaf is written into an imported file. */
export function LeavesGoTo() {
  const name = sheet.leavesGoTo.value;
  if (name === null) return null;
  return (
    <small class="import" title={t("importedHow")}>
      {t("writtenInto")} ↪ {name}
    </small>
  );
}
