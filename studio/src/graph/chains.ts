// What follows a question of a decision tree in its own list: where the question has no answer of its own, one goes on there.

import type { Line } from "../wire/model";
import type { Card } from "./layout";

/** What leads from a question to what stands after it. */
export interface Chain {
  from: Card;
  by: "yes" | "no" | "else";
}

/** The list in which a card stands: what follows from another answer stands in another one. */
const listOf = (card: Card): string => `${card.parent} ${card.way}`;

/** Whether a card stands where one comes to it only from what is before it, or from a `goto`. */
const isInDecision = (around: Line | undefined): boolean => around?.is === "test" || (around?.word === "decide" && around.indent === 0);

/** The cards to which a question before them leads, each with that question. What is switched off is not there for it. */
export function chains(cards: Card[], lines: Line[], parents: number[], isOut: (nth: number) => boolean = () => false): Map<Card, Chain> {
  const answers = new Map<number, Set<string>>();
  for (const [nth, line] of lines.entries()) {
    const around = parents[nth];
    if (line.is === "way" && around >= 0 && !isOut(nth)) answers.set(around, (answers.get(around) ?? new Set()).add(line.word));
  }
  const found = new Map<Card, Chain>();
  const last = new Map<string, Card>();
  for (const card of cards) {
    if (card.kind === "branch" || isOut(card.nth)) continue;
    const before = last.get(listOf(card));
    last.set(listOf(card), card);
    if (before?.kind !== "test") continue;
    const by = leftOver(lines[before.nth]?.word ?? "", answers.get(before.nth) ?? new Set());
    if (by) found.set(card, { from: before, by });
  }
  return found;
}

/** The answer of a question that leads on, by those that are written; `null` if each leads elsewhere. */
function leftOver(word: string, written: ReadonlySet<string>): Chain["by"] | null {
  if (/^(switch|random|best)\b/.test(word)) return written.has("default") ? null : "else";
  if (!written.has("no")) return "no";
  return written.has("yes") ? null : "yes";
}

/**
 * The cards that hang on the one around them, each with what stands on the line to it. Of a list of a decision tree that is the
 * first one: to the others leads what is before them, to a branch a `goto`.
 */
export function hanging(cards: Card[], lines: Line[], isOut: (nth: number) => boolean): Map<Card, string> {
  const found = new Map<Card, string>();
  const begun = new Map<string, string>();
  const done = new Set<string>();
  for (const card of cards) {
    if (card.parent < 0) continue;
    if (!isInDecision(lines[card.parent])) {
      found.set(card, card.edge);
      continue;
    }
    const list = listOf(card);
    if (card.kind === "branch" || done.has(list)) continue;
    // What stands on the line to what is switched off holds for what comes instead.
    begun.set(list, begun.get(list) ?? card.edge);
    found.set(card, begun.get(list) as string);
    if (!isOut(card.nth)) done.add(list);
  }
  return found;
}

const nameOf = (line: Line | undefined): string => line?.values[0]?.text ?? "";

/** The branches to which a `goto` leads: pairs of cards. A name means a branch of its own decision tree. */
export function jumps(cards: Card[], lines: Line[], parents: number[]): { from: Card; to: Card }[] {
  const around = (nth: number): number => {
    let at = nth;
    while (parents[at] >= 0) at = parents[at];
    return lines[at]?.word === "decide" && lines[at].indent === 0 ? at : -1;
  };
  const key = (card: Card): string => `${around(card.nth)} ${nameOf(lines[card.nth])}`;
  const branches = new Map(cards.filter((card) => card.kind === "branch").map((card) => [key(card), card]));
  return cards.flatMap((from) => {
    const to = from.kind === "goto" ? branches.get(key(from)) : undefined;
    return to ? [{ from, to }] : [];
  });
}
