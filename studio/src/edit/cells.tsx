// Fields of tables: a text that is written with Enter or when it is left, and the names of nodes.

import { useRef } from "preact/hooks";
import type { SheetUse } from "../protocol";
import { t } from "../texts";
import * as sheet from "./sheet";

interface Text {
  label: string;
  value: string;
  write: (text: string) => void;
  placeholder?: string;
  isCode?: boolean;
}

/** A text that can be changed. What is typed stays, whatever else changes meanwhile; `Esc` gives it up. */
export function Cell({ label, value, write, placeholder, isCode = true }: Text) {
  const isGivenUp = useRef(false);
  return (
    <input
      key={value}
      class={isCode ? "code" : undefined}
      aria-label={label}
      defaultValue={value}
      placeholder={placeholder}
      spellcheck={false}
      onBlur={(event) => {
        const text = event.currentTarget.value;
        if (isGivenUp.current) event.currentTarget.value = value;
        else if (text !== value) write(text);
        isGivenUp.current = false;
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") isGivenUp.current = true;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        if (event.key === "ArrowUp" || event.key === "ArrowDown") {
          step(event.currentTarget, event.key === "ArrowUp" ? -1 : 1);
          event.preventDefault();
        }
      }}
    />
  );
}

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

/** The nodes that use something; a click chooses one. */
export function Users({ uses, isLeaf = false }: { uses: SheetUse[]; isLeaf?: boolean }) {
  const nodes = sheet.sheet.value?.nodes ?? [];
  return (
    <ul class="users" aria-label={t("usedBy")}>
      {uses.length > 0 && <li aria-hidden="true">{t("usedBy")}</li>}
      {uses.map((use) => {
        const node = nodes.find((one) => one.id === use.id);
        if (!node) return null;
        const does = [!isLeaf && use.is_read && t("reads"), use.is_written && t("writes"), isLeaf && t("runs")].filter(Boolean).join(", ");
        const name = `${node.word} ${node.values[0] ?? ""}`.trim();
        return (
          <li key={use.id}>
            <button class="link" title={does} aria-label={`${name}: ${does}`} onClick={() => sheet.reveal(use.id)}>
              {use.is_written && <b aria-hidden="true">✎ </b>}
              {name}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
