//! The cases, as documents.

use clap::ValueEnum;
use std::fmt::Write as _;
use treemind::host::Columns;
use treemind::{Behaviour, Document, LeafId};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Case {
    /// The guard, with conditions
    Guard,
    /// The guard, with comparisons of floats
    GuardExpr,
    /// The guard, by scores from four considerations on curves
    Utility,
    /// The guard as a decision tree, with conditions
    Decide,
    /// The guard as a decision tree, with comparisons of floats
    DecideExpr,
    /// 100 inverters above a condition
    Inverters,
    /// 100 conditions in a sequence
    Row,
    /// A machine of three states, beside the same by hand and by another library
    Machine,
    /// A document is read, checked and lowered
    Load,
}

const DEEP: usize = 100;
const WIDE: usize = 100;

impl Case {
    pub(super) fn name(self) -> &'static str {
        match self {
            Case::Guard => "guard",
            Case::GuardExpr => "guard-expr",
            Case::Utility => "utility",
            Case::Decide => "decide",
            Case::DecideExpr => "decide-expr",
            Case::Inverters => "inverters",
            Case::Row => "row",
            Case::Machine => "machine",
            Case::Load => "load",
        }
    }

    /// Whether what is carried out depends on facts that are drawn.
    pub(super) fn has_facts(self) -> bool {
        self.counted().is_some()
    }

    /// What the histogram counts: actions of trees that are carried out, or states of the machine.
    pub(super) fn counted(self) -> Option<[&'static str; 3]> {
        match self {
            Case::Guard | Case::GuardExpr | Case::Utility | Case::Decide | Case::DecideExpr => {
                Some(["run-away", "attack", "patrol"])
            }
            Case::Machine => Some(["idle", "walk", "attack"]),
            Case::Inverters | Case::Row | Case::Load => None,
        }
    }

    fn text(self) -> String {
        match self {
            Case::Guard => include_str!("guard.kdl").to_owned(),
            Case::GuardExpr => include_str!("guard-expr.kdl").to_owned(),
            Case::Machine => include_str!("machine.kdl").to_owned(),
            Case::Utility => include_str!("utility.kdl").to_owned(),
            Case::Decide => include_str!("decide.kdl").to_owned(),
            Case::DecideExpr => include_str!("decide-expr.kdl").to_owned(),
            Case::Load => super::load::document(1).0,
            Case::Inverters => {
                let (open, close) = ("invert { ".repeat(DEEP), "}; ".repeat(DEEP));
                format!(
                    "leaves {{ condition see-enemy; }}\ntree inverters {{ {open}condition see-enemy; {close}}}"
                )
            }
            Case::Row => {
                let mut leaves = String::new();
                for number in 0..WIDE {
                    // Writing to a string cannot fail.
                    let _ = write!(leaves, "condition holds-{number}; ");
                }
                format!("leaves {{ {leaves}}}\ntree row {{ sequence {{ {leaves}}}; }}")
            }
        }
    }

    /// Lets all conditions hold, where the case is about that.
    pub(super) fn hold_all(self, behaviour: &Behaviour, host: &mut Columns) {
        if !self.has_facts() {
            for leaf in 0..behaviour.leaves().len() {
                host.holds_mut(LeafId::new(leaf)).words_mut().fill(u64::MAX);
            }
        }
    }

    /// The case as a behaviour.
    ///
    /// # Panics
    /// When a document of this program's own has an error.
    pub(super) fn behaviour(self) -> Behaviour {
        Document::parse(&self.text(), self.name())
            .behaviour(None)
            .unwrap_or_else(|errors| panic!("{}", errors.to_plain()))
    }
}
