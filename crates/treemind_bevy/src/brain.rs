//! Documents as assets.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetId, AssetLoader, AssetPath, LoadContext};
use bevy_ecs::message::Message;
use bevy_reflect::TypePath;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::io;
use treemind::Document;
use treemind::doc::Diagnostics;
use treemind::population::Behaviour;

/// A document, for any number of minds.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Brain {
    document: Document,
}

/// Why a document did not become an asset.
#[derive(Debug)]
pub enum BrainError {
    /// It could not be read.
    Io(io::Error),
    /// It has errors: each with its file, line and column.
    Document(Diagnostics),
}

impl fmt::Display for BrainError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrainError::Io(error) => error.fmt(out),
            BrainError::Document(problems) => problems.fmt(out),
        }
    }
}

impl std::error::Error for BrainError {}

/// Something is wrong with a document or what it does: it needs a leaf that the app does not have, or a leaf has
/// failed. Each is also logged as an error.
#[derive(Message, Clone, Debug)]
pub struct BrainProblem {
    /// The document.
    pub brain: AssetId<Brain>,
    /// What is wrong.
    pub text: String,
}

impl Brain {
    /// The document in a text. `name` is its name in messages.
    pub fn parse(text: &str, name: &str) -> Self {
        Self {
            document: Document::parse(text, name),
        }
    }

    /// The document itself.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What a mind runs: an archetype, a tree, a machine, a decision tree or a planner with that name; without a name, what the
    /// document runs by default.
    pub(crate) fn behaviour(&self, runs: Option<&str>) -> Result<Behaviour, Diagnostics> {
        let Some(name) = runs else {
            return self.document.behaviour(None);
        };
        let document = &self.document;
        let has = |all: &[treemind::doc::Tree]| all.iter().any(|one| one.name() == name);
        if document.archetypes().iter().any(|one| one.name() == name) {
            document.behaviour_for(name)
        } else if !has(document.trees()) && has(document.machines()) {
            document.machine(name)
        } else if !has(document.trees()) && has(document.decisions()) {
            document.decision(name)
        } else if !has(document.trees()) && has(document.planners()) {
            document.planner(name)
        } else {
            document.behaviour(Some(name))
        }
    }
}

impl From<Document> for Brain {
    fn from(document: Document) -> Self {
        Self { document }
    }
}

/// How a document is loaded.
///
/// ```
/// # use bevy_asset::{AssetServer, Handle};
/// # use treemind_bevy::prelude::*;
/// use treemind_bevy::BrainSettings;
///
/// fn load_pet(assets: &AssetServer) -> Handle<Brain> {
///     let leaves = |settings: &mut BrainSettings| settings.manifest = Some("pet.leaves.kdl".to_owned());
///     assets.load_builder().with_settings(leaves).load("pet.mind.csv")
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrainSettings {
    /// The document that declares the leaves of a flat table, by its path among the assets. Documents in other formats
    /// do not need it.
    pub manifest: Option<String>,
}

/// Loads documents in KDL and JSON (files such as guard.mind.json), with those that they import; and with the features
/// of that name in the XML of BehaviorTree.CPP (`btcpp`, guard.mind.xml), in SCXML (`scxml`, robot.scxml), and flat
/// tables (`table`, pet.mind.csv, with [`BrainSettings::manifest`]). When one of the files changes, the document is
/// loaded again.
#[derive(Default, TypePath)]
pub struct BrainLoader;

impl AssetLoader for BrainLoader {
    type Asset = Brain;
    type Settings = BrainSettings;
    type Error = BrainError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &BrainSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<Brain, BrainError> {
        let mut bytes = Vec::new();
        reader
            .read_to_end(&mut bytes)
            .await
            .map_err(BrainError::Io)?;
        let name = context.path().path().display().to_string();
        let mut files: HashMap<String, Result<Vec<u8>, String>> = HashMap::new();
        loop {
            // Reading a document is not asynchronous. So it is read again with the files that it lacked.
            let mut lacking = Vec::new();
            let document = read(&bytes, &name, settings, |path| {
                files.get(path).cloned().unwrap_or_else(|| {
                    lacking.push(path.to_owned());
                    Err(String::new())
                })
            });
            if lacking.is_empty() {
                return match document.behaviour(None) {
                    Err(problems) if document.has_errors() => Err(BrainError::Document(problems)),
                    _ => Ok(Brain { document }),
                };
            }
            for path in lacking {
                let of_source = AssetPath::from(path.clone());
                let source = context.path().source().clone_owned();
                let read = context
                    .read_asset_bytes(of_source.with_source(source))
                    .await;
                files.insert(path, read.map_err(|error| error.to_string()));
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &[
            "kdl",
            "mind.json",
            #[cfg(feature = "btcpp")]
            "mind.xml",
            #[cfg(feature = "scxml")]
            "scxml",
            #[cfg(feature = "table")]
            "mind.csv",
        ]
    }
}

/// Reads a document; `load` has the bytes of the files that it needs.
fn read(
    bytes: &[u8],
    name: &str,
    settings: &BrainSettings,
    load: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Document {
    #[cfg(feature = "table")]
    if settings.manifest.is_some() {
        return Document::read_table(bytes, name, settings.manifest.as_deref(), load);
    }
    let BrainSettings { manifest: _ } = settings;
    Document::read_with(bytes, name, load)
}
