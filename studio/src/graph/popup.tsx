// What a transition waits for, and how it goes back: a small form beside its arrow.

import { signal } from "@preact/signals";
import { toRows } from "../edit/actions";
import { focused } from "../edit/menu";
import * as sheet from "../edit/sheet";
import { useVerdicts } from "../edit/trial";
import type { Edit, SheetNode } from "../protocol";
import { t } from "../texts";

interface Popup {
  x: number;
  y: number;
  /** The transition that is changed, or the states between which a new one leads. */
  of: SheetNode | { from: number; to: number };
}

export const popup = signal<Popup | null>(null);

export function newTransition(from: number, to: number, x: number, y: number): void {
  popup.value = { x, y, of: { from, to } };
}

export function editTransition(of: SheetNode, x: number, y: number): void {
  popup.value = { x, y, of };
}

/** What a transition waits for, each with how it is called on the page. */
const FIELDS = [
  ["on", "onEvent", "bell"],
  ["after", "afterDelay", "2"],
  ["when", "whenCondition", "health < 20"],
] as const;

/** With which answer what a state does has to end. */
const ENDS = [
  ["", "doneNever"],
  ["any", "doneAny"],
  ["success", "doneSuccess"],
  ["failure", "doneFailure"],
] as const;

/** How far something may go back to where it was left. */
const HISTORIES = [
  ["", "historyNone"],
  ["shallow", "historyShallow"],
  ["deep", "historyDeep"],
] as const;

/** Those that the document takes at a node, and what it has now. */
export function useHistories(of: SheetNode | null, now: string): readonly (typeof HISTORIES)[number][] {
  const mayHave = of && (["transition", "initial"].includes(of.word) || of.role === "state");
  const edits = mayHave ? HISTORIES.slice(1).map(([depth]): Edit => ({ do: "set-history", id: of.id, depth })) : [];
  const verdicts = useVerdicts(edits, sheet.sheet.value?.revision);
  return HISTORIES.filter(([depth], nth) => nth === 0 || verdicts[nth - 1] === null || depth === now);
}

const isNew = (of: Popup["of"]): of is { from: number; to: number } => "from" in of;

const quoted = (text: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(text) ? text : `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

function send(of: Popup["of"], values: Record<string, string>): void {
  const given = [...FIELDS.map(([name]) => name), "done"].map((name) => ({ name, value: values[name].trim() }));
  if (isNew(of)) {
    const trigger = given.filter((one) => one.value).map((one) => `${one.name}=${quoted(one.value)}`);
    sheet.edit({ do: "add-transition", from: of.from, to: of.to, trigger: trigger.join(" ") });
    return;
  }
  const entries = [...given, { name: "history", value: values.history }]
    .filter((one) => one.value !== (sheet.property(of, one.name) ?? ""))
    .map((one) => ({ name: one.name, value: one.value || null }));
  if (entries.length > 0) sheet.edit({ do: "set-all", id: of.id, entries });
}

/** Keeps the form within the graph. */
function kept(form: HTMLFormElement | null): void {
  const around = form?.parentElement;
  if (!form || !around) return;
  const within = (at: number, size: number, room: number): string => `${Math.max(8, Math.min(at, room - size - 8))}px`;
  form.style.left = within(form.offsetLeft, form.offsetWidth, around.clientWidth);
  form.style.top = within(form.offsetTop, form.offsetHeight, around.clientHeight);
}

export function TransitionForm() {
  const open = popup.value;
  const known = open && !isNew(open.of) ? open.of : null;
  const histories = useHistories(known, (known && sheet.property(known, "history")) ?? "");
  if (!open) return null;
  const { of } = open;
  const close = (): void => {
    popup.value = null;
    requestAnimationFrame(toRows);
  };
  const now = (name: string): string => (isNew(of) ? "" : (sheet.property(of, name) ?? ""));
  return (
    <form
      key={isNew(of) ? `${of.from} ${of.to}` : of.id}
      class="popup"
      aria-label={t("waitsForWhat")}
      style={{ left: `${open.x}px`, top: `${open.y}px` }}
      ref={kept}
      onSubmit={(event) => {
        event.preventDefault();
        send(of, Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
        close();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") close();
      }}
    >
      <h3>{t("waitsForWhat")}</h3>
      {FIELDS.map(([name, label, like], nth) => (
        <label key={name}>
          <span>{t(label)}</span>
          <input class="code" name={name} placeholder={like} defaultValue={now(name)} ref={nth === 0 ? focused : undefined} />
        </label>
      ))}
      <label>
        <span>{t("doneWith")}</span>
        <select name="done">
          {ENDS.map(([answer, label]) => (
            <option key={answer} value={answer} selected={answer === now("done")}>
              {t(label)}
            </option>
          ))}
        </select>
      </label>
      {histories.length > 1 && (
        <label>
          <span>{t("historyOf")}</span>
          <select name="history">
            {histories.map(([depth, label]) => (
              <option key={depth} value={depth} selected={depth === now("history")}>
                {t(label)}
              </option>
            ))}
          </select>
        </label>
      )}
      <p>
        <button type="submit">{t("accept")}</button>
        <button type="button" onClick={close}>
          {t("cancel")}
        </button>
      </p>
    </form>
  );
}
