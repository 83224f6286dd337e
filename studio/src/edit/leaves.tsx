// The leaves of the document as a table.

import { useState } from "preact/hooks";
import { Answers, stubOf } from "../panels/stubs";
import type { SheetLeaf } from "../protocol";
import { t } from "../texts";
import { Cell, Choice, inRow, Users } from "./cells";
import { Default, Doc, Remove, TYPES, Type } from "./keys";
import * as sheet from "./sheet";

/** The kinds of leaves, as the language has them. */
const kinds = (): string[] => (sheet.words.value?.words ?? []).filter((one) => one.place === "in `leaves`").map((one) => one.name);
/** What candidates may be. */
const LISTED = ["vec2", "vec3", "entity"] as const;

export function Leaves() {
  const all = sheet.sheet.value?.leaves ?? [];
  const names = ["kind", "name", "params"] as const;
  return (
    <section class="table" aria-label={t("leafTable")}>
      {all.length === 0 && <p class="by">{t("noLeavesYet")}</p>}
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
        {all.map((row) => (row.id === 0 ? <Undeclared key={row.name} row={row} /> : <Row key={row.id} row={row} />))}
        <NewLeaf />
      </table>
    </section>
  );
}

function Row({ row }: { row: SheetLeaf }) {
  const stub = stubOf(row.name);
  const isUnused = row.uses.length === 0;
  return (
    <tbody data-leaf={row.name} class={isUnused ? "unused" : undefined} {...inRow(row.name)}>
      <tr>
        <td>
          <Choice
            label={`${t("kind")} ${row.name}`}
            value={row.kind}
            words={kinds()}
            take={(word) => sheet.edit({ do: "change-kind", id: row.id, word })}
          />
        </td>
        <td>
          <Cell label={`${t("name")} ${row.name}`} value={row.name} edit={(name) => ({ do: "rename", id: row.id, name })} />
          {row.kind === "candidates" && (
            <Choice
              label={`${t("type")} ${row.name}`}
              value={row.ty ?? ""}
              words={LISTED}
              take={(value) => sheet.edit({ do: "set", id: row.id, name: "type", value })}
            />
          )}
        </td>
        <td class="params">
          {row.params.map((param) => (
            <div key={param.id} data-param={param.name}>
              <Cell label={`${t("name")} ${param.name}`} value={param.name} edit={(name) => ({ do: "rename", id: param.id, name })} />
              <Type of={param} />
              <Default of={param} />
              <Remove id={param.id} name={param.name} />
              <Doc of={param} />
            </div>
          ))}
          <NewParam of={row} />
          {stub && <Answers of={stub} />}
        </td>
        <td>
          <Remove id={row.id} name={row.name} />
        </td>
      </tr>
      <tr class="more">
        <td colSpan={4}>
          <Doc of={row} />
          {isUnused && <span class="badge">{t("unused")}</span>}
          <Users uses={row.uses} isLeaf />
        </td>
      </tr>
    </tbody>
  );
}

/** A leaf that a tree uses and that no manifest has. */
function Undeclared({ row }: { row: SheetLeaf }) {
  const { kind, name } = row;
  return (
    <tbody data-leaf={name} class="undeclared" {...inRow(name)}>
      <tr>
        <td>
          <small>{kind}</small>
        </td>
        <td>
          <code>{name}</code>
        </td>
        <td colSpan={2}>
          <span class="badge fail">{t("undeclared")}</span>{" "}
          <button onClick={() => sheet.edit({ do: "add-leaf", kind, name, doc: "" })}>
            {t("declare")} <code>{name}</code>
          </button>
        </td>
      </tr>
      <tr class="more">
        <td colSpan={4}>
          <Users uses={row.uses} isLeaf />
        </td>
      </tr>
    </tbody>
  );
}

/** The field in which a parameter is added. */
function NewParam({ of }: { of: SheetLeaf }) {
  const [isAsked, ask] = useState(false);
  const [ty, choose] = useState("float");
  if (!isAsked)
    return (
      <button class="plain" aria-label={`${t("addParam")}: ${of.name}`} title={t("addParam")} onClick={() => ask(true)}>
        +
      </button>
    );
  return (
    <div>
      <input
        class="code"
        aria-label={`${t("addParam")}: ${of.name}`}
        placeholder={t("name")}
        ref={(input) => input?.focus()}
        onKeyDown={(event) => {
          event.stopPropagation();
          const name = event.currentTarget.value;
          if (event.key === "Enter" && name)
            sheet.edit({ do: "add-param", id: of.id, param: { name, ty, default: "", doc: "", values: "" } });
          if (event.key === "Enter" || event.key === "Escape") ask(false);
        }}
      />
      <Choice label={t("type")} value={ty} words={TYPES.filter((one) => one !== "enum")} take={choose} />
    </div>
  );
}

/** The row in which a leaf is added, which need not exist in the game yet. */
function NewLeaf() {
  const [of, say] = useState({ kind: "action", name: "", doc: "" });
  const add = (): void => {
    if (of.name === "") return;
    sheet.edit({ do: "add-leaf", ...of });
    say({ ...of, name: "", doc: "" });
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Enter") add();
    if (event.key === "Escape") say({ ...of, name: "", doc: "" });
  };
  const field = (name: "name" | "doc", label: string) => (
    <input
      class={name === "name" ? "code" : undefined}
      aria-label={label}
      placeholder={label}
      value={of[name]}
      onInput={(event) => say({ ...of, [name]: event.currentTarget.value })}
      onKeyDown={press}
    />
  );
  return (
    <tbody class="new" {...inRow(t("newLeaf"))}>
      <tr>
        <td>
          <Choice label={t("kind")} value={of.kind} words={kinds()} take={(kind) => say({ ...of, kind })} />
        </td>
        <td colSpan={3}>{field("name", t("newLeaf"))}</td>
      </tr>
      <tr class="more">
        <td colSpan={4}>
          {field("doc", t("doc"))}
          <button disabled={of.name === ""} onClick={add}>
            + {t("addLeaf")}
          </button>
        </td>
      </tr>
    </tbody>
  );
}
