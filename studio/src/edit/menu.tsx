// The list of what can be done to what is chosen, and the windows in which one says a name or a kind.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Words } from "../panels/now";
import { Chooser } from "../parts/chooser";
import { Dialog } from "../parts/dialog";
import { sign } from "../parts/marks";
import type { Edit, Said, Word } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as acts from "./actions";
import { quoted, split } from "./quoting";
import * as sheet from "./sheet";
import * as trial from "./trial";

/** Opens the list at a place of the window. */
export function openMenu(x: number, y: number): void {
  acts.menu.value = { x, y };
}

export function Menu() {
  const list = useRef<HTMLDivElement>(null);
  const at = acts.menu.value;
  const why = sheet.whyFixed.value;
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
    box.querySelector<HTMLElement>("button:enabled")?.focus();
  }, [at]);
  // Before it is painted: a click that comes at once is beside it, too.
  useLayoutEffect(() => {
    if (!at) return;
    const leave = (event: PointerEvent): void => {
      if (!list.current?.contains(event.target as Node)) acts.menu.value = null;
    };
    addEventListener("pointerdown", leave, true);
    return () => removeEventListener("pointerdown", leave, true);
  }, [at]);
  if (!at) return null;
  const go = (by: number): void => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("button:enabled") ?? [])];
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
      {/* Each action says it to those who do not see it. */}
      {why && <p aria-hidden="true">{why}</p>}
      {acts.actions().map((one) => (
        <button
          key={one.label}
          role="menuitem"
          disabled={!!why && !one.isReading}
          title={(!one.isReading && why) || undefined}
          aria-description={(!one.isReading && why) || undefined}
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

/** Asks for a name. What is refused stays, with the reason, until it is mended or given up. */
export function Ask() {
  const asked = acts.question.value;
  const refused = useSignal<Said>("");
  if (!asked) return null;
  const close = (): void => {
    acts.question.value = null;
    refused.value = "";
    requestAnimationFrame(acts.toRows);
  };
  return (
    <Dialog label={asked.label} name="ask" close={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const name = new FormData(event.currentTarget).get("name") as string;
          if (name) tried(asked.edit(name), close, (why) => (refused.value = why));
          else close();
        }}
      >
        <label>
          {asked.label}
          <input
            name="name"
            class="code"
            placeholder={t("name")}
            defaultValue={asked.value}
            ref={focused}
            aria-invalid={refused.value !== ""}
            onInput={() => (refused.value = "")}
          />
        </label>
        <Why of={refused.value} />
        <p class="acts">
          <button type="submit">{t("accept")}</button>
          <button type="button" onClick={close}>
            {t("cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** Does something if it can be done; says why not, otherwise, to who has asked. */
export function tried(edit: Edit, done: () => void, refused: (why: Said) => void): void {
  const turn = sheet.turns.peek();
  trial.may(edit, (why) => {
    // Another document is shown by now.
    if (turn !== sheet.turns.peek()) return;
    if (why !== null) return refused(why);
    sheet.edit(edit);
    done();
  });
}

/** Why what was typed was refused, beside the field. */
export function Why({ of }: { of: Said }) {
  if (of === "") return null;
  return (
    <p class="why bad" role="alert">
      <Words text={said(of)} />
    </p>
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

/** Gives the keyboard to a field when it comes, and not whenever it is drawn again. */
export const focusedOnce = (input: HTMLInputElement | null): void => {
  if (!input || input.dataset.focused) return;
  input.dataset.focused = "yes";
  input.focus();
};

/** The kinds of nodes, with what the server says of a node that would become one of them; nothing until it is asked, and has
 * said it. */
export function useKinds(id: number | null, isAsked = true): { word: Word; why: Said | null | undefined }[] {
  const words = (sheet.words.value?.words ?? []).filter((one) => one.is_node);
  const edits = id === null || !isAsked ? [] : words.map((one): Edit => ({ do: "change-kind", id, word: one.name }));
  const verdicts = trial.useVerdicts(edits, sheet.sheet.value?.revision);
  const now = sheet.sheet.value?.nodes.find((one) => one.id === id)?.word;
  return words.map((word, nth) => ({ word, why: word.name === now ? null : verdicts[nth] }));
}

/** The kinds that a node can become; those that it cannot are behind them, with the reason. */
export function Kinds() {
  const typed = useSignal("");
  const refused = useSignal<Said>("");
  const id = acts.changing.value;
  const kinds = useKinds(id);
  if (id === null) return null;
  const close = (): void => {
    [acts.changing.value, typed.value, refused.value] = [null, "", ""];
    requestAnimationFrame(acts.toRows);
  };
  const { first, rest } = split(typed.value);
  const like = kinds.filter(({ word }) => word.name.includes(first));
  const found = [...like.filter((one) => !one.why), ...like.filter((one) => one.why)];
  return (
    <Chooser
      label={t("changeKind")}
      listed={t("changeKind")}
      placeholder={t("kindLike")}
      id="kind"
      wanted={typed}
      found={found}
      close={close}
      take={({ word: { name } }) => {
        // A word may have its values: `repeat 3`.
        const isOwn = first === name && rest !== "" && sheet.words.value;
        tried({ do: "change-kind", id, word: isOwn ? quoted(typed.value, isOwn) : name }, close, (why) => (refused.value = why));
      }}
      hint={<Why of={refused.value} />}
      saysNothing
      isOff={(one) => !!one.why}
      row={({ word, why }) => (
        <p>
          <span class="sign" aria-hidden="true">
            {sign(word.name)}
          </span>{" "}
          <span>{word.name}</span>{" "}
          <small>
            <Words text={why ? said(why) : word.purpose} />
          </small>
        </p>
      )}
    />
  );
}
