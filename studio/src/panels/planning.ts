// Which planner is shown, and what is asked of it.

import { signal } from "@preact/signals";
import type { WhatIf } from "../protocol";

/** The planner that is shown, by the number of its node. */
export const asked = signal<number | null>(null);
/** Other facts, for which the page wants to know the plan. */
export const whatIf = signal<WhatIf | null>(null);
/** The step that is unfolded. */
export const openStep = signal<string | null>(null);
