//! Keys that a page renames while the game runs: they keep what they hold. A changed document says only that one key is gone and
//! that another one has come.

use super::super::course::Course;
use super::game::Game;
use treemind_core::Behaviour;
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

/// The keys that were renamed.
#[derive(Default)]
pub(super) struct Renamed {
    /// Since the game plays its document: their names in the game, and those in the document.
    names: Vec<(String, String)>,
    /// Ever: each name that one has had, and that in the document. A game that has gone back has old names again.
    ever: Vec<(String, String)>,
}

/// What an agent holds in a key that has another name in the document.
pub(super) struct Holding {
    agent: usize,
    old: String,
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
            if old != new {
                let known = self.ever.iter_mut().filter(|(_, now)| now == old);
                known.for_each(|(_, now)| now.clone_from(new));
                self.ever.push((old.clone(), new.clone()));
            }
        }
        self.names.retain(|(old, new)| old != new);
        self.ever.retain(|(old, new)| old != new);
    }

    /// The keys that a behaviour has under old names: those names, and the ones in the document.
    fn old_names<'r>(&'r self, behaviour: &'r Behaviour) -> Vec<&'r (String, String)> {
        let mut all: Vec<_> = self.names.iter().collect();
        for one in &self.ever {
            let is_known = all.iter().any(|(old, new)| *old == one.0 || *new == one.1);
            if !is_known && behaviour.key_id(&one.1).is_none() {
                all.push(one);
            }
        }
        all.retain(|(old, _)| behaviour.key_id(old).is_some());
        all
    }

    /// What is held in these keys, under their new names. What is written before the next tick counts as held.
    pub(super) fn held(
        &self,
        course: &Course,
        tick: u64,
        see: impl FnOnce(&mut dyn FnMut(Seen<'_>)),
    ) -> Vec<Holding> {
        let mut held = Vec::new();
        if self.ever.is_empty() {
            return held;
        }
        see(&mut |seen| {
            let behaviour = seen.population.program().behaviour();
            for (old, new) in self.old_names(behaviour) {
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
                    held.push(Holding {
                        agent,
                        old: old.clone(),
                        key: new.clone(),
                        text,
                    });
                }
            }
        });
        held
    }

    /// The game has the new names now: writes what was held under the old ones. Returns what to tell of it.
    pub(super) fn settle(&mut self, held: &[Holding], game: &mut Game) -> Vec<Said> {
        let mut kept: Vec<(&str, &str)> = Vec::new();
        for one in held {
            // Lists, for instance, cannot be written: they begin anew, as the reload says.
            let value = Typed::Kept {
                name: one.key.clone(),
                text: one.text.clone(),
            };
            let names = (&*one.key, &*one.old);
            if game.give(one.agent, value).is_ok() && !kept.contains(&names) {
                kept.push(names);
            }
        }
        self.names.clear();
        let kept = kept.into_iter();
        kept.map(|(new, old)| said!("  key {}: was {}, and keeps its value", new, old))
            .collect()
    }
}
