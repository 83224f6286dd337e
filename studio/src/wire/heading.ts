// Where the page has asked to go in time, until the answer shows it: keys that follow at once are about that tick.

import type { Ask } from "../protocol";
import * as model from "./model";

let heading: { tick: number; asked: number } | null = null;

/** Something is said to the program, after so many questions. */
export function heads(what: Ask, asked: number): void {
  const view = model.view.peek();
  if (what.say === "go") heading = { tick: what.tick, asked };
  else if (what.say === "step" || what.say === "back") heading = { tick: tickMeant() + (what.say === "step" ? 1 : -1), asked };
  else if (what.say === "follow") heading = { tick: view?.last ?? 0, asked };
  else if (/^(play|again)$/.test(what.say)) heading = null;
}

/** The tick that is shown, or to which the page is on its way. */
export function tickMeant(): number {
  const view = model.view.peek();
  if (heading && model.heard.peek() > heading.asked) heading = null;
  return heading?.tick ?? view?.goal ?? view?.tick ?? 0;
}
