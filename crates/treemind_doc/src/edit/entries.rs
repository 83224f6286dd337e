//! Setting, changing and removing values and properties.

use super::change::{Change, Splice};
use super::error::EditError;
use super::layout::is_blank;
use super::machines::{is_state, is_state_word, is_true};
use super::outline::spot_of;
use super::place::{Among, At, LocatedNode};
use super::snippet::Snippet;
use super::structure::is_only_root;
use super::{Editor, called};
use crate::diagnostic::Sink;
use crate::language::{self, Spot};
use crate::source::Source;
use crate::syntax::gaps::starts_line;
use crate::syntax::{Entry, Node, Text, Value, is_space, parse, write};
use crate::{Said, said};
use std::ops::Range;
use std::sync::Arc;

/// A value to write into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewValue {
    /// `#true` or `#false`.
    Bool(bool),
    /// A number in KDL. It is written exactly as given: `0x1F` stays `0x1F`.
    Number(String),
    /// A name, an expression or any other text. It is written without quotes where that is possible and usual.
    Text(String),
}

impl From<bool> for NewValue {
    fn from(value: bool) -> Self {
        NewValue::Bool(value)
    }
}

impl From<i64> for NewValue {
    fn from(value: i64) -> Self {
        NewValue::Number(value.to_string())
    }
}

impl From<f64> for NewValue {
    /// The number gets a decimal point even if it is whole. NaN and the infinities are written as in KDL: `#nan`.
    fn from(value: f64) -> Self {
        let mut out = String::new();
        write::plain(treemind_core::Value::Double(value), &mut out);
        NewValue::Number(out)
    }
}

impl From<&str> for NewValue {
    fn from(value: &str) -> Self {
        NewValue::Text(value.to_owned())
    }
}

impl From<String> for NewValue {
    fn from(value: String) -> Self {
        NewValue::Text(value)
    }
}

/// Properties whose texts are expressions, statements or sentences. These texts are written in quotes.
const QUOTED: &[&str] = &[
    "doc",
    "fail-if",
    "succeed-if",
    "skip-if",
    "when",
    "while",
    "on-success",
    "on-failure",
    "on-abort",
    "on-end",
    "score",
    "enter-if",
    "value",
    "in",
];

impl NewValue {
    /// What somebody types as a value: `true`, a number, or a text.
    pub fn typed(text: &str) -> Self {
        match text {
            "true" | "#true" => NewValue::Bool(true),
            "false" | "#false" => NewValue::Bool(false),
            _ if text.parse::<f64>().is_ok_and(f64::is_finite) && is_number(text) => {
                NewValue::Number(text.to_owned())
            }
            _ => NewValue::Text(text.to_owned()),
        }
    }

    pub(super) fn written(&self, is_quoted: bool) -> Result<String, EditError> {
        let mut out = String::new();
        match self {
            NewValue::Bool(value) => out.push_str(if *value { "#true" } else { "#false" }),
            NewValue::Number(number) => {
                if !is_number(number) {
                    return Err(EditError::new(said!("`{}` is not a number in KDL", number)));
                }
                out.push_str(number);
            }
            NewValue::Text(text) if is_quoted => write::quoted(text, &mut out),
            NewValue::Text(text) => write::word(text, &mut out),
        }
        Ok(out)
    }

    /// The text of this value as a replacement for `old`, with quotes if `old` has them.
    fn instead_of(&self, old: &Value, name: Option<&str>) -> Result<String, EditError> {
        let was_quoted = matches!(old, Value::Text(Text { bare: false, .. }));
        self.written(was_quoted || name.is_some_and(|name| QUOTED.contains(&name)))
    }
}

fn is_number(text: &str) -> bool {
    let line = format!("x {text}");
    let mut sink = Sink::new(Arc::new(Source::new("", line.as_str())));
    let parsed = parse(&line, &mut sink);
    let [node] = &parsed.nodes[..] else {
        return false;
    };
    let is_whole = node.span.end == line.len() && !sink.has_errors();
    matches!(&node.entries[..], [entry] if is_whole
        && entry.span.start == 2
        && matches!(entry.value, Value::Int(_) | Value::Decimal(..)))
}

/// Why what is around a node cannot be without it.
fn why_needed(found: &LocatedNode<'_>) -> Option<Said> {
    let parent = found.parent()?;
    let others = || {
        let all = parent.children().iter();
        all.filter(|one| !std::ptr::eq(*one, found.node()) && !is_true(one, "disabled"))
    };
    if is_only_root(found) {
        return Some(said!(
            "the root of a tree cannot be switched off; a tree needs one node"
        ));
    }
    let has_states = others().any(is_state_word);
    if found.word() == "initial" && has_states {
        return Some(said!(
            "`{}` needs an initial state, and this names it",
            parent
                .first_text()
                .map_or(found.parent_word(), |name| &name.value)
        ));
    }
    let own = found.node().first_text().filter(|_| is_state(found))?;
    let first = others()
        .find(|one| one.name.value == "initial")?
        .first_text()?;
    // A state may begin with one deeper inside.
    let named = first.value.split('.').next();
    (named == Some(own.value.as_str())).then(|| {
        said!(
            "`{}` is the initial state; make another one initial first",
            called(&own.value)
        )
    })
}

impl Editor {
    /// Sets a property of a node. If the property exists, only the bytes of its value change. Otherwise ` NAME=VALUE`
    /// is added after the last value or property of the line.
    ///
    /// # Errors
    /// When there is no such node, or the value cannot be written.
    pub fn set(
        &self,
        at: impl Into<At>,
        name: &str,
        value: impl Into<NewValue>,
    ) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let splice = self.set_property(&found, name, &value.into())?;
        Change::new(
            said!("set {} of {}", called(name), called(found.word())),
            vec![splice],
        )
    }

    /// Disables a node, as if it were not there, or no longer.
    ///
    /// # Errors
    /// When there is no such node, when one of its kind cannot be disabled, such as a key, and when what is around it
    /// needs it, as a machine needs its `initial`.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "leaves { action go; }\ntree t { selector { action go; }; }";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let change = editor.disable(text.rfind("action").unwrap(), true)?;
    /// assert!(change.apply_to(0, text)?.contains("selector { action go disabled=#true; }"));
    /// assert!(editor.disable(text.find("action").unwrap(), true).is_err());
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn disable(&self, at: impl Into<At>, is_on: bool) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let word = called(found.word());
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, found.node().span.start));
        if let Some(why) = why_needed(&found).filter(|_| is_on) {
            return refuse(why);
        }
        let splices = match found.node().entry("disabled") {
            Some(entry) if !is_on => {
                vec![self.taken_out(found.file, entry)?]
            }
            _ if !is_on => Vec::new(),
            _ if !self.may_be_disabled(&found) => {
                return refuse(said!("`{}` cannot be switched off here", word));
            }
            _ => vec![self.set_property(&found, "disabled", &true.into())?],
        };
        let label = match is_on {
            true => said!("switch off {}", word),
            false => said!("switch on {}", word),
        };
        Change::new(label, splices)
    }

    /// Whether a word has `disabled=` where it stands. Of an unknown word it is not known.
    fn may_be_disabled(&self, found: &LocatedNode<'_>) -> bool {
        let spots = self.room(&found.among(found.index, false), None).spots;
        let row = spot_of(spots, found.word()).and_then(|spot| spot.word(found.word()));
        row.is_none_or(|row| row.task.is_some() || row.property("disabled").is_some())
    }

    pub(super) fn set_property(
        &self,
        found: &LocatedNode<'_>,
        name: &str,
        value: &NewValue,
    ) -> Result<Splice, EditError> {
        let node = found.node();
        if let Some(entry) = node.entry(name) {
            return self.replace_value(found, entry, value);
        }
        let mut new = String::from(" ");
        write::word(name, &mut new);
        new.push('=');
        new.push_str(&value.written(QUOTED.contains(&name))?);
        self.splice(found.file, node.span.end..node.span.end, new)
    }

    fn replace_value(
        &self,
        found: &LocatedNode<'_>,
        entry: &Entry,
        value: &NewValue,
    ) -> Result<Splice, EditError> {
        let name = entry.name.as_ref().map(|name| name.value.as_str());
        if entry.value == Value::Bad && name.is_some() && entry.value_span == entry.span {
            let name = called(name.unwrap_or_default());
            return Err(EditError::new(said!("`{}=` has no value to change", name))
                .at(found.file, entry.span.start));
        }
        let new = value.instead_of(&entry.value, name)?;
        self.splice(found.file, entry.value_span.clone(), new)
    }

    /// Changes one of the values that have no name, such as the seconds of a `wait` or the expression of a `check`. The
    /// values are numbered from 0; the number after the last one adds a value.
    ///
    /// # Errors
    /// When there is no such node, when it has too few values, or when the value cannot be written.
    pub fn set_value(
        &self,
        at: impl Into<At>,
        number: usize,
        value: impl Into<NewValue>,
    ) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let value = value.into();
        let values: Vec<&Entry> = node
            .entries
            .iter()
            .filter(|entry| entry.name.is_none())
            .collect();
        let splice = match values.get(number) {
            Some(entry) => self.replace_value(&found, entry, &value)?,
            None if number == values.len() => {
                let behind = values
                    .last()
                    .map_or(node.name.span.end, |last| last.span.end);
                let new = format!(" {}", value.written(false)?);
                self.splice(found.file, behind..behind, new)?
            }
            None => {
                let count = values.len();
                let word = called(found.word());
                return Err(EditError::new(said!(
                    "`{}` has {} values here, so value number {} does not exist",
                    word,
                    count,
                    number
                ))
                .at(found.file, node.span.start));
            }
        };
        Change::new(said!("change {}", called(found.word())), vec![splice])
    }

    /// Removes a property, together with one space.
    ///
    /// # Errors
    /// When there is no such node, or it does not have the property.
    pub fn unset(&self, at: impl Into<At>, name: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let Some(entry) = found.node().entry(name) else {
            return Err(is_not_set(&found, name));
        };
        let splice = self.taken_out(found.file, entry)?;
        Change::new(
            said!("unset {} of {}", called(name), called(found.word())),
            vec![splice],
        )
    }

    /// Takes away a value or property, with one space beside it.
    pub(super) fn taken_out(&self, file: usize, entry: &Entry) -> Result<Splice, EditError> {
        let range = self.entry_with_blank(file, entry)?;
        self.splice(file, range, String::new())
    }

    /// The bytes of an entry and of one space beside it.
    pub(super) fn entry_with_blank(
        &self,
        file: usize,
        entry: &Entry,
    ) -> Result<Range<usize>, EditError> {
        let text = self.file(file)?.text();
        let Range { mut start, mut end } = entry.span.clone();
        let before = text[..start].chars().next_back().filter(|c| is_space(*c));
        match before {
            Some(blank) if !starts_line(text, start) => start -= blank.len_utf8(),
            _ => {
                // The line above continues here with a `\`. It need not continue if nothing else is on this line.
                let above = text[..start].trim_end_matches(is_blank);
                if let Some(above) = above.strip_suffix('\\') {
                    return Ok(above.trim_end_matches(is_space).len()..end);
                }
                let behind = text[end..].chars().next().filter(|c| is_space(*c));
                end += behind.map_or(0, char::len_utf8);
            }
        }
        Ok(start..end)
    }

    /// Sets a parameter of a leaf, or a port of a `subtree`. If the node itself has a property with that name, the
    /// parameter is written into the block: `param NAME VALUE`.
    ///
    /// # Errors
    /// When there is no such node, when it takes no parameters, or when the value cannot be written.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "tree t { action attack range=2.0; }";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let attack = text.find("action").unwrap();
    /// let apply = |change: treemind_doc::edit::Change| change.apply_to(0, text);
    /// assert_eq!(
    ///     apply(editor.set_param(attack, "range", 3.5)?)?,
    ///     "tree t { action attack range=3.5; }"
    /// );
    /// assert_eq!(
    ///     apply(editor.set_param(attack, "weight", 3.5)?)?,
    ///     "tree t { action attack range=2.0 { param weight 3.5; }; }"
    /// );
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn set_param(
        &self,
        at: impl Into<At>,
        name: &str,
        value: impl Into<NewValue>,
    ) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let value = value.into();
        let node = found.node();
        let Some(own) = own_properties(node) else {
            let word = called(found.word());
            return Err(EditError::new(said!("`{}` takes no parameters", word))
                .at(found.file, node.span.start));
        };
        let splice = if let Some(entry) = param(node, name) {
            self.replace_value(&found, entry, &value)?
        } else if own(name) {
            let mut line = String::from("param ");
            write::word(name, &mut line);
            line.push(' ');
            line.push_str(&value.written(false)?);
            let params = node.children().iter();
            let index = params
                .take_while(|child| child.name.value == "param")
                .count();
            let among = Among {
                file: found.file,
                path: found.path.clone(),
                siblings: node.children(),
                index,
                is_behind: false,
            };
            self.put_param(&among, &line)?
        } else {
            self.set_property(&found, name, &value)?
        };
        Change::new(
            said!("set {} of {}", called(name), called(found.word())),
            vec![splice],
        )
    }

    /// A new block for parameters is written on the line of the node.
    fn put_param(&self, among: &Among<'_>, line: &str) -> Result<Splice, EditError> {
        let file = self.file(among.file)?;
        let mut landing = file.landing(among);
        if let super::layout::Landing::Block { one_line, .. } = &mut landing {
            *one_line = true;
        }
        let snippet = Snippet::given(line, &file.unit())?;
        let new = snippet.landed(&landing, &file.unit(), file.line_end());
        self.splice(among.file, landing.range(), new)
    }

    /// Removes a parameter or port, wherever it is written.
    ///
    /// # Errors
    /// When there is no such node, or when the node does not set that parameter.
    pub fn unset_param(&self, at: impl Into<At>, name: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let label = said!("unset {} of {}", called(name), called(found.word()));
        let children = node.children();
        if let Some(index) = children.iter().position(|child| is_param(child, name)) {
            let file = self.file(found.file)?;
            let (range, rest) = file.removal(Some(node), children, index);
            let splice = self.splice(found.file, range, rest.to_owned())?;
            return Change::new(label, vec![splice]);
        }
        let own = own_properties(node);
        let entry = node
            .entry(name)
            .filter(|_| own.is_some_and(|own| !own(name)));
        let Some(entry) = entry else {
            return Err(is_not_set(&found, name));
        };
        Change::new(label, vec![self.taken_out(found.file, entry)?])
    }
}

fn is_not_set(found: &LocatedNode<'_>, name: &str) -> EditError {
    let (word, name) = (called(found.word()), called(name));
    EditError::new(said!("`{}` is not set on this `{}`", name, word))
        .at(found.file, found.node().span.start)
}

/// Whether a name is a property of the node itself; `None` where there are no parameters.
fn own_properties(node: &Node) -> Option<impl Fn(&str) -> bool + use<'_>> {
    let word = node.name.value.as_str();
    let row = language::find(&[Spot::Key, Spot::Task], word)?;
    let takes_params = row.holds().contains(&Spot::Given);
    takes_params.then_some(move |name: &str| row.shape(name).is_some())
}

fn is_param(child: &Node, name: &str) -> bool {
    child.name.value == "param" && child.first_text().is_some_and(|text| text.value == name)
}

/// The value that a node gives to a parameter.
pub(super) fn param<'n>(node: &'n Node, name: &str) -> Option<&'n Entry> {
    let in_block = node.children().iter().find(|child| is_param(child, name));
    if let Some(child) = in_block {
        let mut values = child.entries.iter().filter(|entry| entry.name.is_none());
        return values.nth(1);
    }
    let own = own_properties(node)?;
    node.entry(name).filter(|_| !own(name))
}
