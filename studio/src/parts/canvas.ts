// What every drawing begins with.

/** The fonts of all drawings: those of the page, for text and for what stands in documents. */
export const UI = "Inter, system-ui, sans-serif";
export const CODE = "'JetBrains Mono', ui-monospace, monospace";

export type Colours = (name: string) => string;

/** Asks for the colours of the theme, for each once: asking for a style costs more than drawing a card. */
export function colours(of: Element = document.documentElement): Colours {
  const style = getComputedStyle(of);
  const known = new Map<string, string>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      found = style.getPropertyValue(`--${name}`).trim();
      known.set(name, found);
    }
    return found;
  };
}

const due = new Map<object, () => void>();

/**
 * Draws in the next frame: everything in the same one, after all changes of the page. So the browser lays the page out once for
 * a view. Of what has the same name, the last counts.
 */
export function inFrame(name: object, draw: () => void): void {
  if (due.size === 0)
    requestAnimationFrame(() => {
      const all = [...due.values()];
      due.clear();
      for (const one of all) one();
    });
  due.set(name, draw);
}

/** The time between two drawings of a crowd while it plays. */
const CALM_MS = 100;
const lastMs = new WeakMap<object, number>();
const later = new Map<object, ReturnType<typeof setTimeout>>();

/** Draws in the next frame, but while a crowd plays at most ten times a second. The last drawing that was asked for always comes. */
export function inCalm(name: object, isPlaying: boolean, draw: () => void): void {
  clearTimeout(later.get(name));
  later.delete(name);
  const wait = (lastMs.get(name) ?? 0) + CALM_MS - performance.now();
  const begin = (): void => {
    later.delete(name);
    lastMs.set(name, performance.now());
    inFrame(name, draw);
  };
  if (!isPlaying || wait <= 0) begin();
  else later.set(name, setTimeout(begin, wait));
}

/** Empties a canvas of this size, in pixels of the page. Its size is set only when it is another one, because that costs a layout. */
export function clear(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, wide: number, high: number): void {
  const ratio = devicePixelRatio;
  const [width, height] = [Math.round(wide * ratio), Math.round(high * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  else context.reset();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** A colour as a pixel of an image, in the order of bytes of all machines that have browsers. */
export function pixelOf(context: CanvasRenderingContext2D, colour: string): number {
  context.fillStyle = colour;
  // Whatever way it was written, it is read as `#rrggbb`.
  const rgb = Number.parseInt(String(context.fillStyle).slice(1), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

interface Pixels {
  canvas: HTMLCanvasElement;
  image: ImageData;
  pixels: Uint32Array;
}

let reused: Pixels | null = null;

/** Squares without number in an image, which is drawn at once. There is one such image at a time. */
export class Points {
  private readonly of: Pixels;

  constructor(wide: number, high: number) {
    if (reused?.image.width !== wide || reused.image.height !== high) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [wide, high];
      const image = new ImageData(Math.max(1, wide), Math.max(1, high));
      reused = { canvas, image, pixels: new Uint32Array(image.data.buffer) };
    }
    this.of = reused;
    this.of.pixels.fill(0);
  }

  /** Sets the pixels of a square, as far as it is in the image. */
  set(left: number, top: number, size: number, pixel: number): void {
    const { width, height } = this.of.image;
    for (let y = Math.max(0, top); y < Math.min(height, top + size); y++)
      for (let x = Math.max(0, left); x < Math.min(width, left + size); x++) this.of.pixels[y * width + x] = pixel;
  }

  drawn(): HTMLCanvasElement {
    const { canvas, image } = this.of;
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas;
  }
}
