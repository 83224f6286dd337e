//! What is said to have made something begin, in documents made for it.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program, Status, Value};
use treemind_doc::Document;
use treemind_explain::Explainer;

/// What the game does before a tick.
enum Deed {
    Write(&'static str, Value),
    /// From then on a leaf gives this answer.
    Answer(&'static str, Status),
    Send(&'static str),
}

use Deed::{Answer, Send, Write};
use Status::{Failure, Running, Success};

/// Plays a document in which actions keep running and conditions do not hold, unless a deed says otherwise. Returns for each
/// tick what made the things begin that are open. Who begins to follow two ticks before says the same.
fn causes(text: &str, days: &[&[Deed]]) -> Vec<Vec<String>> {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    for label in host.labels().to_vec() {
        let answer = if label.starts_with("do-") {
            Running
        } else {
            Failure
        };
        host.set(0, &label, &[answer]);
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainers = vec![Explainer::new(&population, 0)];
    let mut told = Vec::new();
    for deeds in days {
        explainers.push(Explainer::new(&population, 0));
        for deed in *deeds {
            let program = Arc::clone(population.program());
            match deed {
                Write(key, value) => {
                    let key = program.behaviour().key_id(key).unwrap();
                    population.set(0, key, *value).unwrap();
                }
                Answer(label, status) => assert!(host.set(0, label, &[*status])),
                Send(event) => {
                    let event = program.behaviour().leaf_id(event).unwrap();
                    assert!(population.send(0, event, &[]));
                }
            }
        }
        explainers
            .iter_mut()
            .for_each(|one| one.before_tick(&population));
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let mut because = explainers.iter_mut().map(|explainer| {
            explainer.after_tick(&population, &trace);
            let told = explainer.explain(&population).because.into_iter();
            told.map(|reason| reason.text).collect::<Vec<_>>()
        });
        let first = because.next().unwrap();
        let is_new = |text: &String| !text.contains(" in tick ");
        for late in because.rev().skip(1) {
            if first.iter().all(is_new) {
                assert_eq!(late, first);
            }
        }
        told.push(first);
    }
    told
}

#[test]
fn what_changed_is_named_with_its_value_and_not_the_last_test_that_holds() {
    let text = "blackboard { key enemy_distance type=float default=1000.0; }
        leaves { condition is-armed; action do-strike; action do-look; }
        decide watchman {
            range \"enemy_distance\" max=3.0 {
                yes { test-condition is-armed { yes { action do-strike; }; no { action do-look; }; }; }
                no { action do-look; }
            }
        }";
    let armed = Answer("is-armed", Success);
    let told = causes(
        text,
        &[
            &[armed, Write("enemy_distance", Value::Float(3.063))],
            &[],
            &[Write("enemy_distance", Value::Float(1.447))],
            &[],
            &[Answer("is-armed", Failure)],
        ],
    );
    let fell = "`enemy_distance <= 3.0` began to hold";
    let values = ": `enemy_distance` fell from 3.063 to 1.447";
    let wanted = [
        "the agent began".to_owned(),
        "the agent began in tick 1".to_owned(),
        format!("{fell}{values}"),
        format!("{fell} in tick 3{values}"),
        "`is-armed` ceased to hold".to_owned(),
    ];
    assert_eq!(told.concat(), wanted);
}

/// A time that goes on is what makes a test hold, where no key has changed; a key that does it alone is named alone.
#[test]
fn times_are_named_with_their_values() {
    let text = "blackboard { key alarm type=bool; key hunger type=int; }
        leaves { action do-rest; action do-look; }
        tree t { reactive-selector {
            reactive-sequence { check \"age(alarm) > 0.25 && hunger > 2\"; action do-rest; }
            action do-look
        }; }";
    let hungry = |value| Write("hunger", Value::Int(value));
    let told = causes(text, &[&[hungry(4)], &[], &[hungry(5)]]);
    let began = "`age(alarm) > 0.25 && hunger > 2` began to hold: ";
    let rose = "`age(alarm)` rose from 0.2 to 0.3";
    assert_eq!(told.last().unwrap(), &[format!("{began}{rose}")]);
    let told = causes(text, &[&[], &[], &[], &[], &[hungry(5)]]);
    let rose = "`hunger` rose from 0 to 5";
    assert_eq!(told.last().unwrap(), &[format!("{began}{rose}")]);
}

/// Checks what is said about the last tick.
#[track_caller]
fn says(text: &str, days: &[&[Deed]], wanted: &[&str]) {
    let told = causes(text, days);
    assert_eq!(told.last().unwrap(), wanted);
}

#[test]
fn guards_cases_and_several_keys_are_named() {
    let keys = "blackboard { key hp type=int default=9; key foe type=bool; key mode type=int; }
        leaves { action do-a; action do-b; condition sees; }\n";
    let guard = format!(
        "{keys} tree t {{ reactive-selector {{ action do-a when=\"hp < 5\"; action do-b; }}; }}"
    );
    let hurt = Write("hp", Value::Int(3));
    says(
        &guard,
        &[&[], &[hurt]],
        &["the guard `when` of `do-a`, `hp < 5`, began to hold: `hp` fell from 9 to 3"],
    );
    let both = format!(
        "{keys} tree t {{ reactive-selector {{
            reactive-sequence {{ check \"foe || hp < 2\" name=danger; action do-a; }}
            action do-b
        }}; }}"
    );
    // Of two keys that changed, one would not have been enough.
    says(
        &both,
        &[
            &[],
            &[Write("hp", Value::Int(3)), Write("foe", Value::Bool(true))],
        ],
        &["`danger`, `foe || hp < 2`, began to hold: `foe` changed from false to true"],
    );
    let case = format!(
        "{keys} tree t {{ switch \"mode\" {{ case 1 {{ action do-a; }}; default {{ action do-b; }}; }}; }}"
    );
    says(
        &case,
        &[&[], &[Write("mode", Value::Int(1))]],
        &["`mode == 1` began to hold: `mode` rose from 0 to 1"],
    );
}

#[test]
fn where_no_key_changed_it_is_named_what_did() {
    let leaves = "leaves { action do-a; action do-b; condition sees; event noise; }\n";
    let ended = format!("{leaves} tree t {{ sequence {{ action do-a; action do-b; }}; }}");
    says(
        &ended,
        &[&[], &[Answer("do-a", Success)]],
        &["`do-a` ended with success"],
    );
    let over = format!("{leaves} tree t {{ sequence {{ wait 0.1; action do-b; }}; }}");
    says(&over, &[&[], &[]], &["`wait` was over"]);
    let condition = format!(
        "{leaves} tree t {{ reactive-selector {{ reactive-sequence {{ condition sees; action do-a; }}; action do-b; }}; }}"
    );
    says(
        &condition,
        &[&[], &[Answer("sees", Success)]],
        &["`sees` began to hold"],
    );
    let event = format!(
        "{leaves} machine m {{ initial one; state one {{ do {{ action do-a; }}; transition to=two on=noise; }}; state two {{ do {{ action do-b; }}; }}; }}"
    );
    says(
        &event,
        &[&[], &[Send("noise")], &[]],
        &["the event `noise` came in tick 2"],
    );
    let time = format!(
        "{leaves} machine m {{ initial one; state one {{ do {{ action do-a; }}; transition to=two after=0.1; }}; state two {{ do {{ action do-b; }}; }}; }}"
    );
    says(
        &time,
        &[&[], &[], &[]],
        &["the time of `one → two after=0.1` was over in tick 2"],
    );
}

/// What `on-fault` writes is its own doing, and a node that had a fault is the cause, not one before it that ended at once.
#[test]
fn a_fault_is_named_with_who_kept_it() {
    let text = "blackboard { key why type=string; key n type=int default=1; key spot type=int optional=#true; }
        leaves { action go; action do-ask; action do-count; }
        tree t { selector {
            sequence name=plan on-fault=\"{why}\" {
                check \"spot > 0\"
                action go
                set \"n = 9223372036854775807 + n\"
            }
            action do-count when=\"why == 'overflow'\"
            action do-ask when=\"why == 'unset'\"
        }; }";
    let days: &[&[Deed]] = &[
        &[Answer("go", Success)],
        &[Write("spot", Value::Int(1)), Answer("do-ask", Success)],
        &[],
    ];
    says(text, days, &["`set` had a fault: an int overflowed"]);
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    host.set(0, "do-ask", &[Running]);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    explainer.before_tick(&population);
    let mut trace = Trace::with_values();
    population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
    explainer.after_tick(&population, &trace);
    let behaviour = population.program().behaviour();
    let mut nodes = behaviour.node_ids();
    let count = nodes
        .find(|node| behaviour.label(*node) == "do-count")
        .unwrap();
    let why = explainer.why(&population, count).to_string();
    let wanted = "`why` changed from '' to 'unset' in this tick: the `on-fault` of `plan` wrote it";
    assert!(why.contains(wanted), "{why}");
}

#[test]
fn a_timeout_that_was_over_is_said_to_have_failed_and_not_to_ask_again() {
    let text = "leaves { action do-strike; action do-rest; condition is-near; }
        tree boss {
            reactive-selector {
                sequence name=attack {
                    condition is-near
                    timeout 0.2 name=animation { sequence { action do-strike; } }
                }
                action do-rest
            }
        }";
    let near: &[Deed] = &[Answer("is-near", Success)];
    let told = causes(text, &[near, &[], &[], &[], &[]]);
    assert_eq!(told[2], ["`animation` failed"]);
    assert_eq!(
        told[3..],
        [
            ["`animation` failed in tick 3, and began anew"],
            ["`animation` failed in tick 3, and began anew in tick 4"],
        ]
    );
}
