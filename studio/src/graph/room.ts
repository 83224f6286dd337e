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
