//! The hero: steered by keys, heard, seen and hunted.

use crate::Play;
use crate::stage::read;
use treemind_arena::{EventKind, Key, Presses, Rules, Session};

const CASTLE: Play = Play {
    document: "13-hero/castle.kdl",
    map: "13-hero/castle.map",
    what: "",
};

/// Plays with keys; the events as sentences, with their ticks.
fn play(session: &mut Session, presses: &Presses, ticks: u64) -> Vec<String> {
    let mut lines = Vec::new();
    for tick in 1..=ticks {
        presses.at(tick).for_each(|key| session.press(key));
        let events = session.step().to_vec();
        let world = session.world();
        lines.extend(
            events
                .iter()
                .map(|event| format!("{tick}: {}", world.tell(event))),
        );
        lines.extend(world.said().iter().map(|text| format!("{tick}: {text}")));
    }
    lines
}

fn about<'l>(lines: &'l [String], texts: &[&str]) -> Vec<&'l str> {
    let lines = lines.iter().map(String::as_str);
    lines
        .filter(|line| texts.iter().any(|text| line.contains(text)))
        .collect()
}

#[test]
fn a_whistle_lures_a_guard_and_a_sighting_brings_the_others() {
    let presses = Presses::parse(&read("13-hero/won.keys")).unwrap();
    let mut session = CASTLE.session(Rules::default());
    let lines = play(&mut session, &presses, 2_330);
    assert!(session.take_faults().is_empty());
    let told = [
        "whistles",
        "hears",
        "see what that was",
        "sees",
        "alarm",
        "hunts",
        "knocked out",
        "dies",
        "coin",
        "leaves",
    ];
    assert_eq!(
        about(&lines, &told),
        [
            "66: the hero picks up a coin",
            "367: the hero whistles",
            "367: the dog hears the hero",
            "368: the dog goes to see what that was",
            "417: the dog is knocked out",
            "447: the dog dies",
            "702: the hero whistles",
            "702: the guard hears the hero",
            "713: the guard goes to see what that was",
            "783: the guard is knocked out",
            "858: the guard dies",
            "1211: the hero whistles",
            "1211: the captain hears the hero",
            "1222: the captain goes to see what that was",
            "1280: the captain sees the hero",
            "1280: the captain: alarm who=the hero",
            "1282: the archer hunts",
            "1283: the captain hears the hero",
            "1343: the captain dies",
            "1433: the hero picks up a coin",
            "1676: the archer sees the hero",
            "1676: the archer: alarm who=the hero",
            "1739: the archer dies",
            "1784: the hero picks up a coin",
            "1890: the hero picks up a coin",
            "2234: the hero picks up a coin",
            "2323: the hero leaves",
        ]
    );
    // Nothing but the keys decides: the same keys play the same game.
    let mut again = CASTLE.session(Rules::default());
    assert_eq!(play(&mut again, &presses, 2_330), lines);
    assert_eq!(again.world().state_hash(), session.world().state_hash());
}

#[test]
fn without_care_the_hero_dies_and_the_next_round_begins_at_the_gate() {
    let rules = Rules {
        seed: 0,
        rounds: true,
    };
    let mut session = CASTLE.session(rules);
    let hero = session.world().hero().unwrap();
    let start = session.world().body(hero).place();
    let lines = play(&mut session, &Presses::parse("1 right").unwrap(), 700);
    assert_eq!(about(&lines, &["hero dies"]).len(), 1);
    assert_eq!(session.world().body(hero).place(), start);
    assert_eq!(session.world().body(hero).health(), 140);
}

#[test]
fn walls_stop_the_hero_and_sneaking_is_slow_and_silent() {
    let map = "[map]\nH....#.G\n[legend]\nH actor hero steered team=thieves\n\
        G actor guard mind=main team=castle listens\n";
    let walked = |keys: &str| {
        let mut session = CASTLE.session_on(map, Rules::default());
        let lines = play(&mut session, &Presses::parse(keys).unwrap(), 20);
        let place = session
            .world()
            .body(session.world().hero().unwrap())
            .place();
        (place.x_mm, about(&lines, &["hears"]).len())
    };
    assert_eq!(walked("1 right"), (500 + 20 * 170, 1));
    assert_eq!(walked("1 sneak\n1 right"), (500 + 20 * 70, 0));
    assert_eq!(walked("1 right\n11 stand"), (500 + 10 * 170, 1));
    assert_eq!(walked("1 left"), (500, 0));
    let mut session = CASTLE.session_on(map, Rules::default());
    let events = play(&mut session, &Presses::parse("1 right").unwrap(), 200);
    let place = session
        .world()
        .body(session.world().hero().unwrap())
        .place();
    assert_eq!(place.cell().x, 4, "{events:?}");
}

#[test]
fn whoever_knows_nothing_of_the_hero_is_knocked_out_by_its_blow() {
    let map = "[map]\nGH\n[legend]\nH actor hero steered team=thieves\n\
        G actor guard mind=main team=castle near=0.0 looks=west\n";
    let mut session = CASTLE.session_on(map, Rules::default());
    session.press(Key::Strike);
    let mut falls = None;
    for tick in 1..=10 {
        let events = session.step();
        falls = falls.or(events
            .iter()
            .any(|event| event.what == EventKind::Falls)
            .then_some(tick));
    }
    assert_eq!(falls, Some(7));
}

#[test]
fn the_mind_of_who_is_steered_knows_what_was_pressed() {
    let night = Play {
        document: "16-apprentice/by-hand.kdl",
        map: "16-apprentice/yard.map",
        what: "",
    };
    let presses = Presses::parse(&read("16-apprentice/played.keys")).unwrap();
    let mut session = night.session(Rules::default());
    let lines = play(&mut session, &presses, 2_400);
    assert!(session.take_faults().is_empty());
    assert_eq!(
        about(&lines, &["dies"]),
        [
            "512: the raider dies",
            "673: the thief dies",
            "1425: the bandit dies",
            "1677: the robber dies",
            "2034: the outlaw dies",
        ]
    );
    let place = |session: &Session| {
        let hero = session.world().hero().unwrap();
        session.world().body(hero).place()
    };
    // Its keys do not move it by themselves.
    let mut still = night.session(Rules::default());
    let start = place(&still);
    let lines = play(&mut still, &Presses::parse("1 down").unwrap(), 40);
    assert_eq!(place(&still), start, "{lines:?}");
}
