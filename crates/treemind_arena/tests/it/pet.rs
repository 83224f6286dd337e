//! The pet: coins, an owner, and the same tree as a table.

use crate::Play;
use crate::stage::read;
use treemind::Document;
use treemind_arena::{Kind, Rules, Session, World};

const PET: Play = Play {
    document: "02-pet/pet.kdl",
    map: "02-pet/garden.map",
    what: "",
};

#[test]
fn it_picks_up_coins_and_goes_back_to_its_owner_when_both_are_long_ago() {
    let story = PET.story(1_800);
    assert_eq!(
        story.about(&["pet"]),
        [
            "1: the pet strolls",
            "52: the pet goes for a coin",
            "52: the pet breaks off its stroll",
            "103: the pet picks up a coin",
            "104: the pet strolls",
            "280: the pet goes for a coin",
            "280: the pet breaks off its stroll",
            "335: the pet picks up a coin",
            "336: the pet goes for a coin",
            "379: the pet picks up a coin",
            "380: the pet strolls",
            "680: the pet runs to its owner",
            "680: the pet breaks off its stroll",
            "770: the pet arrives",
            "771: the pet strolls",
            "1273: the pet runs to its owner",
            "1273: the pet breaks off its stroll",
            "1389: the pet arrives",
            "1390: the pet strolls",
        ]
    );
    let things = story.world().things();
    assert!(things.iter().all(|thing| thing.kind != Kind::Coin));
}

#[test]
fn as_a_table_it_does_the_same_in_every_tick() {
    let file = |name: &str| Ok::<_, String>(read(&format!("02-pet/{name}")).into_bytes());
    let table = file("pet.csv").unwrap();
    let table = Document::read_table(&table, "pet.csv", Some("pet.kdl"), file);
    assert_eq!(table.diagnostics(), []);
    let rules = Rules {
        seed: 2,
        rounds: true,
    };
    let world = World::load(&read(PET.map), rules).unwrap();
    let mut rows = Session::new(table.behaviour(None).unwrap(), None, world).unwrap();
    let mut tree = PET.session(rules);
    for tick in 1..=5_000 {
        assert_eq!(tree.step(), rows.step(), "tick {tick}");
        let [one, other] = [&tree, &rows].map(|session| session.world().state_hash());
        assert_eq!(one, other, "tick {tick}");
    }
}
