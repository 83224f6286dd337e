// How far a drawing moves in its window.

/**
 * Where something of a size goes that is moved by so much: what has room stays in the room, at some distance from its border, and
 * what has none fills it. What was beyond that before may stay there.
 */
export function within(at: number, by: number, size: number, room: number, margin: number): number {
  const spare = room - size - margin;
  const [first, last] = [Math.min(margin, spare), Math.max(margin, spare)];
  return Math.min(Math.max(at + by, Math.min(first, at)), Math.max(last, at));
}

/** A piece of a window. */
export type Box = readonly [x: number, y: number, w: number, h: number];

/** Whether something of a piece is in the window. */
export const isInRoom = ([x, y, w, h]: Box, wide: number, high: number): boolean => x + w > 0 && y + h > 0 && x < wide && y < high;

/** Whether an edit has moved what was in sight, so that it is to be looked after. */
export const hasMoved = (before: Box | null, now: Box | null, wide: number, high: number): boolean =>
  !!before && !!now && isInRoom(before, wide, high) && before.some((one, nth) => Math.abs(one - now[nth]) >= 1);
