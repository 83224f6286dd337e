//! The same every time, and for as long as one likes.

use crate::session;
use treemind::Trace;
use treemind_arena::{Happening, Rules, Who};

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
    assert_eq!(one.arena().state_hash(), 18_059_429_269_265_069_523);
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
