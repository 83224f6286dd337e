//! Trees of which BehaviorTree.CPP 4.8.2 was asked what it does, one by one. They use only what 4.10 does in the same
//! way.

use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program};
use treemind_doc::{Document, script};

/// The ticks of a tree, and how many faults there were; `None` if it is refused.
fn played(row: &Value) -> Option<(Vec<String>, usize)> {
    let trees = row["trees"].as_str().expect("a text");
    let xml = format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">{trees}</root>"
    );
    let document = Document::parse(&xml, "t.xml");
    let behaviour = document.behaviour(None).ok()?;
    let answers = script::parse(row["script"].as_str().expect("a text"), "a.txt");
    let mut host = Scripted::new(&behaviour, 1);
    for (label, answers) in &answers.expect("a script").entries {
        assert!(host.set(0, label, answers), "{label} in {trees}");
    }
    let halts = row["halts"].as_array().expect("a list");
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let (mut trace, mut lines, mut faults) = (Trace::new(), Vec::new(), 0);
    for tick in 1..=row["ticks"].as_u64().expect("a number") {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let behaviour = population.program().behaviour();
        let head = trace.root(behaviour, 0).expect("the root is ticked");
        lines.push(trace.plain_line(behaviour, 0, tick, head.as_str()));
        if halts.iter().any(|halt| halt.as_u64() == Some(tick)) {
            trace.clear();
            population.abort_all_traced(&mut host, &mut trace);
            let behaviour = population.program().behaviour();
            lines.push(trace.plain_line(behaviour, 0, tick, "HALTTREE"));
        }
        faults += population.take_faults().kept().len();
    }
    let lines = lines.iter().map(|line| line.trim_end().to_owned());
    Some((lines.collect(), faults))
}

/// The same ticks; what throws an exception there is refused, or a fault.
#[test]
fn what_it_answered() {
    let rows = include_str!("../fixtures/btcpp_asked.jsonl").lines();
    let (mut equal, mut thrown, mut problems) = (0, 0, Vec::new());
    for row in rows {
        let row: Value = serde_json::from_str(row).expect("a row is JSON");
        let found = played(&row);
        match (row["expected"].as_array(), &found) {
            (None, None) => thrown += 1,
            (None, Some((_, faults))) if *faults > 0 => thrown += 1,
            (Some(expected), Some((lines, 0))) if lines.iter().eq(expected) => equal += 1,
            _ => problems.push(format!("{row}\n  found {found:?}")),
        }
    }
    assert!(
        problems.is_empty(),
        "{equal} equal:\n{}",
        problems.join("\n")
    );
    assert_eq!((equal, thrown), (308, 192));
}

/// What version 4 refuses to load, and what it cannot read.
#[test]
fn what_it_refused() {
    let said = |xml: &str| super::btcpp::said(&Document::parse(xml, "t.xml"));
    let named = |format: &str, tree: &str| {
        format!(
            "<root{format} main_tree_to_execute=\"{tree}\"><BehaviorTree ID=\"{tree}\"><Inverter><AlwaysSuccess/></Inverter></BehaviorTree></root>"
        )
    };
    for tree in ["Sequence", "Switch2", "SubTree", "Delay", "Script"] {
        let expected = format!("T0112 the tree `{tree}` has the name of a node that is built in");
        for (format, is_refused) in [(" BTCPP_format=\"4\"", true), ("", false)] {
            let xml = named(format, tree);
            assert_eq!(said(&xml), [expected.as_str()], "{xml}");
            assert_eq!(Document::parse(&xml, "t.xml").has_errors(), is_refused);
        }
    }
    assert_eq!(
        said(&named(" BTCPP_format=\"4\"", "Action")),
        Vec::<String>::new()
    );
    for (node, warned) in [
        ("<Repeat num_cycles=\" 2\"><AlwaysSuccess/></Repeat>", true),
        // What stands behind a number is ignored.
        ("<Repeat num_cycles=\"2 \"><AlwaysSuccess/></Repeat>", false),
        (
            "<RunOnce then_skip=\"true \"><AlwaysSuccess/></RunOnce>",
            true,
        ),
        (
            "<Precondition if=\"1 == 1\" else=\" FAILURE\"><AlwaysSuccess/></Precondition>",
            true,
        ),
    ] {
        let said = said(&super::btcpp::tree(node));
        let blanks = said.iter().filter(|one| one.contains("blanks around it"));
        assert_eq!(blanks.count(), usize::from(warned), "{said:?}");
    }
}

/// In the main tree, a key may say the name of one that others call `@x`.
#[test]
fn a_key_that_others_call_by_the_main_tree_is_unset() {
    let row = serde_json::json!({
        "trees": "<Sequence><Script code=\"x := 1; k := 'x'\"/><UnsetBlackboard key=\"{k}\"/><SubTree ID=\"S\"/></Sequence></BehaviorTree><BehaviorTree ID=\"S\"><ScriptCondition code=\"@x == 1\"/></BehaviorTree>",
        "script": "", "halts": [], "ticks": 1,
    });
    assert_eq!(played(&row), Some((vec!["1 FAILURE".to_owned()], 1)));
}
