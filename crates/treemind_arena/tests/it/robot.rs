//! Two cleaning robots: rubbish, a charger with a line, and people who fight.

use crate::Play;
use treemind_arena::Kind;

const ROBOT: Play = Play {
    document: "04-cleaning-robot/robot.kdl",
    map: "04-cleaning-robot/square.map",
    what: "",
};

#[test]
fn it_cleans_charges_hides_and_goes_on_where_it_was() {
    let story = ROBOT.story(2_400);
    assert_eq!(
        story.about(&["robot 1"]),
        [
            "3: the robot 1 goes to pick something up",
            "23: the robot 1 takes a rubbish",
            "25: the robot 1 drives to the bin",
            "243: the robot 1 breaks its way to the bin off",
            "244: the robot 1 hides",
            "271: the robot 1 breaks its hiding off",
            "272: the robot 1 drives to the bin",
            "388: the robot 1 dumps 1",
            "391: the robot 1 goes to pick something up",
            "422: the robot 1 breaks its way off",
            "423: the robot 1 drives to the charger",
            "596: the robot 1 breaks its way to the charger off",
            "597: the robot 1 hides",
            "642: the robot 1 breaks its hiding off",
            "643: the robot 1 drives to the charger",
            "890: the robot 1 is the next in line",
            "1010: the robot 1 uses a charger",
            "1010: the robot 1 charges",
            "1109: the robot 1 is fully charged",
            "1111: the robot 1 goes to pick something up",
            "1428: the robot 1 takes a rubbish",
            "1430: the robot 1 drives to the bin",
            "1519: the robot 1 dumps 1",
            "1521: the robot 1 looks for rubbish",
            "1920: the robot 1 breaks its search off",
            "1921: the robot 1 drives to the charger",
            "1960: the robot 1 uses a charger",
            "1960: the robot 1 charges",
            "2027: the robot 1 is fully charged",
            "2029: the robot 1 looks for rubbish",
        ]
    );
    assert_eq!(
        story.about(&[
            "robot 2 takes",
            "robot 2 dumps",
            "robot 2 uses",
            "robot 2 is",
            "knocked out"
        ]),
        [
            "17: the robot 2 takes a rubbish",
            "293: the drunk is knocked out",
            "339: the robot 2 dumps 1",
            "602: the sailor is knocked out",
            "874: the robot 2 uses a charger",
            "973: the robot 2 is fully charged",
            "1280: the robot 2 takes a rubbish",
            "1395: the robot 2 dumps 1",
            "1639: the robot 2 takes a rubbish",
            "1853: the robot 2 dumps 1",
            "2288: the robot 2 uses a charger",
            "2387: the robot 2 is fully charged",
        ]
    );
    // All the rubbish is gone, the later piece as well, and nobody stands in line any more.
    let things = story.world().things();
    assert!(things.iter().all(|thing| thing.kind != Kind::Rubbish));
    assert!(things.iter().all(|thing| thing.queue.is_empty()));
}
