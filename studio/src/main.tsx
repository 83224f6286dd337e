// The page: its parts, and the keys.

import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Crowd } from "./crowd/crowd";
import { Desk } from "./edit/desk";
import { Editing } from "./edit/edit";
import { Inspector } from "./edit/inspector";
import * as sheet from "./edit/sheet";
import { isUnsaved, tellChosen } from "./edit/together";
import { isUnwritten, withMark } from "./edit/unwritten";
import { askedFor } from "./edit/worth";
import { Drawing } from "./graph/drawing";
import * as graph from "./graph/graph";
import * as hands from "./graph/hands";
import { asPng, asSvg } from "./graph/picture";
import { lines as drawnLines, isSource } from "./graph/shown";
import { isComposed, isKey, isSave, isTakenBack, toEditor } from "./keys";
import * as map from "./map/map";
import { Lost } from "./panels/begin";
import { Breakpoints, Halt } from "./panels/breakpoints";
import { Events } from "./panels/events";
import { Found } from "./panels/found";
import { Gone, Unsent } from "./panels/gone";
import { Refused } from "./panels/held";
import * as home from "./panels/home";
import { NowBar } from "./panels/now";
import { Arena, Blackboard, List, Reloaded } from "./panels/panels";
import * as picture from "./panels/picture";
import { Planner } from "./panels/planner";
import { Problems } from "./panels/problems";
import * as search from "./panels/search";
import { Aside, ShareButtons, ShareLink } from "./panels/share";
import { Stubs } from "./panels/stubs";
import { Tour } from "./panels/tour";
import { Dialog, KeyList } from "./parts/dialog";
import { placesOf } from "./parts/points";
import { short } from "./parts/short";
import { Split } from "./parts/split";
import { TestPane, Verdict } from "./testing/pane";
import { askOnceEdited } from "./testing/tests";
import { Compare, keep, kept } from "./time/compare";
import { patience } from "./wire/carrier";
import * as entries from "./wire/entries";
import * as model from "./wire/model";
import "./style/index.css";
import { Networks } from "./panels/networks";
import { Rules } from "./panels/rules";
import { Document } from "./panels/text";
import { Why } from "./panels/why";
import { language, store, t, theme } from "./texts";
import { Time } from "./time/time";
import { brief } from "./wire/names";
import { tellPlace } from "./wire/reveal";
import { address, begin, choose, lookAgain, open, say, setLanguage } from "./wire/wire";

function TopBar() {
  const view = model.view.value;
  // What the program does after the way to it has broken off, nobody knows.
  const isLive = view && !view.is_paused && model.isConnected.value;
  const isFirst = home.isOpen.value && home.isFirst.value;
  const state = !view
    ? ""
    : model.definition.value?.refusal
      ? t("stopped")
      : view.end !== null
        ? t("replay")
        : isLive
          ? t("live")
          : view.is_live && !view.is_controlled
            ? t("goesOn")
            : t("paused");
  return (
    <header class="top">
      <button
        class="plain logo"
        title={`${t("files")}  p`}
        aria-label={t("files")}
        disabled={!home.hasPreviews.value}
        aria-pressed={home.isOpen.value}
        onClick={home.toggle}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 15V8M8 8C8 4 5 2 1 2c0 4 3 6 7 6Zm0-1c0-3 3-5 7-5 0 4-3 6-7 6" />
        </svg>
      </button>
      <select
        aria-label={t("file")}
        title={view?.file}
        value={isFirst ? "" : view?.file}
        onChange={(event) => open(event.currentTarget.value)}
      >
        {isFirst && (
          <option value="" disabled>
            {t("noFile")}
          </option>
        )}
        {view && !model.files.value.includes(view.file) && <option value={view.file}>{brief(view.file)}</option>}
        {model.files.value.map((file) => (
          <option key={file} value={file}>
            {withMark(file, brief(file))}
          </option>
        ))}
      </select>
      {!isFirst && view?.agents && view.agents.length > 0 && (
        <select aria-label={t("agent")} value={String(view.mind)} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {view.agents.map((agent, nth) => (
            <option key={nth} value={String(nth)}>{`${agent.name} · ${agent.does ?? "–"}`}</option>
          ))}
        </select>
      )}
      <span class="grow" />
      {!home.isOpen.value && (
        <div class="tabs" role="tablist">
          {(["graph", "edit", "tests", "text"] as const).map((one) => (
            <button key={one} role="tab" aria-selected={model.panel.value === one} onClick={() => show(one)}>
              {t(one)}
              {one === "tests" && <Verdict />}
              {one === "edit" && (isUnsaved.value || isUnwritten(view?.file ?? "")) ? " ●" : null}
            </button>
          ))}
        </div>
      )}
      {!isFirst && (
        <span class={`state ${isLive ? "on" : ""}`} role="status">
          {state}
        </span>
      )}
      {!home.isOpen.value && <ShareButtons />}
      <button class="plain" title={`${t("search")}  s`} aria-label={t("search")} onClick={() => (search.isOpen.value = true)}>
        ⌕
      </button>
      <button class="plain" title={`${t("keepMoment")}  m`} aria-label={t("keepMoment")} aria-pressed={kept.value !== null} onClick={keep}>
        ⚑
      </button>
      <button class="plain" title={t("theme")} aria-label={t("theme")} onClick={() => setTheme(theme.value === "dark" ? "light" : "dark")}>
        ◐
      </button>
      <button class="plain" aria-label={t("language")} onClick={() => setLanguage(language.value === "en" ? "zh" : "en")}>
        {t("language")}
      </button>
      <button class="plain" title={t("keys")} aria-label={t("keys")} onClick={() => (model.helps.value = true)}>
        ?
      </button>
    </header>
  );
}

/** Shows another view of the definition. The document as it is edited comes only to those who edit. */
function show(panel: typeof model.panel.value): void {
  if (panel === "edit") toEditor();
  else model.panel.value = panel;
  if (panel === "tests") lookAgain();
}

function setTheme(to: "dark" | "light"): void {
  theme.value = to;
  store("theme", to);
}

/** Where one is, when a part of the definition is shown alone. */
function Crumbs() {
  const path = model.crumbs.value;
  if (path.length === 0) return null;
  return (
    <nav class="crumbs" aria-label={t("crumbs")}>
      <button onClick={() => model.openAlone(null)}>{model.definition.value?.behaviour?.name}</button>
      {path.slice(1).map((nth, place) => (
        <span key={nth}>
          {" "}
          ›{" "}
          <button
            aria-current={place === path.length - 2 ? "location" : undefined}
            onClick={() => model.openAlone(model.lines.value[nth].id)}
          >
            {short(model.parts(model.lines.value[nth]).name, 60)}
          </button>
        </span>
      ))}
    </nav>
  );
}

function Graph() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  useEffect(() => graph.mount(canvas.current as HTMLCanvasElement, over.current as HTMLCanvasElement), []);
  return (
    <div class={`graph ${model.definition.value?.draft && !isSource.value ? "old" : ""}`}>
      <canvas ref={canvas} aria-label={`${t("graph")} ${model.definition.value?.behaviour?.name ?? ""}`} role="img" />
      <canvas ref={over} class="over" aria-hidden="true" />
      {isSource.value ? <Drawing /> : <Crumbs />}
      {model.definition.value?.draft && !isSource.value && <p class="note">{t("lastGood")}</p>}
      <div class="zoom">
        <button class="follow" title={`${t("follows")}  F`} aria-pressed={model.follows.value} onClick={toggleFollow}>
          <span aria-hidden="true">{model.follows.value ? "◉" : "○"}</span> {t("follow")}
        </button>
        <button title={t("farther")} aria-label={t("farther")} onClick={() => graph.zoom(1 / 1.25)}>
          −
        </button>
        <button title={t("nearer")} aria-label={t("nearer")} onClick={() => graph.zoom(1.25)}>
          +
        </button>
        <button title={t("fit")} aria-label={t("fit")} onClick={graph.fit}>
          ⤢
        </button>
        <button title={`${t("picture")}  D`} aria-label={t("picture")} onClick={picture.open}>
          ↧
        </button>
      </div>
    </div>
  );
}

function toggleFollow(): void {
  model.follows.value = !model.follows.value;
}

function Help() {
  const close = (): void => {
    model.helps.value = false;
  };
  const keys: [string, string][] = [
    ["Space", t("kPlay")],
    ["← → , .", t("kTick")],
    ["Shift ← →", t("kChange")],
    ["Home End", t("kEnds")],
    ["j k ↓ ↑", t("kList")],
    ["h l", t("kFold")],
    ["b", t("kBreak")],
    ["i I", t("kEvent")],
    ["o u", t("kAlone")],
    ["1 … 9 0", t("kLevel")],
    ["m M", t("kKeep")],
    ["s Ctrl K", t("kSearch")],
    ["f", t("kFit")],
    ["F", t("follows")],
    ["D", t("kPicture")],
    ["z Z", t("kZoom")],
    ["x X", t("kTime")],
    ["e", t("allTicks")],
    ["g t E", t("kGraph")],
    ["T r R", t("kTests")],
    ["a w u d", t("kEdit")],
    ["Ctrl D Del F2", t("kRow")],
    ["Alt ↑ ↓ ← →", t("kMove")],
    ["Ctrl Z Y", t("kUndo")],
    ["Ctrl C X V", t("kCopy")],
    ["Ctrl S", t("kSave")],
    ["K L A", t("kTables")],
    ["F8", t("kProblem")],
    ["p", t("files")],
    ["/", t("kFind")],
    ["[ ]", t("kAgent")],
    ["- +", t("kSpeed")],
    ["Esc", t("kEsc")],
    ["?", t("keys")],
  ];
  return (
    <Dialog label={t("keys")} name="help" close={close}>
      <div>
        <h2>{t("keys")}</h2>
        <KeyList keys={keys} />
        <button onClick={close}>{t("close")}</button>
      </div>
    </Dialog>
  );
}

function Page() {
  if (!model.view.value)
    return (
      <>
        <Refused />
        <Aside />
        <p class="wait" role="status">
          {t(model.isForbidden.value ? "wrongToken" : "wait")}
        </p>
      </>
    );
  const [isEdited, isTested] = [model.panel.value === "edit", model.panel.value === "tests"];
  if (home.isOpen.value)
    return (
      <>
        <TopBar />
        <Aside />
        <home.Home />
        {model.helps.value && <Help />}
        {search.isOpen.value && <search.Search />}
        <Tour />
      </>
    );
  return (
    <>
      <TopBar />
      <Gone />
      <Unsent />
      <NowBar>
        <Reloaded />
        <Refused />
      </NowBar>
      <Aside />
      <Lost />
      <Halt />
      <main class={isEdited || isTested ? "edits" : undefined}>
        {isEdited && <Editing />}
        {isTested && <TestPane />}
        {!isEdited && !isTested && <List />}
        <Split pane={isEdited || isTested ? "sheet" : "list"} />
        <Desk>{model.panel.value !== "text" && (model.definition.value?.behaviour || isSource.value) ? <Graph /> : <Document />}</Desk>
        <Split pane="side" />
        <aside tabIndex={0} aria-label={t("aside")}>
          {isEdited && <Inspector />}
          <Problems />
          <Stubs />
          <Arena />
          <Found />
          <Compare />
          <Crowd />
          <Planner />
          <Networks />
          <Rules />
          <Why />
          <Blackboard />
          <Events />
          <Breakpoints />
        </aside>
      </main>
      <Time />
      {model.helps.value && <Help />}
      {search.isOpen.value && <search.Search />}
      <Tour />
      {picture.isOpen.value && <picture.Picture />}
      <ShareLink />
    </>
  );
}

effect(tellChosen);
effect(tellPlace);
effect(askOnceEdited);
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.lang = language.value;
});
// The address says where one is, so that it can be passed on and opened again. A file that is still shown while another one is
// on its way is no such place.
const place = computed(() => {
  const view = model.view.value;
  return view && view.file === model.file.value && !home.isOpen.value ? address(view) : null;
});
effect(() => {
  if (place.value !== null) entries.write(place.value);
});
let lastSelected = "[] null";
effect(() => {
  const selected = `${askedFor.value} ${model.selected.value}`;
  if (selected === lastSelected) return;
  lastSelected = selected;
  queueMicrotask(lookAgain);
});

// The editor of texts looks after that itself.
const leaveToMethod = (event: KeyboardEvent): void => {
  if (isComposed(event) && !(event.target as HTMLElement).isContentEditable) event.stopImmediatePropagation();
};
addEventListener("keydown", leaveToMethod, true);
// Before the fields, which keep their keys to themselves.
const beforeFields = (event: KeyboardEvent): void => {
  if (!isSave(event) && !isTakenBack(event)) return;
  event.preventDefault();
  event.stopPropagation();
};
addEventListener("keydown", beforeFields, true);
addEventListener("keydown", (event) => {
  if (isKey(event)) event.preventDefault();
});
// For tests and for the curious: where the graph has put a line.
Object.assign(window, {
  treemind: {
    place: graph.place,
    cardsDrawn: graph.cardsDrawn,
    layout: graph.layoutNow,
    hands: hands.state,
    onCanvas: graph.onCanvas,
    drawnLines: () => drawnLines.value,
    asSvg,
    asPng,
    say,
    patience,
    model,
    sheet,
    map,
    placesOf,
  },
});
render(<Page />, document.getElementById("page") as HTMLElement);
void begin();
