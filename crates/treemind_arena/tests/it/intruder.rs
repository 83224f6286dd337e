//! The intruder: a lock, a noise behind a door, and somebody who is tied up in the end.

use crate::Play;
use treemind_arena::{DoorState, Vital};

const INTRUDER: Play = Play {
    document: "05-intruder/intruder.kdl",
    map: "05-intruder/house.map",
    what: "",
};

#[test]
fn it_opens_the_door_creeps_up_knocks_out_and_ties_up() {
    let story = INTRUDER.story(700);
    assert_eq!(
        story.about(&["intruder", "owner"]),
        [
            "1: the intruder goes to the door",
            "102: the intruder works at the lock",
            "161: the intruder opens a door",
            "161: the intruder walks in",
            "220: the intruder walks about",
            "337: the intruder hears the owner",
            "337: the intruder creeps after what it hears",
            "337: the intruder breaks its walk off",
            "362: the intruder opens a door",
            "377: the intruder sees the owner",
            "377: the intruder strikes out",
            "377: the intruder breaks its creeping off",
            "382: the owner is hit: -11, 29 left",
            "401: the intruder strikes out",
            "404: the owner is hit: -11, 18 left",
            "423: the intruder strikes out",
            "426: the owner is hit: -10, 8 left",
            "445: the intruder strikes out",
            "448: the owner is hit: -13, 1 left",
            "448: the owner is knocked out",
            "467: the intruder ties somebody up",
            "506: the intruder has tied the owner up",
            "507: the intruder walks about",
        ]
    );
    let world = story.world();
    assert_eq!(world.bodies()[1].vital(), Vital::Tied);
    assert!(
        world
            .things()
            .iter()
            .all(|door| door.door == DoorState::Open)
    );
}

#[test]
fn an_open_house_is_walked_into() {
    let map = crate::stage::read(INTRUDER.map).replace("D door front lock=3.0", "D door front");
    let story = INTRUDER.story_on(&map, 200);
    let begin = story.about(&["goes to the door", "works at the lock", "walks in", "opens"]);
    assert_eq!(
        begin,
        ["1: the intruder walks in", "111: the intruder opens a door"]
    );
}
