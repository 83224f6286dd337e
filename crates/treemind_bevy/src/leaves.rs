//! The leaves that an app has, and what a population needs of them.

use crate::brain::Brain;
use crate::facts::{FactSet, Target};
use crate::link::{Link, Numbers};
use crate::runs::AnyRuns;
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;
use treemind::Registry;
use treemind::population::{Behaviour, Bound, Program};

/// The leaves that the app has, for all documents.
#[derive(Resource, Default)]
pub(crate) struct Leaves {
    pub(crate) registry: Registry<Link>,
    pub(crate) fact_sets: Vec<FactSet>,
    /// How many conditions are facts.
    pub(crate) flags: usize,
    /// One per type of action: makes a place for its runs.
    pub(crate) runs: Vec<fn() -> Box<dyn AnyRuns>>,
    pub(crate) numbers: Numbers,
    /// The positions of the types by the names of their actions.
    pub(crate) names: HashMap<String, usize>,
}

/// What a mind runs: a document, and an archetype, tree, machine or decision tree of it.
pub(crate) type Role = (AssetId<Brain>, Option<String>);

/// What facts are in a population, by the type of the component.
type Targets = HashMap<TypeId, Vec<Target>>;

/// What a population is made of, but for the population.
pub(crate) struct Parts {
    pub(crate) role: Role,
    pub(crate) program: Arc<Program>,
    pub(crate) bound: Bound<Link>,
    pub(crate) targets: Targets,
    pub(crate) interval: u32,
}

impl Leaves {
    /// Everything of a population that its document says.
    pub(crate) fn prepare(&self, role: &Role, brain: &Brain) -> Result<Parts, String> {
        let behaviour = brain.behaviour(role.1.as_deref());
        let behaviour = behaviour.map_err(|problems| problems.to_string())?;
        let (bound, targets) = self.bind(&behaviour)?;
        Ok(Parts {
            role: role.clone(),
            bound,
            targets,
            interval: behaviour.interval(),
            program: Arc::new(Program::new(behaviour)),
        })
    }

    /// Binds the leaves of a behaviour, and says what facts are in it.
    fn bind(&self, behaviour: &Behaviour) -> Result<(Bound<Link>, Targets), String> {
        let bound = self.registry.bind(behaviour);
        let bound = bound.map_err(|error| error.to_string())?;
        let mut targets = HashMap::new();
        for set in &self.fact_sets {
            let (of_set, wrong) = set.targets(behaviour);
            if let Some((name, ty)) = wrong.first() {
                return Err(format!(
                    "`{}`: the key `{name}` is a `{ty}`, and the component's field is not",
                    behaviour.name()
                ));
            }
            targets.insert(set.ty, of_set);
        }
        Ok((bound, targets))
    }

    pub(crate) fn link(&self) -> Link {
        let runs = self.runs.iter().map(|make| make()).collect();
        Link::new(self.flags, runs, Arc::new(self.numbers.clone()))
    }
}
