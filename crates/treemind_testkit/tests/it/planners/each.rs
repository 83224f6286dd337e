//! Random planners with `each`: they do what the same planners do with all steps written out, and what the reference does.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Population, Program, Trace};
use treemind_doc::Document;
use treemind_testkit::compare::{report, shrink, try_compare};
use treemind_testkit::generate::{case_of, planners_with_each};
use treemind_testkit::random::Random;

fn behaviour(text: &str) -> Behaviour {
    let document = Document::parse(text, "each.kdl");
    let behaviour = document.behaviour(None);
    behaviour.unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// The trace of one agent whose leaves all succeed; whether it has a plan with a step of an `each`.
fn played(behaviour: &Behaviour) -> (Vec<String>, bool) {
    let program = Arc::new(Program::new(behaviour.clone()));
    let mut population = Population::new(Arc::clone(&program), 1);
    let mut host = Scripted::new(program.behaviour(), 1);
    let mut trace = Trace::new();
    let mut lines = Vec::new();
    for tick in 1..=12 {
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        lines.push(trace.plain_line(program.behaviour(), 0, tick, ""));
    }
    let plans = |line: &String| line.contains("plan") && line.contains('-');
    let has_plan = lines.iter().any(plans);
    (lines, has_plan)
}

#[test]
fn what_is_expanded_does_as_what_is_written_out() {
    let cases = crate::cases(6_000, 60);
    let mut planned = 0;
    for seed in 0..cases {
        let texts = planners_with_each(&mut Random::new(seed ^ 0xEAC4));
        let [expanded, written] = texts.each_ref().map(|text| behaviour(text));
        let (lines, has_plan) = played(&expanded);
        assert_eq!(lines, played(&written).0, "seed {seed}\n{}", texts[0]);
        planned += u64::from(has_plan);
        let case = case_of(&expanded, seed, 2, 20);
        if let Err(mismatch) = try_compare(&case) {
            let small = shrink(&case, &mismatch);
            let mismatch = try_compare(&small).expect_err("a smaller case differs as well");
            panic!("seed {seed}\n{}\n{}", texts[0], report(&small, &mismatch));
        }
    }
    assert!(
        planned * 2 > cases,
        "{planned} of {cases} plan a step of an `each`"
    );
}
