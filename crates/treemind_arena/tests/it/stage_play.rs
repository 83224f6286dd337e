//! The stage: five actors, two path finders, one animation engine.

use crate::Play;
use crate::stage::read;
use treemind::Document;
use treemind_arena::{EventKind, Rules, Session, World};

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

/// Players of another tree share the stage with the others, because the semaphores have the same names.
#[test]
fn actors_with_different_trees_take_turns() {
    let text = read("07-stage/stage.kdl");
    let tree = text.find("tree player").expect("it has a tree");
    // Without the tests behind it.
    let tree = text[tree..]
        .split("\ntest ")
        .next()
        .expect("there is a first part");
    let singers = tree.replace("tree player", "tree singer");
    let text = format!("{text}\n{singers}");
    let map = read("07-stage/stage.map")
        .replace("#....P.......P.....#", "#....S.......S.....#")
        .replace(
            "[script]",
            "S actor singer mind=tree:singer walk=2.0 route=marks\n\n[script]",
        )
        // The world has enough for all; only the semaphores say that there is one.
        .replace("finders 2\nengines 1", "finders 5\nengines 5");
    let document = Document::read(text.as_bytes(), "stage.kdl");
    let world = World::load(&map, Rules::default()).expect("the map has no errors");
    let behaviour = document.behaviour(None).expect("it has no errors");
    let mut session = Session::new(behaviour, Some(&document), world).expect("it can be played");
    assert_eq!(session.behaviours(), 2);
    let singers = ["singer 1", "singer 2"].map(|name| session.world().find(name));
    let mut scenes = [0; 2];
    for _ in 0..2_000 {
        let played = session.step().iter();
        for event in played.filter(|event| event.what == EventKind::Finishes("a scene")) {
            scenes[usize::from(singers.contains(&event.who))] += 1;
        }
    }
    let world = session.world();
    assert_eq!(
        (world.finders().most_taken(), world.engines().most_taken()),
        (2, 1)
    );
    assert!(scenes[0] > 10 && scenes[1] > 10, "{scenes:?}");
}

/// What one of a team calls out reaches the machines of its team, whatever tree they are in, and of no other.
#[test]
fn a_team_hears_what_one_of_it_emits() {
    let text = br#"main tree=lookout
leaves { event warning { param number type=int; }; }
blackboard scope=group { key warnings type=int merge=add; }
tree lookout { sequence { wait 1.0; emit warning number=3 to=group; run; }; }
tree gunner { machine ear; }
machine ear { initial calm; state calm { transition to=alert on=warning { set "warnings += event.number"; }; }; state alert; }"#;
    let map = read("07-stage/stage.map")
        .replace("#.1......P.......2.#", "#.1......L.......2.#")
        .replace("#....P.......P.....#", "#....G.......H.....#")
        .replace("#.....P.....P......#", "#.....G............#")
        .replace(
            "P actor player mind=main walk=2.0 route=marks",
            "L actor lookout mind=main team=blue\nG actor gunner mind=tree:gunner team=blue\n\
             H actor hunter mind=tree:gunner team=red",
        );
    let map = map
        .split("[script]")
        .next()
        .expect("it has a script")
        .to_owned();
    let document = Document::read(text, "squad.kdl");
    let world = World::load(&map, Rules::default()).expect("the map has no errors");
    let behaviour = document.behaviour(None).expect("it has no errors");
    let mut session = Session::new(behaviour, Some(&document), world).expect("it can be played");
    let mut states = Vec::new();
    for _ in 0..23 {
        session.step();
        let heard = ["gunner 1", "gunner 2", "hunter"].map(|name| {
            let who = session.world().find(name).expect("it is on the map");
            assert!(session.look_at(who));
            let key = session
                .behaviour()
                .key_id("warnings")
                .expect("there is this key");
            session.behaviour().display_held(session.held(key))
        });
        states.push(heard.join(" "));
    }
    states.dedup();
    assert_eq!(states, ["0 0 0", "6 6 0"]);
}
