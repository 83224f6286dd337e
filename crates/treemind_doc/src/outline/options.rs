//! The options of loops, and of what goes by a name.

use super::{flag, leaf_details, number, number_text, quoted, yielding};
use std::fmt::Write;
use treemind_core::behaviour::{Counting, Pace, Scope, Times, Yields};
use treemind_core::{Behaviour, Expr, Kind, LabelId, MAX_RUNS_PER_TICK, Status};

/// How a loop goes on.
pub(super) fn of_loop(behaviour: &Behaviour, kind: &Kind, out: &mut String) {
    match kind {
        Kind::UntilFailure { pace: how } | Kind::UntilSuccess { pace: how } => pace(*how, out),
        Kind::Repeat {
            times,
            pace: how,
            counting,
            ignores_result,
        }
        | Kind::Retry {
            times,
            pace: how,
            counting,
            ignores_result,
        } => {
            match times {
                Times::Forever => out.push_str(" forever"),
                Times::Count(expr) => number(behaviour, expr, out),
            }
            if *counting == Counting::Ticks {
                out.push_str(" count=ticks");
            }
            pace(*how, out);
            if *ignores_result {
                out.push_str(match kind {
                    Kind::Retry { .. } => " on-success=continue",
                    _ => " on-failure=continue",
                });
            }
        }
        _ => {}
    }
}

/// What goes by a name of the behaviour's or the host's.
pub(super) fn of_shared(behaviour: &Behaviour, kind: &Kind, out: &mut String) {
    let label = |label: LabelId| quoted(&behaviour.labels()[label.index()]);
    match kind {
        Kind::Interruptible { label: of } => {
            let _ = write!(out, " {}", label(*of));
        }
        Kind::Interrupt { label: of, result } => {
            let _ = write!(out, " {}", label(*of));
            if *result == Status::Failure {
                out.push_str(" result=failure");
            }
        }
        Kind::Semaphore { semaphore, waits } => {
            let semaphore = &behaviour.semaphores()[semaphore.index()];
            let _ = write!(out, " {} max={}", quoted(&semaphore.name), semaphore.places);
            out.push_str(match semaphore.scope {
                Scope::Agent => "",
                Scope::Group => " scope=group",
                Scope::World => " scope=world",
            });
            flag("wait", *waits, out);
        }
        Kind::Service {
            leaf,
            args,
            interval,
            jitter,
        } => {
            leaf_details(behaviour, *leaf, args, out);
            property(behaviour, "interval", Some(interval), out);
            property(behaviour, "jitter", jitter.as_ref(), out);
        }
        Kind::Own { leaf, args } => leaf_details(behaviour, *leaf, args, out),
        _ => {}
    }
}

fn pace(pace: Pace, out: &mut String) {
    yielding(pace.yields, Yields::Always, out);
    if pace.max_runs != MAX_RUNS_PER_TICK {
        let _ = write!(out, " max-runs={}", pace.max_runs);
    }
}

/// ` name=value`, if there is a value.
pub(super) fn property(behaviour: &Behaviour, name: &str, value: Option<&Expr>, out: &mut String) {
    if let Some(value) = value {
        let _ = write!(out, " {name}={}", number_text(behaviour, value));
    }
}
