//! A page sends events to the game that plays.

use crate::hands::Desk;
use crate::program::{Studio, Talk};
use crate::server::{english, until};
use serde_json::{Value, json};

/// A guard that runs from loud noises for a second.
const GUARD: &str = "main machine=guard
leaves {
    event noise { param volume type=float; param from type=string; }
    event unheard
    action patrol
    action run-away
}
blackboard { key heard type=string default=\"\"; }
machine guard {
    initial calm
    state calm {
        do { action patrol; }
        transition to=afraid on=noise when=\"event.volume > 3\" { set \"heard = event.from\"; }
    }
    state afraid {
        do { action run-away; }
        transition to=calm after=1.0
    }
}
";

fn playing(text: &str) -> (tempfile::TempDir, Studio, Talk) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, text).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    until(&mut talk, r#""mind": 0"#, |_| true);
    (folder, studio, talk)
}

fn at(talk: &mut Talk, tick: u64) -> Value {
    talk.say(&json!({"say": "go", "tick": tick}).to_string());
    until(talk, r#""mind": 0"#, |view| view["tick"] == tick)
}

fn send(talk: &mut Talk, event: &str, values: &[&str]) {
    let ask = json!({"say": "send", "mind": 0, "event": event, "values": values});
    talk.say(&ask.to_string());
}

#[test]
fn an_event_comes_before_the_next_tick_by_whichever_way_one_comes_there() {
    let (_folder, _studio, mut talk) = playing(GUARD);
    assert_eq!(at(&mut talk, 30)["does"], "patrol");
    send(&mut talk, "noise", &["2.0", "the yard"]);
    assert_eq!(at(&mut talk, 31)["does"], "patrol", "too quiet");
    send(&mut talk, "noise", &["5", "the gate"]);
    let afraid = at(&mut talk, 32);
    assert_eq!(afraid["keys"][0]["value"], "'the gate'");
    // What a state does begins in the tick after it was entered.
    assert_eq!(at(&mut talk, 33)["does"], "run-away");
    assert_eq!(at(&mut talk, 60)["does"], "patrol", "only once");
    assert_eq!(at(&mut talk, 31)["does"], "patrol");
    let again = at(&mut talk, 32);
    for part in ["does", "keys", "marks", "explanation"] {
        assert_eq!(afraid[part], again[part], "{part}");
    }
}

#[test]
fn what_cannot_be_sent_is_refused_with_a_reason() {
    let (_folder, _studio, mut talk) = playing(GUARD);
    at(&mut talk, 5);
    for (event, values, reason) in [
        ("nois", &["5", "x"][..], "no event `nois`"),
        ("patrol", &[], "no event `patrol`"),
        ("unheard", &[], "nothing here waits for the event `unheard`"),
        ("noise", &["5"], "has 2 values, not 1"),
        ("noise", &["loud", "x"], "loud"),
    ] {
        send(&mut talk, event, values);
        let refused = talk.hear();
        assert_eq!(refused["kind"], "refused", "{event} {values:?}");
        let why = english(&refused["why"]);
        assert!(why.contains(reason), "{why}");
    }
    assert_eq!(at(&mut talk, 20)["does"], "patrol");
}

/// An event that was sent comes again when it is played again with a changed document.
#[test]
fn what_was_sent_is_sent_again() {
    let (folder, _studio, mut talk) = playing(GUARD);
    at(&mut talk, 60);
    send(&mut talk, "noise", &["5", "the gate"]);
    assert_eq!(at(&mut talk, 62)["does"], "run-away");
    at(&mut talk, 90);
    let text = GUARD.replace("after=1.0", "after=0.5");
    std::fs::write(folder.path().join("guard.kdl"), text).expect("it is written");
    until(&mut talk, r#""mind": 0"#, |view| {
        view["reloaded"]["nth"] == 1
    });
    at(&mut talk, 20);
    talk.say(r#"{"say": "again"}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 90);
    assert_eq!(at(&mut talk, 60)["does"], "patrol");
    assert_eq!(at(&mut talk, 62)["does"], "run-away");
    assert_eq!(at(&mut talk, 75)["does"], "patrol");
}

#[test]
#[ignore = "needs Chromium"]
fn a_button_sends_an_event_with_the_values_that_are_typed() {
    let mut desk = Desk::of(GUARD);
    let page = &mut desk.page;
    page.press("g");
    page.until("document.querySelector('[data-event=noise] button')");
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
    page.value("document.querySelector('[data-event=noise]').scrollIntoView({ block: 'center' })");
    // By the mouse, with a value that is none: the page says so.
    page.value("document.querySelector('[data-event=noise] input').select()");
    page.type_text("loud");
    page.click_on("[data-event=noise] button");
    page.until("window.treemind.model.refused.value !== ''");
    // By the keyboard.
    page.value("document.querySelector('[data-event=noise] input').select()");
    page.type_text("5");
    page.press("Enter");
    page.until("window.treemind.model.refused.value === ''");
    page.until("document.querySelector('[data-event=noise] small').textContent !== ''");
    page.press("Escape");
    page.press(".");
    page.press(".");
    page.until("window.treemind.model.view.value.does === 'run-away'");
    assert_eq!(
        page.value("document.querySelector('[data-event=noise] small').textContent"),
        ""
    );
}
