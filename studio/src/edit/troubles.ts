// Which nodes the problems of the document are about: they are shown where the nodes are, too.

import { computed } from "@preact/signals";
import type { Problem } from "../protocol";
import * as sheet from "./sheet";

/** For each node, by its id, what is wrong in its own words; what is wrong in a node within it is only that one's. */
export const troubles = computed<ReadonlyMap<number, Problem[]>>(() => {
  const out = new Map<number, Problem[]>();
  for (const one of sheet.sheet.value?.problems ?? []) if (one.about) out.set(one.about.id, [...(out.get(one.about.id) ?? []), one]);
  return out;
});
