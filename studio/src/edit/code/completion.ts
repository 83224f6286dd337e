// What could be written, as the server knows it.

import {
  type CompletionContext,
  type CompletionResult,
  completionStatus,
  currentCompletions,
  type Completion as Option,
  pickedCompletion,
  selectedCompletionIndex,
  setSelectedCompletion,
  snippet,
} from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Completion, Completions } from "../../protocol";
import { byItself, sorted } from "../completes";
import type { Hooks } from "./editor";

/** The place of a line, from 1, and a column. */
export function placeOf(state: EditorState, line: number, column: number): number {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  return Math.min(at.to, at.from + column);
}

export function lineOf(state: EditorState, at: number): { line: number; column: number } {
  const line = state.doc.lineAt(at);
  return { line: line.number, column: at - line.from };
}

/** Behind these, something may follow at once. */
const BEGINS = /[\p{L}\p{N}_\-#"{.(=]$/u;

/** The signs that the editor component has for kinds. */
const SIGNS: Record<string, string> = {
  word: "keyword",
  choice: "constant",
  key: "variable",
  leaf: "function",
  event: "interface",
  field: "property",
  property: "property",
  definition: "class",
  name: "namespace",
  "enum-value": "enum",
  function: "function",
  file: "text",
  code: "text",
};

/** A snippet as the editor component writes them. */
export const asSnippet = (text: string): string =>
  text.replace(/\\([\\$}])|\$(\d)/g, (_, escaped, stop) => (stop ? `\${${stop}}` : escaped === "}" ? "}" : escaped));

function option(one: Completion): Option {
  return {
    label: one.label,
    detail: one.detail,
    type: SIGNS[one.kind] ?? "text",
    info: one.doc === "" ? undefined : one.doc,
    apply: (view: EditorView, chosen: Option, from: number, to: number) => {
      if (one.snippet) return snippet(asSnippet(one.snippet))(view, chosen, from, to);
      view.dispatch({
        changes: { from, to, insert: one.insert },
        selection: { anchor: from + one.insert.length },
        annotations: pickedCompletion.of(chosen),
        userEvent: "input.complete",
      });
    },
  };
}

/** The options that Enter takes although nobody has chosen them. */
const own = new WeakSet<Option>();

/** Chooses the first of what has just been found, if it completes what is typed; else nothing is chosen, and Enter makes a line. */
export const chooseOwn = EditorView.updateListener.of(({ view, state }) => {
  if (completionStatus(state) !== "active" || selectedCompletionIndex(state) !== null) return;
  const [first] = currentCompletions(state);
  if (first && own.delete(first)) view.dispatch({ effects: setSelectedCompletion(0) });
});

/** What the server says, for the text as it is now. */
function result(state: EditorState, found: Completions, pos: number): CompletionResult | null {
  const [line, column, last, end] = found.replaces;
  const from = placeOf(state, line, column);
  const to = Math.max(pos, placeOf(state, last, end));
  const typed = state.sliceDoc(from, pos);
  const [only, ...others] = found.items;
  // What is written already needs no list.
  if (!only || (others.length === 0 && only.insert === typed)) return null;
  const lines = state.doc.lineAt(from);
  const [begin, text] = [lines.from, lines.text];
  const spot = { text, from: Math.min(from, pos) - begin, at: pos - begin, to: to - begin };
  const items = sorted(found.items, spot);
  const options = items.map(option);
  const nth = byItself(items, spot);
  if (nth >= 0) own.add(options[nth]);
  return { from: Math.min(from, pos), to, filter: false, options };
}

export const completions =
  (hooks: Hooks) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    if (!context.explicit && !BEGINS.test(line.text.slice(0, pos - line.from))) return null;
    const found = await hooks.complete({ line: line.number, column: pos - line.from });
    return found && !context.aborted ? result(state, found, pos) : null;
  };
