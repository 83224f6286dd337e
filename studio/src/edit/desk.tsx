// What is shown beside the document while it is edited: the graph of what plays, or a table.

import type { ComponentChildren } from "preact";
import { isSource } from "../graph/shown";
import * as map from "../map/map";
import { MapPane } from "../map/pane";
import { t } from "../texts";
import * as model from "../wire/model";
import { lookAgain } from "../wire/wire";
import { Keys } from "./keys";
import { Leaves } from "./leaves";
import * as sheet from "./sheet";

const NAMES = { graph: "graph", keys: "keyTable", leaves: "leafTable", map: "map" } as const;

export function Desk({ children }: { children: ComponentChildren }) {
  const all = sheet.sheet.value;
  const shown = sheet.desk.value;
  // A document that is not KDL has a map nevertheless.
  const isDesk = all || shown === "map";
  if (model.panel.value !== "edit" || !isDesk || !sheet.mayEdit.value) return <>{children}</>;
  const [keys, leaves] = [all?.keys ?? [], all?.leaves ?? []];
  // While a block is not closed, nobody knows what there is.
  const isOpen = !sheet.isWhole.value;
  const count = { graph: -1, keys: keys.length, leaves: leaves.length, map: -1 };
  const isOdd = { graph: 0, keys: keys.filter((one) => one.id === 0).length, leaves: leaves.filter((one) => one.id === 0).length, map: 0 };
  const turnTo = (to: typeof shown): void => {
    sheet.desk.value = to;
    lookAgain();
  };
  return (
    <div class="desk">
      <div class="above">
        <div class="tabs" role="tablist" aria-label={t("desk")}>
          {(["graph", "keys", "leaves", "map"] as const).map((one) => (
            <button key={one} role="tab" aria-selected={shown === one} onClick={() => turnTo(one)}>
              {t(NAMES[one])}
              {count[one] >= 0 && !isOpen && <small> {count[one]}</small>}
              {isOdd[one] > 0 && !isOpen && <b class="fail"> !</b>}
              {one === "map" && map.map.value?.unsaved && <b class="fail"> ●</b>}
            </button>
          ))}
        </div>
        {shown === "graph" && isSource.value && !isOpen && (
          <p class="hint" title={t("dragHint")}>
            {t("dragHint")}
          </p>
        )}
      </div>
      {shown === "graph" && children}
      {isOpen && (shown === "keys" || shown === "leaves") && <p class="by">{t("openBlock")}</p>}
      {shown === "keys" && !isOpen && <Keys key={sheet.turns.value} />}
      {shown === "leaves" && !isOpen && <Leaves key={sheet.turns.value} />}
      {shown === "map" && <MapPane key={sheet.turns.value} />}
    </div>
  );
}
