//! Hunters: the greatest threat first, and three archetypes that share the way of finding it.

use crate::Play;
use treemind::blackboard::Value;
use treemind_arena::{EventKind, Rules};

const HUNTER: Play = Play {
    document: "08-hunter/hunter.kdl",
    map: "08-hunter/forest.map",
    what: "",
};

#[test]
fn each_hunts_in_its_way() {
    let story = HUNTER.story(900);
    assert_eq!(
        story.about(&["sees", "loses track", "dies", "hidden", "beware", "hunts"]),
        [
            "222: the archer sees the wolf",
            "222: the wolf sees the archer",
            "228: the lookout sees the wolf",
            "228: the lookout: beware of the wolf",
            "230: the swordsman hunts",
            "245: the swordsman sees the wolf",
            "262: the wolf dies",
            "282: the archer hunts",
            "285: the bear sees the swordsman",
            "288: the lookout is hidden",
            "329: the lookout loses track of the wolf",
            "368: the bear dies",
            "465: the archer is hidden",
            "469: the archer loses track of the bear",
            "469: the swordsman loses track of the bear",
            "572: the boar sees the swordsman",
            "613: the archer sees the boar",
            "620: the swordsman sees the boar",
            "668: the boar dies",
            "690: the archer is hidden",
            "714: the archer loses track of the boar",
            "769: the swordsman loses track of the boar",
        ]
    );
    let count = |who, what| story.ticks(who, what).len();
    assert_eq!(count("archer", EventKind::Begins("shoot")), 8);
    assert_eq!(count("swordsman", EventKind::Begins("cut")), 8);
    assert_eq!(count("lookout", EventKind::Begins("run-away")), 1);
    // An archetype fights with the weapon that it declares.
    let weapons = ["archer", "swordsman", "lookout"].map(|name| {
        let who = story.world().find(name).unwrap();
        story.world().body(who).traits().weapon.name
    });
    assert_eq!(weapons, ["bow", "sword", "fist"]);
}

#[test]
fn the_greatest_threat_is_the_strongest_for_how_near_it_is() {
    // A bear at six metres beats a wolf at three; at twelve it is the wolf's turn, while the bear is out of sight.
    for (map, threat) in [
        ("A..w..b.....", 3),
        ("A..w........b", 2),
        ("A..b..w.....", 3),
    ] {
        let map = format!(
            "[map]\n{map}\n[legend]\nA actor archer mind=main team=hunters weapon=bow\n\
             w actor wolf team=beasts health=30 weapon=fist\nb actor bear team=beasts health=110 weapon=axe\n"
        );
        let mut session = HUNTER.session_on(&map, Rules::default());
        session.step();
        let key = session.behaviour().key_id("threat").unwrap();
        let found = session.population().find(0, key);
        assert_eq!(found, Some(Value::Entity(threat)), "{map}");
    }
}

#[test]
fn without_arrows_the_archer_flees() {
    let map = crate::stage::read(HUNTER.map).replace("ammo=8", "ammo=1");
    let story = HUNTER.story_on(&map, 300);
    let told = story.about(&[
        "archer goes",
        "archer shoots",
        "archer flees",
        "archer breaks",
    ]);
    assert_eq!(
        told,
        [
            "222: the archer goes after a threat",
            "222: the archer shoots",
            "223: the archer flees to its hut",
            "223: the archer breaks off its shot",
        ]
    );
}
