//! What a view shows of agents.

mod protocol;

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Move, Moves, Told};
use treemind_core::trace::Trace;
use treemind_core::{Answers, Call, Host, Lanes, Outcome, Population, Program, Status};
use treemind_doc::Document;
use treemind_replay::follow::{Follower, Mark};

/// A game with a decorator of its own that ticks its child in every third tick, beginning with the first. Its actions keep
/// running.
struct Thirds;

impl Host for Thirds {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, answers: &mut Answers<'_>) {
        answers.set_others(Status::Failure);
    }

    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn update(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}

    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        for agent in lanes {
            let wanted = match moves.told(agent) {
                Told::Tick if call.tick() % 3 == 1 => Move::Tick(0),
                _ => Move::Answer(Status::Running),
            };
            moves.set(agent, wanted);
        }
    }
}

#[test]
fn what_is_open_is_shown_as_running_and_is_what_the_agent_does() {
    let text = "leaves { decorator thirds; condition see-enemy; action fight; action walk-to; }
        tree t { reactive-selector {
            sequence { condition see-enemy; action fight; }
            node thirds { sequence name=way { action walk-to; }; }
        }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let node = |label: &str| {
        let mut all = behaviour.node_ids();
        all.find(|id| behaviour.label(*id) == label).unwrap()
    };
    let mut mind = Follower::new("walker", 0, behaviour);
    for tick in 1..=7 {
        mind.before_tick(&population, Some(0));
        let mut trace = Trace::with_values();
        population.tick_traced(&mut Thirds, Duration::from_millis(100), &mut trace);
        mind.update(&population, &trace, 0, tick);
        let marks = mind.marks();
        let is_ticked = tick % 3 == 1;
        let wanted = match is_ticked {
            true => Mark::Now(Status::Running),
            false => Mark::Open,
        };
        assert_eq!(marks.doing(behaviour), Some("walk-to"), "{tick}");
        for label in ["walk-to", "way"] {
            assert_eq!(marks.get(node(label)), wanted, "{label} in {tick}");
            assert!(marks.is_running(node(label)));
        }
        let told = mind.explanation(&population).unwrap().to_string();
        let says_so = told.contains("it was not ticked in this tick");
        assert_eq!(says_so, !is_ticked, "{told}");
        assert!(told.contains("`walk-to` is running"), "{told}");
        assert!(told.contains("`see-enemy` does not hold"), "{told}");
        // Who begins to watch now sees it, too.
        let mut late = Follower::new("walker", 0, behaviour);
        late.before_tick(&population, Some(0));
        assert_eq!(late.marks().doing(behaviour), Some("walk-to"));
    }
}

#[test]
fn what_was_cut_off_behind_its_answer_is_not_running() {
    let text = "leaves { action walk-to; }
        tree t { parallel failure=1 { wait 5; sequence name=way { action walk-to; }; fail; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let mut mind = Follower::new("walker", 0, behaviour);
    mind.before_tick(&population, Some(0));
    let mut trace = Trace::with_values();
    population.tick_traced(&mut Thirds, Duration::from_millis(100), &mut trace);
    mind.update(&population, &trace, 0, 1);
    assert_eq!(mind.marks().doing(behaviour), None);
    for id in behaviour.node_ids() {
        assert!(!mind.marks().is_running(id), "{}", behaviour.label(id));
    }
}
