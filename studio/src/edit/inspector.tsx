// The properties of the node that is chosen.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Form, useHistories } from "../graph/popup";
import { Words } from "../panels/now";
import { unmarked } from "../parts/unmarked";
import type { Edit, Said, SheetNode } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import { allActive, duplicate, hasName, isInDecision, mayBegin, remove, wrap } from "./actions";
import { balance, learns } from "./advice";
import { Calm } from "./calm";
import { Candidates, CurveOf } from "./curve";
import { docOf, expressionAs, expressionIn, type Given, givensOf, isCall, keyAs, typedOver, type Way } from "./given";
import { useHeld } from "./held";
import { Import } from "./import";
import { LeadsOn } from "./leading";
import { focusedOnce, tried, useKinds, Why } from "./menu";
import * as sheet from "./sheet";
import { Troubles } from "./solving";
import { Suggest } from "./suggest";
import { troubles } from "./troubles";
import * as unsent from "./unsent";
import { Around, keyNames, Ways, wayOf } from "./value";
import { Page } from "./word";
import { computedAs, isReadBelow, known, lacking, wordAround, wordOf } from "./worth";

export function Inspector() {
  const of = sheet.node.value;
  const box = useRef<HTMLElement>(null);
  // What one has chosen is what one wants to see of all that is below each other here.
  useEffect(() => box.current?.closest("aside")?.scrollTo(0, 0), [of?.id]);
  // What was added is asked for what it needs, once.
  const isAdded = of !== null && sheet.added.peek() === of.id;
  useLayoutEffect(() => {
    if (isAdded) sheet.added.value = null;
  }, [isAdded]);
  if (!of || !sheet.mayEdit.value) return null;
  const word = wordOf(of);
  const lacks = lacking(of);
  const why = sheet.whyFixed.value;
  return (
    <section ref={box} class="inspector" aria-label={t("inspector")} key={`${sheet.turns.value} ${of.id}`}>
      <h2 title={sheet.said(of).name}>
        {of.word} <small>{sheet.said(of).name}</small> <Import of={of.file} />
      </h2>
      {sheet.outermost.value.length > 1 && (
        <p class="many" role="status">
          {sheet.outermost.value.length} {t("manyChosen")}
        </p>
      )}
      {word && (
        <p class="by">
          <Words text={word.purpose} />
        </p>
      )}
      <Troubles of={of} />
      {why && <p class="told bad">{why}</p>}
      {word && <Page key={`${of.word} ${word.place}`} word={of.word} place={word.place} />}
      {docOf(of) && <p class="by">{docOf(of)}</p>}
      <fieldset disabled={!!why} title={why ?? undefined} aria-description={why ?? undefined}>
        {of.values.map((value, nth) => (
          <Field key={String(nth)} of={of} name={String(nth)} value={value} />
        ))}
        {lacks && <Field key="0" of={of} name="0" value="" needs={unmarked(said(lacks.what))} isFocused={lacks.isNeeded && isAdded} />}
        {of.properties.map((one) => (
          <Field key={one.name} of={of} name={one.name} value={one.value} />
        ))}
        {unwritten(of).map((one) => (
          <Field key={one.name} of={of} name={one.name} value="" />
        ))}
        {mayBeNamed(of) && <Field key="name" of={of} name="name" value="" />}
        <NewProperty of={of} />
        <Comment of={of} />
        {of.word === "consider" && <CurveOf of={of} />}
        <Candidates of={of} />
        {(of.role === "state" || of.role === "transition") && <Leads of={of} />}
        {(of.role === "answer" || of.role === "question") && isInDecision(of) && <LeadsOn of={of} />}
        {of.role === "state" && <Begins of={of} />}
        <div class="acts">
          {word?.is_node && <Kind of={of} />}
          {of.role === "task" && (
            <>
              <button title={why ?? `${t("wrap")}  w`} onClick={wrap}>
                {t("wrap")}
              </button>
              <button title={why ?? `${t("unwrap")}  u`} onClick={() => sheet.edit({ do: "unwrap", id: of.id })}>
                {t("unwrap")}
              </button>
            </>
          )}
          <button title={why ?? `${t("duplicate")}  Ctrl D`} onClick={duplicate}>
            {t("duplicate")}
          </button>
          {of.word === "subtree" && <button onClick={() => sheet.edit({ do: "inline", id: of.id })}>{t("inline")}</button>}
          {((of.role === "definition" && of.word === "machine") || of.role === "state") && (
            <Named label={t(of.word === "parallel" ? "addRegion" : "addState")} edit={(name) => ({ do: "add-state", id: of.id, name })} />
          )}
          {mayBegin(of) && <button onClick={() => sheet.edit({ do: "set-initial", id: of.id })}>{t("makeInitial")}</button>}
          {of.role === "state" && (
            <button onClick={() => allActive(of)}>{t(of.word === "parallel" ? "makeSequential" : "makeParallel")}</button>
          )}
          {of.word === "decide" && of.depth === 0 && <button onClick={() => balance(of.id)}>{t("balance")} …</button>}
          {of.word === "decide" && of.depth === 0 && <button onClick={() => (learns.value = true)}>{t("learn")} …</button>}
          {of.role === "task" && <Named label={t("extract")} edit={(name) => ({ do: "extract", id: of.id, name })} />}
          {hasName(of) && <Named label={t("rename")} edit={(name) => ({ do: "rename", id: of.id, name })} />}
          <button title={why ?? `${t("remove")}  Del`} onClick={remove}>
            {t("remove")}
          </button>
        </div>
      </fieldset>
    </section>
  );
}

/** Whether a node has no name yet, and may have one. */
const mayBeNamed = (of: SheetNode): boolean =>
  of.role === "task" && known(of).some((one) => one.name === "name") && sheet.property(of, "name") === undefined;

/** The parameters and ports that a node does not give; those that have the name of a property are given in the block. */
const unwritten = (of: SheetNode): Given[] =>
  givensOf(of).filter((one) => sheet.property(of, one.name) === undefined && !known(of).some((other) => other.name === one.name));

/** Where the value of a parameter or port comes from; of one for which somebody wants a key, that it has none yet. */
function origin(of: SheetNode, given: Given, way: Way, wanted: Way | null): string {
  if (wanted === "key" && way !== "key") return t("noKeyYet");
  if (sheet.property(of, given.name) !== undefined)
    return t(way === "key" ? "fromKey" : way === "expression" ? "fromExpression" : "writtenHere");
  return given.default === null ? t("fromNowhere") : t(isCall(of) ? "fromTree" : "fromLeaf");
}

/** What is in a field is not what the document has; `null` if it is. */
function typed(of: SheetNode, field: string, text: string, edit: Edit | null): void {
  const now = sheet.sheet.value;
  unsent.types(edit && now ? unsent.about(of, now, field, text, edit) : null);
}

/** Says of a field whether its node is still there: a field is also left when the node is gone, or when another document is shown. */
function stays(of: SheetNode): () => boolean {
  const turn = sheet.turns.peek();
  return () => turn === sheet.turns.peek() && !!sheet.sheet.peek()?.nodes.some((one) => one.id === of.id);
}

/** That what is in a field could not be sent. */
function NotSent({ of, field }: { of: SheetNode; field: string }) {
  if (!unsent.isNotSent(of.id, field)) return null;
  return <small class="bad not-sent">{t(unsent.isMet(of.id, field) ? "changedMeanwhile" : "fieldNotSent")}</small>;
}

/** The comment above a node. */
function Comment(props: { of: SheetNode }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [{ of }, left] = useHeld(props, area);
  const text = of.comment ?? "";
  const label = t("comment");
  const isThere = stays(of);
  return (
    <label class="field" title={t("commentHow")}>
      <span>{label}</span>
      <textarea
        key={`${text} ${unsent.textOf(of.id, label) ?? ""}`}
        ref={area}
        class="comment"
        rows={Math.max(1, text.split("\n").length)}
        defaultValue={unsent.textOf(of.id, label) ?? text}
        placeholder="//"
        onInput={(event) => {
          const now = event.currentTarget.value;
          typed(of, label, now, now === text ? null : { do: "comment", id: of.id, text: now });
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") event.currentTarget.value = text;
          const isDone = event.key === "Escape" || (event.key === "Enter" && !event.shiftKey);
          if (!isDone) return;
          event.preventDefault();
          leave();
        }}
        onBlur={(event) => {
          const now = event.currentTarget.value;
          // What was typed is kept then.
          if (!isThere()) return;
          unsent.types(null);
          unsent.drop(of.id, label);
          if (now.trimEnd() !== text.trimEnd()) sheet.write(of, label, now, { do: "comment", id: of.id, text: now });
          left();
        }}
      />
      <NotSent of={of} field={label} />
    </label>
  );
}

/** Gives the focus back to the rows, by which a field is left. */
const leave = (): void => document.querySelector<HTMLElement>(".sheet[role=tree]")?.focus();

/** A value, which is written with Enter or when the field is left. */
function Field(props: { of: SheetNode; name: string; value: string; needs?: string; isFocused?: boolean }) {
  const { name, needs, isFocused } = props;
  const box = useRef<HTMLLabelElement>(null);
  const [{ of, value }, left] = useHeld(props, box);
  const isProperty = !/^\d+$/.test(name);
  const about = known(of).find((one) => one.name === name);
  const ofValue = isProperty ? null : (wordOf(of)?.of_value ?? null);
  const given = about ? undefined : givensOf(of).find((one) => one.name === name);
  const isWritten = !isProperty || sheet.property(of, name) !== undefined;
  const form = computedAs(of, name);
  const keys = keyNames(of);
  const isWrong = troubles.value.get(of.id)?.some((one) => one.about?.entry === name);
  const [wanted, want] = useState<Way | null>(null);
  const now = wayOf(value, keys, form ?? "expression");
  const way = wanted ?? now;
  const key = form === null ? "" : expressionIn(value, form);
  // What a definition has behind its word is its name, also of a test, which nothing else names.
  const is = (name === "0" && (of.role === "definition" ? "name" : wordOf(of)?.value)) || "value";
  // A name stands behind its word, and `name=` is another one.
  const label = isProperty ? name : is === "name" ? of.word : t(`is_${is}`);
  const draft = unsent.textOf(of.id, label);
  const isThere = stays(of);
  const write = (text: string): void => {
    want(null);
    // What was typed is kept then.
    if (!isThere()) return;
    unsent.types(null);
    unsent.drop(of.id, label);
    // A node without a name has no `name=`.
    const isOff = text === "" && value !== "" && (name === "name" || (given && !given.type.startsWith("text")));
    if (isOff) sheet.write(of, label, text, { do: "unset", id: of.id, name });
    else if (text !== value) sheet.write(of, label, text, { do: "set", id: of.id, name, value: text });
  };
  /** Whoever has chosen how a value is written, writes it next. */
  const take = (next: Way): void => {
    want(next);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>("input, select")?.focus());
  };
  return (
    <>
      <label ref={box} class="field" title={unmarked((about ?? given)?.purpose ?? ofValue ?? "") || undefined}>
        <span>{label}</span>
        {form && way === "key" ? (
          <select
            aria-label={label}
            value={keys.includes(key) ? key : ""}
            onChange={(event) => write(event.currentTarget.value && keyAs(event.currentTarget.value, form))}
          >
            {!keys.includes(key) && <option value="">–</option>}
            {keys.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        ) : (
          <Suggest
            // What is typed stays, whatever else changes meanwhile.
            key={`${value} ${draft ?? ""}`}
            id={of.id}
            name={name}
            value={value}
            draft={draft}
            label={label}
            placeholder={needs ?? (about ?? given)?.default ?? ""}
            isFocused={isFocused}
            isWrong={isWrong || unsent.isNotSent(of.id, label)}
            typed={(text) => typed(of, label, text, text === value ? null : { do: "set", id: of.id, name, value: text })}
            done={(text, how) => {
              if (how !== "leave") return leave();
              if (form && text !== value && way === "expression") write(wanted === way ? expressionAs(text, form) : typedOver(text, form));
              else write(text);
              left();
            }}
            dropped={leave}
          />
        )}
        {isProperty && isWritten && !(name === "name" && value === "") && (
          <button
            class="plain"
            aria-label={`${t("remove")} ${name}`}
            title={t("remove")}
            onClick={() => sheet.edit({ do: "unset", id: of.id, name })}
          >
            ×
          </button>
        )}
      </label>
      <NotSent of={of} field={label} />
      {(form || about || ofValue) && (
        <div class="about">
          {form && <Ways name={label} form={form} way={way} take={take} />}
          {given && (
            <small>
              {[given.purpose, given.type, given.default !== null && `${t("usually")} ${given.default}`, origin(of, given, now, wanted)]
                .filter(Boolean)
                .join(" · ")}
            </small>
          )}
          {ofValue && (
            <small>
              <Words text={ofValue} />
            </small>
          )}
          {about && (
            <small>
              <Words text={about.purpose} />
              {about.default && ` · ${t("usually")} ${about.default.replaceAll("`", "")}`}
            </small>
          )}
        </div>
      )}
      {form && <Around of={of} value={key} />}
    </>
  );
}

/** A property that the node does not have yet. Like other fields, its value is written with Enter or when it is left. */
function NewProperty({ of }: { of: SheetNode }) {
  const there = new Set(of.properties.map((one) => one.name));
  const goesBack = useHistories(of, "").length > 1;
  const mayHave = (name: string): boolean => (name === "name" ? !mayBeNamed(of) : name !== "history" || goesBack);
  const all = known(of).filter((one) => !there.has(one.name) && isReadBelow(one, wordAround(of)) && mayHave(one.name));
  const [wanted, choose] = useState("");
  // What could not be written is in its field again.
  const name = wanted || (all.find((one) => unsent.isNotSent(of.id, one.name))?.name ?? "");
  const about = all.find((one) => one.name === name);
  const isThere = stays(of);
  const close = (): void => {
    unsent.types(null);
    unsent.drop(of.id, name);
    choose("");
  };
  if (all.length === 0) return null;
  return (
    <div class="field">
      <select aria-label={t("newProperty")} value={name} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{t("newProperty")}</option>
        {all.map((one) => (
          <option key={one.name} value={one.name} title={unmarked(one.purpose)}>
            {one.name}
          </option>
        ))}
      </select>
      {about && (
        <Suggest
          id={of.id}
          name={name}
          value=""
          draft={unsent.textOf(of.id, name)}
          label={`${t("is_value")} ${name}`}
          placeholder={about.default ?? ""}
          isFocused={wanted !== ""}
          isWrong={unsent.isNotSent(of.id, name)}
          typed={(value) => typed(of, name, value, value === "" ? null : { do: "set", id: of.id, name, value })}
          done={(value, how) => {
            if (how === "enter" && value !== "") return leave();
            // Nothing is typed yet; or it is kept.
            if (how === "leave" && (value === "" || !isThere())) return;
            close();
            sheet.write(of, name, value, { do: "set", id: of.id, name, value });
          }}
          dropped={close}
        />
      )}
    </div>
  );
}

/** Where a transition leads, or a new one of a state: the states of its machine. */
function Leads({ of }: { of: SheetNode }) {
  const [to, choose] = useState("");
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  const top = nodes.findLastIndex((one, nth) => nth < at && one.depth === 0);
  const end = nodes.findIndex((one, nth) => nth > at && one.depth === 0);
  const states = nodes.slice(Math.max(0, top), end < 0 ? undefined : end).filter((one) => one.role === "state");
  const isNew = of.role === "state";
  const label = t(isNew ? "addTransition" : "leadsTo");
  const take = (id: string): void => {
    if (isNew) choose(id);
    else if (id) sheet.edit({ do: "retarget", id: of.id, to: Number(id) });
  };
  return (
    <>
      <div class="field">
        <Calm label={label} value={to} take={take}>
          <option value="">{label}</option>
          {states.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {sheet.said(one).name}
            </option>
          ))}
        </Calm>
      </div>
      {isNew && to && <Form key={to} of={{ from: of.id, to: Number(to) }} close={() => choose("")} />}
    </>
  );
}

/** Whether a state begins anew each time it is entered, or where it was left. */
function Begins({ of }: { of: SheetNode }) {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  const initial = nodes.find((one, nth) => one.word === "initial" && sheet.parents.value[nth] === at);
  const now = (initial && sheet.property(initial, "history")) ?? "";
  const histories = useHistories(initial ? of : null, now);
  if (histories.length < 2) return null;
  return (
    <label class="field">
      <span>{t("historyOf")}</span>
      <select value={now} onChange={(event) => sheet.edit({ do: "set-history", id: of.id, depth: event.currentTarget.value || null })}>
        {histories.map(([depth, label]) => (
          <option key={depth} value={depth} selected={depth === now}>
            {t(label)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The kinds that a node can become; those that it cannot say why. They are asked for when somebody comes near, because there
 * are more than fifty, and most nodes are only looked at. */
function Kind({ of }: { of: SheetNode }) {
  const [isNear, near] = useState(false);
  const kinds = useKinds(of.id, isNear);
  const label = t("changeKind");
  return (
    <Calm
      label={label}
      title={label}
      value={of.word}
      near={() => near(true)}
      take={(word) => sheet.edit({ do: "change-kind", id: of.id, word })}
    >
      {kinds.map(({ word, why }) => (
        <option key={word.name} value={word.name} disabled={!!why} title={unmarked(why ? said(why) : word.purpose)}>
          {word.name}
        </option>
      ))}
    </Calm>
  );
}

/** A button that asks for a name first. A name that is refused stays, with the reason. */
function Named({ label, edit }: { label: string; edit: (name: string) => Edit }) {
  const [isAsked, ask] = useState(false);
  const [refused, refuse] = useState<Said>("");
  const input = useRef<HTMLInputElement | null>(null);
  const close = (): void => {
    ask(false);
    refuse("");
  };
  if (!isAsked) return <button onClick={() => ask(true)}>{label} …</button>;
  const end = (): void => {
    // Whoever is elsewhere meanwhile stays there.
    if (document.activeElement === input.current) leave();
    close();
  };
  const accept = (): void => {
    const name = input.current?.value;
    if (name) tried(edit(name), end, refuse);
    else end();
  };
  return (
    <>
      <input
        class="code"
        aria-label={`${label}: ${t("name")}`}
        aria-invalid={refused === "" ? undefined : true}
        placeholder={t("name")}
        ref={(box) => {
          input.current = box;
          focusedOnce(box);
        }}
        onInput={() => refuse("")}
        // What was refused is not lost when somebody looks elsewhere.
        onBlur={() => refused === "" && close()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") end();
          else if (event.key === "Enter") accept();
        }}
      />
      <Accept done={accept} />
      <Why of={refused} />
    </>
  );
}

/** Does what Enter does in the field before it, which keeps the keyboard. */
function Accept({ done }: { done: () => void }) {
  return (
    <button type="button" class="accept" onMouseDown={(event) => event.preventDefault()} onClick={done}>
      {t("accept")}
    </button>
  );
}
