//! The measurements for the page, group by group: the same task for all contenders that can run it.

use crate::case::Case;
use crate::facts::Change::{All, Nothing, Share};
use crate::measure::{Measured, measure};
use crate::plot::number;
use crate::runner::{By, Setting, Task};
use clap::ValueEnum as _;

/// How often everything is measured: all once, then all again, so that a slow moment affects many figures a little.
const ROUNDS: usize = 3;

/// The tasks of the table.
pub(crate) const TASKS: [Task; 26] = [
    (Case::Guard, 1, All),
    (Case::Guard, 1, Nothing),
    (Case::Guard, 10_000, All),
    (Case::Guard, 10_000, Nothing),
    (Case::Guard, 100_000, All),
    (Case::Guard, 100_000, Nothing),
    (Case::GuardExpr, 1, All),
    (Case::GuardExpr, 100_000, All),
    (Case::Decide, 1, All),
    (Case::Decide, 100_000, All),
    (Case::DecideExpr, 100_000, All),
    (Case::Utility, 1, All),
    (Case::Utility, 100_000, All),
    (Case::Machine, 1, All),
    (Case::Machine, 100_000, All),
    (Case::Timers, 1, All),
    (Case::Timers, 100_000, All),
    (Case::Selector, 1, All),
    (Case::Selector, 10_000, All),
    (Case::Leaves, 1, All),
    (Case::Leaves, 100_000, All),
    (Case::Row, 1, Nothing),
    (Case::Inverters, 1, All),
    (Case::Waiting, 1, Nothing),
    (Case::Waiting, 100_000, Nothing),
    (Case::Draws, 100_000, Nothing),
];

/// Agents, branches and shares along the curves.
pub(crate) const AGENTS: [usize; 9] = [1, 8, 64, 191, 192, 1_000, 10_000, 100_000, 1_000_000];
pub(crate) const BRANCHES: [usize; 4] = [3, 33, 333, 3_333];
pub(crate) const SHARES: [f64; 7] = [0.001, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0];

/// A contender with its result.
pub(crate) struct Row {
    pub(crate) setting: Setting,
    pub(crate) measured: Measured,
}

/// The table, measured in rounds.
///
/// # Panics
/// When a contender does not do the same as the code written by hand, because then the task is another one.
pub(crate) fn table(tell: &dyn Fn(&str)) -> Vec<Row> {
    let mut found: Vec<Row> = TASKS
        .iter()
        .flat_map(|&(case, agents, change)| {
            let is_taken_down = case == Case::Guard && matches!(agents, 1 | 1_000 | 100_000);
            let all = By::value_variants().iter();
            all.filter(move |by| is_taken_down || !by.is_taken_down())
                // Columns are meant for many agents.
                .filter(move |by| agents > 1 || case == Case::Guard || **by != By::Columns)
                .map(move |&by| Setting::new(case, agents, change, by))
        })
        .chain(threads())
        .filter(|setting| setting.can_be_done())
        .map(|setting| Row {
            setting,
            measured: Measured::default(),
        })
        .collect();
    for Row { setting, .. } in &found {
        assert!(setting.is_true(200, 100), "{setting:?} does something else");
    }
    for round in 1..=ROUNDS {
        tell(&format!(
            "round {round} of {ROUNDS} over {} rows",
            found.len()
        ));
        for Row { setting, measured } in &mut found {
            measured.add(measure(setting).expect("it can be done"));
        }
    }
    found
}

/// A million agents on one thread and on two.
fn threads() -> impl Iterator<Item = Setting> {
    let by = [By::Hand, By::Closures, By::Columns].into_iter();
    by.flat_map(|by| {
        let one = Setting::new(Case::Guard, 1_000_000, All, by);
        [one, Setting { threads: 2, ..one }]
    })
}

/// One figure of a curve.
fn figure(setting: &Setting) -> Option<f64> {
    measure(setting).map(|measured| measured.median())
}

/// A curve: its name, and the figure at each place.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) figures: Vec<Option<f64>>,
}

fn curve(name: &'static str, settings: impl Iterator<Item = Setting>) -> Curve {
    Curve {
        name,
        figures: settings.map(|setting| figure(&setting)).collect(),
    }
}

/// The guard with an increasing number of agents.
pub(crate) fn over_agents() -> Vec<Curve> {
    [By::Hand, By::Closures, By::Columns, By::BonsaiBt]
        .map(|by| {
            let settings = AGENTS.map(|agents| Setting::new(Case::Guard, agents, All, by));
            // Larger populations of this contender do not fit into the memory of every machine.
            let fits = |setting: &Setting| by != By::BonsaiBt || setting.agents <= 100_000;
            curve(by.name(), settings.into_iter().filter(fits))
        })
        .into()
}

/// Trees with an increasing number of nodes.
pub(crate) fn over_nodes() -> Vec<Curve> {
    let with = |name, agents, by| {
        let settings =
            BRANCHES.map(|branches| Setting::new(Case::Branches(branches), agents, All, by));
        curve(name, settings.into_iter())
    };
    vec![
        with("by hand, one agent", 1, By::Hand),
        with("closures, one agent", 1, By::Closures),
        with("closures, 10 000 agents", 10_000, By::Closures),
        with("columns, 10 000 agents", 10_000, By::Columns),
    ]
}

/// The guard with 100 000 agents, of which an increasing share get new facts in every tick.
pub(crate) fn over_shares() -> Vec<Curve> {
    [By::Hand, By::Closures, By::Columns]
        .map(|by| {
            let settings = SHARES.map(|share| Setting::new(Case::Guard, 100_000, Share(share), by));
            curve(by.name(), settings.into_iter())
        })
        .into()
}

/// The rows of the table, in Markdown. The first four cells identify the setting.
pub(crate) fn rows(found: &[Row]) -> Vec<String> {
    let of_hand = |setting: &Setting| {
        found
            .iter()
            .find(|other| other.setting.by == By::Hand && other.setting.task() == setting.task())
            .map(|hand| hand.measured.median())
    };
    found
        .iter()
        .map(|Row { setting, measured }| {
            let by = match setting.threads {
                1 => setting.by.name().to_owned(),
                threads => format!("{}, {threads} threads", setting.by.name()),
            };
            let ratio = of_hand(setting).map(|hand| figures(measured.median() / hand));
            format!(
                "| {} | {} | {} | {by} | {} | {} | {} | {} |",
                setting.case.name(),
                number(setting.agents as f64),
                setting.facts_name(),
                figures(measured.median()),
                figures(measured.least()),
                ratio.unwrap_or_default(),
                figures(measured.bytes_per_agent),
            )
        })
        .collect()
}

/// A number with its significant digits.
pub(crate) fn figures(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.995 => format!("{value:.2}"),
        value if value < 9.95 => format!("{value:.1}"),
        value => number(value.round()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_mean_something() {
        let written = [0.0, 0.371, 0.999, 1.04, 9.96, 41.4, 1_234.5].map(figures);
        let expected = ["0", "0.37", "1.0", "1.0", "10", "41", "1 235"];
        assert_eq!(written, expected);
    }

    #[test]
    fn rows_compare_with_code_by_hand() {
        let found = [(By::Hand, 2.0), (By::Closures, 5.0)].map(|(by, median)| Row {
            setting: Setting::new(Case::Guard, 1, All, by),
            measured: Measured::of(&[median, median - 1.0, median + 9.0], 40.0),
        });
        let expected = [
            "| guard | 1 | changing | by hand | 2.0 | 1.0 | 1.0 | 40 |",
            "| guard | 1 | changing | Treemind, closures | 5.0 | 4.0 | 2.5 | 40 |",
        ];
        assert_eq!(rows(&found), expected);
    }
}
