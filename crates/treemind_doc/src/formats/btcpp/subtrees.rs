//! Calls of other trees, and what they give to them.

use super::dialect::{self, Version};
use super::facts::{self, Guess, Passed};
use super::leaves::literal;
use super::model::Declared;
use super::nodes::{Nodes, declared_key, name_of, span_of};
#[cfg(feature = "convert")]
use super::spelling::Tag;
use super::{tag, value_of};
use crate::code::Code;
use crate::language;
use crate::said;
use crate::suggest;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

impl Nodes<'_> {
    /// `<SubTree ID="…"/>`
    pub(super) fn subtree(&mut self, element: Node<'_, '_>) -> Option<syntax::Node> {
        let mut others = Vec::new();
        let mut entries = self.common(element, &mut others);
        let children = self.elements(element);
        let mut children = children.iter().filter(|child| !child.has_tag_name("remap"));
        if let Some(child) = children.next() {
            let message = said!("`SubTree` takes no children");
            self.sink
                .error(Code::ExtraChildren, tag(*child), message)
                .with_help(said!(
                    "put the nodes of a subtree into its `<BehaviorTree>`"
                ));
        }
        let word = element.tag_name().name();
        if word == "SubTreePlus" {
            self.old_name(element, word, "SubTree");
        }
        let name = match dialect::is_subtree(word) {
            true => value_of(self.id(element)?),
            false => {
                self.by_element(element, word);
                Entry::word(word, name_of(element))
            }
        };
        self.one_path(element);
        if let Some(node) = self.never_called(element, &name, &entries) {
            return Some(node);
        }
        // The calling node does not show: the root of the tree looks the same as when the tree runs by itself.
        entries.retain(|entry| {
            let name = entry.name.as_ref().map_or("", |name| &name.value);
            language::is_guard_or_hook(name)
        });
        let keeps_name = Entry::value(Value::Bool(true), tag(element)).named("keeps-name");
        let tree = name.value.text().map_or("", |text| &text.value).to_owned();
        let mut line = vec![name, keeps_name];
        line.append(&mut entries);
        let below = self.given(element, &tree, &others, &mut line);
        let word = Text::made("subtree", name_of(element));
        let node = syntax::Node::made(word, span_of(element), line);
        Some(match below.is_empty() {
            true => node,
            false => node.block(below),
        })
    }

    /// The call of a tree that is missing, in a tree that never runs: BehaviorTree.CPP looks for a tree only when the one
    /// around the call is made. It is an action of the host, so that it comes back.
    fn never_called(
        &mut self,
        element: Node<'_, '_>,
        name: &Entry,
        entries: &[Entry],
    ) -> Option<syntax::Node> {
        let text = name.value.text()?;
        let tree = text.value.as_str();
        let is_missing = !self.facts.trees.contains_key(tree)
            && self.facts.unreached.contains(&self.tree)
            && !element.children().any(|one| one.is_element());
        // No node has its name.
        let is_free = dialect::may_name_tree(tree)
            && !self.facts.leaves.contains_key(tree)
            && matches!(self.models.declared(tree), None | Some(Declared::SubTree));
        if !is_missing || !is_free {
            return None;
        }
        let word = shortened(tree);
        let message = said!(
            "unknown tree `{}`, read as an action of the host: the main tree does not reach this call",
            word
        );
        let names = self.facts.trees.keys().map(String::as_str);
        let names = names.chain(self.sink.trees_nearby.iter().map(String::as_str));
        let help = suggest::did_you_mean(&word, names, || {
            Some(said!(
                "a program that runs the tree around it needs the tree `{}`",
                word
            ))
        });
        let at = text.span.clone();
        self.sink
            .warning(Code::UnknownTree, at.clone(), message)
            .with_perhaps(help);
        let word = self.declare(element, (tree, &at), "action")?;
        let mut line = vec![name.clone()];
        line.extend_from_slice(entries);
        let word = Text::made(word, name_of(element));
        Some(syntax::Node::made(word, span_of(element), line))
    }

    /// A tree whose name is the element, `<Home/>`: version 3 reads it as a call, version 4 does not know it.
    fn by_element(&mut self, element: Node<'_, '_>, word: &str) {
        if self.version == Version::Four {
            let word = shortened(word);
            let message = said!(
                "`{}` is a tree, which version 4 does not read as a node",
                word
            );
            self.sink
                .warning(Code::UnknownNode, tag(element), message)
                .with_help(said!("write `<SubTree ID=\"{}\"/>`", word));
        }
    }

    /// Reports a `SubTree` beside another one of the same `name`: both would be the same to a monitor, and
    /// BehaviorTree.CPP 4 refuses them.
    fn one_path(&mut self, element: Node<'_, '_>) {
        let Some(name) = element.attribute_node("name") else {
            return;
        };
        let is_twin = |other: &Node<'_, '_>| {
            dialect::is_subtree(other.tag_name().name())
                && other.attribute("name") == Some(name.value())
        };
        if name.value().trim().is_empty()
            || !element.prev_siblings().skip(1).any(|one| is_twin(&one))
        {
            return;
        }
        let message = said!(
            "another `SubTree` beside this one has the name `{}`, too",
            shortened(name.value())
        );
        let at = name.range_value();
        let help = said!("give each a name of its own, or leave `name` out");
        // Only version 4 refuses it. A file that does not say its version may have been written for version 3.
        match (self.version, dialect::says_version(element)) {
            (Version::Four, true) => {
                self.sink
                    .error(Code::Duplicate, at, message)
                    .with_help(help);
            }
            _ => {
                self.sink
                    .warning(Code::Duplicate, at, message)
                    .with_help(help);
            }
        }
    }

    /// What a call gives to the ports of a tree: in its line, and in its block.
    fn given(
        &mut self,
        element: Node<'_, '_>,
        tree: &str,
        others: &[Attribute<'_, '_>],
        line: &mut Vec<Entry>,
    ) -> Vec<syntax::Node> {
        let mut below = Vec::new();
        if !self.facts.trees.contains_key(tree) {
            // The missing tree is reported; what it takes is not known.
            return below;
        }
        let word = element.tag_name().name();
        let rest = facts::rest_of(element, self.version);
        // What it means is read above; a word that is neither is a mistake.
        self.flag(others, "_autoremap", false);
        let mut names = Vec::new();
        for attribute in others {
            self.means_nothing((element, rest), *attribute);
            let Some(passed) = Passed::of((word, rest), *attribute, self.version) else {
                continue;
            };
            self.has_braces(word, *attribute);
            names.push(attribute.name());
            let key = match passed {
                Passed::Key(key) => {
                    let caller = self.tree.clone();
                    self.facts.key_in(&caller, key)
                }
                Passed::Literal(text) => {
                    let at = attribute.range_value();
                    self.key_for(tree, attribute.name(), text, at)
                }
            };
            let port = self.facts.names.of(attribute.name());
            bind(&port, &key, *attribute, line, &mut below);
        }
        for (port, key) in facts::remapped(element, rest) {
            names.push(port.value());
            let caller = self.tree.clone();
            let own = self.facts.key_in(&caller, key.value().trim());
            let port = self.facts.names.of(port.value());
            bind(&port, &own, key, line, &mut below);
        }
        let by_default = self.by_default(element, tree, &names, line, &mut below);
        names.extend(by_default.iter().map(String::as_str));
        let caller = self.tree.clone();
        for key in self.facts.handed_down(tree, &names, rest) {
            let port = self.facts.names.of(&key);
            let own = self.facts.key_in(&caller, &key);
            let at = tag(element);
            let entry = Entry::word(&format!("{{{own}}}"), at.clone());
            place(&port, entry, line, &mut below);
        }
        below
    }

    /// Reports an attribute of a call that does not do what it seems to.
    fn means_nothing(
        &mut self,
        (element, rest): (Node<'_, '_>, facts::Rest),
        attribute: Attribute<'_, '_>,
    ) {
        let word = shortened(attribute.name());
        let (message, help) = match attribute.name() {
            name @ ("__shared_blackboard" | "__autoremap") => {
                let is_off = dialect::flag(attribute.value().trim()) != Some(true);
                if is_off || facts::has_meaning(name, element, self.version) {
                    return;
                }
                let element = element.tag_name().name();
                match self.version {
                    Version::Four => (
                        said!("`{}` has no meaning in version 4, so it is ignored", word),
                        said!(
                            "write `_autoremap=\"true\"`, with which names that do not begin with `_` are those of the caller"
                        ),
                    ),
                    Version::Three if name == "__autoremap" => (
                        said!(
                            "`{}` has no meaning for `{}`, so it is ignored",
                            word,
                            element
                        ),
                        said!("write `SubTreePlus`, or `__shared_blackboard=\"true\"`"),
                    ),
                    Version::Three => (
                        said!(
                            "`{}` has no meaning for `{}`, so it is ignored",
                            word,
                            element
                        ),
                        said!("write `SubTree`, or `__autoremap=\"true\"`"),
                    ),
                }
            }
            "ID" | "name" => return,
            name if rest == facts::Rest::Shared && !name.starts_with('_') => (
                said!(
                    "`{}` is ignored: with `__shared_blackboard`, the tree uses the names of its caller as they are",
                    word
                ),
                said!("remove it, or `__shared_blackboard`"),
            ),
            _ => return,
        };
        self.sink
            .warning(Code::UnknownProperty, attribute.range_qname(), message)
            .with_help(help);
    }

    /// Reports `port="{key}"` where version 3 takes names of keys without braces.
    fn has_braces(&mut self, word: &str, attribute: Attribute<'_, '_>) {
        let is_name = self.version == Version::Three && word != "SubTreePlus";
        let Some(key) = dialect::pointer_of(attribute, self.version).filter(|_| is_name) else {
            return;
        };
        let (key, written) = (shortened(key), shortened(attribute.value().trim()));
        let port = shortened(attribute.name());
        let message = said!(
            "a key with the name `{}`, not `{}`: version 3 takes the name as it is written",
            written,
            key
        );
        self.sink
            .warning(Code::BadName, attribute.range_value(), message)
            .with_help(said!(
                "write `{}=\"{}\"`, or `SubTreePlus` for `SubTree`",
                port,
                key
            ));
    }

    /// Gives a tree what its model says of ports that the call does not mention. Returns these ports.
    fn by_default(
        &mut self,
        element: Node<'_, '_>,
        tree: &str,
        names: &[&str],
        line: &mut Vec<Entry>,
        below: &mut Vec<syntax::Node>,
    ) -> Vec<String> {
        if self.version == Version::Three
            || facts::rest_of(element, self.version) != facts::Rest::Own
        {
            return Vec::new();
        }
        let at = tag(element);
        let ports = self.models.ports_of_tree(tree).into_iter();
        let ports = ports.filter(|(port, _)| !names.contains(port));
        let ports: Vec<(String, Option<String>)> = ports
            .map(|(port, default)| (port.to_owned(), default.map(str::to_owned)))
            .collect();
        let mut given = Vec::new();
        for (port, default) in ports {
            let Some(default) = default else {
                self.needs_port(element, tree, &port);
                continue;
            };
            let key = match Passed::by_default(&port, &default) {
                Passed::Key(key) => {
                    let caller = self.tree.clone();
                    self.facts.key_in(&caller, key)
                }
                Passed::Literal(text) => self.key_for(tree, &port, text, at.clone()),
            };
            let name = self.facts.names.of(&port);
            let entry = Entry::word(&format!("{{{key}}}"), at.clone());
            place(&name, entry, line, below);
            given.push(port);
        }
        given
    }

    /// A port without a default that a call does not mention.
    fn needs_port(&mut self, element: Node<'_, '_>, tree: &str, port: &str) {
        // In version 3, models are for editors only.
        if self.may_be_three {
            return;
        }
        let (tree, port) = (shortened(tree), shortened(port));
        let message = said!(
            "`{}` needs its port `{}`, says its model: BehaviorTree.CPP 4 refuses such a call",
            tree,
            port
        );
        self.sink
            .warning(Code::MissingParameter, tag(element), message)
            .with_help(said!(
                "write `{}=\"…\"`, or give it a `default` in the model",
                port
            ));
    }

    /// A key of this tree that starts with a literal which is given to another tree.
    fn key_for(&mut self, tree: &str, port: &str, text: &str, at: Span) -> String {
        let plain = super::names::held_literal(tree, port);
        let name = self.facts.names.fresh(&plain);
        let held = self.facts.type_of(tree, port);
        // Only numbers have a type of their own there.
        let ty = match Guess::of(text) {
            Guess::Bool => Guess::Text,
            Guess::Int if held == "double" => Guess::Double,
            guess => guess,
        };
        let value = literal(text, Some(ty), &at);
        self.given
            .push(declared_key("key", (&name, held), value, &at));
        name
    }
}

/// A call of version 3, as version 4 has it.
#[cfg(feature = "convert")]
pub(super) fn modern(element: Node<'_, '_>) -> Tag {
    let rest = facts::rest_of(element, Version::Three);
    let word = element.tag_name().name();
    let mut tag = Tag {
        name: "SubTree".to_owned(),
        attributes: Vec::new(),
    };
    for attribute in element.attributes() {
        let name = attribute.name();
        let value = match Passed::of((word, rest), attribute, Version::Three) {
            Some(Passed::Key(key)) => format!("{{{key}}}"),
            Some(Passed::Literal(text)) => text.to_owned(),
            None if matches!(name, "__shared_blackboard" | "__autoremap") => continue,
            // The tree uses the names of its caller.
            None if rest == facts::Rest::Shared
                && !name.starts_with('_')
                && !matches!(name, "ID" | "name") =>
            {
                continue;
            }
            None => attribute.value().to_owned(),
        };
        tag.attributes.push((name.to_owned(), value));
    }
    if rest != facts::Rest::Own && tag.value("_autoremap").is_none() {
        let on = ("_autoremap".to_owned(), "true".to_owned());
        tag.attributes.push(on);
    }
    tag
}

fn bind(
    port: &str,
    key: &str,
    attribute: Attribute<'_, '_>,
    line: &mut Vec<Entry>,
    below: &mut Vec<syntax::Node>,
) {
    let mut entry = Entry::word(&format!("{{{key}}}"), attribute.range());
    entry.value_span = attribute.range_value();
    place(port, entry, line, below);
}

/// Puts what is given to a port into the line, or into the block if the node has a property of that name.
fn place(port: &str, entry: Entry, line: &mut Vec<Entry>, below: &mut Vec<syntax::Node>) {
    let is_taken = language::node_word("subtree").is_some_and(|word| word.has(port));
    if !is_taken && !language::is_common_property(port) {
        line.push(entry.named(port));
        return;
    }
    let at = entry.span.clone();
    let entries = vec![Entry::word(port, at.clone()), entry];
    below.push(syntax::Node::made(
        Text::made("param", at.clone()),
        at,
        entries,
    ));
}
