// Where the keyboard goes on when the field or button that had it is gone after an edit: with the rows, or in the row of its table.

import { effect } from "@preact/signals";
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

/** Who clicks beside everything wants to be nowhere. */
function leave(event: Event): void {
  if (!(event.target as Element).closest(".editing, .inspector, .desk .table")) last = null;
}

/** Gives the keyboard back if what had it is gone, or takes none any more. */
function giveBack(): void {
  const isTaken = (document.activeElement ?? document.body) !== document.body || document.querySelector("dialog[open]");
  if (!last || isTaken) return;
  // Whoever has left a field, has left it.
  if (last.field.isConnected && !last.field.matches(":disabled")) return;
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
  const end = effect(() => {
    if (!sheet.sheet.value) return;
    // The page is drawn before the next frame, and whatever asks for the keyboard may do so in that.
    requestAnimationFrame(() => requestAnimationFrame(giveBack));
  });
  return () => {
    end();
    document.removeEventListener("focusin", notice);
    document.removeEventListener("pointerdown", leave);
    last = null;
  };
}
