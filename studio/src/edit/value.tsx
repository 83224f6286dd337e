// The value of a property: literal, key or expression, with what its keys hold now.

import { useState } from "preact/hooks";
import type { SheetKey, SheetNode } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { Choice } from "./cells";
import { type Form, inBraces, isLiteral, type Way, waysOf } from "./given";
import { TYPES } from "./keys";
import * as sheet from "./sheet";
import { worthOf } from "./worth";

/** How a value is written. */
export function wayOf(text: string, keys: readonly string[], form: Form = "expression"): Way {
  if (form === "back") return "key";
  if (form !== "expression") {
    if (inBraces(text) !== null) return "key";
    return form === "argument" && text.startsWith("=") ? "expression" : "literal";
  }
  if (text === "" || isLiteral(text)) return "literal";
  return keys.includes(text.trim()) ? "key" : "expression";
}

/** The names in an expression that may be keys: not those of functions, and none in texts. */
export function namesIn(text: string): string[] {
  const plain = text.replace(/'[^']*'/g, " ");
  const found = plain.matchAll(/(?<![\w.])([\p{L}_][\p{L}\p{N}_]*)(?![\p{L}\p{N}_]|\s*\()/gu);
  return [...new Set([...found].map(([, name]) => name))];
}

/** The keys that a node can name: those that agents have, and those of its own definition. */
export function keyNames(of: SheetNode): string[] {
  const all = sheet.sheet.value;
  const at = all?.nodes.indexOf(of) ?? -1;
  const home = all?.nodes.findLast((one, nth) => nth <= at && one.depth === 0);
  const scope = `in ${home?.values[0] ?? home?.word}`;
  const known = (all?.keys ?? []).filter((key) => key.id !== 0 && (!key.scope.startsWith("in ") || key.scope === scope));
  return [...new Set(known.map((key) => key.name))];
}

/** By which of the three ways one writes a value. */
export function Ways({ name, form, way, take }: { name: string; form: Form; way: Way; take: (way: Way) => void }) {
  return (
    <span class="ways" role="radiogroup" aria-label={`${t("writtenAs")} ${name}`}>
      {waysOf(form).map((one) => (
        <button
          key={one}
          type="button"
          class="plain"
          role="radio"
          aria-checked={way === one}
          aria-label={`${name}: ${t(one)}`}
          title={t(one)}
          onClick={() => take(one)}
        >
          {{ literal: "1", key: "k", expression: "ƒ" }[one]}
        </button>
      ))}
    </span>
  );
}

/** What the keys of a value hold now; and those that nothing declares, to be declared here. */
export function Around({ of, value }: { of: SheetNode; value: string }) {
  const names = namesIn(value);
  const keys = model.definition.value?.behaviour?.keys ?? [];
  const held = names.flatMap((name) => {
    const nth = keys.findIndex((key) => key.name === name);
    const now = model.view.value?.keys?.[nth]?.value;
    return now === undefined ? [] : [[name, now] as const];
  });
  const all = sheet.sheet.value?.keys ?? [];
  const missing = all.filter((key) => key.id === 0 && names.includes(key.name) && key.uses.some((use) => use.id === of.id));
  // A key alone is worth what it holds.
  const worth = names.length === 1 && names[0] === value.trim() ? null : worthOf(value);
  if (held.length === 0 && missing.length === 0 && worth === null) return null;
  return (
    <div class="around">
      {worth !== null && (
        <span class="worth-now">
          {t("worthNow")} <code class="value">{worth === "" ? "–" : worth}</code>
        </span>
      )}
      {held.map(([name, now]) => (
        <span key={name} class="held-now">
          <code>{name}</code> = <code class="value">{now === "" ? "–" : now}</code>
        </span>
      ))}
      {missing.map((key) => (
        <Declare key={`${key.name} ${key.ty}`} of={key} />
      ))}
    </div>
  );
}

/** Declares a key that an expression names. */
function Declare({ of: { name, ty: fitting } }: { of: SheetKey }) {
  const [ty, choose] = useState(fitting || "float");
  return (
    <span class="declare">
      <button onClick={() => sheet.edit({ do: "add-key", key: { name, ty, default: "", doc: "", values: "" }, scope: "agent" })}>
        {t("declare")} <code>{name}</code>
      </button>
      <Choice label={`${t("type")} ${name}`} value={ty} words={TYPES.filter((one) => one !== "enum")} take={choose} />
    </span>
  );
}
