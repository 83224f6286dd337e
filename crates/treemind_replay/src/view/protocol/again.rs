//! A run that is played again from an earlier tick with a changed document, beside the run that was.

use super::Lanes;
use serde::Serialize;

protocol! {
    /// Something that differs between two runs.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Differs {
        /// The action that runs.
        Does,
        /// The active states.
        States,
        /// A key.
        Key(String),
    }

    /// Where two runs of an agent begin to differ in something.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Difference {
        /// The first tick.
        pub tick: u64,
        /// In what.
        pub what: Differs,
        /// What it was in the earlier run.
        pub was: String,
        /// What it is now.
        pub now: String,
    }

    /// The run that was played before it was played again from an earlier tick.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct EarlierRun {
        /// Grows with every run that is played again.
        pub nth: u64,
        /// The tick from which it was played again.
        pub from: u64,
        /// The last tick of the earlier run.
        pub to: u64,
        /// The last tick up to which both were compared.
        pub compared: u64,
        /// The names of the keys of `lanes`.
        pub keys: Vec<String>,
        /// What the agent did then. It is left out if the page has it.
        pub lanes: Option<Lanes>,
        /// In what they differ, first difference first.
        pub differences: Vec<Difference>,
    }
}
