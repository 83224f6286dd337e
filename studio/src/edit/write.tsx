// The text of a document as it is typed. What is typed goes to the server piece by piece; what others do appears between.

import { useEffect, useRef, useState } from "preact/hooks";
import { next } from "../panels/problems";
import type { Problem, Said } from "../protocol";
import { t } from "../texts";
import { english, said } from "../texts/purposes";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";
import { draft } from "../wire/typed";
import { lookAgain, looks } from "../wire/wire";
import { redo, takingBack, undo } from "./actions";
import { complete, hover } from "./assist";
import type { Code } from "./code/editor";
import { tried } from "./menu";
import * as sheet from "./sheet";
import { Unsaved } from "./together";
import { Typed } from "./typed";
import {
  ask,
  clashes,
  type Kept,
  keep,
  left,
  type Piece,
  plain,
  restored,
  settle,
  Typing,
  typedInto,
  versions,
  waiting,
  words,
} from "./typing";
import { Undoing } from "./undoing";
import { Unedited } from "./unedited";

/** The keys that lay out the text, as in VS Code. */
const LAY_OUT_KEYS = "Shift+Alt+F";

/** The editor component, which is asked for once. */
let loading: Promise<typeof import("./code/editor")> | null = null;

function load(): Promise<typeof import("./code/editor")> {
  loading ??= import(/* @vite-ignore */ new URL("editor.js", location.href.split("#")[0]).href).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

export function Write() {
  const [file, choose] = useState(0);
  const [isBroken, breakIt] = useState(false);
  const [renamed, rename] = useState<{ line: number; column: number; word: string } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const typing = useRef<Typing | null>(null);
  const [waits, wait] = useState(false);
  const [isStuck, stick] = useState(false);
  const files = sheet.sheet.value?.files ?? [];
  const text = files[file]?.text;
  const post = (piece: Piece, since?: number): boolean => {
    const isSent = sheet.tryTo({ do: "type", file, ...piece, since });
    // That it cannot be sent is said beside the text.
    if (!isSent) model.refused.value = "";
    return isSent;
  };
  const send = (): void => {
    const shown = code.current?.text();
    if (shown === undefined || !typing.current) return;
    const isSent = typing.current.send(shown, looks(), post);
    stick(!isSent);
    keep(files[file].name, isSent ? null : typing.current.keep(shown));
  };
  /** What has been typed since the last edit, in the text that the server will have by then. */
  const typed = (): Piece | null => (code.current && typing.current?.piece(code.current.text())) ?? null;
  const takeBack = (): void => {
    // What is not in the history of the document yet is taken back by itself.
    const isWaiting = waiting.value.has(files[file].name) && model.isConnected.value;
    if (!isWaiting || !code.current || !typing.current) {
      undo();
      return;
    }
    adopt(code.current, typing.current.drop());
    keep(files[file].name, null);
  };
  useEffect(() => {
    takingBack.by = takeBack;
    return () => {
      takingBack.by = undo;
    };
  });
  const isKnown = text !== undefined;
  /** Where somebody is led in this text: to a problem, or to what a list names. */
  const lead = (): void => {
    const at = model.textAt.peek();
    if (!at || at.file !== files[file].name || !code.current) return;
    model.textAt.value = null;
    code.current.go(at.line, at.column);
  };
  const at = model.textAt.value;
  useEffect(() => {
    const nth = at ? files.findIndex((one) => one.name === at.file) : -1;
    if (nth < 0) return;
    if (nth === file) lead();
    else choose(nth);
  }, [at, file, isKnown]);
  useEffect(() => {
    // What was typed into an imported file, and is kept, is shown at once.
    const nth = isKnown && !left.value.has(files[0].name) ? files.findIndex((one) => left.value.has(one.name)) : 0;
    if (nth > 0) choose(nth);
  }, [isKnown]);
  const problems = useRef<Problem[]>([]);
  problems.current = (sheet.sheet.value?.problems ?? [])
    .filter((one) => one.file === files[file]?.name)
    .map((one) => ({ ...one, text: said(one.text) }));
  useEffect(() => {
    let isGone = false;
    if (!isKnown) return;
    const hooks = {
      label: files[file].name,
      changed: () => {
        if (isAlone && code.current) draft(files[file].name, code.current.text());
        send();
      },
      undo: takeBack,
      redo,
      complete: (at: { line: number; column: number }) => complete({ in: "text", file, ...at, typed: typed() }),
      hover: (at: { line: number; column: number }) => hover({ in: "text", file, ...at, typed: typed() }),
      fix: (what: { line: number; column: number; label: Said }) => sheet.edit({ do: "fix", file, ...what, label: english(what.label) }),
      says: said,
      rename: () => rename(code.current?.cursor() ?? null),
      format: () => sheet.edit({ do: "format", file }),
      problem: (by: 1 | -1) => next(by),
      fixesLabel: t("fixes"),
    };
    load().then(
      (made) => {
        const said = sheet.sheet.peek();
        const text = said?.files[file]?.text;
        if (isGone || !place.current || !said || text === undefined) return;
        const kept = waiting.value.get(files[file].name);
        const isAsked = kept !== undefined && clashes(text, kept);
        if (isAsked) ask(files[file].name, kept);
        code.current = made.open(place.current, kept && !isAsked ? restored(text, kept) : plain(text), hooks);
        code.current.focus();
        code.current.mark(problems.current);
        typing.current = new Typing(text, said.revision);
        send();
        lead();
      },
      () => breakIt(true),
    );
    return () => {
      isGone = true;
      if (code.current && typing.current) leave(files[file].name, file, typing.current, code.current.text(), post);
      code.current?.close();
      [code.current, typing.current] = [null, null];
    };
  }, [file, isKnown]);
  // Only while it waits for one, each answer of the server counts.
  const heard = waits ? model.heard.value : 0;
  useEffect(() => {
    const box = code.current;
    // Another message may have come since this was drawn: the text, its revision and the answer are of one and the same.
    const said = sheet.sheet.peek();
    const text = said?.files[file]?.text;
    if (!box || !typing.current || !said || text === undefined) return;
    const shown = box.text();
    const next = typing.current.take(text, said.revision, model.heard.peek(), shown);
    if (next.clashes) ask(files[file].name, next.clashes);
    if (next.shown !== shown) adopt(box, next.shown);
    if (!next.waits || next.meets) send();
    if (next.waits && (!waits || next.meets)) lookAgain();
    wait(next.waits);
  }, [text, file, heard]);
  const isConnected = model.isConnected.value;
  useEffect(() => {
    // What is there now is known with the next answer.
    if (isConnected) wait(true);
    else if (typing.current && code.current) {
      typing.current.lose();
      keep(files[file].name, typing.current.keep(code.current.text()));
    }
  }, [isConnected]);
  const revision = sheet.sheet.value?.revision;
  useEffect(() => {
    // Problems are those of the text that the server has.
    if (code.current && text !== undefined && plain(text) === code.current.text()) code.current.mark(problems.current);
  }, [revision, text, file]);
  const refused = model.refused.value;
  useEffect(() => {
    if (refused !== "") typing.current?.refuse();
  }, [refused]);
  if (!isKnown) return <Unedited />;
  return (
    <div class="write">
      {files.length > 1 && (
        <select aria-label={t("file")} value={String(file)} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {files.map((one, nth) => (
            <option key={one.name} value={String(nth)}>
              {one.name}
            </option>
          ))}
        </select>
      )}
      <div class="tools" role="toolbar" aria-label={t("textTools")}>
        {renamed ? (
          <NewName
            word={renamed.word}
            done={(name) => {
              const { line, column } = renamed;
              if (name) sheet.edit({ do: "rename-at", file, line, column, name });
              rename(null);
              code.current?.focus();
            }}
          />
        ) : (
          <button title="F2" onClick={() => rename(code.current?.cursor() ?? null)}>
            {t("rename")}
          </button>
        )}
        <button title={LAY_OUT_KEYS} onClick={() => sheet.edit({ do: "format", file })}>
          {t("layOut")}
        </button>
        <Undoing undo={takeBack} redo={redo} />
      </div>
      <Unsaved />
      {isBroken && <p class="told bad">{t("noEditor")}</p>}
      {isConnected && !waits && isStuck && waiting.value.has(files[file].name) && (
        <p class="told bad" role="alert">
          {t("notSent")}
        </p>
      )}
      {left.value.has(files[file].name) && (
        <Left
          typed={typedInto(text, left.value.get(files[file].name) as Kept)}
          done={(isWanted) => {
            const { name } = files[file];
            const kept = left.value.get(name);
            if (!isWanted || !kept) return settle(name);
            // The server knows the nodes: what others have written meanwhile stays, and what clashes with it is chosen there.
            const edit = { do: "put-in", file, ...versions(text, kept) } as const;
            tried(
              edit,
              () => settle(name),
              (why) => (model.refused.value = why),
            );
          }}
        />
      )}
      <div ref={place} class="code" />
    </div>
  );
}

/** What somebody has typed in a page that is gone, and that has never arrived. */
export function Left({ typed, done }: { typed: ReturnType<typeof typedInto>; done: (isWanted: boolean) => void }) {
  return (
    <div class="told bad left" role="alert">
      <p>{t(typed.clashes ? "typedClash" : "typedBefore")}</p>
      <Typed of={typed} />
      <p>
        <button onClick={() => done(true)}>{t("putIn")}</button> <button onClick={() => done(false)}>{t("discard")}</button>
      </p>
    </div>
  );
}

/** What is typed goes on its way when the field is closed; what cannot is kept for the next one. */
function leave(name: string, file: number, typing: Typing, shown: string, post: (piece: Piece, since?: number) => boolean): void {
  // Of another document, or of a program that was started again, the server has no such text.
  const isHere = sheet.sheet.value?.files[file]?.name === name && model.isConnected.value;
  const rest = isHere ? typing.piece(shown) : null;
  const isDone = isHere ? rest === null || post(rest, typing.since) : isAlone;
  keep(name, isDone ? null : typing.keep(shown));
}

/** A field for another name; done without one if nothing is to be renamed. */
function NewName({ word, done }: { word: string; done: (name: string | null) => void }) {
  return (
    <input
      class="code"
      aria-label={`${t("rename")}: ${t("name")}`}
      value={word}
      ref={(input) => {
        if (input && document.activeElement !== input) input.select();
      }}
      onBlur={() => done(null)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // The editor has the focus then, and would take the key as its own.
        event.preventDefault();
        const { value } = event.currentTarget;
        done(event.key === "Enter" && value !== word ? value : null);
      }}
    />
  );
}

/** Shows another text, and leaves the cursor where it is in it. */
function adopt(box: Code, text: string): void {
  const pieces = words(box.text(), text);
  if (pieces.length > 0) box.adopt(pieces);
}
