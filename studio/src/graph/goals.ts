// Where something that is dragged would go, and what that would do to the document.

import { type Answer, lead, leading } from "../edit/leading";
import * as sheet from "../edit/sheet";
import type { Edit, Where } from "../protocol";
import { cardAt, gapAt, type Hit, isWithin, nodeOf, rowAt } from "./hit";
import type { Card, Layout } from "./layout";
import { newTransition } from "./popup";
import * as source from "./source";

/** How the place is shown. */
export type Shape =
  | { is: "line"; x1: number; y1: number; x2: number; y2: number }
  | { is: "box"; x: number; y: number; w: number; h: number };

export interface Goal {
  /** What would be done. */
  edit: Edit;
  shape: Shape;
  /** What is done when it is dropped, if that asks for something more first. */
  drop?: (x: number, y: number) => void;
}

/** What is dragged. */
export type Load =
  | { is: "nodes"; ids: number[]; states: boolean; transitions: boolean }
  | { is: "line"; from: number; side: "to" | "yes" | "no" }
  | { is: "head"; transition: number }
  | { is: "answer"; nth: number };

/** What a drag of something that was hit moves; nothing for what does not move. */
export function loadOf(hit: Hit): Load | null {
  if (hit.on === "handle") return { is: "line", from: hit.card.nth, side: hit.handle.side };
  if (hit.on === "head") return { is: "head", transition: hit.nth };
  if (hit.on === "answer") return { is: "answer", nth: hit.nth };
  const of = nodeOf(hit.nth);
  if (of.depth === 0) return null;
  const all = sheet.outermost.value;
  return {
    is: "nodes",
    ids: all.map((one) => one.id),
    states: all.every((one) => one.role === "state"),
    transitions: all.every((one) => one.role === "transition"),
  };
}

const box = (card: Card): Shape => ({ is: "box", x: card.x, y: card.y, w: card.w, h: card.h });

/** Where a load would go at a point. */
export function goalAt(of: Layout, load: Load, x: number, y: number): Goal | null {
  if (load.is === "nodes") return load.states ? nested(of, load.ids, x, y) : moved(of, load, x, y);
  if (load.is === "head") return led(of, x, y, (to) => ({ do: "retarget", id: nodeOf(load.transition).id, to }));
  if (load.is === "answer") return answered(of, x, y, { id: nodeOf(load.nth).id, side: null });
  if (load.side !== "to") return answered(of, x, y, { id: nodeOf(load.from).id, side: load.side });
  const from = nodeOf(load.from).id;
  const goal = led(of, x, y, (to) => ({ do: "add-transition", from, to, trigger: "" }));
  if (goal?.edit.do === "add-transition") {
    const { to } = goal.edit;
    goal.drop = (left, top) => newTransition(from, to, left, top);
  }
  return goal;
}

/** States go into the state or machine under the pointer. */
function nested(of: Layout, ids: number[], x: number, y: number): Goal | null {
  const own = ids.map((id) => source.placeOf.value.get(id) ?? -1);
  const inner = cardAt(of, x, y);
  // The server says why something does not go into itself.
  if (inner && !own.includes(inner.nth) && own.some((one) => isWithin(inner.nth, one))) return into(inner, ids);
  const card = cardAt(of, x, y, (nth) => own.some((one) => isWithin(nth, one)));
  if (!card) return null;
  const parents = source.parents.value;
  // What has no states of its own is dropped on as a state.
  if (own.every((one) => parents[one] === card.nth)) return null;
  return into(card, ids);
}

const into = (card: Card, ids: number[]): Goal => ({
  edit: { do: "move", ids, spot: sheet.beside(nodeOf(card.nth).id, "into") },
  shape: box(card),
});

/** Everything else goes before, after or into what is under the pointer. */
function moved(of: Layout, load: Load & { is: "nodes" }, x: number, y: number): Goal | null {
  const own = load.ids.map((id) => source.placeOf.value.get(id) ?? -1);
  const isOwn = (nth: number): boolean => own.some((one) => isWithin(nth, one));
  const edit = (nth: number, side: Where): Edit => ({ do: "move", ids: load.ids, spot: sheet.beside(nodeOf(nth).id, side) });
  const card = cardAt(of, x, y);
  if (card && isOwn(card.nth)) return own.includes(card.nth) ? null : into(card, load.ids);
  if (card) {
    const row = rowAt(card, y);
    if (row) return isOwn(row.nth) ? null : inRows(card, row, y, load.transitions, edit);
    if (card.isBox || nodeOf(card.nth).depth === 0 || nodeOf(card.nth).role === "state")
      return { edit: edit(card.nth, "into"), shape: box(card) };
  }
  const near = card ?? gapAt(of, x, y, isOwn);
  if (!near) return null;
  const isDown = near.isDown ?? of.isDown;
  const part = isDown ? (x - near.x) / near.w : (y - near.y) / near.h;
  if (card && part >= 0.3 && part <= 0.7) return { edit: edit(near.nth, "into"), shape: box(near) };
  const side = part < 0.5 ? "before" : "after";
  // A root of a tree drawn inside of a state, or below an answer, stands among what is in the same block.
  return { edit: edit(near.nth, side), shape: beside(near, side, isDown) };
}

/** The line where something would stand before or after a card. */
function beside(card: Card, side: "before" | "after", isDown: boolean): Shape {
  if (isDown) {
    const x = side === "before" ? card.x - 9 : card.x + card.w + 9;
    return { is: "line", x1: x, y1: card.y - 4, x2: x, y2: card.y + card.h + 4 };
  }
  const y = side === "before" ? card.y - 6 : card.y + card.h + 6;
  return { is: "line", x1: card.x - 4, y1: y, x2: card.x + card.w + 4, y2: y };
}

/** Among the rows of a state. A transition takes nothing in but what it does. */
function inRows(card: Card, row: Card["rows"][number], y: number, isTransition: boolean, edit: (nth: number, side: Where) => Edit): Goal {
  const part = (y - card.y - row.y) / 20;
  const isEdge = isTransition || part < 0.35 || part > 0.65;
  const side = !isEdge ? "into" : part < 0.5 ? "before" : "after";
  const [left, right, top] = [card.x + 8, card.x + card.w - 8, card.y + row.y];
  const at = side === "before" ? top : top + 20;
  const shape: Shape =
    side === "into" ? { is: "box", x: left, y: top, w: right - left, h: 20 } : { is: "line", x1: left, y1: at, x2: right, y2: at };
  return { edit: edit(row.nth, side), shape };
}

/** A state to which something would lead. */
function led(of: Layout, x: number, y: number, edit: (to: number) => Edit): Goal | null {
  const card = cardAt(of, x, y, (nth) => nodeOf(nth).role !== "state");
  return card ? { edit: edit(nodeOf(card.nth).id), shape: box(card) } : null;
}

/** What stands in a decision tree to which an answer would lead. */
function answered(of: Layout, x: number, y: number, from: Answer): Goal | null {
  const card = cardAt(of, x, y, (other) => !leading(from, nodeOf(other)));
  const goal = card && leading(from, nodeOf(card.nth));
  return goal ? { edit: goal.edit, shape: box(card), drop: () => lead(goal) } : null;
}
