// Two versions of a document as one drawing: the cards and edges of the graph, in the colours of what differs.

import { CODE, type Colours, UI } from "../parts/canvas";
import type { Compared, How } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { type Edge, edgesOf } from "./edges";
import { measure } from "./graph";
import { type Card, type Layout, layout, type Measure } from "./layout";
import { headOf, rounded, shape } from "./paint";
import { coloursOf, themeNow } from "./picture";
import { QUESTIONS } from "./source";
import { inRows } from "./stack";
import { SvgPainter } from "./svg";

/** The sign of each way in which something differs. */
export const SIGNS: Record<How, string> = { same: "", added: "+", removed: "−", moved: "↷", changed: "≠", "moved-and-changed": "↷≠" };
const TONES: Record<How, string> = {
  same: "line-strong",
  added: "ok",
  removed: "fail",
  moved: "accent",
  changed: "run",
  "moved-and-changed": "run",
};

/** The values and properties of a node, each as it is written. */
const partsOf = (text: string): string[] => text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? [];

const isChanged = (of: Pick<Compared, "how">): boolean => of.how === "changed" || of.how === "moved-and-changed";

/** A property apart from its name; of a value, the name is empty. */
function apart(part: string): [name: string, value: string] {
  const [, name, value] = part.match(/^([^\s"=]+)=(.*)$/s) ?? ["", "", part];
  return [name, value];
}

/** How far the drawing is from its border. */
export const BORDER = 24;

/** What stands in a decision tree on the way from a question. */
const WAYS = /^(yes|no|case|default|option)$/;

/** Both versions as lines that the graph can draw. */
export function linesOf(nodes: Compared[]): model.Line[] {
  let isDecision = false;
  return nodes.map((one, nth): model.Line => {
    if (one.depth === 0) isDecision = one.word === "decide";
    const is = isDecision && QUESTIONS.includes(one.word) ? "test" : isDecision && WAYS.test(one.word) ? "way" : "node";
    const says = said(one.says);
    const rest = one.file ? `${says} · ${one.file}` : says;
    const own = partsOf(one.text).slice(1).map(apart);
    const bare = (text: string): string => text.replace(/^"(.*)"$/s, "$1");
    // Beside what differs there is no room for what it is called.
    const name = isChanged(one) ? [one.word, one.called].filter(Boolean).join(" ") : one.word;
    return {
      id: `c${nth}`,
      indent: one.depth,
      text: one.text,
      doc: "",
      is,
      word: one.word,
      label: own.find(([name]) => name === "")?.[1] ?? "",
      values: own.flatMap(([name, text]) => (name === "" ? [{ text: bare(text), parts: [] }] : [])),
      // A weight that differs is said as such, and not as one of all.
      properties: isChanged(one) ? [] : own.flatMap(([name, text]) => (name === "" ? [] : [{ name, text: bare(text), parts: [] }])),
      targets: [],
      parts: is === "way" ? { kind: "way", name: rest || one.word, rest: "" } : { kind: is === "test" ? is : one.word, name, rest },
    };
  });
}

/** The drawing, and where each node is in it: an answer is on the line to what it leads to. */
export function drawn(nodes: Compared[], wide: Measure = measure): { svg: string; at: ReadonlyMap<Compared, Card> } {
  const lines = linesOf(nodes);
  const parents = model.parentsOf(lines);
  const below = model.belowOf(parents);
  const tops = lines.flatMap((_, nth) => (parents[nth] < 0 ? [nth] : []));
  const definitions = tops.map((top) => Array.from({ length: below[top] + 1 }, (_, nth) => top + nth));
  const of = inRows(definitions.map((own) => layout(lines, parents, own, below, new Set(), wide, { isWhole: true })));
  const painter = new SvgPainter((text, font) => wide(text, font.startsWith("400")));
  // It has all of a canvas that is used here.
  const context = painter as unknown as CanvasRenderingContext2D;
  const { colour, free } = coloursOf(themeNow());
  painter.translate(BORDER, BORDER);
  for (const edge of edgesOf(of, lines, parents)) paintEdge(context, edge, of, nodes, colour);
  for (const card of of.cards) paintCard(context, card, nodes[card.nth], colour);
  painter.restore();
  const svg = painter.done({ wide: of.w + 2 * BORDER, high: of.h + 2 * BORDER, title: t("versions"), background: colour("bg") });
  free();
  const at = new Map<Compared, Card>();
  for (const card of of.cards) for (const nth of [card.nth, card.way]) if (nth >= 0 && !at.has(nodes[nth])) at.set(nodes[nth], card);
  return { svg, at };
}

/** A line to what one of the versions does not have is in the colour of that. */
function paintEdge(context: CanvasRenderingContext2D, edge: Edge, of: Layout, nodes: Compared[], colour: Colours): void {
  const { from, to, points, label, by, isJump } = edge;
  // What is written of an answer stands on the line to the first card behind it.
  const way = !by && !isJump && edge.text !== "" && to.way >= 0 ? nodes[to.way] : undefined;
  const ends = isJump ? [nodes[from.nth]] : [nodes[from.nth], nodes[to.nth], way];
  const how = (["removed", "added"] as const).find((one) => ends.some((end) => end?.how === one)) ?? "same";
  context.strokeStyle = colour(TONES[how]);
  context.lineWidth = 1.5;
  context.setLineDash(isJump || how === "removed" ? [5, 4] : []);
  rounded(context, points);
  context.setLineDash([]);
  if (isJump) headOf(context, points, colour(TONES[how]));
  const text = by ? t(by) : [way && SIGNS[way.how], edge.text].filter(Boolean).join(" ");
  if (text === "" || isJump || (!by && (to.isDown ?? of.isDown) && !to.edge)) return;
  context.font = `400 11.5px ${CODE}`;
  const w = context.measureText(text).width + 14;
  if (!by) {
    context.fillStyle = colour("bg");
    context.beginPath();
    context.roundRect(label[0] - w / 2, label[1] - 9, w, 18, 0);
    context.fill();
  }
  context.fillStyle = colour(way && way.how !== "same" ? TONES[way.how] : "muted");
  context.textAlign = by ? "left" : "center";
  context.textBaseline = "middle";
  context.fillText(text, ...label);
  context.textAlign = "left";
}

function paintCard(context: CanvasRenderingContext2D, card: Card, of: Compared, colour: Colours): void {
  const tone = TONES[of.how];
  shape(context, card, false);
  context.fillStyle = colour(of.how === "same" ? "surface" : `${tone}-tint`);
  context.fill();
  context.strokeStyle = colour(tone);
  context.lineWidth = of.how === "same" ? 1.2 : 2;
  context.setLineDash(of.how === "removed" ? [5, 4] : []);
  context.stroke();
  context.setLineDash([]);
  const left = card.x + (card.kind === "test" || card.kind === "check" || card.kind === "condition" ? 18 : 12);
  context.textBaseline = "middle";
  context.font = `500 13px ${UI}`;
  context.fillStyle = colour(of.how === "same" ? "muted" : "text");
  context.fillText(`${SIGNS[of.how]} ${card.title}`.trim(), left, card.detail ? card.y + 16 : card.y + card.h / 2);
  if (!card.detail) return;
  context.font = `400 11.5px ${CODE}`;
  context.fillStyle = colour("muted");
  context.fillText(card.detail, left, card.y + 33, card.w - 2 * (left - card.x));
}
