// Two moments side by side: one is kept, and what differs from it is listed.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { glyphs, markWord } from "../parts/marks";
import { t } from "../texts";
import * as model from "../wire/model";
import { choose, say } from "../wire/wire";
import { close, differences, earlier, keyOf } from "./earlier";

interface Moment {
  tick: number;
  mind: number;
  agent: string;
  does: string;
  /** The lines, by their names, and the marks of those. */
  marks: Map<string, model.Mark>;
  keys: Map<string, string>;
}

/** The moment that is kept. */
export const kept = signal<Moment | null>(null);

function now(): Moment | null {
  const view = model.view.value;
  if (!view) return null;
  return {
    tick: view.tick,
    mind: view.mind,
    agent: view.agents?.[view.mind]?.name ?? "",
    does: view.does ?? "",
    marks: new Map(model.lines.value.map((line, nth) => [line.id, model.marks.value[nth]])),
    keys: new Map((model.definition.value?.behaviour?.keys ?? []).map((key, nth) => [key.name, view.keys?.[nth]?.value ?? ""])),
  };
}

/** Keeps this moment, or forgets the one that is kept. */
export function keep(): void {
  kept.value = kept.value ? null : now();
}

/** Goes to the moment that is kept, and keeps the one that was left. */
export function swap(): void {
  const [there, here] = [kept.value, now()];
  if (!there || !here) return;
  kept.value = here;
  if (there.mind !== here.mind) choose(there.mind);
  say({ say: "go", tick: there.tick });
}

const word = (mark: model.Mark): string => (mark === "" ? "–" : `${glyphs[mark]} ${markWord(mark)}`);

/** How much room there should be for what will differ from a moment that is kept, in pixels. */
const ROOM = 160;

/** How many differences of two runs are listed. */
const MOST = 100;

/** In what this run differs from the one before it was played again, first difference first: beside the lanes of both. */
export function Runs() {
  const before = earlier.value;
  if (!before) return null;
  const all = differences.value;
  const now = model.view.value?.tick;
  const name = (what: (typeof before.differences)[number]["what"]): string => keyOf(what) ?? t(what === "does" ? "does" : "states");
  return (
    <section class="runs" tabIndex={0} aria-label={t("bothRuns")}>
      <div class="head">
        <h2>
          {t("bothRuns")} {all.length > 0 && <small>{all.length}</small>}
        </h2>
        <p>
          {t("sinceTick")} {before.from}
        </p>
        <button class="plain" aria-label={t("close")} title={t("close")} onClick={close}>
          ×
        </button>
      </div>
      {all.length === 0 ? (
        <p role="status">
          {t("noDifferenceUpTo")} {before.compared}
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("tick")}</th>
              <th scope="col">{t("differs")}</th>
              <th scope="col">{t("earlierRun")}</th>
              <th scope="col">{t("thisRun")}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, MOST).map((one) => (
              <tr
                key={`${one.tick} ${name(one.what)}`}
                data-differs={name(one.what)}
                data-tick={one.tick}
                aria-current={one.tick === now ? "true" : undefined}
              >
                <td>
                  <button class="link" onClick={() => say({ say: "go", tick: one.tick })}>
                    {one.tick}
                  </button>
                </td>
                <td>{keyOf(one.what) ? <code>{name(one.what)}</code> : name(one.what)}</td>
                <td>{one.was || "–"}</td>
                <td>{one.now || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {all.length > MOST && (
        <p>
          {t("andMore")} {all.length - MOST}
        </p>
      )}
    </section>
  );
}

/** In what this moment differs from the one that is kept. */
export function Compare() {
  const [there, here] = [kept.value, now()];
  const box = useRef<HTMLElement>(null);
  // Below what else there is, whoever keeps a moment would not see that it is kept, and what differs later.
  useEffect(() => {
    const pane = box.current?.closest("aside")?.getBoundingClientRect();
    const isLow = !!pane && (box.current?.getBoundingClientRect().bottom ?? 0) + ROOM > pane.bottom;
    if (isLow) box.current?.scrollIntoView({ block: "start" });
  }, [there]);
  if (!there || !here) return null;
  const lines = model.lines.value.filter((line) => there.marks.has(line.id) && there.marks.get(line.id) !== here.marks.get(line.id));
  const names = [...new Set([...there.keys.keys(), ...here.keys.keys()])];
  const keys = names.filter((name) => there.keys.get(name) !== here.keys.get(name));
  const head = (moment: Moment) => (
    <>
      {moment.agent && `${moment.agent}, `}
      {t("tick")} {moment.tick}
    </>
  );
  return (
    <section ref={box} class="compare" aria-label={t("compare")}>
      <h2>
        {t("compare")}{" "}
        <button class="plain" aria-label={t("swap")} title={t("swap")} onClick={swap}>
          ⇄
        </button>{" "}
        <button class="plain" aria-label={t("close")} title={t("close")} onClick={keep}>
          ×
        </button>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("differs")}</th>
            <th scope="col">{head(there)}</th>
            <th scope="col">{head(here)}</th>
          </tr>
        </thead>
        <tbody>
          {there.does !== here.does && (
            <tr data-differs="does">
              <td>{t("does")}</td>
              <td>{there.does || "–"}</td>
              <td>{here.does || "–"}</td>
            </tr>
          )}
          {keys.map((name) => (
            <tr key={name} data-differs={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{there.keys.get(name) || "–"}</td>
              <td>{here.keys.get(name) || "–"}</td>
            </tr>
          ))}
          {lines.map((line) => (
            <tr key={line.id} data-differs={line.id}>
              <td>
                <button class="reason" onClick={() => model.reveal(line.id)}>
                  {model.parts(line).name}
                </button>
              </td>
              <td>{word(there.marks.get(line.id) ?? "")}</td>
              <td>{word(here.marks.get(line.id) ?? "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {keys.length + lines.length === 0 && there.does === here.does && <p>{t("noDifference")}</p>}
    </section>
  );
}
