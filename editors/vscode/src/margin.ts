/** What a running game does, in the margin of its texts. */

import * as vscode from "vscode";
import { type Definition, type LineState, type Place, type View, fileOf, isSame, linesOf } from "./lines.ts";
import { Look } from "./socket.ts";

const STATES: readonly LineState[] = ["run", "ok", "fail"];

const COLOURS: Record<LineState, string> = { run: "#d09038", ok: "#40a060", fail: "#c85050" };

/** A sign for the margin: different shapes, for those who do not see colours. */
function sign(state: LineState): vscode.Uri {
  const shape = {
    run: '<path d="M5 3l8 5-8 5z"/>',
    ok: '<circle cx="8" cy="8" r="4"/>',
    fail: '<path d="M4 6.5h8v3H4z"/>',
  }[state];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill="${COLOURS[state]}">${shape}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`, true);
}

export class Margin implements vscode.Disposable {
  private readonly types = new Map<LineState, vscode.TextEditorDecorationType>();
  private readonly status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  private look: Look | null = null;

  constructor() {
    for (const state of STATES) {
      const type = vscode.window.createTextEditorDecorationType({
        gutterIconPath: sign(state),
        overviewRulerColor: COLOURS[state],
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      });
      this.types.set(state, type);
    }
    this.status.command = "treemind.detach";
  }

  dispose(): void {
    this.look?.close();
    this.status.dispose();
    for (const type of this.types.values()) type.dispose();
  }

  /** Shows what the game at an address does; of several files, the one that is given. What is clicked there is shown here. */
  attach(url: string, file: string | null): void {
    this.detach();
    const wanted = file ?? vscode.window.activeTextEditor?.document.uri.fsPath ?? "";
    this.look = new Look(url, {
      file: (all) => all.find((one) => isSame(one, wanted)) ?? null,
      seen: (definition, view) => this.draw(definition, view),
      chosen: (place) => void reveal(place, wanted),
      ended: () => this.detach(),
    });
  }

  detach(): void {
    this.look?.close();
    this.look = null;
    this.status.hide();
    for (const editor of vscode.window.visibleTextEditors) this.set(editor, new Map());
  }

  private draw(definition: Definition, view: View): void {
    this.status.text = `$(eye) tick ${view.tick}`;
    this.status.tooltip = "Treemind shows a running game in the margin. Click to stop.";
    this.status.show();
    for (const editor of vscode.window.visibleTextEditors) {
      // A text that is changed and not saved has other lines than the game.
      const isShown = editor.document.languageId === "treemind" && !editor.document.isDirty;
      this.set(editor, isShown ? linesOf(definition, view.marks, editor.document.uri.fsPath) : new Map());
    }
  }

  private set(editor: vscode.TextEditor, lines: Map<number, LineState>): void {
    for (const [state, type] of this.types) {
      const own = [...lines].filter(([, one]) => one === state);
      editor.setDecorations(
        type,
        own.map(([line]) => new vscode.Range(line, 0, line, 0)),
      );
    }
  }
}

/** Shows a place that somebody has clicked on in the studio, beside it. */
async function reveal(place: Place, beside: string): Promise<void> {
  const open = vscode.workspace.textDocuments.map((document) => document.uri.fsPath);
  let path = fileOf(place.file, [beside, ...open]);
  if (path === null) {
    const found = await vscode.workspace.findFiles("**/*.kdl", "**/{node_modules,target}/**");
    path = fileOf(place.file, found.map((uri) => uri.fsPath));
  }
  if (path === null) return;
  const at = new vscode.Position(Math.max(0, place.line - 1), Math.max(0, place.column));
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.fsPath === path);
  await vscode.window.showTextDocument(vscode.Uri.file(path), {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    preserveFocus: true,
    selection: new vscode.Range(at, at),
  });
}
