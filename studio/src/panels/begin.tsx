// New documents: empty ones, copies, and what comes from elsewhere.

import { signal, useSignal } from "@preact/signals";
import type { Origin, Said } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { brief } from "../wire/names";
import { say } from "../wire/wire";
import * as folders from "./folders";
import { Words } from "./now";

/** Whether this page may make documents. */
export const canMake = signal(false);
/** What the last import could not take over. */
export const lost = signal<Said[]>([]);

/** The name that a new document has until somebody types another. */
const PROPOSED = "new.kdl";

/** The name of the file that a typed name makes: a document ends with `.kdl`, whether somebody has typed that or not. Empty without a name. */
export function fileOf(typed: string): string {
  const name = typed.trim().replace(/\.(kdl)?$/i, "");
  return /(^|[/\\])$/.test(name) ? "" : `${name}.kdl`;
}

/** The text in a file; `null` if it is none. */
function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

export function Begin() {
  const name = useSignal(PROPOSED);
  if (!canMake.value) return null;
  const file = fileOf(name.value);
  const why = file === "" ? t("needsName") : undefined;
  const make = (origin: Origin): void => {
    model.refused.value = "";
    say({ say: "make", name: fileOf(name.value), folder: folders.opened.value, origin });
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (name.value === PROPOSED || fileOf(name.value) === "") name.value = `${file.name.replace(/\.[^.]*$/, "")}.kdl`;
    const text = textOf(await file.arrayBuffer());
    if (text === null) model.refused.value = `${file.name}: ${t("isNoText")}`;
    else make({ of: "import", from: file.name, text });
  };
  return (
    <section class="begin" aria-label={t("makeNew")}>
      {folders.isEmpty.value && <p role="status">{t("emptyFolder")}</p>}
      <h2>{t("makeNew")}</h2>
      <label>
        {t("fileName")}{" "}
        <input
          class="code"
          value={name.value}
          aria-describedby="makes-file"
          onInput={(event) => (name.value = event.currentTarget.value)}
          // The name that is there is only proposed: what is typed takes its place.
          onClick={(event) => name.value === PROPOSED && event.currentTarget.select()}
          onKeyDown={(event) => event.stopPropagation()}
        />
      </label>
      <small id="makes-file">
        {why ?? (
          <>
            {t("makesFile")} <code>{file}</code> {t("inFolder")} <code>{folders.opened.value || folders.first.value}</code>
          </>
        )}
      </small>
      <button disabled={!!why} title={why} onClick={() => make({ of: "tree" })}>
        {t("emptyTree")}
      </button>
      <button disabled={!!why} title={why} onClick={() => make({ of: "machine" })}>
        {t("emptyMachine")}
      </button>
      <button disabled={!!why} title={why} onClick={() => make({ of: "decision" })}>
        {t("emptyDecision")}
      </button>
      <select
        aria-label={t("copyThis")}
        value=""
        disabled={!!why}
        title={why}
        onChange={(event) => make({ of: "copy", file: event.currentTarget.value })}
      >
        <option value="">{t("copyThis")} …</option>
        {model.files.value
          .filter((file) => file.endsWith(".kdl"))
          .map((file) => (
            <option key={file} value={file}>
              {brief(file)}
            </option>
          ))}
      </select>
      <label class="import">
        {t("importFile")} …
        <input type="file" accept=".xml,.scxml,.json,.csv,.kdl" onChange={(event) => void take(event.currentTarget.files?.[0])} />
      </label>
      <folders.Folders />
      {model.refused.value && (
        <p role="alert" class="fail">
          <Words text={said(model.refused.value)} />
        </p>
      )}
    </section>
  );
}

/** A button that makes a copy of what is shown, which can be changed. */
export function CopyOfIt() {
  const file = model.view.value?.file ?? "";
  if (!canMake.value || !file.endsWith(".kdl")) return null;
  const copy = (): void => {
    model.refused.value = "";
    say({ say: "make", name: file.split(/[\\/]/).at(-1) ?? "", folder: folders.opened.value, origin: { of: "copy", file } });
  };
  return (
    <button class="copy-of-it" onClick={copy}>
      {t("copyOfIt")}
    </button>
  );
}

/** What an import could not take over, until it is closed. */
export function Lost() {
  if (lost.value.length === 0) return null;
  return (
    <div class="lost" role="status">
      {t("lostSome")} <Words text={lost.value.map(said).join(" · ")} />{" "}
      <button class="plain" aria-label={t("close")} onClick={() => (lost.value = [])}>
        ×
      </button>
    </div>
  );
}
