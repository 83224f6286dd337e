// How the editor looks: with the colours and fonts of the page.

import { EditorView } from "@codemirror/view";

export const look = EditorView.theme({
  "&": { flex: "1", minWidth: "0", minHeight: "0", background: "var(--bg)", color: "var(--text)", font: "var(--text-code)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-gutters": { background: "var(--bg)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "44px", paddingRight: "14px" },
  ".cm-activeLine": { background: "var(--surface)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-tint)",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--accent-tint)", outline: "1px solid var(--line-strong)" },
  ".cm-tooltip": {
    background: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-s)",
    font: "var(--text-small)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { font: "var(--text-code)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px", display: "flex", gap: "16px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-tint)", color: "var(--text)" },
  ".cm-completionDetail": { marginLeft: "auto", color: "var(--muted)", fontStyle: "normal" },
  ".cm-completionMatchedText": { color: "var(--accent)", textDecoration: "none" },
  // Asked for with the keyboard, it is the tooltip itself; otherwise it is in one.
  ".about": { padding: "6px 10px", maxWidth: "460px" },
  ".cm-tooltip.about, .cm-tooltip-hover": { overflow: "auto" },
  ".about p": { margin: "2px 0", whiteSpace: "pre-line", fontStyle: "normal", color: "var(--text)" },
  ".about code": { font: "var(--text-code)" },
  ".about .title": { display: "block", margin: "2px 0", color: "var(--accent)" },
  ".about .problem.error": { borderLeft: "3px solid var(--fail)", paddingLeft: "8px" },
  ".about .problem.warning": { borderLeft: "3px solid var(--run)", paddingLeft: "8px" },
  ".about .fixes": { display: "flex", flexWrap: "wrap", gap: "6px", margin: "6px 0" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--fail)" },
  ".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px solid var(--run)" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "360px", whiteSpace: "pre-line" },
});
