//! Populations of different programs in one world.

use super::games::{TICK, events};
use super::{Shelf, Shown};
use std::sync::Arc;
use treemind::blackboard::Text;
use treemind::population::{Population, Program};
use treemind::population::{PopulationId, Society};
use treemind::prelude::*;
use treemind::trace::Trace;
use treemind_recording::{Recorder, Recording};

const WOLVES: &str = r#"
leaves { condition hungry; action hunt; event howl; }
blackboard scope=group { key prey type=string default="none"; }
blackboard scope=world { key hunts type=int default=0; }
tree wolf {
    selector {
        sequence { condition hungry; emit howl to=group; set "hunts = hunts + 1"; action hunt; };
        received howl;
    }
}
"#;
const SHEEP: &str = r#"
leaves { action graze; }
blackboard scope=world { key hunts type=int default=0; }
tree sheep { reactive-selector { sequence { check "hunts > 20"; wait 0.3; }; action graze; } }
"#;

fn population(text: &str, agents: usize) -> (Document, Population) {
    let document = Document::read(text.as_bytes(), "animals.kdl");
    let behaviour = document.behaviour(None);
    let behaviour = behaviour.unwrap_or_else(|error| panic!("{error}"));
    let program = Arc::new(Program::new(behaviour));
    (document, Population::new(program, agents).with_seed(3))
}

#[test]
fn what_is_played_of_a_society_is_what_was_recorded() {
    let (wolf, wolves) = population(WOLVES, 40);
    let (sheep, flock) = population(SHEEP, 70);
    let mut registry = Registry::<usize>::new();
    registry
        .condition("hungry", |tick: &usize, me: &Agent| {
            (tick + me.index()).is_multiple_of(9)
        })
        .action("hunt", |tick: &mut usize, me: &mut Agent| {
            me.set("prey", Text::new(&format!("sheep {}", *tick % 4)));
            match *tick % 3 {
                0 => Status::Success,
                _ => Status::Running,
            }
        })
        .action("graze", |_: &mut usize, _: &mut Agent| Status::Running)
        .on_event("howl", |_: &mut usize, _: &mut Agent| {});
    let leaves = [&wolves, &flock].map(|one| {
        let behaviour = one.program().behaviour();
        registry
            .bind(behaviour)
            .unwrap_or_else(|error| panic!("{error}"))
    });
    let mut society = Society::new();
    let ids = [("wolves", wolves), ("sheep", flock)]
        .map(|(name, population)| society.join(name, population).expect("they agree"));
    for agent in 0..40 {
        society
            .population_mut(ids[0])
            .set_group(agent, agent as u32 % 3);
    }
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &wolf).expect("a recorder");
    recorder.document(&sheep);
    let mut all = Vec::new();
    for mut tick in 0..200_usize {
        if tick.is_multiple_of(17) {
            let old = tick % 70;
            let host = &mut leaves[1].host(&mut tick);
            society.population_mut(ids[1]).remove(old, host);
            society.population_mut(ids[1]).spawn();
        }
        // In every fourth step only the wolves are ticked.
        let ticked = if tick % 4 == 3 { &ids[..1] } else { &ids };
        // The traces are those of a copy, which is ticked without being recorded.
        let mut copy = society.clone();
        let mut step = copy.step(TICK);
        let traces: Vec<(PopulationId, Trace)> = (ticked.iter().zip(&leaves))
            .map(|(id, leaves)| {
                let mut trace = Trace::with_values();
                step.tick_traced(*id, &mut leaves.host(&mut tick), &mut trace);
                (*id, trace)
            })
            .collect();
        step.end();
        recorder.step(&mut society, TICK, |step| {
            for (id, leaves) in ticked.iter().zip(&leaves) {
                step.tick(*id, &mut leaves.host(&mut tick));
            }
        });
        assert!(society.save() == copy.save());
        all.push(traces);
    }
    recorder.finish().expect("it is all written");
    let recording = Recording::read(shelf.bytes()).expect("it is a recording");
    let mut shown = Shown::at(&recording, 0).expect("the first state");
    for wanted in &all {
        assert!(shown.step().unwrap_or_else(|error| panic!("{error}")));
        assert_eq!(shown.played.traces.len(), wanted.len());
        for (id, trace) in wanted {
            let played = shown.played.trace(*id).expect("it was ticked");
            assert_eq!(events(played, 80), events(trace, 80), "{}", shown.tick());
        }
    }
}
