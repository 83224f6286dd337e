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
            "428: the robot 1 breaks its way off",
            "429: the robot 1 drives to the charger",
            "596: the robot 1 breaks its way to the charger off",
            "597: the robot 1 hides",
            "642: the robot 1 breaks its hiding off",
            "643: the robot 1 drives to the charger",
            "891: the robot 1 is the next in line",
            "1003: the robot 1 uses a charger",
            "1003: the robot 1 charges",
            "1099: the robot 1 is fully charged",
            "1101: the robot 1 goes to pick something up",
            "1289: the robot 1 goes to pick something up",
            "1343: the robot 1 takes a rubbish",
            "1345: the robot 1 drives to the bin",
            "1557: the robot 1 dumps 1",
            "1559: the robot 1 looks for rubbish",
            "1958: the robot 1 breaks its search off",
            "1959: the robot 1 drives to the charger",
            "1998: the robot 1 uses a charger",
            "1998: the robot 1 charges",
            "2015: the robot 1 is fully charged",
            "2017: the robot 1 looks for rubbish",
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
            "873: the robot 2 uses a charger",
            "966: the robot 2 is fully charged",
            "1285: the robot 2 takes a rubbish",
            "1376: the robot 2 dumps 1",
            "1491: the robot 2 takes a rubbish",
            "1606: the robot 2 dumps 1",
            "2008: the robot 2 is the next in line",
            "2054: the robot 2 uses a charger",
            "2075: the robot 2 is fully charged",
        ]
    );
    // All the rubbish is gone, the later piece as well, and nobody stands in line any more.
    let things = story.world().things();
    assert!(things.iter().all(|thing| thing.kind != Kind::Rubbish));
    assert!(things.iter().all(|thing| thing.queue.is_empty()));
}
