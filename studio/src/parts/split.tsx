// The borders between the panes: they are dragged, or moved with the arrow keys, and the page remembers where they were.

import { effect, signal } from "@preact/signals";
import { store, stored, t } from "../texts";

/** How far an arrow key moves a border, in pixels. */
const STEP = 16;

/** The panes whose size can be changed, by their variables in the style sheet: how small and large they may be, and their own size. */
const PANES = {
  list: { least: 140, most: 560, own: 264 },
  sheet: { least: 220, most: 760, own: 420 },
  side: { least: 200, most: 720, own: 344 },
  time: { least: 90, most: 640, own: 204 },
} as const;

type Pane = keyof typeof PANES;

/** The sizes that somebody has chosen. */
export const sizes = signal<Partial<Record<Pane, number>>>(read());

function read(): Partial<Record<Pane, number>> {
  const known: Partial<Record<Pane, number>> = {};
  for (const pane of Object.keys(PANES) as Pane[]) {
    const size = Number(stored(`size-${pane}`) || Number.NaN);
    if (Number.isFinite(size)) known[pane] = limited(pane, size);
  }
  return known;
}

// A function that is declared is there when the sizes are read, above; a constant would not be yet.
function limited(pane: Pane, size: number): number {
  return Math.round(Math.min(PANES[pane].most, Math.max(PANES[pane].least, size)));
}

/** Gives a pane a size; `null` the one that it has by itself. */
export function setSize(pane: Pane, size: number | null): void {
  const { [pane]: _, ...others } = sizes.value;
  sizes.value = size === null ? others : { ...others, [pane]: limited(pane, size) };
  store(`size-${pane}`, size === null ? "" : String(sizes.value[pane]));
}

effect(() => {
  for (const pane of Object.keys(PANES) as Pane[]) {
    const size = sizes.value[pane];
    const style = document.documentElement.style;
    if (size === undefined) style.removeProperty(`--${pane}`);
    else style.setProperty(`--${pane}`, `${size}px`);
  }
});

const isLeft = (pane: Pane): boolean => pane === "list" || pane === "sheet";

/** How large a pane is now. */
function measured(bar: HTMLElement, pane: Pane): number {
  if (pane === "time") return bar.parentElement?.clientHeight ?? 0;
  const beside = isLeft(pane) ? bar.previousElementSibling : bar.nextElementSibling;
  return beside?.clientWidth ?? 0;
}

/** The border of a pane: dragging it towards the pane makes that smaller. */
export function Split({ pane }: { pane: Pane }) {
  const isUp = pane === "time";
  const { least, most, own } = PANES[pane];
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const bar = event.currentTarget as HTMLElement;
    if (event.type === "pointerdown") bar.setPointerCapture(event.pointerId);
    const around = (bar.parentElement as HTMLElement).getBoundingClientRect();
    if (event.type !== "pointermove") return;
    if (isLeft(pane)) setSize(pane, event.clientX - around.left);
    else if (pane === "side") setSize(pane, around.right - event.clientX);
    else setSize(pane, around.bottom - event.clientY);
  };
  const press = (event: KeyboardEvent): void => {
    const now = measured(event.currentTarget as HTMLElement, pane);
    const [more, less] = isUp ? ["ArrowUp", "ArrowDown"] : isLeft(pane) ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    if (event.key === more) setSize(pane, now + STEP);
    else if (event.key === less) setSize(pane, now - STEP);
    else if (event.key === "Home") setSize(pane, least);
    else if (event.key === "Enter") setSize(pane, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`split ${pane}`}
      role="separator"
      tabIndex={0}
      aria-orientation={isUp ? "horizontal" : "vertical"}
      aria-label={t(`size_${pane}`)}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={sizes.value[pane] ?? own}
      title={t("resize")}
      onPointerDown={drag}
      onPointerMove={drag}
      onDblClick={() => setSize(pane, null)}
      onKeyDown={press}
    />
  );
}
