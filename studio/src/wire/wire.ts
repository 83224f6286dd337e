// The conversation: the page asks for the next view when it has drawn the last one, so it never lags behind.

import { batch, signal } from "@preact/signals";
import * as crowd from "../crowd/crowd";
import { advice } from "../edit/advice";
import * as assist from "../edit/assist";
import * as sheet from "../edit/sheet";
import * as trial from "../edit/trial";
import { offer, unstrand } from "../edit/typing";
import * as unsent from "../edit/unsent";
import * as unwritten from "../edit/unwritten";
import { comparison } from "../edit/versions";
import * as words from "../edit/word";
import { asked as worthAsked } from "../edit/worth";
import * as hands from "../graph/hands";
import * as map from "../map/map";
import * as beginning from "../panels/begin";
import * as breakpoints from "../panels/breakpoints";
import * as folders from "../panels/folders";
import * as home from "../panels/home";
import * as planning from "../panels/planning";
import * as problems from "../panels/problems";
import { isField, toKeyboard } from "../parts/keyboard";
import { type Ask, type Message, VERSION } from "../protocol";
import * as tests from "../testing/tests";
import { language, store, stored, t } from "../texts";
import * as earlier from "../time/earlier";
import * as stretch from "../time/stretch";
import { type Carrier, carry, isAlone } from "./carrier";
import { joined, type Patched, type Piece, placesAfter, put, whole } from "./delta";
import * as entries from "./entries";
import { heads } from "./heading";
import * as kept from "./kept";
import type { View } from "./model";
import * as model from "./model";
import { type Packed, packed, unpacked } from "./packed";
import * as panel from "./panel";
import { arrive } from "./share";
import * as typed from "./typed";

const RETRY_MS = 500;

let carrier: Carrier | null = null;
/** The number of the last question; an answer to an earlier one asks for nothing more. */
let asked = 0;

/** What the address wants that has not been done yet. */
const wanted = new URLSearchParams(location.hash.slice(1));

/** Connects as soon as what the address brings along is there. */
export async function begin(): Promise<void> {
  // Another page may have been closed while its session had not written what was typed.
  if (isAlone) typed.rescue();
  const why = isAlone ? await arrive(wanted) : null;
  if (isAlone) seed.value = Math.trunc(Number(wanted.get("seed"))) || 0;
  wanted.delete("seed");
  if (why) model.refused.value = `${t("noLink")} ${why}`;
  connect();
}

/** What a server beyond this machine asks for. It stays in the address, so that the page can be opened again. */
let token = wanted.get("token");
wanted.delete("token");
/** The token with which somebody could edit last. */
const EDITED = "treemind-edited";

// Who comes back to the page may have made files elsewhere.
addEventListener("focus", () => {
  if (model.isConnected.peek() && !isAlone) say({ say: "files" });
});
// What is in a field is for the page that is loaded next.
addEventListener("pagehide", unsent.leavePage);
addEventListener("pagehide", panel.leave);
// Somebody goes back or on in the browser, or has put another address of this page into the address bar: the browser does not
// load the page again for that.
addEventListener("hashchange", (event) => {
  const next = new URLSearchParams(new URL(event.newURL).hash.slice(1));
  const other = next.get("token");
  next.delete("token");
  // What begins a page alone is read only when it is loaded.
  const view = model.view.value;
  const own = new URLSearchParams(view ? address(view).slice(1) : "");
  if (isAlone && [...next].some(([key, value]) => !PLACES.includes(key) && own.get(key) !== value)) {
    location.reload();
    return;
  }
  for (const [key, value] of next) wanted.set(key, value);
  if (!isAlone && other && other !== token) {
    token = other;
    carrier?.close();
    return;
  }
  const file = next.get("file");
  if (file) entries.goTo(file);
  if (view && (!file || file === own.get("file"))) entries.write(address(view));
  // Before the files are known, nobody knows what is there.
  if (file && model.files.value.length > 0) {
    if (model.files.value.includes(file)) open(file);
    else seek(file);
  }
  lookAgain();
});

/** The file of an address that is none of those that the page knows: it may be a new one. */
let sought: string | null = null;

/** Asks whether there is such a file by now. */
function seek(file: string): void {
  sought = file;
  if (isAlone) goToSought();
  else say({ say: "files" });
}

/** Opens the file that an address named, now that all are known. Of one that is not there, it says so, and what else the address says means nothing. */
function goToSought(): void {
  const file = sought;
  sought = null;
  if (!file) return;
  // People write the name that the page shows, which may lack the folder.
  const like = model.files.value.filter((one) => one === file || one.endsWith(`/${file}`));
  if (like.length === 1 || like.includes(file)) {
    const found = like.length === 1 ? like[0] : file;
    wanted.set("file", found);
    open(found);
    return;
  }
  for (const key of PLACES) wanted.delete(key);
  entries.choose("");
  if (model.view.value) entries.write(address(model.view.value));
  model.refused.value = `${t("noSuchFile")} \`${file}\``;
}

/** What an address says of where to go. */
const PLACES = ["file", "agent", "tick", "node", "test"];

/** Where chance begins in all games of a page alone. It stays in the address. */
export const seed = signal(0);

/** The program takes no longer message. */
const LONGEST_BYTES = 8 << 20;

export function say(what: Ask): void {
  trySay(what);
}

/** Says something to the program; returns whether that could be sent. */
export function trySay(what: Ask): boolean {
  const text = JSON.stringify(what);
  // A unit of a text has three bytes at most.
  if (!isAlone && text.length * 3 > LONGEST_BYTES && new TextEncoder().encode(text).length > LONGEST_BYTES) {
    model.refused.value = t("tooLong");
    return false;
  }
  heads(what, asked);
  return carrier?.send(text) ?? false;
}

/** How many views were asked for so far. */
export const looks = (): number => asked;

function connect(): void {
  const heard = {
    open: () => {
      model.isForbidden.value = false;
      say({ say: "hello" });
    },
    forbidden: () => {
      model.isForbidden.value = true;
    },
    message: (text: string) => hear(JSON.parse(text) as Message),
    close: (why: string) => {
      if (model.isConnected.peek()) sheet.cut();
      trial.cut(t("notDone"));
      model.isConnected.value = false;
      if (why) model.refused.value = `${t(isAlone ? "workerDied" : "closedBy")} ${why}`;
      if (isAlone && !typed.ended(model.file.value)) model.file.value = "";
      setTimeout(connect, RETRY_MS);
    },
  };
  const address = `ws://${location.host}/socket${token ? `?token=${encodeURIComponent(token)}` : ""}`;
  carrier = carry(heard, address, seed.value, typed.written);
}

/** Asks for what has changed since the last view; `fresh` asks for all of it. */
function look(isFresh: boolean): void {
  const has = model.view.value;
  const opened = isFresh ? 0 : (has?.opened ?? 0);
  const isSame = opened === has?.opened && has?.mind === model.mind.value;
  const number = model.selected.value?.match(/^n(\d+)$/)?.[1];
  asked += 1;
  sheet.asks(asked);
  say({
    say: "look",
    delta: true,
    nth: asked,
    file: model.file.value,
    mind: model.mind.value,
    seen: isFresh ? 0 : (has?.state ?? 0),
    opened,
    defined: has?.mind ?? 0,
    since: isSame ? model.film.value.to : 0,
    fills: isSame ? model.film.value.fills : 0,
    node: number === undefined ? null : Number(number),
    language: language.value,
    find: crowd.find.value,
    where: crowd.holds.value,
    longest: crowd.longest.value,
    hits: breakpoints.lastHit(),
    worth: worthAsked.value,
    planner: planning.asked.value,
    what_if: planning.whatIf.value,
    sheet: model.panel.value === "edit" || sheet.writes.value ? (sheet.sheet.value?.revision ?? 0) : null,
    map: model.panel.value === "edit" && sheet.desk.value === "map" ? (map.map.value?.revision ?? 0) : null,
    unwritten: unwritten.unwritten.value.revision,
    tests: tests.known(),
    earlier: earlier.known(),
  });
}

/** Asks again although nothing has changed on the other side: the page wants to see something else. */
export function lookAgain(): void {
  const has = model.view.value;
  if (has) model.view.value = { ...has, state: 0 };
  look(false);
}

/** Reads everything in the other language. */
export function setLanguage(to: typeof language.value): void {
  language.value = to;
  store("language", to);
  breakpoints.forgetHits();
  model.film.value = model.noFilm;
  lookAgain();
}

/** Looks at another agent. */
export function choose(nth: number): void {
  model.mind.value = nth;
  lookAgain();
}

/** Looks at another file, and then does something. Other pages stay with theirs. */
export function open(file: string, then: () => void = () => undefined): void {
  home.isOpen.value = false;
  if (file === model.view.value?.file && file === model.file.value) {
    then();
    return;
  }
  // What is in a field is written to the file for which it was typed.
  const field = document.activeElement;
  if (field instanceof HTMLElement && isField(field)) field.blur();
  trial.behind(() => {
    turn(file);
    then();
  });
}

function turn(file: string): void {
  entries.choose(file);
  [model.file.value, model.mind.value, model.closed.value] = [file, 0, 0];
  // What was refused, or not taken over, was about the file before.
  model.refused.value = "";
  beginning.lost.value = [];
  breakpoints.forgetHits();
  lookAgain();
}

function hear(message: Message): void {
  if (message.kind === "hello") {
    if (message.version !== VERSION) {
      model.refused.value = t("otherVersion");
      return;
    }
    const [isFirst, isNew] = [start === "", start !== message.start];
    start = message.start;
    if (isNew) {
      breakpoints.forgetHits();
      // What was typed has ended the session of a page alone.
      sheet.forget(isAlone ? "turn" : "type on");
      map.forget();
      folders.opened.value = "";
      offer();
      unwritten.forget();
    } else unstrand();
    folders.first.value = message.folder;
    trial.forget();
    unsent.cut(false);
    if (message.may_edit) say({ say: "words" });
    // The address of a program that has ended does not let one edit in the one that runs now, be the page loaded anew.
    const couldEdit = sheet.hasEnded.value || sheet.mayEdit.value || (token !== null && token === stored(EDITED));
    sheet.hasEnded.value = !message.may_edit && couldEdit;
    if (message.may_edit && token) store(EDITED, token);
    batch(() => {
      model.isConnected.value = true;
      if (model.refused.value === t("notDone")) model.refused.value = "";
      model.closed.value = 0;
      model.files.value = message.files;
      sheet.mayEdit.value = message.may_edit;
      sheet.you.value = message.you;
    });
    const file = wanted.get("file");
    home.hasPreviews.value = message.has_previews && (message.can_make || model.files.value.length > 1);
    beginning.canMake.value = message.can_make;
    folders.isEmpty.value = message.is_folder_empty;
    const isKnown = !!file && model.files.value.includes(file);
    if (isKnown) model.file.value = file;
    // Without a name one would be shown what others look at, and that may be the recording of a test.
    else if (!model.files.value.includes(model.file.value)) model.file.value = model.files.value.length === 1 ? model.files.value[0] : "";
    // Nobody has chosen a file yet.
    if (!model.file.value && model.files.value.length > 1) home.show(true);
    if (isFirst && message.may_edit && model.file.value) panel.comeBack(model.file.value);
    if (isKnown) wanted.delete("file");
    else if (file) seek(file);
    look(true);
  } else if (message.kind === "files") {
    if (message.files.join("\n") !== model.files.peek().join("\n")) {
      model.files.value = message.files;
      home.askPreviews();
    }
    goToSought();
  } else if (message.kind === "preview") {
    home.take(message);
  } else if (message.kind === "fits") {
    sheet.takeFits(message);
  } else if (message.kind === "tried") {
    hands.hear(message);
  } else if (message.kind === "makeable") {
    stretch.hear(message);
  } else if (message.kind === "advice") {
    advice.value = message;
  } else if (message.kind === "completions") {
    assist.take(message);
  } else if (message.kind === "hover") {
    assist.takeHover(message);
  } else if (message.kind === "words") {
    sheet.heardWords.value = message;
  } else if (message.kind === "word") {
    words.take(message);
  } else if (message.kind === "compared") {
    comparison.value = message;
  } else if (message.kind === "made") {
    model.files.value = message.files;
    folders.isEmpty.value = false;
    model.panel.value = "edit";
    // A table of what is new is empty.
    sheet.desk.value = "graph";
    open(message.file);
    // The list of another document, which is still there, would lose it.
    toKeyboard(".sheet[role=tree]", () => model.view.value?.file === message.file && sheet.sheet.value !== null);
    beginning.lost.value = message.lost;
  } else if (message.kind === "folder") {
    folders.take(message);
    if (message.is_opened) home.show(home.isFirst.value);
  } else if (message.kind === "refused") {
    model.refused.value = message.why;
    sheet.refuse();
  } else if (message.kind === "view") {
    const view = whole(message as Patched, last);
    last = { ...view };
    show(view);
    keepBreakpoints(view, message.nth);
    if (message.nth === asked) requestAnimationFrame(() => look(false));
  }
}

/** By which it is known whether the program was started again. */
let start = "";
/** The first answer that has the breakpoints that the page has sent. */
let restored = 0;

/** Gives the program its breakpoints back, if it was started again; otherwise remembers those that it has. */
function keepBreakpoints(view: View, nth: number): void {
  const again = kept.again(view.file, start);
  if (again.length > 0) {
    for (const one of again) say({ say: "break", ...one });
    lookAgain();
    restored = asked;
  } else if (nth >= restored) kept.keep(view.file, start, view.breakpoints ?? []);
}

/** The last view as the server sent it, whatever the page has done with it. */
let last: View | null = null;

function show(view: Patched): void {
  const patch = view.definition_patch;
  const hadSelected = model.selected.value !== null;
  if (patch && model.definition.value) view.definition = unpacked(put(packed(model.definition.value), patch.piece) as Packed);
  batch(() => {
    if (view.definition) {
      const isOtherFile = view.file !== model.view.value?.file;
      const isOther = isOtherFile || !view.definition.behaviour !== !model.definition.value?.behaviour;
      const before = model.lines.value;
      const hadDraft = !!model.definition.value?.draft;
      model.definition.value = view.definition;
      model.film.value = model.noFilm;
      if (isOther) {
        model.selected.value = null;
        model.root.value = null;
        model.folded.value = new Set();
        // A document that plays at last is still the one that is edited.
        if (isOtherFile) [model.edited.value, model.rewritten.value] = [null, null];
        if (isOtherFile) sheet.forget();
        if (isOtherFile) map.forget();
        if (isOtherFile) tests.turnTo(view.file);
        // Whoever is typing goes on where they are.
        const stays = model.panel.value === "edit" || model.panel.value === "tests" || (!isOtherFile && isTyping());
        if (!stays) model.panel.value = view.definition.behaviour ? "graph" : "text";
      } else {
        keep(before, patch?.piece);
        if (!!view.definition.draft !== hadDraft) turnToText(!hadDraft);
      }
    }
    model.file.value ||= view.file;
    model.mind.value = view.mind;
    model.ticksPerSec.value = view.ticks_per_sec;
    breakpoints.takeHits(view.hits);
    if (view.film) model.film.value = joined(model.film.value, view.film);
    if (view.sheet) sheet.take(view.sheet, view.nth);
    if (view.sheet_change && !sheet.takeChange(view.sheet_change, view.nth)) {
      // What does not fit is asked for as a whole.
      sheet.sheet.value = null;
      queueMicrotask(lookAgain);
    }
    if (view.map) map.take(view.map);
    if (view.unwritten) unwritten.unwritten.value = view.unwritten;
    if (view.tests) tests.take(view.tests, view.file);
    // A line of the definition has another number after an edit; what is chosen in the document is still that.
    const line = view.definition && model.panel.value === "edit" && sheet.node.value ? sheet.lineOf(sheet.node.value) : -1;
    if (line >= 0 && hadSelected) model.selected.value = model.lines.value[line]?.id ?? null;
    model.view.value = view;
    model.heard.value = view.nth;
    earlier.take(view);
    crowd.take(view);
    model.lookForEdit(view);
  });
  follow();
  breakpoints.follow();
}

/** Whether the page itself has turned to the text, because it has mistakes. */
let hasTurned = false;

/** Whether the text that is shown is the one that is typed. */
const isTyping = (): boolean => model.panel.value === "text" && sheet.writes.value && sheet.mayEdit.value;

/** Shows the text while it has mistakes, and then again what was shown before, unless somebody is typing it by then. */
function turnToText(hasMistakes: boolean): void {
  if (hasMistakes && model.panel.value === "graph") {
    [model.panel.value, hasTurned] = ["text", true];
    problems.chosen.value = null;
    requestAnimationFrame(() => document.querySelector(".text .mistake")?.scrollIntoView({ block: "center" }));
  } else if (!hasMistakes && hasTurned) {
    hasTurned = false;
    if (!isTyping()) model.panel.value = "graph";
  }
}

/** After a reload or a restart of the server: lines that are still there stay selected and folded, whatever their numbers are now. */
function keep(before: model.Line[], piece?: Piece): void {
  const after = model.lines.value;
  const same = new Map<string, string>();
  if (piece) {
    const inner = piece.object?.behaviour?.object?.lines;
    placesAfter(before.length, inner).forEach((now, nth) => {
      if (after[now]) same.set(before[nth].id, after[now].id);
    });
  } else {
    const old = new Map(before.map((line) => [line.id, line.text]));
    for (const { id, text } of after) if (old.get(id) === text) same.set(id, id);
  }
  if (model.selected.value) model.selected.value = same.get(model.selected.value) ?? null;
  if (model.root.value) model.root.value = same.get(model.root.value) ?? null;
  model.folded.value = new Set([...model.folded.value].flatMap((id) => same.get(id) ?? []));
}

/** Goes where the address points, once. */
function follow(): void {
  // The file to which it belongs has not come yet.
  const file = wanted.get("file");
  if (file && file !== model.view.value?.file) return;
  const node = wanted.get("node");
  const agent = Number(wanted.get("agent")) || 0;
  const tick = wanted.get("tick");
  const test = wanted.get("test");
  for (const key of PLACES) wanted.delete(key);
  if (agent > 0) model.mind.value = agent - 1;
  if (test) {
    tests.show(test, tick ? Number(tick) : null, node);
    return;
  }
  if (node) model.selected.value = node;
  if (tick) say({ say: "go", tick: Number(tick) });
}

/** The address of what is seen now. While time passes, it has no tick. */
export function address(view: View): string {
  const test = tests.shown();
  const parts = new URLSearchParams({ file: test?.file ?? view.file, agent: String(view.mind + 1) });
  if (test) parts.set("test", test.test);
  if (view.is_paused) parts.set("tick", String(view.goal ?? view.tick));
  if (model.selected.value) parts.set("node", model.selected.value);
  if (token) parts.set("token", token);
  if (seed.value !== 0) parts.set("seed", String(seed.value));
  return `#${parts}`;
}
