// What is wrong with the node that is chosen, and what solves it.

import { useEffect, useState } from "preact/hooks";
import { Words } from "../panels/now";
import { shown } from "../panels/problems";
import type { Problem, Said, SheetNode } from "../protocol";
import { t } from "../texts";
import { english, said } from "../texts/purposes";
import { solutions } from "./assist";
import * as sheet from "./sheet";
import { troubles } from "./troubles";

/** Where a problem begins: the file by its position in the sheet, the line and the column. */
function placeOf(one: Problem): { file: number; line: number; column: number } {
  const [line, column] = one.at;
  return { file: sheet.sheet.peek()?.files.findIndex((file) => file.name === one.file) ?? -1, line, column };
}

/** What solves each of these problems; problems with one place are solved at the first of them. */
function useFixes(all: Problem[], isAsked: boolean): Said[][] {
  const revision = sheet.sheet.value?.revision;
  const [found, find] = useState<{ revision: number | undefined; fixes: Said[][] }>({ revision: undefined, fixes: [] });
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const fixes: Said[][] = [];
      for (const [nth, one] of all.entries()) {
        const isKnown =
          all.findIndex((other) => String([other.file, ...other.at.slice(0, 2)]) === String([one.file, ...one.at.slice(0, 2)])) < nth;
        const about = isKnown ? null : await solutions({ in: "text", ...placeOf(one), typed: null });
        // Something else was asked, or the text is another one by now.
        if (isOver || (!isKnown && !about)) return;
        fixes.push(about?.fixes ?? []);
        find({ revision, fixes: [...fixes] });
      }
    };
    if (isAsked) void ask();
    return () => {
      isOver = true;
    };
  }, [revision, isAsked]);
  return found.revision === revision ? found.fixes : [];
}

/** What is wrong with a node. */
export function Troubles({ of }: { of: SheetNode }) {
  const all = troubles.value.get(of.id) ?? [];
  // In a file with an open block, nobody changes anything but the text.
  const fixes = useFixes(all, sheet.whyFixed.value === null);
  if (all.length === 0) return null;
  return (
    <ul class="troubles" aria-label={t("problems")}>
      {all.map((one, nth) => (
        <li key={`${one.code} ${one.at}`}>
          <b class={shown(one)[0]}>{t(shown(one)[2])}</b> <Words text={said(one.text)} />
          {one.help && (
            <small>
              <Words text={said(one.help)} />
            </small>
          )}
          {fixes[nth]?.length > 0 && (
            <div class="fixes" role="group" aria-label={t("fixes")}>
              {fixes[nth].map((label) => (
                <button key={english(label)} onClick={() => sheet.edit({ do: "fix", ...placeOf(one), label: english(label) })}>
                  <Words text={said(label)} />
                </button>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
