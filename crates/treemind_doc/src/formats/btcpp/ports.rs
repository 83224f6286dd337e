//! Attributes of elements: names, notes, numbers, and what is refused.

use super::lower::Lowering;
use super::words::{self, Builtin};
use crate::code::Code;
use crate::suggest;
use crate::syntax::shortened;
use roxmltree::{Attribute, Node};

/// What every node may have.
#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) name: Option<String>,
    pub(super) doc: Option<String>,
}

impl Lowering<'_> {
    /// The attributes of any node; those that are not, in `others`.
    pub(super) fn common<'a, 'd>(
        &mut self,
        element: Node<'a, 'd>,
        others: &mut Vec<Attribute<'a, 'd>>,
    ) -> Common {
        let mut common = Common::default();
        for attribute in element.attributes() {
            match attribute.name() {
                "name" if attribute.value().trim().is_empty() => {
                    let span = attribute.range();
                    self.sink.error(Code::BadName, span, "this name is empty");
                }
                "name" => common.name = Some(attribute.value().to_owned()),
                "_description" => common.doc = Some(attribute.value().to_owned()),
                name if words::SCRIPTS.contains(&name) => {
                    let message =
                        format!("`{name}` is a script, which this version cannot run yet");
                    self.sink.error(Code::NotYet, attribute.range(), message);
                }
                "_autoremap" => others.push(attribute),
                // Notes of editors; but a misspelt condition must not be passed over.
                name if name.starts_with('_') => {
                    let word = shortened(name);
                    let known = words::SCRIPTS.iter().copied();
                    let known = known.chain(["_autoremap", "_description"]);
                    if let Some(near) = suggest::nearest(&word, known) {
                        let message = format!("no node has an attribute `{word}`");
                        self.sink
                            .error(Code::UnknownProperty, attribute.range_qname(), message)
                            .with_help(format!("did you mean `{near}`?"));
                    }
                }
                _ => others.push(attribute),
            }
        }
        common
    }

    /// Reports attributes that a built-in node does not have.
    pub(super) fn known_ports(
        &mut self,
        builtin: &Builtin,
        others: &[Attribute<'_, '_>],
        is_explicit: bool,
    ) {
        for attribute in others {
            let name = attribute.name();
            if builtin.ports.contains(&name) || (is_explicit && name == "ID") {
                continue;
            }
            let word = shortened(name);
            let known = builtin.ports.iter().copied().chain(["name"]);
            let help = suggest::did_you_mean(&word, known.clone(), || {
                let plural = if builtin.ports.is_empty() {
                    " is"
                } else {
                    "s are"
                };
                Some(format!("its attribute{plural} {}", suggest::listed(known)))
            });
            let message = format!("`{}` has no attribute `{word}`", builtin.name);
            self.sink
                .error(Code::UnknownProperty, attribute.range_qname(), message)
                .help = help;
        }
    }

    /// The text of a port, if it is given; a place in the blackboard is reported, and no text.
    fn literal<'v>(&mut self, given: Option<&'v Attribute<'_, '_>>) -> Option<&'v str> {
        let attribute = given?;
        let text = attribute.value().trim();
        if text.starts_with('{') && text.ends_with('}') {
            let message = format!(
                "`{}` is read from the blackboard, which this version cannot do yet",
                shortened(attribute.name())
            );
            self.sink
                .error(Code::NotYet, attribute.range_value(), message)
                .with_help("write the value itself");
            return None;
        }
        Some(text)
    }

    /// A whole number of at least `least`; without a default it must be there.
    pub(super) fn number(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
        port: &str,
        least: i32,
        default: Option<i32>,
    ) -> Option<i32> {
        let given = others.iter().find(|attribute| attribute.name() == port);
        let Some(attribute) = given else {
            let is_misspelt = others.iter().any(|other| {
                let port = suggest::nearest(other.name(), [port]);
                port.is_some()
            });
            if default.is_none() && !is_misspelt {
                let name = shortened(element.tag_name().name());
                let message = format!("`{name}` needs its attribute `{port}`");
                self.sink
                    .error(Code::MissingParameter, super::tag(element), message)
                    .with_help(format!("write `{port}=\"3\"`"));
            }
            return default;
        };
        let text = self.literal(given)?;
        let span = attribute.range_value();
        match text.parse::<i32>() {
            Ok(number) if number >= least => Some(number),
            Ok(_) => {
                let message = format!("`{port}` cannot be less than {least}");
                self.sink.error(Code::BadNumber, span, message);
                None
            }
            Err(_) => {
                let message = format!("`{port}` is a whole number, not `{}`", shortened(text));
                self.sink.error(Code::BadNumber, span, message);
                None
            }
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(
        &mut self,
        others: &[Attribute<'_, '_>],
        port: &str,
        default: bool,
    ) -> Option<bool> {
        let given = others.iter().find(|attribute| attribute.name() == port);
        let Some(attribute) = given else {
            return Some(default);
        };
        match self.literal(given)? {
            "true" | "True" | "TRUE" | "1" => Some(true),
            "false" | "False" | "FALSE" | "0" => Some(false),
            other => {
                let message = format!("`{port}` is `true` or `false`, not `{}`", shortened(other));
                self.sink
                    .error(Code::BadChoice, attribute.range_value(), message);
                None
            }
        }
    }
}
