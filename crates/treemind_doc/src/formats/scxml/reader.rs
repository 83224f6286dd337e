//! Elements and attributes, and the problems with them.

use super::Trouble;
use super::chart::{Chart, Id, Said};
use super::script::{self, ExprKind, Script};
use super::tokens::Place;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use roxmltree::{Attribute, Node};
use std::collections::BTreeSet;

pub(super) const NAMESPACE: &str = "http://www.w3.org/2005/07/scxml";

/// How long names of events may be.
const MAX_NAME: usize = 256;

/// How many parts of events may be read.
const MAX_FIELDS: usize = 32;

/// Reads elements into a chart.
pub(super) struct Reader<'s> {
    pub(super) sink: &'s mut Sink,
    pub(super) chart: Chart,
    /// How many elements of executable content that contain others are open.
    pub(super) open: usize,
    /// How many sent events got a generated name.
    pub(super) unnamed: usize,
    /// How many actions and targets were read.
    pub(super) actions: usize,
    pub(super) targets: usize,
    /// Variables of a state get their values when the state is first entered.
    pub(super) is_late: bool,
    /// What there was too much of; each is reported once.
    pub(super) too_many: Vec<crate::Said>,
}

impl Reader<'_> {
    pub(super) fn report(&mut self, trouble: Trouble) {
        let Trouble {
            code,
            span,
            message,
            help,
            is_warning,
        } = trouble;
        if is_warning {
            self.sink.warning(code, span, message).with_perhaps(help);
        } else {
            self.sink.error(code, span, message).with_perhaps(help);
        }
    }

    /// The elements of SCXML in an element. Elements of other languages are ignored, and text is reported.
    pub(super) fn elements<'a, 'd>(&mut self, parent: Node<'a, 'd>) -> Vec<Node<'a, 'd>> {
        let mut elements = Vec::new();
        for child in parent.children() {
            if child.is_element() {
                let namespace = child.tag_name().namespace();
                if namespace.is_none_or(|namespace| namespace == NAMESPACE) {
                    elements.push(child);
                }
            } else if child.is_text() {
                let Some(span) = xml::visible_part(child.document().input_text(), child.range())
                else {
                    continue;
                };
                let message = said!("unexpected text between elements");
                self.sink.error(Code::Xml, span, message);
            }
        }
        elements
    }

    /// Reports attributes that an element does not have.
    pub(super) fn expect_attributes(&mut self, element: Node<'_, '_>, known: &[&str]) {
        let strangers: Vec<Attribute<'_, '_>> = element
            .attributes()
            .filter(|attribute| attribute.namespace().is_none())
            .filter(|attribute| !known.contains(&attribute.name()))
            .collect();
        for attribute in strangers {
            let name = shortened(attribute.name());
            let tag = element.tag_name().name();
            let message = said!("`<{}>` has no attribute `{}`", tag, name);
            let help = suggest::did_you_mean(&name, known.iter().copied(), || {
                (!known.is_empty()).then(|| {
                    let known = suggest::listed(known.iter().copied());
                    said!("its attributes are {}", known)
                })
            });
            self.sink
                .error(Code::UnknownProperty, attribute.range_qname(), message)
                .with_perhaps(help);
        }
    }

    pub(super) fn attribute<'a, 'd>(
        &self,
        element: Node<'a, 'd>,
        name: &str,
    ) -> Option<Attribute<'a, 'd>> {
        element
            .attributes()
            .find(|attribute| attribute.namespace().is_none() && attribute.name() == name)
    }

    /// The value of an attribute that must be there.
    pub(super) fn needed<'a, 'd>(
        &mut self,
        element: Node<'a, 'd>,
        name: &str,
    ) -> Option<Attribute<'a, 'd>> {
        let found = self.attribute(element, name);
        if found.is_none() {
            let word = element.tag_name().name();
            let message = said!("`<{}>` needs `{}=\"…\"`", word, name);
            self.sink.error(Code::MissingValue, tag(element), message);
        }
        found
    }

    /// The words of an attribute, each with its place.
    pub(super) fn words(&self, attribute: Attribute<'_, '_>) -> Vec<(String, Span)> {
        let place = self.place_of(attribute);
        let value = attribute.value();
        let start_of = |word: &str| word.as_ptr() as usize - value.as_ptr() as usize;
        value
            .split_ascii_whitespace()
            .map(|word| {
                let span = match place.start {
                    Some(start) => start + start_of(word)..start + start_of(word) + word.len(),
                    None => place.whole.clone(),
                };
                (word.to_owned(), span)
            })
            .collect()
    }

    /// The place of an attribute's value. If the value has escaped characters (`&lt;`), its parts have no places.
    fn place_of(&self, attribute: Attribute<'_, '_>) -> Place {
        let whole = attribute.range_value();
        let is_plain = self.sink.slice(&whole) == attribute.value();
        Place {
            start: is_plain.then_some(whole.start),
            whole,
        }
    }

    /// The script in an attribute.
    pub(super) fn script(&mut self, attribute: Attribute<'_, '_>) -> Option<Script> {
        let place = self.place_of(attribute);
        self.parsed(attribute.value(), &place)
    }

    /// The script that is the text of an element.
    pub(super) fn text_script(&mut self, text: &str, whole: Span) -> Option<Script> {
        self.parsed(text, &Place { start: None, whole })
    }

    /// As [`script`](Self::script), if an unreadable script does no harm.
    pub(super) fn script_if_read(&mut self, attribute: Attribute<'_, '_>) -> Option<Script> {
        let place = self.place_of(attribute);
        match script::parse(attribute.value(), &place) {
            Ok(_) => self.script(attribute),
            Err(_) => None,
        }
    }

    fn parsed(&mut self, text: &str, place: &Place) -> Option<Script> {
        match script::parse(text, place) {
            Ok(script) => {
                note_fields(&script, &mut self.chart.fields);
                if self.chart.fields.len() > MAX_FIELDS {
                    let message = said!(
                        "the document reads more than {} fields of events",
                        MAX_FIELDS
                    );
                    let trouble = Trouble::new(Code::TooLarge, script.span, message);
                    self.report(trouble);
                    return None;
                }
                Some(script)
            }
            Err(trouble) => {
                self.report(trouble);
                None
            }
        }
    }

    /// The value of one of two attributes: the text of the first, or the result of the second one's script.
    pub(super) fn stated(
        &mut self,
        element: Node<'_, '_>,
        plain: &str,
        scripted: &str,
    ) -> Option<(Said, Span)> {
        if let Some(attribute) = self.attribute(element, plain) {
            let value = attribute.value().trim().to_owned();
            return Some((Said::Plainly(value), attribute.range_value()));
        }
        let attribute = self.attribute(element, scripted)?;
        let script = self.script(attribute)?;
        let said = match script.what {
            ExprKind::Text(text) => Said::Plainly(text),
            _ => Said::By(script),
        };
        Some((said, attribute.range_value()))
    }

    /// The same, if the script must be a text.
    pub(super) fn said(
        &mut self,
        element: Node<'_, '_>,
        plain: &str,
        scripted: &str,
    ) -> Option<(String, Span)> {
        match self.stated(element, plain, scripted)? {
            (Said::Plainly(text), span) => Some((text, span)),
            (Said::By(_), span) => {
                let message = said!("`{}` must be a text in quotes", scripted);
                let help = said!("write `{}=\"…\"`", plain);
                self.report(Trouble::new(Code::NotYet, span, message).with_help(help));
                None
            }
        }
    }

    /// Checks the name of an event that is raised or waited for.
    pub(super) fn is_event_name(&mut self, name: &str, span: &Span) -> bool {
        let is_good = can_name_an_event(name);
        if !is_good {
            let message = said!("`{}` is not a valid name for an event", shortened(name));
            let help = said!("use words with dots between them, as in `door.opened`");
            let trouble = Trouble::new(Code::BadName, span.clone(), message);
            self.report(trouble.with_help(help));
        }
        is_good
    }

    /// Records an id. An id may occur only once.
    pub(super) fn note_id(&mut self, id: &str, span: Span, of: Id) -> bool {
        if id.is_empty() || id.contains(char::is_whitespace) {
            let message = said!("`{}` is not a valid id", shortened(id));
            self.report(Trouble::new(Code::BadName, span, message));
            return false;
        }
        if self.chart.ids.contains_key(id) {
            let message = said!("the id `{}` is used twice", shortened(id));
            self.report(Trouble::new(Code::Duplicate, span, message));
            return false;
        }
        self.chart.ids.insert(id.to_owned(), of);
        true
    }

    /// Reports an element of SCXML that is not supported.
    pub(super) fn not_read(&mut self, element: Node<'_, '_>, why: crate::Said) {
        let word = shortened(element.tag_name().name());
        let message = said!("`<{}>` is not supported", word);
        let trouble = Trouble::new(Code::NotYet, tag(element), message);
        self.report(trouble.with_help(why));
    }

    /// Reports an element that is not allowed in its place.
    pub(super) fn misplaced(&mut self, element: Node<'_, '_>, known: &[&str]) {
        let word = shortened(element.tag_name().name());
        let parent = element.parent_element();
        let parent = parent.map_or("", |parent| parent.tag_name().name());
        let message = said!("`<{}>` is not allowed in `<{}>`", word, parent);
        let help = suggest::did_you_mean(&word, known.iter().copied(), || {
            (!known.is_empty()).then(|| {
                let known = suggest::listed(known.iter().copied());
                said!("allowed there: {}", known)
            })
        });
        self.sink
            .error(Code::MisplacedNode, tag(element), message)
            .with_perhaps(help);
    }
}

/// The place of an element's name in its first tag.
pub(super) fn tag(element: Node<'_, '_>) -> Span {
    let start = element.range().start;
    start..start + 1 + element.tag_name().name().len()
}

/// Whether an event can have this name.
pub(super) fn can_name_an_event(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.contains(|c: char| c.is_whitespace() || c == '*')
        && name.split('.').all(|part| !part.is_empty())
}

fn note_fields(script: &Script, fields: &mut BTreeSet<String>) {
    match &script.what {
        ExprKind::Event(field) => {
            fields.insert(field.clone());
        }
        ExprKind::Typeof(a) | ExprKind::IsThere(a) | ExprKind::Not(a) | ExprKind::Neg(a) => {
            note_fields(a, fields)
        }
        ExprKind::Binary(_, a, b) => [a, b]
            .into_iter()
            .for_each(|part| note_fields(part, fields)),
        ExprKind::Choice(a, b, c) => [a, b, c]
            .into_iter()
            .for_each(|part| note_fields(part, fields)),
        ExprKind::Math(_, args) => args.iter().for_each(|part| note_fields(part, fields)),
        _ => {}
    }
}
