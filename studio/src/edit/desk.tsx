// What is shown beside the document while it is edited: the graph of what plays, or a table.

import type { ComponentChildren } from "preact";
import { t } from "../texts";
import * as model from "../wire/model";
import { Keys } from "./keys";
import { Leaves } from "./leaves";
import * as sheet from "./sheet";

const NAMES = { graph: "graph", keys: "keyTable", leaves: "leafTable" } as const;

export function Desk({ children }: { children: ComponentChildren }) {
  const all = sheet.sheet.value;
  if (model.panel.value !== "edit" || !all || !sheet.mayEdit.value) return <>{children}</>;
  const shown = sheet.desk.value;
  const isOdd = { graph: 0, keys: all.keys.filter((one) => one.id === 0).length, leaves: all.leaves.filter((one) => one.id === 0).length };
  return (
    <div class="desk">
      <div class="tabs" role="tablist" aria-label={t("desk")}>
        {(["graph", "keys", "leaves"] as const).map((one) => (
          <button key={one} role="tab" aria-selected={shown === one} onClick={() => (sheet.desk.value = one)}>
            {t(NAMES[one])}
            {one !== "graph" && <small> {all[one].length}</small>}
            {isOdd[one] > 0 && <b class="fail"> !</b>}
          </button>
        ))}
      </div>
      {shown === "graph" && children}
      {shown === "keys" && <Keys />}
      {shown === "leaves" && <Leaves />}
    </div>
  );
}
