//! What is said when somebody has a hand in the game: types a value, or changes the document while it plays.

use super::nodes::says;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Behaviour, Population, Program, Status, Value};
use treemind_doc::Document;
use treemind_explain::{Explainer, Language};

fn behaviour(text: &str) -> Behaviour {
    Document::parse(text, "dog.kdl").behaviour(None).unwrap()
}

/// A host whose actions keep running.
fn host(behaviour: &Behaviour) -> Scripted {
    let mut host = Scripted::new(behaviour, 1);
    for action in ["bark", "nap"] {
        host.set(0, action, &[Status::Running]);
    }
    host
}

fn play(
    dogs: &mut Population,
    host: &mut Scripted,
    explainer: &mut Explainer,
    typed: Option<(&str, Value)>,
) -> String {
    let typed = typed.map(|(key, value)| {
        let key = dogs.program().behaviour().key_id(key).unwrap();
        dogs.set(0, key, value).unwrap();
        (key, value)
    });
    explainer.before_tick(dogs);
    typed
        .into_iter()
        .for_each(|typed| explainer.typed(dogs, typed));
    let mut trace = Trace::with_values();
    dogs.tick_traced(host, Duration::from_millis(100), &mut trace);
    explainer.after_tick(dogs, &trace);
    explainer.explain(dogs).to_string()
}

const DOG: &str = "blackboard { key noise type=float; key hunger type=float; }
    leaves { action bark; action nap; }
    tree dog { reactive-selector { sequence { check \"noise > 0.5\"; action bark; }; action nap; } }";

#[test]
fn what_was_typed_is_not_said_to_be_the_games() {
    let mut host = host(&behaviour(DOG));
    let mut dogs = Population::new(Arc::new(Program::new(behaviour(DOG))), 1);
    let mut explainer = Explainer::new(&dogs, 0);
    play(&mut dogs, &mut host, &mut explainer, None);
    let loud = Some(("noise", Value::Float(1.0)));
    let found = play(&mut dogs, &mut host, &mut explainer, loud);
    let line = "`noise` changed from 0 to 1 in this tick: it was typed in the studio";
    says(&found, &[line]);
    let noise = dogs.program().behaviour().key_id("noise").unwrap();
    let chinese = explainer.written(&dogs, noise, Language::Chinese).unwrap();
    assert!(chinese.to_string().contains("在工作室中输入"), "{chinese}");
    // What the game writes later is its own.
    dogs.set(0, noise, Value::Float(2.0)).unwrap();
    play(&mut dogs, &mut host, &mut explainer, None);
    let found = explainer.written(&dogs, noise, Language::English).unwrap();
    says(
        &found.to_string(),
        &["from 1 to 2 in this tick: the game wrote it"],
    );
}

#[test]
fn what_a_renamed_key_has_kept_nobody_has_typed() {
    let mut host = host(&behaviour(DOG));
    let mut dogs = Population::new(Arc::new(Program::new(behaviour(DOG))), 1);
    let mut explainer = Explainer::new(&dogs, 0);
    play(&mut dogs, &mut host, &mut explainer, None);
    let noise = dogs.program().behaviour().key_id("noise").unwrap();
    dogs.set(0, noise, Value::Float(1.0)).unwrap();
    explainer.before_tick(&dogs);
    explainer.kept(&dogs, (noise, Value::Float(1.0)));
    let mut trace = Trace::with_values();
    dogs.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
    explainer.after_tick(&dogs, &trace);
    let found = explainer.written(&dogs, noise, Language::English).unwrap();
    says(
        &found.to_string(),
        &["from 0 to 1 in this tick: it had this value before its name changed"],
    );
}

#[test]
fn what_the_game_writes_over_a_typed_value_is_the_games() {
    let mut host = host(&behaviour(DOG));
    let mut dogs = Population::new(Arc::new(Program::new(behaviour(DOG))), 1);
    let mut explainer = Explainer::new(&dogs, 0);
    play(&mut dogs, &mut host, &mut explainer, None);
    let noise = dogs.program().behaviour().key_id("noise").unwrap();
    dogs.set(0, noise, Value::Float(7.0)).unwrap();
    explainer.before_tick(&dogs);
    explainer.typed(&dogs, (noise, Value::Float(7.0)));
    // As an arena does that writes its facts at the begin of each tick.
    dogs.set(0, noise, Value::Float(0.0)).unwrap();
    let mut trace = Trace::with_values();
    dogs.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
    explainer.after_tick(&dogs, &trace);
    let found = explainer.written(&dogs, noise, Language::English).unwrap();
    says(
        &found.to_string(),
        &["from 7 to 0 in this tick: the game wrote it"],
    );
}

#[test]
fn what_begins_after_a_change_of_the_document_says_so() {
    let before =
        behaviour("leaves { action nap; }\ntree dog { sequence { wait 5.0; action nap; } }");
    let mut old = Scripted::new(&before, 1);
    let mut dogs = Population::new(Arc::new(Program::new(before)), 1);
    let mut explainer = Explainer::new(&dogs, 0);
    play(&mut dogs, &mut old, &mut explainer, None);
    let mut new = host(&behaviour(DOG));
    dogs.change_program(Arc::new(Program::new(behaviour(DOG))), &mut old);
    // One that has followed the agent, and one that begins now and is told.
    let mut fresh = Explainer::new(&dogs, 0).after_change();
    let mut late = Explainer::new(&dogs, 0);
    // Of the tick before, nothing is told in the words of the new document.
    for one in [&explainer, &fresh] {
        let found = one.explain(&dogs);
        let known = [&found.does, &found.because, &found.instead];
        assert!(known.iter().all(|list| list.is_empty()), "{found}");
        says(
            &found.to_string(),
            &["the document has changed since this tick"],
        );
        for id in dogs.program().behaviour().node_ids() {
            let why = one.why(&dogs, id).to_string();
            says(&why, &["the document has changed since this tick"]);
            assert!(!why.contains("not reached"), "{why}");
        }
    }
    for one in [&mut explainer, &mut fresh, &mut late] {
        one.before_tick(&dogs);
    }
    let mut trace = Trace::with_values();
    dogs.tick_traced(&mut new, Duration::from_millis(100), &mut trace);
    for one in [&mut explainer, &mut fresh, &mut late] {
        one.after_tick(&dogs, &trace);
    }
    for one in [&explainer, &fresh] {
        let found = one.explain(&dogs).to_string();
        says(
            &found,
            &[
                "`nap` is running",
                "What made it begin\n  the document had changed\n",
            ],
        );
    }
    // Who was not there knows nothing of it, and says nothing.
    let found = late.explain(&dogs).to_string();
    for wrong in ["not ticked", "had changed", "has changed"] {
        assert!(!found.contains(wrong), "{found}");
    }
    // It is the reason as long as what began goes on.
    let found = play(&mut dogs, &mut new, &mut explainer, None);
    says(&found, &["the document had changed in tick 2"]);
}

#[test]
fn what_is_known_stays_known_with_a_program_that_says_the_same_to_machines() {
    let mut host = host(&behaviour(DOG));
    let mut dogs = Population::new(Arc::new(Program::new(behaviour(DOG))), 1);
    let mut explainer = Explainer::new(&dogs, 0);
    play(&mut dogs, &mut host, &mut explainer, None);
    let before = explainer.explain(&dogs).to_string();
    let noted = DOG.replace("check \"noise > 0.5\"", "check \"noise > 0.5\" name=loud");
    dogs.change_program(Arc::new(Program::new(behaviour(&noted))), &mut host);
    assert!(explainer.go_on_with(&dogs));
    let after = explainer.explain(&dogs).to_string();
    assert!(
        before.contains("`nap`") && !before.contains("loud"),
        "{before}"
    );
    says(&after, &["`nap`", "`loud`"]);
    // With another program, it begins anew, as ever.
    let other = DOG.replace("0.5", "0.7");
    dogs.change_program(Arc::new(Program::new(behaviour(&other))), &mut host);
    assert!(!explainer.go_on_with(&dogs));
}
