//! Enumerations, which a program in C++ registers for scripts with `registerScriptingEnum`. No file of BehaviorTree.CPP
//! holds them, so `<ScriptingEnum name="RED" value="1"/>` beside the trees, or in a manifest, says them. It ignores
//! such an element.

use super::script::{self, Ast};
use super::{dialect, tag, words};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// The element that says a name of an enumeration.
pub(super) const ELEMENT: &str = "ScriptingEnum";

/// The names of enumerations, and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Enums(HashMap<String, i32>);

impl Enums {
    /// Reads what a file says beside its trees.
    pub(super) fn read(&mut self, root: Node<'_, '_>, sink: &mut Sink) {
        for element in root.children().filter(|one| one.has_tag_name(ELEMENT)) {
            let mut given = |name: &str| {
                let found = element.attribute_node(name);
                if found.is_none() {
                    let message = said!("`{}` needs its attribute `{}`", ELEMENT, name);
                    sink.error(Code::MissingParameter, tag(element), message)
                        .with_help(said!(
                            "write `{}`",
                            "<ScriptingEnum name=\"RED\" value=\"1\"/>"
                        ));
                }
                found
            };
            let (Some(name), Some(value)) = (given("name"), given("value")) else {
                continue;
            };
            let Ok(number) = value.value().trim().parse::<i32>() else {
                let found = shortened(value.value());
                let message = said!(
                    "expected a whole number for `{}`, found `{}`",
                    "value",
                    found
                );
                sink.error(Code::BadNumber, value.range_value(), message);
                continue;
            };
            let known = self.0.insert(name.value().to_owned(), number);
            if known.is_some_and(|known| known != number) {
                let message = said!("`{}` has another number elsewhere", shortened(name.value()));
                sink.error(Code::Duplicate, name.range_value(), message);
            }
        }
    }

    /// The number of a name.
    pub(super) fn number(&self, name: &str) -> Option<i32> {
        self.0.get(name).copied()
    }

    /// All names with their numbers, in their order.
    pub(super) fn all(&self) -> Vec<(&str, i32)> {
        let named = self.0.iter();
        let mut all: Vec<_> = named.map(|(name, number)| (&**name, *number)).collect();
        all.sort_unstable();
        all
    }

    /// The names of a number, in their order.
    pub(super) fn names(&self, number: f64) -> Vec<&str> {
        let named = self.0.iter();
        let named = named.filter(|(_, known)| f64::from(**known) == number);
        let mut names: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The statements of a script, with the numbers of enumerations in place of their names.
    pub(super) fn parse(&self, code: &str) -> Result<Vec<Ast>, Said> {
        let mut script = script::parse(code)?;
        self.turn_texts(&mut script)?;
        if !self.0.is_empty() {
            for statement in &mut script {
                statement.each(&mut |part| {
                    if let Ast::Name(name) = part
                        && let Some(number) = self.number(name)
                    {
                        *part = Ast::Number(f64::from(number));
                    }
                });
            }
        }
        Ok(script)
    }

    /// A key to which a script has given a number keeps that type: a text that it gets then is the number that it says.
    fn turn_texts(&self, script: &mut [Ast]) -> Result<(), Said> {
        // Whether the key has a whole number.
        let mut known: HashMap<String, bool> = HashMap::new();
        for statement in script {
            let Ast::Assign(name, None | Some('='), value) = statement else {
                continue;
            };
            let has = known.get(name).copied();
            match (&**value, has) {
                (Ast::Text(text), Some(is_whole)) => {
                    let number = self.number(text).map(f64::from);
                    let number = number.or_else(|| script::leading(text));
                    let number = number.filter(|one| !is_whole || one.fract() == 0.0);
                    let Some(number) = number else {
                        return Err(said!("the text '{}' is not a number", shortened(text)));
                    };
                    **value = match is_whole {
                        true => Ast::Whole(number as i64),
                        false => Ast::Number(number),
                    };
                }
                (Ast::Whole(_) | Ast::Bool(_), None) => drop(known.insert(name.clone(), true)),
                (Ast::Number(_), None) => drop(known.insert(name.clone(), false)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The names of scripts that are spelled like those of enumerations, and that get no value in these files: each with the
/// file that names it first, and where.
pub(super) fn unknown<'d>(roots: &[Node<'d, 'd>], enums: &Enums) -> Vec<(usize, String, Span)> {
    let mut asked: Vec<(usize, String, Span)> = Vec::new();
    let mut given: HashSet<String> = HashSet::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (nth, root) in roots.iter().enumerate() {
        let trees = root.children().filter(super::is_tree);
        let elements = trees.flat_map(|tree| tree.descendants());
        for element in elements.filter(Node::is_element) {
            let word = element.tag_name().name();
            for attribute in element.attributes() {
                let (name, value) = (attribute.name(), attribute.value());
                given.extend(
                    dialect::pointer(value, name, dialect::Version::Three).map(str::to_owned),
                );
                let names_key = words::names_key(word, name) || element.has_tag_name("remap");
                if names_key {
                    given.insert(value.trim().to_owned());
                }
                if dialect::is_subtree(word) {
                    given.insert(name.to_owned());
                }
                let is_code = name == "code" || (word == "Precondition" && name == "if");
                if !is_code && words::script_attribute(name).is_none() {
                    continue;
                }
                for mut statement in script::parse(value).unwrap_or_default() {
                    statement.each(&mut |part| match part {
                        Ast::Assign(name, ..) => drop(given.insert(name.clone())),
                        Ast::Name(name) if is_like_enum(name) && seen.insert(name.clone()) => {
                            asked.push((nth, name.clone(), attribute.range_value()));
                        }
                        _ => {}
                    });
                }
            }
        }
    }
    asked.retain(|(_, name, _)| enums.number(name).is_none() && !given.contains(name));
    asked
}

/// Whether a name has only capital letters, as those of enumerations have.
fn is_like_enum(name: &str) -> bool {
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Reports such a name.
pub(super) fn report(name: &str, at: Span, sink: &mut Sink) {
    let message = said!("nothing gives `{}` a value", shortened(name));
    sink.warning(Code::UnknownKey, at, message).with_help(said!(
        "if it is of an enumeration that the program registers, write `<ScriptingEnum name=\"{}\" value=\"1\"/>` beside the trees, or into the file of `--manifest`",
        shortened(name)
    ));
}
