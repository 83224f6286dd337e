//! The example characters in the arena: what happens, and at which tick.

mod guard;
mod steady;

use treemind::{Behaviour, Document};
use treemind_arena::{Arena, Event, Happening, Rules, Session, YARD};

/// The behaviour of an example.
pub(crate) fn behaviour(file: &str) -> Behaviour {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let document = Document::read(&std::fs::read(&path).unwrap(), file);
    assert_eq!(document.diagnostics(), [], "{file}");
    document.behaviour(None).unwrap()
}

pub(crate) fn session(file: &str, rules: Rules) -> Session {
    Session::new(behaviour(file), Arena::load(YARD, rules).unwrap()).unwrap()
}

/// Everything that happens until the fight is over, and one tick more.
pub(crate) fn story(file: &str) -> Vec<Event> {
    let mut session = session(file, Rules::default());
    let mut events = Vec::new();
    while !session.arena().is_over() && session.arena().tick() < 2_000 {
        events.extend_from_slice(session.step());
    }
    events.extend_from_slice(session.step());
    assert_eq!(session.take_faults().total(), 0);
    events
}

/// The ticks at which something happened.
pub(crate) fn ticks(events: &[Event], what: Happening) -> Vec<u64> {
    let same = events.iter().filter(|event| event.what == what);
    same.map(|event| event.tick).collect()
}
