//! The squad: a tree for the group, a tree for each member.

use crate::Play;

const SQUAD: Play = Play {
    document: "06-squad/squad.kdl",
    map: "06-squad/ridge.map",
    what: "",
};

#[test]
fn who_cannot_act_makes_the_group_choose_again_and_the_player_ends_a_rest() {
    let story = SQUAD.story(1_600);
    assert_eq!(
        story.about(&[
            "leader",
            "arrives",
            "knocked out",
            "player_acts",
            "contact",
            "hunts",
            "fires",
            "dies"
        ]),
        [
            "1: player_acts: no",
            "1: the leader gives the scout an order",
            "1: the leader gives the gunner an order",
            "1: the leader gives the medic an order",
            "79: the medic arrives",
            "96: the scout: contact who=raider 1",
            "98: the gunner hunts",
            "138: the scout arrives",
            "165: the gunner fires a burst",
            "189: the gunner fires a burst",
            "205: raider 2 dies",
            "213: the gunner fires a burst",
            "237: the gunner fires a burst",
            "261: the gunner fires a burst",
            "285: the gunner fires a burst",
            "309: the gunner fires a burst",
            "333: the gunner fires a burst",
            "333: the chief dies",
            "355: the gunner fires a burst",
            "379: the gunner fires a burst",
            "395: raider 1 dies",
            "419: the gunner arrives",
            "520: player_acts: yes, for one tick",
            "521: the leader gives the scout an order",
            "521: the leader gives the gunner an order",
            "521: the leader gives the medic an order",
            "590: the medic arrives",
            "603: the scout arrives",
            "700: the gunner arrives",
            "762: the leader gives the scout an order",
            "762: the leader gives the gunner an order",
            "762: the leader gives the medic an order",
            "780: the medic is knocked out",
            "780: the leader gives the scout an order",
            "780: the leader gives the gunner an order",
            "780: the leader gives the medic an order",
            "801: the scout arrives",
            "841: the gunner arrives",
            "1079: the scout: contact who=the marauder",
            "1081: the gunner hunts",
            "1090: the gunner fires a burst",
            "1114: the gunner fires a burst",
            "1138: the gunner fires a burst",
            "1146: the marauder dies",
            "1242: the leader gives the scout an order",
            "1242: the leader gives the gunner an order",
            "1242: the leader gives the medic an order",
            "1304: the scout arrives",
            "1311: the medic arrives",
            "1321: the gunner arrives",
            "1383: the leader gives the scout an order",
            "1383: the leader gives the gunner an order",
            "1383: the leader gives the medic an order",
            "1452: the medic arrives",
            "1476: the scout arrives",
            "1562: the gunner arrives",
        ]
    );
}

#[test]
fn without_the_player_the_rest_lasts_twenty_seconds() {
    let map = crate::stage::read(SQUAD.map)
        .replace("at 520 pulse player_acts\n", "at 1500 pulse player_acts\n");
    let story = SQUAD.story_on(&map, 900);
    // The last one arrives in tick 419, and its order is over in the next.
    let orders = story.about(&["leader gives the scout"]);
    assert_eq!(
        orders,
        [
            "1: the leader gives the scout an order",
            "820: the leader gives the scout an order"
        ]
    );
}
