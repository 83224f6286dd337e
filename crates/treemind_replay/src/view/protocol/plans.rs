//! Planners: their goals, their plans, and what they would do with other facts.

use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// How it is with a goal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum GoalIs {
        /// It is pursued.
        Pursued,
        /// There is no plan for it, as long as the facts are as they are.
        Fruitless,
        /// What it wants holds already.
        Holds,
        /// It could be pursued, but another one is.
        Open,
        /// Its `when` does not hold, or its score is not above 0.
        Closed,
    }

    /// A goal of a planner.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct GoalState {
        /// Its name.
        pub name: String,
        /// The expression that is to hold, or the name of the task that is to be done.
        pub aim: String,
        /// Whether that is a task.
        pub is_task: bool,
        /// How it is with it.
        pub is: GoalIs,
        /// Its score, when the planner looked last; `null` if its `when` did not hold.
        pub score: Option<f64>,
        /// Why there is no plan for it, in sentences: only of the planner that the page asks about.
        pub why: Vec<String>,
    }

    /// A step of a plan.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct StepState {
        /// The number of its node.
        pub node: usize,
        /// Its name.
        pub name: String,
        /// What it costs; `null` if it is done, or cannot be done as things are.
        pub cost: Option<f64>,
        /// What it is for, in a sentence: only of the planner that the page asks about.
        pub why: Option<String>,
    }

    /// A plan.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct PlanShown {
        /// The position of the goal.
        pub goal: usize,
        /// The steps, from the first one on.
        pub steps: Vec<StepState>,
        /// The position of the step that is next or in progress.
        pub cursor: usize,
        /// What the steps from there on cost; `null` if one of them cannot be done as things are.
        pub cost: Option<f64>,
    }

    /// A planner of the agent that is shown.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct PlannerState {
        /// The number of its node.
        pub node: usize,
        /// What it is called.
        pub name: String,
        /// Whether it runs.
        pub is_running: bool,
        /// Its goals, in the order of the document.
        pub goals: Vec<GoalState>,
        /// Its plan, if it has one.
        pub plan: Option<PlanShown>,
        /// The position of the goal for which it looks for a plan, in several turns.
        pub searches: Option<usize>,
        /// The steps that it leaves out, because they failed or changed nothing.
        pub left_out: Vec<String>,
        /// The positions of the keys that its plans depend on: what its searches look at, and what the scores of its goals read.
        pub keys: Vec<usize>,
    }

    /// What a page asks of a planner: what would it do with other facts?
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct WhatIf {
        /// The number of its node.
        pub node: usize,
        /// Keys with other values, as documents write them; an empty text means that the key is unset. All other keys hold what
        /// they hold for the agent.
        pub given: Vec<(String, String)>,
        /// The position of the goal that is looked at, whatever its score; `null` for the one that the planner would choose.
        pub goal: Option<usize>,
        /// Whether the page wants to see what the search has reached.
        pub search: bool,
    }

    /// A situation that a search for a plan has reached.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SituationState {
        /// Its predecessor, by its position in the list, and the name of the step that leads from there; `null` of the first one.
        pub from: Option<(usize, String)>,
        /// How many steps lead to it.
        pub steps: usize,
        /// What they cost.
        pub cost: f64,
        /// What is still to be paid at least.
        pub estimate: f64,
        /// Whether the search has looked at it; otherwise it has only been reached.
        pub is_looked_at: bool,
        /// Whether the plan leads through it.
        pub is_on_plan: bool,
        /// What is otherwise than in its predecessor: a key, and its value as documents write it, or an empty text if it is unset.
        pub changes: Vec<(String, String)>,
    }

    /// What a search for a plan has reached.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SearchState {
        /// The position of the goal.
        pub goal: usize,
        /// The situations, in the order in which they were reached; the first ones of many.
        pub situations: Vec<SituationState>,
        /// How many there were.
        pub of: usize,
        /// How many of them the search looked at.
        pub expansions: u32,
    }

    /// What a planner would do with other facts, if an agent began there.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Foreseen {
        /// The goals that were looked at.
        pub goals: Vec<GoalState>,
        /// The plan that was found.
        pub plan: Option<PlanShown>,
        /// What the search for it has reached, if the page wants to see it: of the goal with the plan, or else of the first one
        /// without.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub search: Option<SearchState>,
        /// Why nothing can be said.
        pub wrong: Option<Said>,
    }
}
