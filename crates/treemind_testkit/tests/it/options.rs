//! Every option of the generated nodes matters: without it, some cases have other events.

use treemind_core::behaviour::{Counting, Judging};
use treemind_core::{Event, Expr, Kind, Node, NodeId, Value};
use treemind_testkit::compare::{ScriptedAgent, case_of_seed, reference_of};
use treemind_testkit::generate::{Case, Op, report_of};
use treemind_testkit::reference::{count_places, hand_out, settle};

/// Removes an option from a node.
type Without = fn(&mut Node);

const OPTIONS: [(&str, Without); 15] = [
    ("aborts_lower", |node| node.guards.aborts_lower = false),
    ("even_running", |node| {
        if let Kind::ForceSuccess { even_running } | Kind::ForceFailure { even_running } =
            &mut node.kind
        {
            *even_running = false;
        }
    }),
    ("at_end", |node| {
        if let Kind::Parallel { judging, .. } = &mut node.kind {
            let at_end = false;
            *judging = Judging { at_end, ..*judging };
        }
    }),
    ("repeat_finished", |node| {
        if let Kind::Parallel { judging, .. } = &mut node.kind {
            let repeat_finished = false;
            *judging = Judging {
                repeat_finished,
                ..*judging
            };
        }
    }),
    ("counting", |node| {
        if let Kind::Repeat { counting, .. } | Kind::Retry { counting, .. } = &mut node.kind {
            *counting = Counting::Runs;
        }
    }),
    ("ignores_result", |node| {
        if let Kind::Repeat { ignores_result, .. } | Kind::Retry { ignores_result, .. } =
            &mut node.kind
        {
            *ignores_result = false;
        }
    }),
    ("max_runs", |node| {
        if let Kind::Repeat { pace, .. }
        | Kind::Retry { pace, .. }
        | Kind::UntilFailure { pace }
        | Kind::UntilSuccess { pace } = &mut node.kind
        {
            pace.max_runs += 1;
        }
    }),
    ("per_parent", |node| {
        if let Kind::Limit { per_parent, .. } = &mut node.kind {
            *per_parent = false;
        }
    }),
    ("jitter of wait", |node| {
        if let Kind::Wait { jitter, .. } = &mut node.kind {
            *jitter = None;
        }
    }),
    ("jitter of service", |node| {
        if let Kind::Service { jitter, .. } = &mut node.kind {
            *jitter = None;
        }
    }),
    ("waits of simple-parallel", |node| {
        if let Kind::SimpleParallel { waits } = &mut node.kind {
            *waits = !*waits;
        }
    }),
    ("waits of semaphore", |node| {
        if let Kind::Semaphore { waits, .. } = &mut node.kind {
            *waits = !*waits;
        }
    }),
    ("bid of semaphore", |node| {
        if let Kind::Semaphore { bid: Some(bid), .. } = &mut node.kind {
            *bid = Expr::Value(Value::Double(0.0));
        }
    }),
    ("interrupt", |node| {
        if matches!(node.kind, Kind::Interrupt { .. }) {
            node.kind = Kind::Fail;
        }
    }),
    ("semaphore", |node| {
        if matches!(node.kind, Kind::Semaphore { .. }) {
            node.kind = Kind::Invert;
        }
    }),
];

fn walk(node: &mut Node, without: Without) {
    without(node);
    node.children
        .iter_mut()
        .for_each(|child| walk(child, without));
}

/// The events of all ticks, including services and actions that the host reports on.
fn play(case: &Case) -> Vec<(NodeId, Event)> {
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let mut leaves = ScriptedAgent::new(case, &behaviour, 0);
    let mut reference = reference_of(case, &behaviour, 0, 0);
    let mut events = Vec::new();
    for step in &case.steps {
        for op in &step.ops {
            match op {
                Op::AbortAll | Op::Abort(0) => {
                    reference.abort(&mut leaves);
                    settle(&mut [&mut reference]);
                }
                Op::Finish(label, salt) => {
                    let ids = behaviour.node_ids();
                    for node in ids.filter(|node| behaviour.label(*node) == label) {
                        if let Some(success) = report_of(*salt, 0) {
                            reference.report_end(node, success);
                        }
                    }
                }
                _ => {}
            }
        }
        count_places(&mut [&mut reference]);
        reference.tick(&mut leaves, step.dt);
        settle(&mut [&mut reference]);
        hand_out(&mut [&mut reference]);
        leaves.forget_calls();
        events.extend_from_slice(reference.events());
    }
    events
}

/// The least number of cases in which each option has to matter.
fn enough() -> u64 {
    super::cases(12, 3)
}

#[test]
fn every_option_changes_what_happens_in_some_cases() {
    let enough = enough();
    let mut changed = [0; OPTIONS.len()];
    for seed in 0..6_000 {
        if changed.iter().all(|changed| *changed >= enough) {
            return;
        }
        let case = case_of_seed(seed, 1, 40);
        let events = play(&case);
        for (place, (_, without)) in OPTIONS.iter().enumerate() {
            if changed[place] >= enough {
                continue;
            }
            let mut other = case.clone();
            walk(&mut other.parts.root, *without);
            let is_same = format!("{:?}", other.parts.root) == format!("{:?}", case.parts.root);
            changed[place] += u64::from(!is_same && play(&other) != events);
        }
    }
    for ((name, _), changed) in OPTIONS.iter().zip(changed) {
        assert!(changed >= enough, "{name} matters in {changed} cases only");
    }
}
