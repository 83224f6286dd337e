// What every drawing begins with.

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

/** Empties a canvas of this size, in pixels of the page. Its size is set only when it is another one, because that costs a layout. */
export function clear(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, wide: number, high: number): void {
  const ratio = devicePixelRatio;
  const [width, height] = [Math.round(wide * ratio), Math.round(high * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  else context.reset();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
