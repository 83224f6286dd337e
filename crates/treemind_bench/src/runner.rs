//! What is measured: a case, how many agents, and the contender that plays it.

use crate::by_hand;
use crate::case::Case;
use crate::contender::Runner;
use crate::facts::{Change, Facts};
use crate::ours::{Closures, ClosuresOnThreads, ColumnHost, ColumnsOnThreads, Shortcut, Taken};
use crate::peers;
use clap::ValueEnum;
use treemind::trace::Trace;

/// What all settings of a group have in common.
pub(crate) type Task = (Case, usize, Change);

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) case: Case,
    pub(crate) agents: usize,
    pub(crate) change: Change,
    pub(crate) by: By,
    pub(crate) threads: usize,
    /// The shortcut that Treemind does not take.
    pub(crate) without: Option<Shortcut>,
}

/// The contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// `if` and `match` in Rust
    Hand,
    /// Treemind, which calls closures of the game
    Closures,
    /// The same with a trace of everything
    ClosuresTraced,
    /// The same while it is recorded into a file
    ClosuresRecorded,
    /// Treemind, whose facts and requests are columns of bits
    Columns,
    /// The same with a trace of everything
    ColumnsTraced,
    /// The same while it is recorded into a file
    ColumnsRecorded,
    /// The crate bonsai-bt
    BonsaiBt,
    /// The crate statig
    Statig,
    /// The crate rust-fsm
    RustFsm,
}

impl By {
    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Hand => "by hand",
            By::Closures => "Treemind, closures",
            By::ClosuresTraced => "Treemind, closures, traced",
            By::ClosuresRecorded => "Treemind, closures, recorded",
            By::Columns => "Treemind, columns",
            By::ColumnsTraced => "Treemind, columns, traced",
            By::ColumnsRecorded => "Treemind, columns, recorded",
            By::BonsaiBt => "bonsai-bt",
            By::Statig => "statig",
            By::RustFsm => "rust-fsm",
        }
    }

    /// The crate, with the version that `Cargo.toml` asks for.
    pub(crate) fn package(self) -> Option<(&'static str, &'static str)> {
        match self {
            By::BonsaiBt => Some(("bonsai-bt", "0.14.0")),
            By::Statig => Some(("statig", "0.4.1")),
            By::RustFsm => Some(("rust-fsm", "0.8.0")),
            _ => None,
        }
    }

    pub(crate) fn is_ours(self) -> bool {
        self.name().starts_with("Treemind")
    }

    /// Whether what happens is written to a file.
    pub(crate) fn is_recorded(self) -> bool {
        matches!(self, By::ClosuresRecorded | By::ColumnsRecorded)
    }

    /// Whether what happens is recorded, in a trace or a recording.
    pub(crate) fn is_taken_down(self) -> bool {
        self.is_ours() && !matches!(self, By::Closures | By::Columns)
    }
}

impl Setting {
    pub(crate) fn new(case: Case, agents: usize, change: Change, by: By) -> Self {
        Self {
            case,
            agents,
            change,
            by,
            threads: 1,
            without: None,
        }
    }

    /// The contender, if it can run this setting.
    pub(crate) fn runner(&self) -> Option<Box<dyn Runner>> {
        let (case, agents) = (self.case, self.agents);
        Some(match self.by {
            By::Hand => by_hand::runner(case, agents),
            By::Closures if self.threads > 1 => {
                Box::new(ClosuresOnThreads::new(case, agents, self.threads))
            }
            By::Columns if self.threads > 1 => {
                Box::new(ColumnsOnThreads::new(case, agents, self.threads))
            }
            By::Closures | By::ClosuresTraced | By::ClosuresRecorded => {
                Box::new(Closures::new(case, agents, self.taken(), self.without))
            }
            By::Columns | By::ColumnsTraced | By::ColumnsRecorded => {
                Box::new(ColumnHost::new(case, agents, self.taken(), self.without))
            }
            By::BonsaiBt if case == Case::Guard => Box::new(peers::bonsai::Guards::new(agents)),
            By::Statig if case == Case::Machine => Box::new(peers::statig::Fighters::new(agents)),
            By::RustFsm if case == Case::Machine => {
                Box::new(peers::rust_fsm::Fighters::new(agents))
            }
            By::BonsaiBt | By::Statig | By::RustFsm => return None,
        })
    }

    fn taken(&self) -> Taken {
        match self.by {
            By::ClosuresTraced | By::ColumnsTraced => Taken::Trace(Trace::default()),
            By::ClosuresRecorded | By::ColumnsRecorded => Taken::recording(self.case),
            _ => Taken::Nothing,
        }
    }

    /// Whether the contender can run this setting. Only Treemind runs on several threads.
    pub(crate) fn can_be_done(&self) -> bool {
        let small = Self { agents: 1, ..*self };
        let is_ours = matches!(self.by, By::Closures | By::Columns);
        small.runner().is_some() && (self.threads == 1 || is_ours)
    }

    /// The task, which is the same for all contenders that are compared.
    pub(crate) fn task(&self) -> Task {
        (self.case, self.agents, self.change)
    }

    /// How the facts change, in a word.
    pub(crate) fn facts_name(&self) -> String {
        match self.change {
            _ if !self.case.has_facts() => "none".to_owned(),
            Change::All => "changing".to_owned(),
            Change::Share(share) => format!("{} % change", share * 100.0),
            Change::Nothing => "steady".to_owned(),
        }
    }

    /// How often each action is carried out in `ticks` ticks.
    pub(crate) fn done(&self, ticks: usize) -> Option<Vec<u64>> {
        let mut runner = self.runner()?;
        let mut facts = self.facts();
        let mut done = Vec::new();
        for _ in 0..ticks {
            facts.draw(1);
            runner.get_ready(&facts, 1);
            runner.run(1);
            done = runner.done();
        }
        Some(done)
    }

    /// Whether this many agents do the same as in the code written by hand.
    pub(crate) fn is_true(&self, agents: usize, ticks: usize) -> bool {
        let small = Self { agents, ..*self };
        let hand = Self {
            by: By::Hand,
            threads: 1,
            ..small
        };
        let (Some(found), Some(expected)) = (small.done(ticks), hand.done(ticks)) else {
            return false;
        };
        // Other contenders use other random generators.
        let margin = match self.case {
            Case::Draws => (agents * ticks) as u64 / 40,
            _ => 0,
        };
        let near = |(a, b): (&u64, &u64)| a.abs_diff(*b) <= margin;
        found.len() == expected.len() && found.iter().zip(&expected).all(near)
    }

    pub(crate) fn facts(&self) -> Facts {
        Facts::new(self.agents, self.change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_do_the_same() {
        for &case in Case::value_variants() {
            for change in [Change::All, Change::Share(0.2)] {
                let mut compared = 0;
                for &by in By::value_variants() {
                    for threads in [1, 2] {
                        let setting = Setting {
                            threads,
                            ..Setting::new(case, 70, change, by)
                        };
                        if setting.can_be_done() {
                            assert!(setting.is_true(70, 200), "{setting:?}");
                            compared += 1;
                        }
                    }
                }
                assert!(compared >= 7, "{case:?}: {compared}");
            }
        }
    }

    #[test]
    fn what_does_something_else_is_found() {
        let [guard, machine] = [Case::Guard, Case::Machine]
            .map(|case| Setting::new(case, 70, Change::All, By::Hand).done(50));
        assert_ne!(guard, machine);
        let nobody = Setting::new(Case::Guard, 70, Change::All, By::Statig);
        assert!(!nobody.is_true(70, 10) && !nobody.can_be_done());
    }

    #[test]
    fn facts_have_not_changed() {
        // One agent, 100 000 ticks: the recorded result for the same facts.
        for (case, expected) in [
            (Case::Guard, [25_066, 12_625, 62_309]),
            (Case::Decide, [25_066, 12_625, 62_309]),
        ] {
            let setting = Setting::new(case, 1, Change::All, By::Hand);
            assert_eq!(setting.done(100_000), Some(expected.to_vec()), "{case:?}");
        }
    }

    #[test]
    fn versions_are_those_that_are_built_with() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("the workspace has a manifest");
        for (package, version) in By::value_variants().iter().filter_map(|by| by.package()) {
            let exact = format!("{package} = {{ version = \"={version}\"");
            assert!(manifest.contains(&exact), "{exact}");
        }
    }
}
