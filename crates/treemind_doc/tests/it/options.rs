//! Options of nodes, and what they are lowered to.

use super::behaviours::tree;
use treemind_core::behaviour::{
    Counting, Judging, Kind, LeafKind, Life, Pace, Skips, Threshold, Times, Yields,
};
use treemind_core::{Expr, MAX_RUNS_PER_TICK, Status, Value};
use treemind_doc::{Code, Document};

/// The root of a tree with one node.
fn kind(line: &str) -> Kind {
    let tree = tree(&format!("tree t {{ {line} }}"));
    tree.node(tree.root()).kind.clone()
}

fn double(value: f64) -> Expr {
    Expr::Value(Value::Double(value))
}

fn times(count: i64) -> Times {
    Times::Count(Expr::Value(Value::Int(count)))
}

#[test]
fn loops() {
    let plain = Pace {
        yields: Yields::Always,
        max_runs: MAX_RUNS_PER_TICK,
    };
    assert_eq!(plain, Pace::default());
    let repeat = |pace, counting, ignores_result| Kind::Repeat {
        times: times(3),
        pace,
        counting,
        ignores_result,
    };
    let retry = |pace, counting, ignores_result| Kind::Retry {
        times: times(3),
        pace,
        counting,
        ignores_result,
    };
    let (runs, ticks) = (Counting::Runs, Counting::Ticks);
    let short = Pace {
        yields: Yields::Fresh,
        max_runs: 7,
    };
    for (options, expected) in [
        ("", (plain, runs, false)),
        ("count=runs max-runs=1000", (plain, runs, false)),
        ("count=ticks", (plain, ticks, false)),
        ("max-runs=7 yields=fresh", (short, runs, false)),
        ("CONTINUE", (plain, runs, true)),
        (
            "CONTINUE count=ticks yields=fresh max-runs=7",
            (short, ticks, true),
        ),
    ] {
        let (pace, counting, ignores) = expected;
        let of = |word: &str, hook: &str| {
            let options = options.replace("CONTINUE", &format!("{hook}=continue"));
            kind(&format!("{word} 3 {options} {{ succeed; }}"))
        };
        assert_eq!(of("repeat", "on-failure"), repeat(pace, counting, ignores));
        assert_eq!(of("retry", "on-success"), retry(pace, counting, ignores));
    }
    let until = kind("until-failure max-runs=7 yields=fresh { fail; }");
    assert_eq!(until, Kind::UntilFailure { pace: short });
    let until = kind("until-success { succeed; }");
    assert_eq!(until, Kind::UntilSuccess { pace: plain });
}

#[test]
fn continue_is_an_option_and_everything_else_a_hook() {
    let tree = tree(
        "blackboard { key n type=int; }
         tree t { repeat 3 on-failure=continue on-success=\"n = 1\" on-end=\"n = 2\" { succeed; }; }",
    );
    let node = tree.node(tree.root());
    assert!(matches!(
        node.kind,
        Kind::Repeat {
            ignores_result: true,
            ..
        }
    ));
    assert!(node.hooks.on_failure.is_empty());
    assert_eq!(node.hooks.on_success.len(), 1);
    assert_eq!(node.hooks.on_end.len(), 1);
    let document = Document::parse(
        "blackboard { key n type=int; }\ntree t { repeat 3 on-failure=\"n = 1\" { succeed; }; }",
        "test.kdl",
    );
    let tree = document.behaviour(None).expect("no errors");
    let node = tree.node(tree.root());
    assert_eq!(node.hooks.on_failure.len(), 1);
    assert!(matches!(
        node.kind,
        Kind::Repeat {
            ignores_result: false,
            ..
        }
    ));
}

#[test]
fn parallels() {
    let parallel = |at_end, repeat_finished| Kind::Parallel {
        success: Threshold::All,
        failure: Threshold::Count(1),
        skips: Skips::Absent,
        judging: Judging {
            at_end,
            repeat_finished,
        },
    };
    let of = |options: &str| kind(&format!("parallel {options} {{ succeed; fail; }}"));
    assert_eq!(
        of("check=each repeat-finished=#false"),
        parallel(false, false)
    );
    assert_eq!(of("check=end"), parallel(true, false));
    assert_eq!(of("repeat-finished=#true"), parallel(false, true));
    let simple = |options: &str| kind(&format!("simple-parallel {options} {{ run; succeed; }}"));
    assert_eq!(simple(""), Kind::SimpleParallel { waits: false });
    assert_eq!(simple("finish=immediate"), simple(""));
    let waits = true;
    assert_eq!(simple("finish=delayed"), Kind::SimpleParallel { waits });
}

#[test]
fn decorators_and_leaves() {
    let forced = |even_running| Kind::ForceSuccess { even_running };
    assert_eq!(kind("force-success { run; }"), forced(false));
    assert_eq!(
        kind("force-success even-running=#true { run; }"),
        forced(true)
    );
    let even_running = true;
    assert_eq!(
        kind("force-failure even-running=#true { run; }"),
        Kind::ForceFailure { even_running }
    );
    let wait = |jitter| Kind::Wait {
        secs: double(2.0),
        jitter,
    };
    assert_eq!(kind("wait 2"), wait(None));
    assert_eq!(kind("wait 2 jitter=0.5"), wait(Some(double(0.5))));
    let tree =
        tree("tree t { sequence { limit 2 per=parent { run; }; limit 2 per=agent { run; }; }; }");
    let per_parent: Vec<bool> = tree
        .nodes()
        .iter()
        .filter_map(|node| match node.kind {
            Kind::Limit { per_parent, .. } => Some(per_parent),
            _ => None,
        })
        .collect();
    assert_eq!(per_parent, [true, false]);
}

#[test]
fn what_aborts_others() {
    let tree = tree(
        "blackboard { key n type=int; key b type=bool; }
         tree t { selector {
            run when=\"b\" aborts=lower
            run when=\"b\" aborts=both
            run when=\"b\" aborts=both while-else=skipped
            run when=\"b\" aborts=lower while=\"n > 0\"
            run when=\"b\" aborts=none
         }; }",
    );
    let guards: Vec<_> = tree.nodes()[1..].iter().map(|node| &node.guards).collect();
    let when = guards[0].fail_if.clone();
    let Some(Expr::Not(holds)) = &when else {
        panic!("a `when` is a `fail-if`, turned round");
    };
    assert!(guards.iter().all(|guards| guards.fail_if == when));
    let lower: Vec<bool> = guards.iter().map(|guards| guards.aborts_lower).collect();
    assert_eq!(lower, [true, true, true, true, false]);
    assert_eq!(guards[0].while_holds, None);
    assert_eq!(guards[1].while_holds.as_ref(), Some(&**holds));
    assert_eq!(guards[1].while_else, Status::Failure);
    assert_eq!(guards[2].while_else, Status::Skipped);
    assert_ne!(guards[3].while_holds.as_ref(), Some(&**holds));
    assert_eq!(guards[4].while_holds, None);
}

#[test]
fn what_actions_are() {
    let tree = tree(
        "leaves {
            action a; action b instant=#true; action c reports=#true; action d instant=#false reports=#false
            service s; composite e; composite f min=2 max=3; composite g min=3; decorator h; condition i
         }
         tree t { action a; }",
    );
    let kinds: Vec<LeafKind> = tree.leaves().iter().map(|leaf| leaf.kind).collect();
    let action = |life| LeafKind::Action { life };
    let composite = |least, most| LeafKind::Composite { least, most };
    assert_eq!(
        kinds,
        [
            action(Life::Updated),
            action(Life::Instant),
            action(Life::Reported),
            action(Life::Updated),
            LeafKind::Service,
            composite(1, None),
            composite(2, Some(3)),
            composite(3, None),
            LeafKind::Decorator,
            LeafKind::Condition,
        ]
    );
}

#[test]
fn a_limit_per_run_of_nothing_is_refused_whoever_holds_it() {
    let document = Document::parse(
        "main tree=a
         tree a { sequence { subtree b; }; }
         tree b { limit 2 per=parent { succeed; }; }",
        "test.kdl",
    );
    let codes: Vec<Code> = document
        .diagnostics()
        .iter()
        .map(|item| item.code())
        .collect();
    assert_eq!(codes, [Code::MisplacedNode]);
}
