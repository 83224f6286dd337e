// Tells an editor beside the studio where that stands in a text which somebody chooses here.

import * as sheet from "../edit/sheet";
import type { Reveal } from "../protocol";
import * as model from "./model";
import { say } from "./wire";

/** The place of what is chosen: of a node that is edited, or of a line of the definition. */
function place(): Reveal | null {
  const edited = model.panel.value === "edit" ? sheet.node.value : undefined;
  if (edited) {
    const name = sheet.sheet.value?.files[edited.file]?.name;
    return name === undefined ? null : { file: name, line: edited.at[0], column: edited.at[1] };
  }
  const found = model.placeOf(model.selected.value);
  const name = found && model.definition.value?.texts[found[0]]?.name;
  return found && name ? { file: name, line: found[1], column: found[2] } : null;
}

let told = "null ";

/** After each change: tells what somebody has just chosen, and not what the address or a reload brings. */
export function tellPlace(): void {
  const now = `${model.selected.value} ${model.panel.value === "edit" ? sheet.chosen.value : ""}`;
  if (now === told) return;
  told = now;
  const isByHand = navigator.userActivation?.isActive ?? true;
  const where = isByHand && model.isConnected.value ? place() : null;
  if (where) say({ say: "reveal", ...where });
}
