// What there is to know of the thing at a place: problems, what solves them, and what the language says.

import { forEachDiagnostic } from "@codemirror/lint";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip, tooltips } from "@codemirror/view";
import type { Hover } from "../../protocol";
import { lineOf, placeOf } from "./completion";
import type { Hooks } from "./editor";

function element(tag: string, name: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  // What is between backticks is code.
  for (const [nth, part] of text.split("`").entries()) {
    const code = document.createElement("code");
    code.textContent = part;
    made.append(nth % 2 === 0 ? part : code);
  }
  return made;
}

/** The problems at a place, as the editor shows them. */
function problemsAt(view: EditorView, pos: number): { severity: string; message: string; from: number; to: number }[] {
  const found: { severity: string; message: string; from: number; to: number }[] = [];
  forEachDiagnostic(view.state, (one, from, to) => {
    if (from <= pos && pos <= to) found.push({ severity: one.severity, message: one.message, from, to });
  });
  return found;
}

function tooltip(view: EditorView, pos: number, about: Hover, hooks: Hooks, close: () => void): Tooltip | null {
  const problems = problemsAt(view, pos);
  if (about.title === "" && problems.length === 0) return null;
  const [line, column, last, end] = about.at;
  const isNamed = about.title !== "";
  const from = isNamed ? placeOf(view.state, line, column) : Math.min(...problems.map((one) => one.from));
  const to = isNamed ? placeOf(view.state, last, end) : Math.max(...problems.map((one) => one.to));
  const create = (): { dom: HTMLElement } => {
    const dom = element("div", "about", "");
    for (const one of problems) dom.append(element("p", `problem ${one.severity}`, one.message));
    if (about.fixes.length > 0) {
      const list = element("div", "fixes", "");
      list.setAttribute("role", "group");
      list.setAttribute("aria-label", hooks.fixesLabel);
      for (const label of about.fixes) {
        const button = element("button", "", hooks.says(label));
        button.addEventListener("click", () => {
          hooks.fix({ ...lineOf(view.state, pos), label });
          close();
          view.focus();
        });
        list.append(button);
      }
      dom.append(list);
    }
    if (isNamed) dom.append(element("code", "title", about.title), element("p", "doc", about.text.map(hooks.says).join("\n")));
    return { dom };
  };
  return { pos: Math.min(from, pos), end: Math.max(to, pos), above: true, create };
}

const set = StateEffect.define<Tooltip | null>();

/** The tooltip that was asked for with the keyboard. */
const asked = StateField.define<Tooltip | null>({
  create: () => null,
  update: (now, transaction) => {
    for (const effect of transaction.effects) if (effect.is(set)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : now;
  },
  provide: (field) => showTooltip.from(field),
});

export function hovers(hooks: Hooks): Extension {
  const close = (view: EditorView) => () => view.dispatch({ effects: set.of(null) });
  return [
    asked,
    // What is above the editor would hide a popup of the first lines: there it stands below them.
    tooltips({
      tooltipSpace: ({ scrollDOM }) => {
        const { top, bottom } = scrollDOM.getBoundingClientRect();
        return { top, bottom, left: 0, right: innerWidth };
      },
    }),
    hoverTooltip(async (view, pos) => {
      const about = await hooks.hover(lineOf(view.state, pos));
      return about ? tooltip(view, pos, about, hooks, close(view)) : null;
    }),
    keymap.of([
      {
        // At the cursor, with the focus on the first fix.
        key: "Mod-.",
        run: (view) => {
          const pos = view.state.selection.main.head;
          void hooks.hover(lineOf(view.state, pos)).then((about) => {
            const made = about && tooltip(view, pos, about, hooks, close(view));
            view.dispatch({ effects: set.of(made ?? null) });
            requestAnimationFrame(() => view.dom.querySelector<HTMLElement>(".cm-tooltip .fixes button")?.focus());
          });
          return true;
        },
      },
      {
        key: "Escape",
        run: (view) => {
          if (!view.state.field(asked)) return false;
          close(view)();
          return true;
        },
      },
    ]),
  ];
}
