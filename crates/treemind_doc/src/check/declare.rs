//! `blackboard`, and everything that is declared with a type.

use super::keys::Source;
use super::line::Line;
use super::literal::literal;
use super::reading::finish_in;
use super::{Checker, stranger};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::KeyScope;
use crate::language::{self, Spot};
use crate::suggest;
use crate::syntax::{Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use std::collections::hash_map;
use treemind_core::behaviour::{Form, Key, Merge, Scope};
use treemind_core::{EnumId, Type, Value};

/// A type with its default and its form: one value, an optional value, or a list.
pub(super) struct Declared {
    pub(super) ty: Type,
    pub(super) default: Option<Value>,
    form: Form,
    scope: Scope,
    merge: Merge,
    source: Option<Source>,
}

impl Declared {
    fn new(ty: Type, default: Option<Value>, form: Form) -> Self {
        Self {
            ty,
            default,
            form,
            scope: Scope::Agent,
            merge: Merge::Last,
            source: None,
        }
    }

    /// Whether a starting value is given.
    pub(super) fn has_default(&self) -> bool {
        match &self.form {
            Form::List { items, .. } => !items.is_empty(),
            Form::One | Form::Optional { .. } => self.default.is_some(),
        }
    }

    /// The key with this declaration.
    pub(super) fn key(self, name: String, doc: Option<String>) -> Key {
        let mates = matches!(self.source, Some(Source::Mates));
        let sensed = match self.source {
            Some(Source::Sensor(sensed)) => Some(sensed),
            Some(Source::Mates) | None => None,
        };
        Key {
            name,
            ty: self.ty,
            default: self.default.unwrap_or_else(|| self.ty.zero()),
            form: self.form,
            scope: self.scope,
            merge: self.merge,
            sensed,
            heard: None,
            mates,
            doc,
        }
    }
}

/// Where a key is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyHome {
    /// In a blackboard of that scope.
    Blackboard(Scope),
    /// In front of the root of a tree.
    Tree,
    /// In the block of a `scope`.
    Local,
    /// As a port of a tree.
    Port,
}

/// The start of a help text that points to the first of two names.
pub(crate) const FIRST_AT: &str = "the first is at ";

impl Checker<'_> {
    /// `blackboard { key …; }`
    pub(super) fn blackboard(&mut self, node: &Node) {
        let mut line = Line::new(node, self.sink);
        line.no_values(self.sink);
        let scope = self.read(&mut line, &language::BLACKBOARD_SCOPE);
        let scope = scope.unwrap_or_default();
        finish_in(line, Spot::Top, self.sink);
        for child in node.children() {
            if self.sink.is_full() {
                return;
            }
            if child.name.value == "key" {
                self.key(child, scope);
            } else {
                stranger(
                    child,
                    &said!("in a blackboard"),
                    &Spot::Key.list(),
                    self.sink,
                );
            }
        }
    }

    /// Reads a line that declares something with a name: a key or a port.
    pub(super) fn declaration<'n>(
        &mut self,
        node: &'n Node,
        home: KeyHome,
    ) -> Option<(&'n Text, Declared, Option<String>)> {
        let kind = if home == KeyHome::Port { "port" } else { "key" };
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the {}", kind), self.sink);
        line.only_name(self.sink);
        let doc = line.doc(self.sink);
        let what = name.map_or(said!("the {}", kind), |name| {
            said!("{} `{}`", kind, shortened(&name.value))
        });
        let mut declared = self.declared(&mut line, &what);
        let mut parameters = Vec::new();
        if home != KeyHome::Port {
            match self.sensed(&mut line, home, &mut parameters) {
                Ok(source) => declared = declared.map(|declared| Declared { source, ..declared }),
                Err(()) => declared = None,
            }
        }
        if let Some(Declared {
            ty,
            form,
            source: Some(Source::Mates),
            ..
        }) = &declared
            && (*ty != Type::Entity || !form.is_list())
        {
            let message = said!(
                "{} cannot list the agents of a group, as `sensor=members` does",
                what
            );
            self.sink
                .error(Code::WrongType, node.name.span.clone(), message)
                .with_help(said!(
                    "write `type=entity list=16`, with the number of agents that it may list"
                ));
            declared = None;
        }
        if let KeyHome::Blackboard(scope) = home {
            declared = declared.map(|declared| Declared { scope, ..declared });
        }
        if home != KeyHome::Port {
            declared = self.merged(&mut line, declared, &what);
        }
        if let Some(word) = language::find(&[Spot::Key, Spot::Port], &node.name.value) {
            line.finish_with(word, &parameters, self.sink);
        }
        match (name, declared) {
            (Some(name), Some(declared)) => Some((name, declared, doc)),
            (Some(name), None) => {
                // A declaration with a mistake still has a name. Its uses are not reported as unknown.
                self.scope.broken.insert(name.value.clone());
                None
            }
            (None, _) => None,
        }
    }

    /// Reads `merge=` of a key; `None` when there is a mistake.
    fn merged(
        &mut self,
        line: &mut Line<'_>,
        declared: Option<Declared>,
        what: &Said,
    ) -> Option<Declared> {
        let entry = line.node.entry("merge");
        let merge = self.read(line, &language::MERGE)?;
        let (mut declared, entry) = match (declared, entry) {
            (Some(declared), Some(entry)) if merge != Merge::Last => (declared, entry),
            (declared, _) => return declared,
        };
        let refusal = if declared.scope == Scope::Agent {
            Some((
                said!("{} is not shared, so only one agent writes it", what),
                said!(
                    "remove `merge`, or declare the key in `blackboard scope=group` or `scope=world`"
                ),
            ))
        } else if declared.form != Form::One {
            Some((
                said!(
                    "{} is optional or a list, but only single values can be merged",
                    what
                ),
                said!("remove `merge`: the items of all agents are added to a list"),
            ))
        } else if !merge.takes(declared.ty) {
            Some((
                said!(
                    "values of type `{}` cannot be merged like this",
                    declared.ty
                ),
                said!("use `add` for numbers, and `min` or `max` for numbers and `bool`"),
            ))
        } else {
            None
        };
        if let Some((message, help)) = refusal {
            self.sink
                .error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(help);
            return None;
        }
        declared.merge = merge;
        Some(declared)
    }

    fn key(&mut self, node: &Node, scope: Scope) {
        let home = KeyHome::Blackboard(scope);
        let Some((name, declared, doc)) = self.declaration(node, home) else {
            return;
        };
        if !expression_name(name, &said!("key"), self.sink) {
            return;
        }
        if let Some((_, first)) = self.scope.global(&name.value).cloned() {
            duplicate(name, &said!("keys"), &first, self.sink);
            return;
        }
        let key = declared.key(name.value.clone(), doc);
        self.scope.add_global(name, key);
    }

    /// Reads `type=`, `default=`, `list=`, `optional=`, the values of an enumeration and the items of a list; `None`
    /// when the type or the form is not clear.
    pub(super) fn declared(&mut self, line: &mut Line<'_>, what: &Said) -> Option<Declared> {
        let bound = self.bound(line, what);
        let is_list = !matches!(bound, Ok(None));
        let ty = self.scope.declared_type(line, what, is_list, self.sink);
        let default = line.property("default");
        let (ty, bound) = (ty?, bound.ok()?);
        if let Some(bound) = bound {
            let items = self.scope.items_of_list(line, ty, bound, what, self.sink)?;
            let form = Form::List { bound, items };
            return Some(Declared::new(ty, None, form));
        }
        let what = said!("the default of {}", what);
        let default =
            default.and_then(|entry| literal(entry, ty, &what, &self.scope, self.sink).ok());
        // Parameters have no `optional=`; that is reported elsewhere.
        let optional = line.take("optional");
        let form = if Line::flag_of(optional, "optional", self.sink) {
            let starts_set = default.is_some();
            Form::Optional { starts_set }
        } else {
            Form::One
        };
        Some(Declared::new(ty, default, form))
    }
}

/// Whether a name is new among the others; reports it if not.
pub(super) fn is_new<'n>(
    seen: &mut HashMap<&'n str, Span>,
    name: &'n Text,
    what: &Said,
    sink: &mut Sink,
) -> bool {
    match seen.entry(&name.value) {
        hash_map::Entry::Vacant(free) => {
            free.insert(name.span.clone());
            true
        }
        hash_map::Entry::Occupied(first) => {
            duplicate(name, what, first.get(), sink);
            false
        }
    }
}

/// Reports the second use of a name.
pub(super) fn duplicate(name: &Text, what: &Said, first: &Span, sink: &mut Sink) {
    let message = said!("two {} are named `{}`", what, shortened(&name.value));
    let help = first_at(first, &name.span, sink);
    sink.error(Code::Duplicate, name.span.clone(), message)
        .with_perhaps(help);
}

/// The place of the first of two; `None` when no more reports fit. Lines may be long, and each report counts
/// through them.
pub(super) fn first_at(first: &Span, second: &Span, sink: &mut Sink) -> Option<Said> {
    let is_told = !sink.is_full();
    is_told.then(|| said!("the first is at {}", sink.place_of(first, second)))
}

/// Checks a name of a key, parameter or value: these names are used in expressions.
pub(super) fn expression_name(name: &Text, what: &Said, sink: &mut Sink) -> bool {
    let word = &name.value;
    let letters = word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let begins = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    // A parameter is written only on the lines of nodes.
    let reserved =
        *what != "parameter" && ["true", "false", "if", "else", "in"].contains(&word.as_str());
    if letters && begins && !reserved {
        return true;
    }
    let shown = shortened(word);
    if reserved {
        let message = said!(
            "`{}` is a keyword of expressions and cannot name a {}",
            shown,
            what
        );
        sink.error(Code::BadName, name.span.clone(), message);
        return false;
    }
    let better: String = word
        .chars()
        .take(40)
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let better = better.trim_matches('_');
    let message = said!(
        "`{}` is not a valid name for a {}: expressions could not use it",
        shown,
        what
    );
    let diagnostic = sink.error(Code::BadName, name.span.clone(), message);
    if better.starts_with(|c: char| c.is_alphabetic()) {
        diagnostic.with_help(said!("use letters, digits and `_`: `{}`", better));
    } else {
        diagnostic.with_help(said!(
            "use letters, digits and `_`, beginning with a letter"
        ));
    }
    false
}

/// Reports something other than `value` in the block of a key, port or parameter.
fn no_value_of_enum(child: &Node, is_list: bool, what: &Said, sink: &mut Sink) {
    if child.name.value == "default" {
        let message = said!("{} is not a list, so it has only one default", what);
        sink.error(Code::MisplacedNode, child.name.span.clone(), message)
            .with_help(said!(
                "write `default=…` on its line, or make it a list: `list=8`"
            ));
        return;
    }
    let mut known = Spot::KeyBlock.list();
    known.retain(|word| is_list || *word != "default");
    stranger(child, &said!("in {}", what), &known, sink);
}

/// Checks a name of a leaf or tree: these names are used in traces, in scripts and on the command line.
pub(super) fn plain_name(name: &Text, what: &Said, sink: &mut Sink) -> bool {
    let bad = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ':' | ';' | '|' | ',');
    let is_plain = sink.is_foreign() || !name.value.contains(bad);
    if !name.value.is_empty() && is_plain {
        return true;
    }
    let message = said!(
        "`{}` is not a valid name for {}",
        shortened(&name.value),
        with_article(what)
    );
    let help = if name.bare && name.value.ends_with(',') {
        said!("separate values with spaces: KDL has no commas")
    } else {
        said!("use letters, digits and `-`, as in `see-enemy`")
    };
    sink.error(Code::BadName, name.span.clone(), message)
        .with_help(help);
    false
}

impl KeyScope {
    fn declared_type(
        &mut self,
        line: &mut Line<'_>,
        what: &Said,
        is_list: bool,
        sink: &mut Sink,
    ) -> Option<Type> {
        let node = line.node;
        let Some(entry) = line.property("type") else {
            let bare = line.values().get(1).and_then(|value| value.value.text());
            let bare = bare.map(|text| text.value.as_str());
            let bare = bare.filter(|word| language::TYPES.contains(word));
            let help = match bare {
                Some(word) => said!("write `type={}`", word),
                None => said!(
                    "add `type=` with one of {}",
                    suggest::listed(language::TYPES.iter().copied())
                ),
            };
            sink.error(
                Code::MissingValue,
                node.span.clone(),
                said!("{} has no type", what),
            )
            .with_help(help);
            self.enum_values(node, (false, is_list), what, sink);
            return None;
        };
        let word = match &entry.value {
            Written::Text(text) => text.value.as_str(),
            Written::Bad => return None,
            _ => "",
        };
        let is_enum = word == "enum";
        let list = self.enum_values(node, (is_enum, is_list), what, sink);
        match word {
            "bool" => Some(Type::Bool),
            "int" => Some(Type::Int),
            "float" => Some(Type::Float),
            "double" => Some(Type::Double),
            "entity" => Some(Type::Entity),
            "enum" => Some(Type::Enum(list?)),
            "vec2" => Some(Type::Vec2),
            "vec3" => Some(Type::Vec3),
            "string" => Some(Type::Text),
            "any" => Some(Type::Any),
            word => {
                let shown = shortened(word);
                let known = language::TYPES.iter().copied();
                let help = match language::foreign(word) {
                    Some(ours) if language::TYPES.contains(&ours) => {
                        Some(said!("use `{}` instead", ours))
                    }
                    _ => suggest::among(&shown, said!("the types"), known, || None),
                };
                let message = said!("unknown type `{}`", shown);
                sink.error(Code::UnknownType, entry.value_span.clone(), message)
                    .with_perhaps(help);
                None
            }
        }
    }

    /// `value a b c` below an enumeration.
    fn enum_values(
        &mut self,
        node: &Node,
        (is_enum, is_list): (bool, bool),
        what: &Said,
        sink: &mut Sink,
    ) -> Option<EnumId> {
        let mut values: Vec<String> = Vec::new();
        let mut places = Vec::new();
        let mut seen = HashMap::new();
        let mut well = true;
        let has_sensor = node.entry("sensor").is_some();
        for child in node.children() {
            if is_list && child.name.value == "default" {
                continue;
            }
            if has_sensor && child.name.value == "param" {
                continue;
            }
            if child.name.value != "value" {
                no_value_of_enum(child, is_list, what, sink);
                continue;
            }
            if !is_enum {
                let message = said!("{} is not an enumeration, so it cannot list values", what);
                sink.error(Code::ExtraChildren, child.span.clone(), message)
                    .with_help(said!("only a `type=enum` has a list of values"));
                return None;
            }
            let line = Line::new(child, sink);
            for entry in line.values() {
                match &entry.value {
                    Written::Text(text) if !expression_name(text, &said!("value"), sink) => {
                        well = false
                    }
                    Written::Text(text) if !is_new(&mut seen, text, &said!("values"), sink) => {}
                    Written::Text(text) => {
                        values.push(text.value.clone());
                        places.push((text.span.start, text.value.len()));
                    }
                    Written::Bad => well = false,
                    _ => {
                        well = false;
                        let message = said!("a value of an enumeration must be a name");
                        sink.error(Code::BadName, entry.span.clone(), message);
                    }
                }
            }
            finish_in(line, Spot::KeyBlock, sink);
        }
        if !is_enum || (!well && values.is_empty()) {
            return None;
        }
        if values.is_empty() {
            sink.error(
                Code::MissingChildren,
                node.span.clone(),
                said!("{} is an enumeration without values", what),
            )
            .with_help(said!(
                "list the values in its block: `{ value calm angry; }`"
            ));
            return None;
        }
        let list = self.enumeration(values);
        for ((token, length), position) in places.into_iter().zip(0..) {
            let at = (token, 0..length);
            self.value_names.note(at, (list, position), true);
        }
        Some(list)
    }
}

/// `an action`, `a tree`
pub(crate) fn with_article(word: &Said) -> Said {
    let begin = word.to_string().to_ascii_lowercase();
    if begin == "candidates" {
        return said!("a list of candidates");
    }
    if begin
        .trim_start_matches('`')
        .starts_with(['a', 'e', 'i', 'o', 'u'])
    {
        said!("an {}", word)
    } else {
        said!("a {}", word)
    }
}
