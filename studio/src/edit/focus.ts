// Where the keyboard goes on when the field or button that had it is gone after an edit: with the rows, or in the row of its table.

import { effect } from "@preact/signals";
import { isField, takesText } from "../parts/keyboard";
import { toRows } from "./actions";
import * as sheet from "./sheet";

/** A row of a table: its name, and its place, in which another one is when it is gone. */
interface Place {
  name: string | undefined;
  nth: number;
}

/** What had the keyboard last, if that is a part of the editor, and the row that it was in. */
let last: { field: Element; row: Place | null } | null = null;

const rowsOf = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".desk .table tbody")];
const nameOf = (row: HTMLElement): string | undefined => row.dataset.key ?? row.dataset.leaf;

function notice(event: Event): void {
  const field = event.target;
  if (!(field instanceof Element) || field === document.body) return;
  const row = field.closest<HTMLElement>(".desk .table tbody");
  const isOurs = row !== null || field.closest(".editing, .inspector") !== null;
  last = isOurs ? { field, row: row && { name: nameOf(row), nth: rowsOf().indexOf(row) } } : null;
}

/** The field in which somebody types without a break, and when that was last. */
let typed: { field: Element; at: number } | null = null;
/** Keys that come later are meant for whatever has the keyboard then. */
const BREAK_MS = 1_000;

function types({ target }: Event): void {
  typed = target instanceof Element && takesText(target) ? { field: target, at: performance.now() } : null;
}

/** Whether a field has gone, or takes nothing any more. */
const isGone = (field: Element): boolean => !field.isConnected || field.matches(":disabled");

/** What is typed on when its field has gone would be commands to something else: it is dropped until there is a break. */
function dropKeys(event: KeyboardEvent): void {
  if (!typed) return;
  const { field, at } = typed;
  const target = event.target as HTMLElement;
  const isLeft = event.ctrlKey || event.metaKey || event.altKey || /^(Escape|Tab)$/.test(event.key);
  const isInField = target === field || isField(target) || target.isContentEditable;
  const isOver = isLeft || performance.now() - at > BREAK_MS;
  const isDropped = !isOver && !isInField && isGone(field);
  // Enter ends what is typed, also where its field has gone.
  if (isOver || event.key === "Enter") typed = null;
  else if (isDropped) typed = { field, at: performance.now() };
  if (!isDropped) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Who clicks beside everything wants to be nowhere. */
function leave(event: Event): void {
  typed = null;
  if (!(event.target as Element).closest(".editing, .inspector, .desk .table")) last = null;
}

/** Gives the keyboard back if what had it is gone, or takes none any more. */
function giveBack(): void {
  const isTaken = (document.activeElement ?? document.body) !== document.body || document.querySelector("dialog[open]");
  if (!last || isTaken) return;
  // Whoever has left a field, has left it.
  if (!isGone(last.field)) return;
  const { row } = last;
  const rows = row ? rowsOf() : [];
  const same = rows.find((one) => row?.name !== undefined && nameOf(one) === row.name) ?? rows[Math.min(row?.nth ?? 0, rows.length - 1)];
  if (same) same.focus({ preventScroll: true });
  else toRows();
}

/** Looks after the keyboard until the function that is returned is called. */
export function keepFocus(): () => void {
  document.addEventListener("focusin", notice);
  document.addEventListener("pointerdown", leave);
  document.addEventListener("input", types, true);
  document.addEventListener("keydown", dropKeys, true);
  const end = effect(() => {
    if (!sheet.sheet.value) return;
    // The page is drawn before the next frame, and whatever asks for the keyboard may do so in that.
    requestAnimationFrame(() => requestAnimationFrame(giveBack));
  });
  return () => {
    end();
    document.removeEventListener("focusin", notice);
    document.removeEventListener("pointerdown", leave);
    document.removeEventListener("input", types, true);
    document.removeEventListener("keydown", dropKeys, true);
    [last, typed] = [null, null];
  };
}
