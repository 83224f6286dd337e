/** Documents of Treemind in VS Code: starts the language server, and what only an editor can show. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { Margin } from "./margin.ts";
import { Studios } from "./studio.ts";
import { Tests } from "./tests.ts";

let client: LanguageClient | null = null;

/** The settings that the server wants to know. */
function wanted(): object {
  const set = vscode.workspace.getConfiguration("treemind");
  return {
    importFolders: set.get("importFolders"),
    hints: set.get("hints"),
    // Coverage is shown by the editor itself.
    tests: { run: set.get("tests.run"), debug: true, coverage: false },
  };
}

export function program(): string {
  return vscode.workspace.getConfiguration("treemind").get<string>("path") || "treemind";
}

function newClient(): LanguageClient {
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "treemind" },
      { language: "scxml" },
      { scheme: "file", pattern: "**/*.scxml" },
      { scheme: "file", language: "json" },
      { scheme: "file", language: "xml" },
    ],
    initializationOptions: wanted(),
    middleware: {
      // The server knows its settings by another message.
      workspace: { didChangeConfiguration: async () => {} },
    },
  };
  return new LanguageClient("treemind", "Treemind", server, options);
}

async function start(): Promise<void> {
  const fresh = newClient();
  client = fresh;
  try {
    await fresh.start();
  } catch (error) {
    client = null;
    const choice = await vscode.window.showErrorMessage(
      `Treemind: the program \`${program()}\` does not start: ${error instanceof Error ? error.message : error}`,
      "Open Settings",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "treemind.path");
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = null;
  await old?.stop().catch(() => {});
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const studios = new Studios();
  const margin = new Margin();
  const debug = async (uri: vscode.Uri, id: string): Promise<void> => {
    await vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())?.save();
    const url = await studios.openTest(uri.fsPath, id);
    if (url) margin.attach(url, uri.fsPath);
  };
  const tests = new Tests(() => client, debug);
  context.subscriptions.push(studios, margin, tests);
  const on = (name: string, run: (...given: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  };
  on("treemind.restart", async () => {
    await stop();
    await start();
  });
  on("treemind.openStudio", async () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const file = editor.document.uri.fsPath;
    await editor.document.save();
    const url = await studios.open(file, editor.selection.active.line + 1);
    if (url) margin.attach(url, file);
  });
  on("treemind.debugTest", (uri: string, id: string) => debug(vscode.Uri.parse(uri), id));
  on("treemind.attach", async () => {
    const url = await vscode.window.showInputBox({
      prompt: "The address that the game or `treemind run --studio` prints",
      placeHolder: "http://127.0.0.1:7700/",
    });
    if (url) margin.attach(url, null);
  });
  on("treemind.detach", () => margin.detach());
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("treemind.path")) {
        await stop();
        await start();
      } else if (change.affectsConfiguration("treemind")) {
        await client?.sendNotification("workspace/didChangeConfiguration", { settings: { treemind: wanted() } });
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
