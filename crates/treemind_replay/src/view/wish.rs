//! What a page wants to see.

use super::protocol::{Look, WhatIf};
use treemind_explain::Language;

/// What a page wants to see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// The agent.
    pub mind: usize,
    /// A node that is asked about.
    pub node: Option<usize>,
    /// The page knows what the agent did before this tick.
    pub since: u64,
    /// The tick since which it has played without a jump. What came and went before that is not shown.
    pub plays_since: u64,
    /// And what was filled in before that, so many times.
    pub fills: u64,
    /// Whom the page looks for among many: a text in the name, the action or a state; empty for everybody.
    pub find: String,
    /// And for whom this condition holds; empty for everybody.
    pub holds: String,
    /// Those first who have done longest what they do.
    pub longest: bool,
    /// The marks are those after this many events of the last tick; `None` means all of them.
    pub event: Option<usize>,
    /// The expressions whose values the page shows.
    pub worth: Vec<String>,
    /// The number of the planner about which it asks why.
    pub planner: Option<usize>,
    /// What a planner would do with other facts.
    pub what_if: Option<WhatIf>,
    /// The language of sentences.
    pub language: Language,
}

impl Wish {
    /// As the question of a page has it.
    pub fn of(look: &Look) -> Self {
        Self {
            mind: look.mind,
            node: look.node,
            language: look.language,
            since: look.since,
            fills: look.fills,
            find: look.find.trim().to_owned(),
            holds: look.holds.trim().to_owned(),
            longest: look.longest,
            worth: look.worth.clone(),
            planner: look.planner,
            what_if: look.what_if.clone(),
            ..Self::default()
        }
    }
}
