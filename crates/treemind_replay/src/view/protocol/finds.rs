//! Searches for the best of several candidates.

use serde::Serialize;

protocol! {
    /// A candidate of a `find`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct CandidateState {
        /// The candidate, as people write it: `(3, 4)`.
        pub value: String,
        /// Where it is, in metres from the left and from above, if it is a place.
        pub at: Option<(f64, f64)>,
        /// Its score; `null` if it is out.
        pub score: Option<f64>,
        /// Why it is out: the expression that did not hold, or an empty text if its score is not above 0.
        pub out: Option<String>,
        /// Whether it was chosen.
        pub chosen: bool,
        /// What it was measured at, each with the name of the measure.
        pub measured: Vec<(String, f64)>,
    }

    /// What a `find` of the agent that is shown looked at last.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct FindState {
        /// The number of its node.
        pub node: usize,
        /// What it is called.
        pub name: String,
        /// The tick in which it looked at candidates last.
        pub tick: u64,
        /// Whether it has looked at all of them.
        pub is_over: bool,
        /// The candidates that it has looked at, in order.
        pub candidates: Vec<CandidateState>,
    }
}
