//! What a view shows of agents.

mod crowd;
mod plans;
mod protocol;
mod weighed;

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Move, Moves, Scripted, Told};
use treemind_core::trace::Trace;
use treemind_core::{Answers, Call, Host, Lanes, Outcome, Population, Program, Status};
use treemind_doc::Document;
use treemind_explain::Language;
use treemind_replay::follow::{Follower, Mark, events_that_came};

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

#[test]
fn a_state_whose_action_has_ended_is_what_the_agent_does() {
    let text = "leaves { action eat; action rest; }
        main tree=villager
        tree villager { sequence { machine routine; }; }
        machine routine {
            initial lunch
            state lunch {
                initial soup
                state soup { do { action eat; }; }
                transition to=pause after=0.3
            }
            state pause { do { sequence name=nap { wait 9; action rest; }; }; }
        }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    assert!(host.set(0, "eat", &[Status::Running, Status::Success]));
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let mut mind = Follower::new("villager", 0, behaviour);
    let mut done = Vec::new();
    for tick in 1..=5 {
        mind.before_tick(&population, Some(0));
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        mind.update(&population, &trace, 0, tick);
        done.push(
            mind.marks()
                .doing(behaviour)
                .unwrap_or("nothing")
                .to_owned(),
        );
    }
    assert_eq!(done, ["soup", "eat", "soup", "pause", "nap"]);
}

/// After so many ticks, whoever watches knows all marks: none fades more slowly.
const KNOWN_AFTER: usize = 20;

/// Plays a document of one agent, and returns the marks of nodes after each tick. Who begins to watch some ticks before sees
/// the same.
fn marks_of(text: &str, labels: &[&str], deeds: &[&[(&str, Status)]]) -> Vec<Vec<Mark>> {
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let mut watchers: Vec<Follower> = Vec::new();
    let mut seen = Vec::new();
    for (tick, deeds) in (1..).zip(deeds) {
        for (label, status) in *deeds {
            // Not every document has every leaf.
            _ = host.set(0, label, &[*status]);
        }
        watchers.push(Follower::new("it", 0, behaviour));
        for watcher in &mut watchers {
            watcher.before_tick(&population, Some(0));
        }
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let marks = watchers.iter_mut().map(|watcher| {
            watcher.update(&population, &trace, 0, tick);
            let of = |label: &&str| {
                let mut all = behaviour.node_ids();
                all.find(|id| behaviour.label(*id) == *label).unwrap()
            };
            labels
                .iter()
                .map(|label| watcher.marks().get(of(label)))
                .collect::<Vec<_>>()
        });
        let marks: Vec<_> = marks.collect();
        let early = marks.iter().take(marks.len().saturating_sub(KNOWN_AFTER));
        early.for_each(|one| assert_eq!(*one, marks[0], "{tick}"));
        seen.push(marks[0].clone());
    }
    seen
}

#[test]
fn a_branch_of_a_parallel_keeps_its_sign_as_long_as_it_counts() {
    let (went, failed) = (
        Mark::Earlier(Status::Success),
        Mark::Earlier(Status::Failure),
    );
    let runs = Mark::Now(Status::Running);
    let mut deeds: Vec<&[(&str, Status)]> = vec![&[]; 100];
    deeds[0] = &[
        ("one", Status::Success),
        ("two", Status::Failure),
        ("three", Status::Running),
    ];
    deeds[99] = &[("three", Status::Success), ("one", Status::Running)];
    let leaves = "leaves { action one; action two; action three; }";
    for parallel in [
        "parallel success=2 failure=3",
        "parallel-all max-failures=2",
    ] {
        let text = format!(
            "{leaves}\ntree t {{ {parallel} {{ action one; action two; action three; }}; }}"
        );
        let seen = marks_of(&text, &["one", "two", "three"], &deeds);
        let first = [Mark::Now(Status::Success), Mark::Now(Status::Failure), runs];
        assert_eq!(seen[0], first);
        for marks in &seen[1..99] {
            assert_eq!(*marks, [went, failed, runs], "{parallel}");
        }
        // The parallel is over, and counts nothing any more.
        let last = [Mark::Idle, Mark::Idle, Mark::Now(Status::Success)];
        assert_eq!(seen[99], last, "{parallel}");
    }
    deeds[0] = &[("one", Status::Running), ("three", Status::Running)];
    deeds[1] = &[("one", Status::Success)];
    for parallel in ["monitor", "simple-parallel finish=delayed"] {
        let text = format!("{leaves}\ntree t {{ {parallel} {{ action one; action three; }}; }}");
        let seen = marks_of(&text, &["one", "three"], &deeds);
        assert_eq!(seen[98], [went, runs], "{parallel}");
    }
}

#[test]
fn what_was_cut_off_is_torn_in_its_tick_and_pale_after() {
    let text = "leaves { condition alarm; action flee; action patrol; }
        tree t { reactive-selector {
            reactive-sequence { condition alarm; action flee; }
            sequence name=round { action patrol; }
        }; }";
    let mut deeds: Vec<&[(&str, Status)]> = vec![&[]; 20];
    deeds[0] = &[
        ("alarm", Status::Failure),
        ("flee", Status::Running),
        ("patrol", Status::Running),
    ];
    deeds[2] = &[("alarm", Status::Success)];
    let seen = marks_of(text, &["round", "patrol"], &deeds);
    assert_eq!(seen[1], [Mark::Now(Status::Running); 2]);
    assert_eq!(seen[2], [Mark::Aborted; 2]);
    for marks in &seen[3..12] {
        assert_eq!(*marks, [Mark::EarlierAborted; 2]);
    }
    assert_eq!(seen[12], [Mark::Idle; 2]);
}

#[test]
fn so_is_a_state_that_was_left_and_the_event_is_told() {
    let text = "leaves { event bell; action stand; action flee; }
        machine m { initial calm; state calm { do { action stand; }; transition to=alarmed on=bell; }; state alarmed { do { action flee; }; }; }";
    let document = Document::parse(text, "test.kdl");
    let behaviour = document.behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    for leaf in ["stand", "flee"] {
        assert!(host.set(0, leaf, &[Status::Running]));
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let bell = behaviour.leaf_id("bell").unwrap();
    let mut mind = Follower::new("it", 0, behaviour);
    for tick in 1..=20 {
        if tick == 5 {
            assert!(population.send(0, bell, &[]));
        }
        mind.before_tick(&population, Some(0));
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        mind.update(&population, &trace, 0, tick);
        let calm = mind.marks().of_state(behaviour.root(), 1);
        let expected = match tick {
            5 => Mark::Left,
            6..15 => Mark::EarlierLeft,
            15.. => Mark::Idle,
            _ => calm,
        };
        assert_eq!(calm, expected, "tick {tick}");
        let came: Vec<String> = events_that_came(behaviour, (&trace, 0))
            .map(|(_, words)| words.written(Language::English))
            .collect();
        let told: &[&str] = if tick == 5 {
            &["the event bell came"]
        } else {
            &[]
        };
        assert_eq!(came, told, "tick {tick}");
    }
}

#[test]
fn of_an_agent_before_at_the_same_place_nothing_is_shown() {
    let text = "leaves { action eat; }
        tree guest { key meals type=int; sequence { set \"meals = meals + 1\"; action eat; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let program = Arc::clone(population.program());
    let behaviour = program.behaviour();
    let mut host = Scripted::new(behaviour, 1);
    assert!(host.set(0, "eat", &[Status::Success]));
    let root = behaviour.root();
    let mut mind = Follower::new("guest", 0, behaviour);
    for tick in 1..=6 {
        if tick == 5 {
            population.remove(0, &mut host);
            assert_eq!(population.spawn().index(), 0);
        }
        mind.before_tick(&population, Some(0));
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        mind.update(&population, &trace, 0, tick);
        mind.read_keys(&population, Some(0), tick);
        let own = if tick < 5 { 1 } else { 5 };
        let recent = mind.marks().recent(root);
        let first = recent.map(|(_, from, _)| from).min();
        assert_eq!(first, Some(own), "tick {tick}");
        assert_eq!(mind.keys()[0].value, (tick - own + 1).to_string());
    }
}
