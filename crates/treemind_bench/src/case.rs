//! The cases to measure: their documents, what their conditions ask of the facts, and their actions.

use crate::facts::{DEAD, Fact, LOW, SEE};
use clap::ValueEnum;
use std::fmt::Write as _;
use treemind::Document;
use treemind::population::Behaviour;

/// What agents do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    /// A guard: attacks an enemy in sight, flees when it is hurt, else patrols
    Guard,
    /// The same; the document compares floats
    GuardExpr,
    /// The same as a decision tree
    Decide,
    /// The same as a decision tree that compares floats
    DecideExpr,
    /// The same by scores, from four considerations on curves
    Utility,
    /// A state machine of three states with the facts of the guard, and an alarm
    Machine,
    /// A state machine of three states that end by themselves after some seconds
    Timers,
    /// A selector of 200 branches, of which one holds, another for each agent
    Selector,
    /// A decision tree of 64 leaves, 6 tests deep, every agent at another one
    Leaves,
    /// A sequence of 100 conditions that all hold
    Row,
    /// A condition below 100 inverters
    Inverters,
    /// Everybody waits
    Waiting,
    /// Everybody draws in every tick
    Draws,
    /// Like `Selector`, with this many branches.
    #[value(skip)]
    Branches(usize),
}

/// The number of conditions of [`Case::Row`], and of inverters of [`Case::Inverters`].
pub(crate) const ROW: usize = 100;
const INVERTERS: usize = 100;

/// What a condition asks about the fact of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    /// Whether this bit is set.
    Bit(Fact),
    /// Whether the fact selects number `.0` of `.1`.
    Which(usize, usize),
    /// Nothing: it always holds.
    Holds,
}

impl Test {
    pub(crate) fn holds(self, fact: Fact) -> bool {
        match self {
            Test::Bit(bit) => fact & bit != 0,
            Test::Which(this, of) => which(fact, of) == this,
            Test::Holds => true,
        }
    }
}

/// Which number below `of` a fact selects.
#[inline]
pub(crate) fn which(fact: Fact, of: usize) -> usize {
    (usize::from(fact) * of) >> 16
}

impl Case {
    pub(crate) fn name(self) -> String {
        match self.to_possible_value() {
            Some(value) => value.get_name().to_owned(),
            None => format!("{} branches", self.branches()),
        }
    }

    /// Its description in a few words.
    pub(crate) fn words(self) -> String {
        let value = self.to_possible_value();
        let help = value.as_ref().and_then(|value| value.get_help());
        help.map(ToString::to_string).unwrap_or_default()
    }

    /// How many branches a selector has.
    pub(crate) fn branches(self) -> usize {
        match self {
            Case::Branches(branches) => branches,
            _ => 200,
        }
    }

    /// Its conditions.
    pub(crate) fn conditions(self) -> Vec<(String, Test)> {
        let bits = |names: &[(&str, Fact)]| {
            let named = |&(name, bit): &(&str, Fact)| (name.to_owned(), Test::Bit(bit));
            names.iter().map(named).collect()
        };
        match self {
            Case::Guard | Case::Decide | Case::Machine => bits(&[
                ("see-enemy", SEE),
                ("health-low", LOW),
                ("enemy-dead", DEAD),
            ]),
            Case::Timers => bits(&[("see-enemy", SEE), ("health-low", LOW)]),
            Case::Inverters => bits(&[("see-enemy", SEE)]),
            Case::Selector | Case::Branches(_) => (0..self.branches())
                .map(|branch| {
                    let test = Test::Which(branch, self.branches());
                    (format!("is-{branch}"), test)
                })
                .collect(),
            Case::Leaves => (0..6)
                .map(|bit| (format!("bit-{bit}"), Test::Bit(0x8000 >> bit)))
                .collect(),
            Case::Row => (0..ROW)
                .map(|number| (format!("holds-{number}"), Test::Holds))
                .collect(),
            Case::GuardExpr | Case::DecideExpr | Case::Utility | Case::Waiting | Case::Draws => {
                Vec::new()
            }
        }
    }

    /// Its actions. They run for ever, except those of [`Case::Draws`] that [end](Self::ends).
    pub(crate) fn actions(self) -> Vec<String> {
        let names: &[&str] = match self {
            Case::Guard | Case::GuardExpr | Case::Utility | Case::Decide | Case::DecideExpr => {
                &["run-away", "attack", "patrol"]
            }
            Case::Machine | Case::Timers => &["idle", "walk", "attack"],
            Case::Draws => &["whistle", "walk"],
            Case::Waiting => &["act"],
            Case::Selector | Case::Branches(_) => {
                return (0..self.branches()).map(|at| format!("do-{at}")).collect();
            }
            Case::Leaves => return (0..64).map(|at| format!("do-{at}")).collect(),
            Case::Row | Case::Inverters => &[],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Whether an action succeeds at once.
    pub(crate) fn ends(self, action: &str) -> bool {
        self == Case::Draws && action == "whistle"
    }

    /// Whether what agents do depends on facts.
    pub(crate) fn has_facts(self) -> bool {
        !matches!(self, Case::Row | Case::Waiting | Case::Draws)
    }

    /// Whether the facts are numbers on the blackboard.
    pub(crate) fn has_keys(self) -> bool {
        matches!(self, Case::GuardExpr | Case::DecideExpr | Case::Utility)
    }

    fn text(self) -> String {
        match self {
            Case::Guard => include_str!("cases/guard.kdl").to_owned(),
            Case::GuardExpr => include_str!("cases/guard-expr.kdl").to_owned(),
            Case::Machine => include_str!("cases/machine.kdl").to_owned(),
            Case::Utility => include_str!("cases/utility.kdl").to_owned(),
            Case::Decide => include_str!("cases/decide.kdl").to_owned(),
            Case::DecideExpr => include_str!("cases/decide-expr.kdl").to_owned(),
            Case::Timers => include_str!("cases/timers.kdl").to_owned(),
            Case::Waiting => include_str!("cases/waiting.kdl").to_owned(),
            Case::Draws => include_str!("cases/draws.kdl").to_owned(),
            Case::Selector | Case::Branches(_) => self.declared(&format!(
                "tree selector {{ reactive-selector {{ {} }}; }}",
                (0..self.branches()).fold(String::new(), |mut text, at| {
                    // Writing to a string cannot fail.
                    let _ = write!(
                        text,
                        "reactive-sequence {{ condition is-{at}; action do-{at}; }}; "
                    );
                    text
                })
            )),
            Case::Leaves => self.declared(&format!("decide leaves {{ {} }}", tests(0, 0))),
            Case::Row => {
                let conditions = (0..ROW).map(|number| format!("condition holds-{number}; "));
                let conditions: String = conditions.collect();
                self.declared(&format!("tree row {{ sequence {{ {conditions}}}; }}"))
            }
            Case::Inverters => {
                let (open, close) = ("invert { ".repeat(INVERTERS), "}; ".repeat(INVERTERS));
                self.declared(&format!(
                    "tree inverters {{ {open}condition see-enemy; {close}}}"
                ))
            }
        }
    }

    /// A document that declares the leaves of the case.
    fn declared(self, rest: &str) -> String {
        let mut text = "leaves { ".to_owned();
        for (condition, _) in self.conditions() {
            let _ = write!(text, "condition {condition}; ");
        }
        for action in self.actions() {
            let _ = write!(text, "action {action}; ");
        }
        text + "}\n" + rest
    }

    /// The case as a behaviour.
    ///
    /// # Panics
    /// When a document of this program has an error.
    pub(crate) fn behaviour(self) -> Behaviour {
        self.document()
            .behaviour(None)
            .unwrap_or_else(|errors| panic!("{}", errors.to_plain()))
    }

    pub(crate) fn document(self) -> Document {
        Document::parse(&self.text(), &self.name())
    }
}

/// The tests below a test at this depth.
fn tests(depth: usize, leaf: usize) -> String {
    if depth == 6 {
        return format!("action do-{leaf}; ");
    }
    let [no, yes] = [0, 1].map(|bit| tests(depth + 1, 2 * leaf + bit));
    format!("test-condition bit-{depth} {{ yes {{ {yes}}}; no {{ {no}}}; }}; ")
}
