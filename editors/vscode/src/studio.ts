/** The studio beside the text. */

import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { program } from "./extension.ts";
import { addressOf, isSame, nodeAt } from "./lines.ts";
import { definitionOf } from "./socket.ts";

/** How long a studio may take until it says where it is. */
const PATIENCE_MS = 15_000;

/** The studios that this window has started: one for each document. */
export class Studios implements vscode.Disposable {
  private readonly running = new Map<string, { process: ChildProcess; url: string }>();

  dispose(): void {
    for (const one of this.running.values()) one.process.kill();
  }

  /** Opens the studio of a file, at what stands in a line (from 1). Returns its address. */
  async open(file: string, line: number): Promise<string | null> {
    const url = await this.of(file);
    if (url === null) return null;
    const definition = await definitionOf(url, (all) => all.find((one) => isSame(one, file)) ?? null);
    const node = definition && nodeAt(definition, file, line);
    await show(node ? addressOf(url, "node", node) : url);
    return url;
  }

  /** Opens the studio of a file with the recording of one of its tests. Returns its address. */
  async openTest(file: string, test: string): Promise<string | null> {
    const url = await this.of(file);
    if (url !== null) await show(addressOf(url, "test", test));
    return url;
  }

  private async of(file: string): Promise<string | null> {
    return this.running.get(file)?.url ?? (await this.start(file));
  }

  private start(file: string): Promise<string | null> {
    return new Promise((resolve) => {
      const process = spawn(program(), ["studio", file], { cwd: dirname(file) });
      let said = "";
      const fail = (why: string): void => {
        clearTimeout(timer);
        vscode.window.showErrorMessage(`Treemind: the studio does not start: ${why}`);
        process.kill();
        resolve(null);
      };
      const timer = setTimeout(() => fail(said || "it says nothing"), PATIENCE_MS);
      const hear = (data: Buffer): void => {
        said += data.toString();
        const url = said.match(/http:\/\/\S+/)?.[0];
        if (!url || this.running.has(file)) return;
        clearTimeout(timer);
        this.running.set(file, { process, url });
        resolve(url);
      };
      process.stdout.on("data", hear);
      process.stderr.on("data", hear);
      process.on("error", (error) => fail(error.message));
      process.on("exit", () => {
        if (this.running.get(file)?.process === process) this.running.delete(file);
        else fail(said);
      });
    });
  }
}

async function show(address: string): Promise<void> {
  const where = vscode.workspace.getConfiguration("treemind").get<string>("studio.browser");
  // A text that is parsed as a URI loses what is escaped in it.
  const uri = vscode.Uri.parse(address, true);
  const external = await vscode.env.asExternalUri(uri);
  if (external.authority !== uri.authority) {
    // An editor in a browser leads to its own server, under whose name the studio does not answer.
    void tell(address);
    return;
  }
  // In a browser, another page may not have the studio's page in a frame.
  if (where === "outside" || vscode.env.uiKind === vscode.UIKind.Web) {
    await vscode.env.openExternal(uri);
    return;
  }
  await vscode.commands.executeCommand("simpleBrowser.api.open", external, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
  });
}

/** Says where the studio is, for another tab of the browser. */
async function tell(address: string): Promise<void> {
  const choice = await vscode.window.showInformationMessage(`The studio is at ${address}`, "Copy Address");
  if (choice) await vscode.env.clipboard.writeText(address);
}
