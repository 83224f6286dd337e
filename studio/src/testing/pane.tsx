// The tests of the document: how they went, why one failed, and what they reached.

import { Words } from "../panels/now";
import type { RunsBy, Test } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import * as model from "../wire/model";
import { Making } from "./making";
import { signOf, toneOf } from "./signs";
import * as tests from "./tests";

export function TestPane() {
  const all = tests.tests.value;
  const watched = tests.recording.value;
  const isOld = tests.areOld.value && !watched;
  if (!all) return <div class="testing none">{t("notTested")}</div>;
  return (
    <div class={`testing ${isOld ? "old" : ""}`}>
      {watched ? <Watched of={watched} /> : <Bar />}
      <Making />
      {all.wrong && (
        <p class="told bad" role="alert">
          {said(all.wrong)}
        </p>
      )}
      {isOld && (
        <p class="hint" role="status">
          {t("oldResults")}
        </p>
      )}
      <div class="cases" role="listbox" tabIndex={0} aria-label={t("tests")} aria-activedescendant={active()} onKeyDown={press}>
        {all.tests.map((one) => (
          <Row key={one.id} of={one} />
        ))}
      </div>
      {all.tests.length === 0 && !all.wrong && <p class="hint">{t("noTests")}</p>}
      <Chosen />
      {!watched && !isOld && <Coverage />}
    </div>
  );
}

/** How the tests went, in a sign: while one edits, too. */
export function Verdict() {
  const { passed, failed, waiting } = tests.counts.value;
  if (tests.areOld.value)
    return (
      <span class="verdict fail" title={t("oldResults")}>
        {" !"}
      </span>
    );
  if (!tests.canRun.value || passed + failed + waiting === 0) return null;
  if (failed > 0) return <span class="verdict fail">{` ✕ ${failed}`}</span>;
  return <span class={`verdict ${waiting > 0 ? "run" : "ok"}`}>{waiting > 0 ? " ◷" : " ✓"}</span>;
}

const active = (): string | undefined => {
  const nth = tests.tests.value?.tests.findIndex((one) => one.id === tests.chosen.value) ?? -1;
  return nth < 0 ? undefined : `test-${nth}`;
};

/** Another test with the arrows; Enter runs it, `w` shows it as a recording. */
function press(event: KeyboardEvent): void {
  const all = tests.tests.value?.tests ?? [];
  const now = all.findIndex((one) => one.id === tests.chosen.value);
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (by !== undefined) {
    const next = Math.min(all.length - 1, Math.max(0, now + by));
    tests.chosen.value = all[next]?.id ?? null;
    document.getElementById(`test-${next}`)?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && now >= 0) tests.run(all[now].id);
  else if (event.key === "w" && now >= 0) tests.watch(all[now].id);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function Bar() {
  const all = tests.tests.value;
  if (!all) return null;
  const { passed, failed, waiting, stale } = tests.counts.value;
  return (
    <div class="bar" role="toolbar" aria-label={t("tests")}>
      {all.is_running ? (
        <button onClick={() => tests.ask({ do: "stop" })}>■ {t("stopTests")}</button>
      ) : (
        <button disabled={all.tests.length === 0 || tests.areOld.value} onClick={() => tests.run()}>
          ▶ {t("runAll")}
        </button>
      )}
      <label>
        {t("runBy")}{" "}
        <select value={all.by} onChange={(event) => tests.ask({ do: "by", which: event.currentTarget.value as RunsBy })}>
          <option value="touched">{t("byTouched")}</option>
          <option value="all">{t("byAll")}</option>
          <option value="hand">{t("byHand")}</option>
        </select>
      </label>
      {all.tests.length > 0 && (
        <p class="sum" role="status">
          <span class="ok">
            ✓ {passed} {t("passedTests")}
          </span>{" "}
          <span class={failed > 0 ? "fail" : "faint"}>
            ✕ {failed} {t("failedTests")}
          </span>{" "}
          {waiting > 0 && (
            <span>
              ◷ {waiting} {t("waitingTests")}
            </span>
          )}
          {stale > 0 && (
            <span>
              ○ {stale} {t("staleTests")}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Whose recording is shown, and the way back. */
function Watched({ of }: { of: Test }) {
  return (
    <div class="bar">
      <p role="status">
        {t("watchesTest")} <b>{of.name}</b>
      </p>
      <button onClick={tests.leave}>← {t("backToDocument")}</button>
    </div>
  );
}

function Row({ of }: { of: Test }) {
  const nth = tests.tests.value?.tests.indexOf(of) ?? 0;
  const isChosen = tests.chosen.value === of.id;
  return (
    <div
      id={`test-${nth}`}
      role="option"
      aria-selected={isChosen}
      class={`case ${of.state}`}
      data-test={of.id}
      data-state={of.state}
      onClick={() => (tests.chosen.value = of.id)}
      onDblClick={() => tests.watch(of.id)}
    >
      <span class={`sign ${toneOf(of.state)}`} role="img" aria-label={t(`${of.state}Tests`)}>
        {signOf(of.state)}
      </span>
      <span class="name">{of.name}</span>
      {of.is_random && <small>≈</small>}
      <small>{of.state === "passed" || of.state === "failed" ? `${of.millis} ms` : ""}</small>
    </div>
  );
}

/** The test that is chosen: why it failed, and what can be done with it. */
function Chosen() {
  const of = tests.tests.value?.tests.find((one) => one.id === tests.chosen.value);
  if (!of) return null;
  const failure = of.failure;
  return (
    <section class="chosen" aria-label={of.name}>
      <div class="acts">
        {!tests.recording.value && <button onClick={() => tests.run(of.id)}>▶ {t("runOne")}</button>}
        <button class="watch" onClick={() => tests.watch(of.id)}>
          ◉ {t("watchTest")}
        </button>
        <button class="plain" onClick={() => model.showText(of.file, of.line)}>
          {t("lineNo")} {of.line}
        </button>
      </div>
      {failure && (
        <dl>
          <dt>
            {t("lineNo")} {failure.line}
          </dt>
          <dd>
            <code>{failure.text}</code>
          </dd>
          <dt>{t("expected")}</dt>
          <dd>
            <Words text={said(failure.expected)} />
          </dd>
          <dt>{t("got")}</dt>
          <dd class="fail">
            <Words text={said(failure.got)} />
          </dd>
          <dt>{t("tick")}</dt>
          <dd>
            {failure.tick}
            {failure.attempt !== null && ` · ${t("inTry")} ${failure.attempt}`}
          </dd>
        </dl>
      )}
      {failure?.fixed && (
        <details>
          <summary>{t("shortest")}</summary>
          <pre tabIndex={0}>{failure.fixed}</pre>
        </details>
      )}
    </section>
  );
}

/** What no test reached: in the graph, and here as a list. */
function Coverage() {
  const covered = tests.tests.value?.covered;
  if (!covered) return null;
  const percent = covered.total === 0 ? 100 : (covered.reached * 100) / covered.total;
  return (
    <section class="covered" aria-label={t("coverage")}>
      <label>
        <input type="checkbox" checked={tests.covers.value} onChange={(event) => (tests.covers.value = event.currentTarget.checked)} />{" "}
        {t("coverage")} {percent.toFixed(1)} % · {covered.reached} {t("of")} {covered.total}
      </label>
      {tests.missing.value.length > 0 && (
        <>
          <p class="hint">{t("notReached")}</p>
          <ul>
            {tests.missing.value.map((nth) => (
              <li key={nth}>
                <button class="plain" title={model.lines.value[nth].text} onClick={() => model.reveal(model.lines.value[nth].id)}>
                  {model.lines.value[nth].text}
                </button>
                {tests.reach(nth) === "part" && <small> {t("reachedInPart")}</small>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
