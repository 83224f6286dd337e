// What networks and rules have in common: which of several is shown, and the head of its part of the page.

import { type Signal, signal } from "@preact/signals";
import { t } from "../texts";
import * as model from "../wire/model";
import { say } from "../wire/wire";

type Weighed = { node: number; name: string; tick: number };

/** The one that the user has chosen, by the number of its node. */
export const choice = (): Signal<number | null> => signal(null);

/** Of several, the one whose line is selected, the one that was chosen, or the first. */
export function shownOf<T extends Weighed>(all: T[] | undefined, chosen: Signal<number | null>): T | null {
  const list = all ?? [];
  const isSelected = (one: T): boolean => `n${one.node}` === model.selected.value;
  return list.find(isSelected) ?? list.find((one) => one.node === chosen.value) ?? list[0] ?? null;
}

/** A number with as many digits as one reads. */
export const number = (value: number): string => String(Number(value.toPrecision(3)));

export function Head({ title, of, all, chosen }: { title: string; of: Weighed; all: Weighed[]; chosen: Signal<number | null> }) {
  return (
    <div class="head">
      <h2>{title}</h2>
      {all.length > 1 ? (
        <select
          aria-label={title}
          value={String(of.node)}
          onChange={(event) => {
            chosen.value = Number(event.currentTarget.value);
            model.selected.value = `n${chosen.value}`;
          }}
        >
          {all.map((one) => (
            <option key={one.node} value={String(one.node)}>
              {one.name}
            </option>
          ))}
        </select>
      ) : (
        <button class="plain name" onClick={() => model.reveal(`n${of.node}`)}>
          <code>{of.name}</code>
        </button>
      )}
      <span class="grow" />
      {of.tick === model.view.value?.tick ? (
        <small>
          {t("foundAt")} {of.tick}
        </small>
      ) : (
        <button class="link" onClick={() => say({ say: "go", tick: of.tick })}>
          → {t("tick")} {of.tick}
        </button>
      )}
    </div>
  );
}
