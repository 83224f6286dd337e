//! `each ITEM of=KEY { steps }`: steps for each value of an enumeration, or for each item of a list.
//!
//! The steps are read once for each value, where the item stands for the value.
//! Their spans are those of the steps as they are written, and mistakes are reported of the first value only.

use super::super::Checker;
use super::super::declare::expression_name;
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::{Draft, Part, Placed};
use crate::code::Code;
use crate::diagnostic::{Severity, Sink};
use crate::expression::{Frame, Local};
use crate::language::{self, Spot};
use crate::names;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::{BTreeMap, HashSet};
use treemind_core::behaviour::{Form, Key};
use treemind_core::{Expr, Value};

/// The guards in the blocks of `each`, by where they begin.
#[derive(Default)]
pub(in super::super) struct ItemGuards {
    /// The step that is being read. What it runs may be used elsewhere, too, and is not judged.
    pub(super) step: Span,
    /// Those that keep the step out with some value: whether they are true.
    shut: BTreeMap<usize, (Span, bool)>,
    /// Those that may let it in with some value.
    open: HashSet<usize>,
    /// Those of which was warned.
    told: HashSet<usize>,
    /// The line of the step, and the name of the item there.
    pub(super) line: Span,
    pub(super) item: String,
    /// The condition on this line that keeps the step out with this value.
    pub(super) never: Option<String>,
}

/// Whether one part of an expression, in which what is known has its value, makes it come to this, unless it has a fault.
fn comes_to(expr: &Expr, value: bool) -> bool {
    match (expr, value) {
        (Expr::Value(Value::Bool(known)), _) => *known == value,
        (Expr::And(left, right), false) | (Expr::Or(left, right), true) => {
            comes_to(left, value) || comes_to(right, value)
        }
        (Expr::Not(inner), _) => comes_to(inner, !value),
        _ => false,
    }
}

/// The part of a guard that decides, for a value of an `each`, that the step is kept out: the only one that names the item,
/// or else all of it.
fn deciding(guard: &str, word: &str, item: &str) -> String {
    let is_asked = ["when", "while"].contains(&word);
    let parts = split_at(guard, if is_asked { "&&" } else { "||" });
    let is_of_name = |one: char| one.is_alphanumeric() || "_.'".contains(one);
    let names = |part: &&str| part.split(|one| !is_of_name(one)).any(|name| name == item);
    let mut naming = parts.into_iter().filter(|part| names(part));
    let part = match (naming.next(), naming.next()) {
        (Some(only), None) => only,
        _ => guard,
    };
    match is_asked {
        true => part.to_owned(),
        false => format!("!({part})"),
    }
}

/// The parts of an expression between signs that stand in no brackets and no text.
fn split_at<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth, mut is_text) = (Vec::new(), 0, 0, false);
    for (at, one) in text.char_indices() {
        match one {
            '\'' => is_text = !is_text,
            '(' | '{' if !is_text => depth += 1,
            ')' | '}' if !is_text => depth -= 1,
            _ if !is_text && depth == 0 && at >= start && text[at..].starts_with(sign) => {
                parts.push(text[start..at].trim());
                start = at + sign.len();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

impl<'n> Draft<'n> {
    /// Whether what is wrong with a part is reported here.
    pub(super) fn is_own(&self, part: Part<'_>) -> bool {
        match &self.placed[part.of].each {
            Some((around, _, is_first)) => *around == 0 && *is_first,
            None => part.of == 0,
        }
    }

    /// The name of a step or task: that of an `each` ends with its value.
    pub(super) fn full_name(&self, part: Part<'_>, name: &str) -> String {
        match &self.placed[part.of].each {
            Some((_, value, _)) => format!("{name}-{value}"),
            None => name.to_owned(),
        }
    }
}

impl<'s> Checker<'s> {
    /// Finds the steps of an `each`, once for each value.
    pub(super) fn each(&mut self, draft: &mut Draft<'s>, node: &'s Node, of: usize) {
        let values = self.quietly(draft, of, |checker| checker.values_of_each(node));
        let Some((name, values)) = values else {
            draft.is_broken = true;
            return;
        };
        let held = draft.placed[of].held;
        for (at, (value, word)) in values.into_iter().enumerate() {
            self.spend(node.span.len());
            let place = self.scope.prefix().to_owned();
            let full = self.key_names.item(&format!("{place}.{}", name.value));
            let key = self.scope.add_known_key(Key::new(full, value));
            let mut frame = Frame::new(place, true);
            let local = Local {
                key,
                is_read_only: true,
            };
            let symbols = self.scope.sites.at(&name.value).to_vec();
            frame.insert(name.value.clone(), &symbols, local);
            draft.placed.push(Placed {
                held,
                frame: Some(frame),
                each: Some((of, word, at == 0)),
                value: Some(value),
                item: name.value.clone(),
            });
            let of = draft.placed.len() - 1;
            let steps = present(node.children()).into_iter();
            let steps = steps.filter(|child| !language::is_item(&child.name.value));
            draft.steps.extend(steps.map(|node| Part { node, of }));
        }
    }

    /// The name of the item, and the values with what names of steps end with.
    fn values_of_each(&mut self, node: &'s Node) -> Option<(&'s Text, Vec<(Value, String)>)> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the value"), self.sink);
        line.only_name(self.sink);
        line.flag("disabled", self.sink);
        let of = line.property("of");
        let mut is_sound = self.no_own_values(&mut line);
        finish_in(line, Spot::Planner, self.sink);
        let children = present(node.children());
        let strangers = children
            .iter()
            .filter(|child| ["goal", "task", "use", "each"].contains(&child.name.value.as_str()));
        for stranger in strangers {
            is_sound = false;
            let message = said!("`{}` does not belong in an `each`", stranger.name.value);
            self.sink
                .error(Code::ExtraChildren, stranger.name.span.clone(), message)
                .with_help(said!("only steps are repeated: put it beside the `each`"));
        }
        if children.is_empty() {
            let message = said!("this `each` has no step");
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("put a step into its block"));
            is_sound = false;
        }
        let Some(of) = of else {
            let message = said!("this `each` does not say of what");
            self.sink
                .error(Code::MissingValue, node.name.span.clone(), message)
                .with_help(said!(
                    "add `of=KEY`: a key with an enumeration, or a list with a start value"
                ));
            return None;
        };
        let text = super::text_of(of, &said!("`of`"), self.sink)?;
        let name = name.filter(|name| expression_name(name, &said!("key"), self.sink))?;
        if self.scope.knows(&name.value) {
            let message = said!("`{}` is a key already", shortened(&name.value));
            self.sink
                .error(Code::Duplicate, name.span.clone(), message)
                .with_help(said!(
                    "use another name: an `each` makes a key of its own for the value"
                ));
            return None;
        }
        let Some((key, _)) = self.scope.find(&text.value) else {
            if !self.scope.broken.contains(&text.value) {
                let message = said!("unknown key `{}`", shortened(&text.value));
                let help = match names::braced(&text.value) {
                    Some((inner, _)) => Some(said!("write `of={}`, without braces", inner.trim())),
                    None => suggest::did_you_mean(&text.value, self.scope.names(), || {
                        Some(said!(
                            "write the name of a key of type `enum`, or of a list"
                        ))
                    }),
                };
                self.sink
                    .error(Code::UnknownKey, text.span.clone(), message)
                    .with_perhaps(help);
            }
            return None;
        };
        let values = self.values_of_key(key);
        if values.is_empty() {
            // Who wrote the values on the line has been told where they belong.
            if is_sound {
                let message = said!("`{}` has no values to go through", shortened(&text.value));
                self.sink
                    .error(Code::WrongType, text.span.clone(), message)
                    .with_help(where_values_are());
            }
            return None;
        }
        is_sound.then_some((name, values))
    }

    /// Reports values that are written on the line of an `each`. Answers whether there are none.
    fn no_own_values(&mut self, line: &mut Line<'_>) -> bool {
        const HABITS: [&str; 8] = [
            "values", "value", "in", "items", "list", "from", "to", "range",
        ];
        let unread = line.unread();
        let found = unread
            .iter()
            .find(|(name, _)| HABITS.contains(&name.value.as_str()));
        let Some((name, _)) = found else {
            return true;
        };
        for (name, _) in &unread {
            if HABITS.contains(&name.value.as_str()) {
                line.take(&name.value);
            }
        }
        let message = said!("`{}` has no property `{}`", "each", shortened(&name.value));
        self.sink
            .error(Code::UnknownProperty, name.span.clone(), message)
            .with_help(said!("write `of=KEY`: {}", where_values_are()));
        false
    }

    /// The values of an enumeration, or the items of a list at the start.
    fn values_of_key(&self, key: treemind_core::KeyId) -> Vec<(Value, String)> {
        let key = &self.scope.keys[key.index()];
        let word = |at: usize, value: &Value| match value {
            Value::Enum(list, nth) => {
                let values = &self.scope.enums[list.index()].values;
                values[*nth as usize].clone()
            }
            Value::Int(number) => number.to_string(),
            _ => (at + 1).to_string(),
        };
        match (&key.form, key.ty) {
            (Form::List { items, .. }, _) => {
                let items = items.iter().enumerate();
                items.map(|(at, value)| (*value, word(at, value))).collect()
            }
            (_, treemind_core::Type::Enum(list)) => {
                let count = self.scope.enums[list.index()].values.len();
                let all = (0..count).map(|nth| Value::Enum(list, nth as u32));
                all.map(|value| (value, word(0, &value))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Notes a guard that was read where the value of an `each` is known.
    pub(in super::super) fn note_of_item(&mut self, word: &str, entry: &Entry, guard: &Expr) {
        let at = entry.value_span.start;
        if !self.item_guards.step.contains(&at) {
            return;
        }
        // One part of it can decide.
        let value = match guard {
            Expr::Value(Value::Bool(value)) => *value,
            _ if ["when", "while"].contains(&word) && comes_to(guard, false) => false,
            _ if ["fail-if", "skip-if"].contains(&word) && comes_to(guard, true) => true,
            _ => {
                // Some value makes something else of it.
                self.item_guards.open.insert(at);
                return;
            }
        };
        let is_written = match &entry.value {
            Written::Text(text) => ["true", "false"].contains(&text.value.trim()),
            _ => true,
        };
        let keeps_out = match word {
            "when" | "while" => !value,
            "fail-if" | "skip-if" => value,
            _ => return,
        };
        if is_written {
            return;
        }
        match keeps_out {
            true => {
                if let (Written::Text(text), true) =
                    (&entry.value, self.item_guards.line.contains(&at))
                {
                    let condition = deciding(text.value.trim(), word, &self.item_guards.item);
                    self.item_guards.never.get_or_insert(condition);
                }
                let shut = (entry.value_span.clone(), value);
                self.item_guards.shut.insert(at, shut);
            }
            false => {
                self.item_guards.open.insert(at);
            }
        }
    }

    /// Warns of guards that keep a step out with every value of its `each`.
    pub(super) fn judge_item_guards(&mut self) {
        let shut = std::mem::take(&mut self.item_guards.shut);
        for (start, (span, value)) in shut {
            // A planner that others use is read again with them.
            if self.item_guards.open.contains(&start) || !self.item_guards.told.insert(start) {
                continue;
            }
            let message = match value {
                true => said!("this is always true, whichever value of the `each` the step is for"),
                false => said!("this is never true, whichever value of the `each` the step is for"),
            };
            self.sink
                .warning(Code::AlwaysSo, span, message)
                .with_help(said!(
                    "correct the condition: as it is, no plan can have the step"
                ));
        }
    }

    /// Does something where the value of an `each` is known.
    pub(super) fn within_value<T>(
        &mut self,
        draft: &mut Draft<'s>,
        (of, around, is_first): (usize, usize, bool),
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let frame = draft.placed[of].frame.take();
        let (done, frame, unreported) = self.in_planner(draft, around, |checker| {
            if let Some(frame) = frame {
                checker.scope.push(frame);
            }
            let mut scratch = checker.sink.fresh();
            if !is_first {
                std::mem::swap(checker.sink, &mut scratch);
            }
            let done = work(checker);
            if !is_first {
                std::mem::swap(checker.sink, &mut scratch);
            }
            (done, checker.scope.pop(), (!is_first).then_some(scratch))
        });
        draft.placed[of].frame = frame;
        if let Some(scratch) = unreported.filter(Sink::has_errors) {
            draft.is_broken = true;
            // Those of a planner that is used are reported where it stands.
            if around == 0 && draft.later.is_empty() {
                draft.later = scratch.finish();
                draft
                    .later
                    .retain(|found| found.severity() == Severity::Error);
            }
        }
        done
    }
}

fn where_values_are() -> Said {
    said!(
        "a key of type `enum` has its values, and a list has its items at the start: `{ default … }`"
    )
}
