//! What each mind does, drawn above its entity.

use crate::brains::Brains;
use crate::mind::Agent;
use bevy_app::prelude::*;
use bevy_camera::Camera;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder as _;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Isometry3d, Quat, Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use bevy_transform::TransformSystems;
use bevy_transform::components::GlobalTransform;
use std::fmt::Write as _;

/// Draws what minds do, for debugging: above each entity that has a mind and a place (`GlobalTransform`), the active
/// states of its machines and the actions that it runs. Add Bevy's `GizmoPlugin` (it is among its defaults) before it.
///
/// How it is drawn is said by [`MindGizmos`]; it is switched off by its `GizmoConfig`, as all gizmos are.
pub struct MindGizmosPlugin;

impl Plugin for MindGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<MindGizmos>()
            .add_systems(PostUpdate, draw.after(TransformSystems::Propagate));
    }
}

/// How what minds do is drawn: a group of gizmos, found by `GizmoConfigStore::config_mut`.
#[derive(Clone, Debug, Reflect, GizmoConfigGroup)]
#[reflect(Clone, Default)]
pub struct MindGizmos {
    /// Where the text is, seen from the entity, in units of the world.
    pub offset: Vec3,
    /// The height of capital letters, in units of the world.
    pub text_size: f32,
    /// Whether states of machines are shown, too.
    pub shows_states: bool,
    /// One colour for all; by default each action has its own.
    pub color: Option<Color>,
}

impl Default for MindGizmos {
    fn default() -> Self {
        Self {
            offset: Vec3::Y,
            text_size: 0.3,
            shows_states: true,
            color: None,
        }
    }
}

fn draw(
    mut gizmos: Gizmos<'_, '_, MindGizmos>,
    configs: Res<'_, GizmoConfigStore>,
    brains: Res<'_, Brains>,
    agents: Query<'_, '_, (&Agent, &GlobalTransform)>,
    cameras: Query<'_, '_, (&Camera, &GlobalTransform)>,
    mut text: Local<'_, String>,
) {
    let (config, style) = configs.config::<MindGizmos>();
    if !config.enabled {
        return;
    }
    // Texts face the camera.
    let camera = cameras.iter().find(|(camera, _)| camera.is_active);
    let facing = camera.map_or(Quat::IDENTITY, |(_, place)| place.rotation());
    for (agent, place) in &agents {
        text.clear();
        if style.shows_states {
            name_states(&brains, agent, &mut text);
        }
        name_actions(&brains, agent, &mut text);
        if text.is_empty() {
            continue;
        }
        let at = Isometry3d::new(place.translation() + style.offset, facing);
        let color = style.color.unwrap_or_else(|| color_of(&text));
        // The text stands on its place.
        gizmos.text(at, &text, style.text_size, Vec2::new(0.0, -0.5), color);
    }
}

/// Adds the innermost active states of its machines.
fn name_states(brains: &Brains, agent: &Agent, text: &mut String) {
    for (_, states) in brains.states_of(agent) {
        let is_outer = |state: &&String| {
            let inside = format!("{state}.");
            states.iter().any(|other| other.starts_with(&inside))
        };
        for state in states.iter().filter(|state| !is_outer(state)) {
            let gap = if text.is_empty() { "" } else { ", " };
            // Writing into a text cannot fail.
            let _ = write!(text, "{gap}[{state}]");
        }
    }
}

/// Adds the actions that it runs.
fn name_actions(brains: &Brains, agent: &Agent, text: &mut String) {
    for action in brains.doing(agent).unwrap_or_default() {
        let gap = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{gap}{action}");
    }
}

/// The same text always has the same colour.
fn color_of(text: &str) -> Color {
    let sum = text.bytes().fold(7_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    // By the golden angle, so that similar sums are far apart.
    Color::hsl((sum % 1_000) as f32 * 137.5 % 360.0, 0.8, 0.65)
}
