// The editor of texts. It is a file of its own, which the page asks for when somebody begins to type.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { linter, lintGutter, lintKeymap, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { isSaveKey } from "../../parts/save-key";
import type { Completions, Hover, Problem, Said } from "../../protocol";
import type { Piece } from "../typing";
import { chooseOwn, completions, placeOf } from "./completion";
import { hovers } from "./hover";
import { language } from "./language";
import { look } from "./look";

/** What the page does for an editor. */
export interface Hooks {
  /** Its name for those who do not see it. */
  label: string;
  /** Something was typed. */
  changed: () => void;
  undo: () => void;
  redo: () => void;
  complete: (at: { line: number; column: number }) => Promise<Completions | null>;
  hover: (at: { line: number; column: number }) => Promise<Hover | null>;
  /** Solves a problem. */
  fix: (what: { line: number; column: number; label: Said }) => void;
  /** What the server says, in the language of the page. */
  says: (of: Said) => string;
  /** Asks for another name of what is at the cursor. */
  rename: () => void;
  /** Lays the text out. */
  format: () => void;
  /** Goes to a problem of another text, if this one has none. */
  problem: (by: 1 | -1) => void;
  /** What the fixes of a place are called. */
  fixesLabel: string;
}

/** An editor in the page. */
export interface Code {
  /** The text, with line ends of one letter. */
  text: () => string;
  /** Replaces pieces by what others did; the cursor stays where it is in the text. */
  adopt: (pieces: readonly Piece[]) => void;
  /** Where the cursor is: the line (from 1), the column (from 0), and the word there. */
  cursor: () => { line: number; column: number; word: string };
  /** Puts the cursor at a line (from 1) and a column (from 0), and gives the editor the keyboard. */
  go: (line: number, column: number) => void;
  /** Marks what is wrong with the text. */
  mark: (problems: Problem[]) => void;
  focus: () => void;
  close: () => void;
}

/** A change that comes from the server. */
const adopted = Annotation.define<boolean>();

function extensions(hooks: Hooks): Extension[] {
  const does = (act: () => void) => () => {
    act();
    return true;
  };
  return [
    lineNumbers(),
    highlightActiveLine(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    language,
    autocompletion({ override: [completions(hooks)], icons: false, selectOnOpen: false, activateOnTypingDelay: 50 }),
    chooseOwn,
    // What is wrong comes from the server, and is told by the same tooltip as everything else.
    linter(null, { tooltipFilter: () => [] }),
    lintGutter({ tooltipFilter: () => [] }),
    hovers(hooks),
    keymap.of([
      // The history is that of all pages, on the server.
      { key: "Mod-z", run: does(hooks.undo), preventDefault: true },
      { key: "Mod-y", run: does(hooks.redo), preventDefault: true },
      { key: "Mod-Shift-z", run: does(hooks.redo), preventDefault: true },
      { key: "F2", run: does(hooks.rename), preventDefault: true },
      { key: "Shift-Alt-f", run: does(hooks.format), preventDefault: true },
      { key: "Tab", run: acceptCompletion },
      {
        key: "F8",
        run: (view) => nextDiagnostic(view) || does(() => hooks.problem(1))(),
        shift: (view) => previousDiagnostic(view) || does(() => hooks.problem(-1))(),
        preventDefault: true,
      },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": hooks.label, spellcheck: "false", autocapitalize: "off" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(adopted))) hooks.changed();
    }),
    // What the keys of the page mean is not meant here, also of those that the editor has a use for; but saving is.
    EditorView.domEventObservers({
      keydown: (event) => {
        if (!isSaveKey(event)) event.stopPropagation();
      },
    }),
    EditorView.domEventHandlers({
      keydown: (event, view) => {
        if (event.key === "Escape" && !event.defaultPrevented && !view.dom.querySelector(".cm-tooltip")) view.contentDOM.blur();
        return false;
      },
    }),
    look,
  ];
}

/** Opens an editor in an element. */
export function open(parent: HTMLElement, text: string, hooks: Hooks): Code {
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: extensions(hooks) }) });
  return {
    text: () => view.state.doc.toString(),
    adopt: (pieces) =>
      view.dispatch({ changes: pieces.map(({ from, to, text: insert }) => ({ from, to, insert })), annotations: adopted.of(true) }),
    cursor: () => {
      const head = view.state.selection.main.head;
      const line = view.state.doc.lineAt(head);
      const column = head - line.from;
      const before = line.text.slice(0, column).match(/[\p{L}\p{N}_-]*$/u)?.[0] ?? "";
      const behind = line.text.slice(column).match(/^[\p{L}\p{N}_-]*/u)?.[0] ?? "";
      return { line: line.number, column, word: before + behind };
    },
    go: (line, column) => {
      const anchor = placeOf(view.state, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    mark: (problems) => {
      const found = problems.map(({ at: [line, column, last, end], severity, text: message, help, code }) => ({
        from: placeOf(view.state, line, column),
        to: placeOf(view.state, last, end),
        severity,
        message: `${code}: ${message}${help ? `\n${hooks.says(help)}` : ""}`,
      }));
      view.dispatch(setDiagnostics(view.state, found));
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
