// The curve of a consideration, drawn and dragged, and the scores of all candidates now.

import { useEffect, useState } from "preact/hooks";
import type { SheetNode } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { Choice } from "./cells";
import { between, type Curve, differing, dragged, halfway, handles, worth } from "./curves";
import { expressionIn } from "./given";
import { curveOf, dragging, inside, known, pointsOf, scoreOf, selectorOf } from "./scores";
import * as sheet from "./sheet";
import { computedAs, worthOf } from "./worth";

const SIZE = 200;
/** How much room there is around the picture for its handles. */
const EDGE = 8;
const STEPS = 64;

/** Adds a point to the curve. */
function add(of: SheetNode, [x, y]: [number, number]): void {
  const points = pointsOf(of);
  const place = between(curveOf(of).points, x, y);
  if (!place) return;
  const { behind, at } = place;
  const spot =
    behind > 0 ? sheet.beside(points[behind - 1].id, "after") : sheet.beside(points[0]?.id ?? of.id, points[0] ? "before" : "into");
  // A number without a point is another kind of number to those who read the text.
  sheet.edit({ do: "add", text: `point ${at.map(decimal).join(" ")}`, spot }, "stay");
}

const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** Whether a curve keeps enough points without one of them. */
const mayRemove = (of: SheetNode): boolean => pointsOf(of).length > 2;

function remove(of: SheetNode, nth: number): void {
  const point = pointsOf(of)[nth];
  if (point && mayRemove(of)) sheet.edit({ do: "remove", ids: [point.id] }, "stay");
}

/** Writes what differs: all of a drag is one thing that was done. */
function write(of: SheetNode, was: Curve, is: Partial<Curve>): void {
  const points = pointsOf(of);
  for (const { nth, entries } of differing(was, is)) {
    const id = nth === null ? of.id : points[nth].id;
    const [first, ...others] = entries;
    sheet.edit(others.length === 0 ? { do: "set", id, ...first } : { do: "set-all", id, entries });
  }
}

/** What the input of a consideration comes to in the running game, where that is on the curve, and what it is worth there. */
function presently(of: SheetNode, curve: Curve): { value: string; x: number; y: number } | null {
  const form = computedAs(of, "0");
  const value = form === null ? null : worthOf(expressionIn(of.values[0] ?? "", form));
  if (value === null || value === "" || Number.isNaN(Number(value))) return null;
  // Curves are read from 0 to 1.
  const x = Math.min(1, Math.max(0, Number(value)));
  return { value, x, y: worth(curve, x) };
}

export function CurveOf({ of }: { of: SheetNode }) {
  const written = curveOf(of);
  const [moved, move] = useState<Partial<Curve> | null>(null);
  const curve: Curve = moved ? { ...written, ...moved, numbers: { ...written.numbers, ...moved.numbers } } : written;
  // The scores below go with it.
  useEffect(() => {
    dragging.value = moved && { id: of.id, curve };
    return () => {
      dragging.value = null;
    };
  }, [moved, of.id]);
  /** The point that had the focus last. */
  const [nearest, near] = useState(0);
  const isOfPoints = curve.name === "points";
  if (!known().some((one) => one.name === curve.name)) return null;
  const now = presently(of, curve);
  const place = (x: number, y: number): string => `${(x * SIZE).toFixed(1)},${((1 - y) * SIZE).toFixed(1)}`;
  const line = Array.from({ length: STEPS + 1 }, (_, nth) => place(nth / STEPS, worth(curve, nth / STEPS))).join(" ");
  /** Where the mouse is in the picture. */
  const spot = (picture: SVGSVGElement, now: MouseEvent): [number, number] => {
    const box = picture.getBoundingClientRect();
    const part = (px: number, side: number): number => ((px / side) * (SIZE + 2 * EDGE) - EDGE) / SIZE;
    return [part(now.clientX - box.x, box.width), 1 - part(now.clientY - box.y, box.height)];
  };
  const drag = (nth: number) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    const picture = (event.currentTarget as SVGElement).ownerSVGElement as SVGSVGElement;
    const at = (now: PointerEvent): Partial<Curve> => dragged(written, nth, ...spot(picture, now));
    const go = (now: PointerEvent): void => move(at(now));
    const end = (now: PointerEvent): void => {
      removeEventListener("pointermove", go);
      write(of, written, at(now));
      move(null);
    };
    addEventListener("pointermove", go);
    addEventListener("pointerup", end, { once: true });
    (event.currentTarget as SVGElement).focus();
    event.preventDefault();
  };
  const press =
    (nth: number, [x, y]: [number, number]) =>
    (event: KeyboardEvent) => {
      const does =
        isOfPoints &&
        {
          Insert: () => add(of, halfway(written.points, nth)),
          "+": () => add(of, halfway(written.points, nth)),
          Delete: () => remove(of, nth),
          "-": () => remove(of, nth),
        }[event.key];
      if (does) {
        does();
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const by = event.shiftKey ? 0.1 : 0.01;
      const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
      if (!way) return;
      write(of, written, dragged(written, nth, x + way[0], y + way[1]));
      event.preventDefault();
      event.stopPropagation();
    };
  return (
    <div class="curve" inert={sheet.whyFixed.value !== null}>
      <Choice
        label={t("curve")}
        value={curve.name}
        words={known().map((one) => one.name)}
        take={(curve) => sheet.edit({ do: "set-curve", id: of.id, curve }, "stay")}
      />
      <svg
        viewBox={`${-EDGE} ${-EDGE} ${SIZE + 2 * EDGE} ${SIZE + 2 * EDGE}`}
        role="group"
        aria-label={`${t("curve")} ${curve.name}`}
        // The buttons below and the keys of each point do the same.
        onDblClick={(event) => {
          const isPoint = event.target instanceof SVGCircleElement;
          if (isOfPoints && !isPoint) add(of, spot(event.currentTarget, event));
        }}
      >
        <path class="frame" d={`M0 0V${SIZE}H${SIZE}M0 ${SIZE / 2}H${SIZE}M${SIZE / 2} 0V${SIZE}`} />
        <polyline points={line} />
        {now && (
          <g class="presently" aria-hidden="true">
            <path d={`M${now.x * SIZE} ${SIZE}V${(1 - now.y) * SIZE}H0`} />
            <ellipse cx={now.x * SIZE} cy={(1 - now.y) * SIZE} rx="4" ry="4" />
          </g>
        )}
        {handles(curve).map(([x, y], nth) => (
          <circle
            key={nth}
            cx={x * SIZE}
            cy={(1 - y) * SIZE}
            r="7"
            // Names of attributes have their own letters in SVG.
            tabindex={0}
            role="slider"
            aria-label={`${t("curve")} ${nth + 1}`}
            aria-valuenow={y}
            aria-valuemin={0}
            aria-valuemax={1}
            aria-valuetext={`${x.toFixed(2)} ${y.toFixed(2)}`}
            onPointerDown={drag(nth)}
            onKeyDown={press(nth, [x, y])}
            onFocus={() => near(nth)}
          />
        ))}
      </svg>
      {now && (
        <p class="by presently">
          {t("now")} <code>{now.value}</code> → <code>{now.y.toFixed(2)}</code>
        </p>
      )}
      {isOfPoints && (
        <div class="points">
          <button onClick={() => add(of, halfway(written.points, Math.min(nearest, written.points.length - 1)))}>{t("addPoint")}</button>
          <button disabled={!mayRemove(of)} onClick={() => remove(of, nearest)}>
            {t("removePoint")} {Math.min(nearest, written.points.length - 1) + 1}
          </button>
          <small>{t("pointsHow")}</small>
        </div>
      )}
    </div>
  );
}

/** The children of the `utility-selector` around a node, with the score that each would have now. Where a value in one of them is not known, with those of the last choice. */
export function Candidates({ of }: { of: SheetNode }) {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const selector = selectorOf(of);
  const line = selector ? sheet.lineOf(selector) : -1;
  if (!selector || line < 0) return null;
  const all = model.lines.value.flatMap((one, nth) => (model.parents.value[nth] === line ? [[one, nth] as const] : []));
  const own = new Set(sheet.parentsOf(nodes.indexOf(of)));
  const lines = new Map(inside(selector).map((one) => [sheet.lineOf(one), one]));
  const now = all.map(([, nth]) => {
    const child = lines.get(nth);
    return child ? scoreOf(child, numberOf) : null;
  });
  const isNow = now.every((one) => one !== null);
  return (
    <>
      <p class="by">{t(isNow ? "candidates" : "scoresLast")}</p>
      <dl class="candidates" aria-label={t(isNow ? "candidates" : "scoresLast")}>
        {all.map(([one, nth], at) => {
          const score = (isNow ? now[at] : null) ?? Number(model.notes.value[nth] || Number.NaN);
          const isOwn = nodes.some((node, at) => own.has(at) && sheet.lineOf(node) === nth);
          return (
            <div key={one.id} class={isOwn ? "own" : undefined}>
              <dt>{model.parts(one).name}</dt>
              <dd>
                <i style={{ width: `${Math.min(1, score || 0) * 100}%` }} />
                <code>{Number.isNaN(score) ? "–" : score.toFixed(2)}</code>
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

/** What an expression comes to now, as a number. */
function numberOf(expression: string): number | null {
  const value = worthOf(expression);
  if (value === "true" || value === "false") return Number(value === "true");
  return value === null || value === "" || Number.isNaN(Number(value)) ? null : Number(value);
}
