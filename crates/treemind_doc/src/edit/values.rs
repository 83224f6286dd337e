//! The values of enumerations: which enumeration a value is one of depends on types, so the checks find their uses.

use super::change::Change;
use super::error::EditError;
use super::{Editor, called};
use crate::diagnostic::Severity;
use crate::symbols::{Home, NamedValue, Names, SymbolId, SymbolKind, Use, values_of};
use crate::syntax::{Node, Value};
use crate::{Said, said};
use std::collections::{BTreeSet, HashMap, HashSet};

impl Editor {
    /// All places that name values of enumerations. They are collected on the first call after a change.
    pub(super) fn value_names(&self) -> &Names {
        self.value_names.get_or_init(|| {
            let files = self.files.iter();
            let files: Vec<_> = files.map(|file| (file.text(), &file.nodes[..])).collect();
            let enabled = self.enabled();
            let mut named = BTreeSet::new();
            self.named_values(self, &mut named);
            if let Some(enabled) = &enabled {
                self.named_values(enabled, &mut named);
            }
            values_of(&files, &named)
        })
    }

    /// Adds the places that the checked document of an editor with the same files names.
    fn named_values<'v>(&self, checked: &'v Self, named: &mut BTreeSet<NamedValue<'v>>) {
        let document = checked.document();
        let mut begins = Vec::new();
        let mut end = 0;
        for source in &document.sources {
            begins.push((end, self.file_named(source.name())));
            // Each file begins behind the end of the one before.
            end += source.text().len() + 1;
        }
        for one in &document.checked.value_names {
            let at = begins.partition_point(|(begin, _)| *begin <= one.token);
            let Some((begin, Some(file))) = at.checked_sub(1).map(|at| begins[at]) else {
                continue;
            };
            let (list, position) = one.value;
            let list = document.checked.enums.get(list.index());
            named.extend(list.map(|list| NamedValue {
                file,
                token: one.token - begin,
                said: one.said,
                value: (&list.values, position),
                declares: one.declares,
            }));
        }
    }

    /// The same texts with blanks instead of `disabled=#true`, so that what is disabled is checked, too, and every place
    /// stays where it is. Nothing when nothing is disabled.
    fn enabled(&self) -> Option<Self> {
        let mut is_any = false;
        let mut texts = Vec::new();
        for file in &self.files {
            let mut text = file.text().to_owned();
            let mut pending: Vec<&Node> = file.nodes.iter().collect();
            while let Some(node) = pending.pop() {
                pending.extend(node.children());
                for entry in &node.entries {
                    let name = entry.name.as_ref().map(|name| name.value.as_str());
                    if name == Some("disabled") && entry.value == Value::Bool(true) {
                        is_any = true;
                        let blanks = " ".repeat(entry.span.len());
                        text.replace_range(entry.span.clone(), &blanks);
                    }
                }
            }
            texts.push((file.source.name().to_owned(), text));
        }
        is_any.then(|| Self::of_texts(&texts))
    }

    /// Refuses a change after which a document has a new error, or a value is named elsewhere than before.
    pub(super) fn values_stay(
        &self,
        change: &Change,
        (id, new): (SymbolId, &str),
    ) -> Result<(), EditError> {
        let mut after = self.clone();
        after.apply(change)?;
        let errors = |editor: &Self| -> HashMap<&'static str, usize> {
            let mut errors = HashMap::new();
            let all = editor.document().diagnostics().iter();
            for error in all.filter(|one| one.severity() == Severity::Error) {
                *errors.entry(error.code().as_str()).or_default() += 1;
            }
            errors
        };
        let had = errors(self);
        let has = errors(&after);
        if let Some((code, _)) = has
            .iter()
            .find(|(code, count)| had.get(*code) < Some(count))
        {
            let mut all = after.document().diagnostics().iter();
            let message = all.find(|one| one.code().as_str() == *code);
            let message = message.map_or(Said::Text(String::new()), |one| {
                said!("line {}: {}", one.line_column().0, one.said())
            });
            return Err(EditError::new(said!(
                "the document would have a new error with `{}`: {}",
                called(new),
                message
            )));
        }
        let (before, names) = (self.value_names(), after.value_names());
        let symbol = &before.symbols[id];
        let listed = |names: &Names, one: &Use| -> Vec<(String, Vec<(usize, usize)>)> {
            let symbols = one.symbols.iter().map(|id| &names.symbols[*id]);
            let all = symbols.map(|symbol| (symbol.name.clone(), symbol.declared.clone()));
            all.collect()
        };
        let is_same = before.uses.len() == names.uses.len()
            && before.uses.iter().zip(&names.uses).all(|(one, other)| {
                let mut expected = listed(before, one);
                for ((name, declared), id) in expected.iter_mut().zip(&one.symbols) {
                    if before.symbols[*id].home == symbol.home && *name == symbol.name {
                        new.clone_into(name);
                    }
                    for (file, at) in declared {
                        *at = change.moved(*file, *at);
                    }
                }
                one.file == other.file && expected == listed(names, other)
            });
        match is_same {
            true => Ok(()),
            false => Err(EditError::new(said!(
                "with the name `{}`, some value would be one of another enumeration",
                called(new)
            ))),
        }
    }

    /// Refuses a name that another value of the enumeration has, and one with which two enumerations would be one.
    pub(super) fn may_name_value(&self, id: SymbolId, new: &str) -> Result<(), EditError> {
        let names = self.value_names();
        let symbol = &names.symbols[id];
        super::rename::may_name(SymbolKind::EnumValue, new)?;
        if names
            .symbols
            .find(SymbolKind::EnumValue, symbol.home, new)
            .is_some()
        {
            return Err(EditError::new(said!(
                "another value of this enumeration is named `{}`",
                called(new)
            )));
        }
        let values = |home: Home| -> HashSet<&str> {
            let symbols = names.symbols.iter();
            let own = symbols.filter(|one| one.home == home);
            own.map(|one| one.name.as_str()).collect()
        };
        let mut renamed = values(symbol.home);
        renamed.remove(symbol.name.as_str());
        renamed.insert(new);
        let homes: HashSet<Home> = names.symbols.iter().map(|one| one.home).collect();
        if homes
            .into_iter()
            .any(|home| home != symbol.home && values(home) == renamed)
        {
            return Err(EditError::new(said!(
                "with the name `{}`, another enumeration would have the same values and be the same type",
                called(new)
            )));
        }
        Ok(())
    }
}
