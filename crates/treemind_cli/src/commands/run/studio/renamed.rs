//! Keys that a page renames while the game runs: they keep what they hold. A changed document says only that one key is gone and
//! that another one has come.

use super::super::course::Course;
use super::game::Game;
use treemind_doc::edit::Editor;
use treemind_doc::testing::value_text;
use treemind_doc::{Said, said};
use treemind_replay::follow::{Seen, Typed};
use treemind_replay::view::protocol::Edit;

/// For how many agents values are written: each is a step of the course.
const MOST_AGENTS: usize = 256;

/// The keys of a document, by the ids of their nodes.
pub(super) type Named = Vec<(u64, String)>;

/// The keys that are there around an edit that may rename one.
pub(super) fn named(editor: &Editor, edit: &Edit) -> Named {
    let may_rename = match edit {
        Edit::Rename { .. } | Edit::RenameAt { .. } | Edit::Undo | Edit::Redo => true,
        Edit::Set { name, .. } => name == "0",
        _ => false,
    };
    if !may_rename {
        return Vec::new();
    }
    let outline = editor.outline();
    let keys = outline.nodes().iter().filter(|node| node.word == "key");
    keys.filter_map(|node| Some((node.id, node.name.clone()?)))
        .collect()
}

/// The keys that were renamed since the game plays its document.
#[derive(Default)]
pub(super) struct Renamed {
    /// Their names in the game, and those in the document.
    names: Vec<(String, String)>,
}

/// What an agent holds in a key that has another name in the document.
pub(super) struct Holding {
    agent: usize,
    key: String,
    text: String,
}

impl Renamed {
    /// Notes what an edit has renamed.
    pub(super) fn note(&mut self, before: &Named, after: &Named) {
        for (id, old) in before {
            let Some((_, new)) = after.iter().find(|(other, _)| other == id) else {
                continue;
            };
            match self.names.iter_mut().find(|(_, now)| now == old) {
                Some((_, now)) => now.clone_from(new),
                None => self.names.push((old.clone(), new.clone())),
            }
        }
        self.names.retain(|(old, new)| old != new);
    }

    /// What is held in these keys, under their new names. What is written before the next tick counts as held.
    pub(super) fn held(
        &self,
        course: &Course,
        tick: u64,
        see: impl FnOnce(&mut dyn FnMut(Seen<'_>)),
    ) -> Vec<Holding> {
        let mut held = Vec::new();
        if self.names.is_empty() {
            return held;
        }
        see(&mut |seen| {
            let behaviour = seen.population.program().behaviour();
            for (old, new) in &self.names {
                let Some(id) = behaviour.key_id(old) else {
                    continue;
                };
                for place in 0..seen.population.len() {
                    let Some(agent) = (seen.number)(place).filter(|nth| *nth < MOST_AGENTS) else {
                        continue;
                    };
                    let text = match course.written_between(tick, agent, old) {
                        Some(text) => text.to_owned(),
                        None => value_text(behaviour, seen.population.get(place, id)),
                    };
                    let key = new.clone();
                    held.push(Holding { agent, key, text });
                }
            }
        });
        held
    }

    /// The game has the new names now: writes what was held under the old ones. Returns what to tell of it.
    pub(super) fn settle(&mut self, held: &[Holding], game: &mut Game) -> Vec<Said> {
        let mut kept: Vec<String> = Vec::new();
        for one in held {
            // Lists, for instance, cannot be written: they begin anew, as the reload says.
            let typed = Typed::Key {
                name: one.key.clone(),
                text: one.text.clone(),
            };
            if game.give(one.agent, typed).is_ok() && !kept.contains(&one.key) {
                kept.push(one.key.clone());
            }
        }
        let renamed = std::mem::take(&mut self.names).into_iter();
        let renamed = renamed.filter(|(_, new)| kept.contains(new));
        renamed
            .map(|(old, new)| said!("  key {}: was {}, and keeps its value", new, old))
            .collect()
    }
}
