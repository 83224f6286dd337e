// The leaves of the document as a table.

import { useRef, useState } from "preact/hooks";
import { Answers, stubOf } from "../panels/stubs";
import type { Edit, Said, SheetLeaf } from "../protocol";
import { t } from "../texts";
import { Cell, Choice, inRow, toRow, Users, useNew } from "./cells";
import { ImportOf, LeavesGoTo } from "./import";
import { Default, Doc, Remove, TYPES, Type } from "./keys";
import { focusedOnce, tried, Why } from "./menu";
import * as sheet from "./sheet";
import { whyBroken } from "./trial";
import * as unsent from "./unsent";

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
          <ImportOf id={row.id} />
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
          </button>{" "}
          <LeavesGoTo />
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

/** The form in which a parameter is added: with Enter, with its button, or when it is left. What is refused stays, with the reason, and what cannot be sent also when the page is loaded again. */
function NewParam({ of }: { of: SheetLeaf }) {
  const label = `${t("addParam")}: ${of.name}`;
  const kept = unsent.unsent.value.find((one) => one.id === of.id && one.edit?.do === "add-param");
  const [isAsked, ask] = useState(false);
  const [ty, choose] = useState(kept?.edit?.do === "add-param" ? kept.edit.param.ty : "float");
  const [why, refuse] = useState<Said>("");
  const input = useRef<HTMLInputElement>(null);
  /** The name that the server has been asked about and has not answered yet. */
  const asked = useRef("");
  const close = (): void => {
    asked.current = "";
    refuse("");
    ask(false);
    unsent.types(null);
    unsent.drop(of.id, label);
  };
  const edit = (name: string): Edit => ({ do: "add-param", id: of.id, param: { name, ty, default: "", doc: "", values: "" } });
  const unsentOf = (name: string): unsent.Unsent | null => {
    const now = sheet.sheet.peek();
    const node = now?.nodes.find((one) => one.id === of.id);
    return now && node && name !== "" ? unsent.about(node, now, label, name, edit(name)) : null;
  };
  const add = (isLeft = false): void => {
    const name = input.current?.value.trim() ?? "";
    if (name !== "" && name === asked.current) return;
    const form = input.current?.parentElement;
    const done = (): void => {
      if (!isLeft && form?.contains(document.activeElement)) toRow(form);
      close();
    };
    if (name === "") {
      done();
      return;
    }
    asked.current = name;
    const refused = (said: Said): void => {
      asked.current = "";
      refuse(said);
      const what = whyBroken() === null ? null : unsentOf(name);
      if (what) unsent.put(what);
      // Then the form is there as long as it is kept.
      if (what) ask(false);
    };
    tried(edit(name), done, refused);
  };
  if (!isAsked && !kept)
    return (
      <button class="plain" aria-label={label} title={t("addParam")} onClick={() => ask(true)}>
        +
      </button>
    );
  return (
    <div
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) add(true);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        const isButton = (event.target as HTMLElement).tagName === "BUTTON";
        if (event.key === "Escape") {
          // Nothing is left behind by a form that is given up.
          if (input.current) input.current.value = "";
          toRow(event.currentTarget);
          close();
        } else if (event.key === "Enter" && !isButton) add();
        else return;
        event.preventDefault();
      }}
    >
      <input
        class="code"
        aria-label={label}
        aria-invalid={why === "" && !kept ? undefined : true}
        defaultValue={kept?.text}
        placeholder={t("name")}
        spellcheck={false}
        ref={(field) => {
          input.current = field;
          if (isAsked) focusedOnce(field);
        }}
        onInput={(event) => {
          refuse("");
          unsent.types(unsentOf(event.currentTarget.value.trim()));
        }}
      />
      <Choice label={t("type")} value={ty} words={TYPES.filter((one) => one !== "enum")} take={choose} />
      <button class="plain" aria-label={`${t("add")}: ${of.name}`} title={t("add")} onClick={() => add()}>
        +
      </button>
      <Why of={why} />
      {kept && why === "" && <small class="bad not-sent">{t("fieldNotSent")}</small>}
    </div>
  );
}

/** The row in which a leaf is added, which need not exist in the game yet. */
function NewLeaf() {
  const { of, say, add: tryIt, why } = useNew({ do: "add-leaf", kind: "action", name: "", doc: "" }, t("newLeaf"));
  const add = (): void => {
    if (of.name !== "") tryIt({ ...of, name: "", doc: "" });
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
          </button>{" "}
          <LeavesGoTo />
          <Why of={why} />
        </td>
      </tr>
    </tbody>
  );
}
