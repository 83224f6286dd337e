//! The stage: five actors, two path finders, one animation engine.

use crate::Play;
use treemind_arena::{EventKind, Rules};

const STAGE: Play = Play {
    document: "07-stage/stage.kdl",
    map: "07-stage/stage.map",
    what: "",
};

#[test]
fn nobody_waits_for_ever_and_nothing_stays_taken() {
    let story = STAGE.story(2_000);
    let world = story.world();
    assert_eq!(
        (world.finders().most_taken(), world.engines().most_taken()),
        (2, 1)
    );
    for (nth, scenes) in [6, 6, 5, 6, 6].into_iter().enumerate() {
        let name = format!("player {}", nth + 1);
        let played = story.ticks(&name, EventKind::Finishes("a scene"));
        assert_eq!(played.len(), scenes, "{name}");
        // At most half a minute between two scenes, including ten seconds on the floor.
        let waits = played.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(waits.max() < Some(640), "{name}: {played:?}");
    }
}

#[test]
fn whoever_trips_gives_back_what_it_has_taken_in_the_same_tick() {
    let mut session = STAGE.session(Rules::default());
    for _ in 0..24 {
        session.step();
    }
    let holders = |session: &treemind_arena::Session| session.world().finders().holders().to_vec();
    let first = session.world().find("player 1").unwrap();
    assert!(holders(&session).contains(&first));
    // It falls in tick 25.
    session.step();
    assert!(!holders(&session).contains(&first));
}
