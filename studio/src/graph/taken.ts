// The ways that are taken: to what runs, through a `goto`, from a question to what stands after it.

import * as model from "../wire/model";
import { type Edge, edgesOf } from "./edges";
import type { Card, Layout } from "./layout";
import * as shown from "./shown";

/** Whether a question has led along an edge: to what hangs on it, or to what stands after it. */
function hasLed({ from, to, by }: Edge, lines: readonly model.Line[], marks: readonly model.Mark[]): boolean {
  const answer = by ?? lines[to.way]?.word ?? "yes";
  if (/^(no|else|default)$/.test(answer)) return marks[from.nth] === "fail";
  return marks[answer === "yes" ? from.nth : to.way] === "ok";
}

/** The cards of each `goto` that has led on: a question has led there, or another `goto` to the branch that begins with it. */
export function jumped(all: readonly Edge[], lines: readonly model.Line[], marks: readonly model.Mark[]): ReadonlySet<Card> {
  const into = new Map(all.flatMap((one) => (one.isJump ? [] : [[one.to, one]])));
  const jumps = all.filter((one) => one.isJump);
  const found = new Set<Card>();
  const isNews = ({ from }: Edge): boolean => {
    const way = into.get(from);
    if (!way || found.has(from)) return false;
    if (way.from.kind !== "branch") return way.from.kind === "test" && hasLed(way, lines, marks);
    return jumps.some((one) => one.to === way.from && found.has(one.from));
  };
  for (let next = jumps.filter(isNews); next.length > 0; next = jumps.filter(isNews)) for (const { from } of next) found.add(from);
  return found;
}

/** Says of each edge of a layout whether that is the way taken. */
export function taken(of: Layout): (one: Edge) => boolean {
  const lines = shown.lines.value;
  const marks = shown.drawn.value;
  const gone = jumped(edgesOf(of, lines, shown.parents.value, shown.isOut), lines, marks);
  const goals = [shown.running.value, ...[...gone].map((card) => card.nth)];
  return (one) => {
    if (one.isJump) return gone.has(one.from);
    if (one.by) return hasLed(one, lines, marks);
    const { nth } = one.to;
    return model.isActive(shown.strongest(nth)) || goals.some((goal) => nth <= goal && goal <= nth + shown.below.value[nth]);
  };
}
