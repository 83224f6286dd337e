//! Statecharts mean the same in KDL and in SCXML: random ones are written in both, read, and played side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Event, FaultKind, Kind, Population, Program, Status, Trace, Value};
use treemind_doc::scxml::event_named;
use treemind_doc::{Document, Format};
use treemind_testkit::generate::{Chart, TOLD};
use treemind_testkit::random::Random;

const CHARTS: u64 = 800;
const EVENTS: usize = 25;

/// A chart being played.
struct Player {
    behaviour: Behaviour,
    population: Population,
    host: Scripted,
    trace: Trace,
}

/// The result of a tick.
#[derive(Debug, PartialEq)]
struct Played {
    /// Whether it has ended.
    is_over: bool,
    /// The active states, if it has not ended.
    active: BTreeSet<String>,
    /// The marks of what was done, in order.
    trail: Value,
    faults: Vec<FaultKind>,
}

impl Player {
    fn new(text: &str, name: &str, format: Format) -> Self {
        let document = Document::parse_as(text, name, format);
        assert!(
            !document.has_errors(),
            "{:#?}\n{text}",
            document.diagnostics()
        );
        let behaviour = document.behaviour(None).expect("it has no errors");
        let program = Arc::new(Program::new(behaviour.clone()));
        Self {
            host: Scripted::new(&behaviour, 1),
            population: Population::new(program, 1),
            trace: Trace::new(),
            behaviour,
        }
    }

    fn send(&mut self, event: &str) {
        let known = event_named(&self.behaviour, event);
        if let Some(event) = known {
            self.population.send(0, event, &[]);
        }
    }

    /// The result of a tick.
    fn tick(&mut self) -> Played {
        let dt = Duration::ZERO;
        self.population
            .tick_traced(&mut self.host, dt, &mut self.trace);
        let faults = self.population.take_faults();
        let kinds = faults
            .kept()
            .iter()
            .map(|fault| fault.kind.clone())
            .collect();
        let root = self.behaviour.root();
        let Kind::Machine(machine) = &self.behaviour.node(root).kind else {
            panic!("a chart is a machine");
        };
        let states = machine.states.iter().enumerate().skip(1);
        let active = states.filter(|(index, _)| self.population.is_in(0, root, *index));
        let active = active.map(|(_, state)| state.name.clone()).collect();
        let trail = self.behaviour.key_id("trail");
        let trail = trail.map_or(Value::Int(0), |key| self.population.get(0, key));
        let is_over = self.trace.root(&self.behaviour, 0) == Some(Status::Success);
        Played {
            is_over,
            active,
            trail,
            faults: kinds,
        }
    }

    fn takes(&self) -> usize {
        let events = self.trace.agent(0);
        events
            .filter(|(_, event)| matches!(event, Event::Take(_)))
            .count()
    }
}

#[test]
fn a_statechart_does_the_same_in_kdl_and_in_scxml() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..CHARTS {
        let chart = Chart::random(seed);
        let (kdl, scxml) = (chart.to_kdl(), chart.to_scxml());
        let mut one = Player::new(&kdl, "chart.kdl", Format::Kdl);
        let mut other = Player::new(&scxml, "chart.scxml", Format::Scxml);
        let mut random = Random::new(!seed);
        let mut told = Vec::new();
        for _ in 0..EVENTS {
            let played = one.tick();
            let same = other.tick();
            assert_eq!(played, same, "seed {seed}, after {told:?}\n{kdl}\n{scxml}");
            let is_livelock = |fault: &FaultKind| matches!(fault, FaultKind::Livelock { .. });
            let goes_round = played.faults.iter().any(is_livelock);
            assert!(!goes_round, "seed {seed}, after {told:?}\n{kdl}");
            for (what, is_so) in [
                ("ends", played.is_over),
                ("several at once", played.active.len() > 4),
                ("takes one", one.takes() == 1),
                ("takes several", one.takes() > 1),
                ("takes none", one.takes() == 0),
                ("loses events", !played.faults.is_empty()),
            ] {
                *seen.entry(what).or_default() += usize::from(is_so);
            }
            if played.is_over {
                break;
            }
            let event = *random.pick(&TOLD);
            told.push(event);
            one.send(event);
            other.send(event);
        }
    }
    for what in [
        "ends",
        "several at once",
        "takes one",
        "takes several",
        "takes none",
    ] {
        assert!(seen[what] > 50, "{seen:?}");
    }
}
