//! The studio: minds in the browser.

use crate::brain::Brain;
use crate::brains::Brains;
use bevy_app::prelude::*;
use bevy_asset::{AssetEvent, Assets};
use bevy_ecs::prelude::*;
use treemind_studio::Studio;

/// Shows all minds in the [studio](treemind_studio), a page in the browser that only this machine can reach. Its
/// address is logged when the app starts, and it is in the resource [`MindStudio`]. Add it after
/// [`TreemindPlugin`](crate::TreemindPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct StudioPlugin {
    /// The port of the page; 0 means any port that is free.
    pub port: u16,
}

/// The studio of an app. Remove the resource to close its page.
#[derive(Resource, Debug)]
pub struct MindStudio(Studio);

impl MindStudio {
    /// The address of the page.
    pub fn url(&self) -> &str {
        self.0.url()
    }
}

impl Plugin for StudioPlugin {
    fn build(&self, app: &mut App) {
        let studio = match Studio::open(self.port) {
            Ok(studio) => studio,
            // The game continues without it.
            Err(error) => {
                let port = self.port;
                tracing::error!("the studio cannot open port {port}: {error}");
                return;
            }
        };
        tracing::info!("minds in the studio: {}", studio.url());
        let watch = studio.watch_as("minds");
        let mut brains = app.world_mut().get_resource_mut::<Brains>();
        let brains = brains.as_mut().expect("add `TreemindPlugin` first");
        brains.observers.add(watch.into_observer());
        app.insert_resource(MindStudio(studio));
        let schedule = crate::plugin::schedule(app);
        app.add_systems(schedule, show_texts.in_set(crate::TreemindSystems::Prepare));
    }
}

/// Gives the page the texts of documents that have been loaded or changed.
fn show_texts(
    mut events: MessageReader<'_, '_, AssetEvent<Brain>>,
    assets: Res<'_, Assets<Brain>>,
    mut brains: ResMut<'_, Brains>,
) {
    if events.read().count() == 0 {
        return;
    }
    let mut documents: Vec<_> = assets
        .iter()
        .map(|(_, brain)| brain.document().texts())
        .collect();
    documents.sort();
    brains.observers.reloaded(&documents);
}
