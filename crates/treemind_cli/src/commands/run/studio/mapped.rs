//! The map under an open game: the game begins anew when it changes.

use super::game::Game;
use super::mapping::Mapping;
use super::theatre::{Opened, example};
use treemind_doc::Document;
use treemind_doc::testing::Subject;
use treemind_doc::{Said, said};
use treemind_replay::view::protocol::{MapEdit, MapSheet};
use treemind_studio::Change;

fn still() -> Said {
    said!("only documents that were opened with `treemind studio` have a map that can be edited")
}

impl Opened {
    /// What pages see of the map, unless it still has this revision.
    pub(super) fn map_sheet(&mut self, known: u64) -> Option<MapSheet> {
        let mapping = self.mapping.as_ref();
        if mapping.is_some_and(|mapping| mapping.revision() == known) {
            return None;
        }
        Some(match mapping {
            Some(mapping) => {
                let document = match &self.editing {
                    Some(Ok((editing, _))) => Some(editing.editor().document().clone()),
                    _ => self.entry.document().ok(),
                };
                mapping.sheet(document.as_ref().map(minds).unwrap_or_default())
            }
            None if known > 0 => return None,
            None => {
                let text = self.entry.map().unwrap_or_default();
                let why = if self.entry.path().is_some() {
                    still()
                } else {
                    example()
                };
                Mapping::still(&text, why)
            }
        })
    }

    /// Does to the map what a page wants.
    pub(super) fn change_map(&mut self, edit: &MapEdit, by: &str) -> Result<(), Said> {
        let why = if self.entry.path().is_some() {
            still()
        } else {
            example()
        };
        self.mapping.as_mut().ok_or(why)?.edit(edit, by)
    }

    /// If the map has changed, begins anew with it.
    pub(super) fn look_at_map(&mut self) -> Option<Change> {
        let mapping = self.mapping.as_mut()?;
        let refused = match mapping.news()? {
            Err(why) => Some(said!("the map: {}", why)),
            Ok(()) => {
                let fresh = Game::open(&self.entry);
                match (fresh.plays(), &fresh.refusal) {
                    (true, _) => {
                        self.begin_anew(fresh);
                        None
                    }
                    (false, why) => {
                        mapping.wait();
                        Some(why.clone().unwrap_or_else(|| Said::Text(String::new())))
                    }
                }
            }
        };
        Some(match refused {
            None => Change {
                is_done: true,
                lines: vec![said!("the map has changed: the game begins anew with it")],
            },
            Some(why) => Change {
                is_done: false,
                lines: vec![said!(
                    "not begun anew with the changed map: {}; the game goes on as it was",
                    why
                )],
            },
        })
    }

    /// What was chosen for leaves without code, and the keys that are held, stay so.
    fn begin_anew(&mut self, fresh: Game) {
        let before = std::mem::replace(&mut self.game, fresh);
        for stub in before.stubs() {
            if !stub.answers.is_empty() {
                // The leaf may be gone.
                let _ = self.game.answer(&stub.leaf, &stub.answers, stub.is_random);
            }
        }
        for held in before.held() {
            // So may the agent or the key.
            let _ = self.game.hold(held.mind, &held.key, Some(&held.value));
        }
    }
}

/// What an actor can follow, as maps say it.
fn minds(document: &Document) -> Vec<String> {
    let archetypes = document.archetypes().iter();
    let archetypes = archetypes.map(|one| Subject::Archetype(one.name().to_owned()));
    let all = document.outermost().into_iter().chain(archetypes);
    let named = all.filter_map(|subject| match subject {
        Subject::Tree(name) => Some(format!("tree:{name}")),
        Subject::Machine(name) => Some(format!("machine:{name}")),
        Subject::Decision(name) => Some(format!("decide:{name}")),
        Subject::Planner(name) => Some(format!("planner:{name}")),
        Subject::Archetype(name) => Some(format!("archetype:{name}")),
        _ => None,
    });
    std::iter::once("main".to_owned()).chain(named).collect()
}
