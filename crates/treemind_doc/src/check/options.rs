//! Options of loops and parallels, and numbers that are no expressions.

use super::Checker;
use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::syntax::{Entry, Value as Written};
use treemind_core::behaviour::{Counting, Judging, Pace, Times, Yields};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Kind, MAX_RUNS_PER_TICK};

impl Checker<'_> {
    /// `repeat N` and `retry N` with their options.
    pub(super) fn counted_loop(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let is_retry = line.node.name.value == "retry";
        let times = self.times(line);
        let pace = self.pace(line);
        let words = &[("runs", Counting::Runs), ("ticks", Counting::Ticks)];
        let counting = self.choice(line, "count", words);
        let hook = if is_retry { "on-success" } else { "on-failure" };
        let ignores_result = line.property(hook).is_some_and(is_continue);
        let (times, pace, counting) = (times?, pace?, counting?);
        if times == Times::Forever
            && counting == Counting::Ticks
            && let Some(entry) = line.property("count")
        {
            let message = "`forever` counts nothing, neither ticks nor runs";
            self.sink
                .error(Code::Contradiction, entry.span.clone(), message)
                .with_help("leave `count=` out, or say how many ticks");
            return None;
        }
        Some(if is_retry {
            Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            }
        } else {
            Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            }
        })
    }

    /// `yields=` and `max-runs=` of loops.
    pub(super) fn pace(&mut self, line: &mut Line<'_>) -> Option<Pace> {
        let yields = self.yields(line, Yields::Always);
        let max_runs = self.count(
            line,
            "max-runs",
            "a loop that may not run once does nothing",
        );
        Some(Pace {
            yields: yields?,
            max_runs: max_runs?.unwrap_or(MAX_RUNS_PER_TICK),
        })
    }

    /// `check=` and `repeat-finished=` of `parallel`.
    pub(super) fn judging(&mut self, line: &mut Line<'_>) -> Option<Judging> {
        let repeat_finished = line.flag("repeat-finished", self.sink);
        let at_end = self.choice(line, "check", &[("each", false), ("end", true)])?;
        Some(Judging {
            at_end,
            repeat_finished,
        })
    }

    /// A property of seconds that may be left out.
    pub(super) fn more_seconds(&mut self, line: &mut Line<'_>, name: &str) -> Option<Option<Expr>> {
        match line.property(name) {
            None => Some(None),
            Some(entry) => self.time(entry, &format!("`{name}`")).map(Some),
        }
    }

    /// A whole number from 1 on that is known before anything runs; `zero` says why 0 is none.
    pub(super) fn count(
        &mut self,
        line: &mut Line<'_>,
        name: &str,
        zero: &str,
    ) -> Option<Option<u32>> {
        let Some(entry) = line.property(name) else {
            return Some(None);
        };
        let span = entry.value_span.clone();
        let (code, message, help) = match &entry.value {
            Written::Bad => return None,
            Written::Int(0) => (Code::BadNumber, format!("`{name}` is 0"), Some(zero)),
            Written::Int(..0) => (
                Code::BadNumber,
                format!("`{name}` cannot be negative"),
                None,
            ),
            Written::Int(count) => match u32::try_from(*count) {
                Ok(count) => return Some(Some(count)),
                Err(_) => (
                    Code::BadNumber,
                    format!("`{name}` is {} at most", u32::MAX),
                    None,
                ),
            },
            Written::Text(_) => (
                Code::WrongType,
                format!("`{name}` is a number, not an expression"),
                Some("it has to be known before anything runs"),
            ),
            _ => (Code::WrongType, format!("`{name}` is a whole number"), None),
        };
        self.sink.error(code, span, message).help = help.map(str::to_owned);
        None
    }

    /// `on-failure=continue` and `on-success=continue` where they mean nothing.
    pub(super) fn continues_elsewhere(
        &mut self,
        word: &str,
        name: &str,
        entry: &Entry,
    ) -> Result<Vec<Assign>, Reported> {
        let help = match (word, name) {
            ("repeat", "on-failure") | ("retry", "on-success") => return Ok(Vec::new()),
            ("repeat", "on-success") => "a `repeat` goes on after success by itself",
            ("retry", "on-failure") => "a `retry` goes on after failure by itself",
            (_, "on-failure") => "to go on after a failure, put `force-success` around the node",
            _ => "what stands here are statements, in quotes",
        };
        let owner = if name == "on-failure" {
            "repeat"
        } else {
            "retry"
        };
        let message = match name {
            "on-failure" | "on-success" => {
                format!("`{name}=continue` is an option of `{owner}`, and this is none")
            }
            _ => format!("`{name}` takes statements, and `continue` is none"),
        };
        let problem = self
            .sink
            .error(Code::BadChoice, entry.span.clone(), message);
        Err(problem.with_help(help))
    }

    /// `limit … per=parent` at the root of a tree. What holds the tree does not count: what the limit counts in
    /// would depend on how that place is written.
    pub(super) fn counts_in_nothing(&mut self, line: &mut Line<'_>) {
        if line.node.name.value != "limit" || !line.has("per") {
            return;
        }
        let Some(entry) = line.property("per") else {
            return;
        };
        if matches!(&entry.value, Written::Text(text) if text.value == "parent") {
            let message =
                "nothing stands above this `limit` in its tree whose runs it could count in";
            self.sink
                .error(Code::MisplacedNode, entry.span.clone(), message)
                .with_help(
                    "leave `per=` out to count in the agent's life, or put the `limit` around a `subtree`",
                );
        }
    }
}

/// The word `continue`, which is no statement. KDL and JSON read it the same, so quotes make no difference.
pub(super) fn is_continue(entry: &Entry) -> bool {
    matches!(&entry.value, Written::Text(text) if text.value == "continue")
}
