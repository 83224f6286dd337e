// The curve of a consideration, drawn and dragged, and the scores of all candidates now.

import { useState } from "preact/hooks";
import type { SheetNode } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { Choice } from "./cells";
import { CURVES, type Curve, DEFAULTS, dragged, handles, worth } from "./curves";
import * as sheet from "./sheet";

const SIZE = 200;
/** How much room there is around the picture for its handles. */
const EDGE = 8;
const STEPS = 64;

/** The nodes directly in a node. */
function inside(of: SheetNode): SheetNode[] {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const at = nodes.indexOf(of);
  return nodes.filter((_, nth) => sheet.parents.value[nth] === at);
}

function curveOf(of: SheetNode): Curve {
  const name = sheet.property(of, "curve") ?? "linear";
  const written = of.properties.filter((one) => DEFAULTS[name]?.[one.name] !== undefined);
  const points = inside(of).filter((one) => one.word === "point");
  return {
    name,
    numbers: Object.fromEntries(written.map((one) => [one.name, Number(one.value)])),
    points: points.map((one) => [Number(one.values[0]), Number(one.values[1])]),
  };
}

/** Writes what differs. */
function write(of: SheetNode, was: Curve, is: Partial<Curve>): void {
  for (const [name, value] of Object.entries(is.numbers ?? {}))
    if (value !== (was.numbers[name] ?? DEFAULTS[was.name][name])) sheet.edit({ do: "set", id: of.id, name, value: String(value) });
  const points = inside(of).filter((one) => one.word === "point");
  is.points?.forEach((point, nth) => {
    point.forEach((value, at) => {
      if (value !== was.points[nth][at]) sheet.edit({ do: "set", id: points[nth].id, name: String(at), value: String(value) });
    });
  });
}

export function CurveOf({ of }: { of: SheetNode }) {
  const written = curveOf(of);
  const [moved, move] = useState<Partial<Curve> | null>(null);
  const curve: Curve = moved ? { ...written, ...moved, numbers: { ...written.numbers, ...moved.numbers } } : written;
  if (!CURVES.includes(curve.name)) return null;
  const place = (x: number, y: number): string => `${(x * SIZE).toFixed(1)},${((1 - y) * SIZE).toFixed(1)}`;
  const line = Array.from({ length: STEPS + 1 }, (_, nth) => place(nth / STEPS, worth(curve, nth / STEPS))).join(" ");
  const drag = (nth: number) => (event: PointerEvent) => {
    const picture = (event.currentTarget as SVGElement).ownerSVGElement as SVGSVGElement;
    const at = (now: PointerEvent): Partial<Curve> => {
      const box = picture.getBoundingClientRect();
      const part = (px: number, side: number): number => ((px / side) * (SIZE + 2 * EDGE) - EDGE) / SIZE;
      return dragged(written, nth, part(now.clientX - box.x, box.width), 1 - part(now.clientY - box.y, box.height));
    };
    const go = (now: PointerEvent): void => move(at(now));
    const end = (now: PointerEvent): void => {
      removeEventListener("pointermove", go);
      write(of, written, at(now));
      move(null);
    };
    addEventListener("pointermove", go);
    addEventListener("pointerup", end, { once: true });
    event.preventDefault();
  };
  const press =
    (nth: number, [x, y]: [number, number]) =>
    (event: KeyboardEvent) => {
      const by = event.shiftKey ? 0.1 : 0.01;
      const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
      if (!way) return;
      write(of, written, dragged(written, nth, x + way[0], y + way[1]));
      event.preventDefault();
      event.stopPropagation();
    };
  return (
    <div class="curve">
      <Choice
        label={t("curve")}
        value={curve.name}
        words={CURVES.filter((one) => one !== "points" || curve.name === "points")}
        take={(name) => sheet.edit({ do: "set", id: of.id, name: "curve", value: name })}
      />
      <svg viewBox={`${-EDGE} ${-EDGE} ${SIZE + 2 * EDGE} ${SIZE + 2 * EDGE}`} role="group" aria-label={`${t("curve")} ${curve.name}`}>
        <path class="frame" d={`M0 0V${SIZE}H${SIZE}M0 ${SIZE / 2}H${SIZE}M${SIZE / 2} 0V${SIZE}`} />
        <polyline points={line} />
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
          />
        ))}
      </svg>
    </div>
  );
}

/** The children of the `utility-selector` around a node, with the score that each has now. */
export function Candidates({ of }: { of: SheetNode }) {
  const nodes = sheet.sheet.value?.nodes ?? [];
  let at = nodes.indexOf(of);
  while (at >= 0 && nodes[at].word !== "utility-selector") at = sheet.parents.value[at];
  const line = at >= 0 ? sheet.lineOf(nodes[at]) : -1;
  if (line < 0) return null;
  const all = model.lines.value.flatMap((one, nth) => (model.parents.value[nth] === line ? [[one, nth] as const] : []));
  const own = new Set(sheet.parentsOf(nodes.indexOf(of)));
  return (
    <dl class="candidates" aria-label={t("candidates")}>
      {all.map(([one, nth]) => {
        const score = Number(model.notes.value[nth] || Number.NaN);
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
  );
}
