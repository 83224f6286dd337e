// On which side of a node something is added: for the mouse what Shift and Ctrl are for the keyboard.

import type { Beside, Where } from "../protocol";
import { t } from "../texts";
import * as sheet from "./sheet";

/** What each side is called. */
export const SIDES = { before: "beforeIt", after: "afterIt", into: "intoIt", around: "aroundIt" } as const satisfies Record<Where, string>;

export function Sides({ spot }: { spot: Beside }) {
  // An empty document has no node beside which something could be.
  if (spot.id === 0) return null;
  return (
    <div class="where" role="radiogroup" aria-label={t("whereToAdd")}>
      {(Object.keys(SIDES) as Where[]).map((side) => (
        <button
          key={side}
          type="button"
          role="radio"
          aria-checked={spot.side === side}
          data-side={side}
          // What is typed goes on.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => sheet.add(spot.id, side)}
        >
          {t(SIDES[side])}
        </button>
      ))}
    </div>
  );
}
