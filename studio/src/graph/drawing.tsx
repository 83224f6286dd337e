// What lies above the drawing while one edits it: why something cannot be dropped, and the form of a transition.

import { Words } from "../panels/now";
import { told } from "./hands";
import { TransitionForm } from "./popup";

export function Drawing() {
  const why = told.value;
  return (
    <>
      <div role="status" class={why ? "dragged why" : "dragged"} style={why ? { left: `${why.x}px`, top: `${why.y}px` } : undefined}>
        {why && <Words text={why.text} />}
      </div>
      <TransitionForm />
    </>
  );
}
