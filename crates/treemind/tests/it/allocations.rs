//! A tick allocates nothing.

use crate::trees::{DT, Play, look_and_act};
use treemind::prelude::*;

#[test]
fn ticks_with_closures_allocate_nothing() {
    for agents in [1, 64, 5_000] {
        let mut registry = Registry::<u64>::new();
        registry
            .condition("look", |turn: &u64, me: &Agent| {
                (me.index() as u64 + turn).is_multiple_of(3)
            })
            .action_with(
                "act",
                update(|turn: &mut u64, me: &mut Agent| {
                    *turn += 1;
                    if me.arg::<f32>("range") > 2.0 {
                        Status::Running
                    } else {
                        Status::Failure
                    }
                })
                .start(|_: &mut u64, me: &mut Agent| me.set("health", 5_i64))
                .stop(|_: &mut u64, me: &mut Agent, _| me.set("health", 7_i64)),
            );
        let mut play = Play::new(look_and_act(), &registry, 0, agents);
        play.tick();
        let counted = allocation_counter::measure(|| {
            for _ in 0..20 {
                play.population
                    .tick(&mut play.bound.host(&mut play.world), DT);
            }
        });
        assert_eq!(counted.count_total, 0, "{agents} agents");
    }
}
