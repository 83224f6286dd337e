// Networks: what went in, what each unit gave, and what came out. Small ones are drawn with their weights.

import type { LayerState, NetworkState } from "../protocol";
import { t } from "../texts";
import * as model from "../wire/model";
import { placed, strongest } from "./network";
import { choice, Head, number, shownOf } from "./weighed";

const chosen = choice();
const SIZE = { width: 316, row: 30, radius: 8 };

/** A value in colour: how strong it is beside the strongest of its row, and whether it is negative. */
function unit(value: number, most: number): { fill: string; opacity: number } {
  const share = most > 0 ? Math.abs(value) / most : 0;
  return { fill: `var(--${value < 0 ? "fail" : "ok"})`, opacity: 0.08 + 0.92 * share };
}

/** A small network: circles for the inputs and the units, and a line for each weight. */
function Drawn({ of }: { of: NetworkState }) {
  const values = [of.inputs.map((one) => one.value), ...of.layers.map((layer) => layer.units)];
  const at = placed(
    values.map((column) => column.length),
    SIZE,
  );
  const lines = of.layers.flatMap((layer, nth) => {
    const before = values[nth];
    const flows = layer.units.map((_, to) => before.map((value, from) => layer.weights[to * (before.length + 1) + 1 + from] * value));
    const most = Math.max(...flows.flat().map(Math.abs));
    return flows.flatMap((all, to) => all.map((flow, from) => ({ nth, from, to, flow, share: most > 0 ? Math.abs(flow) / most : 0 })));
  });
  // What carries most is drawn last, above the others.
  lines.sort((left, right) => left.share - right.share);
  const what = `${t("network")} ${of.network}: ${values.map((column) => column.length).join(" → ")}`;
  return (
    <figure>
      <svg viewBox={`0 0 ${SIZE.width} ${at.height}`} role="img" aria-label={what}>
        {lines.map(({ nth, from, to, flow, share }) => {
          const weights = of.layers[nth].weights;
          const weight = weights[to * (values[nth].length + 1) + 1 + from];
          return (
            <line
              key={`${nth} ${from} ${to}`}
              x1={at.x(nth) + SIZE.radius}
              y1={at.y(nth, from)}
              x2={at.x(nth + 1) - SIZE.radius}
              y2={at.y(nth + 1, to)}
              stroke={`var(--${flow < 0 ? "fail" : "ok"})`}
              stroke-dasharray={flow < 0 ? "4 3" : undefined}
              stroke-opacity={0.15 + 0.85 * share}
              stroke-width={0.6 + 2.6 * share}
            >
              <title>{`${t("networkWeight")} ${number(weight)} × ${number(values[nth][from])} = ${number(flow)}`}</title>
            </line>
          );
        })}
        {values.flatMap((column, nth) => {
          const most = strongest(column);
          return column.map((value, place) => {
            const layer = of.layers[nth - 1];
            const bias = layer?.weights[place * (values[nth - 1].length + 1)];
            const told = [number(value), layer?.function, bias === undefined ? undefined : `${t("networkBias")} ${number(bias)}`];
            const { fill, opacity } = unit(value, most);
            return (
              <g key={`${nth} ${place}`}>
                <circle cx={at.x(nth)} cy={at.y(nth, place)} r={SIZE.radius} fill="var(--surface)" stroke="var(--line-strong)" />
                <circle cx={at.x(nth)} cy={at.y(nth, place)} r={SIZE.radius - 1} fill={fill} fill-opacity={opacity}>
                  <title>{told.filter((one) => one !== undefined).join(" · ")}</title>
                </circle>
              </g>
            );
          });
        })}
      </svg>
      <figcaption>
        <small>{t("networkDrawn")}</small>
      </figcaption>
    </figure>
  );
}

/** A layer of a large network: a cell for each unit. */
function Cells({ layer, nth }: { layer: LayerState; nth: number }) {
  const most = strongest(layer.units);
  return (
    <div class="cells">
      <small>
        {t("networkLayer")} {nth + 1} · {layer.units.length} {layer.function}
      </small>
      <div
        role="img"
        aria-label={`${t("networkLayer")} ${nth + 1}: ${number(Math.min(...layer.units))} – ${number(Math.max(...layer.units))}`}
      >
        {layer.units.map((value, place) => {
          const { fill, opacity } = unit(value, most);
          return <span key={place} title={number(value)} style={{ background: fill, opacity }} />;
        })}
      </div>
    </div>
  );
}

/** A bar to the right, or to the left for what is negative: from the middle, if there is any such value. */
function Bar({ value, of }: { value: number; of: number[] }) {
  const [most, isSigned] = [strongest(of), of.some((one) => one < 0)];
  const share = most > 0 ? (Math.abs(value) / most) * (isSigned ? 50 : 100) : 0;
  const begin = isSigned ? "50%" : "0";
  const side = value < 0 ? { right: begin } : { left: begin };
  return (
    <span class="bar" aria-hidden="true">
      <span class={value < 0 ? "down" : "up"} style={{ ...side, width: `${share}%` }} />
    </span>
  );
}

/** The nodes that are chosen by a key: the lines whose score names it. */
function scoredBy(key: number): { name: string; runs: boolean }[] {
  const isScore = (name: string): boolean => name === "score" || name === "weight";
  return model.lines.value.flatMap((line, nth) => {
    const scores = line.properties.filter((one) => isScore(one.name)).flatMap((one) => one.parts);
    if (!scores.some((part) => part.key === key)) return [];
    return [{ name: line.label ?? line.text, runs: /^(run|ok|entered)$/.test(model.marks.value[nth] ?? "") }];
  });
}

function Outputs({ of }: { of: NetworkState }) {
  const layer = of.layers[of.layers.length - 1];
  const isShare = layer.function === "softmax";
  const best = layer.units.indexOf(Math.max(...layer.units));
  const keys = model.definition.value?.behaviour?.keys ?? [];
  return (
    <table aria-label={t("networkOutputs")}>
      <tbody>
        {of.outputs.map((one, nth) => {
          const value = layer.units[nth];
          const chosenBy = one.key === null ? [] : scoredBy(one.key);
          return (
            <tr key={one.name} data-output={one.name} class={nth === best ? "best" : undefined}>
              <td>
                <code>{one.name}</code>
                {nth === best && (
                  <span class="mark" role="img" aria-label={t("networkWins")} title={t("networkWins")}>
                    {" "}
                    ◀
                  </span>
                )}
                {one.key !== null && keys[one.key]?.name !== one.name && <small> → {`{${keys[one.key]?.name}}`}</small>}
                {chosenBy.map((node) => (
                  <small key={node.name} class={node.runs ? "for run" : "for"}>
                    {t("networkScores")} <code>{node.name}</code>
                    {node.runs ? " ▶" : ""}
                  </small>
                ))}
              </td>
              <td>{isShare ? <Share value={value} /> : <Bar value={value} of={layer.units} />}</td>
              <td class="number">{isShare ? `${number(value * 100)} %` : number(value)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A bar for a share of the whole. */
function Share({ value }: { value: number }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class="up" style={{ left: 0, width: `${value * 100}%` }} />
    </span>
  );
}

export function Networks() {
  const all = model.view.value?.networks ?? [];
  const of = shownOf(all, chosen);
  if (!of) return null;
  const isDrawn = of.layers[0].weights.length > 0;
  const inputs = of.inputs.map((one) => one.value);
  return (
    <section class="network" aria-label={`${t("network")} ${of.network}`}>
      <Head title={t("network")} of={{ ...of, name: of.network }} all={all} chosen={chosen} />
      <table aria-label={t("networkInputs")}>
        <tbody>
          {of.inputs.map((one, nth) => (
            <tr key={nth} data-input={one.text}>
              <td>
                <code>{one.text}</code>
              </td>
              <td>
                <Bar value={one.value} of={inputs} />
              </td>
              <td class="number">{number(one.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isDrawn ? <Drawn of={of} /> : of.layers.slice(0, -1).map((layer, nth) => <Cells key={nth} layer={layer} nth={nth} />)}
      <Outputs of={of} />
    </section>
  );
}
