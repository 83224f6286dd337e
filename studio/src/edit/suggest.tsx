// A field for a value, with what could be written there.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Completion } from "../protocol";
import { t } from "../texts";
import { complete } from "./assist";
import { byItself, sorted } from "./completes";

/** How many suggestions a field shows. */
const MOST = 8;

interface Props {
  id: number;
  name: string;
  value: string;
  /** What is in the field at first, if it is not the value. */
  draft?: string;
  label?: string;
  placeholder?: string;
  isFocused?: boolean;
  /** The document says that something is wrong with the value. */
  isWrong?: boolean;
  /** Something was typed. */
  typed?: (text: string) => void;
  /** The field is left, or Enter was pressed: the value counts. */
  done: (value: string, how: "enter" | "leave") => void;
  /** Escape was pressed. */
  dropped: () => void;
}

/** What could be written, and the text and the place of the caret for which that was asked. */
interface Found {
  items: readonly Completion[];
  text: string;
  /** The piece that an entry replaces, and the caret. */
  from: number;
  at: number;
  to: number;
}

export function Suggest({ id, name, value, draft, label, placeholder, isFocused, isWrong, typed, done, dropped }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [found, show] = useState<Found | null>(null);
  /** The entry that Enter takes; -1 for none: then it writes what is in the field. */
  const [nth, choose] = useState(-1);
  const items = found?.items ?? [];
  // Once: who leaves it has left it, however often it is drawn again.
  useLayoutEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused, id, name]);
  const listed = `suggest-${id}-${name}`;
  const isStill = ({ text, at }: Pick<Found, "text" | "at">): boolean =>
    input.current?.value === text && input.current.selectionStart === at;
  const ask = async (isSought = false): Promise<void> => {
    const box = input.current;
    if (!box) return;
    const at = box.selectionStart ?? box.value.length;
    const text = box.value;
    const answer = await complete({ in: "field", id, name, value: text, at });
    if (!answer || document.activeElement !== box || !isStill({ text, at })) return;
    const [, from, , end] = answer.replaces;
    const spot = { text, from, at, to: Math.max(end, at) };
    const all = sorted(answer.items, spot).slice(0, MOST);
    const only = all.length === 1 && all[0].insert === text.slice(from, at);
    choose(isSought ? 0 : byItself(all, spot));
    show(only || all.length === 0 ? null : { items: all, ...spot });
  };
  const take = (one: Completion): void => {
    const box = input.current;
    if (!box || !found) return;
    show(null);
    if (!isStill(found)) return;
    box.setRangeText(one.insert, found.from, found.to, "end");
    typed?.(box.value);
    box.focus();
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const isOpen = found !== null && isStill(found);
    if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const last = items.length - 1;
      if (event.key === "ArrowDown") choose(nth < last ? nth + 1 : 0);
      else choose(nth > 0 ? nth - 1 : last);
    } else if (isOpen && nth >= 0 && (event.key === "Enter" || event.key === "Tab")) take(items[nth]);
    else if (isOpen && event.key === "Escape") show(null);
    else if (event.key === "ArrowDown" || (event.ctrlKey && event.key === " ")) void ask(event.key === "ArrowDown");
    else if (event.key === "Escape") {
      if (input.current) input.current.value = value;
      dropped();
    } else if (event.key === "Enter") done(input.current?.value ?? value, "enter");
    else return;
    event.preventDefault();
  };
  return (
    <div class="suggest">
      <input
        ref={input}
        class="code"
        role="combobox"
        aria-label={label}
        aria-invalid={isWrong ? true : undefined}
        aria-expanded={items.length > 0}
        aria-controls={listed}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 && nth >= 0 ? `${listed}-${nth}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        defaultValue={draft ?? value}
        onInput={(event) => {
          typed?.(event.currentTarget.value);
          // The list is about the text as it was.
          show(null);
          void ask();
        }}
        onBlur={(event) => {
          show(null);
          done(event.currentTarget.value, "leave");
        }}
        onKeyDown={press}
      />
      <ul id={listed} role="listbox" aria-label={t("suggestions")} hidden={items.length === 0}>
        {items.map((one, at) => (
          <li
            key={one.label}
            id={`${listed}-${at}`}
            role="option"
            aria-selected={at === nth}
            title={one.doc}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            <span>{one.label}</span> <small>{one.detail}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
