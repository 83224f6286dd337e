//! Long runs: no faults, nothing that grows, the same places at the end.

use crate::Play;
use treemind_arena::Rules;

const ALL: &[(&str, &str, &str)] = &[
    ("01-guard/guard.kdl", "01-guard/yard.map", ""),
    ("01-guard/guard-classic.kdl", "01-guard/yard.map", ""),
    ("02-pet/pet.kdl", "02-pet/garden.map", ""),
    ("03-boss/boss.kdl", "03-boss/hall.map", "tree:boss"),
    ("03-boss/boss.kdl", "03-boss/hall.map", "machine:boss"),
    (
        "04-cleaning-robot/robot.kdl",
        "04-cleaning-robot/square.map",
        "",
    ),
    ("05-intruder/intruder.kdl", "05-intruder/house.map", ""),
    ("06-squad/squad.kdl", "06-squad/ridge.map", ""),
    ("07-stage/stage.kdl", "07-stage/stage.map", ""),
    ("08-hunter/hunter.kdl", "08-hunter/forest.map", ""),
    ("09-watchman/watchman.kdl", "09-watchman/yard.map", ""),
    (
        "10-soldier/soldier.kdl",
        "10-soldier/valley.map",
        "machine:soldier",
    ),
    (
        "10-soldier/soldier.kdl",
        "10-soldier/valley.map",
        "machine:careful-soldier",
    ),
    ("11-child/child.kdl", "11-child/home.map", ""),
    ("13-hero/castle.kdl", "13-hero/castle.map", ""),
    ("15-layers/boss.kdl", "15-layers/pit.map", ""),
];

fn run(ticks: u64) {
    for &(document, map, what) in ALL {
        let play = Play {
            document,
            map,
            what,
        };
        let mut session = play.session(Rules {
            seed: 11,
            rounds: true,
        });
        let (things, mut events) = (session.world().things().len(), 0);
        for tick in 1..=ticks {
            events += session.step().len() as u64;
            let world = session.world();
            assert!(
                world.things().len() <= things + 4,
                "{document}, tick {tick}"
            );
            for body in world.bodies() {
                let cell = body.place().cell();
                assert!(!world.ground().is_blocked(cell), "{document}, tick {tick}");
            }
        }
        let faults = session.take_faults();
        assert!(faults.is_empty(), "{document}: {faults:?}");
        assert!(events > ticks / 100, "{document}: {events} events");
        session.dismiss();
        let world = session.world();
        assert_eq!(world.finders().holders(), [], "{document}");
        assert_eq!(world.engines().holders(), [], "{document}");
        assert!(
            world
                .bodies()
                .iter()
                .all(|body| body.ordered_to().is_none())
        );
    }
}

#[test]
fn all_examples_for_twenty_thousand_ticks() {
    run(20_000);
}

#[test]
#[ignore = "takes minutes; in release, with `--ignored`"]
fn all_examples_for_a_million_ticks() {
    run(1_000_000);
}
