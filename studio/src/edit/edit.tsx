// Editing a document: its nodes as rows that can be chosen, moved and changed, with the mouse and with the keyboard.

import { signal, untracked, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Words } from "../panels/now";
import { isError } from "../panels/problems";
import { Chooser } from "../parts/chooser";
import { glyphs, markWord, sign, toneOf } from "../parts/marks";
import { short } from "../parts/short";
import { unmarked } from "../parts/unmarked";
import type { Edit, Problem, Said, SheetNode, Where } from "../protocol";
import { leave as leaveRecording, recording } from "../testing/tests";
import { t } from "../texts";
import { purpose, said } from "../texts/purposes";
import * as model from "../wire/model";
import { addFirst, addTo, choose, copied, fold, ids, isEmpty, paste, press, redo, remove, undo } from "./actions";
import { Compared, Learn } from "./advice";
import { keepFocus } from "./focus";
import { Gone } from "./gone";
import { Import } from "./import";
import { Ask, Kinds, Menu, openMenu, tried, Why } from "./menu";
import { NotHere } from "./nothere";
import { others } from "./others";
import * as sheet from "./sheet";
import { SIDES, Sides } from "./sides";
import { colourOf, isUnsaved, Others, Past, Saving, Unsaved } from "./together";
import * as trial from "./trial";
import { troubles } from "./troubles";
import { Undoing } from "./undoing";
import { Unedited } from "./unedited";
import { Versions } from "./versions";

/** How many things that can be added are listed at most. */
const MOST_OFFERS = 60;

/** How many letters of a row are said where one points at it, because they may have no room in it. */
const MOST_SAID = 2000;

/** Where what is dragged would go. */
const goal = signal<{ id: number; side: Where } | null>(null);

const pointer = signal({ x: 0, y: 0 });

/** What is dragged is over a place, or over none; the server is asked whether it may go there. */
function aim(to: { id: number; side: Where } | null): void {
  goal.value = to;
  // Nothing is moved to itself, and nothing is said of that.
  trial.about(to && !ids().includes(to.id) ? { do: "move", ids: ids(), spot: to } : null);
}

/** Chooses the node of a line of the definition; without one, that of the line `otherwise`, if it is not -1. */
function chooseLineOf(id: string | null, otherwise: number): void {
  const nth = Math.max(
    model.lines.value.findIndex((line) => line.id === id),
    otherwise,
  );
  if (sheet.sheet.value && nth >= 0) sheet.chooseLine(nth);
}

export function Editing() {
  const all = sheet.sheet.value;
  const rows = useRef<HTMLDivElement>(null);
  useEffect(keepFocus, []);
  useEffect(() => {
    // At first, whatever the game plays is chosen, in each file that is opened.
    chooseLineOf(model.selected.value, sheet.chosen.value.length === 0 ? 0 : -1);
    if (all?.nodes[0] && sheet.chosen.value.length === 0) sheet.chosen.value = [all.nodes[0].id];
  }, [all?.files[0]?.name]);
  // What is chosen in the graph is chosen here, at once: what is chosen here after that stays.
  useSignalEffect(() => {
    const id = model.selected.value;
    untracked(() => chooseLineOf(id, -1));
  });
  if (!sheet.mayEdit.value)
    return (
      <div class="editing none">
        <p>
          <Words text={t("noToken")} />
        </p>
      </div>
    );
  if (!all && recording.value)
    return (
      <div class="editing none">
        <p>
          {t("watchesTest")} <b>{recording.value.name}</b>
        </p>
        <p>{t("recordingFixed")}</p>
        <button class="back" onClick={leaveRecording}>
          ← {t("backToDocument")}
        </button>
      </div>
    );
  if (!all) return <Unedited />;
  const copy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", copied());
    event.preventDefault();
    if (event.type === "cut") remove();
  };
  return (
    <div class="editing">
      <Bar />
      {!all.saves_at_once && isUnsaved.value && (
        <p class="told" role="note">
          {t("marksLater")}
        </p>
      )}
      <Unsaved />
      <Gone />
      {isEmpty() && <p class="told">{t("emptyDocument")}</p>}
      {!sheet.isWhole.value && <p class="told bad">{t("openBlock")}</p>}
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
        onPaste={(event) => {
          paste(event.clipboardData?.getData("text/plain") ?? "");
          event.preventDefault();
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const row = (event.target as HTMLElement).closest<HTMLElement>(".row");
          const id = Number(row?.id.replace("sheet-", ""));
          if (row && !sheet.chosen.value.includes(id)) choose(id, event);
          const box = document.getElementById(`sheet-${sheet.node.value?.id}`)?.getBoundingClientRect();
          // By a key, the place of the event is the middle of the rows.
          const isByKey = event.button !== 2 && (event as Partial<PointerEvent>).pointerType !== "touch";
          const isAtRow = isByKey && box !== undefined;
          openMenu(isAtRow ? box.left + 40 : event.clientX, isAtRow ? box.bottom : event.clientY);
        }}
        onDragLeave={(event) => {
          if (event.target === rows.current) aim(null);
        }}
      >
        <Rows nodes={all.nodes} />
      </div>
      {all.told.length > 0 && (
        <div class="told" role="status">
          <ul>
            {all.told.map(said).map((line, nth) => (
              <li key={nth}>
                <Words text={line} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {goal.value && trial.verdict.value && <NotHere why={said(trial.verdict.value)} at={pointer.value} />}
      <Past />
      <Versions />
      {sheet.adding.value && <Add />}
      <Menu />
      <Ask />
      <Kinds />
      <Compared />
      <Learn />
    </div>
  );
}

/** Undo and redo by their names, and whether everything is saved. */
function Bar() {
  if (!sheet.sheet.value) return null;
  const why = sheet.whyFixed.value;
  return (
    <div class="bar" role="toolbar" aria-label={t("edit")}>
      <Undoing undo={undo} redo={redo} />
      <button
        disabled={!!why || (!sheet.node.value && !isEmpty())}
        title={why ?? `${t("add")}  a`}
        aria-description={why ?? undefined}
        onClick={() => {
          if (sheet.node.value) addTo(sheet.node.value);
          else addFirst();
        }}
      >
        + {t("add")}
      </button>
      <span class="grow" />
      <Saving />
    </div>
  );
}

/** All that makes one row look other than before: a row in which nothing of it changes is not made again. */
interface Look {
  of: SheetNode;
  isChosen: boolean;
  isFolded: boolean;
  hasMore: boolean;
  mark: model.Mark;
  over: string;
  by: string | undefined;
  /** How bad the worst problem is that it has. */
  trouble: Problem["severity"] | "";
  /** Whether it can be dragged: all that is around it is closed. */
  isLoose: boolean;
}

function Rows({ nodes }: { nodes: SheetNode[] }) {
  const chosen = new Set(sheet.chosen.value);
  const over = goal.value;
  const isRefused = over !== null && trial.verdict.value != null;
  return (
    <>
      {sheet.shown.value.map((nth) => {
        const of = nodes[nth];
        const line = sheet.lineOf(of);
        return (
          <Row
            key={of.id}
            of={of}
            isChosen={chosen.has(of.id)}
            isFolded={sheet.folded.value.has(of.id)}
            hasMore={sheet.hasChildren(nth)}
            mark={line < 0 ? "" : model.strongest(line)}
            over={over?.id === of.id ? `to-${over.side} ${isRefused ? "refused" : ""}` : ""}
            by={others.value.get(of.id)?.[0]}
            trouble={worst(of.id)}
            isLoose={sheet.sheet.value?.files[of.file].is_whole ?? true}
          />
        );
      })}
    </>
  );
}

/** How bad the worst problem of a node is. */
function worst(id: number): Look["trouble"] {
  const all = troubles.value.get(id) ?? [];
  return all.some(isError) ? "error" : all.length > 0 ? "warning" : "";
}

function Row({ of, isChosen, isFolded, hasMore, mark, over, by, trouble, isLoose }: Look) {
  const { name, rest } = sheet.said(of);
  const whole = short([of.word, name, rest].filter(Boolean).join(" "), MOST_SAID);
  // Components that read a signal are made again only if it changes, or one of their properties: this reads the language.
  const off = t("disabled");
  const drag = (event: DragEvent): void => {
    if (!isChosen) choose(of.id, event);
    event.dataTransfer?.setData("text/plain", copied());
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    trial.begin();
  };
  const place = (event: DragEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    aim({ id: of.id, side: part < 0.3 ? "before" : part > 0.7 ? "after" : "into" });
    pointer.value = { x: event.clientX, y: event.clientY };
    event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const to = goal.value;
    const why = trial.verdict.value;
    aim(null);
    if (why) model.refused.value = why;
    else if (to && !ids().includes(to.id)) sheet.edit({ do: "move", ids: ids(), spot: to });
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
      title={[whole, sheet.property(of, "doc")].filter(Boolean).join("\n")}
      draggable={isLoose}
      onDragStart={drag}
      onDragOver={place}
      onDrop={drop}
      onDragEnd={() => aim(null)}
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
      {of.depth === 0 && <Import of={of.file} />}
      <Others id={of.id} />
      {of.is_disabled && <small>{off}</small>}
      {trouble && (
        <b class={`trouble ${trouble === "error" ? "fail" : "run"}`} role="img" aria-label={t(trouble === "error" ? "mistake" : "doubt")}>
          !
        </b>
      )}
      <span class="mark" role="img" aria-label={mark === "" ? undefined : markWord(mark)} aria-hidden={mark === ""}>
        {glyphs[mark] || null}
      </span>
    </div>
  );
}

/** The window in which one types what to add. */
function Add() {
  const typed = useSignal("");
  /** Why what was typed may not stand there, and the question about it: what is typed on is another one. */
  const refused = useSignal<{ why: Said; asked: string } | null>(null);
  const asked = useRef<string | null>(null);
  const spot = sheet.adding.value as NonNullable<typeof sheet.adding.value>;
  const now = `${spot.side} ${typed.value}`;
  const isGone = !model.isConnected.value;
  const wasGone = useRef(isGone);
  useEffect(() => {
    // What was asked for while nobody was there has no answer.
    if (wasGone.current && !isGone) sheet.askFits();
    wasGone.current = isGone;
  }, [isGone]);
  const hint = spot.side === "around" || spot.side === "into" ? spot.side : "after";
  const close = (): void => {
    sheet.adding.value = null;
    // The window gives the focus back when it is gone, to whatever had it.
    requestAnimationFrame(() => {
      // What was added may already ask for its value.
      if (!document.activeElement?.closest(".inspector")) document.querySelector<HTMLElement>(".sheet[role=tree]")?.focus();
    });
  };
  const sideOf = (one: sheet.Offer, event: KeyboardEvent | MouseEvent): Where =>
    event.ctrlKey || event.metaKey ? "around" : event.shiftKey ? "into" : one.side;
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
        if (isGone) return;
        const side = sideOf(one, event);
        // Of several nodes, all go into what is put around them.
        const others = side === "around" ? sheet.addingFor.value : [];
        const edit: Edit = { do: "add", text: one.text, spot: sheet.beside(spot.id, side), others: [...others] };
        // Who presses Enter twice adds once.
        const own = JSON.stringify(edit);
        if (asked.current === own) return;
        [asked.current, refused.value, model.refused.value] = [own, null, ""];
        tried(edit, close, (why) => ([asked.current, refused.value] = [null, { why, asked: now }]));
      }}
      hint={
        <>
          <Sides spot={spot} />
          {isGone ? <Why of={t("notAdded")} /> : refused.value?.asked === now && <Why of={refused.value.why} />}
          <p class="hint">
            <Words text={sheet.whyNot.value ? said(sheet.whyNot.value) : t(`hint_${hint}`)} />
          </p>
        </>
      }
      saysNothing={!sheet.isAsking.value && !isGone && !sheet.whyNot.value}
      isAsking={sheet.isAsking.value && !isGone}
      row={(one) => (
        <p title={unmarked(purpose(one.doc))}>
          <span class="sign" aria-hidden="true">
            {sign(one.word)}
          </span>{" "}
          <span>{one.text}</span> {one.side !== spot.side && <small class="side">{t(SIDES[one.side])}</small>}{" "}
          <small>
            <Words text={purpose(one.doc)} />
          </small>
        </p>
      )}
    />
  );
}
