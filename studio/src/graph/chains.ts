// What follows a question of a decision tree in its own list: where the question has no answer of its own, one goes on there.

import type { Line } from "../wire/model";
import type { Card } from "./layout";

/** What leads from a question to what stands after it. */
export interface Chain {
  from: Card;
  by: "yes" | "no" | "else";
}

/** The cards to which a question before them leads, each with that question. */
export function chains(cards: Card[], lines: Line[], parents: number[]): Map<Card, Chain> {
  const answers = new Map<number, Set<string>>();
  for (const [nth, line] of lines.entries()) {
    const around = parents[nth];
    if (line.is === "way" && around >= 0) answers.set(around, (answers.get(around) ?? new Set()).add(line.word));
  }
  const found = new Map<Card, Chain>();
  const last = new Map<number, Card>();
  for (const card of cards) {
    const before = last.get(card.parent);
    last.set(card.parent, card);
    // What follows from another answer stands in another list.
    if (before?.kind !== "test" || card.kind === "branch" || before.way !== card.way) continue;
    const by = leftOver(before.title.split(" ")[0], answers.get(before.nth) ?? new Set());
    if (by) found.set(card, { from: before, by });
  }
  return found;
}

/** The answer of a question that leads on, by those that are written; `null` if each leads elsewhere. */
function leftOver(word: string, written: ReadonlySet<string>): Chain["by"] | null {
  if (word === "switch" || word === "random") return written.has("default") ? null : "else";
  if (!written.has("no")) return "no";
  return written.has("yes") ? null : "yes";
}
