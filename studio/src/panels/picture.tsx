// The window in which one chooses how the graph becomes a file.

import { signal, useSignal } from "@preact/signals";
import { asSvg, download, nameOf, type Theme, themeNow } from "../graph/picture";
import { isSource } from "../graph/shown";
import { Dialog } from "../parts/dialog";
import { t } from "../texts";
import * as model from "../wire/model";

export const isOpen = signal(false);

/** Opens it, if there is a graph. */
export function open(): void {
  if (model.definition.value?.behaviour || isSource.value) isOpen.value = true;
}

export function Picture() {
  const theme = useSignal<Theme>(themeNow());
  if (!isOpen.value) return null;
  const close = (): void => {
    isOpen.value = false;
  };
  const take = (end: "svg" | "png"): void => {
    void download(theme.value, end).then(close);
  };
  return (
    <Dialog label={t("picture")} name="picture" close={close}>
      <div>
        <h2>{t("picture")}</h2>
        <p>
          {t("pictureOf")} {model.view.value?.tick}
        </p>
        <img alt={t("pictureLooks")} src={`data:image/svg+xml,${encodeURIComponent(asSvg(theme.value))}`} />
        <fieldset>
          <legend>{t("theme")}</legend>
          {(["dark", "light"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="picture-theme" checked={theme.value === one} onChange={() => (theme.value = one)} /> {t(one)}
            </label>
          ))}
        </fieldset>
        <p class="acts">
          <button title={nameOf(theme.value, "svg")} onClick={() => take("svg")}>
            SVG
          </button>
          <button title={nameOf(theme.value, "png")} onClick={() => take("png")}>
            PNG
          </button>
          <button onClick={close}>{t("close")}</button>
        </p>
      </div>
    </Dialog>
  );
}
