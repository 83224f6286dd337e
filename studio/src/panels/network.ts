// Where the units of a network are drawn.

type Size = { width: number; row: number; radius: number };

/** The largest of some numbers, whatever their signs. */
export const strongest = (values: number[]): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Columns of so many circles side by side, each in the middle of the height. */
export function placed(columns: number[], { width, row, radius }: Size) {
  const longest = Math.max(...columns);
  // Many units stand closer together.
  const step = Math.max(2 * radius + 3, Math.min(row, 260 / longest));
  const height = longest * step;
  const between = (width - 2 * radius - 4) / Math.max(1, columns.length - 1);
  return {
    height,
    x: (column: number): number => radius + 2 + column * between,
    y: (column: number, place: number): number => (height - (columns[column] - 1) * step) / 2 + place * step,
  };
}
