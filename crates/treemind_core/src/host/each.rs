//! Decorators that run their child once for each item, or so many times: the loops of BehaviorTree.CPP over a text, and
//! those of MoveIt Pro.

use super::nav2::{arg, param};
use super::{Call, Move, Told};
use crate::behaviour::Known;
use crate::expr::TextFunc;
use crate::status::Status;
use crate::text::Text;
use crate::value::Value;

/// How many bytes a text on the blackboard may have to be taken apart: as many as expressions can make.
const MOST_BYTES: usize = TextFunc::LONGEST;

/// What a loop is at, in this run.
#[derive(Clone, Debug, Default)]
pub(super) struct Loop {
    /// How many items, or runs of the child, are over.
    over: usize,
    /// The text with the items of this run; a loop of BehaviorTree.CPP looks at its key again for each item.
    items: Option<Text>,
}

impl Loop {
    /// `LoopInt` and its kin: one item per tick, until the child fails; one more tick for the answer when none is left.
    /// An item of a text on the blackboard is taken out of it.
    pub(super) fn next_item(
        &mut self,
        kind: Known,
        (call, agent): (&mut Call<'_>, usize),
        (told, runs_child): (Told, bool),
    ) -> Move {
        match told {
            Told::Answered {
                status: Status::Failure,
                ..
            } => return Move::Answer(Status::Failure),
            Told::Answered { .. } => return Move::Answer(Status::Running),
            _ if runs_child => return Move::Tick(0),
            _ => {}
        }
        let key = param(call, "queue").and_then(|index| call.arg_key(index));
        let queue = match key {
            Some(key) => call.find(key, agent),
            None => arg(call, "queue", agent),
        };
        let text = match queue {
            Some(Value::Text(text)) => text.as_str(),
            None => return fails(call, agent, "the queue of the loop has no value"),
            // A queue of the program's own.
            Some(_) => return Move::Tick(0),
        };
        if key.is_some() && text.len() > MOST_BYTES {
            return fails(call, agent, "the text with the items is too long");
        }
        // In a text of the file, those that are over are passed by.
        let over = match key {
            Some(_) => 0,
            None => self.over,
        };
        let mut items = items(text);
        let Some(item) = items.clone().nth(over) else {
            return match if_empty(call, agent) {
                Some(status) => Move::Answer(status),
                None => fails(call, agent, "`if_empty` is no answer"),
            };
        };
        let Some(value) = item_of(kind, item) else {
            return fails(call, agent, wanted(kind));
        };
        // All of them are looked at before the first one is taken.
        if over == 0 && items.any(|item| item_of(kind, item).is_none()) {
            return fails(call, agent, wanted(kind));
        }
        self.over += 1;
        if let Some(key) = key {
            let rest = text.get(item.len() + 1..).unwrap_or_default();
            write(call, (key, agent), Value::Text(Text::new(rest)));
        }
        hand_over(call, "value", (agent, value));
        Move::Tick(0)
    }

    /// `ForEach` of MoveIt Pro: one item per tick, until the child fails or all are over.
    pub(super) fn each(
        &mut self,
        (call, agent): (&mut Call<'_>, usize),
        (told, runs_child): (Told, bool),
    ) -> Move {
        if told == Told::Tick && self.items.is_none() {
            match arg(call, "vector_in", agent) {
                Some(Value::Text(text)) => self.items = Some(text),
                _ => return Move::Tick(0),
            }
        }
        let Some(text) = self.items else {
            return super::nav2::passed(told);
        };
        let mut left = items(text.as_str()).skip(self.over);
        match told {
            Told::Answered {
                status: Status::Success,
                ..
            } => {
                self.over += 1;
                Move::Answer(match left.nth(1) {
                    Some(_) => Status::Running,
                    None => Status::Success,
                })
            }
            Told::Answered { status, .. } => Move::Answer(status),
            _ if runs_child => Move::Tick(0),
            _ => match left.next() {
                None => Move::Answer(Status::Success),
                Some(item) => {
                    hand_over(call, "out", (agent, Value::Text(Text::new(item))));
                    let index = i64::try_from(self.over).unwrap_or(i64::MAX);
                    hand_over(call, "index", (agent, Value::Int(index)));
                    Move::Tick(0)
                }
            },
        }
    }

    /// `RepeatUnlessFailureEachTick` of MoveIt Pro: at most one run per tick; -1 stands for no limit.
    pub(super) fn again(&mut self, times: i64, told: Told) -> Move {
        let is_enough = |over: usize| usize::try_from(times).is_ok_and(|times| over >= times);
        match told {
            Told::Answered {
                status: Status::Success,
                ..
            } => {
                self.over += 1;
                Move::Answer(match is_enough(self.over) {
                    true => Status::Success,
                    false => Status::Running,
                })
            }
            Told::Tick if is_enough(self.over) => Move::Answer(Status::Success),
            told => super::nav2::passed(told),
        }
    }
}

/// The items of a text, which stand between semicolons; one at its end is followed by no item.
fn items(text: &str) -> impl Iterator<Item = &str> + Clone {
    let all = text.strip_suffix(';').unwrap_or(text);
    all.split(';').filter(move |_| !text.is_empty())
}

/// An item as a value; `None` if it is none of the type of the loop.
fn item_of(kind: Known, item: &str) -> Option<Value> {
    let text = Value::Text(Text::new(item));
    match kind {
        Known::LoopBool => match item {
            "true" | "True" | "TRUE" | "1" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        Known::LoopInt => {
            let whole = text.leading_whole();
            let whole = whole.filter(|whole| i32::try_from(*whole).is_ok());
            whole.map(Value::Int)
        }
        Known::LoopDouble => text.leading_number().map(Value::Double),
        _ => Some(text),
    }
}

fn wanted(kind: Known) -> &'static str {
    match kind {
        Known::LoopBool => "an item is neither true nor false",
        Known::LoopInt => "an item is no whole number",
        _ => "an item is no number",
    }
}

/// What a loop answers when no item is left.
fn if_empty(call: &Call<'_>, agent: usize) -> Option<Status> {
    match arg(call, "if_empty", agent) {
        None => Some(Status::Success),
        Some(Value::Text(text)) => match text.as_str() {
            "" | "SUCCESS" => Some(Status::Success),
            "FAILURE" => Some(Status::Failure),
            "RUNNING" => Some(Status::Running),
            "SKIPPED" => Some(Status::Skipped),
            _ => None,
        },
        Some(_) => None,
    }
}

/// Writes the key that a port names, if it names one.
fn hand_over(call: &mut Call<'_>, port: &str, (agent, value): (usize, Value)) {
    if let Some(key) = param(call, port).and_then(|index| call.arg_key(index)) {
        write(call, (key, agent), value);
    }
}

fn write(call: &mut Call<'_>, (key, agent): (crate::ids::KeyId, usize), value: Value) {
    if let Err(error) = call.board().set(key, agent, value) {
        call.fault(agent, error.to_string());
    }
}

fn fails(call: &mut Call<'_>, agent: usize, why: &str) -> Move {
    call.fault(agent, why);
    Move::Answer(Status::Failure)
}
