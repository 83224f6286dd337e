//! Saved populations and a game's own types.

use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use treemind::population::{Population, Program};
use treemind::prelude::*;

const TEXT: &[u8] =
    b"leaves { action dig { param depth type=int; }; action rest { param ticks type=int; } }
tree digger { parallel success=1 failure=2 { action dig depth=3; action rest ticks=9; }; }";

/// Digs for so many ticks, which its state counts.
#[derive(Deserialize)]
struct Dig {
    depth: u32,
}

impl ActionType<()> for Dig {
    type State = u32;

    fn update(&self, dug: &mut u32, (): &mut (), _: &mut Agent) -> Result<Status, TaskError> {
        *dug += 1;
        Ok(match *dug < self.depth {
            true => Status::Running,
            false => Status::Success,
        })
    }
}

/// Never ends.
#[derive(Deserialize)]
struct Rest {
    #[allow(dead_code, reason = "the parameters are read")]
    ticks: u32,
}

impl ActionType<()> for Rest {
    type State = ();

    fn update(&self, (): &mut (), (): &mut (), _: &mut Agent) -> Result<Status, TaskError> {
        Ok(Status::Running)
    }
}

#[test]
fn runs_without_a_state_go_on_and_others_say_what_they_lack() {
    let behaviour = Document::read(TEXT, "digger.kdl").behaviour(None).unwrap();
    let mut registry = Registry::<()>::new();
    registry.action_type::<Dig>("dig");
    registry.action_type::<Rest>("rest");
    let program = Arc::new(Program::new(behaviour.clone()));
    let mut population = Population::new(Arc::clone(&program), 1);
    let bound = registry.bind(&behaviour).unwrap();
    population.tick(&mut bound.host(&mut ()), Duration::ZERO);
    let saved = population.save();

    // As in another process: the registry is bound anew.
    let bound = registry.bind(&behaviour).unwrap();
    let mut population = Population::restore(program, &saved).unwrap();
    let tally = population.tick(&mut bound.host(&mut ()), Duration::ZERO);
    assert_eq!(tally.running, 1);
    let faults = population.take_faults();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "tick 2, agent 0, node 1 `dig`: this run was started by another host, so its state is not available"
        ]
    );
}

const HEAD: &str = "leaves { action dig; action rest; }
blackboard { key depth type=int default=2; }\n";

/// Versions of one document.
const VERSIONS: [&str; 5] = [
    "tree miner { sequence { wait 0.3; set \"depth += 1\"; action dig; }; }",
    "tree miner { sequence { wait 0.5; set \"depth += 2\"; action rest; }; }",
    "tree miner { selector { sequence { wait 0.3; action dig; }; action rest; }; }",
    "tree miner { cooldown 0.4 { action dig; }; }",
    "tree miner { sequence { wait 0.3; action dig; }; }\narchetype deep tree=miner { given depth=9; }",
];

fn told() -> Registry<Vec<String>> {
    let mut leaves = Registry::<Vec<String>>::new();
    for name in ["dig", "rest"] {
        let action = update(move |told: &mut Vec<String>, _: &mut Agent| {
            told.push(format!("{name} goes on"));
            Status::Running
        });
        let action = action.stop(move |told: &mut Vec<String>, _: &mut Agent, _| {
            told.push(format!("{name} ends"));
        });
        leaves.action_with(name, action);
    }
    leaves
}

#[test]
fn what_was_saved_goes_on_with_a_changed_document_like_what_runs() {
    let leaves = told();
    let tenth = Duration::from_millis(100);
    let document = |text: &str| Document::parse(&format!("{HEAD}{text}"), "miner.kdl");
    for (first, second) in (0..25).map(|pair| (VERSIONS[pair / 5], VERSIONS[pair % 5])) {
        for ticks in 0..6 {
            let (old, new) = (format!("{HEAD}{first}"), document(second));
            let mut live = Minds::read(old.as_bytes(), "miner.kdl", &leaves, 3);
            let live = live.as_mut().unwrap();
            let mut told = Vec::new();
            for _ in 0..ticks {
                live.tick(&mut told, tenth);
            }
            let saved = live.save();
            let mut told_again = told.clone();
            let migration = live.reload(&new, &leaves, &mut told).unwrap();
            let restored = Minds::restore_changed(&saved, &new, &leaves, &mut told_again);
            let (mut restored, again) = restored.unwrap();
            assert_eq!(again, migration, "{first} to {second} after {ticks}");
            for _ in 0..6 {
                assert_eq!(live.save(), restored.save(), "{first} to {second}");
                live.tick(&mut told, tenth);
                restored.tick(&mut told_again, tenth);
            }
            assert_eq!(told, told_again, "{first} to {second} after {ticks}");
        }
    }
}

#[test]
fn a_changed_document_needs_permission_and_its_old_text() {
    let leaves = told();
    let [old, new] = [VERSIONS[0], VERSIONS[1]].map(|text| format!("{HEAD}{text}"));
    let new = Document::parse(&new, "miner.kdl");
    let mind = Mind::read(old.as_bytes(), "miner.kdl", &leaves).unwrap();
    let saved = mind.save();
    let refused = Mind::restore(&saved, &new, &leaves).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the snapshot was made with another version of `miner`: the document has changed since"
    );
    assert!(Mind::restore_changed(&saved, &new, &leaves, &mut Vec::new()).is_ok());

    // Agents of a behaviour have no document.
    let behaviour = Document::parse(&old, "miner.kdl").behaviour(None).unwrap();
    let bare = Mind::new(behaviour.clone(), &leaves).unwrap().save();
    assert!(Mind::restore_changed(&bare, &new, &leaves, &mut Vec::new()).is_err());
    // A population takes either.
    let program = Arc::new(Program::new(behaviour));
    for saved in [&saved, &bare] {
        assert_eq!(
            Population::restore(Arc::clone(&program), saved)
                .unwrap()
                .len(),
            1
        );
    }
    let two = Minds::read(old.as_bytes(), "miner.kdl", &leaves, 2)
        .unwrap()
        .save();
    let refused = Mind::restore(&two, &new, &leaves).unwrap_err();
    assert!(refused.to_string().contains("another version"), "{refused}");
    let old = Document::parse(&old, "miner.kdl");
    let refused = Mind::restore(&two, &old, &leaves).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "2 agents were saved, and a mind is one"
    );
}

#[test]
fn texts_that_are_cut_or_flipped_are_refused() {
    let leaves = told();
    let text = format!("{HEAD}{}", VERSIONS[0]);
    let document = Document::parse(&text, "miner.kdl");
    let new = Document::parse(&format!("{HEAD}{}", VERSIONS[1]), "miner.kdl");
    let saved = Mind::read(text.as_bytes(), "miner.kdl", &leaves);
    let saved = saved.unwrap().save();
    for place in 0..saved.len() {
        let mut flipped = saved.clone();
        flipped[place] ^= 1 << (place % 8);
        for bytes in [&flipped[..], &saved[..place]] {
            assert!(Mind::restore(bytes, &document, &leaves).is_err(), "{place}");
            let changed = Mind::restore_changed(bytes, &new, &leaves, &mut Vec::new());
            assert!(changed.is_err(), "{place}");
        }
    }
}
