// How the text of a document is coloured: KDL by its line, without knowing what words mean.

import { HighlightStyle, indentService, indentUnit, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { tags } from "@lezer/highlight";

interface State {
  /** How many block comments are open. */
  comments: number;
  /** The next word begins a node. */
  isFirst: boolean;
  /** A text of several lines is open. */
  isLong: boolean;
}

function comment(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    if (stream.match("/*")) state.comments += 1;
    else if (stream.match("*/")) {
      state.comments -= 1;
      if (state.comments === 0) break;
    } else stream.next();
  }
  return "comment";
}

function text(stream: StringStream): string {
  stream.next();
  while (!stream.eol()) {
    const letter = stream.next();
    if (letter === "\\") stream.next();
    if (letter === '"') break;
  }
  return stream.peek() === "=" ? "propertyName" : "string";
}

function token(stream: StringStream, state: State): string | null {
  if (stream.sol() && state.comments === 0 && !state.isLong) state.isFirst = true;
  if (state.comments > 0) return comment(stream, state);
  if (state.isLong || stream.match('"""')) {
    state.isLong = !stream.match(/^.*?"""/);
    if (state.isLong) stream.skipToEnd();
    return "string";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("/*")) {
    state.comments = 1;
    return comment(stream, state);
  }
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/-")) return "comment";
  if (stream.match(/^[{};]/)) {
    state.isFirst = true;
    return "bracket";
  }
  const wasFirst = state.isFirst;
  if (stream.peek() === '"') {
    state.isFirst = false;
    return text(stream);
  }
  if (stream.match(/^#[\w-]+/)) return "atom";
  if (stream.match(/^[-+]?\d[\w.]*/)) return "number";
  if (stream.match(/^[^\s{};="/\\#()[\]]+/)) {
    state.isFirst = false;
    if (wasFirst) return "keyword";
    return stream.peek() === "=" ? "propertyName" : "variableName";
  }
  stream.next();
  return null;
}

const kdl = StreamLanguage.define<State>({
  name: "kdl",
  startState: () => ({ comments: 0, isFirst: true, isLong: false }),
  token,
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["{", '"'] } },
});

/** A line is indented as the one before it, and further behind a brace. */
const indents = indentService.of((context, pos) => {
  const isBreak = context.simulatedBreak === pos;
  const own = context.state.doc.lineAt(pos);
  if (!isBreak && own.number === 1) return 0;
  const above = isBreak ? context.lineAt(pos, -1).text : context.state.doc.line(own.number - 1).text;
  // A byte order mark at the beginning of the text is no indentation.
  const before = above.replace(/^\ufeff/, "");
  const behind = isBreak ? context.textAfterPos(pos) : own.text;
  const now = context.countColumn(before, before.search(/\S|$/));
  const opens = /\{\s*(\/\/.*)?$/.test(before);
  const closes = /^\s*\}/.test(behind);
  return Math.max(0, now + (opens ? context.unit : 0) - (closes ? context.unit : 0));
});

/** A level is as the first line that is indented has it: a tab, or the spaces of *Lay out*. */
const unit = indentUnit.compute(["doc"], ({ doc }) => {
  for (const line of doc.iterLines()) if (/^\s+\S/.test(line)) return line.startsWith("\t") ? "\t" : "    ";
  return "    ";
});

/** The colours are those of the page, so they follow its theme. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.atom], color: "var(--cut)" },
  { tag: tags.propertyName, color: "var(--muted)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
]);

export const language = [kdl, indents, unit, EditorState.tabSize.of(4), syntaxHighlighting(colours)];
