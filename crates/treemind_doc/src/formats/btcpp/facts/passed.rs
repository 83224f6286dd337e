//! What a call gives to the tree that it calls.

use super::super::dialect::{self, Version};
use super::Guess;
use roxmltree::{Attribute, Node};

/// What becomes of the names that a call does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Rest {
    /// They are the tree's own.
    Own,
    /// Those that do not begin with `_` are the caller's.
    Public,
    /// All are the caller's.
    All,
    /// There is only the caller's blackboard: all names are the caller's, and no port is another name for one.
    Shared,
}

impl Rest {
    pub(super) fn takes(self, key: &str) -> bool {
        match self {
            Rest::Own => false,
            Rest::Public => !key.starts_with('_'),
            Rest::All | Rest::Shared => true,
        }
    }
}

/// What becomes of the names that a `SubTree` does not mention.
pub(in super::super) fn rest_of(element: Node<'_, '_>, version: Version) -> Rest {
    let is_on = |name| {
        let value = element.attribute(name).map(str::trim);
        value.is_some_and(|text| dialect::flag(text) == Some(true))
    };
    match (version, element.tag_name().name()) {
        (Version::Three, "SubTreePlus") if is_on("__autoremap") => Rest::All,
        (_, "SubTreePlus") if is_on("__autoremap") => Rest::Public,
        (Version::Three, word) if word != "SubTreePlus" && is_on("__shared_blackboard") => {
            Rest::Shared
        }
        _ if is_on("_autoremap") => Rest::Public,
        _ => Rest::Own,
    }
}

/// Whether one of the words of version 3 means something on the element that calls a tree.
pub(in super::super) fn has_meaning(name: &str, element: Node<'_, '_>, version: Version) -> bool {
    match (name, element.tag_name().name()) {
        ("__autoremap", word) => word == "SubTreePlus",
        (_, word) => version == Version::Three && word != "SubTreePlus",
    }
}

/// What the first releases of version 3 write inside a `SubTree`, `<remap internal="port" external="key"/>`: the
/// attributes with the port and the key.
pub(in super::super) fn remapped<'a, 'd>(
    element: Node<'a, 'd>,
    rest: Rest,
) -> impl Iterator<Item = (Attribute<'a, 'd>, Attribute<'a, 'd>)> {
    let remaps = element.children();
    let remaps = remaps.filter(move |one| one.has_tag_name("remap") && rest != Rest::Shared);
    remaps.filter_map(|remap| {
        let port = remap.attribute_node("internal")?;
        Some((port, remap.attribute_node("external")?))
    })
}

/// What a `SubTree` gives to a port.
pub(in super::super) enum Passed<'v> {
    Key(&'v str),
    Literal(&'v str),
}

impl<'v> Passed<'v> {
    /// `None` for attributes that are no ports.
    pub(in super::super) fn of(
        (word, rest): (&str, Rest),
        attribute: Attribute<'v, '_>,
        version: Version,
    ) -> Option<Passed<'v>> {
        let name = attribute.name();
        if matches!(name, "ID" | "name") || name.starts_with('_') || rest == Rest::Shared {
            return None;
        }
        let value = attribute.value();
        // In version 3 a plain `SubTree` takes names of keys, to which braces belong, too.
        if version == Version::Three && word != "SubTreePlus" {
            return Some(Passed::Key(value.trim()));
        }
        Some(match dialect::pointer_of(attribute, version) {
            Some(key) => Passed::Key(key),
            None => Passed::Literal(value),
        })
    }

    /// What a port gets that a call does not mention, from the model of the tree.
    pub(in super::super) fn by_default(port: &'v str, default: &'v str) -> Passed<'v> {
        match dialect::pointer(default, port, Version::Four) {
            Some(key) => Passed::Key(key),
            None => Passed::Literal(default),
        }
    }
}

/// Keeps the name of a port that is given a literal.
pub(super) fn sort_literal(
    port: &str,
    text: &str,
    (whole, literals, texts): (&mut Vec<String>, &mut Vec<String>, &mut Vec<String>),
) {
    let guess = Guess::of(text);
    match guess {
        Guess::Int => whole.push(port.to_owned()),
        _ => literals.push(port.to_owned()),
    }
    if guess.is_text() {
        texts.push(port.to_owned());
    }
}
