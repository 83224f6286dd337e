// A page alone: passes on what is seen, and takes it along.

import { signal } from "@preact/signals";
import { Dialog } from "../parts/dialog";
import { t } from "../texts";
import { isAlone } from "../wire/carrier";
import * as model from "../wire/model";
import { around, packed, zip } from "../wire/share";
import { aside } from "../wire/typed";
import { seed } from "../wire/wire";

/** The link that is shown. */
const link = signal<string | null>(null);
const isCopied = signal(false);

async function share(): Promise<void> {
  const view = model.view.value;
  if (!view) return;
  const file = view.file.slice(view.file.lastIndexOf("/") + 1);
  try {
    const place = { tick: view.goal ?? view.tick, agent: view.mind + 1, seed: seed.value };
    const all = await packed({ files: await around(view.file), file, ...place });
    isCopied.value = false;
    link.value = `${location.href.split("#")[0]}#share=${all}`;
  } catch (error) {
    model.refused.value = (error as Error).message;
  }
}

async function download(): Promise<void> {
  const file = model.view.value?.file;
  if (!file) return;
  const folder = file.includes("/") ? file.split("/")[0] : "treemind";
  const files = (await around(file)).map(([name, text]): [string, string] => [`${folder}/${name}`, text]);
  save(new Blob([zip(files)], { type: "application/zip" }), `${folder}.zip`);
}

function save(what: Blob, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(what);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Plays everything again with another seed. */
function sow(text: string): void {
  const wanted = Number(text);
  if (!Number.isSafeInteger(wanted) || wanted < 0 || wanted === seed.value) return;
  const parts = new URLSearchParams(location.hash.slice(1));
  parts.set("seed", String(wanted));
  history.replaceState(null, "", `#${parts}`);
  location.reload();
}

/** A text that has ended the session twice: here it can be had. */
export function Aside() {
  if (aside.value === null) return null;
  const [file, text] = aside.value;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return (
    <div class="told bad aside" role="alert">
      <span>
        {file} {t("setAside")}
      </span>
      <button onClick={() => save(new Blob([text], { type: "text/plain" }), name)}>{t("itsText")}</button>
      <button class="plain" aria-label={t("close")} title={t("close")} onClick={() => (aside.value = null)}>
        ×
      </button>
    </div>
  );
}

export function ShareButtons() {
  // A frame in the book is narrow, and leads to the page alone.
  if (!isAlone || window.top !== window.self || !model.view.value) return null;
  return (
    <>
      <button class="plain share" onClick={() => void share()}>
        {t("share")}
      </button>
      <button class="plain" title={t("downloadWhat")} onClick={() => void download()}>
        {t("download")}
      </button>
    </>
  );
}

export function ShareLink() {
  if (link.value === null) return null;
  const close = (): void => {
    link.value = null;
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link.value ?? "");
    isCopied.value = true;
  };
  return (
    <Dialog label={t("share")} name="picture" close={close}>
      <div>
        <h2>{t("share")}</h2>
        <p>{t("shareWhat")}</p>
        <input class="link" aria-label={t("shareLink")} readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
        <label title={t("seedWhat")}>
          {t("seed")}{" "}
          <input
            class="seed"
            type="number"
            min="0"
            max={Number.MAX_SAFE_INTEGER}
            value={seed.value}
            onChange={(event) => sow(event.currentTarget.value)}
          />
        </label>
        <p class="acts">
          <button onClick={() => void copy().catch(() => document.querySelector<HTMLInputElement>("dialog .link")?.focus())}>
            {isCopied.value ? t("copied") : t("copy")}
          </button>
          <button onClick={close}>{t("close")}</button>
        </p>
      </div>
    </Dialog>
  );
}
