// A window above the page: the keyboard stays in it until it is closed.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  name: string;
  close: () => void;
  children: ComponentChildren;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function Dialog({ label, name, close, children, onKeyDown }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current?.showModal();
    // The browser takes the first of several choices, which looks chosen then.
    const first = document.activeElement;
    if (first instanceof HTMLInputElement && first.type === "radio")
      element.current?.querySelector<HTMLElement>(`input[name="${first.name}"]:checked`)?.focus();
    return () => before?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      class={name}
      role="dialog"
      aria-label={label}
      onClose={close}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === element.current && close()}
    >
      {children}
    </dialog>
  );
}

/** Keys, each with what it does. */
export function KeyList({ keys, label }: { keys: [key: string, what: string][]; label?: string }) {
  return (
    <dl aria-label={label}>
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
