// The map beside the document: its squares, its legend and its text.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Cell, Choice } from "../edit/cells";
import * as editor from "../edit/sheet";
import { called } from "../edit/together";
import { Typed } from "../edit/typed";
import { left, typedInto } from "../edit/typing";
import { Left } from "../edit/write";
import { Words } from "../panels/now";
import type { Edge, MapSign } from "../protocol";
import { t, theme } from "../texts";
import { said } from "../texts/purposes";
import * as drafts from "./drafts";
import { draw, squareFor } from "./draw";
import * as map from "./map";

export function MapPane() {
  const all = map.map.value;
  if (!all) return <p class="by">…</p>;
  if (all.refusal)
    return (
      <section class="map" aria-label={t("map")}>
        <p>
          <Words text={said(all.refusal)} />
        </p>
        {all.file === "" && all.minds.length > 0 && <button onClick={() => map.edit({ do: "begin" })}>{t("ownMap")}</button>}
        <pre>{all.text}</pre>
      </section>
    );
  const kept = left.value.get(all.file);
  return (
    <section class="map" aria-label={t("map")}>
      <div class="head">
        <MapBar />
        <MapTrouble />
        <OldFields />
        {kept && <Left typed={typedInto(all.text, kept)} done={(isWanted) => map.decide(kept, isWanted)} />}
      </div>
      {all.rows.length > 0 && <Tools />}
      {all.rows.length > 0 && <Squares />}
      <Legend />
      <MapText />
    </section>
  );
}

/** Writes a field of the legend. */
const write = ({ sign, property }: drafts.Field, text: string): void =>
  map.edit(property === "" ? { do: "rename", sign, name: text } : { do: "set", sign, name: property, value: text.trim() });

/** What was typed into fields of the legend that were changed meanwhile, or are gone. */
function OldFields() {
  const all = map.map.value;
  return (
    <>
      {all &&
        drafts.oldFields(all).map(({ field, shown, now }) => (
          <div key={field.sign + field.property} class="told bad left" role="alert">
            {t(now === undefined ? "mapFieldGone" : "mapTypedBefore")} <b>{drafts.calledField(field)}</b>:
            <Typed of={{ parts: [{ text: shown, removed: now ?? "" }] }} />
            {now === undefined ? (
              <button onClick={() => void navigator.clipboard.writeText(shown)}>{t("copy")}</button>
            ) : (
              <button
                onClick={() => {
                  // It is there until the map has it.
                  drafts.typeField(all, field, shown);
                  write(field, shown);
                }}
              >
                {t("putIntoMap")}
              </button>
            )}{" "}
            <button onClick={() => drafts.typeField(all, field, null)}>{t("discard")}</button>
          </div>
        ))}
    </>
  );
}

/** Undo and redo by their names, and how the map grows. */
function MapBar() {
  const all = map.map.value;
  if (!all) return null;
  const name = (what: "undo" | "redo"): string => {
    const done = all[what];
    return done ? `${t(what)}: ${said(done.label)}${done.by === editor.you.value ? "" : ` (${called(done.by)})`}` : t(what);
  };
  const arrows: [Edge, string][] = [
    ["north", "↑"],
    ["east", "→"],
    ["south", "↓"],
    ["west", "←"],
  ];
  return (
    <div class="bar" role="toolbar" aria-label={t("map")}>
      <code title={all.file}>{all.file.split(/[\\/]/).at(-1)}</code>
      <button disabled={!all.undo} title={`${name("undo")}  Ctrl Z`} onClick={() => map.edit({ do: "undo" })}>
        ↶ <span>{name("undo")}</span>
      </button>
      <button disabled={!all.redo} title={`${name("redo")}  Ctrl Shift Z`} onClick={() => map.edit({ do: "redo" })}>
        ↷ <span>{name("redo")}</span>
      </button>
      <span class="grow" />
      <span class="edges" role="group" aria-label={t("enlarge")}>
        {t("enlarge")}
        {arrows.map(([edge, arrow]) => (
          <button
            key={edge}
            aria-label={`${t("enlarge")}: ${t(`edge_${edge}`)}`}
            title={t(`edge_${edge}`)}
            onClick={() => map.edit({ do: "grow", edge })}
          >
            {arrow}
          </button>
        ))}
      </span>
    </div>
  );
}

/** What is wrong with it, and what keeps it from being saved. */
function MapTrouble() {
  const all = map.map.value;
  if (!all) return null;
  return (
    <>
      {all.problem && (
        <p class="told bad" role="status">
          ✕ <Words text={said(all.problem.text)} />
        </p>
      )}
      {all.unsaved && (
        <div class="told bad" role="status">
          <p>
            <Words text={said(all.unsaved.why)} />
          </p>
          {all.unsaved.remedy === "retry" && <button onClick={() => map.edit({ do: "save" })}>{t("tryAgain")}</button>}
          {all.unsaved.remedy === "write-again" && (
            <button onClick={() => map.edit({ do: "settle", whose: "mine" })}>{t("writeAgain")}</button>
          )}
          {all.theirs !== null && (
            <>
              <details>
                <summary>{t("onDiskToo")}</summary>
                <pre>{all.theirs}</pre>
              </details>
              <button onClick={() => map.edit({ do: "settle", whose: "mine" })}>{t("keepMine")}</button>
              <button onClick={() => map.edit({ do: "settle", whose: "theirs" })}>{t("takeTheirs")}</button>
            </>
          )}
        </div>
      )}
    </>
  );
}

/** What a click does. */
function Tools() {
  const now = map.tool.value;
  const radio = (of: map.Tool, label: string, sign: string) => {
    const isOn = JSON.stringify(now) === JSON.stringify(of);
    return (
      <button key={label} role="radio" aria-checked={isOn} aria-label={label} title={label} onClick={() => (map.tool.value = of)}>
        {sign}
      </button>
    );
  };
  const signs = (map.map.value?.legend ?? []).flatMap((one) => {
    const [from, to] = [one.sign.codePointAt(0) ?? 0, one.last.codePointAt(0) ?? 0];
    const name = `${one.word} ${one.name}`.trim();
    return Array.from({ length: to - from + 1 }, (_, nth) => ({ sign: String.fromCodePoint(from + nth), name }));
  });
  return (
    <div class="tools">
      <div role="radiogroup" aria-label={t("map")}>
        {radio({ is: "move" }, t("toolMove"), "✥")}
        {radio({ is: "paint", sign: "#" }, t("toolWall"), "▓")}
        {radio({ is: "paint", sign: "." }, t("toolFloor"), "·")}
        {signs.map(({ sign, name }) => radio({ is: "paint", sign }, `${sign}: ${name}`, sign))}
      </div>
      <New />
      {now.is === "put" && <p role="status">{t("putWhere")}</p>}
    </div>
  );
}

/** Something new: what it is and its name. */
function New() {
  const [word, name] = [useSignal("actor"), useSignal("")];
  const words = ["actor", "spot", ...(map.map.value?.things ?? [])];
  const needsName = word.value === "actor" || word.value === "spot";
  const put = (): void => {
    if (needsName && name.value.trim() === "") return;
    const mind = word.value === "actor" ? " mind=main" : "";
    map.tool.value = { is: "put", words: `${word.value} ${name.value.trim()}${mind}` };
    name.value = "";
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".map .squares")?.focus());
  };
  return (
    <span class="new">
      <Choice label={t("kind")} value={word.value} words={words} take={(one) => (word.value = one)} />
      <input
        class="code"
        aria-label={t("name")}
        placeholder={t("name")}
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") put();
        }}
      />
      <button disabled={needsName && name.value.trim() === ""} onClick={put}>
        + {t("put")}
      </button>
    </span>
  );
}

function Squares() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const hasFocus = useSignal(false);
  const square = useSignal(20);
  void theme.value;
  useLayoutEffect(() => {
    if (box.current) square.value = squareFor(box.current.clientWidth);
    if (canvas.current) draw(canvas.current, square.value, hasFocus.value);
  });
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      if (box.current) square.value = squareFor(box.current.clientWidth);
    });
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const at = (event: PointerEvent): map.Place => {
    const edge = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    return [Math.floor((event.clientX - edge.left) / square.value), Math.floor((event.clientY - edge.top) / square.value)];
  };
  const [x, y] = map.cursor.value;
  const said = map.saidAt([x, y], { wall: t("toolWall"), floor: t("toolFloor") });
  return (
    <>
      <div
        ref={box}
        class="squares"
        role="application"
        aria-label={`${t("map")}. ${t("mapKeys")}`}
        tabIndex={0}
        onFocus={() => (hasFocus.value = true)}
        onBlur={() => (hasFocus.value = false)}
        onKeyDown={(event) => {
          // Keys of the page would surprise whoever writes characters of a map.
          if (event.key !== "Tab" && event.key !== "Escape") event.stopPropagation();
          if (!map.pressKey(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onKeyUp={map.releaseKey}
      >
        <canvas
          ref={canvas}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            map.press(at(event));
          }}
          onPointerMove={(event) => {
            if (event.buttons === 1) map.drag(at(event));
          }}
          onPointerUp={map.release}
          onPointerCancel={map.cancel}
        />
      </div>
      <p class="by" role="status">
        {t("column")} {x + 1}, {t("row")} {y + 1}: {said}
        {map.taken.value && ` · ${t("taken")}`}
      </p>
      <p class="by">{t("mapKeys")}</p>
    </>
  );
}

/** What each character stands for. */
function Legend() {
  const all = map.map.value;
  if (!all || all.legend.length === 0) return null;
  return (
    <div class="table">
      <table>
        <tbody>
          {all.legend.map((one) => (
            <Line key={one.sign} of={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ of }: { of: MapSign }) {
  const all = map.map.value;
  const { sign } = of;
  const set = (name: string, value: string | null): void => map.edit({ do: "set", sign, name, value });
  const offered: [string, string][] =
    of.word === "actor"
      ? (all?.properties ?? [])
      : of.word === "spot"
        ? []
        : [
            ["lock", "1.5"],
            ["amount", "3"],
          ];
  /** What is typed into a field outlives the page. */
  const kept = (property: string) => ({
    left: all ? drafts.inField(all, { sign, property }) : undefined,
    leave: (text: string | null, was: string, isWritten = false): void => {
      const field = { sign, property };
      // What is to be decided first is not given up by leaving the field.
      if (all && (text !== null || isWritten || drafts.inField(all, field) !== undefined)) drafts.typeField(all, field, text, was);
    },
    write: (text: string): void => write({ sign, property }, text),
  });
  const free = offered.filter(([name]) => !of.properties.some(([known]) => known === name));
  const isChosen = map.chosen.value >= of.sign && map.chosen.value <= of.last;
  return (
    <tr data-sign={sign} class={isChosen ? "chosen" : undefined}>
      <td>
        <b class="code">{of.last === sign ? sign : `${sign}–${of.last}`}</b> <small>{of.word}</small>
      </td>
      <td>
        <Cell label={`${t("name")}: ${sign}`} value={of.name} {...kept("")} />
      </td>
      <td class="params">
        {of.properties.map(([name, value]) => (
          <div key={name} data-property={name}>
            <small>{name}</small>{" "}
            {name === "mind" ? (
              <Choice label={`${t("mind")}: ${of.name}`} value={value} words={all?.minds ?? []} take={(mind) => set("mind", mind)} />
            ) : (
              value !== "" && <Cell label={`${name}: ${of.name}`} value={value} {...kept(name)} />
            )}
            <button class="plain" aria-label={`${t("remove")}: ${name} (${of.name})`} title={t("remove")} onClick={() => set(name, null)}>
              ×
            </button>
          </div>
        ))}
        {free.length > 0 && (
          <select
            aria-label={`${t("addProperty")}: ${of.name || of.word}`}
            value=""
            onChange={(event) => {
              const name = event.currentTarget.value;
              event.currentTarget.value = "";
              set(name, free.find(([known]) => known === name)?.[1] ?? "");
            }}
          >
            <option value="">+ {t("addProperty")}</option>
            {free.map(([name]) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </td>
      <td>
        <button
          class="plain"
          aria-label={`${t("remove")}: ${sign} ${of.name}`}
          title={t("remove")}
          onClick={() => map.edit({ do: "remove", sign })}
        >
          ×
        </button>
      </td>
    </tr>
  );
}

/** The whole text: what is typed stays until it is written or given up. */
function MapText() {
  const all = map.map.value;
  if (!all) return null;
  const draft = drafts.draftOf(all);
  const isOld = draft !== undefined && drafts.isOld(all, draft);
  const write = (text: string): void => map.edit({ do: "text", text, base: all.revision });
  return (
    <details open={all.rows.length === 0 || draft !== undefined}>
      <summary>{t("mapText")}</summary>
      {isOld && (
        <div class="told bad left" role="alert">
          <p>{t("mapTypedBefore")}</p>
          <Typed of={drafts.typed(all, draft)} />
          <details>
            <summary>{t("mapNow")}</summary>
            <pre>{all.text}</pre>
          </details>
          <p>
            <button onClick={() => write(drafts.putIn(all, draft))}>{t("putIntoMap")}</button>{" "}
            <button onClick={() => drafts.discard(all)}>{t("discard")}</button>
          </p>
        </div>
      )}
      <textarea
        class="code"
        aria-label={t("mapText")}
        spellcheck={false}
        rows={Math.min(30, all.text.split("\n").length + 1)}
        value={draft?.shown ?? all.text}
        onInput={(event) => drafts.type(all, event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && draft && !isOld) write(drafts.written(all, draft));
          if (event.key === "Escape" && !isOld) drafts.discard(all);
        }}
      />
      <button disabled={!draft || isOld} title={`${t("writeText")}  Ctrl Enter`} onClick={() => draft && write(drafts.written(all, draft))}>
        {t("writeText")}
      </button>
    </details>
  );
}
