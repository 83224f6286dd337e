// A field in which the keyboard is stays as it is, whatever changes in the document: otherwise what one types next would go elsewhere.

import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";

const TYPED = "input:focus, textarea:focus";

/** What a field is about: what it was given when the keyboard came into it, as long as it is about the same node; and what draws it anew when the keyboard has left. */
export function useHeld<T extends { of?: { id: number } }>(now: T, box: RefObject<HTMLElement>): [held: T, left: () => void] {
  const held = useRef(now);
  const [, again] = useState(0);
  const isIn = box.current?.matches(TYPED) || box.current?.querySelector(TYPED);
  if (!isIn || held.current.of?.id !== now.of?.id) held.current = now;
  return [held.current, () => again((nth) => nth + 1)];
}
