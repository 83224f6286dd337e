//! Clones, and looking at all bodies with a mind.

use treemind::Document;
use treemind_arena::{Rules, Session, World};

fn squad() -> Session {
    let text = include_str!("../../../../examples/06-squad/squad.kdl");
    let map = include_str!("../../../../examples/06-squad/ridge.map");
    let document = Document::parse(text, "squad.kdl");
    let world = World::load(map, Rules::default()).unwrap();
    let main = document.behaviour(None).unwrap();
    Session::new(main, Some(&document), world).unwrap()
}

#[test]
fn a_clone_goes_on_as_the_original_does() {
    let mut session = squad();
    (0..300).for_each(|_| {
        session.step();
    });
    let mut clone = session.clone();
    for tick in 0..600 {
        session.step();
        clone.step();
        let hashes = [&session, &clone].map(|session| session.world().state_hash());
        assert_eq!(hashes[0], hashes[1], "{tick}");
    }
}

#[test]
fn everybody_is_traced_by_the_behaviour_that_it_follows() {
    let mut session = squad();
    let minded = session.minded();
    let names = minded.iter().map(|(who, nth)| {
        let behaviour = session.population_at(*nth).program().behaviour();
        (session.world().body(*who).name(), behaviour.name())
    });
    let names: Vec<_> = names.collect();
    let expected = ["scout", "gunner", "medic"].map(|name| (name, name));
    assert_eq!(names[0], ("leader", "squad"));
    assert_eq!(names[1..], expected);
    let mut traces = Vec::new();
    session.step_all_traced(&mut traces, None);
    assert_eq!(traces.len(), session.behaviours());
    for (who, nth) in minded {
        let behaviour = session.population_at(nth).program().behaviour();
        let agent = session.agent_of(who).unwrap();
        assert!(traces[nth].root(behaviour, agent).is_some());
    }
    // A body on its way lists the squares ahead, the next one first, each beside the one before.
    (0..40).for_each(|_| {
        session.step();
    });
    let world = session.world();
    let body = world.body(world.find("scout").unwrap());
    let way: Vec<_> = body.way().collect();
    assert!(way.len() > 3, "{way:?}");
    let near = |pair: &[treemind_arena::Cell]| {
        (pair[0].x - pair[1].x).abs() <= 1 && (pair[0].y - pair[1].y).abs() <= 1
    };
    assert!(way.windows(2).all(near), "{way:?}");
}
