// What other pages have chosen, and in which colours they are shown.

import { computed } from "@preact/signals";
import * as model from "../wire/model";

const TONES = ["cut", "ok", "run", "fail"];

/** The name of the colour of a page: the same one in all pages. */
export const toneOfPage = (who: string): string => TONES[Number(who.match(/\d+$/)?.[0] ?? 0) % TONES.length];

/** Who else has chosen a node. */
export const others = computed<ReadonlyMap<number, string[]>>(() => {
  const out = new Map<number, string[]>();
  for (const { who, ids } of model.view.value?.others ?? []) for (const id of ids) out.set(id, [...(out.get(id) ?? []), who]);
  return out;
});
