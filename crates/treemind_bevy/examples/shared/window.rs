//! A window for the examples: their world from above, with what each mind does beside it.

use bevy_asset::AssetPlugin;
use bevy_internal::camera::ScalingMode;
use bevy_internal::prelude::*;
use treemind_bevy::{MindGizmos, MindGizmosPlugin};

/// An app with a window that shows a part of the world.
pub(crate) fn app(title: &str, assets: AssetPlugin, shown: Rect, text_size: f32) -> App {
    let mut app = App::new();
    let window = Window {
        title: title.to_owned(),
        resolution: (960, 540).into(),
        ..Window::default()
    };
    let window = WindowPlugin {
        primary_window: Some(window),
        ..WindowPlugin::default()
    };
    app.add_plugins(DefaultPlugins.set(assets).set(window))
        .add_plugins(MindGizmosPlugin)
        .insert_resource(ClearColor(Color::srgb(0.09, 0.11, 0.10)));
    let mut gizmos = app.world_mut().resource_mut::<GizmoConfigStore>();
    let (_, style) = gizmos.config_mut::<MindGizmos>();
    style.text_size = text_size;
    style.offset = Vec3::Y * text_size;
    let camera = OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin {
            min_width: shown.width(),
            min_height: shown.height(),
        },
        ..OrthographicProjection::default_2d()
    };
    let center = Transform::from_translation(shown.center().extend(0.0));
    app.world_mut()
        .spawn((Camera2d, Projection::from(camera), center));
    app
}

/// A square for somebody.
pub(crate) fn body(size: f32, color: Color) -> (Sprite, Transform) {
    let sprite = Sprite::from_color(color, Vec2::splat(size));
    (sprite, Transform::default())
}
