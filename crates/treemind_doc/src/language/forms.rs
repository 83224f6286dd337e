//! How properties that more than one node has are read and shown.

use super::node_word;
use super::property::{Form, Shape, Shaped, Words};
use super::read::{Read, Show};
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Value as Written, shortened};
use crate::{Said, said};
use treemind_core::{Expr, MAX_RUNS_PER_TICK, Type, Value};

/// `#true` or `#false`; false by default.
#[derive(Clone, Copy)]
pub(crate) struct Flag;

impl Shaped for Flag {
    fn shape(&'static self) -> Shape {
        Shape::Flag
    }

    fn default(&self) -> Option<String> {
        Some("`false`".to_owned())
    }
}

impl Form for Flag {
    type Value = bool;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<bool> {
        // After a mistake it is treated as absent.
        Some(from.flag(name))
    }

    fn show(&self, name: &str, value: &bool, to: &mut (dyn Show + '_)) {
        if *value {
            to.property(name, "#true");
        }
    }
}

/// One of some words, each with its meaning.
#[derive(Clone, Copy)]
pub(crate) struct Choice<T: 'static> {
    words: &'static [(&'static str, T)],
    /// The meaning if it is absent.
    default: T,
}

impl<T: Copy + PartialEq> Choice<T> {
    /// The first meaning is the default.
    pub(crate) const fn new(words: &'static [(&'static str, T)]) -> Self {
        Self {
            words,
            default: words[0].1,
        }
    }

    pub(crate) const fn or(words: &'static [(&'static str, T)], default: T) -> Self {
        Self { words, default }
    }

    /// The meaning of a word.
    pub(crate) fn meaning(&self, word: &str) -> Option<T> {
        let found = self.words.iter().find(|(known, _)| *known == word);
        found.map(|(_, meaning)| *meaning)
    }

    /// The word for a meaning.
    pub(crate) fn word(&self, meaning: T) -> &'static str {
        let found = self.words.iter().find(|(_, known)| *known == meaning);
        found.map_or("", |(word, _)| word)
    }
}

impl<T: Copy + PartialEq + Sync + 'static> Words for Choice<T> {
    fn words(&self) -> Vec<&'static str> {
        self.words.iter().map(|(word, _)| *word).collect()
    }
}

impl<T: Copy + PartialEq + Sync + 'static> Shaped for Choice<T> {
    fn shape(&'static self) -> Shape {
        Shape::Words(self)
    }

    fn default(&self) -> Option<String> {
        // Without a word for it, the default is to leave the property out.
        let word = self.word(self.default);
        (!word.is_empty()).then(|| format!("`{word}`"))
    }
}

impl<T: Copy + PartialEq + Sync + 'static> Form for Choice<T> {
    type Value = T;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<T> {
        let Some(entry) = from.property(name) else {
            return Some(self.default);
        };
        let given = match &entry.value {
            Written::Bad => return None,
            Written::Text(text) => Some(text.value.as_str()),
            _ => None,
        };
        if let Some(meaning) = given.and_then(|given| self.meaning(given)) {
            return Some(meaning);
        }
        let words = self.words();
        let near = given.and_then(|given| suggest::nearest(given, words.iter().copied()));
        let message = said!("`{}` must be {}", name, suggest::either(&words));
        from.sink()
            .error(Code::BadChoice, entry.value_span.clone(), message)
            .with_perhaps(near.map(suggest::meant));
        None
    }

    fn show(&self, name: &str, value: &T, to: &mut (dyn Show + '_)) {
        if *value != self.default {
            to.property(name, self.word(*value));
        }
    }
}

/// A number of seconds, with an example for messages.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) &'static str);

impl Shaped for Seconds {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Double)
    }
}

impl Form for Seconds {
    type Value = Expr;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Expr> {
        let entry = from.value(&said!("the number of seconds"), self.0)?;
        let what = said!("the time of `{}`", from.node().name.value);
        if let Written::Text(text) = &entry.value
            && let Some((low, high)) = range(&text.value)
        {
            let node = from.node().name.value.as_str();
            let help = if node_word(node).is_some_and(|word| word.has("jitter")) {
                said!(
                    "write `{} {} jitter={}`: `jitter=` adds up to that many seconds, drawn at each start",
                    node,
                    low,
                    high - low
                )
            } else {
                said!(
                    "write one number, or draw one at each start: `{} \"random({}, {})\"`",
                    node,
                    low,
                    high
                )
            };
            let message = said!("`{}` is a range, not a time", shortened(&text.value));
            from.sink()
                .error(Code::WrongType, text.span.clone(), message)
                .with_help(help);
            return None;
        }
        from.time(entry, &what)
    }

    fn show(&self, _: &str, value: &Expr, to: &mut (dyn Show + '_)) {
        to.value(&to.number(value));
    }
}

/// The ends of what was perhaps meant as a range of times: `2..3`, `2-3` or `2 to 3`.
fn range(text: &str) -> Option<(f64, f64)> {
    let mut signs = ["..=", "..", "-", " to "].into_iter();
    let (low, high) = signs.find_map(|sign| text.split_once(sign))?;
    let end = |text: &str| {
        let text = text.trim();
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    };
    let (low, high): (f64, f64) = (end(low)?, end(high)?);
    (low < high && high.is_finite()).then_some((low, high))
}

/// A number of seconds, as an optional property.
#[derive(Clone, Copy)]
pub(crate) struct MoreSeconds;

impl Shaped for MoreSeconds {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Double)
    }

    fn default(&self) -> Option<String> {
        Some("none".to_owned())
    }
}

impl Form for MoreSeconds {
    type Value = Option<Expr>;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Option<Expr>> {
        match from.property(name) {
            None => Some(None),
            Some(entry) => from.time(entry, &format!("`{name}`").into()).map(Some),
        }
    }

    fn show(&self, name: &str, value: &Option<Expr>, to: &mut (dyn Show + '_)) {
        if let Some(value) = value {
            to.property(name, &to.number(value));
        }
    }
}

/// A whole number from 1 on that is known before anything runs; the text says why 0 is not allowed.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) fn() -> Said);

impl Shaped for Count {
    fn shape(&'static self) -> Shape {
        Shape::Number
    }
}

impl Form for Count {
    type Value = Option<u32>;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Option<u32>> {
        let Some(entry) = from.property(name) else {
            return Some(None);
        };
        let span = entry.value_span.clone();
        let (code, message, help) = match &entry.value {
            Written::Bad => return None,
            Written::Int(0) => (Code::BadNumber, said!("`{}` is 0", name), Some((self.0)())),
            Written::Int(..0) => (
                Code::BadNumber,
                said!("`{}` cannot be negative", name),
                None,
            ),
            Written::Int(count) => match u32::try_from(*count) {
                Ok(count) => return Some(Some(count)),
                Err(_) => (
                    Code::BadNumber,
                    said!("`{}` must be at most {}", name, u32::MAX),
                    None,
                ),
            },
            Written::Text(_) => (
                Code::WrongType,
                said!("`{}` must be a number, not an expression", name),
                Some(said!(
                    "write a literal: the value must be known before anything runs"
                )),
            ),
            _ => (
                Code::WrongType,
                said!("`{}` must be a whole number", name),
                None,
            ),
        };
        from.sink().error(code, span, message).with_perhaps(help);
        None
    }

    fn show(&self, name: &str, value: &Option<u32>, to: &mut (dyn Show + '_)) {
        if let Some(value) = value {
            to.property(name, &value.to_string());
        }
    }
}

/// A number from 0 on that is known before anything runs.
#[derive(Clone, Copy)]
pub(crate) struct Amount;

impl Amount {
    /// The greatest number. As seconds it is more than any game lasts, and still a time that the clock can show.
    const MOST: f64 = 1e9;

    /// The number that is written, if it is one.
    pub(crate) fn of(value: &Written) -> Option<f64> {
        let number = match value {
            Written::Int(number) => *number as f64,
            Written::Decimal(number, _) => *number,
            _ => return None,
        };
        (0.0..=Self::MOST).contains(&number).then_some(number + 0.0)
    }
}

impl Shaped for Amount {
    fn shape(&'static self) -> Shape {
        Shape::Number
    }

    fn default(&self) -> Option<String> {
        Some("none".to_owned())
    }
}

impl Form for Amount {
    type Value = Option<f64>;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Option<f64>> {
        let Some(entry) = from.property(name) else {
            return Some(None);
        };
        if let Some(number) = Amount::of(&entry.value) {
            return Some(Some(number));
        }
        let (code, message, help) = match &entry.value {
            Written::Bad => return None,
            Written::Int(_) | Written::Decimal(..) => (
                Code::BadNumber,
                said!("`{}` must be a number from 0 to {}", name, Amount::MOST),
                None,
            ),
            Written::Text(_) => (
                Code::WrongType,
                said!("`{}` must be a number, not an expression", name),
                Some(said!(
                    "write a literal: the value must be known before anything runs"
                )),
            ),
            _ => (Code::WrongType, said!("`{}` must be a number", name), None),
        };
        let span = entry.value_span.clone();
        from.sink().error(code, span, message).with_perhaps(help);
        None
    }

    fn show(&self, name: &str, value: &Option<f64>, to: &mut (dyn Show + '_)) {
        if let Some(value) = value {
            let number = to.number(&Expr::Value(Value::Double(*value)));
            to.property(name, &number);
        }
    }
}

/// How many runs a loop may make in one tick.
#[derive(Clone, Copy)]
pub(crate) struct MaxRuns;

impl Shaped for MaxRuns {
    fn shape(&'static self) -> Shape {
        Shape::Number
    }

    fn default(&self) -> Option<String> {
        Some(format!("`{MAX_RUNS_PER_TICK}`"))
    }
}

impl Form for MaxRuns {
    type Value = u32;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<u32> {
        let count = Count(|| said!("use at least 1: a loop that may not run does nothing"));
        Some(count.read(name, from)?.unwrap_or(MAX_RUNS_PER_TICK))
    }

    fn show(&self, name: &str, value: &u32, to: &mut (dyn Show + '_)) {
        if *value != MAX_RUNS_PER_TICK {
            to.property(name, &value.to_string());
        }
    }
}

/// Warns that a node never runs its child, at the value that causes it.
pub(super) fn never(message: Said, from: &mut (dyn Read<'_> + '_)) {
    let mut entries = from.node().entries.iter();
    if let Some(entry) = entries.find(|entry| entry.name.is_none()) {
        from.sink()
            .warning(Code::NeverRuns, entry.value_span.clone(), message)
            .with_help(said!(
                "to switch a node off for now, use `disabled={}`",
                "#true"
            ));
    }
}
