//! Attributes of elements: names, notes, numbers, and attributes that are refused.

use super::dialect::{self, Version};
use super::nodes::Nodes;
use super::words::{self, Builtin, Takes, Threshold};
use super::{tag, value_of};
use crate::code::Code;
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};
use std::ops::RangeInclusive;

/// The numbers that BehaviorTree.CPP reads as `int`, and as `unsigned`, which times are.
pub(super) const WHOLE: RangeInclusive<i64> = -(1 << 31)..=(1 << 31) - 1;
const MSEC: RangeInclusive<i64> = 0..=(1 << 32) - 1;

impl Nodes<'_> {
    /// The attributes that any node may have. All others go into `others`.
    pub(super) fn common<'a, 'd>(
        &mut self,
        element: Node<'a, 'd>,
        others: &mut Vec<Attribute<'a, 'd>>,
    ) -> Vec<Entry> {
        let mut common = Vec::new();
        for attribute in element.attributes() {
            match attribute.name() {
                "name" if attribute.value().trim().is_empty() => {}
                "name" => common.push(value_of(attribute).named("name")),
                "_description" => common.push(value_of(attribute).named("doc")),
                name if words::script_attribute(name).is_some() => {
                    common.extend(self.guard_or_hook(element, attribute));
                }
                "_autoremap" => others.push(attribute),
                "__shared_blackboard" | "__autoremap" => others.push(attribute),
                // These are notes of editors, but a misspelt condition must not be ignored without a word.
                name if name.starts_with('_') => self.ignored_note(attribute),
                _ => others.push(attribute),
            }
        }
        common
    }

    /// An attribute that begins with `_` and that BehaviorTree.CPP ignores.
    fn ignored_note(&mut self, attribute: Attribute<'_, '_>) {
        let word = shortened(attribute.name());
        let scripts = words::SCRIPTS.iter().map(|one| one.name);
        let known = scripts.clone().chain(["_autoremap", "_description"]);
        let meant = words::script_meant(attribute.name());
        let help = match meant.or_else(|| suggest::nearest(&word, known)) {
            Some(meant) => suggest::meant(meant),
            None if words::is_at_start(attribute.name()) => said!(
                "no script runs when a node starts: write a `Script` before it in a `Sequence`"
            ),
            None if words::looks_like_script(attribute.name()) => {
                said!(
                    "the attributes with scripts are {}",
                    suggest::listed(scripts)
                )
            }
            None => return,
        };
        let message = said!("unknown attribute `{}`, which is ignored", word);
        self.sink
            .warning(Code::UnknownProperty, attribute.range_qname(), message)
            .with_help(help);
    }

    /// A name that a node had in an older version.
    pub(super) fn old_name(&mut self, element: Node<'_, '_>, old: &str, now: &str) {
        if self.version == Version::Four && old != words::WITHIN_TICK {
            let message = said!(
                "`{}` is the old name of `{}`, which version 4 does not know",
                old,
                now
            );
            self.sink
                .warning(Code::UnknownNode, tag(element), message)
                .with_help(said!("write `{}`", now));
        }
    }

    /// Reports what the version 3 that a file names does not have.
    pub(super) fn new_in_four(&mut self, element: Node<'_, '_>, name: &str, at: Span) {
        if self.version == Version::Three && dialect::says_version(element) {
            let message = said!(
                "version 3 does not have `{}`: it is read as in version 4",
                name
            );
            self.sink
                .warning(Code::UnknownNode, at, message)
                .with_help(said!("write `BTCPP_format=\"4\"` into `<root>`"));
        }
    }

    /// Reports attributes that a built-in node does not have.
    pub(super) fn known_ports(
        &mut self,
        builtin: &Builtin,
        others: &[Attribute<'_, '_>],
        is_explicit: bool,
    ) {
        for attribute in others {
            let name = words::current_port(builtin.name, attribute.name());
            let mut ports = builtin.ports.iter().map(|port| port.name);
            if ports.clone().any(|port| port == name) || (is_explicit && name == "ID") {
                continue;
            }
            let known: Vec<&str> = ports.by_ref().chain(["name"]).collect();
            self.unknown_attribute(builtin.name, *attribute, &known);
        }
    }

    /// Reports an attribute that a node does not have, and that is ignored.
    pub(super) fn unknown_attribute(
        &mut self,
        node: &str,
        attribute: Attribute<'_, '_>,
        known: &[&str],
    ) {
        let word = shortened(attribute.name());
        let script = words::script_without_sign(attribute.name()).map(suggest::meant);
        let near = || {
            let listed = suggest::listed(known.iter().copied());
            Some(match known.len() {
                1 => said!("its attribute is {}", listed),
                _ => said!("its attributes are {}", listed),
            })
        };
        let help = script.or_else(|| suggest::did_you_mean(&word, known.iter().copied(), near));
        let message = said!("`{}` has no attribute `{}`, so it is ignored", node, word);
        self.sink
            .warning(Code::UnknownProperty, attribute.range_qname(), message)
            .with_perhaps(help);
    }

    /// Reports a port of a node of the host that is called like an attribute with a script, if no model declares it.
    pub(super) fn perhaps_script(&mut self, node: &str, attribute: Attribute<'_, '_>) {
        let model = self.models.get(node);
        let is_declared = model.is_some_and(|model| model.ports.contains_key(attribute.name()));
        if let Some(meant) = words::script_without_sign(attribute.name()).filter(|_| !is_declared) {
            let message = said!(
                "`{}` is read as a port of `{}`",
                shortened(attribute.name()),
                shortened(node)
            );
            self.sink
                .warning(Code::UnknownProperty, attribute.range_qname(), message)
                .with_help(suggest::meant(meant));
        }
    }

    /// The entries on the line of a built-in node with this many children.
    pub(super) fn ports(
        &mut self,
        element: Node<'_, '_>,
        builtin: &Builtin,
        others: &[Attribute<'_, '_>],
        children: usize,
    ) -> Vec<Entry> {
        let mut entries = Vec::new();
        for port in builtin.ports {
            let given = given_port(others, builtin.name, port.name);
            let at = given.map_or(tag(element), Attribute::range);
            let word = |word: &str| Value::Text(Text::made(word, at.clone()));
            let value = match port.takes {
                Takes::Times | Takes::Seconds if self.key_of(given).is_some() => {
                    self.number_in_key(given, (&port.takes, builtin.word))
                }
                Takes::Times => {
                    let times = self.number((element, given), port.name, WHOLE, None);
                    times.map(|times| match times {
                        -1 => word("forever"),
                        // Any other number below 1 means no run at all.
                        times => Value::Int(times.max(0).into()),
                    })
                }
                Takes::Seconds => {
                    let msec = self.number((element, given), port.name, MSEC, None);
                    let msec = msec.and_then(|msec| u32::try_from(msec).ok());
                    msec.map(|msec| {
                        let secs = f64::from(msec) / 1_000.0;
                        Value::Decimal(secs, format!("{secs:?}"))
                    })
                }
                Takes::Flag(default, yes) => match self.flag(others, port.name, default) {
                    Some(false) => continue,
                    flag => flag.map(|_| yes.map_or(Value::Bool(true), word)),
                },
                Takes::Children(default, said) => {
                    let default = match port.name {
                        "failure_count" => failures_of_old(others, children).unwrap_or(default),
                        _ => default,
                    };
                    let default = Some(default.into());
                    let count = self.number((element, given), port.name, WHOLE, default);
                    let count = count.and_then(|count| self.counted(given, count, children));
                    count.map(|count| said(count, at.clone()))
                }
            };
            let entry = Entry::value(value.unwrap_or(Value::Bad), at);
            entries.push(match port.to {
                Some(name) => entry.named(name),
                None => entry,
            });
        }
        // A number that stands in a key is read again: something in the loop may change it.
        let mut ports = builtin.ports.iter();
        let times = ports.find(|port| matches!(port.takes, Takes::Times));
        if let Some(port) = times
            && let given = given_port(others, builtin.name, port.name)
            && self.key_of(given).is_some()
        {
            let at = given.map_or(tag(element), Attribute::range);
            entries.push(Entry::value(Value::Bool(true), at).named("rereads"));
        }
        if builtin.word == "parallel" {
            // Skipped children count as if they were not there only if the number of successes is negative.
            let given = given_port(others, "Parallel", "success_count");
            let count = given.map_or(Ok(-1), |given| given.value().trim().parse::<i32>());
            let word = match count {
                Ok(..0) => "absent-even-all",
                _ => "pending",
            };
            let at = given.map_or(tag(element), Attribute::range);
            entries.push(Entry::word(word, at).named("skipped"));
        }
        for (name, word) in builtin.always {
            let at = tag(element);
            // In version 3 nothing answers running between two children, or two runs of a child. Lists do not by themselves;
            // a loop without end, which would not come back there, goes on in the next tick.
            if *name == "yields" && self.version == Version::Three {
                let is_endless = entries.first().is_some_and(|count: &Entry| {
                    matches!(&count.value, Value::Text(text) if text.value == "forever")
                });
                if ["repeat", "retry"].contains(&builtin.word) && !is_endless {
                    entries.push(Entry::word("never", at).named(name));
                }
                continue;
            }
            let entry = match word {
                Some(word) => Entry::word(word, at),
                None => Entry::value(Value::Bool(true), at),
            };
            entries.push(entry.named(name));
        }
        entries
    }

    /// The key that a port points to, as it is written.
    fn key_of<'v>(&self, given: Option<&Attribute<'v, '_>>) -> Option<&'v str> {
        dialect::pointer_of(*given?, self.version)
    }

    /// A number that a key holds: milliseconds in seconds, or how often something runs.
    fn number_in_key(
        &mut self,
        given: Option<&Attribute<'_, '_>>,
        (takes, word): (&Takes, &str),
    ) -> Option<Value> {
        let raw = self.key_of(given)?;
        let at = given?.range_value();
        let tree = self.tree.clone();
        let ty = self.facts.type_of(&tree, raw);
        let key = self.facts.key_in(&tree, raw);
        let number = match ty {
            "int" => key,
            "double" => format!("int({key})"),
            // Whatever stands behind a whole number is ignored there.
            _ => format!("leading_int({key})"),
        };
        let text = match takes {
            // Zero is no limit.
            Takes::Seconds if word == "timeout" => {
                format!("if {number} == 0 {{ 9000000000.0 }} else {{ {number} / 1000.0 }}")
            }
            Takes::Seconds => format!("{number} / 1000.0"),
            _ => format!("if {number} == -1 {{ 9223372036854775807 }} else {{ {number} }}"),
        };
        Some(Value::Text(Text::made(&text, at)))
    }

    /// A threshold: -1 stands for all children, -2 for all but one, and so on.
    fn counted(
        &mut self,
        attribute: Option<&Attribute<'_, '_>>,
        given: i64,
        children: usize,
    ) -> Option<Threshold> {
        let children = i64::try_from(children).unwrap_or(i64::MAX);
        let count = match given {
            ..0 => (children + given + 1).max(0),
            _ => given,
        };
        if let Some(attribute) = attribute.filter(|_| count > children && children > 0) {
            let name = attribute.name();
            let message = match children {
                1 => said!("`{}=\"{}\"` cannot be reached with 1 child", name, given),
                _ => said!(
                    "`{}=\"{}\"` cannot be reached with {} children",
                    name,
                    given,
                    children
                ),
            };
            self.sink
                .error(Code::BadThreshold, attribute.range_value(), message);
            return None;
        }
        Some(Threshold {
            given,
            count,
            children,
        })
    }

    /// The text of a port, if it is given. A reference to the blackboard is reported, and is not a text.
    fn literal<'v>(&mut self, given: Option<&'v Attribute<'_, '_>>) -> Option<&'v str> {
        let attribute = given?;
        let text = attribute.value().trim();
        if text.starts_with('{') && text.ends_with('}') && text.len() > 2 {
            let message = said!(
                "this version cannot read `{}` from the blackboard yet",
                shortened(attribute.name())
            );
            self.sink
                .error(Code::NotYet, attribute.range_value(), message)
                .with_help(said!("write a literal value"));
            return None;
        }
        Some(text)
    }

    /// A whole number in a range. Without a default, the attribute must be there.
    pub(super) fn number(
        &mut self,
        (element, given): (Node<'_, '_>, Option<&Attribute<'_, '_>>),
        port: &str,
        range: RangeInclusive<i64>,
        default: Option<i64>,
    ) -> Option<i64> {
        let Some(attribute) = given else {
            if default.is_none() {
                let name = shortened(element.tag_name().name());
                let message = said!("`{}` needs its attribute `{}`", name, port);
                self.sink
                    .error(Code::MissingParameter, super::tag(element), message)
                    .with_help(said!("write `{}=\"3\"`", port));
            }
            return default;
        };
        let text = self.literal(given)?;
        // What stands behind a number is ignored there.
        if attribute.value().starts_with(char::is_whitespace) {
            self.has_blanks(attribute);
        }
        let span = attribute.range_value();
        let digits = whole_part(text);
        if !digits.is_empty() && digits.len() < text.len() && digits != "-" {
            let message = said!(
                "`{}` is read as `{}`, as BehaviorTree.CPP reads it",
                shortened(text),
                digits
            );
            self.sink
                .warning(Code::BadNumber, span.clone(), message)
                .with_help(said!("write a whole number for `{}`", port));
        }
        let is_number = digits.ends_with(|c: char| c.is_ascii_digit());
        let (least, most) = (*range.start(), *range.end());
        let message = match digits.parse::<i64>() {
            Ok(number) if range.contains(&number) => return Some(number),
            // What 64 bits cannot hold is beyond every range.
            Err(_) if !is_number && text.is_empty() => {
                said!("expected a whole number for `{}`, found nothing", port)
            }
            Err(_) if !is_number => said!(
                "expected a whole number for `{}`, found `{}`",
                port,
                shortened(text)
            ),
            _ if digits.starts_with('-') => said!("`{}` must be at least {}", port, least),
            _ => said!("`{}` must be at most {}", port, most),
        };
        self.sink.error(Code::BadNumber, span, message);
        None
    }

    /// Reports blanks around a value, with which BehaviorTree.CPP cannot read it.
    pub(super) fn has_blanks(&mut self, attribute: &Attribute<'_, '_>) {
        let value = attribute.value();
        let text = value.trim();
        if text != value && !text.is_empty() {
            let message = said!(
                "`{}` has blanks around it, with which BehaviorTree.CPP does not read it",
                shortened(text)
            );
            self.sink
                .warning(Code::BadNumber, attribute.range_value(), message)
                .with_help(said!("write `{}=\"{}\"`", attribute.name(), text));
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(
        &mut self,
        others: &[Attribute<'_, '_>],
        port: &str,
        default: bool,
    ) -> Option<bool> {
        let given = given(others, port);
        let Some(attribute) = given else {
            return Some(default);
        };
        let text = self.literal(given)?;
        self.has_blanks(attribute);
        match dialect::flag(text) {
            Some(flag) => Some(flag),
            None => {
                let message = said!(
                    "expected `true` or `false` for `{}`, found `{}`",
                    port,
                    shortened(text)
                );
                self.sink
                    .error(Code::BadChoice, attribute.range_value(), message);
                None
            }
        }
    }
}

/// The attribute with a name.
pub(super) fn given<'o, 'a, 'i>(
    others: &'o [Attribute<'a, 'i>],
    name: &str,
) -> Option<&'o Attribute<'a, 'i>> {
    others.iter().find(|attribute| attribute.name() == name)
}

/// The whole number that a text begins with. BehaviorTree.CPP ignores what stands behind it.
pub(super) fn whole_part(text: &str) -> &str {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let signs = text.len() - digits.len();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    &text[..signs + length]
}

/// How many failures end a `Parallel` that has a `threshold`, as in early releases of version 3: as many as leave too
/// few children for it.
fn failures_of_old(others: &[Attribute<'_, '_>], children: usize) -> Option<i32> {
    let threshold = others.iter().find(|one| one.name() == "threshold")?;
    let threshold: i32 = threshold.value().trim().parse().ok()?;
    let children = i32::try_from(children).ok()?;
    (1..=children)
        .contains(&threshold)
        .then(|| children - threshold + 1)
}

/// The attribute for a port of a built-in node, by its name now or in an older version.
fn given_port<'o, 'a, 'd>(
    others: &'o [Attribute<'a, 'd>],
    node: &str,
    port: &str,
) -> Option<&'o Attribute<'a, 'd>> {
    let is_it = |one: &&Attribute<'_, '_>| words::current_port(node, one.name()) == port;
    others.iter().find(is_it)
}
