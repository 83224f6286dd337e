//! Keys of the blackboard and parameters of leaves: adding them, and giving them another type, default or scope.

use super::change::Change;
use super::entries::NewValue;
use super::error::EditError;
use super::place::{Among, At, LocatedNode};
use super::rename::may_name;
use super::snippet::Snippet;
use super::{Editor, called};
use crate::language::{BLACKBOARD_SCOPE, TYPES};
use crate::symbols::{Home, SymbolKind};
use crate::syntax::gaps::indent;
use crate::syntax::{Node, Value, write};
use crate::{Said, said};
use treemind_core::behaviour::Scope;

/// What declares a value with a type.
const TYPED: [&str; 5] = ["key", "in", "out", "inout", "param"];
/// What comes after the blackboards of a document.
const BEHIND: [&str; 7] = [
    "leaves",
    "tree",
    "machine",
    "decide",
    "planner",
    "archetype",
    "test",
];

/// A key or a parameter that is to be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewKey<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its type, as documents write it.
    pub ty: &'t str,
    /// What it holds at first, as one types it; empty for the usual value of the type.
    pub default: &'t str,
    /// What it is for; empty for nothing.
    pub doc: &'t str,
    /// For `enum`: its values, separated by blanks.
    pub values: &'t str,
}

impl NewKey<'_> {
    /// Its line in a document that begins with this word.
    fn line(&self, word: &str) -> Result<String, EditError> {
        known(self.ty)?;
        let mut out = format!("{word} ");
        write::word(self.name, &mut out);
        out.push_str(" type=");
        out.push_str(self.ty);
        if !self.default.is_empty() {
            out.push_str(" default=");
            let value = of_type(self.ty, self.default, self.values)?;
            out.push_str(&value.written(self.ty == "string")?);
        }
        if !self.doc.is_empty() {
            out.push_str(" doc=");
            write::quoted(self.doc, &mut out);
        }
        if self.ty == "enum" {
            out.push_str(&format!(" {{ {}; }}", listed(self.values)?));
        }
        Ok(out)
    }
}

impl Editor {
    /// Adds a key to the end of the last `blackboard` with that scope, in the first file that has one. If there is none,
    /// one is created in the first file, behind its other blackboards.
    ///
    /// # Errors
    /// When the name is not valid or is taken, when there is no such type, and when the default is no value of it.
    ///
    /// ```
    /// use treemind_core::behaviour::Scope;
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, NewKey};
    ///
    /// let text = "tree guard { check \"health < 20\"; }\n";
    /// let editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let key = NewKey { name: "health", ty: "float", default: "100", ..NewKey::default() };
    /// assert_eq!(
    ///     editor.add_key(&key, Scope::Agent)?.apply_to(0, text)?,
    ///     "blackboard {\n    key health type=float default=100.0\n}\n\ntree guard { check \"health < 20\"; }\n"
    /// );
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn add_key(&self, key: &NewKey<'_>, scope: Scope) -> Result<Change, EditError> {
        may_name(SymbolKind::Key, key.name)?;
        let names = self.names();
        for kind in [SymbolKind::Key, SymbolKind::Port] {
            let taken = names.symbols.find(kind, Home::Everywhere, key.name);
            if let Some(other) = taken {
                let error = EditError::new(said!("another key is named `{}`", called(key.name)));
                let place = names.symbols[other].declared.first();
                return Err(place.map_or(error.clone(), |(file, at)| error.at(*file, *at)));
            }
        }
        let line = key.line("key")?;
        let label = said!("add key {}", called(key.name));
        let splice = match self.blackboard(scope, 0) {
            Some(among) => {
                let unit = self.file(among.file)?.unit();
                self.put(&among, &Snippet::given(&line, &unit)?)?
            }
            None => self.new_blackboard(scope, 0, &line)?,
        };
        Change::new(label, vec![splice])
    }

    /// Adds a parameter to a leaf of the manifest.
    ///
    /// # Errors
    /// When the node is not a leaf of the manifest, and as [`add_key`](Self::add_key).
    pub fn add_param(&self, at: impl Into<At>, param: &NewKey<'_>) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if found.parent_word() != "leaves" {
            return refuse(said!(
                "`{}` is not a leaf of the manifest",
                called(found.word())
            ));
        }
        may_name(SymbolKind::Param, param.name)?;
        let is_taken = |child: &Node| {
            child.name.value == "param"
                && child
                    .first_text()
                    .is_some_and(|one| one.value == param.name)
        };
        if node.children().iter().any(is_taken) {
            return refuse(said!("another parameter is named `{}`", called(param.name)));
        }
        let splice = self.put_in(&found, node.children().len(), &param.line("param")?)?;
        Change::new(said!("add parameter {}", called(param.name)), vec![splice])
    }

    /// Sets what a key, port or parameter holds at first: a text as one types it, without quotes.
    ///
    /// # Errors
    /// When the node is none of these, when it is a list, and when the text is no value of its type.
    pub fn set_default(&self, at: impl Into<At>, text: &str) -> Result<Change, EditError> {
        let found = self.typed_at(at.into())?;
        let node = found.node();
        if node.entry("list").is_some() {
            return Err(EditError::new(said!(
                "the items that a list starts with are in its block"
            ))
            .at(found.file, node.span.start));
        }
        let ty = node
            .property_text("type")
            .map_or("", |ty| ty.value.as_str());
        let value = of_type(ty, text, &values_of(node))?;
        let splice = self.set_property(&found, "default", &value)?;
        Change::new(said!("set default of {}", said(node)), vec![splice])
    }

    /// Gives a key, port or parameter another type. A default that is no value of the new type is dropped, which
    /// [`Change::notes`] says; so are the values of an enumeration.
    ///
    /// # Errors
    /// When the node is none of these, when there is no such type, and when an enumeration gets no values.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "blackboard { key health type=float default=99.5; }\n";
    /// let editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let change = editor.set_type(text.find("key").unwrap(), "int", "")?;
    /// assert_eq!(change.apply_to(0, text)?, "blackboard { key health type=int; }\n");
    /// assert_eq!(change.notes(), ["`99.5` is no value of the type int, so the default is dropped"]);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn set_type(&self, at: impl Into<At>, ty: &str, values: &str) -> Result<Change, EditError> {
        let found = self.typed_at(at.into())?;
        known(ty)?;
        let node = found.node();
        let old_values = values_of(node);
        let values = if values.is_empty() {
            &old_values
        } else {
            values
        };
        let mut splices =
            vec![self.set_property(&found, "type", &NewValue::Text(ty.to_owned()))?];
        let mut notes = Vec::new();
        if let Some(entry) = node.entry("default") {
            let text = match &entry.value {
                Value::Text(text) => text.value.clone(),
                _ => self.text(found.file)[entry.value_span.clone()].to_owned(),
            };
            match of_type(ty, &text, values) {
                Ok(value) => splices.push(self.set_property(&found, "default", &value)?),
                Err(why) => {
                    notes.push(said!("{}, so the default is dropped", why));
                    let range = self.entry_with_blank(found.file, entry)?;
                    splices.push(self.splice(found.file, range, String::new())?);
                }
            }
        }
        splices.extend(self.values_spliced(&found, ty, values)?);
        let label = said!("set type of {}", said(node));
        Ok(Change::new(label, splices)?.noting(notes))
    }

    /// The splices by which a node gets or loses the list of its values.
    fn values_spliced(
        &self,
        found: &LocatedNode<'_>,
        ty: &str,
        values: &str,
    ) -> Result<Vec<super::Splice>, EditError> {
        let node = found.node();
        let is_values = |child: &Node| child.name.value == "value";
        let old = node.children().iter().position(is_values);
        let same = old.is_some() && ty == "enum" && values == values_of(node);
        if same {
            return Ok(Vec::new());
        }
        let mut splices = Vec::new();
        let all = node.children().len();
        match (ty == "enum", old) {
            (true, Some(nth)) => {
                let span = node.children()[nth].span.clone();
                splices.push(self.splice(found.file, span, listed(values)?)?);
            }
            (true, None) => {
                let block = format!(" {{ {}; }}", listed(values)?);
                match all {
                    0 if node.extent().end == node.span.end => {
                        let end = node.span.end;
                        splices.push(self.splice(found.file, end..end, block)?);
                    }
                    _ => splices.push(self.put_in(found, 0, &listed(values)?)?),
                }
            }
            (false, Some(_)) if all == 1 => {
                // With its only child, the block goes, too.
                let block = node.span.end..node.extent().end;
                splices.push(self.splice(found.file, block, String::new())?);
            }
            (false, Some(nth)) => {
                let file = self.file(found.file)?;
                let (range, rest) = file.removal(Some(node), node.children(), nth);
                splices.push(self.splice(found.file, range, rest.to_owned())?);
            }
            (false, None) => {}
        }
        Ok(splices)
    }

    /// Lets other agents share a key of a blackboard, or no longer: it moves, with its comments, to a blackboard with that
    /// scope. A blackboard in which no key is left goes away, or gets the new scope if it would be the only one that has it.
    ///
    /// # Errors
    /// When the node is not a key of a blackboard.
    pub fn set_scope(&self, at: impl Into<At>, scope: Scope) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let label = said!("set scope of {}", said(node));
        let parent = found
            .parent()
            .filter(|parent| parent.name.value == "blackboard" && node.name.value == "key");
        let Some(parent) = parent else {
            return Err(EditError::new(said!(
                "only a key of a `blackboard` can be shared by others"
            ))
            .at(found.file, node.span.start));
        };
        if scope_of(parent) == Some(scope) {
            return Change::new(label, Vec::new());
        }
        let own = self.find(At::from((found.file, parent.span.start)))?;
        let is_last = found.siblings.len() == 1;
        let target = self.blackboard(scope, found.file);
        if is_last && target.is_none() {
            let splice = match scope {
                Scope::Agent => {
                    let entry = parent.entry("scope");
                    let entry = entry
                        .ok_or_else(|| EditError::new(said!("the blackboard has no scope")))?;
                    let range = self.entry_with_blank(found.file, entry)?;
                    self.splice(found.file, range, String::new())?
                }
                scope => {
                    let value = NewValue::Text(word_of(scope).to_owned());
                    self.set_property(&own, "scope", &value)?
                }
            };
            return Change::new(label, vec![splice]);
        }
        let file = self.file(found.file)?;
        let slot = file.slot_of(&found);
        let text = slot.text(file.text());
        let snippet = Snippet::taken(&text, indent(file.text(), slot.start));
        let away = match is_last {
            true => self.taken_away(&own)?,
            false => self.taken_away(&found)?,
        };
        let here = match target {
            Some(among) => self.put(&among, &snippet)?,
            None => self.new_blackboard(scope, found.file, &snippet.indented("", "\n"))?,
        };
        Change::new(label, vec![away, here])
    }

    /// The place behind the last key of a blackboard with a scope: in this file, if it has one.
    pub(super) fn blackboard(&self, scope: Scope, first: usize) -> Option<Among<'_>> {
        let others = (0..self.files.len()).filter(|file| *file != first);
        let mut files = std::iter::once(first).chain(others);
        files.find_map(|file| {
            let nodes = self.files.get(file).filter(|one| one.whole)?.nodes.iter();
            let mut nodes = nodes.filter(|node| node.name.value == "blackboard");
            let found = nodes.rfind(|node| scope_of(node) == Some(scope))?;
            Some(Among {
                file,
                path: vec![found],
                siblings: found.children(),
                index: found.children().len(),
                is_behind: false,
            })
        })
    }

    /// A blackboard with a first key, behind the others of the file, and before everything else but imports.
    pub(super) fn new_blackboard(
        &self,
        scope: Scope,
        number: usize,
        line: &str,
    ) -> Result<super::Splice, EditError> {
        let file = self.file(number)?;
        let is_one = |node: &Node| node.name.value == "blackboard";
        let last = file.nodes.iter().rposition(is_one);
        let is_behind = |node: &Node| BEHIND.contains(&node.name.value.as_str());
        let next = file.nodes.iter().position(is_behind);
        let among = Among {
            file: number,
            path: Vec::new(),
            siblings: &file.nodes,
            index: last
                .map(|last| last + 1)
                .or(next)
                .unwrap_or(file.nodes.len()),
            is_behind: last.is_some(),
        };
        let head = match scope {
            Scope::Agent => String::new(),
            scope => format!("scope={} ", word_of(scope)),
        };
        let block = format!("blackboard {head}{{\n{line}\n}}");
        let mut splice = self.put(&among, &Snippet::given(&block, &file.unit())?)?;
        // An empty line goes between it and what is beside it.
        if last.is_some() && splice.new.contains('\n') {
            splice.new.insert_str(0, file.line_end());
        } else if next.is_some() && splice.new.ends_with('\n') {
            splice.new.push_str(file.line_end());
        }
        Ok(splice)
    }

    /// The key, port or parameter at a place.
    fn typed_at(&self, at: At) -> Result<LocatedNode<'_>, EditError> {
        let found = self.find(at)?;
        // Nodes of a tree give values to parameters by the same word.
        let is_given = found.word() == "param" && found.definition().name.value != "leaves";
        match TYPED.contains(&found.word()) && !is_given {
            true => Ok(found),
            false => Err(EditError::new(said!(
                "`{}` has no type; keys, ports and parameters of leaves have one",
                called(found.word())
            ))
            .at(found.file, found.node().span.start)),
        }
    }
}

/// How a key, port or parameter is called in labels.
fn said(node: &Node) -> String {
    called(
        node.first_text()
            .map_or(node.name.value.as_str(), |name| &name.value),
    )
}

/// The scope of a blackboard; `None` if it has one that there is not.
pub(super) fn scope_of(blackboard: &Node) -> Option<Scope> {
    match blackboard.property_text("scope") {
        None => Some(Scope::Agent),
        Some(text) => BLACKBOARD_SCOPE.form.meaning(&text.value),
    }
}

/// The word of a scope.
pub(super) fn word_of(scope: Scope) -> &'static str {
    BLACKBOARD_SCOPE.form.word(scope)
}

/// Refuses a type that there is not.
fn known(ty: &str) -> Result<(), EditError> {
    match TYPES.contains(&ty) {
        true => Ok(()),
        false => Err(EditError::new(said!(
            "unknown type `{}`; the types are {}",
            called(ty),
            format!("`{}`", TYPES.join("`, `"))
        ))),
    }
}

/// The line with the values of an enumeration.
fn listed(values: &str) -> Result<String, EditError> {
    let mut out = String::from("value");
    for value in values.split_whitespace() {
        out.push(' ');
        write::word(value, &mut out);
    }
    match out.len() {
        5 => Err(EditError::new(said!("an enumeration needs its values"))),
        _ => Ok(out),
    }
}

/// The values of an enumeration, separated by blanks.
pub(super) fn values_of(node: &Node) -> String {
    let lists = node.children().iter();
    let lists = lists.filter(|child| child.name.value == "value");
    let texts = lists.flat_map(|list| list.entries.iter().filter_map(|entry| entry.value.text()));
    let texts: Vec<&str> = texts.map(|text| text.value.as_str()).collect();
    texts.join(" ")
}

/// A value of a type, by what somebody types.
fn of_type(ty: &str, text: &str, values: &str) -> Result<NewValue, EditError> {
    let trimmed = text.trim();
    let parts = |wanted: usize| {
        let mut all = trimmed.split(',');
        let is_number = |part: &str| part.trim().parse::<f32>().is_ok_and(f32::is_finite);
        all.clone().count() == wanted && all.all(is_number)
    };
    let number = trimmed.parse::<f64>().ok().filter(|one| one.is_finite());
    let whole = number.filter(|one| one.fract() == 0.0 && one.abs() < 9.0e15);
    let value = match ty {
        "bool" => match trimmed {
            "true" | "#true" => Some(NewValue::Bool(true)),
            "false" | "#false" => Some(NewValue::Bool(false)),
            _ => None,
        },
        "int" | "entity" if trimmed.parse::<i64>().is_ok() => {
            Some(NewValue::Number(trimmed.to_owned()))
        }
        "int" | "entity" => whole.map(|one| NewValue::Number(format!("{one:.0}"))),
        "float" | "double" if trimmed.parse::<i64>().is_ok() => {
            Some(NewValue::Number(format!("{trimmed}.0")))
        }
        "float" | "double" => number.map(|_| NewValue::Number(trimmed.to_owned())),
        "enum" => {
            let is_known = values.split_whitespace().any(|one| one == trimmed);
            is_known.then(|| NewValue::Text(trimmed.to_owned()))
        }
        "vec2" => parts(2).then(|| NewValue::Text(trimmed.to_owned())),
        "vec3" => parts(3).then(|| NewValue::Text(trimmed.to_owned())),
        "string" => Some(NewValue::Text(text.to_owned())),
        _ => Some(NewValue::typed(text)),
    };
    value.ok_or_else(|| EditError::new(said!("`{}` is no value of the type {}", called(text), ty)))
}
