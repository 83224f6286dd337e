//! The world alone: doors, noises, lines, limits.

use crate::stage::read;
use treemind::Document;
use treemind::blackboard::Held;
use treemind::core::chance::Draw;
use treemind_arena::{BodyId, DoorState, EventKind, Rules, Session, Vital, World};

/// A session of a document on a map, both given as text.
fn session(document: &str, map: &str) -> Session {
    let document = Document::parse(document, "t.kdl");
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    let main = match document.main_machine() {
        Some(machine) => document.machine(machine),
        None => document.behaviour(None),
    };
    let world = World::load(map, Rules::default()).unwrap();
    Session::new(main.unwrap(), Some(&document), world).unwrap()
}

/// The lines of `ticks` ticks.
fn lines(session: &mut Session, ticks: u64) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..ticks {
        session.step();
        let world = session.world();
        let events = world.events().iter();
        lines.extend(events.map(|event| format!("{}: {}", event.tick, world.tell(event))));
    }
    lines
}

const GO: &str =
    "leaves { action go-to { param place type=string; param runs type=bool default=#false; }; }
    tree t { run-once { action go-to place=there; }; }";

#[test]
fn a_shut_door_opens_to_whoever_walks_and_a_locked_one_does_not() {
    let map = "[map]\n#######\n#A.D.x#\n#######\n[legend]\nA actor ann mind=main walk=2.0\nD door gate\nx spot there\n";
    let mut open = session(GO, map);
    let told = lines(&mut open, 60);
    assert_eq!(told, ["1: the ann sets out", "16: the ann opens a door"]);
    assert_eq!(open.world().things()[0].door, DoorState::Open);
    assert_eq!(open.world().bodies()[0].place().cell().x, 5);

    let mut locked = session(GO, &map.replace("gate", "gate lock=1.0"));
    assert_eq!(lines(&mut locked, 60), ["1: the ann sets out"]);
    assert_eq!(locked.world().bodies()[0].place().cell().x, 1);
}

#[test]
fn noises_reach_half_as_far_through_walls_and_machines_hear_how_loud_they_are() {
    let machine = "main machine=m
        blackboard { key volume type=float; }
        leaves { event noise { param volume type=float; }; }
        machine m { initial calm; state calm { transition to=up on=noise { set \"volume = event.volume\"; }; }; state up { }; }";
    let map = "[map]\n########\n#A...n.#\n########\n[legend]\nA actor ann mind=main\nn spot n\n[script]\nat 5 noise 6 at n\n";
    let walled = map.replace("A...n", "A.#.n");
    for (map, volume) in [
        (map.to_owned(), 6.0),
        (walled.clone(), 0.0),
        (walled.replace("noise 6", "noise 8"), 8.0),
        (map.replace("noise 6", "noise 3"), 0.0),
    ] {
        let mut session = session(machine, &map);
        lines(&mut session, 10);
        let key = session.behaviour().key_id("volume").unwrap();
        let Held::One(value) = session.held(key) else {
            panic!("a value");
        };
        assert_eq!(value, treemind::blackboard::Value::Float(volume), "{map}");
    }
}

#[test]
fn whoever_finds_no_path_finder_fails_with_a_fault_and_takes_none() {
    let map = "[map]\n......\nA..A.x\n[legend]\nA actor ann mind=main\nx spot there\n[rules]\nfinders 1\n";
    let mut session = session(GO, map);
    session.step();
    assert_eq!(session.world().finders().holders(), [BodyId(0)]);
    let taken = session.take_faults();
    let [one] = &taken[..] else {
        panic!("one behaviour with faults: {taken:?}");
    };
    assert_eq!(one.faults.total(), 1);
    let fault = &one.faults.kept()[0];
    assert!(
        fault.to_string().contains("no path finder is free"),
        "{fault}"
    );
    assert!(!one.agents[fault.agent].is_empty());
    lines(&mut session, 100);
    assert_eq!(session.world().finders().most_taken(), 1);
}

#[test]
fn the_dead_decide_nothing_and_give_everything_back() {
    let map = "[map]\nA....x\n[legend]\nA actor ann mind=main\nx spot there\n[script]\nat 4 ann loses 100\n[rules]\nfinders 1\n";
    let mut session = session(GO, map);
    let told = lines(&mut session, 200);
    assert_eq!(
        told[1..],
        ["4: the ann takes 100 damage, 0 left", "4: the ann dies"]
    );
    assert_eq!(session.world().finders().holders(), []);
    assert!(!session.population().is_alive(0) && session.world().is_over());
    assert_eq!(session.world().bodies()[0].vital(), Vital::Dead);
}

#[test]
fn a_new_round_brings_everything_back() {
    let map = "[map]\nA....x\n[legend]\nA actor ann mind=main\nx spot there\n[script]\nat 4 ann loses 100\n";
    let world = World::load(
        map,
        Rules {
            seed: 0,
            rounds: true,
        },
    )
    .unwrap();
    let document = Document::parse(GO, "t.kdl");
    let mut session = Session::new(document.behaviour(None).unwrap(), None, world).unwrap();
    let mut died = Vec::new();
    for _ in 0..400 {
        let events = session.step().iter();
        died.extend(
            events
                .filter(|event| event.what == EventKind::Dies)
                .map(|event| event.tick),
        );
    }
    // Dead in tick 4, up again a hundred ticks later, and so on.
    assert_eq!(died, [4, 108, 212, 316]);
}

#[test]
fn every_leaf_of_the_arena_stands_on_its_page() {
    let page = read("../docs/arena.md");
    let manifest = treemind_arena::registry().manifest();
    assert!(manifest.leaves.len() > 60);
    for leaf in &manifest.leaves {
        // Sensors are listed as the keys that they compute.
        let names = [leaf.name.clone(), leaf.name.replace('-', "_")];
        let is_there = |name: &String| {
            page.contains(&format!("`{name}`")) || page.contains(&format!("`{name} "))
        };
        assert!(names.iter().any(is_there), "`{}` is missing", leaf.name);
        assert!(leaf.doc.is_some(), "`{}` says nothing of itself", leaf.name);
    }
}

#[test]
fn maps_with_anything_in_them_are_refused_or_can_be_played() {
    const MAPS: [(&str, &str); 4] = [
        ("01-guard/guard.kdl", "01-guard/yard.map"),
        ("05-intruder/intruder.kdl", "05-intruder/house.map"),
        ("07-stage/stage.kdl", "07-stage/stage.map"),
        ("11-child/child.kdl", "11-child/home.map"),
    ];
    let mut counts = [0; 2];
    for (document, map) in MAPS {
        let document = crate::stage::document(document);
        let text = read(map);
        for seed in 0..150 {
            let draw = |nth: u32, bound: usize| {
                let draw = Draw {
                    seed,
                    agent: 0,
                    node: 0,
                    tick: 0,
                    nth,
                };
                draw.below(bound as u32) as usize
            };
            let mut bytes = text.clone().into_bytes();
            for nth in 0..1 + draw(0, 6) as u32 {
                let place = draw(4 * nth + 1, bytes.len());
                let other = bytes[draw(4 * nth + 2, bytes.len())];
                match draw(4 * nth + 3, 3) {
                    0 => bytes[place] = other,
                    1 => bytes.insert(place, other),
                    _ => drop(bytes.remove(place)),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let rules = Rules { seed, rounds: true };
            let Ok(world) = World::load(&text, rules) else {
                counts[0] += 1;
                continue;
            };
            let main = document.behaviour(None).unwrap();
            if let Ok(mut session) = Session::new(main, Some(&document), world) {
                counts[1] += 1;
                lines(&mut session, 300);
                session.dismiss();
                assert_eq!(session.world().finders().holders(), []);
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}
