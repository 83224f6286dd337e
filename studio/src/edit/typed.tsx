// What was typed and is not in the document: what it is, and what it has taken the place of.

import type { typedInto } from "./typing";

/** How much of it is shown. */
const MOST_SHOWN = 2_000;

export function Typed({ of }: { of: Pick<ReturnType<typeof typedInto>, "parts"> }) {
  return (
    <pre class="typed">
      {of.parts.map(({ removed, text }, nth) => (
        <div key={nth}>
          {removed !== "" && <del>{removed.slice(0, MOST_SHOWN)}</del>}
          {text !== "" && <ins>{text.slice(0, MOST_SHOWN)}</ins>}
        </div>
      ))}
    </pre>
  );
}
