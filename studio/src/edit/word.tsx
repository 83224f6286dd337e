// The page of the documentation on a node, beside the node.

import { signal } from "@preact/signals";
import type { WordPage } from "../protocol";
import { language, t } from "../texts";
import { purpose } from "../texts/purposes";
import { say } from "../wire/wire";

const pages = signal<ReadonlyMap<string, string>>(new Map());

const key = (word: string, place: string): string => `${word} ${place}`;

export function take({ word, place, text }: WordPage): void {
  pages.value = new Map([...pages.value, [key(word, place), text]]);
}

/** Asks for the page when somebody opens it. */
export function Page({ word, place }: { word: string; place: string }) {
  const text = pages.value.get(key(word, place));
  return (
    <details
      class="wordpage"
      onToggle={(event) => {
        if (event.currentTarget.open && text === undefined) say({ say: "word", word, place });
      }}
    >
      <summary>{t("pageOf")}</summary>
      {language.value === "zh" && text !== undefined && <p class="muted">{t("pageInEnglish")}</p>}
      {text?.split(/\n(?=```)|(?<=\n```)\n|\n\n/).map((part, nth) => (
        <Part key={String(nth)} text={part.trim()} />
      ))}
    </details>
  );
}

/** A text in the language of the page, as far as it is known in that, without the signs of Markdown within lines. */
const plain = (text: string): string =>
  purpose(text)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`|\*\*/g, "");

/** As much of Markdown as these pages have. */
function Part({ text }: { text: string }) {
  const code = text.replace(/^```.*\n?|```$/g, "");
  if (text === "" || code.trim() === "") return null;
  if (text.startsWith("```")) return <pre tabIndex={0}>{code}</pre>;
  if (text.startsWith("#")) return <h3>{plain(text.replace(/^#+ /, ""))}</h3>;
  if (text.startsWith("- "))
    return (
      <ul>
        {text
          .slice(2)
          .split("\n- ")
          .map((item) => (
            <li key={item}>{plain(item)}</li>
          ))}
      </ul>
    );
  if (!text.startsWith("|")) return <p>{plain(text)}</p>;
  const rows = text.split("\n").filter((row) => !/^\|[-| :]+\|$/.test(row));
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {row
              .slice(1, -1)
              .split("|")
              .map((cell, nth) => (
                <td key={String(nth)}>{plain(cell.trim())}</td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
