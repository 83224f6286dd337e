// A window in which one types, and chooses from what is found.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { Dialog } from "./dialog";

interface Choice<T> {
  label: string;
  /** What the list is called. */
  listed: string;
  placeholder: string;
  /** What the ids of the lines begin with. */
  id: string;
  wanted: Signal<string>;
  found: T[];
  close: () => void;
  /** Takes what was chosen with Enter or a click. */
  take: (one: T, event: KeyboardEvent | MouseEvent) => void;
  row: (one: T, nth: number) => ComponentChildren;
  sort?: (one: T) => string;
  /** Whether a line is shown only to say why it cannot be taken. */
  isOff?: (one: T) => boolean;
  hint?: ComponentChildren;
  /** Whether to say that nothing was found, if nothing was. */
  saysNothing: boolean;
  /** Whether more may be found without more typing. Enter then waits for it. */
  isAsking?: boolean;
}

export function Chooser<T>({
  label,
  listed,
  placeholder,
  id,
  wanted,
  found,
  close,
  take,
  row,
  sort,
  isOff,
  hint,
  saysNothing,
  isAsking,
}: Choice<T>) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = useSignal(0);
  // Before anything more is typed.
  useLayoutEffect(() => input.current?.focus(), []);
  const early = useRef<KeyboardEvent | null>(null);
  useLayoutEffect(() => {
    const [event, one] = [early.current, found[chosen.value]];
    if (isAsking || !event) return;
    early.current = null;
    if (one !== undefined) take(one, event);
  });
  const press = (event: KeyboardEvent): void => {
    const one = found[chosen.value];
    if (event.key === "Escape") close();
    else if (event.key === "Enter") {
      if (isAsking) early.current = event;
      else if (one !== undefined) take(one, event);
    } else if (event.key === "ArrowDown") chosen.value = Math.min(found.length - 1, chosen.value + 1);
    else if (event.key === "ArrowUp") chosen.value = Math.max(0, chosen.value - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    requestAnimationFrame(() => document.querySelector('.finds [aria-selected="true"]')?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <Dialog label={label} name="search" close={close} onKeyDown={press}>
      <div>
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={`${id}s`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen.value}` : undefined}
          aria-label={label}
          placeholder={placeholder}
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
            chosen.value = 0;
          }}
        />
        {hint}
        <div class="finds" id={`${id}s`} role="listbox" aria-label={listed}>
          {found.map((one, nth) => (
            <div
              key={nth}
              id={`${id}-${nth}`}
              role="option"
              aria-selected={nth === chosen.value}
              aria-disabled={isOff?.(one) || undefined}
              data-sort={sort?.(one)}
              onClick={(event) => take(one, event)}
            >
              {row(one, nth)}
            </div>
          ))}
          {saysNothing && found.length === 0 && <p>{t("noFinds")}</p>}
        </div>
      </div>
    </Dialog>
  );
}
