// Two versions of a document as one drawing: what was added, removed, moved and changed.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { BORDER, drawn, SIGNS } from "../graph/versions";
import { Dialog } from "../parts/dialog";
import type { Compared, Comparison, Versus } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { brief } from "../wire/names";
import { say } from "../wire/wire";
import * as sheet from "./sheet";
import { called } from "./together";

export const comparison = signal<Comparison | null>(null);
/** What the document was compared with last, as it was chosen. */
const against = signal("");

/** Where a node is: the nodes around it. */
export const placeOf = (of: Compared): string => (of.path ?? []).join(" › ");

/** A node in a line: what it is, what it is called, and what differs. */
export function inLine(of: Pick<Compared, "word" | "called" | "says">): string {
  const says = said(of.says);
  return [of.word, of.called && says ? `${of.called}: ${says}` : says].filter(Boolean).join(" ");
}

/** The nodes in which something differs, with what is around and beside it: whole definitions that are the same are left out. */
export function telling(nodes: Compared[]): Compared[] {
  const starts = nodes.flatMap((one, nth) => (one.depth === 0 ? [nth] : []));
  const parts = starts.map((from, nth) => nodes.slice(from, starts[nth + 1]));
  return parts.filter((part) => part.some((one) => one.how !== "same")).flat();
}

/** The file that a node is in, if the document imports it. */
export function fileOf(nodes: Compared[], of: Compared): string | undefined {
  const nth = nodes.indexOf(of);
  return nodes.findLast((one, at) => at <= nth && one.depth === 0)?.file;
}

/** What differs, in words, for who does not see the drawing. */
export const inWords = (nodes: Compared[]): string =>
  nodes
    .filter((one) => one.is_told)
    .map((one) => `${t(`how_${one.how}`)}: ${[placeOf(one), inLine(one)].filter(Boolean).join(": ")}`)
    .join("; ");

export const sourceOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Chooses with what the document is compared. */
export function Versions() {
  const done = sheet.sheet.value?.done ?? [];
  const choose = (event: Event & { currentTarget: HTMLSelectElement }): void => {
    const { value, selectedOptions } = event.currentTarget;
    if (value === "") return;
    model.refused.value = "";
    against.value = `↔ ${selectedOptions[0]?.text ?? ""}`;
    say({ say: "compare", versus: JSON.parse(value) as Versus });
  };
  const option = (versus: Versus, label: string) => (
    <option key={label} value={JSON.stringify(versus)}>
      {label}
    </option>
  );
  return (
    <div class="versions">
      <select aria-label={t("versions")} value="" onChange={choose}>
        <option value="">{t("versions")}</option>
        {model.definition.value?.is_in_git && option({ with: "commit" }, t("lastCommit"))}
        {done
          .map((one, nth) =>
            option(
              { with: "step", back: done.length - nth },
              `${t("beforeStep")} ${done.length - nth}. ${said(one.label)} (${called(one.by)})`,
            ),
          )
          .reverse()}
        {model.files.value
          .filter((file) => file !== model.view.value?.file && file.endsWith(".kdl"))
          .map((file) => option({ with: "file", file }, brief(file)))}
      </select>
      {comparison.value && <Drawn of={comparison.value} />}
    </div>
  );
}

function Drawn({ of }: { of: Comparison }) {
  const close = (): void => {
    comparison.value = null;
  };
  const box = useRef<HTMLDivElement>(null);
  const nodes = telling(of.nodes);
  const differing = nodes.filter((one) => one.is_told);
  const { svg, at } = drawn(nodes);
  const show = (one: Compared): void => {
    const card = at.get(one);
    const around = box.current;
    if (!card || !around) return;
    around.scrollTo(card.x + BORDER + card.w / 2 - around.clientWidth / 2, card.y + BORDER + card.h / 2 - around.clientHeight / 2);
  };
  // What differs first is what one wants to see first. The picture has its size as soon as it is read.
  const begin = (): void => {
    if (differing.length > 0) show(differing[0]);
  };
  return (
    <Dialog label={t("versions")} name="compared" close={close}>
      <div>
        <h2>
          {brief(of.file)} <small>{against.value}</small>
        </h2>
        {of.missing && (
          <p class="told">
            {t("notCompared")} <code>{of.missing.join(", ")}</code>
          </p>
        )}
        {nodes.length === 0 ? (
          <p>{t("nothingDiffers")}</p>
        ) : (
          <>
            <div ref={box} class="drawn" tabIndex={0} role="group" aria-label={t("graph")}>
              <img alt={inWords(nodes)} src={sourceOf(svg)} onLoad={begin} />
            </div>
            <ul>
              {differing.map((one, nth) => (
                <li key={String(nth)} class={one.how}>
                  <button class="plain" onClick={() => show(one)}>
                    <b>
                      {SIGNS[one.how]} {t(`how_${one.how}`)}
                    </b>{" "}
                    {placeOf(one) && <small>{placeOf(one)}: </small>}
                    <code>{inLine(one)}</code>
                    {fileOf(nodes, one) && <small> {fileOf(nodes, one)}</small>}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <button onClick={close}>{t("close")}</button>
      </div>
    </Dialog>
  );
}
