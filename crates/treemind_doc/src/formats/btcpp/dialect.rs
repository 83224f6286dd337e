//! The two versions of the XML, and what a value in it means.

use super::words;
use roxmltree::{Attribute, Node};

/// A version of the XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Three,
    Four,
}

impl Version {
    /// The version of a file. Files without `BTCPP_format` are of version 3 if they use words that only it has, because
    /// version 4 loads both.
    pub(super) fn of(root: Node<'_, '_>) -> Version {
        match root.attribute("BTCPP_format").map(str::trim) {
            Some("3") => return Version::Three,
            Some(_) => return Version::Four,
            None => {}
        }
        let is_old = |element: Node<'_, '_>| {
            let word = element.tag_name().name();
            let id = element.attribute("ID").unwrap_or(word);
            let is_name = words::ONLY_THREE.contains(&word) || words::ONLY_THREE.contains(&id);
            is_name
                || element.attributes().any(|attribute| {
                    attribute.name() == "__shared_blackboard" || attribute.name() == "__autoremap"
                })
        };
        let mut elements = root.descendants().filter(Node::is_element);
        match elements.any(is_old) {
            true => Version::Three,
            false => Version::Four,
        }
    }
}

/// The key that a value points to: `{key}`, `{=}`, and in version 3 `${key}`.
pub(super) fn pointer<'v>(value: &'v str, port: &'v str, version: Version) -> Option<&'v str> {
    let text = value.trim_matches(' ');
    let inner = match (text.strip_prefix("${"), version) {
        (Some(inner), Version::Three) => inner,
        _ => text.strip_prefix('{')?,
    };
    let inner = inner.strip_suffix('}')?;
    match inner {
        "" => None,
        "=" => Some(port),
        key => Some(key),
    }
}

/// As [`pointer`], for the value of an attribute, which lives longer than its name.
pub(super) fn pointer_of<'v>(attribute: Attribute<'v, '_>, version: Version) -> Option<&'v str> {
    pointer(attribute.value(), attribute.name(), version)
}

/// A number with a fraction or an exponent, as BehaviorTree.CPP reads it.
pub(super) fn double(text: &str) -> Option<f64> {
    let is_number = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    let begins = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
    if !is_number || !begins {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a flag is on.
pub(super) fn is_true(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "1")
}

/// Whether an element calls another tree.
pub(super) fn is_subtree(word: &str) -> bool {
    matches!(word, "SubTree" | "SubTreePlus")
}
