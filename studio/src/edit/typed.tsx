// What was typed and is not in the document: what it is, and what it has taken the place of.

import type { typedInto } from "./typing";

/** How much of it is shown. */
const MOST_SHOWN = 2_000;

export function Typed({ of: { text, removed } }: { of: Omit<ReturnType<typeof typedInto>, "clashes"> }) {
  return (
    <pre class="typed">
      {removed !== "" && <del>{removed.slice(0, MOST_SHOWN)}</del>}
      {text !== "" && <ins>{text.slice(0, MOST_SHOWN)}</ins>}
    </pre>
  );
}
