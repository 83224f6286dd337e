//! Runs are the same every time, for any length.

use crate::Play;
use crate::stage::document;
use treemind::core::chance::Draw;
use treemind::trace::Trace;
use treemind_arena::{BodyId, EventKind, Rules, Session, World};

const RULES: Rules = Rules {
    seed: 7,
    rounds: true,
};
const GUARD: Play = Play {
    document: "01-guard/guard.kdl",
    map: "01-guard/yard.map",
    what: "",
};
const CLASSIC: Play = Play {
    document: "01-guard/guard-classic.kdl",
    ..GUARD
};

#[test]
fn two_runs_are_identical_tick_by_tick() {
    let (mut one, mut two) = (GUARD.session(RULES), GUARD.session(RULES));
    let mut trace = Trace::new();
    let mut sum = 0_u64;
    for tick in 1..=3_000 {
        one.step();
        two.step_traced(&mut trace);
        assert_eq!(
            one.world().state_hash(),
            two.world().state_hash(),
            "tick {tick}"
        );
        for body in one.world().bodies() {
            let place = body.place();
            for number in [place.x_mm, place.y_mm, body.health()] {
                sum = sum.wrapping_mul(31).wrapping_add(number as u64);
            }
        }
    }
    // This number is the same on every machine.
    assert_eq!(sum, 11_989_006_255_958_342_156);
}

#[test]
fn a_hundred_thousand_ticks_without_a_fault() {
    for play in [GUARD, CLASSIC] {
        let mut session = play.session(RULES);
        let (mut arrived, mut ended) = (0, [0; 3]);
        for _ in 0..100_000 {
            for event in session.step() {
                match (event.what, event.who) {
                    (EventKind::Arrives, _) => arrived += 1,
                    (EventKind::Dies, Some(BodyId(1))) => ended[0] += 1,
                    (EventKind::Dies, _) => ended[1] += 1,
                    (EventKind::Leaves, _) => ended[2] += 1,
                    _ => {}
                }
            }
            let world = session.world();
            for body in world.bodies() {
                assert!(!world.ground().is_blocked(body.place().cell()));
            }
        }
        assert!(session.take_faults().is_empty());
        assert!(arrived > 100, "{arrived} came");
        assert!(
            ended.iter().sum::<i32>() + 1 >= arrived,
            "{arrived} came, {ended:?} ends"
        );
    }
}

/// A map with random walls, so that much of it cannot be reached.
fn any_map(seed: u64) -> String {
    let draw = |nth: u32, bound| {
        let draw = Draw {
            seed,
            agent: 0,
            node: 0,
            tick: 0,
            nth,
        };
        draw.below(bound)
    };
    let (width, height) = (8 + draw(0, 20), 6 + draw(1, 10));
    let density = 2 + draw(2, 12);
    let mut squares: Vec<char> = (0..width * height)
        .map(|square| {
            if draw(100 + square, density) == 0 {
                '#'
            } else {
                '.'
            }
        })
        .collect();
    for (nth, mark) in "GHI123abc".chars().enumerate() {
        // If two marks fall on one square, the later one is moved on.
        let mut square = draw(10 + nth as u32, width * height) as usize;
        while squares[square].is_ascii_alphanumeric() {
            square = (square + 1) % squares.len();
        }
        squares[square] = mark;
    }
    let rows = squares.chunks(width as usize);
    let rows = rows.map(|row| row.iter().collect::<String>() + "\n");
    let legend = crate::stage::read(GUARD.map);
    let legend = legend.split_once("[legend]").unwrap().1;
    // These maps have shorter routes.
    let legend = legend.replace("1-6", "1-3").replace("a-f", "a-c");
    format!("[map]\n{}[legend]{legend}", rows.collect::<String>())
}

#[test]
fn any_map_can_be_played() {
    let document = document(GUARD.document);
    let guard = document.behaviour(None).unwrap();
    let mut hits = 0;
    for seed in 0..200 {
        let text = any_map(seed);
        let world = World::load(&text, Rules { seed, rounds: true }).unwrap();
        let mut session = Session::new(guard.clone(), None, world).unwrap();
        for tick in 0..1_000 {
            let events = session.step();
            hits += events
                .iter()
                .filter(|event| matches!(event.what, EventKind::IsHit { .. }))
                .count();
            let world = session.world();
            for body in world.bodies() {
                assert!(
                    !world.ground().is_blocked(body.place().cell()),
                    "map {seed}, tick {tick}:\n{text}"
                );
            }
        }
        assert!(session.take_faults().is_empty());
    }
    assert!(hits > 1_000, "they did meet: {hits}");
}
