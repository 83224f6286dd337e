// Searches for the best of several candidates.

import type { Texts } from ".";

export const finding = {
  candidatesOf: ["Candidates of", "候选："],
  foundAt: ["in tick", "帧"],
  candidateChosen: ["chosen", "已选中"],
  candidateKept: ["kept", "保留"],
  candidateOut: ["out for", "出局："],
  candidateZero: ["out: its score is not above 0", "出局：评分不大于 0"],
} satisfies Texts;
