//! Random programs: whatever happens, something true is said about it.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Outcome, Population, Program};
use treemind_explain::{Explainer, Explanation, Reason};
use treemind_testkit::compare::{Meddler, case_of_seed};

/// How long an explanation of a small random program may be, in sentences.
const MOST_SENTENCES: usize = 5_000;

fn sentences(reasons: &[Reason]) -> usize {
    let inside = reasons.iter().map(|reason| sentences(&reason.because));
    reasons.len() + inside.sum::<usize>()
}

/// How often something is said to have happened: `a started (3 times)` counts three times.
fn count(explanation: &Explanation, is_it: impl Fn(&str) -> bool) -> usize {
    let times = explanation.changed.iter().map(|reason| {
        let (text, times) = match reason.text.strip_suffix(" times)") {
            Some(head) => head.rsplit_once(" (").unwrap(),
            None => (reason.text.as_str(), "1"),
        };
        if is_it(text) {
            times.parse().unwrap()
        } else {
            0
        }
    });
    times.sum()
}

#[test]
fn every_start_and_every_end_is_told_once() {
    let mut told = 0;
    for seed in 0..300 {
        let case = case_of_seed(seed, 3, 20);
        let behaviour = case.behaviour().unwrap();
        let mut host = Meddler::new(&case, &behaviour);
        let mut population = Population::new(Arc::new(Program::new(behaviour)), 3);
        let mut explainers: Vec<Explainer> = (0..3)
            .map(|agent| Explainer::new(&population, agent))
            .collect();
        for _ in 0..20 {
            explainers
                .iter_mut()
                .for_each(|one| one.before_tick(&population));
            let mut trace = Trace::with_values();
            population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
            for explainer in &mut explainers {
                explainer.after_tick(&population, &trace);
                let explanation = explainer.explain(&population);
                let events = || trace.agent(explainer.agent()).map(|(_, event)| event);
                let starts = events().filter(|event| *event == Event::Start).count();
                let stopped = |outcome| events().filter(|one| *one == Event::Stop(outcome)).count();
                let ended = stopped(Outcome::Success) + stopped(Outcome::Failure);
                let told_of = |end: &str| {
                    count(&explanation, |text| {
                        !text.contains(" was cut off: ") && text.ends_with(end)
                    })
                };
                let cut_off = count(&explanation, |text| text.contains("` was cut off: "));
                assert_eq!(cut_off, stopped(Outcome::Aborted), "{seed}\n{explanation}");
                let both = told_of("` started and succeeded") + told_of("` started and failed");
                assert_eq!(told_of("` started") + both, starts, "{seed}\n{explanation}");
                let over = told_of("` succeeded") + told_of("` failed") + both;
                assert_eq!(over, ended, "{seed}\n{explanation}");
                let all = sentences(&explanation.does) + sentences(&explanation.instead);
                assert!(all < MOST_SENTENCES, "{seed}: {all}\n{explanation}");
                let json = serde_json::to_value(&explanation).unwrap();
                assert_eq!(json["tick"], explanation.tick);
                for node in population.program().behaviour().node_ids() {
                    assert!(!explainer.why(&population, node).text.is_empty());
                    told += 1;
                }
            }
        }
    }
    assert!(told > 10_000);
}
