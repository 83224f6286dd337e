// The text of a document as it is typed. What is typed goes to the server piece by piece; what others do appears between.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../protocol";
import { t } from "../texts";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";
import { draft } from "../wire/typed";
import { redo, undo } from "./actions";
import { complete, hover } from "./assist";
import type { Code } from "./code/editor";
import * as sheet from "./sheet";

/** The keys that lay out the text, as in VS Code. */
const LAY_OUT_KEYS = "Shift+Alt+F";

interface Piece {
  from: number;
  to: number;
  text: string;
}

/** The piece in which two texts differ. */
export function difference(before: string, after: string): Piece {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  // A letter of two units stays whole.
  const isLow = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "");
  if (isLow(before, from) || isLow(after, from)) from -= 1;
  if (isLow(before, before.length - same) || isLow(after, after.length - same)) same -= 1;
  return { from, to: before.length - same, text: after.slice(from, after.length - same) };
}

const applied = (text: string, { from, to, text: piece }: Piece): string => text.slice(0, from) + piece + text.slice(to);

/** A browser keeps line ends as one letter; the file may have two. */
const plain = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The same piece in a text that has line ends of two letters. */
export function inFile(text: string, piece: Piece): Piece {
  const place = (at: number): number => {
    let left = at;
    let nth = 0;
    for (; left > 0 && nth < text.length; left -= 1) nth += text.startsWith("\r\n", nth) ? 2 : 1;
    return nth;
  };
  const hasReturns = text.includes("\r\n");
  return { from: place(piece.from), to: place(piece.to), text: hasReturns ? piece.text.replaceAll("\n", "\r\n") : piece.text };
}

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
  /** What is on its way to the server: the text before it, and after it. */
  const flight = useRef<{ before: string; after: string } | null>(null);
  const files = sheet.sheet.value?.files ?? [];
  const text = files[file]?.text;
  const now = useRef(text);
  now.current = text;
  /** What has been typed since the last edit, in the text that the server will have by then. */
  const typed = (): Piece | null => {
    const base = flight.current?.after ?? now.current;
    const box = code.current;
    if (base === undefined || !box || plain(base) === box.text()) return null;
    return inFile(base, difference(plain(base), box.text()));
  };
  const send = (): void => {
    const before = now.current;
    const piece = flight.current ? null : typed();
    if (before === undefined || !piece) return;
    flight.current = { before, after: applied(before, piece) };
    sheet.edit({ do: "type", file, ...piece });
  };
  const isKnown = text !== undefined;
  const problems = useRef<Problem[]>([]);
  problems.current = (sheet.sheet.value?.problems ?? []).filter((one) => one.file === files[file]?.name);
  useEffect(() => {
    let isGone = false;
    if (!isKnown) return;
    const hooks = {
      label: files[file].name,
      changed: () => {
        if (isAlone && code.current) draft(files[file].name, code.current.text());
        send();
      },
      undo,
      redo,
      complete: (at: { line: number; column: number }) => complete({ in: "text", file, ...at, typed: typed() }),
      hover: (at: { line: number; column: number }) => hover({ in: "text", file, ...at, typed: typed() }),
      fix: (what: { line: number; column: number; label: string }) => sheet.edit({ do: "fix", file, ...what }),
      rename: () => rename(code.current?.cursor() ?? null),
      format: () => sheet.edit({ do: "format", file }),
      fixesLabel: t("fixes"),
    };
    load().then(
      (made) => {
        if (isGone || !place.current || now.current === undefined) return;
        code.current = made.open(place.current, plain(now.current), hooks);
        code.current.focus();
        code.current.mark(problems.current);
      },
      () => breakIt(true),
    );
    return () => {
      isGone = true;
      code.current?.close();
      code.current = null;
      flight.current = null;
    };
  }, [file, isKnown]);
  useEffect(() => {
    const box = code.current;
    const sent = flight.current;
    if (!box || text === undefined || text === sent?.before) return;
    flight.current = null;
    // What others did meanwhile is put into what was typed here since.
    if (text !== sent?.after) {
      const own = sent ? difference(plain(sent.after), box.text()) : null;
      const isTyped = own !== null && (own.to > own.from || own.text !== "");
      adopt(box, isTyped ? applied(plain(text), own) : plain(text));
    }
    send();
  }, [text, file]);
  const revision = sheet.sheet.value?.revision;
  useEffect(() => {
    // Problems are those of the text that the server has.
    if (code.current && text !== undefined && plain(text) === code.current.text()) code.current.mark(problems.current);
  }, [revision, text, file]);
  const refused = model.refused.value;
  useEffect(() => {
    if (refused !== "") flight.current = null;
  }, [refused]);
  if (!isKnown) return <p class="editing none">{t("notEdited")}</p>;
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
      </div>
      {isBroken && <p class="told bad">{t("noEditor")}</p>}
      <div ref={place} class="code" />
    </div>
  );
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
  const change = difference(box.text(), text);
  if (change.to > change.from || change.text !== "") box.adopt(change);
}
