//! The squad: a tree for the group, a tree for each member.

use crate::Play;

const SQUAD: Play = Play {
    document: "06-squad/squad.kdl",
    map: "06-squad/ridge.map",
    what: "",
};

#[test]
fn who_cannot_act_makes_the_group_choose_again_and_the_player_ends_a_rest() {
    let story = SQUAD.story(1_400);
    assert_eq!(
        story.about(&["leader", "arrives", "knocked out", "player_acts"]),
        [
            "1: player_acts: no",
            "1: the leader gives the scout an order",
            "1: the leader gives the gunner an order",
            "1: the leader gives the medic an order",
            "136: the scout arrives",
            "176: the medic arrives",
            "183: the gunner arrives",
            "260: player_acts: yes, for one tick",
            "261: the leader gives the scout an order",
            "261: the leader gives the gunner an order",
            "261: the leader gives the medic an order",
            "349: the scout arrives",
            "439: the medic arrives",
            "440: the gunner arrives",
            "502: the leader gives the scout an order",
            "502: the leader gives the gunner an order",
            "502: the leader gives the medic an order",
            "520: the medic is knocked out",
            "520: the leader gives the scout an order",
            "520: the leader gives the gunner an order",
            "520: the leader gives the medic an order",
            "549: the scout arrives",
            "581: the gunner arrives",
            "982: the leader gives the scout an order",
            "982: the leader gives the gunner an order",
            "982: the leader gives the medic an order",
            "999: the medic arrives",
            "1041: the scout arrives",
            "1061: the gunner arrives",
            "1123: the leader gives the scout an order",
            "1123: the leader gives the gunner an order",
            "1123: the leader gives the medic an order",
            "1215: the scout arrives",
            "1301: the medic arrives",
            "1302: the gunner arrives",
        ]
    );
}

#[test]
fn without_the_player_the_rest_lasts_twenty_seconds() {
    let map = crate::stage::read(SQUAD.map)
        .replace("at 260 pulse player_acts\n", "at 1300 pulse player_acts\n");
    let story = SQUAD.story_on(&map, 700);
    // The last one arrives in tick 183, and its tree says so in the next.
    let orders = story.about(&["leader gives the scout"]);
    assert_eq!(
        orders,
        [
            "1: the leader gives the scout an order",
            "584: the leader gives the scout an order"
        ]
    );
}
