//! Networks and rules: what they read, what they gave, and why.

use serde::Serialize;
use treemind_explain::Reason;

protocol! {
    /// An input of a network.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct InputState {
        /// Its expression, as documents write it.
        pub text: String,
        /// What it came to.
        pub value: f32,
    }

    /// A layer of a network.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct LayerState {
        /// What it makes of its sums: `identity`, `relu`, `tanh`, `sigmoid` or `softmax`.
        pub function: &'static str,
        /// What each of its units gave. Those of the last layer are the outputs.
        pub units: Vec<f32>,
        /// For each unit its bias, then a weight for each unit before it. Nothing if the network is too large to be drawn.
        pub weights: Vec<f32>,
    }

    /// An output of a network.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct OutputState {
        /// Its name.
        pub name: String,
        /// The position of the key that it is written to, if it is written.
        pub key: Option<usize>,
    }

    /// What a `policy` of the agent that is shown computed last.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct NetworkState {
        /// The number of its node.
        pub node: usize,
        /// What the node is called.
        pub name: String,
        /// The name of the network.
        pub network: String,
        /// The tick in which it ran last.
        pub tick: u64,
        /// Its inputs, in order.
        pub inputs: Vec<InputState>,
        /// Its layers, in order.
        pub layers: Vec<LayerState>,
        /// Its outputs, in order.
        pub outputs: Vec<OutputState>,
    }

    /// What became of a rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum RuleIs {
        /// It fired.
        Fired,
        /// Its `when` does not hold.
        Unmet,
        /// Its `when` held at its last look already.
        Held,
        /// It has fired a short time ago, and cools.
        Cools,
        /// It was not looked at, because another one fired first.
        Skipped,
        /// Nobody looked at the rules in this tick.
        Idle,
    }

    /// A rule of a `rules`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct RuleState {
        /// Its name.
        pub name: String,
        /// The expression that it waits for.
        pub when: String,
        /// What became of it in the tick that is shown.
        pub is: RuleIs,
        /// Why.
        #[cfg_attr(feature = "ts", ts(type = "Reason | null"))]
        pub why: Option<Reason>,
        /// The tick in which it fired last, if that is known.
        pub fired: Option<u64>,
    }

    /// A `rules` of the agent that is shown.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct RulesState {
        /// The number of its node.
        pub node: usize,
        /// What it is called.
        pub name: String,
        /// The tick in which it was reached last.
        pub tick: u64,
        /// Its rules, in the order in which they are looked at.
        pub rules: Vec<RuleState>,
    }
}
