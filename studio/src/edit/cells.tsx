// Fields of tables: a text that is written with Enter or when it is left, and the names of nodes.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Edit, Said, SheetNode, SheetUse } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { useHeld } from "./held";
import { tried, Why } from "./menu";
import * as sheet from "./sheet";
import { may, whyBroken } from "./trial";
import * as unsent from "./unsent";

/** How many letters a text has at least that may be cut off in its field. */
const LONG = 14;

interface Text {
  label: string;
  value: string;
  /** What writes it to the document; it is tried before. */
  edit?: (text: string) => Edit;
  /** What writes it elsewhere. */
  write?: (text: string) => void;
  /** What is kept of that, and what keeps it until it is written or given up, with the value in whose place it is to come. */
  left?: string;
  leave?: (text: string | null, was: string, isWritten?: boolean) => void;
  placeholder?: string;
  isCode?: boolean;
  /** It has the keyboard when it comes. */
  isFocused?: boolean;
  /** `Esc` was pressed. */
  givenUp?: () => void;
}

/** The node that a field is about; `undefined` if it is about none. */
function nodeOf(edit: Text["edit"], value: string): SheetNode | undefined {
  const what = edit?.(value);
  return what && "id" in what ? sheet.sheet.value?.nodes.find((one) => one.id === what.id) : undefined;
}

/** A text that can be changed. What is typed stays, whatever else changes meanwhile, and also when it is refused, with the reason beside it; `Esc` gives it up. */
export function Cell(props: Text) {
  const { label, edit, write, left, leave, placeholder, isCode = true, isFocused = false, givenUp } = props;
  const isGivenUp = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const [{ value, of }, anew] = useHeld({ value: props.value, of: nodeOf(edit, props.value) }, input);
  /** What the document has by now. */
  const latest = useRef(props.value);
  latest.current = props.value;
  const [why, refuse] = useState<Said>("");
  /** Whether what was written elsewhere has not been answered yet. */
  const isSent = useRef(false);
  const refused = model.refused.value;
  const turn = sheet.turns.value;
  const isLeft = left !== undefined && !isSent.current && input.current !== document.activeElement;
  const isKept = isLeft || (of !== undefined && unsent.isNotSent(of.id, label));
  const draft = of && unsent.textOf(of.id, label);
  /** What is in the field and could not be sent, also when the page is loaded again. */
  const kept = (text: string): unsent.Unsent | null => {
    const now = sheet.sheet.peek();
    return of && now && edit && text !== value ? unsent.about(of, now, label, text, edit(text)) : null;
  };
  /** What was refused, as long as it is in the field: it is kept when the field goes. */
  const refusedText = useRef<unsent.Unsent | null>(null);
  const settled = (): void => {
    refusedText.current = null;
    refuse("");
    leave?.(null, value);
    if (of) unsent.drop(of.id, label);
  };
  /** Whether others have written what it would replace, since this field had its value. */
  const isMet = (text: string): boolean => {
    const now = sheet.sheet.peek();
    const what = of && now && edit && unsent.isChanged(of, now, edit(text)) ? kept(text) : null;
    if (what) unsent.put({ ...what, why: "changed" });
    return what !== null;
  };
  const failed = (text: string, why: Said): void => {
    refuse(why);
    refusedText.current = kept(text);
    if (whyBroken() !== null && refusedText.current) unsent.put(refusedText.current);
  };
  // What was written here and refused stays, with the reason; anything else does not stay as if it were written.
  useLayoutEffect(() => {
    if (!refused) return;
    if (isSent.current) refuse(refused);
    else if (why === "" && left === undefined && input.current && input.current !== document.activeElement) input.current.value = value;
    isSent.current = false;
  }, [refused]);
  useLayoutEffect(() => {
    refuse("");
    if (isSent.current) leave?.(null, value, true);
    isSent.current = false;
  }, [value]);
  // What is put in from elsewhere is shown, whatever the field has had before.
  useLayoutEffect(() => {
    if (left !== undefined && input.current && input.current !== document.activeElement) input.current.value = left;
  }, [left]);
  useLayoutEffect(() => {
    if (isFocused) input.current?.focus();
    return () => {
      if (refusedText.current) unsent.put(refusedText.current);
    };
  }, []);
  return (
    <>
      <input
        key={`${value} ${draft ?? ""}`}
        ref={input}
        class={isCode ? "code" : undefined}
        aria-label={label}
        aria-invalid={why === "" && !isKept ? undefined : true}
        defaultValue={draft ?? left ?? value}
        // Where it has no room, it is said as a whole.
        title={value.length > LONG ? value : undefined}
        placeholder={placeholder}
        spellcheck={false}
        onInput={(event) => {
          const text = event.currentTarget.value;
          refuse("");
          refusedText.current = null;
          leave?.(text === value ? null : text, value);
          unsent.types(kept(text));
        }}
        onBlur={(event) => {
          const text = event.currentTarget.value;
          // What was typed into another document is kept for that.
          if (turn !== sheet.turns.peek()) return;
          unsent.types(null);
          anew();
          if (isGivenUp.current) event.currentTarget.value = value;
          if (isGivenUp.current || text === value) settled();
          else if (whyBroken() !== null) failed(text, whyBroken() ?? "");
          else if (isMet(text)) refuse("");
          else if (edit) tried(edit(text), settled, (said) => failed(text, said));
          // What is kept is asked about.
          else if (write && latest.current !== value && latest.current !== text) leave?.(text, value);
          else if (write) {
            isSent.current = true;
            write(text);
          }
          if (isGivenUp.current) givenUp?.();
          isGivenUp.current = false;
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") isGivenUp.current = true;
          if (event.key === "Enter" || event.key === "Escape") toRow(event.currentTarget);
          if (event.key === "ArrowUp" || event.key === "ArrowDown") {
            step(event.currentTarget, event.key === "ArrowUp" ? -1 : 1);
            event.preventDefault();
          }
        }}
      />
      <Why of={why} />
      {isKept && why === "" && (
        <small class="bad not-sent">{t(of && unsent.isMet(of.id, label) ? "changedMeanwhile" : "fieldNotSent")}</small>
      )}
    </>
  );
}

/**
 * What is in the row for something new. What is typed there is kept until it is added or given up. `add` adds it, and then shows
 * what comes next; what is refused stays, with `why`.
 */
export function useNew<E extends Edit>(nothing: E, label: string): { of: E; say: (next: E) => void; add: (next: E) => void; why: Said } {
  const [why, refuse] = useState<Said>("");
  const isAsked = useRef(false);
  const [begun, begin] = useState(nothing);
  const now = sheet.sheet.value;
  const found = () => unsent.unsent.value.find((one) => one.edit?.do === nothing.do && one.file === (now?.files[0]?.name ?? ""));
  const say = (next: E): void => {
    refuse("");
    const [kept, text] = [found(), unsent.textOfNew(next)];
    if (text !== "" && now) {
      unsent.put(unsent.about(null, now, kept?.field ?? label, text, next));
      return;
    }
    begin(next);
    if (kept) unsent.close(kept);
  };
  const of = (found()?.edit ?? begun) as E;
  const add = (next: E): void => {
    if (isAsked.current) return;
    const turn = sheet.turns.peek();
    isAsked.current = true;
    may(of, (why) => {
      isAsked.current = false;
      // Another document is shown by now.
      if (turn !== sheet.turns.peek()) return;
      if (why !== null) refuse(why);
      // What cannot be sent stays.
      else if (sheet.send(of)) say(next);
    });
  };
  return { of, say, add, why };
}

/** Leaves a field for the row in which it is. */
export function toRow(field: HTMLElement): void {
  const row = field.closest("tbody");
  field.blur();
  row?.focus({ preventScroll: true });
}

/** What makes a row of a table something that the keyboard can be in, without being in one of its fields. */
export const inRow = (name: string) => ({
  tabIndex: -1,
  "aria-label": name,
  onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const { currentTarget: row, key } = event;
    const next = {
      ArrowDown: row.nextElementSibling,
      j: row.nextElementSibling,
      ArrowUp: row.previousElementSibling,
      k: row.previousElementSibling,
    };
    // What was refused in the row is given up, each field as if the keyboard were in it.
    const refused = [...row.querySelectorAll<HTMLInputElement>("input[aria-invalid=true]")];
    if (key === "Escape" && refused.length > 0)
      for (const field of refused) {
        field.focus();
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
      }
    else if (key === "Enter" || key === "F2") row.querySelector<HTMLElement>("input, select, button")?.focus();
    else if (key in next) {
      const goal = next[key as keyof typeof next];
      if (goal?.tagName === "TBODY") (goal as HTMLElement).focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  },
});

/** To the same column of the row above or below. */
function step(from: HTMLElement, by: 1 | -1): void {
  const cell = from.closest("td");
  const own = cell?.parentElement as HTMLTableRowElement | undefined;
  // What a key or leaf is for stands in a row of its own.
  const rows = [...(cell?.closest("table")?.rows ?? [])].filter((row) => row.className === own?.className);
  const row = own && rows[rows.indexOf(own) + by];
  row?.cells[cell?.cellIndex ?? 0]?.querySelector<HTMLElement>("input, select")?.focus();
}

/** A choice among words. */
export function Choice(of: {
  label: string;
  value: string;
  words: readonly string[];
  said?: (word: string) => string;
  take: (word: string) => void;
}) {
  const { label, value, words, said = (word) => word, take } = of;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const wanted = event.currentTarget.value;
        // It shows what is written until the document says something else.
        event.currentTarget.value = value;
        take(wanted);
      }}
    >
      {!words.includes(value) && <option value={value}>{value || "–"}</option>}
      {words.map((word) => (
        <option key={word} value={word}>
          {said(word)}
        </option>
      ))}
    </select>
  );
}

/** The nodes that use something; a click chooses one. What a test does with it many times is one line. */
export function Users({ uses, isLeaf = false }: { uses: SheetUse[]; isLeaf?: boolean }) {
  return (
    <ul class="users" aria-label={t("usedBy")}>
      {uses.length > 0 && <li aria-hidden="true">{t("usedBy")}</li>}
      {usersOf(uses).map(({ id, name, count, isRead, isWritten }) => {
        const does = [!isLeaf && isRead && t("reads"), isWritten && t("writes"), isLeaf && t("runs")].filter(Boolean).join(", ");
        const whole = `${name}${count > 1 ? ` ×${count}` : ""}`;
        return (
          <li key={id}>
            <button class="link" title={`${whole}: ${does}`} aria-label={`${whole}: ${does}`} onClick={() => sheet.reveal(id)}>
              {isWritten && <b aria-hidden="true">✎ </b>}
              {whole}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface User {
  /** The first node. */
  id: number;
  name: string;
  count: number;
  isRead: boolean;
  isWritten: boolean;
}

function usersOf(uses: SheetUse[]): User[] {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const places = new Map(nodes.map((one, nth) => [one.id, nth]));
  const users = new Map<number, User>();
  for (const use of uses) {
    const nth = places.get(use.id);
    if (nth === undefined) continue;
    const top = nodes[sheet.parentsOf(nth).at(-1) ?? nth];
    const isInTest = top.word === "test";
    const known = isInTest ? users.get(top.id) : undefined;
    if (known) {
      known.count += 1;
      known.isRead ||= use.is_read;
      known.isWritten ||= use.is_written;
      continue;
    }
    const { name, rest } = sheet.said(isInTest ? top : nodes[nth]);
    const said = name || (rest.split("  ")[0] ?? "");
    users.set(isInTest ? top.id : use.id, {
      id: use.id,
      name: `${isInTest ? top.word : nodes[nth].word} ${said}`.trim(),
      count: 1,
      isRead: use.is_read,
      isWritten: use.is_written,
    });
  }
  return [...users.values()];
}
