//! Rules of a changed document: those of the same name go on, wherever they stand now.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Value};

fn program(rules: &str) -> Arc<Program> {
    let text = format!(
        "main tree=guard
        blackboard {{ key hurt type=bool default=#true; key a type=int; key b type=int; key c type=int; }}
        tree guard {{ force-success {{ rules {{ {rules} }}; }}; }}"
    );
    let document = treemind_doc::Document::parse(&text, "rules.kdl");
    let behaviour = document.behaviour(None);
    Arc::new(Program::new(
        behaviour.unwrap_or_else(|problems| panic!("{problems}")),
    ))
}

/// How often the rules `a`, `b` and `c` have fired, after ticks with one document and ticks with another.
fn fired(old: &str, new: &str, ticks: [usize; 2]) -> [i64; 3] {
    let old = program(old);
    let mut host = Scripted::new(old.behaviour(), 2);
    let mut population = Population::new(old, 2);
    let mut tick = |population: &mut Population| {
        population.tick(&mut host, Duration::from_secs(1));
    };
    (0..ticks[0]).for_each(|_| tick(&mut population));
    let new = program(new);
    let mut host = Scripted::new(new.behaviour(), 2);
    let report = population.change_program(new, &mut host);
    assert!(report.keys().is_empty() && report.lost_events().is_empty());
    let mut tick = |population: &mut Population| {
        population.tick(&mut host, Duration::from_secs(1));
    };
    (0..ticks[1]).for_each(|_| tick(&mut population));
    ["a", "b", "c"].map(|key| {
        let key = population.program().behaviour().key_id(key).expect("a key");
        match population.get(1, key) {
            Value::Int(times) => times,
            other => panic!("{other}"),
        }
    })
}

const A: &str = "rule a when=\"hurt\" { set \"a += 1\"; };";
const B: &str = "rule b when=\"hurt\" again=#true cooldown=10.0 { set \"b += 1\"; };";
const C: &str = "rule c when=\"hurt\" { set \"c += 1\"; };";

#[test]
fn rules_of_the_same_name_go_on_in_another_order_and_among_others() {
    // A rule that has fired does not fire again, and one that cools goes on cooling.
    assert_eq!(
        fired(&format!("{A}{B}"), &format!("{A}{B}"), [3, 3]),
        [1, 1, 0]
    );
    assert_eq!(
        fired(&format!("{A}{B}"), &format!("{B}{A}"), [3, 3]),
        [1, 1, 0]
    );
    assert_eq!(
        fired(&format!("{A}{B}"), &format!("{C}{B}{A}"), [3, 3]),
        [1, 1, 1]
    );
    assert_eq!(fired(&format!("{C}{A}{B}"), B, [3, 3]), [1, 1, 1]);
    assert_eq!(
        fired(&format!("{C}{A}{B}"), &format!("{B}{C}"), [3, 9]),
        [1, 2, 1]
    );
}

#[test]
fn a_rule_of_another_name_is_a_new_one() {
    let renamed = A.replace("rule a", "rule hurt");
    assert_eq!(fired(A, &renamed, [3, 3]), [2, 0, 0]);
}
