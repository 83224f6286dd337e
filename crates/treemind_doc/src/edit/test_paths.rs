//! Paths to states in tests, such as `active=on-duty.search`, when the states around a state become others.

use super::Editor;
use super::change::Splice;
use super::error::EditError;
use super::machines::is_state_word;
use super::meanings::declared;
use super::place::{At, index_at};
use crate::symbols::{SymbolKind, Use};

impl Editor {
    /// The paths in tests of these texts that name states as they are in `before`, as they have to be for `after`. The texts
    /// are those before or after.
    pub(super) fn paths_in_tests(
        &self,
        before: &Editor,
        after: &Editor,
    ) -> Result<Vec<Splice>, EditError> {
        let names = self.names();
        let mut splices = Vec::new();
        for one in &names.uses {
            let &[symbol] = &one.symbols[..] else {
                continue;
            };
            let is_state = names.symbols[symbol].kind == SymbolKind::State;
            if !is_state || one.role.declares || !self.is_in_test(one) {
                continue;
            }
            let text = self.file(one.file)?.text();
            // The last name of a path says what it leads to.
            let is_last = !text[one.span.end..].starts_with('.');
            let id = declared(names, symbol).and_then(|at| self.id_at(At::from(at)));
            let Some(id) = id.filter(|_| is_last) else {
                continue;
            };
            let (Some(old), Some(new)) = (before.states_around(id), after.states_around(id)) else {
                continue;
            };
            let begin = text[..one.span.end]
                .rfind(|of: char| !of.is_alphanumeric() && !"-_.".contains(of))
                .map_or(0, |at| {
                    at + text[at..].chars().next().map_or(1, char::len_utf8)
                });
            let written: Vec<&str> = text[begin..one.span.end].split('.').collect();
            let own = written.iter().rev();
            let named = own
                .zip(old.iter().rev())
                .take_while(|(own, (_, name))| *own == name);
            let named = named.count();
            if named < 2 {
                continue;
            }
            let first = old[old.len() - named].0;
            let from = new.iter().position(|(id, _)| *id == first).unwrap_or(0);
            let path: Vec<&str> = new[from..].iter().map(|(_, name)| name.as_str()).collect();
            if path == written[written.len() - named..] {
                continue;
            }
            let kept = written[..written.len() - named]
                .iter()
                .map(|part| part.len() + 1);
            let begin = begin + kept.sum::<usize>();
            splices.push(self.splice(one.file, begin..one.span.end, path.join("."))?);
        }
        Ok(splices)
    }

    /// The states around a state and the state itself, from the outermost one on, with their names.
    fn states_around(&self, id: u64) -> Option<Vec<(u64, String)>> {
        let found = self.find(self.place_of(id)?).ok()?;
        let states = found.path.iter().filter(|node| is_state_word(node));
        let of = |start: usize| {
            self.id_at(At {
                file: found.file,
                offset: start,
            })
        };
        states
            .map(|node| Some((of(node.span.start)?, node.first_text()?.value.clone())))
            .collect()
    }

    /// Whether a name is used in a `test`.
    pub(super) fn is_in_test(&self, one: &Use) -> bool {
        let Ok(file) = self.file(one.file) else {
            return false;
        };
        let around = index_at(&file.nodes, one.token.start);
        around.is_some_and(|nth| file.nodes[nth].name.value == "test")
    }
}
