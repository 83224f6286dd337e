//! What agents emit, as messages of Bevy.

use crate::link::Link;
use bevy_ecs::prelude::*;
use serde::de::DeserializeOwned;
use treemind::{Registry, TaskError};

/// An agent has emitted an event of its document.
#[derive(Message, Clone, Debug)]
pub struct Emitted<T: Send + Sync + 'static> {
    /// Who.
    pub entity: Entity,
    /// What, with its values.
    pub event: T,
}

/// Makes messages of the events of that name.
pub(crate) fn listen<T: DeserializeOwned + Send + Sync + 'static>(
    registry: &mut Registry<Link>,
    name: &str,
) {
    registry.on_event(name, |link, me| -> Result<(), TaskError> {
        let event: T = me.args()?;
        let entity = link.entities[me.index()];
        link.said.push(Box::new(move |world| {
            world.write_message(Emitted { entity, event });
        }));
        Ok(())
    });
}
