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

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Gait {
    Slow,
    Fast,
}

#[derive(serde::Deserialize)]
struct Walk {
    ticks: u64,
    gait: Gait,
}

impl ActionType<u64> for Walk {
    type State = (u64, Option<Box<u8>>);

    fn update(
        &self,
        walked: &mut Self::State,
        _: &mut u64,
        me: &mut Agent,
    ) -> Result<Status, TaskError> {
        walked.0 += match self.gait {
            Gait::Slow => 1,
            Gait::Fast => 2,
        };
        let last = self.ticks + me.index() as u64 % 3;
        Ok(if walked.0 > last {
            Status::Success
        } else {
            Status::Running
        })
    }
}

#[derive(serde::Deserialize)]
struct Every {
    turns: u64,
}

impl ConditionType<u64> for Every {
    fn ask(&self, turn: &u64, me: &Agent) -> Result<Status, TaskError> {
        Ok((turn + me.index() as u64).is_multiple_of(self.turns).into())
    }
}

#[test]
fn ticks_with_types_allocate_nothing() {
    let text = "
        blackboard { key turns type=int default=3; key gait type=enum default=fast { value slow fast; }; }
        leaves {
            condition every { param turns type=int; }
            action walk { param ticks type=int; param gait type=enum default=slow { value slow fast; }; }
        }
        tree t {
            reactive-selector {
                reactive-sequence { condition every turns=5; action walk ticks=4; }
                reactive-sequence { condition every turns=\"{turns}\"; action walk ticks=\"{turns}\" gait=\"{gait}\"; }
                action walk ticks=2 gait=fast
            }
        }";
    let mut registry = Registry::<u64>::new();
    registry
        .action_type::<Walk>("walk")
        .condition_type::<Every>("every");
    for agents in [1, 64, 5_000] {
        let behaviour = crate::own_types::behaviour(text);
        let mut play = Play::new(behaviour, &registry, 0, agents);
        play.bound.reserve(agents);
        play.tick();
        let counted = allocation_counter::measure(|| {
            for turn in 0..30 {
                play.world = turn;
                play.population
                    .tick(&mut play.bound.host(&mut play.world), DT);
            }
        });
        assert_eq!(counted.count_total, 0, "{agents} agents");
        assert_eq!(play.faults(), []);
    }
}
