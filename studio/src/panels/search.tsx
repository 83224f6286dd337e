// Finding: lines of the definition, keys, the documents' text, and when something was so.

import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { withMark } from "../edit/unwritten";
import { Chooser } from "../parts/chooser";
import { short } from "../parts/short";
import { t } from "../texts";
import * as model from "../wire/model";
import { brief } from "../wire/names";
import { open, say } from "../wire/wire";

/** Whether the window is open, and what is looked for. */
export const isOpen = signal(false);
const wanted = signal("");

/** Of each sort, how many finds are shown. */
const MOST = 12;

interface Find {
  sort: "ticks" | "line" | "key" | "text" | "file";
  text: string;
  note: string;
  go: () => void;
}

/** Stretches of ticks in which the chosen agent did something or was in a state, in which a key had a value, or something happened. */
function inTime(query: string): Find[] {
  const film = model.film.value;
  const keys = model.definition.value?.behaviour?.keys ?? [];
  const has = (text: string): boolean => text.toLowerCase().includes(query);
  const found: { from: number; to: number; text: string }[] = [];
  for (const [from, to, text] of film.does.concat(film.states)) if (has(text)) found.push({ from, to, text });
  film.keys.forEach((bars, nth) => {
    const name = keys[nth]?.name ?? "";
    for (const [from, to, value] of bars) {
      const text = `${name} = ${value === "" ? "–" : value}`;
      // A bare name finds the key below, not each of its values.
      if (has(text) && !has(name)) found.push({ from, to, text });
      else if (query.length > name.length && has(text)) found.push({ from, to, text });
    }
  });
  for (const [tick, , text] of film.events) if (has(text)) found.push({ from: tick, to: tick, text });
  found.sort((left, right) => left.from - right.from);
  return found.map(({ from, to, text }) => ({
    sort: "ticks",
    text,
    note: from === to ? `${t("tick")} ${from}, ${model.secs(from)}` : `${t("ticks")} ${from}–${to}, ${model.secs(from)}–${model.secs(to)}`,
    go: () => say({ say: "go", tick: from }),
  }));
}

function everywhere(query: string): Find[] {
  const has = (text: string): boolean => text.toLowerCase().includes(query);
  const time = inTime(query);
  const lines: Find[] = model.lines.value
    .filter((line) => has(line.text) || has(line.doc))
    .map((line) => ({ sort: "line", text: line.text, note: line.doc, go: () => model.reveal(line.id) }));
  const keys: Find[] = (model.definition.value?.behaviour?.keys ?? [])
    .map((key, nth) => ({ key, held: model.view.value?.keys?.[nth] }))
    .filter(({ key }) => has(key.name))
    .map(({ key, held }) => ({
      sort: "key",
      text: `${key.name} = ${held?.value || "–"}`,
      note: held?.changed ? `${t("writtenIn")} ${t("tick")} ${held.changed}` : "",
      go: () => held?.changed && say({ say: "go", tick: held.changed }),
    }));
  const texts: Find[] = (model.definition.value?.texts ?? []).flatMap((one) =>
    one.text
      .split("\n")
      .flatMap((line, nth): Find[] =>
        has(line)
          ? [{ sort: "text", text: line.trim(), note: `${brief(one.name)}:${nth + 1}`, go: () => model.showText(one.name, nth + 1) }]
          : [],
      ),
  );
  const files: Find[] = model.files.value
    .filter((file) => has(file) && file !== model.view.value?.file)
    .map((file) => ({ sort: "file", text: withMark(file, brief(file)), note: "", go: () => open(file) }));
  return [time, lines, keys, texts, files].flatMap((all) => all.slice(0, MOST));
}

export function Search() {
  useLayoutEffect(() => {
    wanted.value = "";
  }, []);
  const query = wanted.value.trim().toLowerCase();
  const found = query === "" ? [] : everywhere(query);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <Chooser
      label={t("search")}
      listed={t("finds")}
      placeholder={t("searchFor")}
      id="find"
      wanted={wanted}
      found={found}
      close={close}
      take={(find) => {
        close();
        find.go();
      }}
      sort={(find) => find.sort}
      saysNothing={query !== ""}
      row={(find, nth) => (
        <>
          {(nth === 0 || found[nth - 1].sort !== find.sort) && <h3>{t(`sort_${find.sort}`)}</h3>}
          <p title={short(find.text, 2000)}>
            <span>{short(find.text)}</span> <small>{find.note}</small>
          </p>
        </>
      )}
    />
  );
}
