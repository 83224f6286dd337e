import { insertNewlineAndIndent } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { language } from "../src/edit/code/language";

/** The text after Enter at the end of a line. */
function entered(text: string, line: number): string {
  let state = EditorState.create({ doc: text, extensions: [language] });
  state = state.update({ selection: { anchor: state.doc.line(line).to } }).state;
  insertNewlineAndIndent({ state, dispatch: (next) => (state = next.state) });
  return state.doc.toString();
}

test("a new line is indented with what the file is indented with", () => {
  expect(entered("tree {\n\tsequence {\n\t}\n}", 2)).toBe("tree {\n\tsequence {\n\t\t\n\t}\n}");
  expect(entered("tree {\n\tsequence {\n\t\twait 1.0\n\t}\n}", 3)).toBe("tree {\n\tsequence {\n\t\twait 1.0\n\t\t\n\t}\n}");
  expect(entered("tree {\n    sequence {\n    }\n}", 2)).toBe("tree {\n    sequence {\n        \n    }\n}");
  expect(entered("tree {\n}", 1)).toBe("tree {\n    \n}");
  // A byte order mark is none.
  expect(entered("\ufeff// a\nrun", 1)).toBe("\ufeff// a\n\nrun");
});
