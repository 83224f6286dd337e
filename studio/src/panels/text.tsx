// The text of the documents: what is selected, problems where they are, and where names are defined and used.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as sheet from "../edit/sheet";
import { Write } from "../edit/write";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { lookAgain } from "../wire/wire";
import { Words } from "./now";
import { isError, shown } from "./problems";

/** The name whose places are listed, by its position among the names. */
const chosen = signal<number | null>(null);

/** How much of a text is shown here: the editor shows all of it, because it draws only what is in view. */
const MOST_LINES = 20_000;
const LONGEST_LINE = 10_000;

type Piece = { from: number; to: number; class: string; name?: number; how?: string };

/** The lines of all texts, with what is coloured and named in them. */
const texts = computed(() => {
  const definition = model.definition.value;
  const all = model.written.value.texts.map((one) =>
    one.text
      .replace(/\n$/, "")
      .split("\n", MOST_LINES)
      .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line))
      .map((text) => ({ text, marked: coloured(text) })),
  );
  // In a text with mistakes, names are not where they were.
  if (definition?.draft) return all;
  definition?.names?.forEach((one, name) => {
    for (const [file, line, from, last, end, how] of one.at) {
      const at = all[file]?.[line - 1];
      at?.marked.push({ from, to: last === line ? end : at.text.length, class: "", name, how });
    }
  });
  return all;
});

/** The words of a line that have a colour. */
function coloured(text: string): Piece[] {
  const pattern = /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(#?-?\b\d[\d._]*\b|#true|#false)|((?:^|[{;])\s*[\w-]+)/g;
  return [...text.matchAll(pattern)].map((match) => {
    const [all, comment, string, number] = match;
    const from = match.index + (all.match(/^[{;\s]*/)?.[0].length ?? 0);
    return { from, to: match.index + all.length, class: comment ? "comment" : string ? "string" : number ? "digits" : "word" };
  });
}

/** A line in pieces, each with the classes of all that it is part of. */
function pieces(text: string, marked: Piece[]): { from: number; text: string; class: string; name?: number }[] {
  const cuts = [...new Set([0, text.length, ...marked.flatMap((one) => [one.from, one.to])])]
    .filter((at) => at <= text.length)
    .sort((left, right) => left - right);
  return cuts.slice(1).map((to, nth) => {
    const inside = marked.filter((one) => one.from <= cuts[nth] && to <= one.to);
    const named = inside.filter((one) => one.name !== undefined);
    const use = named.find((one) => one.name === chosen.value);
    const classes = [...inside.map((one) => one.class), use ? `use ${use.how}` : ""];
    return { from: cuts[nth], text: text.slice(cuts[nth], to), class: classes.filter(Boolean).join(" "), name: named[0]?.name };
  });
}

/** The part of a range that is in a line; `null` if none is. */
function within([first, start, last, end]: model.Problem["at"], line: number, length: number): { from: number; to: number } | null {
  if (line < first || line > last) return null;
  return { from: line === first ? start : 0, to: line === last ? end : length };
}

/** The line of the definition whose node is innermost at a place of a text, -1 for none. */
export function lineAt(file: number, line: number, column: number): number {
  let [found, size] = [-1, Infinity];
  model.definition.value?.places?.forEach((place, nth) => {
    if (!place || place[0] !== file || line < place[1] || line > place[3]) return;
    const isIn = (line > place[1] || column >= place[2]) && (line < place[3] || column <= place[4]);
    // A click beside a node counts for the line of the text.
    const far = (place[3] - place[1]) * 1000 + (isIn ? 0 : 500) + Math.abs(column - place[2]) / 1000;
    if (far < size) [found, size] = [nth, far];
  });
  return found;
}

/** Goes to a place of a name: to its node, if it has one, and to its line in the text. */
function goTo(place: model.Place): void {
  const name = model.definition.value?.texts[place[0]]?.name;
  const nth = lineAt(place[0], place[1], place[2]);
  if (nth >= 0) model.reveal(model.lines.value[nth].id);
  if (name) model.showText(name, place[1]);
}

/** Where the chosen name is defined and used; without one, the names in the node that is selected. */
function Names() {
  const definition = model.definition.value;
  const names = definition?.names ?? [];
  const symbol = chosen.value === null ? undefined : names[chosen.value];
  if (symbol) {
    return (
      <div class="names" role="group" aria-label={t("uses")}>
        <b>
          {symbol.kind} <code>{symbol.name}</code>
        </b>
        {symbol.at.map((place) => {
          const [file, line, , , , how] = place;
          const text = definition?.texts[file];
          return (
            <button
              key={place.join()}
              class="link"
              title={text?.text.split("\n")[line - 1]?.trim()}
              onClick={() => goTo([...place.slice(0, 5)] as unknown as model.Place)}
            >
              {t(how)} {definition && definition.texts.length > 1 ? `${text?.name}:` : ""}
              {line}
            </button>
          );
        })}
        <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => (chosen.value = null)}>
          ×
        </button>
      </div>
    );
  }
  const place = definition?.draft ? null : model.placeOf(model.selected.value);
  if (!place) return null;
  const here = names
    .map((one, nth) => ({ one, nth }))
    .filter(({ one }) =>
      one.at.some(
        ([file, line, column]) =>
          file === place[0] &&
          (line > place[1] || (line === place[1] && column >= place[2])) &&
          (line < place[3] || (line === place[3] && column <= place[4])),
      ),
    );
  if (here.length === 0) return null;
  return (
    <div class="names" role="group" aria-label={t("namesHere")}>
      <small>{t("namesHere")}</small>
      {here.map(({ one, nth }) => (
        <button key={nth} class="link" onClick={() => (chosen.value = nth)}>
          {one.kind} <code>{one.name}</code>
        </button>
      ))}
    </div>
  );
}

/** Begins or ends to type; the text as it is edited comes only to those who do. */
function toggleWriting(): void {
  sheet.writes.value = !sheet.writes.value;
  // Where somebody was led before is not where one begins to type.
  model.textAt.value = null;
  lookAgain();
}

/** Shows the text as it is typed. */
export function typeText(): void {
  model.panel.value = "text";
  if (!sheet.writes.value) toggleWriting();
}

export function Document() {
  const definition = model.definition.value;
  const selected = model.selected.value;
  const place = definition?.draft ? null : model.placeOf(selected);
  const at = model.textAt.value;
  const problems = model.written.value.problems;
  const writes = sheet.writes.value && sheet.mayEdit.value;
  useEffect(() => {
    chosen.value = null;
  }, [definition]);
  useEffect(() => {
    if (place) document.querySelector(".text .named")?.scrollIntoView({ block: "nearest" });
  }, [selected, definition]);
  const click = (event: MouseEvent, file: number, line: number): void => {
    const piece = (event.target as HTMLElement).closest<HTMLElement>("[data-column]")?.dataset;
    const nth = definition?.draft ? -1 : lineAt(file, line, Number(piece?.column ?? 0));
    if (nth >= 0) model.reveal(model.lines.value[nth].id);
    chosen.value = piece?.name ? Number(piece.name) : null;
  };
  return (
    <div class="document">
      {sheet.mayEdit.value && (
        <button class="type" aria-pressed={sheet.writes.value} title={t("typeText")} onClick={toggleWriting}>
          ✎ {t("typeText")}
        </button>
      )}
      {writes && <Write key={sheet.turns.value} />}
      <div class="text" hidden={writes} tabIndex={0} role="region" aria-label={t("text")}>
        {(writes ? [] : model.written.value.texts).map((one, file) => (
          <pre key={one.name} aria-label={one.name}>
            {texts.value[file].map(({ text: line, marked: all }, nth) => {
              const here = problems.filter((problem) => problem.file === one.name);
              const found = here.filter((problem) => problem.at[0] === nth + 1);
              const [, ...span] = place ?? [];
              const range = place && place[0] === file ? within(span as unknown as model.Problem["at"], nth + 1, line.length) : null;
              const marks = here.flatMap((problem) => {
                const part = within(problem.at, nth + 1, line.length);
                return part ? [{ ...part, class: shown(problem)[2] }] : [];
              });
              const marked = [...all, ...marks, ...(range ? [{ ...range, class: "node" }] : [])];
              return (
                <div
                  key={nth}
                  data-line={nth + 1}
                  onClick={(event) => click(event, file, nth + 1)}
                  class={`${found.some(isError) ? "bad" : found.length > 0 ? "odd" : ""} ${range ? "named" : ""} ${at?.file === one.name && at.line === nth + 1 ? "here" : ""}`}
                >
                  <span class="whole">
                    <span class="number">{nth + 1}</span>
                    <span class="line">
                      {pieces(line, marked).map((piece) => (
                        <span key={piece.from} data-column={piece.from} data-name={piece.name} class={piece.class || undefined}>
                          {piece.text}
                        </span>
                      ))}
                    </span>
                  </span>
                  {found.length > 0 && (
                    <span class="found">
                      {found.map((problem) => (
                        <em key={`${problem.code} ${problem.at}`}>
                          {shown(problem)[1]} <Words text={said(problem.text) + (problem.help ? ` · ${said(problem.help)}` : "")} />{" "}
                          <b>{problem.code}</b>
                        </em>
                      ))}
                    </span>
                  )}
                </div>
              );
            })}
            {texts.value[file].length === MOST_LINES && <p class="told">{t("cutText")}</p>}
          </pre>
        ))}
        {definition?.refusal && definition.texts.length === 0 && <p>{said(definition.refusal)}</p>}
      </div>
      <Names />
    </div>
  );
}
