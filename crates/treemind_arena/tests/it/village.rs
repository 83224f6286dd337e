//! The village: a crowd in one population.

use crate::stage::{document, read};
use treemind::Document;
use treemind::core::host::Stub;
use treemind::core::{Kind, NodeId, Status};
use treemind::trace::Trace;
use treemind_arena::{Crowd, Deed, Scenario};

fn village(people: usize, threads: usize) -> Crowd {
    let behaviour = document("12-village/village.kdl")
        .machine("villager")
        .unwrap();
    let scenario = Scenario::parse(&read("12-village/village.map")).unwrap();
    Crowd::new(behaviour, scenario, people, threads, 0).unwrap()
}

/// How many people are in a state of the machine.
fn count_in(crowd: &Crowd, state: &str) -> usize {
    let population = crowd.population();
    let behaviour = population.program().behaviour();
    let found = behaviour.node_ids().find_map(|id| {
        let Kind::Machine(machine) = &behaviour.node(id).kind else {
            return None;
        };
        let nth = machine.states.iter().position(|own| own.name == state)?;
        Some((id, nth))
    });
    let (node, nth) = found.unwrap();
    population.count_in(node, nth)
}

#[test]
fn news_travels_with_people_from_place_to_place() {
    let mut crowd = village(2_000, 1);
    let deed = |crowd: &Crowd, deed: Deed| crowd.deeds()[deed as usize];
    let mut messages = 0;
    let mut play = |crowd: &mut Crowd, to: u64| {
        while crowd.tick() < to {
            crowd.step();
            messages += crowd.messages();
        }
        messages
    };
    play(&mut crowd, 20);
    assert!(deed(&crowd, Deed::Sleep) > 1_000, "{:?}", crowd.deeds());
    play(&mut crowd, 240);
    assert!(deed(&crowd, Deed::Walk) > 1_200, "{:?}", crowd.deeds());
    assert_eq!(play(&mut crowd, 699), 0, "there is no news");
    assert!(deed(&crowd, Deed::Work) > 800, "{:?}", crowd.deeds());
    assert_eq!(count_in(&crowd, "flight") + count_in(&crowd, "shelter"), 0);
    play(&mut crowd, 700);
    assert_eq!(crowd.said(), ["danger at the field"]);
    let fled = count_in(&crowd, "flight");
    assert!(fled > 10, "{fled}");
    assert_eq!(count_in(&crowd, "shelter"), 0);
    assert!(play(&mut crowd, 760) > 0);
    play(&mut crowd, 1_000);
    assert!(crowd.dangers().is_empty());
    assert_eq!(count_in(&crowd, "shelter"), 0, "they have told nobody yet");
    // Long after the danger is over, those who fled tell others where they go.
    play(&mut crowd, 1_580);
    let heard = count_in(&crowd, "shelter");
    assert!(heard > 200, "{heard} have heard of it");
    // People are neither lost nor in walls.
    assert_eq!(crowd.deeds().iter().sum::<usize>(), 2_000);
    let density = crowd.density();
    assert_eq!(density.iter().sum::<u32>(), 2_000);
    let grid = crowd.grid();
    for (nth, people) in (0..).zip(&density) {
        let cell = treemind_arena::Cell {
            x: nth % grid.width(),
            y: nth / grid.width(),
        };
        assert!(*people == 0 || !grid.is_wall(cell), "{people} at {cell:?}");
    }
    assert_eq!(crowd.take_faults().total(), 0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut crowds = [1, 2, 5].map(|threads| village(1_500, threads));
    for tick in 1..=1_000 {
        crowds.iter_mut().for_each(Crowd::step);
        if tick % 50 == 0 {
            let told = crowds.each_ref().map(Crowd::messages);
            let hashes = crowds.each_ref().map(Crowd::state_hash);
            assert_eq!((hashes[0], told[0]), (hashes[1], told[1]), "tick {tick}");
            assert_eq!((hashes[0], told[0]), (hashes[2], told[2]), "tick {tick}");
        }
    }
}

const DANCERS: &str = "leaves { condition hears-music; action dance; action sleep; }
tree villager {
    reactive-selector {
        reactive-sequence { condition hears-music; action dance; }
        action sleep
    }
}
";

/// A crowd plays a document with leaves that nobody has written yet, and they answer as one says.
#[test]
fn leaves_without_code_answer_for_a_crowd() {
    let parsed = Document::parse(DANCERS, "dancers.kdl");
    let scenario = Scenario::parse(&read("12-village/village.map")).unwrap();
    let behaviour = parsed.behaviour(None).unwrap();
    let refused = Crowd::new(behaviour.clone(), scenario.clone(), 300, 1, 0).err();
    assert!(refused.unwrap().to_string().contains("hears-music"));
    let mut crowd = Crowd::with_stubs(behaviour, scenario, 300, 0).unwrap();
    let stubs = crowd.stubs();
    let names: Vec<&str> = stubs.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["dance", "hears-music"]);
    let asleep = |crowd: &Crowd| crowd.deeds()[Deed::Sleep as usize];
    let music = |answers: &[Status], is_random: bool| Stub {
        answers: answers.to_vec(),
        is_random,
    };
    let mut trace = Trace::new();
    // Who sleeps is asked again: agents do not rest over a condition.
    for _ in 0..100 {
        crowd.step();
    }
    assert_eq!(asleep(&crowd), 300);
    let mut dancing = |crowd: &mut Crowd| {
        trace.clear();
        crowd.step_traced(&mut trace);
        let behaviour = crowd.population().program().behaviour();
        let dance = behaviour.leaf_id("dance").unwrap();
        let is_dance = |node: &NodeId| behaviour.node(*node).kind.leaf() == Some(dance);
        let node = behaviour.node_ids().find(is_dance).unwrap();
        let runs = |agent: &usize| crowd.population().running(*agent).contains(&node);
        (0..300).filter(runs).count()
    };
    assert_eq!(dancing(&mut crowd), 0);
    crowd.stub("hears-music", &music(&[Status::Success], false));
    assert_eq!(dancing(&mut crowd), 300);
    // A script has its place for each person, also after a reload; and chance falls differently for each.
    crowd.stub(
        "hears-music",
        &music(&[Status::Failure, Status::Success], false),
    );
    assert_eq!(dancing(&mut crowd), 0);
    let changed = DANCERS.replace("action sleep\n", "wait 9.0\n");
    let changed = Document::parse(&changed, "dancers.kdl");
    crowd
        .reload(changed.behaviour(None).unwrap(), &changed)
        .unwrap();
    assert_eq!(dancing(&mut crowd), 300);
    crowd.stub(
        "hears-music",
        &music(&[Status::Failure, Status::Success], true),
    );
    let some = dancing(&mut crowd);
    assert!((50..250).contains(&some), "{some}");
    assert_eq!(crowd.take_faults().total(), 0);
}

#[test]
fn maps_that_are_not_for_crowds_are_refused() {
    let refused = |map: &str| {
        let behaviour = document("12-village/village.kdl")
            .machine("villager")
            .unwrap();
        let crowd = Crowd::new(behaviour, Scenario::parse(map).unwrap(), 10, 1, 0);
        crowd.err().map(|error| error.to_string())
    };
    assert_eq!(
        refused("[map]\n...\n").as_deref(),
        Some("a crowd needs spots with the name `home`")
    );
    assert_eq!(
        refused("[map]\nh..\n[legend]\nh spot home\n[script]\nat 3 set weather rain\n").as_deref(),
        Some("line 6: the script of a crowd has only noises")
    );
}

#[test]
fn a_saved_village_goes_on_as_if_it_had_never_stopped() {
    for stop in [1, 333, 705] {
        let mut whole = village(300, 2);
        let mut first = village(300, 3);
        (0..stop).for_each(|_| first.step());
        let saved = first.save();
        (0..stop).for_each(|_| whole.step());
        assert_eq!(whole.save(), saved, "the number of threads does not matter");
        // Another number of people and threads, and somewhere else in time.
        let mut second = village(10, 1);
        second.step();
        second.load(&saved).unwrap();
        assert_eq!(second.people(), 300);
        for _ in 0..100 {
            whole.step();
            second.step();
            assert_eq!(second.tick(), whole.tick());
            assert_eq!(
                second.state_hash(),
                whole.state_hash(),
                "tick {}",
                whole.tick()
            );
            assert_eq!(second.messages(), whole.messages());
        }
        assert_eq!(second.save(), whole.save());
    }
}

#[test]
fn a_damaged_village_is_refused_and_nothing_happens() {
    let mut first = village(200, 1);
    (0..50).for_each(|_| first.step());
    let (saved, hash) = (first.save(), first.state_hash());
    for at in (0..saved.len()).step_by(389) {
        let mut damaged = saved.clone();
        damaged[at] ^= 0x40;
        assert!(first.load(&damaged).is_err(), "byte {at}");
        assert!(first.load(&saved[..at]).is_err(), "cut at {at}");
    }
    assert_eq!((first.tick(), first.state_hash()), (50, hash));
    // Sound bytes of something else.
    let mut game = saved;
    game[9] = b'x';
    assert!(first.load(&game).is_err());
}
