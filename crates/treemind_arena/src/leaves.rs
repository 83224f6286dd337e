//! What the arena offers to a tree: sensors and actions, registered as any game would.

use crate::Arena;
use crate::event::Happening;
use treemind::prelude::*;

/// The conditions and actions of the arena:
///
/// | leaf | |
/// |---|---|
/// | condition `see-enemy` | the guard sees the intruder, or saw or felt it within the last five seconds |
/// | condition `enemy-dead` | the intruder is dead |
/// | action `patrol` | walks to the next stop of the round; success when it is there |
/// | action `run-away` | runs to the hut and stays until the intruder is forgotten; success then |
/// | action `attack range=2.0` | goes for the intruder and strikes within `range` metres; success when it is dead, failure when it is lost |
pub fn registry() -> Registry<Arena> {
    let mut registry = Registry::new();
    registry
        .condition("see-enemy", |arena: &Arena, _: &Agent| {
            arena.guard().is_aware()
        })
        .condition("enemy-dead", |arena: &Arena, _: &Agent| {
            !arena.intruder().is_alive()
        })
        .action_with(
            "patrol",
            update(|arena: &mut Arena, _: &mut Agent| arena.patrol()).start(
                |arena: &mut Arena, _: &mut Agent| {
                    arena.report(Happening::PatrolStarted);
                },
            ),
        )
        .action_with(
            "run-away",
            update(|arena: &mut Arena, _: &mut Agent| arena.run_away()).start(
                |arena: &mut Arena, _: &mut Agent| {
                    arena.leave_hut();
                    arena.report(Happening::FleeStarted);
                },
            ),
        )
        .action_with("attack", Attack)
        .on_log(|arena: &mut Arena, _: &mut Agent, text: &str| arena.say(text.to_owned()));
    registry
}

/// The attack, as a type: it reads an argument and cares how it ends.
struct Attack;

impl Action<Arena> for Attack {
    fn start(&self, arena: &mut Arena, _: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        arena.ready_blow();
        arena.report(Happening::AttackStarted);
        Ok(())
    }

    fn update(&self, arena: &mut Arena, me: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        let range: f32 = me.arg("range");
        if !(0.0..=100.0).contains(&range) {
            return Err(format!("a range of {range} metres is out of reach").into());
        }
        // One multiplication and one rounding, which IEEE 754 defines to the last bit.
        Ok(arena.attack((range * 1_000.0) as i32))
    }

    fn stop(
        &self,
        arena: &mut Arena,
        _: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        if outcome == Outcome::Aborted && arena.guard().is_alive() {
            arena.report(Happening::AttackBrokenOff);
        }
        Ok(())
    }
}
