//! `random`: tries in which the game behaves at random.

use super::super::line::Line;
use super::super::literal::literal;
use super::super::reading::finish_in;
use super::super::stranger;
use super::{Choice, Random, TestReader, Values, decimal, whole};
use crate::code::Code;
use crate::expression::a_type;
use crate::language::Spot;
use crate::syntax::{Entry, Node, shortened};
use crate::{Said, said};
use treemind_core::{Type, Value};

/// The most ticks in all tries together.
const MAX_TICKS: u64 = 100_000_000;

/// What a test takes when it does not say how many.
const MANY: u64 = 100;

impl TestReader<'_, '_> {
    /// `random runs=200 ticks=100 seed=1 { … }`
    pub(super) fn random(&mut self, node: &Node) -> Option<Random> {
        let mut line = Line::new(node, self.checker.sink);
        line.no_values(self.checker.sink);
        let sink = &mut *self.checker.sink;
        let mut number = |name: &str, limits, default| {
            let entry = line.property(name);
            entry.map_or(Some(default), |entry| whole(entry, limits, sink))
        };
        let runs = number("runs", (1, MAX_TICKS), MANY);
        let ticks = number("ticks", (1, MAX_TICKS), MANY);
        let seed = number("seed", (0, u64::MAX), 0);
        finish_in(line, Spot::Test, self.checker.sink);
        let mut choices = Vec::new();
        for child in node.children() {
            if self.checker.sink.is_full() {
                break;
            }
            choices.extend(self.choice(child));
        }
        if node.children().is_empty() {
            let message = said!("nothing is random here");
            self.checker.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("add `leaf NAME answers=\"S F\"`, `key NAME min=0 max=10` or `send EVENT chance=0.1`"));
        }
        let (runs, ticks) = (runs?, ticks?);
        if runs.saturating_mul(ticks) > MAX_TICKS {
            let message = said!("{} tries of {} ticks are too many", runs, ticks);
            self.checker
                .sink
                .error(Code::BadNumber, node.span.clone(), message)
                .with_help(said!("the tries together may have {} ticks", MAX_TICKS));
            return None;
        }
        Some(Random {
            span: self.local(&node.span),
            runs,
            ticks,
            seed: seed?,
            choices,
        })
    }

    fn choice(&mut self, node: &Node) -> Option<Choice> {
        match node.name.value.as_str() {
            "leaf" => {
                let (names, answers, _) = self.answering(node, Spot::Random)?;
                Some(Choice::Answer(names, answers))
            }
            "send" => {
                let (event, values, chance) = self.sent(node, Spot::Random)?;
                Some(Choice::Send(event, values, chance.unwrap_or(1.0)))
            }
            "key" => self.random_key(node),
            _ => {
                stranger(
                    node,
                    &said!("in `random`"),
                    &Spot::Random.list(),
                    self.checker.sink,
                );
                None
            }
        }
    }

    /// `key NAME min=0 max=10 chance=0.1`; of a list, `key NAME min=0 max=10 max-items=3`.
    fn random_key(&mut self, node: &Node) -> Option<Choice> {
        let mut line = Line::new(node, self.checker.sink);
        let name = line.name(&said!("the key"), self.checker.sink);
        line.only_name(self.checker.sink);
        let chance = self.chance(&mut line);
        let (min, max) = (line.property("min"), line.property("max"));
        let most = line.property("max-items");
        finish_in(line, Spot::Random, self.checker.sink);
        let name = name?;
        let (id, ty) = self.known_key(name)?;
        let room = self.list_room(id, name).ok()?;
        let key = self.checker.scope.key(id).name.clone();
        let what = said!("key `{}`", shortened(&name.value));
        let values = match (ty, min.zip(max)) {
            (Type::Bool, None) => Values::Of(vec![Value::Bool(false), Value::Bool(true)]),
            (Type::Enum(list), None) => {
                let count = self.checker.scope.enums[list.index()].values.len() as u32;
                Values::Of((0..count).map(|value| Value::Enum(list, value)).collect())
            }
            (ty, Some(ends)) if has_limits(ty) => self.ends(ends, ty, &what)?,
            (ty, None) if has_limits(ty) => {
                let example = match ty {
                    Type::Vec2 => said!("add `min=` and `max=`, such as `min=\"0,0\" max=\"9,9\"`"),
                    Type::Vec3 => {
                        said!("add `min=` and `max=`, such as `min=\"0,0,0\" max=\"9,9,9\"`")
                    }
                    _ => said!("add `min=` and `max=`"),
                };
                let message = said!("{} needs limits for its random values", what);
                self.checker
                    .sink
                    .error(Code::MissingValue, node.span.clone(), message)
                    .with_help(example);
                return None;
            }
            (Type::Bool | Type::Enum(_), Some(_)) => {
                let message = said!("{} is {}, which has no limits", what, a_type(ty));
                self.checker
                    .sink
                    .error(Code::WrongType, node.span.clone(), message);
                return None;
            }
            (ty, _) => {
                let message = said!("{} is {}, which has no random values", what, a_type(ty));
                self.checker
                    .sink
                    .error(Code::WrongType, name.span.clone(), message)
                    .with_help(said!(
                        "only bool, int, float, double, enum, entity, vec2 and vec3 have"
                    ));
                return None;
            }
        };
        let chance = chance.unwrap_or(1.0);
        match (room, most) {
            (None, None) => Some(Choice::Key(key, values, chance)),
            (None, Some(entry)) => {
                let message = said!("`{}` is not a list", shortened(&name.value));
                let (sink, span) = (&mut *self.checker.sink, entry.span.clone());
                sink.error(Code::WrongType, span, message)
                    .with_help(said!("remove `max-items=`"));
                None
            }
            (Some(room), most) => {
                let most = match most {
                    None => u64::from(room),
                    Some(entry) => whole(entry, (0, u64::from(room)), self.checker.sink)?,
                };
                Some(Choice::Items(key, values, most as u32, chance))
            }
        }
    }

    fn ends(&mut self, (min, max): (&Entry, &Entry), ty: Type, what: &Said) -> Option<Values> {
        let low = literal(min, ty, what, &self.checker.scope, self.checker.sink).ok();
        let high = literal(max, ty, what, &self.checker.scope, self.checker.sink).ok();
        let values = match (low?, high?) {
            (Value::Int(low), Value::Int(high)) if low <= high => Values::Int(low, high),
            (Value::Entity(low), Value::Entity(high)) if low <= high => Values::Entity(low, high),
            (Value::Float(low), Value::Float(high)) if low <= high => Values::Float(low, high),
            (Value::Double(low), Value::Double(high)) if low <= high => Values::Double(low, high),
            (Value::Vec2(low), Value::Vec2(high)) if is_below(&low, &high) => {
                Values::Vec2(low, high)
            }
            (Value::Vec3(low), Value::Vec3(high)) if is_below(&low, &high) => {
                Values::Vec3(low, high)
            }
            _ => {
                let message = said!("`min` is greater than `max`");
                self.checker
                    .sink
                    .error(Code::BadNumber, min.value_span.clone(), message);
                return None;
            }
        };
        Some(values)
    }

    /// `chance=`
    pub(super) fn chance(&mut self, line: &mut Line<'_>) -> Option<f64> {
        let entry = line.property("chance")?;
        let chance = decimal(entry, self.checker.sink)?;
        if !(0.0..=1.0).contains(&chance) {
            let message = said!("a chance is a number from 0 to 1");
            self.checker
                .sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        Some(chance)
    }
}

/// Whether random values of a type lie between two ends.
fn has_limits(ty: Type) -> bool {
    let is_vector = matches!(ty, Type::Vec2 | Type::Vec3);
    is_vector || matches!(ty, Type::Int | Type::Float | Type::Double | Type::Entity)
}

/// Whether no part of a vector is greater than that of another one.
fn is_below(low: &[f32], high: &[f32]) -> bool {
    low.iter().zip(high).all(|(low, high)| low <= high)
}
