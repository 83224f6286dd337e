//! What each shortcut of a tick gains alone: the same ticks, with and without it.

use crate::case::Case;
use crate::crowd::{self, Idling};
use crate::facts::Change::{All, Nothing};
use crate::measure::measure;
use crate::ours::Shortcut;
use crate::runner::By::{Closures, Columns};
use crate::runner::Setting;
use std::fmt::Write as _;
use treemind::core::use_wide_vectors;

const SHORTCUTS: [Shortcut; 5] = [
    Shortcut::Token,
    Shortcut::Tables,
    Shortcut::ShortTests,
    Shortcut::Vectors,
    Shortcut::Resting,
];

const SOME: usize = 1_000;
const MANY: usize = 100_000;
const ROUNDS: usize = 5;

const HEAD: &str = "| shortcut | case | agents | facts | by | ns with it | ns without it | gains |\n|---|---|---:|---|---|---:|---:|---:|\n";

impl Shortcut {
    fn name(self) -> &'static str {
        match self {
            Shortcut::Token => "token",
            Shortcut::Tables => "tables of machines",
            Shortcut::ShortTests => "short expressions",
            Shortcut::Vectors => "vectors (AVX2)",
            Shortcut::Resting => "resting",
        }
    }

    /// The settings in which it is taken.
    fn settings(self) -> Vec<Setting> {
        let one = |case| Setting::new(case, 1, All, Closures);
        let columns = |case, agents| Setting::new(case, agents, All, Columns);
        let both = |cases: &[Case]| {
            let sizes = cases.iter().flat_map(|case| [(*case, SOME), (*case, MANY)]);
            sizes.map(|(case, agents)| columns(case, agents)).collect()
        };
        match self {
            Shortcut::Token => [
                Case::Guard,
                Case::GuardExpr,
                Case::Decide,
                Case::Utility,
                Case::Machine,
                Case::Timers,
                Case::Selector,
                Case::Leaves,
                Case::Row,
                Case::Inverters,
                Case::Waiting,
                Case::Draws,
            ]
            .map(one)
            .to_vec(),
            Shortcut::Tables => {
                let cases = [Case::Machine, Case::Timers];
                let mut all = cases.map(one).to_vec();
                all.extend::<Vec<Setting>>(both(&cases));
                all
            }
            Shortcut::ShortTests => {
                let cases = [Case::GuardExpr, Case::DecideExpr];
                let mut all = cases.map(one).to_vec();
                all.extend::<Vec<Setting>>(both(&cases));
                all
            }
            Shortcut::Vectors => both(&[
                Case::Guard,
                Case::GuardExpr,
                Case::Decide,
                Case::DecideExpr,
                Case::Utility,
                Case::Machine,
                Case::Timers,
                Case::Leaves,
                Case::Waiting,
                Case::Draws,
            ]),
            Shortcut::Resting => vec![
                Setting::new(Case::Waiting, MANY, Nothing, Columns),
                Setting::new(Case::Guard, MANY, Nothing, Columns),
            ],
        }
    }

    /// The crowds in which it is taken.
    fn crowds(self) -> &'static [Idling] {
        match self {
            Shortcut::Resting => &[Idling::Waits, Idling::OfWhomSomeAreWoken],
            _ => &[],
        }
    }
}

/// Does something while a shortcut is taken, or not.
fn with_or_without<T>(
    shortcut: Shortcut,
    is_taken: bool,
    work: impl FnOnce(Option<Shortcut>) -> T,
) -> T {
    use_wide_vectors(is_taken || shortcut != Shortcut::Vectors);
    let result = work((!is_taken).then_some(shortcut));
    use_wide_vectors(true);
    result
}

/// The table for the page; `tell` is told what is measured.
pub(crate) fn table(tell: &dyn Fn(&str)) -> String {
    let mut text = HEAD.to_owned();
    let mut row = |shortcut: Shortcut, task: &str, [with, without]: [f64; 2]| {
        let gain = (1.0 - with / without) * 100.0;
        let name = shortcut.name();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {task} | {with:.2} | {without:.2} | {gain:.0} % |"
        );
    };
    for shortcut in SHORTCUTS {
        tell(shortcut.name());
        for setting in shortcut.settings() {
            let figures = compare(shortcut, |without| {
                let setting = Setting { without, ..setting };
                let measured = measure(&setting).expect("ours can play everything");
                measured.median()
            });
            let (case, facts) = (setting.case.name(), setting.facts_name());
            let task = format!(
                "{case} | {} | {facts} | {}",
                setting.agents,
                setting.by.name()
            );
            row(shortcut, &task, figures);
        }
        for idling in shortcut.crowds() {
            let figures = compare(shortcut, |without| {
                crowd::measure(*idling, MANY, without) / MANY as f64
            });
            let task = format!(
                "agents {} | {MANY} | none | {}",
                idling.words(),
                Closures.name()
            );
            row(shortcut, &task, figures);
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// The nanoseconds with and without a shortcut, each in its quickest round. Both take turns, so that nothing else is the
/// difference.
fn compare(shortcut: Shortcut, measure: impl Fn(Option<Shortcut>) -> f64) -> [f64; 2] {
    let mut quickest = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (is_taken, figure) in [true, false].into_iter().zip(&mut quickest) {
            *figure = figure.min(with_or_without(shortcut, is_taken, &measure));
        }
    }
    quickest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_shortcut_agents_do_the_same() {
        for shortcut in SHORTCUTS {
            for setting in shortcut.settings() {
                let few = Setting {
                    agents: setting.agents.min(70),
                    ..setting
                };
                let [with, without] = [true, false].map(|is_taken| {
                    with_or_without(shortcut, is_taken, |without| {
                        Setting { without, ..few }.done(60)
                    })
                });
                assert_eq!(with, without, "{shortcut:?}: {setting:?}");
            }
        }
    }
}
