// Editing a document: its nodes as rows that can be chosen, moved and changed, with the mouse and with the keyboard.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Chooser } from "../parts/chooser";
import { glyphs, markWord, sign, toneOf } from "../parts/marks";
import type { SheetNode, Where } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import * as sheet from "./sheet";
import { colourOf, Others, others, Past, Saving, save, Unsaved } from "./together";

/** How many things that can be added are listed at most. */
const MOST_OFFERS = 60;

/** Where what is dragged would go. */
const goal = signal<{ id: number; side: Where } | null>(null);

/** Begins to add something after a node; into the root of a tree, beside which nothing may stand. */
function addTo(of: SheetNode): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const around = nodes[sheet.parents.value[nodes.indexOf(of)]];
  sheet.add(of.id, of.role === "task" && around?.word === "tree" ? "into" : "after");
}

/** Chooses a node; with Shift up to it, with Ctrl as well. */
function choose(id: number, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): void {
  const now = sheet.chosen.value;
  const ids = sheet.shown.value.map((nth) => (sheet.sheet.value as NonNullable<typeof sheet.sheet.value>).nodes[nth].id);
  if (event.shiftKey && now.length > 0) {
    const [from, to] = [ids.indexOf(now[0]), ids.indexOf(id)].sort((a, b) => a - b);
    const picked = ids.slice(from, to + 1).filter((one) => one !== now[0] && one !== id);
    sheet.chosen.value = now[0] === id ? [id] : [now[0], ...picked, id];
  } else if (event.ctrlKey || event.metaKey) {
    sheet.chosen.value = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
  } else sheet.chosen.value = [id];
  const of = sheet.node.value;
  const line = of ? sheet.lineOf(of) : -1;
  if (line >= 0) model.selected.value = model.lines.value[line].id;
}

/** Chooses the row before or after the one that was chosen last. */
function step(by: 1 | -1, event: KeyboardEvent): void {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const rows = sheet.shown.value;
  const now = rows.findIndex((nth) => nodes[nth].id === sheet.chosen.value.at(-1));
  const next = rows[Math.min(rows.length - 1, Math.max(0, now + by))];
  if (next === undefined) return;
  choose(nodes[next].id, { shiftKey: event.shiftKey, ctrlKey: false, metaKey: false });
  sheet.scrollTo(nodes[next].id);
}

const ids = (): number[] => sheet.outermost.value.map((one) => one.id);

export function remove(): void {
  if (ids().length > 0) sheet.edit({ do: "remove", ids: ids() });
}

function disable(of: SheetNode): void {
  if (of.is_disabled) sheet.edit({ do: "unset", id: of.id, name: "disabled" });
  else sheet.edit({ do: "set", id: of.id, name: "disabled", value: "true" });
}

/** Moves what is chosen past the peer before or after it. */
function shift(by: 1 | -1): void {
  const [only, ...others] = sheet.outermost.value;
  if (only && others.length === 0) sheet.edit({ do: "reorder", id: only.id, by });
}

function fold(of: SheetNode, isFolded: boolean): void {
  const next = new Set(sheet.folded.value);
  if (isFolded) next.add(of.id);
  else next.delete(of.id);
  sheet.folded.value = next;
}

export const undo = (): void => sheet.edit({ do: "undo" });
export const redo = (): void => sheet.edit({ do: "redo" });

/** What a key does to what is chosen; returns whether it does anything. */
function press(event: KeyboardEvent): boolean {
  const of = sheet.node.value;
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isControl && key === "z") (event.shiftKey ? redo : undo)();
  else if (isControl && key === "y") redo();
  else if (isControl && key === "s") save();
  else if (isControl && key === "d" && of) sheet.edit({ do: "duplicate", id: of.id });
  else if (isControl) return false;
  else if (event.altKey && key === "ArrowUp") shift(-1);
  else if (event.altKey && key === "ArrowDown") shift(1);
  else if (event.altKey) return false;
  else if (key === "ArrowUp" || key === "k") step(-1, event);
  else if (key === "ArrowDown" || key === "j") step(1, event);
  else if (!of) return false;
  else if (key === "ArrowLeft" || key === "h") fold(of, true);
  else if (key === "ArrowRight" || key === "l") fold(of, false);
  else if (key === "a") addTo(of);
  else if (key === "w") sheet.add(of.id, "around");
  else if (key === "u") sheet.edit({ do: "unwrap", id: of.id });
  else if (key === "d") disable(of);
  else if (key === "Delete" || key === "Backspace") remove();
  else if (key === "Enter" || key === "F2") document.querySelector<HTMLInputElement>(".inspector input")?.focus();
  else return false;
  return true;
}

export function Editing() {
  const all = sheet.sheet.value;
  const rows = useRef<HTMLDivElement>(null);
  const selected = model.selected.value;
  useEffect(() => {
    // What is chosen in the graph is chosen here, and at first whatever the game plays.
    const nth = model.lines.value.findIndex((line) => line.id === selected);
    if (all && (nth >= 0 || sheet.chosen.value.length === 0)) sheet.chooseLine(Math.max(0, nth));
    if (all?.nodes[0] && sheet.chosen.value.length === 0) sheet.chosen.value = [all.nodes[0].id];
  }, [selected, all === null]);
  if (!sheet.mayEdit.value) return <div class="editing none">{t("noToken")}</div>;
  if (!all) return <div class="editing none">{t("notEdited")}</div>;
  const copy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", sheet.outermost.value.map(sheet.textOf).join("\n"));
    event.preventDefault();
    if (event.type === "cut") remove();
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain");
    const last = sheet.node.value;
    if (text && last) sheet.edit({ do: "add", text, spot: sheet.beside(last.id, "after") });
    event.preventDefault();
  };
  return (
    <div class="editing">
      <Bar />
      <Unsaved />
      {all.files.some((file) => !file.is_whole) && <p class="told bad">{t("openBlock")}</p>}
      <div
        ref={rows}
        class="sheet"
        role="tree"
        tabIndex={0}
        aria-label={t("edit")}
        aria-multiselectable="true"
        aria-activedescendant={sheet.node.value ? `sheet-${sheet.node.value.id}` : undefined}
        onKeyDown={(event) => {
          if (!press(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onCopy={copy}
        onCut={copy}
        onPaste={paste}
        onDragLeave={(event) => {
          if (event.target === rows.current) goal.value = null;
        }}
      >
        {sheet.shown.value.map((nth) => (
          <Row key={all.nodes[nth].id} of={all.nodes[nth]} nth={nth} />
        ))}
      </div>
      <Past />
      {sheet.adding.value && <Add />}
    </div>
  );
}

/** Undo and redo by their names, and whether everything is saved. */
function Bar() {
  const all = sheet.sheet.value;
  if (!all) return null;
  const name = (what: "undo" | "redo"): string => {
    const done = all[what];
    if (!done) return t(what);
    return `${t(what)}: ${done.label}${done.by === sheet.you.value ? "" : ` (${done.by})`}`;
  };
  return (
    <div class="bar" role="toolbar" aria-label={t("edit")}>
      <button disabled={!all.undo} title={`${name("undo")}  Ctrl Z`} onClick={undo}>
        ↶ <span>{name("undo")}</span>
      </button>
      <button disabled={!all.redo} title={`${name("redo")}  Ctrl Shift Z`} onClick={redo}>
        ↷ <span>{name("redo")}</span>
      </button>
      <button
        disabled={!sheet.node.value}
        title={`${t("add")}  A`}
        onClick={() => {
          if (sheet.node.value) addTo(sheet.node.value);
        }}
      >
        + {t("add")}
      </button>
      <span class="grow" />
      <Saving />
      {all.told.length > 0 && (
        <div class="told" role="status">
          {all.told.join(" · ")}
        </div>
      )}
    </div>
  );
}

function Row({ of, nth }: { of: SheetNode; nth: number }) {
  const { name, rest } = sheet.said(of);
  const isChosen = sheet.chosen.value.includes(of.id);
  const isFolded = sheet.folded.value.has(of.id);
  const hasMore = sheet.hasChildren(nth);
  const line = sheet.lineOf(of);
  const mark = line < 0 ? "" : model.strongest(line);
  const over = goal.value?.id === of.id ? `to-${goal.value.side}` : "";
  const by = others.value.get(of.id)?.[0];
  const drag = (event: DragEvent): void => {
    if (!isChosen) choose(of.id, event);
    event.dataTransfer?.setData("text/plain", sheet.outermost.value.map(sheet.textOf).join("\n"));
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  };
  const place = (event: DragEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    goal.value = { id: of.id, side: part < 0.3 ? "before" : part > 0.7 ? "after" : "into" };
    event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const to = goal.value;
    goal.value = null;
    if (to && !ids().includes(to.id)) sheet.edit({ do: "move", ids: ids(), spot: to });
  };
  return (
    <div
      id={`sheet-${of.id}`}
      role="treeitem"
      aria-level={of.depth + 1}
      aria-expanded={hasMore ? !isFolded : undefined}
      aria-selected={isChosen}
      class={`row ${toneOf(mark)} ${of.is_disabled ? "disabled" : ""} ${over} ${by ? "seen" : ""}`}
      data-word={of.word}
      data-name={name}
      style={{ paddingLeft: `${10 + of.depth * 18}px`, "--who": by && colourOf(by) }}
      title={sheet.property(of, "doc")}
      draggable
      onDragStart={drag}
      onDragOver={place}
      onDrop={drop}
      onDragEnd={() => (goal.value = null)}
      onClick={(event) => choose(of.id, event)}
      onDblClick={() => hasMore && fold(of, !isFolded)}
    >
      <span
        class="fold"
        onClick={(event) => {
          event.stopPropagation();
          if (hasMore) fold(of, !isFolded);
        }}
      >
        {hasMore ? (isFolded ? "▸" : "▾") : null}
      </span>
      <span class="sign" aria-hidden="true">
        {sign(of.word)}
      </span>
      <span class="word">{of.word}</span> <span class="name">{name}</span> <span class="rest">{rest || null}</span>
      <Others id={of.id} />
      {of.is_disabled && <small>{t("disabled")}</small>}
      <span class="mark" role="img" aria-label={mark === "" ? undefined : markWord(mark)} aria-hidden={mark === ""}>
        {glyphs[mark] || null}
      </span>
    </div>
  );
}

/** The window in which one types what to add. */
function Add() {
  const typed = useSignal("");
  const spot = sheet.adding.value as NonNullable<typeof sheet.adding.value>;
  const hint = spot.side === "around" || spot.side === "into" ? spot.side : "after";
  const close = (): void => {
    sheet.adding.value = null;
    // The window gives the focus back when it is gone, to whatever had it.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".sheet")?.focus());
  };
  const sideOf = (event: KeyboardEvent | MouseEvent): Where => {
    if (event.type !== "keydown") return spot.side;
    return event.ctrlKey || event.metaKey ? "around" : event.shiftKey ? "into" : spot.side;
  };
  return (
    <Chooser
      label={t("add")}
      listed={t("add")}
      placeholder={t("addWhat")}
      id="offer"
      wanted={typed}
      found={sheet.offers(typed.value).slice(0, MOST_OFFERS)}
      close={close}
      take={(one, event) => {
        sheet.edit({ do: "add", text: one.text, spot: sheet.beside(spot.id, sideOf(event)) });
        close();
      }}
      hint={<p class="hint">{t(`hint_${hint}`)}</p>}
      saysNothing
      row={(one) => (
        <p>
          <span class="sign" aria-hidden="true">
            {sign(one.word)}
          </span>{" "}
          <span>{one.text}</span> <small>{one.doc}</small>
        </p>
      )}
    />
  );
}
