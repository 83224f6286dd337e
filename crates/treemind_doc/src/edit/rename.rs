//! Renaming a definition with all its uses.

use super::change::{Change, Splice};
use super::error::EditError;
use super::place::At;
use super::{Editor, called};
use crate::code::Code;
use crate::symbols::{Home, Names, Symbol, SymbolKind, Use};
use crate::syntax::{Node, Value, is_word, write};
use crate::{Said, said};
use std::collections::HashSet;

impl Editor {
    /// Renames the symbol at a byte everywhere: its definition and all its uses in every file, in values, properties,
    /// expressions, statements, `"{key}"`, texts of `log`, and paths of states. A value of an enumeration is renamed in
    /// all equal lists, which are one type. Where there is no name, the one after the first word of the node counts.
    ///
    /// After the change, every name in the document stands for the same thing as before.
    ///
    /// # Errors
    /// When there is no name, when the new name is not valid for that kind or is taken, and when some name would stand
    /// for something else after the change.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = r#"machine m {
    ///     initial on.idle
    ///     state on { initial idle; state idle { transition to="off" when="true"; }; }
    ///     state off { transition to=on.idle; }
    /// }"#;
    /// let editor = Editor::new(Document::parse(text, "m.kdl"))?;
    /// let change = editor.rename(text.find("idle;").unwrap(), "waiting")?;
    /// assert_eq!(change.splices().len(), 4);
    ///
    /// let taken = editor.rename(text.find("on {").unwrap(), "off").unwrap_err();
    /// assert_eq!(taken.message(), "another state beside it is named `off`");
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn rename(&self, at: impl Into<At>, new: &str) -> Result<Change, EditError> {
        let at = at.into();
        self.file(at.file)?;
        let (names, named) = match self.value_at(at) {
            Some(value) => (self.value_names(), Some(value)),
            None => (self.names(), self.named_at(at)),
        };
        let Some(named) = named else {
            return Err(
                EditError::new(said!("there is no defined name here")).at(at.file, at.offset)
            );
        };
        let id = named.symbols[0];
        let symbol = &names.symbols[id];
        let (kind, old) = (symbol.kind, symbol.name.as_str());
        let label = said!(
            "rename {} {} to {}",
            symbol.what(),
            called(old),
            called(new)
        );
        if named.symbols.len() > 1 {
            return Err(EditError::new(said!("`{}` means different things here, depending on where the tree is used; rename it where it is defined", called(old)))
            .at(at.file, at.offset));
        }
        if old == new {
            return Change::new(label, Vec::new());
        }
        let is_value = kind == SymbolKind::EnumValue;
        match is_value {
            true => self.may_name_value(id, new)?,
            false => self.may_be_named(names, symbol, new)?,
        }
        let mut splices = Vec::new();
        let mut quoted: HashSet<(usize, usize)> = HashSet::new();
        for one in names.uses_of(id) {
            self.respell(one, new, &mut quoted, &mut splices)?;
        }
        let change = Change::new(label, splices)?;
        self.means_the_same(self.names(), &change, new)?;
        if is_value {
            self.values_stay(&change, (id, new))?;
        }
        let unread = self.unread(kind, old);
        Ok(change.renaming(old, new).noting(unread))
    }

    /// Where expressions with mistakes have a name: nobody knows what it stands for there, so it is not renamed.
    fn unread(&self, kind: SymbolKind, old: &str) -> Vec<Said> {
        let in_expressions = [
            SymbolKind::Key,
            SymbolKind::Port,
            SymbolKind::Item,
            SymbolKind::Param,
            SymbolKind::EnumValue,
        ];
        if !in_expressions.contains(&kind) {
            return Vec::new();
        }
        let mistakes = self.document().diagnostics().iter();
        let mistakes = mistakes
            .filter(|found| matches!(found.code(), Code::ExpressionSyntax | Code::ScriptSyntax));
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for mistake in mistakes {
            let (source, offset) = (mistake.source(), mistake.span().start);
            let Some(file) = self.file_named(source.name()) else {
                continue;
            };
            let Ok(found) = self.find(At { file, offset }) else {
                continue;
            };
            let has_it = found.node().entries.iter().any(|entry| {
                let text = entry.value.text();
                let is_here = entry.value_span.start <= offset && offset <= entry.value_span.end;
                is_here && text.is_some_and(|text| names_it(&text.value, old))
            });
            let line = (file, source.line_column(offset).0);
            if has_it && !lines.contains(&line) {
                lines.push(line);
            }
        }
        let said = lines.into_iter().map(|(file, line)| {
            let place = match self.files.len() {
                1 => said!("line {}", line),
                _ => said!("line {} of `{}`", line, self.name(file)),
            };
            said!(
                "the expression in {} has a mistake, so `{}` was not renamed in it",
                place,
                called(old)
            )
        });
        said.collect()
    }

    /// Adds the bytes that change where a name is used.
    fn respell(
        &self,
        one: &Use,
        new: &str,
        quoted: &mut HashSet<(usize, usize)>,
        splices: &mut Vec<Splice>,
    ) -> Result<(), EditError> {
        let mut word = new.to_owned();
        if one.role.is_underscored {
            word = word.replace('-', "_");
        }
        if one.span == one.token {
            let mut out = String::new();
            if one.bare {
                write::word(&word, &mut out);
            } else {
                write::quoted(&word, &mut out);
            }
            word = out;
        } else if one.bare
            && !word.chars().all(is_word)
            && quoted.insert((one.file, one.token.start))
        {
            // With the new name in it, the word around the name needs quotes.
            for end in [one.token.start, one.token.end] {
                splices.push(self.splice(one.file, end..end, "\"".to_owned())?);
            }
        }
        splices.push(self.splice(one.file, one.span.clone(), word)?);
        Ok(())
    }

    /// Refuses a name that the symbol cannot have, judged without its uses.
    fn may_be_named(&self, names: &Names, symbol: &Symbol, new: &str) -> Result<(), EditError> {
        let (kind, old) = (symbol.kind, called(&symbol.name));
        may_name(kind, new)?;
        let many = !matches!(kind, SymbolKind::Label | SymbolKind::Semaphore);
        if let [first, second, ..] = &symbol.declared[..]
            && many
        {
            return Err(EditError::new(said!(
                "`{}` is defined twice, so the name is ambiguous",
                old
            ))
            .at(second.0, second.1.max(first.1)));
        }
        let rivals: &[SymbolKind] = match kind {
            SymbolKind::Key | SymbolKind::Port => &[SymbolKind::Key, SymbolKind::Port],
            _ => &[kind],
        };
        for rival in rivals {
            if let Some(other) = names.symbols.find(*rival, symbol.home, new) {
                let place = names.symbols[other].declared.first();
                let error = EditError::new(said!(
                    "another {} is named `{}`",
                    names.symbols[other].what(),
                    called(new)
                ));
                return Err(match place {
                    Some((file, offset)) => error.at(*file, *offset),
                    None => error,
                });
            }
        }
        match kind {
            SymbolKind::State | SymbolKind::Rule | SymbolKind::NodeName => self.beside(symbol, new),
            SymbolKind::Tree => self.chosen_by_key(names, &symbol.name),
            _ => Ok(()),
        }
        .map_err(|error| match error.place() {
            Some(_) => error,
            None => EditError::new(said!("this {} cannot be renamed: {}", symbol.what(), error)),
        })
    }

    /// Refuses a name that a sibling already has.
    fn beside(&self, symbol: &Symbol, new: &str) -> Result<(), EditError> {
        let Home::Node(file, offset) = symbol.home else {
            return Ok(());
        };
        let found = self.find(At { file, offset })?;
        let what = symbol.kind;
        let has_it = |node: &&Node| {
            let name = match symbol.kind {
                SymbolKind::State if ["state", "parallel"].contains(&node.name.value.as_str()) => {
                    node.first_text()
                }
                SymbolKind::Rule if node.name.value == "rule" => node.first_text(),
                SymbolKind::State | SymbolKind::Rule => None,
                _ => node.property_text("name"),
            };
            name.is_some_and(|name| name.value == new)
        };
        match found.siblings.iter().find(has_it) {
            Some(other) => Err(EditError::new(said!(
                "another {} beside it is named `{}`",
                what,
                called(new)
            ))
            .at(file, other.span.start)),
            None => Ok(()),
        }
    }

    /// Refuses to rename a tree that a key may choose: the values of the key would not be renamed.
    pub(super) fn chosen_by_key(&self, names: &Names, tree: &str) -> Result<(), EditError> {
        let value = tree.replace('-', "_");
        for (number, file) in self.files.iter().enumerate() {
            let mut pending: Vec<&Node> = file.nodes.iter().collect();
            while let Some(node) = pending.pop() {
                pending.extend(node.children());
                if node.name.value != "subtree-by" {
                    continue;
                }
                let listed = node
                    .property_text("of")
                    .map(|of| of.value.split_whitespace().any(|word| word == tree));
                let may_be = listed.unwrap_or_else(|| {
                    let key = node.entries.first().map(|entry| entry.value_span.clone());
                    let key = key.and_then(|span| {
                        let here = |one: &&Use| one.file == number && one.token == span;
                        names.uses.iter().find(here)?.symbols.first()
                    });
                    let values = key.and_then(|key| self.values_of(&names.symbols[*key]));
                    // If the values are not listed, the key may choose any tree.
                    values.is_none_or(|values| {
                        values.iter().any(|name| *name == tree || *name == value)
                    })
                });
                if may_be {
                    return Err(EditError::new(said!("`subtree-by` may select `{}` by a key, and the values of the key would keep the old name", called(tree)))
                    .at(number, node.span.start));
                }
            }
        }
        Ok(())
    }

    /// The values of a key, if its type is an enumeration.
    fn values_of(&self, symbol: &Symbol) -> Option<Vec<&str>> {
        let found = self.find((*symbol.declared.first()?).into()).ok()?;
        let node = found.node();
        if node.property_text("type")?.value != "enum" {
            return None;
        }
        let lists = node
            .children()
            .iter()
            .filter(|child| child.name.value == "value");
        let entries = lists.flat_map(|list| &list.entries);
        let values = entries.filter_map(|entry| match &entry.value {
            Value::Text(text) => Some(text.value.as_str()),
            _ => None,
        });
        Some(values.collect())
    }

    /// Refuses a change after which some name would stand for something else.
    fn means_the_same(&self, before: &Names, change: &Change, new: &str) -> Result<(), EditError> {
        let mut after = self.clone();
        after.apply(change)?;
        let names = after.names();
        let differs = |(one, other): &(&Use, &Use)| {
            let moved = change.moved(one.file, one.token.start);
            one.symbols != other.symbols
                || one.file != other.file
                || one.role.declares != other.role.declares
                // A word that needs quotes now begins with a quote.
                || moved.abs_diff(other.token.start) > 1
        };
        let mut pairs = before.uses.iter().zip(&names.uses);
        let (at, file) = match pairs.find(differs) {
            Some((one, other)) => {
                // Whichever comes first is the name that is missing or new.
                let moved = change.moved(one.file, one.token.start);
                let is_missing = (one.file, moved) <= (other.file, other.token.start);
                match is_missing {
                    true => (moved, one.file),
                    false => (other.token.start, other.file),
                }
            }
            None => {
                let longer = match before.uses.len().cmp(&names.uses.len()) {
                    std::cmp::Ordering::Equal => return Ok(()),
                    std::cmp::Ordering::Less => names.uses.get(before.uses.len()),
                    std::cmp::Ordering::Greater => before.uses.get(names.uses.len()),
                };
                longer.map_or((0, 0), |one| (one.token.start, one.file))
            }
        };
        let source = &after.files[file].source;
        let (line, _) = source.line_column(at);
        let place = match self.files.len() {
            1 => said!("line {}", line),
            _ => said!("line {} of `{}`", line, source.name()),
        };
        let undone = change.inverse().moved(file, at);
        Err(EditError::new(said!(
            "the name `{}` would change the meaning of something in {}",
            called(new),
            place
        ))
        .at(file, undone))
    }
}

/// Whether a text has a name as a whole word.
fn names_it(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    })
}

/// Refuses a name that is not valid for that kind.
pub(super) fn may_name(kind: SymbolKind, new: &str) -> Result<(), EditError> {
    let what = kind;
    let refuse = |why: Said| {
        Err(EditError::new(said!(
            "`{}` is not a valid name for a {}: {}",
            called(new),
            what,
            why
        )))
    };
    let bad = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, ':' | ';' | '|' | ',' | '"' | '\\' | '{' | '}')
    };
    match kind {
        SymbolKind::Key
        | SymbolKind::Port
        | SymbolKind::Item
        | SymbolKind::Param
        | SymbolKind::EnumValue => {
            let begins = new.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !begins || !new.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return refuse(said!(
                    "expressions use it, so it can only have letters, digits and `_`"
                ));
            }
            let reserved = ["true", "false", "if", "else", "in"].contains(&new);
            if reserved && kind != SymbolKind::Param {
                return refuse(said!("it is a keyword of expressions"));
            }
            Ok(())
        }
        SymbolKind::NodeName if new.trim().is_empty() => refuse(said!("it is empty")),
        SymbolKind::NodeName => Ok(()),
        _ if new.is_empty() => refuse(said!("it is empty")),
        _ if new.contains(bad) => refuse(said!("use letters, digits and `-`")),
        SymbolKind::State if new.contains('.') => {
            refuse(said!("dots separate the names in a path of states"))
        }
        _ => Ok(()),
    }
}

/// Whether a node counts as a child of the node above it.
pub(super) fn counts_above(node: &Node) -> bool {
    let per = node.entry("per").map(|entry| &entry.value);
    node.name.value == "limit" && matches!(per, Some(Value::Text(text)) if text.value == "parent")
}
