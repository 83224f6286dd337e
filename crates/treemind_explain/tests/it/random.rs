//! Random programs: whatever happens, something true is said about it.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Kind, NodeId, Outcome, Population, Program, Status};
use treemind_explain::{Explainer, Explanation, Reason};
use treemind_testkit::compare::{Meddler, case_of_seed};

/// How long an explanation of a small random program may be, in sentences.
const MOST_SENTENCES: usize = 5_000;

fn sentences(reasons: &[Reason]) -> usize {
    let inside = reasons.iter().map(|reason| sentences(&reason.because));
    reasons.len() + inside.sum::<usize>()
}

/// The first line that is said twice. Why a goal has no plan stands together, also where another goal lacks the same.
fn repeated<'r>(reasons: &'r [Reason], told: &mut HashSet<&'r str>) -> Option<&'r str> {
    reasons.iter().find_map(|reason| {
        let is_new = told.insert(&reason.text);
        let twice = (!is_new).then_some(reason.text.as_str());
        twice.or_else(|| match reason.text.starts_with("there is no plan for `") {
            true => {
                let mut why = reason.because.iter();
                why.find_map(|one| repeated(&one.because, told))
            }
            false => repeated(&reason.because, told),
        })
    })
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
        let mut open = vec![BTreeSet::new(); 3];
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
                let both = told_of("` started and ended with success")
                    + told_of("` started and ended with failure");
                assert_eq!(told_of("` started") + both, starts, "{seed}\n{explanation}");
                let over = told_of("` ended with success") + told_of("` ended with failure") + both;
                assert_eq!(over, ended, "{seed}\n{explanation}");
                let all = sentences(&explanation.does) + sentences(&explanation.instead);
                assert!(all < MOST_SENTENCES, "{seed}: {all}\n{explanation}");
                let mut lines = HashSet::new();
                let parts = [
                    &explanation.does,
                    &explanation.changed,
                    &explanation.instead,
                ];
                for part in parts {
                    let twice = repeated(part, &mut lines);
                    assert_eq!(twice, None, "{seed}\n{explanation}");
                }
                let open = &mut open[explainer.agent()];
                for (node, event) in trace.agent(explainer.agent()) {
                    match event {
                        Event::Start => _ = open.insert(node),
                        Event::Stop(_) => _ = open.remove(&node),
                        _ => {}
                    }
                }
                let behaviour = population.program().behaviour();
                let is_action =
                    |node: &NodeId| matches!(behaviour.node(*node).kind, Kind::Action { .. });
                let actions = open.iter().filter(|node| is_action(node));
                let actions: BTreeSet<&str> = actions.map(|node| behaviour.label(*node)).collect();
                let does = explanation.does.iter().filter_map(|reason| {
                    let node = reason.number.map(NodeId::new).filter(is_action)?;
                    let is_running = reason.text.contains("` is running");
                    is_running.then(|| behaviour.label(node))
                });
                assert_eq!(
                    does.collect::<BTreeSet<_>>(),
                    actions,
                    "{seed}\n{explanation}"
                );
                let root = behaviour.root();
                if trace.root(behaviour, explainer.agent()) == Some(Status::Running) {
                    let nodes = population.open(explainer.agent(), trace.agent(explainer.agent()));
                    assert!(nodes.contains(&root), "{seed}\n{explanation}");
                }
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
