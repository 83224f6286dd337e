//! The states of a game's own action types are saved, moved, rolled back and carried over.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use treemind::NodeType;
use treemind::core::host::Told as Event;
use treemind::leaves::BindProblem;
use treemind::leaves::Move;
use treemind::population::{Population, Program};
use treemind::prelude::*;
use treemind::saving::MindsRollback;

/// What the leaves have done.
type Log = Vec<String>;

const TENTH: Duration = Duration::from_millis(100);

const TEXT: &str = "leaves {
    action walk { param to type=string; param steps type=int; };
    composite rounds { param count type=int; };
    action rest;
}
blackboard { key steps type=int default=5; }
tree walker {
    node rounds count=2 {
        sequence { action walk to=\"hut\" steps=3; };
        action walk to=\"well\" steps=\"=steps + 1\"
    }
}";

/// Walks so many steps. It remembers them by name, and how far it has come.
#[derive(Deserialize)]
struct Walk {
    to: String,
    steps: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Way {
    steps: Vec<String>,
    metres: f32,
    seen: BTreeMap<String, Option<u64>>,
}

impl ActionType<Log> for Walk {
    type State = Way;

    fn start(&self, way: &mut Way, told: &mut Log, me: &mut Agent) -> Result<(), TaskError> {
        // Not a number that JSON could say.
        way.metres = f32::NEG_INFINITY;
        told.push(format!("{} starts to the {}", me.index(), self.to));
        Ok(())
    }

    fn update(&self, way: &mut Way, told: &mut Log, me: &mut Agent) -> Result<Status, TaskError> {
        way.steps.push(format!("step {}", way.steps.len() + 1));
        way.seen
            .insert(format!("s{}", way.steps.len()), Some(me.tick()));
        told.push(format!(
            "{} {} of {}: {way:?}",
            me.index(),
            self.to,
            self.steps
        ));
        Ok(match (way.steps.len() as i64) < self.steps {
            true => Status::Running,
            false => Status::Success,
        })
    }

    fn stop(
        &self,
        way: &mut Way,
        told: &mut Log,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        told.push(format!(
            "{} stops after {}: {outcome:?}",
            me.index(),
            way.steps.len()
        ));
        Ok(())
    }
}

/// Ticks its children one after the other, some rounds.
#[derive(Deserialize)]
struct Rounds {
    count: usize,
}

impl NodeType<Log> for Rounds {
    type State = usize;

    fn decide(
        &self,
        ended: &mut usize,
        _: &mut Log,
        me: &mut Agent,
        event: Event,
    ) -> Result<Move, TaskError> {
        if let Event::Answered { status, .. } = event {
            if status == Status::Running {
                return Ok(Move::Answer(Status::Running));
            }
            *ended += 1;
        }
        if *ended == self.count * me.children() {
            return Ok(Move::Answer(Status::Success));
        }
        Ok(Move::Tick(*ended % me.children()))
    }
}

#[derive(Deserialize)]
struct Rest {}

/// Cannot be written by serde in a form that says what it is.
#[derive(Default)]
struct Secret;

impl ActionType<Log> for Rest {
    type State = Secret;

    fn update(&self, _: &mut Secret, _: &mut Log, _: &mut Agent) -> Result<Status, TaskError> {
        Ok(Status::Running)
    }
}

fn leaves() -> Registry<Log> {
    let mut leaves = Registry::new();
    leaves
        .for_saving()
        .saved_action_type::<Walk>("walk")
        .saved_composite_type::<Rounds>("rounds")
        .action("rest", |_, _| Status::Running);
    leaves
}

fn walkers(agents: usize) -> Minds<Log> {
    Minds::read(TEXT.as_bytes(), "walker.kdl", &leaves(), agents).unwrap()
}

#[test]
fn resumed_is_uninterrupted_at_every_tick() {
    let document = Document::parse(TEXT, "walker.kdl");
    for agents in [1, 3, 70] {
        let (mut straight, mut resumed) = (walkers(agents), walkers(agents));
        let (mut told, mut again) = (Log::new(), Log::new());
        for tick in 0..25 {
            // As in another process: everything is bound anew.
            let saved = resumed.save();
            resumed = Minds::restore(&saved, &document, &leaves()).unwrap();
            assert_eq!(resumed.save(), saved, "tick {tick}");
            straight.tick(&mut told, TENTH);
            resumed.tick(&mut again, TENTH);
            assert_eq!(told, again, "tick {tick}");
        }
        assert_eq!(straight.take_faults().total(), 0);
        assert_eq!(resumed.take_faults().total(), 0);
        assert_eq!(straight.save(), resumed.save());
        straight.stop(&mut told);
        resumed.stop(&mut again);
        assert_eq!(told, again);
    }
}

#[test]
fn rolled_back_and_replayed_is_straight() {
    let mut minds = walkers(3);
    let mut rollback = MindsRollback::new(&minds, 6).unwrap();
    let mut courses = vec![Log::new()];
    for _ in 0..12 {
        let mut told = Log::new();
        minds.tick(&mut told, TENTH);
        rollback.record(&minds);
        courses.push(told);
    }
    let end = minds.save();
    for tick in (6..=12).chain([6, 9, 8]) {
        assert!(rollback.go_back(&mut minds, tick).unwrap());
        assert_eq!(rollback.newest(), tick);
        for course in &courses[tick as usize + 1..] {
            let mut told = Log::new();
            minds.tick(&mut told, TENTH);
            rollback.record(&minds);
            assert_eq!(&told, course, "from tick {tick}");
        }
        assert_eq!(minds.save(), end);
    }
    assert!(!rollback.go_back(&mut minds, 2).unwrap());
    assert_eq!(minds.take_faults().total(), 0);
}

#[test]
fn agents_that_move_take_the_states_of_their_runs_along() {
    let (mut north, mut south) = (walkers(2), walkers(3));
    let mut told = Log::new();
    for _ in 0..2 {
        north.tick(&mut told, TENTH);
    }
    let bytes = north.take_out(&[1]);
    let id = south.put_in(&bytes).unwrap()[0];
    assert_eq!(id.index(), 3);
    told.clear();
    south.tick(&mut told, TENTH);
    let own: Vec<&String> = told.iter().filter(|line| line.starts_with('3')).collect();
    assert!(own[0].contains("\"step 3\""), "{own:?}");
    assert!(own[1].contains("stops after 3: Success"), "{own:?}");
    // What stays behind goes on, and a newcomer in the same place begins anew.
    north.parts().0.spawn();
    told.clear();
    north.tick(&mut told, TENTH);
    let of_0 = told.iter().find(|line| line.starts_with("0 hut of 3"));
    assert!(of_0.unwrap().contains("\"step 3\""), "{told:?}");
    assert!(told.contains(&"1 starts to the hut".to_owned()), "{told:?}");
    assert_eq!(north.take_faults().total() + south.take_faults().total(), 0);
}

#[test]
fn a_changed_document_goes_on_with_the_states_that_were_saved() {
    let mut minds = walkers(2);
    let mut told = Log::new();
    for _ in 0..2 {
        minds.tick(&mut told, TENTH);
    }
    let saved = minds.save();
    let changed = TEXT
        .replace("tree walker {", "tree walker { selector {")
        .replace(
            "steps=\"=steps + 1\"\n    }",
            "steps=\"=steps + 1\"\n    }; action rest; }",
        );
    let same = Document::parse(&TEXT.replace("default=5", "default=9"), "walker.kdl");
    let (mut again, migration) =
        Minds::restore_changed(&saved, &same, &leaves(), &mut told).unwrap();
    assert_eq!(migration.to_string(), "");
    told.clear();
    again.tick(&mut told, TENTH);
    assert!(told[0].contains("\"step 3\""), "{told:?}");

    // Another node around the root: everything is stopped once, with the state that it had.
    let changed = Document::parse(&changed, "walker.kdl");
    told.clear();
    Minds::restore_changed(&saved, &changed, &leaves(), &mut told).unwrap();
    let stops = ["0 stops after 2: Aborted", "1 stops after 2: Aborted"];
    assert_eq!(told, stops);
}

#[test]
fn a_type_that_cannot_be_saved_is_named_when_the_registry_is_bound() {
    let mut leaves = leaves();
    leaves.action_type::<Rest>("rest");
    let error = Minds::read(TEXT.as_bytes(), "walker.kdl", &leaves, 1).unwrap_err();
    let name = std::any::type_name::<Secret>();
    assert_eq!(
        error.to_string(),
        format!("`rest`: the state `{name}` of its runs is not saved: register it as `saved`")
    );

    // A state whose first value cannot be read back.
    #[derive(Deserialize)]
    struct Odd {}
    #[derive(Default, Serialize, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "it is only written and read")]
    enum OddState {
        #[default]
        Nothing,
        Some(u32),
    }
    impl ActionType<Log> for Odd {
        type State = OddState;
        fn update(
            &self,
            _: &mut OddState,
            _: &mut Log,
            _: &mut Agent,
        ) -> Result<Status, TaskError> {
            Ok(Status::Running)
        }
    }
    let mut leaves = Registry::<Log>::new();
    leaves.saved_action_type::<Odd>("rest");
    let behaviour = Document::parse("leaves { action rest; }\ntree t { action rest; }", "t.kdl");
    let error = leaves
        .bind(&behaviour.behaviour(None).unwrap())
        .err()
        .unwrap();
    let [BindProblem::CannotSave { name, text }] = error.problems() else {
        panic!("{error}");
    };
    assert_eq!(name, "rest");
    assert!(text.contains("OddState` cannot be saved: "), "{text}");
}

#[test]
fn rollback_refuses_states_that_it_cannot_keep() {
    let mut leaves = Registry::<Log>::new();
    leaves.action_type::<Rest>("rest");
    let text = b"leaves { action rest; }\ntree t { action rest; }";
    let minds = Minds::read(text, "t.kdl", &leaves, 1).unwrap();
    let error = MindsRollback::new(&minds, 5).err().unwrap();
    assert!(
        error
            .to_string()
            .contains("Secret` of its runs is not saved"),
        "{error}"
    );
}

#[test]
fn states_of_another_type_are_refused_by_name_and_nothing_changes() {
    #[derive(Deserialize)]
    struct OtherWalk {}
    impl ActionType<Log> for OtherWalk {
        type State = (u64, String);
        fn update(
            &self,
            _: &mut (u64, String),
            _: &mut Log,
            _: &mut Agent,
        ) -> Result<Status, TaskError> {
            Ok(Status::Running)
        }
    }
    let mut minds = walkers(2);
    minds.tick(&mut Log::new(), TENTH);
    let saved = minds.save();
    let mut others = leaves();
    others.saved_action_type::<OtherWalk>("walk");
    let document = Document::parse(TEXT, "walker.kdl");
    let error = Minds::restore(&saved, &document, &others).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a run of `walk` cannot go on: "),
        "{error}"
    );
    let mut other_minds = Minds::read(TEXT.as_bytes(), "walker.kdl", &others, 2).unwrap();
    let before = other_minds.save();
    assert!(other_minds.put_in(&saved).is_err());
    assert_eq!(other_minds.save(), before);
}

#[test]
fn every_byte_cut_or_flipped_is_refused() {
    let mut minds = walkers(2);
    minds.tick(&mut Log::new(), TENTH);
    let saved = minds.save();
    let document = Document::parse(TEXT, "walker.kdl");
    for place in 0..saved.len() {
        let mut flipped = saved.clone();
        flipped[place] ^= 1 << (place % 8);
        for bytes in [&flipped[..], &saved[..place]] {
            assert!(
                Minds::restore(bytes, &document, &leaves()).is_err(),
                "{place}"
            );
        }
    }
    assert!(Minds::restore(&saved, &document, &leaves()).is_ok());
}

#[test]
fn a_population_and_its_bound_leaves_are_saved_separately() {
    let behaviour = Document::parse(TEXT, "walker.kdl").behaviour(None).unwrap();
    let program = Arc::new(Program::new(behaviour.clone()));
    let bound = leaves().bind(&behaviour).unwrap();
    let mut population = Population::new(Arc::clone(&program), 2);
    let mut told = Log::new();
    population.tick(&mut bound.host(&mut told), TENTH);
    let (saved, runs) = (population.save(), bound.save_runs(&population, &[0, 1]));

    let bound = leaves().bind(&behaviour).unwrap();
    let mut population = Population::restore(program, &saved).unwrap();
    assert!(bound.restore_runs(&population, &[0], &runs).is_err());
    bound.restore_runs(&population, &[0, 1], &runs).unwrap();
    told.clear();
    population.tick(&mut bound.host(&mut told), TENTH);
    assert!(told[0].contains("\"step 2\""), "{told:?}");
    assert_eq!(population.take_faults().total(), 0);
}
