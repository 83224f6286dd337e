//! `subtree-by`: the tree that a key names.

use super::dead_branches::Work;
use super::definition_graph::DefinitionGraph;
use super::expressions::value_of;
use super::leaf::braced;
use super::line::{Line, quoted};
use super::machine::state_names::words;
use super::tree::{About, Below, Lowered};
use super::{Checker, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::a_type;
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Span, Text, Value as Written, shortened};
use std::collections::HashSet;
use treemind_core::behaviour::{self, Summary};
use treemind_core::expr::Compare;
use treemind_core::{EnumId, Expr, KeyId, Kind, Text as Name, Type, Value};

/// The key that says which tree runs.
struct Chooser {
    name: String,
    key: KeyId,
    ty: Type,
    span: Span,
}

/// A tree that may run, and the value of the key that chooses it.
struct Candidate {
    held: usize,
    value: Value,
}

impl Checker<'_> {
    /// `subtree-by "{key}" of="a b"`, at `depth`.
    pub(super) fn subtree_by(
        &mut self,
        line: &mut Line<'_>,
        depth: usize,
    ) -> (Below, Option<Kind>) {
        let of = line.text("of", self.sink);
        let what = said!("a key that selects the tree");
        let entry = value_of(line, &what, "subtree-by \"{next}\"", self.sink);
        let Some(chooser) = entry.and_then(|entry| self.chooser(entry)) else {
            return (Below::with_capacity(0), None);
        };
        let before = self.sink.error_count();
        let candidates = match (of, chooser.ty) {
            (Some(of), _) => self.chosen(&chooser, of),
            (None, Type::Enum(list)) => self.named_by_values(&chooser, list),
            (None, _) => return self.any_tree(line, &chooser, depth),
        };
        let span = line.node.span.clone();
        for candidate in &candidates {
            self.graph
                .needs_nothing(candidate.held, &chooser, self.sink);
        }
        let held: Vec<usize> = candidates.iter().map(|candidate| candidate.held).collect();
        let is_well = self.sink.error_count() == before;
        if !is_well || (self.places.is_none() && !self.note_uses(&held, &span)) {
            return (Below::with_capacity(0), None);
        }
        self.chosen_by(&chooser, &span, candidates, depth)
    }

    /// The node with the candidates in their places; before all trees are known, a placeholder.
    fn chosen_by(
        &mut self,
        chooser: &Chooser,
        span: &Span,
        candidates: Vec<Candidate>,
        depth: usize,
    ) -> (Below, Option<Kind>) {
        if self.places.is_none() || candidates.is_empty() {
            let cases = vec![Expr::Value(Value::Bool(false))];
            let mut children = Below::with_capacity(1);
            children.push(task(Some(behaviour::Node::leaf(Kind::Fail)), None));
            return (children, Some(Kind::SubtreeBy { cases }));
        }
        let mut children = Below::with_capacity(candidates.len());
        let mut cases = Vec::with_capacity(candidates.len());
        for Candidate { held, value } in candidates {
            let node = self.put_plain(span.clone(), held, depth + 1);
            let takes_time = self.takes_time_inside(node.as_ref(), span);
            children.push(task(node, takes_time));
            let key = Expr::Key(chooser.key, chooser.ty);
            let value = Expr::Value(value);
            cases.push(Expr::Compare(Compare::Eq, Box::new(key), Box::new(value)));
        }
        (children, Some(Kind::SubtreeBy { cases }))
    }

    /// `subtree-by` with a key that may hold any name. The candidates are all other trees that can run without
    /// arguments and do not lead back to a tree on the current path.
    fn any_tree(
        &mut self,
        line: &Line<'_>,
        chooser: &Chooser,
        depth: usize,
    ) -> (Below, Option<Kind>) {
        let span = line.node.span.clone();
        if self.places.is_none() {
            self.graph[self.current].chooses_freely = true;
            return self.chosen_by(chooser, &span, Vec::new(), depth);
        }
        self.spend(self.graph.len() + self.graph.uses);
        let path = self.places.as_ref().map_or(&[][..], |places| &places.path);
        let candidates = self.graph.not_on_the_way(path);
        let is_outermost = path.len() == 1;
        let candidates = candidates.into_iter().map(|held| Candidate {
            held,
            value: Value::Text(Name::new(&self.graph[held].name)),
        });
        let candidates: Vec<Candidate> = candidates.collect();
        if candidates.is_empty() && is_outermost {
            let message = said!("no other tree can run here without arguments");
            self.sink.error(Code::UnknownTree, span, message);
            return (Below::with_capacity(0), None);
        }
        self.chosen_by(chooser, &span, candidates, depth)
    }

    /// The key in braces. Its values are names of trees.
    fn chooser(&mut self, entry: &Entry) -> Option<Chooser> {
        let span = entry.value_span.clone();
        let Written::Text(text) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("`subtree-by` needs a key that selects the tree");
                self.sink
                    .error(Code::WrongType, span, message)
                    .with_help(said!("try `subtree-by \"{next}\"`"));
            }
            return None;
        };
        let Some(name) = braced(text) else {
            self.no_key(text);
            return None;
        };
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return None;
        };
        if self.scope.is_list(key) {
            let message = said!(
                "expected the name of one tree, but key `{}` is a list",
                name
            );
            self.sink
                .error(Code::WrongType, span, message)
                .with_help(said!("use `for-each` to go through a list item by item"));
            return None;
        }
        if !matches!(ty, Type::Enum(_) | Type::Text) {
            let message = said!(
                "expected an enum or a string, but key `{}` is {}",
                name,
                a_type(ty)
            );
            self.sink
                .error(Code::WrongType, span, message)
                .with_help(said!(
                    "use a key of `type=enum` with the names of trees as its values"
                ));
            return None;
        }
        Some(Chooser {
            name: name.to_owned(),
            key: self.scope.real(key),
            ty,
            span,
        })
    }

    /// Reports something other than a key in braces.
    fn no_key(&mut self, text: &Text) {
        let word = &text.value;
        let help = if self.scope.knows(word) {
            said!("write the key in braces: `subtree-by \"{{}}\"`", word)
        } else if self.graph.named(DefinitionKind::Tree, word).is_some() {
            said!("for a fixed tree, write `subtree {}`", quoted(word))
        } else {
            said!("try `subtree-by \"{next}\"`")
        };
        let message = said!("the key of `subtree-by` must be in braces");
        self.sink
            .error(Code::WrongType, text.span.clone(), message)
            .with_help(help);
    }

    /// The trees named by the values of an enumeration, in their order.
    fn named_by_values(&mut self, chooser: &Chooser, list: EnumId) -> Vec<Candidate> {
        let values = self.scope.enums[list.index()].values.clone();
        let mut candidates = Vec::with_capacity(values.len());
        for name in values {
            if self.sink.is_full() {
                break;
            }
            // Values are used in expressions, which have no names with `-`.
            let held = self.graph.named(DefinitionKind::Tree, &name);
            let held = held.or_else(|| {
                self.graph
                    .named(DefinitionKind::Tree, &name.replace('_', "-"))
            });
            match (held, self.scope.enum_value(list, &name)) {
                (Some(held), Some(value)) => candidates.push(Candidate { held, value }),
                _ => self.graph.names_no_tree(chooser, &name, self.sink),
            }
        }
        candidates
    }

    /// The trees that `of=` lists.
    fn chosen(&mut self, chooser: &Chooser, of: &Text) -> Vec<Candidate> {
        let words = words(of);
        let is_empty = words.is_empty();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut chosen: Vec<Candidate> = Vec::new();
        for (word, span) in words {
            if self.sink.is_full() {
                break;
            }
            let Some(held) = self.graph.named(DefinitionKind::Tree, word) else {
                self.graph.unknown_tree(word, span, self.sink);
                continue;
            };
            let value = match chooser.ty {
                Type::Enum(list) => {
                    let exact = self.scope.enum_value(list, word);
                    exact.or_else(|| self.scope.enum_value(list, &word.replace('-', "_")))
                }
                _ => Some(Value::Text(Name::new(word))),
            };
            let (code, message) = match value {
                Some(value) if seen.insert(word) => {
                    chosen.push(Candidate { held, value });
                    continue;
                }
                Some(_) => (
                    Code::Duplicate,
                    said!("tree `{}` is listed twice", shortened(word)),
                ),
                None => (
                    Code::UnknownValue,
                    said!(
                        "no value of key `{}` names tree `{}`",
                        chooser.name,
                        shortened(word)
                    ),
                ),
            };
            self.sink.error(code, span, message);
        }
        if is_empty {
            let message = said!("`of` is empty");
            self.sink
                .error(Code::MissingValue, of.span.clone(), message)
                .with_help(said!("remove it, or list some trees: `of=\"flee fight\"`"));
        }
        // Sorted in the order of the values. Names have no order, so they stay as listed.
        chosen.sort_by_key(|candidate| match candidate.value {
            Value::Enum(_, value) => value,
            _ => 0,
        });
        chosen
    }
}

impl DefinitionGraph<'_> {
    fn names_no_tree(&self, chooser: &Chooser, value: &str, sink: &mut Sink) {
        let word = shortened(&value.replace('_', "-"));
        let names: Vec<&str> = self.iter().map(|held| held.name.as_str()).collect();
        let help = suggest::did_you_mean(&word, names.iter().copied(), || {
            Some(said!(
                "rename it, or list the trees to use in `of=\"…\"`; the trees are {}",
                suggest::listed(names.iter().copied())
            ))
        });
        let message = said!(
            "value `{}` of key `{}` is not the name of a tree",
            shortened(value),
            chooser.name
        );
        sink.error(Code::UnknownTree, chooser.span.clone(), message)
            .with_perhaps(help);
    }

    /// Reports a tree that needs arguments, because this place gives it none.
    fn needs_nothing(&self, held: usize, chooser: &Chooser, sink: &mut Sink) {
        let items = std::rc::Rc::clone(&self[held].items);
        let Some(port) = items.iter().find(|item| item.is_required()) else {
            return;
        };
        let message = said!(
            "tree `{}` needs its port `{}`, and `subtree-by` gives none",
            shortened(&self[held].name),
            port.key.name
        );
        sink.error(Code::MissingParameter, chooser.span.clone(), message)
            .with_help(said!(
                "give the port a default, or leave the tree out with `of=`"
            ));
    }
}

/// A tree in its place. Its answers are not judged here, because each tree is judged alone.
fn task(node: Option<behaviour::Node>, takes_time: Option<Span>) -> Lowered {
    let about = About {
        known: Summary::UNKNOWN,
        weight: None,
        score: None,
        planned: None,
        takes_time,
        work: Work::UNKNOWN,
    };
    Lowered { node, about }
}
