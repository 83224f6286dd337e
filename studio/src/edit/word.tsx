// The page of the documentation on a node, beside the node.

import { signal } from "@preact/signals";
import type { WordPage } from "../protocol";
import { t } from "../texts";
import { say } from "../wire/wire";

const pages = signal<ReadonlyMap<string, string>>(new Map());

export function take({ word, text }: WordPage): void {
  pages.value = new Map([...pages.value, [word, text]]);
}

/** Asks for the page when somebody opens it. */
export function Page({ word }: { word: string }) {
  const text = pages.value.get(word);
  return (
    <details
      class="wordpage"
      onToggle={(event) => {
        if (event.currentTarget.open && text === undefined) say({ say: "word", word });
      }}
    >
      <summary>{t("pageOf")}</summary>
      {text?.split(/\n(?=```)|(?<=\n```)\n|\n\n/).map((part, nth) => (
        <Part key={String(nth)} text={part.trim()} />
      ))}
    </details>
  );
}

/** As much of Markdown as these pages have. */
function Part({ text }: { text: string }) {
  if (text === "") return null;
  if (text.startsWith("```")) return <pre tabIndex={0}>{text.replace(/^```.*\n?|```$/g, "")}</pre>;
  if (text.startsWith("#")) return <h3>{text.replace(/^#+ /, "").replaceAll("`", "")}</h3>;
  if (text.startsWith("|")) return <pre tabIndex={0}>{text}</pre>;
  return <p>{text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")}</p>;
}
