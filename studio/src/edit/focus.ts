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

/** The field in which somebody types without a break, and when that was last. */
let typed: { field: Element; at: number } | null = null;
/** Keys that come later are meant for whatever has the keyboard then. */
const BREAK_MS = 1_000;

function types({ target }: Event): void {
  const takesText = target instanceof Element && target.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])");
  typed = takesText ? { field: target, at: performance.now() } : null;
}

/** What is typed on when its field has gone would be commands to something else: it is dropped until there is a break. */
function dropKeys(event: KeyboardEvent): void {
  const field = event.target as HTMLElement;
  const isLeft = event.ctrlKey || event.metaKey || event.altKey || /^(Escape|Tab)$/.test(event.key);
  const isOver = !typed || isLeft || performance.now() - typed.at > BREAK_MS;
  const isGone = typed !== null && (!typed.field.isConnected || typed.field.matches(":disabled"));
  const isTyped = field === typed?.field || /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName) || field.isContentEditable;
  // Enter writes what is in a field, which may be another one then.
  if (isOver || (isTyped && event.key === "Enter")) typed = null;
  else if (isGone && !isTyped) {
    typed = event.key === "Enter" ? null : { field: typed?.field as Element, at: performance.now() };
    event.preventDefault();
    event.stopPropagation();
  }
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
