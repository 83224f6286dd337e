// Other folders: which may be opened, and what is in them.

import { signal } from "@preact/signals";
import type { Folder } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";

/** The folder that one looks into, before it is opened. */
export const shown = signal<Folder | null>(null);
/** The folder in which new documents are made, and what the server calls its own. */
export const opened = signal("");
export const first = signal("");
/** Whether the folder that somebody wanted to see has nothing to show, so that the files are the examples. */
export const isEmpty = signal(false);

function look(folder: string, opens: boolean): void {
  model.refused.value = "";
  say({ say: "folder", folder, opens });
}

/** Takes over what is in a folder. */
export function take(of: Folder): void {
  model.files.value = of.files;
  shown.value = of.is_opened ? null : of;
  if (of.is_opened) [opened.value, isEmpty.value] = [of.folder, false];
}

export function Folders() {
  const of = shown.value;
  if (!of) return <button onClick={() => look("", false)}>{t("openFolder")}</button>;
  return (
    <div class="folders" role="group" aria-label={t("openFolder")}>
      <b>{of.folder || t("allFolders")}</b>
      {of.folder !== "" && <small>{of.documents.join(", ") || "–"}</small>}
      {of.up !== null && (
        <button onClick={() => look(of.up ?? "", false)}>
          <span aria-hidden="true">↰</span> {t("folderUp")}
        </button>
      )}
      {of.folders.map((folder) => (
        <button key={folder} data-folder={folder} onClick={() => look(folder, false)}>
          <span aria-hidden="true">▸</span> {folder}
        </button>
      ))}
      {of.folder !== "" && (
        <button class="open-folder" onClick={() => look(of.folder, true)}>
          {t("openThis")}
        </button>
      )}
      <button class="plain" aria-label={t("close")} onClick={() => (shown.value = null)}>
        ×
      </button>
      <small>{t("folderRule")}</small>
    </div>
  );
}
