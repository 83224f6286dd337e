// A list that acts when one of its lines is taken, and not while a key passes by what it offers.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { turns } from "./sheet";

interface Props {
  label: string;
  value: string;
  take: (value: string) => void;
  title?: string;
  /** Somebody comes near. */
  near?: () => void;
  children: ComponentChildren;
}

/** Whether a key goes through a list that is closed: an arrow, or the letter with which a line begins. Others open it. */
const isPassing = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey && (/^(Arrow|Page|Home$|End$)/.test(key) || (key.length === 1 && key !== " "));

/** What a key has gone to counts with Enter, or when the list is left; `Esc` goes back to what was there. */
export function Calm({ label, value, take, title, near, children }: Props) {
  const [passed, pass] = useState<string | null>(null);
  const passes = useRef(false);
  const turn = turns.value;
  const end = (isTaken: boolean): void => {
    passes.current = false;
    pass(null);
    // What stands here is another document by now.
    if (isTaken && passed !== null && passed !== value && turn === turns.peek()) take(passed);
  };
  return (
    <select
      aria-label={label}
      title={title}
      value={passed ?? value}
      onPointerEnter={near}
      onFocus={near}
      onPointerDown={() => (passes.current = false)}
      onKeyDown={(event) => {
        passes.current = isPassing(event) || (event.key === "Tab" && passes.current);
        if (passed === null || !/^(Enter|Escape)$/.test(event.key)) return;
        end(event.key === "Enter");
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={() => end(true)}
      onChange={(event) => {
        const wanted = event.currentTarget.value;
        if (passes.current) return pass(wanted);
        pass(null);
        take(wanted);
      }}
    >
      {children}
    </select>
  );
}
