// The text of a document as it is typed. What is typed goes to the server piece by piece; what others do appears between.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts";
import * as model from "../wire/model";
import { redo, undo } from "./actions";
import * as sheet from "./sheet";

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
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

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

export function Write() {
  const [file, choose] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  /** What is on its way to the server: the text before it, and after it. */
  const flight = useRef<{ before: string; after: string } | null>(null);
  const files = sheet.sheet.value?.files ?? [];
  const text = files[file]?.text;
  const send = (): void => {
    const box = area.current;
    if (!box || text === undefined || flight.current || plain(text) === box.value) return;
    const piece = inFile(text, difference(plain(text), box.value));
    flight.current = { before: text, after: applied(text, piece) };
    sheet.edit({ do: "type", file, ...piece });
  };
  useEffect(() => {
    const box = area.current;
    const sent = flight.current;
    if (!box || text === undefined || text === sent?.before) return;
    flight.current = null;
    // What others did meanwhile is put into what was typed here since.
    if (text !== sent?.after) {
      const typed = sent ? difference(plain(sent.after), box.value) : null;
      const isTyped = typed !== null && (typed.to > typed.from || typed.text !== "");
      adopt(box, isTyped ? applied(plain(text), typed) : plain(text));
    }
    send();
  }, [text, file]);
  const refused = model.refused.value;
  useEffect(() => {
    if (refused !== "") flight.current = null;
  }, [refused]);
  if (text === undefined) return <p class="editing none">{t("notEdited")}</p>;
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
      <textarea
        key={file}
        ref={area}
        class="code"
        spellcheck={false}
        aria-label={files[file].name}
        defaultValue={plain(text)}
        onInput={send}
        onKeyDown={(event) => {
          event.stopPropagation();
          const key = event.key.toLowerCase();
          const isControl = event.ctrlKey || event.metaKey;
          if (isControl && (key === "z" || key === "y")) {
            (key === "y" || event.shiftKey ? redo : undo)();
            event.preventDefault();
          } else if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </div>
  );
}

/** Shows another text, and leaves the cursor where it is in it. */
function adopt(box: HTMLTextAreaElement, text: string): void {
  const change = difference(box.value, text);
  const moved = (at: number): number =>
    at <= change.from ? at : Math.max(change.from, at + change.text.length - (change.to - change.from));
  const [start, end] = [moved(box.selectionStart), moved(box.selectionEnd)];
  box.value = text;
  box.setSelectionRange(start, end);
}
