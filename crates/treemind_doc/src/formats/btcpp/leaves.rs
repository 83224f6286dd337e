//! Nodes that the host provides: leaves, and controls and decorators of its own.

use super::dialect::{self, Version};
use super::facts::{Guess, PortFacts};
use super::model::{Declared, Direction};
use super::nodes::Nodes;
use super::packs::{self, Packed};
use super::{own, tag, words};
use crate::code::Code;
use crate::language;
use crate::suggest;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use crate::{Said, said};
use roxmltree::{Attribute, Node};

impl Nodes<'_> {
    /// A node that is not built into BehaviorTree.CPP. Returns its keyword if it has no mistake. `at` is the place of
    /// its name.
    pub(super) fn leaf(
        &mut self,
        element: Node<'_, '_>,
        (name, at, is_explicit): (&str, &Span, bool),
        nodes: &[Node<'_, '_>],
    ) -> Option<&'static str> {
        let word = shortened(name);
        if words::AROUND.contains(&name) {
            let message = said!("`<{}>` is not allowed in a tree", word);
            self.sink.error(Code::MisplacedNode, tag(element), message);
            return None;
        }
        let model = self.models.declared(name);
        let is_tree = self.facts.trees.contains_key(name);
        // Version 4 refuses a tree with the name of a node; in version 3, the node counts.
        let is_refused = match model {
            Some(Declared::SubTree) | None if !is_explicit => is_tree || model.is_some(),
            _ if is_explicit => is_tree && !self.may_be_three,
            _ => is_tree && self.version == Version::Four,
        };
        if is_refused {
            let message = said!("expected a node, but `{}` is a tree", word);
            self.sink
                .error(Code::UnknownNode, tag(element), message)
                .with_help(said!("write `<SubTree ID=\"{}\"/>`", word));
            return None;
        }
        let is_known = model.is_some()
            || is_explicit
            || words::of_host(name).is_some()
            || packs::of(name).is_some();
        let kind = self.kind(element, (name, is_known), model, nodes)?;
        self.no_builtin(element, name);
        self.declare(element, (name, at), kind)
    }

    /// Says of a node that has the name of a built-in one that it is not read as that.
    fn no_builtin(&mut self, element: Node<'_, '_>, name: &str) {
        let own = own::own(element, name, self.version, &self.models);
        if own.is_none() || self.kinds.contains_key(name) || self.models.get(name).is_some() {
            return;
        }
        self.sink.doubts.insert(name.to_owned());
        let name = shortened(name);
        let message = said!("`{}` is read as a node of the host", name);
        self.sink
            .warning(Code::UnknownLeaf, tag(element), message)
            .with_help(said!(
                "the `{}` of BehaviorTree.CPP has other attributes",
                name
            ));
    }

    /// What a node of the host is: `condition`, `action`, `composite` or `decorator`.
    fn kind(
        &mut self,
        element: Node<'_, '_>,
        (name, is_known): (&str, bool),
        model: Option<Declared>,
        nodes: &[Node<'_, '_>],
    ) -> Option<&'static str> {
        let said = match element.tag_name().name() {
            "Condition" => Some("condition"),
            "Action" => Some("action"),
            "Control" => Some("composite"),
            "Decorator" => Some("decorator"),
            _ => match model {
                Some(Declared::Condition) => Some("condition"),
                Some(Declared::Action) => Some("action"),
                Some(Declared::Control) => Some("composite"),
                Some(Declared::Decorator) => Some("decorator"),
                Some(Declared::SubTree) | None => {
                    let by_name = words::of_host(name);
                    let by_name =
                        by_name.or(own::of_host(element, name, self.version, &self.models));
                    by_name.or(self.said_elsewhere(name, !nodes.is_empty()))
                }
            },
        };
        let has_children = !nodes.is_empty();
        let said = said.map(
            |kind| match words::EXPLICIT.contains(&element.tag_name().name()) {
                true => kind,
                false => self.as_used(element, (name, kind), has_children),
            },
        );
        let near = self.near(name, is_known);
        let word = shortened(name);
        if let Some(packed) = packs::of(name)
            && model.is_none_or(|model| matches!(model, Declared::Control | Declared::Decorator))
            && matches!(said, None | Some("composite" | "decorator"))
        {
            return self.packed(element, (name, packed), nodes);
        }
        match (said, has_children) {
            (Some(kind @ ("condition" | "action")), true) => {
                let message = said!("`{}` is {} and takes no children", word, called(kind));
                self.sink.error(Code::ExtraChildren, tag(element), message);
                None
            }
            (Some(kind @ ("composite" | "decorator")), false) => {
                let message = said!("`{}` is {} and needs a child", word, called(kind));
                self.sink
                    .error(Code::MissingChildren, tag(element), message);
                None
            }
            (Some("decorator"), true) if nodes.len() > 1 => {
                let message = said!("`{}` takes one child, and this is one too many", word);
                self.sink.error(Code::ExtraChildren, tag(nodes[1]), message);
                None
            }
            (Some(kind), _) => Some(kind),
            (None, true) => {
                self.sink.doubts.insert(name.to_owned());
                if let Some(near) = near {
                    let message = said!("unknown node `{}`, read as a node of the host", word);
                    self.sink
                        .warning(Code::UnknownLeaf, tag(element), message)
                        .with_help(near);
                }
                Some("composite")
            }
            (None, false) => Some(self.unknown_leaf(element, name, near)),
        }
    }

    /// What an element in another place says that a node is, such as `<Condition ID="…"/>`.
    fn said_elsewhere(&self, name: &str, has_children: bool) -> Option<&'static str> {
        let kind = match self.facts.leaves.get(name)?.element? {
            "Condition" => "condition",
            "Action" => "action",
            "Control" => "composite",
            _ => "decorator",
        };
        let is_leaf = matches!(kind, "condition" | "action");
        (is_leaf != has_children).then_some(kind)
    }

    /// What a node of Nav2 or of MoveIt Pro is, by how many children it has.
    fn packed(
        &mut self,
        element: Node<'_, '_>,
        (name, packed): (&str, &Packed),
        nodes: &[Node<'_, '_>],
    ) -> Option<&'static str> {
        let (least, most) = packed.children;
        let is_explicit = words::EXPLICIT.contains(&element.tag_name().name());
        if nodes.is_empty() && !is_explicit {
            // Somebody else may have an action of this name.
            let message = said!("`{}` has no child, so it is read as an action", name);
            self.sink
                .warning(Code::MissingChildren, tag(element), message)
                .with_help(said!("the `{}` of Nav2 or MoveIt Pro has children", name));
            return Some("action");
        }
        if (least..=most).contains(&nodes.len()) {
            return Some(packed.kind);
        }
        let (code, at) = match nodes.get(most) {
            Some(extra) => (Code::ExtraChildren, tag(*extra)),
            None => (Code::MissingChildren, tag(element)),
        };
        let wanted = match (least, most) {
            (1, usize::MAX) => said!("at least one child"),
            (1, 1) => said!("one child"),
            (least, most) if least == most => said!("{} children", least),
            (least, most) => said!("{} to {} children", least, most),
        };
        let message = said!("`{}` takes {}, and has {}", name, wanted, nodes.len());
        self.sink.error(code, at, message);
        None
    }

    /// What a node is that a model declares as `kind`. Models are for editors only, so where the children say
    /// otherwise, the model is wrong.
    fn as_used(
        &mut self,
        element: Node<'_, '_>,
        (name, kind): (&str, &'static str),
        has_children: bool,
    ) -> &'static str {
        let is_leaf = matches!(kind, "condition" | "action");
        if is_leaf != has_children || words::of_host(name).is_some() || packs::of(name).is_some() {
            return kind;
        }
        let used = match has_children {
            true => "composite",
            false => "action",
        };
        let message = said!(
            "`{}` is {} in the model, but {} here",
            shortened(name),
            called(kind),
            called(used)
        );
        self.sink
            .warning(Code::WrongLeafKind, tag(element), message)
            .with_help(said!(
                "correct the model: only its children say what this node is"
            ));
        used
    }

    /// What a name is similar to. It is told once for each name, and not in documents with more names than anybody
    /// writes.
    fn near(&self, name: &str, is_known: bool) -> Option<Said> {
        if is_known || self.kinds.contains_key(name) || self.leaves.len() >= 1_000 {
            return None;
        }
        let word = shortened(name);
        match words::foreign(name) {
            Some(ours) => Some(said!("use `{}` if it is meant", ours)),
            None => suggest::nearest(&word, words::all().chain(["SubTree"])).map(suggest::meant),
        }
    }

    /// A leaf of which nobody says whether it is a condition or an action.
    fn unknown_leaf(
        &mut self,
        element: Node<'_, '_>,
        name: &str,
        near: Option<Said>,
    ) -> &'static str {
        if let Some(known) = self.kinds.get(name) {
            return known;
        }
        if name == "Cond" || words::CONDITIONS.contains(&name) {
            return "condition";
        }
        // Nav2's `Wait` says how long; others may be meant as `Sleep`, which version 4 has.
        let is_wait = |port: &str| matches!(port, "wait_duration" | "server_name");
        let is_other = name == "Wait"
            && self.version == Version::Four
            && !element.attributes().any(|one| is_wait(one.name()));
        let is_known = matches!(name, "Act" | "Echo") || words::ACTIONS.contains(&name);
        if is_known && !(is_other && near.is_some()) {
            return "action";
        }
        self.sink.doubts.insert(name.to_owned());
        let word = shortened(name);
        let message = match near {
            Some(_) => said!("unknown node `{}`, read as an action of the host", word),
            None => said!(
                "`{}`: condition or action is not known, read as an action",
                word
            ),
        };
        let help = near.unwrap_or_else(|| {
            said!(
                "write `<Condition ID=\"{}\"/>` or `<Action ID=\"{}\"/>`, or declare it in `<TreeNodesModel>`",
                word,
                word
            )
        });
        self.sink
            .warning(Code::UnknownLeaf, tag(element), message)
            .with_help(help);
        "action"
    }

    /// Declares the node of the host with this name, which is of one kind in the whole document. Returns its keyword.
    pub(super) fn declare(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        kind: &'static str,
    ) -> Option<&'static str> {
        let known = self.kinds.get(name).copied();
        let kind = match known {
            Some(before) if before != kind => {
                let is_leaf = |kind| matches!(kind, "condition" | "action");
                let (is, was) = (is_leaf(kind), is_leaf(before));
                let message = said!(
                    "`{}` is {} elsewhere, but {} here",
                    shortened(name),
                    called(before),
                    called(kind)
                );
                if is != was {
                    self.sink.error(Code::WrongLeafKind, tag(element), message);
                    return None;
                }
                if is {
                    self.sink
                        .warning(Code::WrongLeafKind, tag(element), message)
                        .with_help(said!("it is read as {} everywhere", called(before)));
                }
                before
            }
            _ => kind,
        };
        if known.is_none() {
            self.kinds.insert(name.to_owned(), kind);
            let params = self.params(name, at);
            let mut entries = vec![Entry::word(name, at.clone())];
            if kind == "composite" {
                entries.push(Entry::value(Value::Int(1), at.clone()).named("min"));
            }
            let leaf = syntax::Node::made(Text::made(kind, at.clone()), tag(element), entries);
            self.leaves.push(match params.is_empty() {
                true => leaf,
                false => leaf.block(params),
            });
        }
        Some(match kind {
            "composite" | "decorator" => "node",
            leaf => leaf,
        })
    }

    /// The parameters of a leaf: all ports that any node gives it.
    fn params(&mut self, name: &str, at: &Span) -> Vec<syntax::Node> {
        let Some(facts) = self.facts.leaves.get(name) else {
            return Vec::new();
        };
        let model = self.models.get(name);
        let ports = facts.ports.iter().map(|port| {
            let said = model.and_then(|model| model.ports.get(&port.name));
            let packed = packs::port(name, &port.name);
            let said_ty = said.and_then(|said| said.ty);
            let ty = type_of(port, said_ty.or(packed.map(|(ty, _)| ty)));
            let property = |name: &str, value| Entry::value(value, at.clone()).named(name);
            let text = |text: &str| Value::Text(Text::made(text, at.clone()));
            let mut entries = vec![
                Entry::word(&port.param, at.clone()),
                property("type", text(keyword(ty))),
            ];
            if port.uses < facts.uses {
                let default = said.and_then(|said| said.default.as_deref());
                let default = default.or(words::default_of(name, &port.name));
                // What models say of them differs from release to release.
                let default = packed.map(|(_, default)| default).or(default);
                let default = default.and_then(|default| literal(default, ty, at));
                let absent = || literal(absent(ty), ty, at);
                entries.extend(
                    default
                        .or_else(absent)
                        .map(|value| property("default", value)),
                );
            }
            if port.has_key {
                entries.push(property("by-key", Value::Bool(true)));
            }
            syntax::Node::made(Text::made("param", at.clone()), at.clone(), entries)
        });
        ports.collect()
    }

    /// What a node gives to its leaf: in its line, and in its block, where the language has a property of that name.
    pub(super) fn arguments(
        &mut self,
        name: &str,
        others: &[Attribute<'_, '_>],
        is_explicit: bool,
    ) -> (Vec<Entry>, Vec<syntax::Node>) {
        let (mut line, mut block) = (Vec::new(), Vec::new());
        for attribute in others {
            self.perhaps_script(name, *attribute);
            if attribute.name() == "ID" {
                if !is_explicit {
                    let message =
                        said!("`ID` is ignored here: the name of the node is that of the element");
                    self.sink
                        .warning(Code::UnknownProperty, attribute.range(), message);
                }
                continue;
            }
            self.against_model(name, *attribute);
            let Some(port) = self
                .facts
                .leaves
                .get(name)
                .and_then(|leaf| leaf.port(attribute.name()))
            else {
                continue;
            };
            let said = self.models.get(name);
            let said = said.and_then(|model| model.ports.get(attribute.name()));
            let packed = packs::port(name, attribute.name()).map(|(ty, _)| ty);
            let ty = type_of(port, said.and_then(|said| said.ty).or(packed));
            let param = port.param.clone();
            let value = self.argument(name, *attribute, ty);
            if language::is_common_property(&param) || is_of_node(&param) {
                let at = attribute.range();
                let entries = vec![
                    Entry::word(&param, attribute.range_qname()),
                    Entry::value(value, attribute.range_value()),
                ];
                let word = Text::made("param", attribute.range_qname());
                block.push(syntax::Node::made(word, at, entries));
                continue;
            }
            let mut entry = Entry::value(value, attribute.range());
            entry.value_span = attribute.range_value();
            entry.name = Some(Text::made(&param, attribute.range_qname()));
            line.push(entry);
        }
        (line, block)
    }

    /// The keys that a node of Nav2 looks at where it does not give the ports of their names.
    pub(super) fn looked_at(&mut self, element: Node<'_, '_>, name: &str, at: &Span) -> Vec<Entry> {
        let ports = packs::looked_at(element, name);
        let given = ports.filter_map(|port| {
            let param = self.facts.leaves.get(name)?.port(port)?.param.clone();
            let key = self.facts.key_in(&self.tree, port);
            let value = Value::Text(Text::made(&format!("{{{key}}}"), at.clone()));
            Some(Entry::value(value, at.clone()).named(&param))
        });
        given.collect()
    }

    /// The value of a port: a key, or a literal.
    fn argument(&mut self, node: &str, attribute: Attribute<'_, '_>, ty: Option<Guess>) -> Value {
        let at = attribute.range_value();
        if let Some(key) = self.models.key(node, attribute, self.version) {
            let tree = self.tree.clone();
            let key = self.facts.key_in(&tree, key);
            return Value::Text(Text::made(&format!("{{{key}}}"), at));
        }
        let direction = self.models.direction(node, attribute.name());
        if direction == Some(Direction::Out) && dialect::is_name(attribute.value().trim()) {
            let name = shortened(attribute.name());
            let message = said!(
                "`{}` is written by the node, and version 4 writes only keys in braces",
                name
            );
            self.sink
                .warning(Code::BadName, at.clone(), message)
                .with_help(said!("write `{}=\"{{}}\"`", name, attribute.value().trim()));
        }
        let is_name = || dialect::is_name(attribute.value().trim());
        if direction == Some(Direction::Both) && self.version == Version::Three && is_name() {
            let message = said!(
                "a text, but version 3 also writes the key `{}` if the node writes `{}`",
                shortened(attribute.value().trim()),
                shortened(attribute.name())
            );
            self.sink
                .warning(Code::BadName, at.clone(), message)
                .with_help(said!(
                    "write `{}=\"{{}}\"`",
                    shortened(attribute.name()),
                    attribute.value().trim()
                ));
        }
        match literal(attribute.value(), ty, &at) {
            Some(value) => value,
            // No argument can write it, so a key holds it.
            None if ty.is_none_or(|ty| ty == Guess::Text) => {
                let key = self.held_text(&attribute, keyword(ty));
                Value::Text(Text::made(&format!("{{{key}}}"), at))
            }
            None => {
                let message = said!(
                    "expected {} for the port `{}`, found `{}`",
                    ty.map_or_else(|| said!("a value"), wanted),
                    shortened(attribute.name()),
                    shortened(attribute.value())
                );
                self.sink.error(Code::WrongType, at, message);
                Value::Bad
            }
        }
    }
}

fn called(kind: &str) -> Said {
    match kind {
        "condition" => said!("a condition"),
        "action" => said!("an action"),
        "decorator" => said!("a decorator"),
        _ => said!("a control"),
    }
}

/// Properties of the nodes that leaves are used by.
fn is_of_node(param: &str) -> bool {
    ["condition", "action", "node"]
        .iter()
        .any(|word| language::node_word(word).is_some_and(|word| word.has(param)))
}

/// The type of a parameter; `None` for any value.
fn type_of(port: &PortFacts, said: Option<Guess>) -> Option<Guess> {
    match port.has_key {
        true => None,
        false => match (said, port.guess) {
            // Literals that are not of the type that is said are left to the host.
            (Some(said), Some(guess)) if fits(guess, said) => Some(said),
            (_, guess) => guess,
        },
    }
}

fn fits(guess: Guess, said: Guess) -> bool {
    said == guess || said == Guess::Text || (guess, said) == (Guess::Int, Guess::Double)
}

fn keyword(ty: Option<Guess>) -> &'static str {
    match ty {
        None => "any",
        Some(Guess::Bool) => "bool",
        Some(Guess::Int) => "int",
        Some(Guess::Double) => "double",
        Some(Guess::Text) => "string",
    }
}

pub(super) fn wanted(ty: Guess) -> Said {
    match ty {
        Guess::Bool => said!("`true` or `false`"),
        Guess::Int => said!("a whole number"),
        Guess::Double => said!("a number"),
        Guess::Text => said!("a text"),
    }
}

/// What stands for a port that a node does not give.
fn absent(ty: Option<Guess>) -> &'static str {
    match ty {
        Some(Guess::Bool) => "false",
        Some(Guess::Int | Guess::Double) => "0",
        Some(Guess::Text) | None => "",
    }
}

/// A literal as a value of a type, or of the type that it looks like.
pub(super) fn literal(text: &str, ty: Option<Guess>, at: &Span) -> Option<Value> {
    // As it is written, if our documents write numbers so.
    let is_plain = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        digits
            .split_once('.')
            .is_some_and(|(whole, rest)| is_digits(whole) && is_digits(rest))
    };
    let double = |number: f64| {
        let plain = match is_plain(text) {
            true => text.to_owned(),
            false => format!("{number:?}"),
        };
        Value::Decimal(number, plain)
    };
    match ty.unwrap_or_else(|| Guess::of(text)) {
        Guess::Bool => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Guess::Int => text.parse::<i64>().ok().map(|int| Value::Int(int.into())),
        Guess::Double => dialect::double(text).map(double),
        Guess::Text => {
            let is_read_otherwise = text.starts_with('=')
                || (text.starts_with('{') && text.ends_with('}') && text.len() > 1);
            if !is_read_otherwise {
                return Some(Value::Text(Text::made(text, at.clone())));
            }
            let quoted = format!("='{text}'");
            (!text.contains('\'')).then(|| Value::Text(Text::made(&quoted, at.clone())))
        }
    }
}
