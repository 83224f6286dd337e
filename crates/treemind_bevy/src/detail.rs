//! Levels of detail: minds are ticked less often the further away they are.

use crate::mind::Mind;
use crate::plugin::schedule;
use crate::think;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;

/// Has minds with [`DetailByDistance`] ticked less often the further they are from the nearest [`Viewer`]. Add it after
/// [`TreemindPlugin`](crate::TreemindPlugin).
#[derive(Clone, Debug)]
pub struct MindDetailPlugin {
    /// Up to which distance, in units of the world, a mind is ticked in every how many ticks; the nearest first. Beyond
    /// the last distance the last interval counts.
    pub levels: Vec<(f32, u32)>,
    /// Distances are measured in every how many ticks: 1 is every tick.
    pub every_ticks: u32,
}

impl Default for MindDetailPlugin {
    /// In every tick up to 30 units away, then in every fourth up to 100, and beyond in every 16th. Distances are
    /// measured in every eighth tick.
    fn default() -> Self {
        Self {
            levels: vec![(30.0, 1), (100.0, 4), (f32::INFINITY, 16)],
            every_ticks: 8,
        }
    }
}

/// What minds are near to or far from: a camera, or a player. Without any, nothing changes.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Viewer;

/// The [`interval`](Mind::interval) of this entity's mind follows from its distance.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(GlobalTransform)]
pub struct DetailByDistance;

impl Plugin for MindDetailPlugin {
    fn build(&self, app: &mut App) {
        let settings = self.clone();
        let keep = move |mut ticks: Local<'_, u32>,
                         viewers: Query<'_, '_, &GlobalTransform, With<Viewer>>,
                         mut minds: Query<
            '_,
            '_,
            (&GlobalTransform, &mut Mind),
            With<DetailByDistance>,
        >| {
            let is_due = ticks.is_multiple_of(settings.every_ticks.max(1));
            *ticks = ticks.wrapping_add(1);
            if !is_due || viewers.is_empty() {
                return;
            }
            for (place, mut mind) in &mut minds {
                let place = place.translation();
                let distances = viewers
                    .iter()
                    .map(|viewer| viewer.translation().distance(place));
                let distance = distances.fold(f32::INFINITY, f32::min);
                let interval = interval_at(&settings.levels, distance);
                // A mind that is written to is looked at again.
                if interval.is_some() && mind.interval != interval {
                    mind.interval = interval;
                }
            }
        };
        let schedule = schedule(app);
        app.add_systems(schedule, keep.before(think::heed));
    }
}

/// In every how many ticks minds are ticked at a distance.
fn interval_at(levels: &[(f32, u32)], distance: f32) -> Option<u32> {
    let level = levels.iter().find(|(most, _)| distance <= *most);
    let (_, interval) = level.or(levels.last())?;
    Some((*interval).max(1))
}
