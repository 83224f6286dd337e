// The list of what can be done to what is chosen, and the windows in which one says a name or a kind.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Chooser } from "../parts/chooser";
import { Dialog } from "../parts/dialog";
import { sign } from "../parts/marks";
import { t } from "../texts";
import * as acts from "./actions";
import * as sheet from "./sheet";

/** Opens the list at a place of the window. */
export function openMenu(x: number, y: number): void {
  acts.menu.value = { x, y };
}

export function Menu() {
  const list = useRef<HTMLDivElement>(null);
  const at = acts.menu.value;
  const close = (): void => {
    acts.menu.value = null;
    acts.toRows();
  };
  useLayoutEffect(() => {
    const box = list.current;
    if (!box || !at) return;
    // Above everything else, and in the window: what lies around it would cut it off, and be what its place counts from.
    if (!box.matches(":popover-open")) box.showPopover();
    box.style.left = `${Math.max(4, Math.min(at.x, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(4, Math.min(at.y, innerHeight - box.offsetHeight - 8))}px`;
    box.querySelector<HTMLElement>("button")?.focus();
  }, [at]);
  useEffect(() => {
    if (!at) return;
    const leave = (event: PointerEvent): void => {
      if (!list.current?.contains(event.target as Node)) acts.menu.value = null;
    };
    addEventListener("pointerdown", leave, true);
    return () => removeEventListener("pointerdown", leave, true);
  }, [at]);
  if (!at) return null;
  const go = (by: number): void => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    all[(all.indexOf(document.activeElement as HTMLElement) + by + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={list}
      class="menu"
      popover="manual"
      role="menu"
      aria-label={t("actions")}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "ArrowDown") go(1);
        else if (event.key === "ArrowUp") go(-1);
        else if (event.key === "Escape" || event.key === "Tab") close();
        else return;
        event.preventDefault();
      }}
    >
      {acts.actions().map((one) => (
        <button
          key={one.label}
          role="menuitem"
          onClick={() => {
            close();
            one.run();
          }}
        >
          <span>{one.label}</span> {one.key && <kbd>{one.key}</kbd>}
        </button>
      ))}
    </div>
  );
}

/** Asks for a name. */
export function Ask() {
  const asked = acts.question.value;
  if (!asked) return null;
  const close = (): void => {
    acts.question.value = null;
    requestAnimationFrame(acts.toRows);
  };
  return (
    <Dialog label={asked.label} name="ask" close={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const name = new FormData(event.currentTarget).get("name") as string;
          if (name) asked.done(name);
          close();
        }}
      >
        <label>
          {asked.label}
          <input name="name" class="code" placeholder={t("name")} defaultValue={asked.value} ref={focused} />
        </label>
      </form>
    </Dialog>
  );
}

/** The field in which one types first. */
export const focused = (input: HTMLInputElement | null): void => {
  if (!input || input.dataset.focused) return;
  input.dataset.focused = "yes";
  requestAnimationFrame(() => {
    input.focus();
    input.select();
  });
};

/** The kinds that a node can become. */
export function Kinds() {
  const typed = useSignal("");
  const id = acts.changing.value;
  if (id === null) return null;
  const close = (): void => {
    acts.changing.value = null;
    typed.value = "";
    requestAnimationFrame(acts.toRows);
  };
  const found = (sheet.words.value?.words ?? []).filter((one) => one.is_node && one.name.includes(typed.value.trim().split(" ")[0]));
  return (
    <Chooser
      label={t("changeKind")}
      listed={t("changeKind")}
      placeholder={t("kindLike")}
      id="kind"
      wanted={typed}
      found={found}
      close={close}
      take={(one) => {
        // A word may have its values: `repeat 3`.
        const isOwn = typed.value.trim().startsWith(`${one.name} `);
        sheet.edit({ do: "change-kind", id, word: isOwn ? typed.value.trim() : one.name });
        close();
      }}
      saysNothing
      row={(one) => (
        <p>
          <span class="sign" aria-hidden="true">
            {sign(one.name)}
          </span>{" "}
          <span>{one.name}</span> <small>{one.purpose}</small>
        </p>
      )}
    />
  );
}
