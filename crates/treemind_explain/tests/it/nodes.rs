//! What is said about single kinds of nodes.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Move, Moves, Scripted, Told};
use treemind_core::trace::Trace;
use treemind_core::{
    Answers, Behaviour, Call, Host, KeyId, Lanes, LeafId, Outcome, Population, Program, Status,
    Value,
};
use treemind_doc::Document;
use treemind_explain::{Explainer, Fellows};

/// Plays a document with agents whose actions keep running, and returns what is said about the last agent.
pub(super) fn explained(text: &str, agents: usize, ticks: usize) -> String {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    explained_of(behaviour, agents, ticks)
}

fn explained_of(behaviour: Behaviour, agents: usize, ticks: usize) -> String {
    explained_to(behaviour, (agents, agents - 1), ticks)
}

/// Why one of the agents did what it did in the last tick.
pub(super) fn explained_to(
    behaviour: Behaviour,
    (agents, about): (usize, usize),
    ticks: usize,
) -> String {
    let mut host = Scripted::new(&behaviour, agents);
    let labels = host.labels().to_vec();
    for agent in 0..agents {
        for label in labels.iter().filter(|label| label.starts_with("do-")) {
            host.set(agent, label, &[Status::Running]);
        }
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    let mut explainer = Explainer::new(&population, about);
    for _ in 0..ticks {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    explainer.explain(&population).to_string()
}

/// Why each node of a kind answered what it answered in the last of some ticks.
pub(super) fn whys(text: &str, kind: &str, ticks: usize) -> String {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::idle(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    for _ in 0..ticks {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    let behaviour = population.program().behaviour();
    let of_kind =
        (behaviour.node_ids()).filter(|id| behaviour.node(*id).kind.facts().keyword == kind);
    let said = of_kind.map(|node| explainer.why(&population, node).to_string());
    said.collect::<Vec<_>>().join("\n")
}

#[track_caller]
pub(super) fn says(found: &str, wanted: &[&str]) {
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
            action do-a when=\"mode == 1\" fail-if=\"ammo == 5\" name=aim
            chance 0.0 { action do-b; }
            limit 0 { action do-b; }
            switch \"mode\" { case 1 { action do-c; }; case 2 { action do-d; }; }
        }; }";
    says(
        &explained(text, 1, 1),
        &[
            "the guard `when` of `shoot`, `ammo > 0`, does not hold: 0 > 0",
            "the guard `fail-if` or `when` of `aim`, `ammo == 5 || !(mode == 1)`, holds: 0 == 5 || !(2 == 1)",
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

/// A game with a decorator of its own that ticks its child in every third tick, beginning with the first. Its conditions do
/// not hold, and its actions keep running.
struct Thirds;

impl Host for Thirds {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, answers: &mut Answers<'_>) {
        answers.set_others(Status::Failure);
    }

    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn update(&mut self, _: &mut Call<'_>, _: Lanes<'_>, answers: &mut Answers<'_>) {
        answers.set_others(Status::Running);
    }

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

/// What is said about the only agent after some ticks, and how a node answers for itself.
pub(super) fn told(text: &str, host: &mut dyn Host, ticks: usize, node: &str) -> (String, String) {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    for _ in 0..ticks {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    let behaviour = population.program().behaviour();
    let mut ids = behaviour.node_ids();
    let id = ids.find(|id| behaviour.label(*id) == node).unwrap();
    (
        explainer.explain(&population).to_string(),
        explainer.why(&population, id).to_string(),
    )
}

#[test]
fn an_action_that_its_decorator_does_not_tick_goes_on() {
    let text = "leaves { decorator thirds; condition see-enemy; action fight; action walk-to; }
        tree t { reactive-selector {
            reactive-sequence name=alarm { condition see-enemy; action fight; }
            node thirds { selector { condition see-enemy name=again; sequence { succeed; action walk-to; wait 5; }; }; }
        }; }";
    let (found, why) = told(text, &mut Thirds, 3, "walk-to");
    says(
        &found,
        &[
            "`t` answered running",
            "`walk-to` is running, since tick 1; it was not ticked in this tick",
            "`alarm` failed",
            "`see-enemy` does not hold, since tick 1",
            "`again` failed in tick 1",
        ],
    );
    says(
        &why,
        &["`walk-to` is running, since tick 1; it was not ticked in this tick"],
    );
    let (_, why) = told(text, &mut Thirds, 3, "sequence");
    says(
        &why,
        &[
            "`sequence` is running; it was not ticked in this tick",
            "`walk-to` is running",
        ],
    );
    // In the fourth tick it is ticked again.
    let (found, _) = told(text, &mut Thirds, 4, "walk-to");
    assert!(
        found.contains("`walk-to` is running, since tick 1\n"),
        "{found}"
    );
}

#[test]
fn an_action_that_asks_to_be_skipped_in_its_run_goes_on() {
    let text = "leaves { action walk-to; action rest; }
        tree t { selector { action walk-to; action rest; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    host.set(0, "walk-to", &[Status::Running, Status::Skipped]);
    host.set(0, "rest", &[Status::Running]);
    let (found, _) = told(text, &mut host, 2, "walk-to");
    says(
        &found,
        &[
            "`walk-to` is running, since tick 1; it asked to be skipped in this tick",
            "`rest` is running",
        ],
    );
}

#[test]
fn what_is_over_is_not_told_as_running() {
    let text = "leaves { action do-it; }
        tree t { parallel failure=1 { wait 5; action do-it; fail; }; }";
    let found = explained(text, 1, 1);
    assert!(!found.contains("`do-it` is running"), "{found}");
    assert!(!found.contains("`wait` is not over"), "{found}");
}

/// What is said about an agent of a crowd whose numbers are in the key `nr`.
fn in_crowd(text: &str, agents: usize, own: usize, ticks: usize, fellows: Fellows) -> String {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let nr = behaviour.key_id("nr").unwrap();
    let mut host = Scripted::new(&behaviour, agents);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    for agent in 0..agents {
        host.set(agent, "do-it", &[Status::Running]);
        population.set(agent, nr, Value::Int(agent as i64)).unwrap();
    }
    let mut explainer = Explainer::new(&population, own).among(fellows);
    for _ in 0..ticks {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    explainer.explain(&population).to_string()
}

#[test]
fn a_shared_key_says_which_fellow_wrote_it() {
    let text = |merge: &str, writers: &str| {
        format!(
            "blackboard {{ key nr type=int; }}
            blackboard scope=world {{ key store type=int default=100 {merge}; }}
            leaves {{ action do-it; }}
            tree t {{ reactive-sequence {{
                force-success {{ sequence {{ check \"{writers}\"; set \"store -= nr\" name=take; }}; }}
                check \"store < 100\"; action do-it;
            }}; }}"
        )
    };
    let found = in_crowd(&text("", "nr == 2"), 4, 0, 2, Fellows::default());
    says(
        &found,
        &["`store` changed from 100 to 98 in tick 1: `take` of agent 2 wrote it"],
    );
    let found = in_crowd(&text("", "nr == 2"), 4, 2, 2, Fellows::default());
    says(
        &found,
        &["`store` changed from 100 to 98 in tick 1: `take` wrote it"],
    );
    // The last one decides.
    let named = Fellows::numbered("guard");
    let found = in_crowd(&text("", "nr > 0"), 4, 0, 2, named.clone());
    says(
        &found,
        &["`store` changed from 100 to 97 in tick 1: `take` of `guard-4` wrote it"],
    );
    let found = in_crowd(&text("merge=min", "nr > 0"), 4, 0, 2, named.clone());
    says(
        &found,
        &["`store` changed from 100 to 97 in tick 1: `take` of `guard-4` wrote it"],
    );
    let found = in_crowd(&text("merge=add", "nr > 1"), 4, 3, 2, named.clone());
    says(
        &found,
        &[
            "`store` changed from 100 to 95 in tick 1: `guard-3` and this agent itself wrote it, and their changes were added up",
        ],
    );
    // Each write of an agent counts, and the least of all.
    let twice = text("merge=add", "nr == 1").replace("-= nr", "-= nr; store -= nr");
    let found = in_crowd(&twice, 4, 0, 2, named.clone());
    says(
        &found,
        &["`store` changed from 100 to 98 in tick 1: `take` of `guard-2` wrote it"],
    );
    let found = in_crowd(
        &text("merge=min", "nr > 0").replace("-= nr", "= 0; store = 50"),
        4,
        0,
        2,
        named.clone(),
    );
    says(
        &found,
        &["`store` changed from 100 to 0 in tick 1: `take` of `guard-2` wrote it"],
    );
    let found = in_crowd(&text("merge=add", "nr > 0"), 9, 0, 2, named);
    says(
        &found,
        &[
            "from 100 to 64 in tick 1: `guard-2`, `guard-3`, `guard-4`, `guard-5`, `guard-6` and 3 more wrote it, and their changes were added up",
        ],
    );
    assert!(!found.contains("another program"), "{found}");
}

#[test]
fn who_comes_to_another_group_is_told_so() {
    let text = "blackboard scope=group { key alarm type=bool default=#false; }
        leaves { action do-it; }
        tree t { selector { sequence { check \"alarm\"; action do-it; }; action do-it; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let alarm = behaviour.key_id("alarm").unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    for group in [0, 1] {
        population.set_group(0, group);
        if group == 0 {
            population.set_group(0, 1);
            population.set_shared(alarm, 1, Value::Bool(true)).unwrap();
            population.set_group(0, 0);
        }
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
    }
    says(
        &explainer.explain(&population).to_string(),
        &[
            "`alarm` changed from false to true in this tick: the agent came to group 1, where it is so",
        ],
    );
}

#[test]
fn a_push_that_is_refused_says_whether_the_stack_is_full() {
    let text = |goes_on: &str| {
        format!(
            "blackboard {{ key n type=int default=0; }}
            leaves {{ action do-a; action do-b; }}
            machine m {{
                initial a
                state a {{ entry {{ set \"n += 1\"; }}; do {{ action do-a; }}; transition push=b when=\"{goes_on}\"; }}
                state b {{ entry {{ set \"n += 1\"; }}; do {{ action do-b; }}; transition push=a when=\"{goes_on}\"; }}
            }}"
        )
    };
    let full = explained(&text("n < 100"), 1, 12);
    says(&full, &["a → push b when=\"n < 100\": the stack is full\n"]);
    let guarded = explained(&text("n < 3"), 1, 12);
    says(
        &guarded,
        &["a → push b when=\"n < 3\": its condition does not hold\n"],
    );
    assert!(!guarded.contains("the stack"), "{guarded}");
}

/// What was so before the agent was followed may have been so for longer, and the sentence does not deny it: after a
/// reload, or in the middle of a game. An agent that was born later has no such past.
#[test]
fn what_may_be_older_is_at_least_as_old_as_it_was_seen() {
    let text = "leaves { condition see-enemy; action do-walk; }
        tree t { reactive-selector { sequence { condition see-enemy; action do-walk; }; wait 99; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 2);
    host.set_all("see-enemy", &[Status::Failure]);
    let program = Arc::new(Program::new(behaviour));
    let mut population = Population::new(Arc::clone(&program), 1);
    let mut explainer = Explainer::new(&population, 0);
    let mut tick = |population: &mut Population, explainer: &mut Explainer| {
        explainer.before_tick(population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(population, &trace);
        explainer.explain(population).to_string()
    };
    let mut found = String::new();
    for _ in 0..4 {
        found = tick(&mut population, &mut explainer);
    }
    let exact = [
        "`see-enemy` does not hold, since tick 1\n",
        "`wait` is not over, since tick 1\n",
    ];
    says(&found, &exact);
    let mut late = Explainer::new(&population, 0);
    tick(&mut population, &mut late);
    let found = tick(&mut population, &mut late);
    let at_least = [
        "`see-enemy` does not hold, at least since tick 5\n",
        "`wait` is not over, at least since tick 5\n",
    ];
    says(&found, &at_least);
    // The program is replaced by the same: what happened with the old one is forgotten.
    let same = Arc::new(Program::new(program.behaviour().clone()));
    population.change_program(same, &mut Scripted::new(program.behaviour(), 2));
    tick(&mut population, &mut explainer);
    let found = tick(&mut population, &mut explainer);
    says(
        &found,
        &["`see-enemy` does not hold, at least since tick 7\n"],
    );
    let born = population.spawn();
    let mut young = Explainer::new(&population, born.index());
    tick(&mut population, &mut young);
    let found = tick(&mut population, &mut young);
    says(&found, &["`see-enemy` does not hold, since tick 9\n"]);
}

#[test]
fn a_network_says_what_each_input_changed() {
    let text = "blackboard { key hunger type=double default=0.5; key coins type=int default=5; key social type=double; key alone type=double; }
        leaves { action do-chat; action do-rest; }
        network mood from=\"mood.weights\" { in \"hunger\"; in \"coins / 10.0\"; out social; out alone; }
        tree villager { sequence { set \"hunger = 2\"; policy mood social=\"{social}\" alone=\"{alone}\"; utility-selector { action do-chat score=\"social\"; action do-rest score=\"alone\"; }; }; }";
    let weights = include_bytes!("../../../../conformance/mood.weights");
    let document = Document::read_with(text.as_bytes(), "test.kdl", |_| {
        Ok::<_, &str>(weights.to_vec())
    });
    says(
        &explained_of(document.behaviour(None).unwrap(), 1, 1),
        &[
            "the network `mood` gave `social` 4.250, `alone` 0.000",
            "`hunger` is 2.000; at 0.500, it would have given `social` 1.250, `alone` -0.500",
        ],
    );
}

#[test]
fn a_transition_to_the_best_state_says_by_what() {
    let text = "blackboard { key battery type=float default=0.25; }
        leaves { action do-tidy; action do-charge; }
        decide next { best hysteresis=0.1 { option 0.5 { state tidying; }; option \"1 - battery\" { state charging; }; }; }
        machine keeper { initial all; state all { initial tidying; transition decide=next; state tidying { do { action do-tidy; }; }; state charging { do { action do-charge; }; }; }; }
        main machine=keeper";
    says(
        &explained(text, 1, 2),
        &[
            "`keeper` took `all → charging`",
            "`best hysteresis=0.1` chose option",
        ],
    );
}

/// A state that is chosen by score, and that lost, says both scores.
#[test]
fn a_state_that_lost_by_score_says_so() {
    let text = |hysteresis: &str, two: &str| {
        format!(
            "main machine=m
            blackboard {{ key a type=double default=0.25; key b type=double default=0.5; }}
            leaves {{ action do-a; action do-b; }}
            machine m {{ initial w; state w {{ initial two; transition decide=choose;
                state one {{ do {{ action do-a; }}; }}; state two {{ do {{ action do-b; }}; }}; }}; }}
            decide choose {{ best hysteresis={hysteresis} {{
                option \"a\" {{ state one; }}; option {two} {{ state two; }};
            }}; }}"
        )
    };
    for (text, wanted) in [
        (
            text("0.0", "\"b\""),
            "its score 0.25 is lower than 0.5 of `two`",
        ),
        (
            text("0.0", "0.75"),
            "its score 0.25 is lower than 0.75 of `two`",
        ),
        (
            text("0.5", "0.125"),
            "its score 0.25 is not enough above 0.125 of `two`",
        ),
        (
            text("0.0", "0.25"),
            "its score 0.25 is not higher than that of `two`",
        ),
    ] {
        says(&explained(&text, 1, 3), &[wanted]);
    }
}
