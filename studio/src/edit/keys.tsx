// The keys of the document as a table.

import { useState } from "preact/hooks";
import type { Edit, KeyScope, SheetKey } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { Cell, Choice, inRow, Users, useNew } from "./cells";
import { ImportOf } from "./import";
import { Why } from "./menu";
import * as sheet from "./sheet";

export const TYPES = ["bool", "int", "float", "double", "enum", "entity", "vec2", "vec3", "string", "any"] as const;
const SCOPES = ["agent", "group", "world"] as const;

const scopeSaid = (word: string): string => t(`scope_${word as KeyScope}`);

export function Keys() {
  const all = sheet.sheet.value?.keys ?? [];
  const names = ["name", "type", "default", "now", "scope"] as const;
  return (
    <section class="table" aria-label={t("keyTable")}>
      {all.length === 0 && <p class="by">{t("noKeysYet")}</p>}
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        {all.map((row) => (row.id === 0 ? <Undeclared key={`${row.name} ${row.ty}`} row={row} /> : <Row key={row.id} row={row} />))}
        <NewKey />
      </table>
    </section>
  );
}

/** What a key holds in the running game. */
function Now({ name }: { name: string }) {
  const nth = model.definition.value?.behaviour?.keys.findIndex((key) => key.name === name) ?? -1;
  const value = model.view.value?.keys?.[nth]?.value;
  return <td class="value-now">{value === undefined ? null : <code class="value">{value === "" ? "–" : value}</code>}</td>;
}

function Row({ row }: { row: SheetKey }) {
  const isShared = (SCOPES as readonly string[]).includes(row.scope);
  const isUnused = row.uses.length === 0;
  const isNeverRead = !isUnused && !row.uses.some((use) => use.is_read);
  return (
    <tbody data-key={row.name} class={isUnused ? "unused" : undefined} {...inRow(row.name)}>
      <tr>
        <td>
          <Cell label={`${t("name")} ${row.name}`} value={row.name} edit={(name) => ({ do: "rename", id: row.id, name })} />
          {row.word !== "key" && <small>{row.word}</small>}
        </td>
        <td>
          <Type of={row} />
        </td>
        <td>
          <Default of={row} />
        </td>
        <Now name={row.name} />
        <td>
          {isShared && row.word === "key" ? (
            <Choice
              label={`${t("scope")} ${row.name}`}
              value={row.scope}
              words={SCOPES}
              said={scopeSaid}
              take={(scope) => sheet.edit({ do: "set-scope", id: row.id, scope: scope as KeyScope })}
            />
          ) : (
            <small>{row.scope}</small>
          )}
        </td>
        <td>
          <Remove id={row.id} name={row.name} />
        </td>
      </tr>
      <tr class="more">
        <td colSpan={6}>
          <Doc of={row} />
          {(isUnused || isNeverRead) && <span class="badge">{t(isUnused ? "unused" : "neverRead")}</span>}
          {row.sensor && <small>sensor={row.sensor} </small>}
          <ImportOf id={row.id} />
          <Users uses={row.uses} />
        </td>
      </tr>
    </tbody>
  );
}

/** The type of a key or parameter, and the values of an enumeration. */
export function Type({ of }: { of: SheetKey }) {
  // An enumeration needs values before it can be one.
  const [askedAt, ask] = useState<string | null>(null);
  const isEnum = of.ty === "enum";
  const asks = askedAt === of.ty && !isEnum;
  return (
    <>
      <Choice
        label={`${t("type")} ${of.name}`}
        value={asks ? "enum" : of.ty}
        words={TYPES}
        take={(ty) => {
          ask(ty === "enum" ? of.ty : null);
          if (ty !== "enum" && ty !== of.ty) sheet.edit({ do: "set-type", id: of.id, ty, values: "" });
        }}
      />
      {of.list && <small> × {of.list}</small>}
      {(asks || isEnum) && (
        <div class={isEnum ? "enum" : "enum asked"}>
          <Cell
            label={`${t("values")} ${of.name}`}
            value={isEnum ? of.values.join(" ") : ""}
            placeholder={t("valuesLike")}
            isFocused={!isEnum}
            edit={(values) => ({ do: "set-type", id: of.id, ty: "enum", values })}
            givenUp={() => ask(null)}
          />
        </div>
      )}
    </>
  );
}

/** What a key or parameter holds at first. */
export function Default({ of }: { of: SheetKey }) {
  if (of.list) return null;
  const label = `${t("default")} ${of.name}`;
  const edit = (value: string): Edit =>
    value === "" && of.ty !== "string" ? { do: "unset", id: of.id, name: "default" } : { do: "set-default", id: of.id, value };
  const words = of.ty === "bool" ? ["true", "false"] : of.ty === "enum" ? of.values : null;
  if (words) return <Choice label={label} value={of.default ?? ""} words={words} take={(value) => sheet.edit(edit(value))} />;
  return <Cell label={label} value={of.default ?? ""} placeholder={t("default")} edit={edit} />;
}

/** What a key or leaf is for. */
export function Doc({ of }: { of: { id: number; name: string; doc: string | null } }) {
  const edit = (value: string): Edit =>
    value === "" ? { do: "unset", id: of.id, name: "doc" } : { do: "set", id: of.id, name: "doc", value };
  const label = `${t("doc")}: ${of.name}`;
  return <Cell label={label} value={of.doc ?? ""} placeholder={t("doc")} edit={edit} isCode={false} />;
}

export function Remove({ id, name }: { id: number; name: string }) {
  return (
    <button class="plain" aria-label={`${t("remove")} ${name}`} title={t("remove")} onClick={() => sheet.edit({ do: "remove", ids: [id] })}>
      ×
    </button>
  );
}

/** A key that expressions name and that nothing declares. */
function Undeclared({ row }: { row: SheetKey }) {
  const [ty, choose] = useState(row.ty || "float");
  return (
    <tbody data-key={row.name} class="undeclared" {...inRow(row.name)}>
      <tr>
        <td>
          <code>{row.name}</code>
        </td>
        <td>
          <Choice label={`${t("type")} ${row.name}`} value={ty} words={TYPES.filter((one) => one !== "enum")} take={choose} />
        </td>
        <td colSpan={4}>
          <span class="badge fail">{t("undeclared")}</span>{" "}
          <button onClick={() => sheet.edit({ do: "add-key", key: { ...NOTHING, name: row.name, ty }, scope: "agent" })}>
            {t("declare")} <code>{row.name}</code>
          </button>
        </td>
      </tr>
      <tr class="more">
        <td colSpan={6}>
          <Users uses={row.uses} />
        </td>
      </tr>
    </tbody>
  );
}

const NOTHING = { name: "", ty: "float", default: "", doc: "", values: "" };

/** The row in which a key is added. */
function NewKey() {
  const {
    of: { key: of, scope },
    say: keep,
    add: tryIt,
    why,
  } = useNew({ do: "add-key", key: NOTHING, scope: "agent" as KeyScope }, t("newKey"));
  const say = (key: typeof NOTHING): void => keep({ do: "add-key", key, scope });
  const put = (name: keyof typeof NOTHING) => (event: { currentTarget: HTMLInputElement }) =>
    say({ ...of, [name]: event.currentTarget.value });
  const add = (): void => {
    if (of.name !== "") tryIt({ do: "add-key", key: { ...NOTHING, ty: of.ty }, scope });
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Enter") add();
    if (event.key === "Escape") say(NOTHING);
  };
  const field = (name: keyof typeof NOTHING, label: string) => (
    <input class="code" aria-label={label} placeholder={label} value={of[name]} onInput={put(name)} onKeyDown={press} />
  );
  return (
    <tbody class="new" {...inRow(t("newKey"))}>
      <tr>
        <td>{field("name", t("newKey"))}</td>
        <td>
          <Choice label={t("type")} value={of.ty} words={TYPES} take={(ty) => say({ ...of, ty })} />
          {of.ty === "enum" && field("values", t("values"))}
        </td>
        <td>{field("default", t("default"))}</td>
        <td />
        <td colSpan={2}>
          <Choice
            label={t("scope")}
            value={scope}
            words={SCOPES}
            said={scopeSaid}
            take={(one) => keep({ do: "add-key", key: of, scope: one as KeyScope })}
          />
        </td>
      </tr>
      <tr class="more">
        <td colSpan={6}>
          {field("doc", t("doc"))}
          <button disabled={of.name === ""} onClick={add}>
            + {t("addKey")}
          </button>
          <Why of={why} />
        </td>
      </tr>
    </tbody>
  );
}
