//! What is said about single kinds of nodes.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{
    Answers, Call, Host, KeyId, Lanes, LeafId, Outcome, Population, Program, Status, Value,
};
use treemind_doc::Document;
use treemind_explain::Explainer;

/// Plays a document with agents whose actions keep running, and returns what is said about the last agent.
fn explained(text: &str, agents: usize, ticks: usize) -> String {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, agents);
    let labels = host.labels().to_vec();
    for agent in 0..agents {
        for label in labels.iter().filter(|label| label.starts_with("do-")) {
            host.set(agent, label, &[Status::Running]);
        }
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    let mut explainer = Explainer::new(&population, agents - 1);
    for _ in 0..ticks {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    explainer.explain(&population).to_string()
}

#[track_caller]
fn says(found: &str, wanted: &[&str]) {
    for line in wanted {
        assert!(found.contains(line), "`{line}` is not in\n{found}");
    }
}

#[test]
fn a_semaphore_says_who_holds_its_places() {
    let text = "leaves { action do-perform; action do-wait; }
        tree actor { selector { semaphore stage max=2 scope=world { action do-perform; }; action do-wait; }; }";
    let found = explained(text, 3, 2);
    says(
        &found,
        &[
            "`do-wait` is running",
            "the semaphore `stage` gave it no place",
            "after the tick, of its 2 places, 2 are held by agent 0, agent 1",
        ],
    );
}

#[test]
fn scores_are_compared() {
    let text = "blackboard { key hunger type=float default=0.75; }
        leaves { action do-eat; action do-sleep; }
        tree pet { utility-selector { action do-eat score=\"hunger\"; action do-sleep score=\"1 - hunger\"; }; }";
    says(
        &explained(text, 1, 1),
        &[
            "`do-eat` is running",
            "the scores were `do-eat` 0.750, `do-sleep` 0.250",
            "`do-sleep` scored 0.250, 0.500 less than `do-eat`",
        ],
    );
}

#[test]
fn guards_gates_and_cases_say_their_reasons() {
    let text = "blackboard { key ammo type=int default=0; key mode type=int default=2; }
        leaves { action do-a; action do-b; action do-c; action do-d; }
        tree t { selector {
            action do-a when=\"ammo > 0\" name=shoot
            chance 0.0 { action do-b; }
            limit 0 { action do-b; }
            switch \"mode\" { case 1 { action do-c; }; case 2 { action do-d; }; }
        }; }";
    says(
        &explained(text, 1, 1),
        &[
            "the guard `when` of `shoot`, `ammo > 0`, does not hold: 0 > 0",
            "`chance` drew ",
            "which is not below 0",
            "`limit` allows no more runs",
            "`mode == 1` does not hold: 2 == 1",
            "`mode == 2` holds: 2 == 2",
        ],
    );
}

#[test]
fn a_node_says_who_wrote_a_key() {
    let text = "blackboard { key n type=int; }
        leaves { action do-it; }
        tree t { sequence { set \"n += 1\" name=count; check \"n > 0\"; action do-it; }; }";
    says(
        &explained(text, 1, 1),
        &[
            "`n > 0` holds: 1 > 0",
            "`n` changed from 0 to 1 in this tick: `count` wrote it",
        ],
    );
}

#[test]
fn a_sequence_that_goes_on_says_what_its_first_children_answered() {
    let text = "blackboard { key n type=int default=1; }
        leaves { action do-it; }
        tree t { sequence { check \"n > 0\" name=enough; action do-it; }; }";
    says(
        &explained(text, 1, 3),
        &[
            "`do-it` is running, since tick 1\n    `sequence` goes on at `do-it`\n      `enough` succeeded in tick 1",
        ],
    );
}

/// A game in which a blow, and running away, hurt.
struct Blows {
    health: KeyId,
    blow: LeafId,
}

impl Host for Blows {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let health = if call.leaf() == self.blow { 18.0 } else { 5.0 };
        for agent in lanes {
            let set = call.board().set(self.health, agent, Value::Float(health));
            set.unwrap();
        }
    }

    fn update(&mut self, call: &mut Call<'_>, _: Lanes<'_>, answers: &mut Answers<'_>) {
        if call.leaf() == self.blow {
            answers.set_others(Status::Success);
        }
    }

    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
}

#[test]
fn what_the_game_writes_in_calls_is_told_apart_value_by_value() {
    let text = "leaves { action take-blow; action run; }
        blackboard { key health type=float default=100.0; }
        tree guard { sequence { check \"health > 50\"; action take-blow; check \"health < 20\"; action run; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Blows {
        health: behaviour.key_id("health").unwrap(),
        blow: behaviour.leaf_id("take-blow").unwrap(),
    };
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    explainer.before_tick(&population);
    let mut trace = Trace::with_values();
    population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
    explainer.after_tick(&population, &trace);
    let found = explainer.explain(&population).to_string();
    says(
        &found,
        &["`health` changed from 100 to 18 in this tick: the game wrote it in `take-blow`"],
    );
    // It was 100 in the first test, and 5 only afterwards.
    assert!(!found.contains("to 5"), "{found}");
}
