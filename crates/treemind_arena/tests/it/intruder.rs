//! The intruder: a lock, a noise behind a door, and a person who is tied up in the end.

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
            "102: the intruder picks the lock",
            "161: the intruder opens a door",
            "161: the intruder walks in",
            "220: the intruder walks around",
            "337: the intruder hears the owner",
            "337: the intruder creeps towards what it hears",
            "337: the intruder breaks off its walk",
            "362: the intruder opens a door",
            "377: the intruder sees the owner",
            "377: the intruder strikes",
            "377: the intruder breaks off its creeping",
            "382: the owner takes 11 damage, 29 left",
            "401: the intruder strikes",
            "404: the owner takes 11 damage, 18 left",
            "423: the intruder strikes",
            "426: the owner takes 10 damage, 8 left",
            "445: the intruder strikes",
            "448: the owner takes 13 damage, 1 left",
            "448: the owner is knocked out",
            "467: the intruder starts to tie somebody up",
            "506: the intruder ties the owner up",
            "507: the intruder walks around",
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
    let begin = story.about(&["goes to the door", "picks the lock", "walks in", "opens"]);
    assert_eq!(
        begin,
        ["1: the intruder walks in", "111: the intruder opens a door"]
    );
}
