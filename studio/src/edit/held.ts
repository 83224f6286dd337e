// A field in which the keyboard is stays as it is, whatever changes in the document: otherwise what one types next would go elsewhere.

import { useRef, useState } from "preact/hooks";

/** What a field is about: what it was given when the keyboard came, as long as that `isIn` it; and what draws it anew when the keyboard has left. */
export function useHeld<T>(now: T, isIn: (held: T) => boolean): [held: T, left: () => void] {
  const held = useRef(now);
  const [, again] = useState(0);
  if (!isIn(held.current)) held.current = now;
  return [held.current, () => again((nth) => nth + 1)];
}
