//! Breakpoints, and what happened at them.

use super::On;
use serde::Serialize;
use treemind_doc::Said;

protocol! {
    /// A breakpoint.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Breakpoint {
        /// Its number.
        pub id: u64,
        /// The agent that was shown when it was set.
        pub mind: usize,
        /// The name of the definition that it is in.
        pub of: String,
        /// The line that it is at.
        pub line: Option<String>,
        /// The text of that line.
        pub line_text: Option<String>,
        /// Or the key.
        pub key: Option<String>,
        /// Or the event.
        pub event: Option<String>,
        /// What has to happen at the line.
        pub on: On,
        /// Only for this agent.
        pub only: Option<usize>,
        /// A condition over the keys; empty for none.
        #[serde(rename = "if")]
        pub condition: String,
        /// It stops at this occurrence, counted from 1, and at every later one.
        pub from: u64,
        /// How often it has happened.
        pub count: u64,
        /// Whether it stops.
        pub is_on: bool,
        /// What happens is only listed, and the game does not stop.
        pub only_lists: bool,
        /// Why it cannot stop.
        pub wrong: Option<Said>,
        /// What it waits for, in words.
        pub text: String,
    }

    /// Where a breakpoint has stopped the game.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Stopped {
        /// The breakpoint.
        pub breakpoint: u64,
        /// The tick.
        pub tick: u64,
        /// The first agent to which it happened.
        pub mind: usize,
        /// How many there were.
        pub agents: usize,
        /// What happened, in words.
        pub text: String,
        /// The line that it is at.
        pub line: Option<String>,
    }

    /// Something that happened at a breakpoint.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Hit {
        /// Its number, from 1.
        pub nth: u64,
        /// Where it was.
        #[serde(flatten)]
        pub at: Stopped,
        /// What the key held then, or the first keys.
        pub values: Vec<(String, String)>,
    }

    /// The hits that are new to a page.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct Hits {
        /// The number of the last one; the next question repeats it.
        pub last: u64,
        /// Whether the page forgets those that it has.
        pub is_all: bool,
        /// Those with a number beyond that of the question.
        pub fresh: Vec<Hit>,
    }
}
