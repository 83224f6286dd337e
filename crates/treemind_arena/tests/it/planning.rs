//! Characters that plan, find places and remark.

use crate::soldier::{CAREFUL, MACHINE as SOLDIER};
use crate::{Play, Story};
use treemind_arena::EventKind;

const SNIPER: Play = Play {
    document: "18-sniper/sniper.kdl",
    map: "18-sniper/ruins.map",
    what: "",
};
const VILLAGER: Play = Play {
    document: "19-villager/villager.kdl",
    map: "19-villager/hamlet.map",
    what: "",
};
const SENTRY: Play = Play {
    document: "20-sentry/sentry.kdl",
    map: "20-sentry/yard.map",
    what: "",
};
const PLANNED: Play = Play {
    document: "10-soldier/planned.kdl",
    what: "",
    ..SOLDIER
};

#[test]
fn the_sniper_shoots_twice_from_a_place_and_runs_from_who_comes_near() {
    let story = SNIPER.story(1_000);
    assert_eq!(
        story.about(&[
            "sniper runs",
            "fires",
            "misses",
            "sees",
            "keeps watch",
            "dies"
        ]),
        [
            "3: the sniper runs to a place",
            "57: the sniper keeps watch",
            "91: the sniper sees the scout",
            "98: the sniper fires a burst",
            "106: the sniper fires a burst",
            "106: the scout dies",
            "110: the sniper runs to a place",
            "152: the sniper keeps watch",
            "397: the sniper sees the raider",
            "404: the sniper fires a burst",
            "404: the sniper misses",
            "412: the sniper fires a burst",
            "412: the sniper misses",
            "416: the sniper runs to a place",
            "461: the sniper keeps watch",
            "518: the sniper runs to a place",
            "574: the sniper keeps watch"
        ]
    );
}

#[test]
fn the_villager_works_for_its_bread_and_idles_when_it_wants_nothing() {
    let story = VILLAGER.story(3_000);
    let lines = story.about(&["works", "eats", "strolls", "looks", "market", "has eaten"]);
    assert_eq!(
        lines,
        [
            "1: market: yes",
            "147: the villager works",
            "187: the villager works",
            "227: the villager works",
            "488: the villager works",
            "573: the villager works",
            "811: the villager eats bread",
            "850: the villager has eaten",
            "1016: the villager works",
            "1056: the villager works",
            "1096: the villager works",
            "1357: the villager works",
            "1442: the villager works",
            "1500: market: no",
            "1680: the villager eats bread",
            "1719: the villager has eaten",
            "1722: the villager strolls",
            "1842: the villager strolls",
            "1962: the villager strolls",
            "2082: the villager strolls",
            "2200: market: yes",
            "2324: the villager works",
            "2562: the villager eats bread",
            "2601: the villager has eaten",
            "2767: the villager works",
            "2807: the villager works",
            "2847: the villager works"
        ]
    );
}

#[test]
fn the_sentry_remarks_and_does_what_the_guard_does() {
    let story = SENTRY.story(600);
    let said: Vec<&str> = story.about(&["bark"]);
    assert_eq!(
        said,
        [
            "89: the guard: bark line='Halt! Who goes there?'",
            "111: the guard: bark line='Come here, then!'",
            "142: the guard: bark line='I am hit!'",
            "190: the guard: bark line='I am done for!'",
            "211: the guard: bark line='Where has he gone?'",
            "326: the guard: bark line='Come here, then!'",
            "374: the guard: bark line='I am done for!'",
            "476: the guard: bark line='Halt! Who goes there?'",
            "520: the guard: bark line='Must have been the wind.'"
        ]
    );
    // The remarks change nothing of what it does.
    let guard = Play {
        document: "01-guard/guard.kdl",
        map: "01-guard/yard.map",
        what: "",
    };
    let guard = guard.story(600);
    assert_eq!(story.events, guard.events);
}

/// The hit points that the soldier lost, the rounds that it fired, and who died when.
fn fight(story: &Story) -> (i32, u32, Vec<String>) {
    let who = story.world().find("soldier");
    let (mut lost, mut shots) = (0, 0);
    for event in &story.events {
        match event.what {
            EventKind::IsHit { damage, .. } if event.who == who => lost += damage,
            EventKind::Misses if event.who == who => shots += 1,
            EventKind::IsHit { .. } => shots += 1,
            _ => {}
        }
    }
    let died = story.about(&["dies"]).into_iter().map(str::to_owned);
    (lost, shots, died.collect())
}

#[test]
fn the_same_fight_as_a_machine_with_trees_and_with_a_planner() {
    let [machine, careful, planned] = [SOLDIER, CAREFUL, PLANNED].map(|play| play.story(2_200));
    let fights = [&machine, &careful, &planned].map(fight);
    let dead = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        fights,
        [
            (89, 18, dead(&["357: the scout dies"])),
            (
                57,
                23,
                dead(&["338: the scout dies", "1689: the stalker dies"])
            ),
            (19, 14, dead(&["318: the scout dies"])),
        ]
    );
    // It hides from the brute as soon as it sees it, as the others do, and behind the nearest wall.
    let hides = planned.ticks("soldier", EventKind::Begins("run-to"));
    assert_eq!(hides, [762, 919, 1125, 1440, 1755, 2136]);
}
