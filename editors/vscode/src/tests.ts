/** The tests of documents in the test explorer. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

type Listed = { id: string; name: string; range: { start: { line: number } } };
type Ran = {
  id: string;
  passed: boolean;
  seconds: number;
  failure: { file: string; line: number; text: string } | null;
};

type Covered = { uri: string; parts: { range: Range; reached: number; total: number }[] };
type Range = { start: { line: number; character: number }; end: { line: number; character: number } };
type Told = { tests: Ran[]; covered?: Covered[] };

export class Tests implements vscode.Disposable {
  private readonly control = vscode.tests.createTestController("treemind", "Treemind");
  private readonly heard: vscode.Disposable[] = [];
  private readonly details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly client: () => LanguageClient | null,
    private readonly debug: (uri: vscode.Uri, id: string) => Promise<void>,
  ) {
    const kinds = vscode.TestRunProfileKind;
    this.control.createRunProfile("Run", kinds.Run, (request) => this.run(request, false), true);
    this.control.createRunProfile("Debug in the Studio", kinds.Debug, (request) => this.runAndWatch(request), true);
    const covering = this.control.createRunProfile("Run with Coverage", kinds.Coverage, (request) => this.run(request, true), true);
    covering.loadDetailedCoverage = async (_, file) => this.details.get(file) ?? [];
    this.control.refreshHandler = () => this.all();
    this.control.resolveHandler = async (item) => {
      if (!item) await this.all();
    };
    const look = (document: vscode.TextDocument): void => {
      if (document.languageId !== "treemind") return;
      clearTimeout(this.timer ?? undefined);
      this.timer = setTimeout(() => void this.list(document.uri), 500);
    };
    this.heard.push(
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument((change) => look(change.document)),
    );
    for (const document of vscode.workspace.textDocuments) look(document);
  }

  dispose(): void {
    clearTimeout(this.timer ?? undefined);
    for (const one of this.heard) one.dispose();
    this.control.dispose();
  }

  /** Lists the tests of all documents of the workspace. */
  private async all(): Promise<void> {
    const files = await vscode.workspace.findFiles("**/*.kdl", "**/{node_modules,target}/**", 500);
    for (const file of files) await this.list(file);
  }

  private async list(uri: vscode.Uri): Promise<void> {
    const client = this.client();
    if (!client) return;
    const of = { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) } };
    const found = await client.sendRequest<Listed[]>("treemind/tests", of).catch(() => [] as Listed[]);
    if (found.length === 0) {
      this.control.items.delete(uri.toString());
      return;
    }
    const name = vscode.workspace.asRelativePath(uri);
    const file = this.control.items.get(uri.toString()) ?? this.control.createTestItem(uri.toString(), name, uri);
    this.control.items.add(file);
    const items = found.map((one) => {
      const item = this.control.createTestItem(one.id, one.name, uri);
      const line = one.range.start.line;
      item.range = new vscode.Range(line, 0, line, 0);
      return item;
    });
    file.children.replace(items);
  }

  /** Runs one test, and plays it in the studio. */
  private async runAndWatch(request: vscode.TestRunRequest): Promise<void> {
    await this.run(request, false);
    const first = request.include?.[0];
    const test = first?.parent ? first : [...(first?.children ?? [])][0]?.[1];
    if (test?.uri) await this.debug(test.uri, test.id);
  }

  private async run(request: vscode.TestRunRequest, covers: boolean): Promise<void> {
    const run = this.control.createTestRun(request);
    const files = new Map<vscode.TestItem, vscode.TestItem[]>();
    const add = (item: vscode.TestItem): void => {
      const file = item.parent ?? item;
      const own = item.parent ? [item] : [...file.children].map(([, child]) => child);
      files.set(file, [...(files.get(file) ?? []), ...own]);
    };
    if (request.include) request.include.forEach(add);
    else this.control.items.forEach(add);
    for (const [file, items] of files) {
      for (const item of items) run.started(item);
      await this.runFile(run, file, items, covers);
    }
    run.end();
  }

  private async runFile(
    run: vscode.TestRun,
    file: vscode.TestItem,
    items: vscode.TestItem[],
    covers: boolean,
  ): Promise<void> {
    const client = this.client();
    if (!client || !file.uri) return;
    const uri = client.code2ProtocolConverter.asUri(file.uri);
    const ids = items.length === file.children.size ? [] : items.map((item) => item.id);
    try {
      const told = await client.sendRequest<Told>("workspace/executeCommand", {
        command: "treemind.runTests",
        arguments: [uri, ids],
      });
      for (const item of items) {
        const end = told.tests.find((one) => one.id === item.id);
        if (!end) run.skipped(item);
        else if (!end.failure) run.passed(item, end.seconds * 1000);
        else {
          const message = new vscode.TestMessage(end.failure.text);
          const place = new vscode.Position(Math.max(0, end.failure.line - 1), 0);
          message.location = new vscode.Location(vscode.Uri.file(end.failure.file), place);
          run.failed(item, message, end.seconds * 1000);
        }
      }
      if (covers) for (const covered of told.covered ?? []) this.cover(run, client, covered);
    } catch (error) {
      const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
      for (const item of items) run.errored(item, message);
    }
  }

  /** Marks what tests reached of a file. */
  private cover(run: vscode.TestRun, client: LanguageClient, covered: Covered): void {
    const details = covered.parts.map(({ range, reached, total }) => {
      const { start, end } = range;
      const place = new vscode.Range(start.line, start.character, end.line, end.character);
      // A test has two ways, and a switch several: each is a branch.
      const ways = total > 1 ? Array.from({ length: total }, (_, way) => new vscode.BranchCoverage(way < reached, place)) : [];
      return new vscode.StatementCoverage(reached > 0, place, ways);
    });
    const file = vscode.FileCoverage.fromDetails(client.protocol2CodeConverter.asUri(covered.uri), details);
    this.details.set(file, details);
    run.addCoverage(file);
  }
}
