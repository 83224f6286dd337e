// The graph as a file: what it shows at this tick, in one of both themes. What is cut off on the screen stands in full there.

import { type Colours, colours } from "../parts/canvas";
import { stored, t } from "../texts";
import * as model from "../wire/model";
import { inFull } from "./graph";
import { paintAll } from "./paint";
import { SvgPainter } from "./svg";

const MARGIN = 28;
/** How many pixels of a picture are one of the page, and how many it may have on a side. */
const SHARPNESS = 2;
const MOST_PIXELS = 8192;

export type Theme = "dark" | "light";

/** The colours of a theme, whichever the page has. */
export function coloursOf(theme: Theme): { colour: Colours; free: () => void } {
  const probe = document.createElement("div");
  probe.dataset.theme = theme;
  probe.hidden = true;
  document.body.append(probe);
  return { colour: colours(probe), free: () => probe.remove() };
}

/** What the picture is called where it is not seen. */
function title(): string {
  const view = model.view.value;
  const name = model.definition.value?.behaviour?.name ?? "";
  const running = model.lines.value[model.running.value];
  const does = running ? `, ${model.parts(running).name} ${t("running")}` : "";
  return `${name}: ${view?.file ?? ""}, ${t("tick")} ${view?.tick ?? 0}${does}`;
}

const always = (): boolean => true;

/** The graph as SVG. */
export function asSvg(theme: Theme): string {
  const of = inFull.value;
  const measurer = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  const painter = new SvgPainter((text, font) => {
    measurer.font = font;
    return measurer.measureText(text).width;
  });
  const { colour, free } = coloursOf(theme);
  painter.translate(MARGIN, MARGIN);
  // It has all of a canvas that the painter uses.
  if (of) paintAll(painter as unknown as CanvasRenderingContext2D, of, always, colour);
  painter.restore();
  const [wide, high] = [(of?.w ?? 0) + 2 * MARGIN, (of?.h ?? 0) + 2 * MARGIN];
  const text = painter.done({ wide, high, title: title(), background: colour("bg") });
  free();
  return text;
}

/** The graph as PNG: of the same painter, on a canvas. */
export async function asPng(theme: Theme): Promise<Blob | null> {
  const of = inFull.value;
  if (!of) return null;
  const canvas = document.createElement("canvas");
  const [wide, high] = [of.w + 2 * MARGIN, of.h + 2 * MARGIN];
  const scale = Math.min(SHARPNESS, MOST_PIXELS / wide, MOST_PIXELS / high);
  [canvas.width, canvas.height] = [Math.ceil(wide * scale), Math.ceil(high * scale)];
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const { colour, free } = coloursOf(theme);
  context.fillStyle = colour("bg");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.translate(MARGIN, MARGIN);
  paintAll(context, of, always, colour);
  free();
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** What the file is called: what is drawn, and when. */
export function nameOf(theme: Theme, end: string): string {
  const name = (model.definition.value?.behaviour?.name ?? "graph").replace(/[^\p{L}\p{N}_-]+/gu, "-");
  return `${name}-${model.view.value?.tick ?? 0}-${theme}.${end}`;
}

/** Gives a file to the browser. */
function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function download(theme: Theme, end: "svg" | "png"): Promise<void> {
  const blob = end === "svg" ? new Blob([asSvg(theme)], { type: "image/svg+xml" }) : await asPng(theme);
  if (blob) save(nameOf(theme, end), blob);
}

export const themeNow = (): Theme => (document.documentElement.dataset.theme === "light" || stored("theme") === "light" ? "light" : "dark");
