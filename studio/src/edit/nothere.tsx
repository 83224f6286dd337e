// Why what is dragged cannot go where it is, beside the pointer.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Words } from "../panels/now";

export function NotHere({ why, at }: { why: string; at: { x: number; y: number } }) {
  const box = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    // Above everything else: what lies around it would cut it off, and be what its place counts from.
    if (!current.matches(":popover-open")) current.showPopover();
    current.style.left = `${Math.max(4, Math.min(at.x + 14, innerWidth - current.offsetWidth - 8))}px`;
    current.style.top = `${Math.max(4, Math.min(at.y + 18, innerHeight - current.offsetHeight - 8))}px`;
  });
  return (
    <p ref={box} class="dragged why over-rows" popover="manual" role="status">
      <Words text={why} />
    </p>
  );
}
