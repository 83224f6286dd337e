//! The same every time, and for as long as one likes.

use crate::{behaviour, session};
use treemind::Trace;
use treemind::chance::Draw;
use treemind_arena::{Arena, Happening, Rules, Session, Who};

const RULES: Rules = Rules {
    seed: 7,
    rounds: true,
};

#[test]
fn two_runs_are_identical_tick_by_tick() {
    let mut one = session("01-guard/guard.kdl", RULES);
    let mut two = session("01-guard/guard.kdl", RULES);
    let mut trace = Trace::new();
    for _ in 0..3_000 {
        one.step();
        two.step_traced(&mut trace);
        assert_eq!(
            one.arena().state_hash(),
            two.arena().state_hash(),
            "tick {}",
            one.arena().tick()
        );
    }
    // The same on every machine.
    assert_eq!(one.arena().state_hash(), 12_090_858_442_285_407_443);
}

#[test]
fn a_hundred_thousand_ticks_without_a_fault() {
    for file in ["01-guard/guard.kdl", "01-guard/guard-classic.kdl"] {
        let mut session = session(file, RULES);
        let (mut arrived, mut ended) = (0, [0; 3]);
        for _ in 0..100_000 {
            for event in session.step() {
                match event.what {
                    Happening::Arrived => arrived += 1,
                    Happening::Died(Who::Intruder) => ended[0] += 1,
                    Happening::Died(Who::Guard) => ended[1] += 1,
                    Happening::Left => ended[2] += 1,
                    _ => {}
                }
            }
            let map = session.arena().map();
            assert!(!map.is_wall(session.arena().guard().place().cell()));
            assert!(!map.is_wall(session.arena().intruder().place().cell()));
        }
        assert_eq!(session.take_faults().total(), 0);
        assert!(arrived > 100, "{arrived} came");
        assert!(
            ended.iter().sum::<i32>() + 1 >= arrived,
            "{arrived} came, {ended:?} ends"
        );
        println!("{file}: {arrived} came; intruder dead, guard dead, gone: {ended:?}");
    }
}

/// A map with walls anywhere, so that much of it cannot be reached.
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
        // Where two marks fall on one square the later one is moved on.
        let mut square = draw(10 + nth as u32, width * height) as usize;
        while squares[square].is_ascii_alphanumeric() {
            square = (square + 1) % squares.len();
        }
        squares[square] = mark;
    }
    let rows = squares.chunks(width as usize);
    rows.map(|row| row.iter().collect::<String>() + "\n")
        .collect()
}

#[test]
fn any_map_can_be_played() {
    let guard = behaviour("01-guard/guard.kdl");
    let mut hits = 0;
    for seed in 0..200 {
        let text = any_map(seed);
        let arena = Arena::load(&text, Rules { seed, rounds: true }).unwrap();
        let mut session = Session::new(guard.clone(), arena).unwrap();
        for tick in 0..1_000 {
            let events = session.step();
            hits += events
                .iter()
                .filter(|event| matches!(event.what, Happening::Hit { .. }))
                .count();
            let arena = session.arena();
            let places = [arena.guard().place(), arena.intruder().place()];
            for place in places {
                assert!(
                    !arena.map().is_wall(place.cell()),
                    "map {seed}, tick {tick}:\n{text}"
                );
            }
        }
        assert_eq!(session.take_faults().total(), 0);
    }
    assert!(hits > 1_000, "they did meet: {hits}");
}
