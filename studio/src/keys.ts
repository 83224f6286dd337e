// What each key does.

import { press } from "./edit/actions";
import * as sheet from "./edit/sheet";
import { save } from "./edit/together";
import * as trial from "./edit/trial";
import * as graph from "./graph/graph";
import * as hands from "./graph/hands";
import * as map from "./map/map";
import { leaveEvents, event as stepEvent, toggleAt } from "./panels/breakpoints";
import * as home from "./panels/home";
import * as picture from "./panels/picture";
import * as problems from "./panels/problems";
import * as search from "./panels/search";
import * as tour from "./panels/tour";
import { isField, toKeyboard } from "./parts/keyboard";
import { isSaveKey } from "./parts/save-key";
import { draft } from "./testing/making";
import { keep, swap } from "./time/compare";
import * as stretch from "./time/stretch";
import * as time from "./time/time";
import * as model from "./wire/model";
import { choose, lookAgain, say } from "./wire/wire";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

export function speed(by: 1 | -1): void {
  const now = model.view.value?.speed ?? 1;
  const next = by > 0 ? SPEEDS.find((one) => one > now) : SPEEDS.findLast((one) => one < now);
  if (next) say({ say: "speed", factor: next });
}

/** To the last tick; of a game that runs elsewhere, on with it. */
export function toEnd(): void {
  const view = model.view.value;
  if (view?.is_live) say({ say: "follow" });
  else say({ say: "go", tick: view?.end ?? view?.last ?? 0 });
}

export function toggle(): void {
  say({ say: model.view.value?.is_paused ? "play" : "pause" });
}

/** The next or the previous tick in which the agent began to do something else. */
export function change(by: 1 | -1): void {
  const tick = model.view.value?.tick ?? 0;
  const starts = model.film.value.does
    .concat(model.film.value.states)
    .map(([from]) => from)
    .sort((a, b) => a - b);
  const next = by > 0 ? starts.find((one) => one > tick) : starts.findLast((one) => one < tick);
  if (next !== undefined) say({ say: "go", tick: next });
}

/** Selects another line of the list. */
export function select(by: 1 | -1): void {
  const shown = model.shown.value;
  const now = shown.findIndex((nth) => model.lines.value[nth].id === model.selected.value);
  const start = now < 0 ? shown.indexOf(model.running.value) - (by > 0 ? 1 : -1) : now;
  const next = shown[Math.min(shown.length - 1, Math.max(0, start + by))];
  if (next === undefined) return;
  model.selected.value = model.lines.value[next].id;
  model.scrollTo(model.lines.value[next].id);
}

/** Shows the document as it is edited, with the keyboard in it. */
export function toEditor(): void {
  model.panel.value = "edit";
  lookAgain();
  toKeyboard(".sheet[role=tree]");
}

/** Shows a table of the document, with the keyboard in its first row if nothing else is said: what is typed next is still a key of the page. */
export function toDesk(table: typeof sheet.desk.value, what = ".desk .table tbody"): void {
  [model.panel.value, sheet.desk.value] = ["edit", table];
  lookAgain();
  toKeyboard(what);
}

/** Shows the map, with the keyboard in it. */
export function toMap(): void {
  toMapAt(".map .squares");
}

/** Shows what is kept for the map: what is to be decided first, or the field that has it. */
export const toTypedMap = (): void => toMapAt(".map .left button, .map [aria-invalid=true], .map textarea");

function toMapAt(what: string): void {
  [model.panel.value, sheet.desk.value] = ["edit", "map"];
  lookAgain();
  toKeyboard(what);
}

/** Whether it can be played again from the tick that is shown. */
export function mayAgain(): boolean {
  const view = model.view.value;
  return !!view && view.end === null && !view.is_live && view.tick < view.last;
}

/** Plays again from here with the document as it is now. */
export function again(): void {
  if (mayAgain()) say({ say: "again" });
}

/** Shows the tests of the document, with the keyboard in them. */
export function toTests(): void {
  model.panel.value = "tests";
  lookAgain();
  if (stretch.stretch.value) draft();
  toKeyboard(stretch.stretch.value && !stretch.whyNot.value ? ".making .wide input" : ".cases");
}

function agent(by: 1 | -1): void {
  const count = model.view.value?.agents?.length ?? 1;
  choose((model.mind.value + by + count) % count);
}

/** Whether a key belongs to an input method, by which a word is composed: Enter takes the word then, and ends nothing. */
export const isComposed = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/** Saves, wherever the keyboard is; returns whether the key is for that. What is being typed is written first. */
export function isSave(event: KeyboardEvent): boolean {
  if (!isSaveKey(event) || !sheet.mayEdit.value || !sheet.sheet.value) return false;
  const field = event.target as HTMLElement;
  if (isField(field)) {
    field.blur();
    if (field.isConnected) field.focus({ preventScroll: true });
  }
  trial.behind(save);
  return true;
}

const mayChange = (): boolean => model.panel.value === "edit" || (model.panel.value === "text" && sheet.mayEdit.value);

const isOfHistory = (event: KeyboardEvent): boolean => (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);

/** Undoes or does again what was done to the document, in a field in which nobody has typed; returns whether the key is for that. */
export function isTakenBack(event: KeyboardEvent): boolean {
  const field = event.target as HTMLInputElement;
  const hasTyped = field.tagName !== "SELECT" && field.value !== field.defaultValue;
  if (!isOfHistory(event) || !isField(field) || hasTyped) return false;
  return mayChange() && !document.querySelector("dialog[open]") && press(event);
}

/** Does what a key is for; returns whether it is for anything. */
export function isKey(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  // A window above the page has the keyboard to itself, and Escape closes only that.
  const above = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);
  if (above) {
    if (event.key !== "Escape" || isComposed(event)) return false;
    above.close();
    return true;
  }
  if (event.key === "Escape" && (hands.cancel() || map.cancel() || tour.end())) return true;
  if (event.key === "Escape") {
    leaveEvents();
    model.dismissAll();
    model.helps.value = false;
    stretch.clear();
    home.isOpen.value = false;
    search.isOpen.value = false;
    model.query.value = "";
    model.selected.value = null;
    model.follows.value = true;
    // The rows keep the keyboard: their keys mean something else to the page.
    if (!target.matches(".sheet[role=tree]")) target.blur();
    return true;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "k") {
    search.isOpen.value = true;
    return true;
  }
  // A switch that was clicked on takes no text.
  const isSwitch = /^(checkbox|radio)$/.test((target as HTMLInputElement).type) && event.key !== " ";
  if (isField(target) && !isSwitch) return false;
  // What was done can be taken back wherever the keyboard is; the text has a history of its own.
  if (isOfHistory(event) && mayChange() && !target.isContentEditable) return press(event);
  if (event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable) return false;
  const work: Record<string, () => void> = {
    " ": toggle,
    ArrowLeft: () => (event.shiftKey ? change(-1) : say({ say: "back" })),
    ArrowRight: () => (event.shiftKey ? change(1) : say({ say: "step" })),
    ",": () => say({ say: "back" }),
    ".": () => say({ say: "step" }),
    Home: () => say({ say: "go", tick: model.view.value?.first ?? 0 }),
    End: toEnd,
    j: () => select(1),
    k: () => select(-1),
    ArrowDown: () => select(1),
    ArrowUp: () => select(-1),
    h: () => model.selected.value && model.fold(model.selected.value, true),
    l: () => model.selected.value && model.fold(model.selected.value, false),
    o: () => model.selected.value && model.openAlone(model.selected.value),
    u: () => model.openAlone(model.crumbs.value.length > 2 ? model.lines.value[model.crumbs.value.at(-2) as number].id : null),
    b: () => model.selected.value && toggleAt(model.selected.value),
    i: () => stepEvent(1),
    I: () => stepEvent(-1),
    m: keep,
    M: swap,
    s: () => (search.isOpen.value = true),
    D: picture.open,
    f: graph.fit,
    F: () => (model.follows.value = !model.follows.value),
    z: () => graph.zoom(1.25),
    Z: () => graph.zoom(1 / 1.25),
    x: () => time.zoomTime(0.5),
    X: () => time.zoomTime(2),
    e: time.showAllTicks,
    F8: () => problems.next(event.shiftKey ? -1 : 1),
    g: () => (model.panel.value = "graph"),
    E: toEditor,
    K: () => toDesk("keys"),
    L: () => toDesk("leaves"),
    A: toMap,
    T: toTests,
    r: stretch.press,
    R: again,
    p: home.toggle,
    t: () => (model.panel.value = "text"),
    "/": () => document.querySelector<HTMLInputElement>("nav input")?.focus(),
    "[": () => agent(-1),
    "]": () => agent(1),
    "-": () => speed(-1),
    "+": () => speed(1),
    "?": () => (model.helps.value = !model.helps.value),
  };
  const does = work[event.key] ?? (/^[0-9]$/.test(event.key) ? () => model.foldTo(Number(event.key)) : undefined);
  // Space and Enter press the button that has the focus.
  if (!does || (event.key === " " && target.tagName === "BUTTON")) return false;
  does();
  return true;
}
