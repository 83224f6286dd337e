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
            "3: robot 1 goes to pick something up",
            "23: robot 1 picks up a piece of rubbish",
            "25: robot 1 drives to the bin",
            "243: robot 1 breaks off its trip to the bin",
            "244: robot 1 hides",
            "271: robot 1 breaks off its hiding",
            "272: robot 1 drives to the bin",
            "388: robot 1 dumps a piece of rubbish",
            "391: robot 1 goes to pick something up",
            "428: robot 1 breaks off its walk",
            "429: robot 1 drives to the charger",
            "596: robot 1 breaks off its trip to the charger",
            "597: robot 1 hides",
            "642: robot 1 breaks off its hiding",
            "643: robot 1 drives to the charger",
            "891: robot 1 is next in line",
            "1003: robot 1 uses a charger",
            "1003: robot 1 charges",
            "1099: robot 1 is fully charged",
            "1101: robot 1 goes to pick something up",
            "1289: robot 1 goes to pick something up",
            "1343: robot 1 picks up a piece of rubbish",
            "1345: robot 1 drives to the bin",
            "1557: robot 1 dumps a piece of rubbish",
            "1559: robot 1 looks for rubbish",
            "1958: robot 1 breaks off its search",
            "1959: robot 1 drives to the charger",
            "1998: robot 1 uses a charger",
            "1998: robot 1 charges",
            "2015: robot 1 is fully charged",
            "2017: robot 1 looks for rubbish",
        ]
    );
    assert_eq!(
        story.about(&[
            "robot 2 picks",
            "robot 2 dumps",
            "robot 2 uses",
            "robot 2 is",
            "knocked out"
        ]),
        [
            "17: robot 2 picks up a piece of rubbish",
            "293: the drunk is knocked out",
            "339: robot 2 dumps a piece of rubbish",
            "602: the sailor is knocked out",
            "873: robot 2 uses a charger",
            "966: robot 2 is fully charged",
            "1285: robot 2 picks up a piece of rubbish",
            "1376: robot 2 dumps a piece of rubbish",
            "1491: robot 2 picks up a piece of rubbish",
            "1606: robot 2 dumps a piece of rubbish",
            "2008: robot 2 is next in line",
            "2054: robot 2 uses a charger",
            "2075: robot 2 is fully charged",
        ]
    );
    // All the rubbish is gone, including the later piece, and nobody waits in line any more.
    let things = story.world().things();
    assert!(things.iter().all(|thing| thing.kind != Kind::Rubbish));
    assert!(things.iter().all(|thing| thing.queue.is_empty()));
}
