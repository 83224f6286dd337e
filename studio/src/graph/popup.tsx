// What a transition waits for, and how it goes back: a small form, beside its arrow or in the list of what a state has.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { toRows } from "../edit/actions";
import { focused, tried, Why } from "../edit/menu";
import * as sheet from "../edit/sheet";
import { useVerdicts } from "../edit/trial";
import type { Edit, Said, SheetNode } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";

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

/** What the form says, as an edit; `null` if that is what the document has. */
function editOf(of: Popup["of"], values: Record<string, string>): Edit | null {
  const given = [...FIELDS.map(([name]) => name), "done"].map((name) => ({ name, value: values[name].trim() }));
  if (isNew(of)) {
    const trigger = given.filter((one) => one.value).map((one) => `${one.name}=${quoted(one.value)}`);
    return { do: "add-transition", from: of.from, to: of.to, trigger: trigger.join(" ") };
  }
  const entries = [...given, { name: "history", value: values.history ?? sheet.property(of, "history") ?? "" }]
    .filter((one) => one.value !== (sheet.property(of, one.name) ?? ""))
    .map((one) => ({ name: one.name, value: one.value || null }));
  return entries.length > 0 ? { do: "set-all", id: of.id, entries } : null;
}

/** The events that the document declares. */
const events = (): string[] => (sheet.sheet.value?.leaves ?? []).filter((one) => one.kind === "event").map((one) => one.name);

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
  if (!open) return null;
  const key = isNew(open.of) ? `${open.of.from} ${open.of.to}` : open.of.id;
  return <Form key={key} of={open.of} at={open} close={() => (popup.value = null)} />;
}

/** What is refused stays, with the reason, until it is mended or given up. Without a place, the form stands where it is put. */
export function Form({ of, at, close }: { of: Popup["of"]; at?: { x: number; y: number }; close: () => void }) {
  const known = isNew(of) ? null : of;
  const histories = useHistories(known, (known && sheet.property(known, "history")) ?? "");
  const [why, refuse] = useState<Said>("");
  /** What the server has been asked about and has not answered yet: it is not done twice. */
  const asked = useRef("");
  const isConnected = model.isConnected.value;
  useEffect(() => {
    asked.current = "";
  }, [isConnected]);
  const end = (): void => {
    close();
    requestAnimationFrame(toRows);
  };
  const accept = (form: HTMLFormElement): void => {
    const edit = editOf(of, Object.fromEntries(new FormData(form)) as Record<string, string>);
    const now = JSON.stringify(edit);
    if (!edit) end();
    if (!edit || now === asked.current) return;
    asked.current = now;
    tried(edit, end, (said) => {
      asked.current = "";
      refuse(said);
    });
  };
  const now = (name: string): string => (isNew(of) ? "" : (sheet.property(of, name) ?? ""));
  return (
    <form
      class={at ? "popup" : "popup put"}
      aria-label={t("waitsForWhat")}
      style={at && { left: `${at.x}px`, top: `${at.y}px` }}
      ref={at && kept}
      onSubmit={(event) => {
        event.preventDefault();
        accept(event.currentTarget);
      }}
      onInput={() => refuse("")}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") end();
      }}
    >
      <h3>{t("waitsForWhat")}</h3>
      {FIELDS.map(([name, label, like], nth) => (
        <label key={name}>
          <span>{t(label)}</span>
          <input
            class="code"
            name={name}
            list={name === "on" ? "declared-events" : undefined}
            pattern={name === "on" ? "\\S+" : undefined}
            title={name === "on" ? t("oneWord") : undefined}
            placeholder={like}
            defaultValue={now(name)}
            autocomplete="off"
            ref={nth === 0 ? focused : undefined}
          />
        </label>
      ))}
      <datalist id="declared-events">
        {events().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
      <Why of={why} />
      <p class="ends">
        <button type="submit">{t("accept")}</button>
        <button type="button" onClick={end}>
          {t("cancel")}
        </button>
      </p>
    </form>
  );
}
