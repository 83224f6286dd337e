//! The size of decision trees, and how many tests they ask.

use treemind_core::behaviour::{Decision, Way};
use treemind_doc::internals::always_draws;

/// The size of a decision tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionSize {
    /// How many tests there are.
    pub tests: usize,
    /// How many tasks it may lead to.
    pub leaves: usize,
    /// How many tests are asked at most before the task is known.
    pub depth: usize,
    /// How many tests and tasks more than one way leads to.
    pub shared: usize,
    /// How many tests are asked on average if all ways of a test are equally likely.
    pub expected_tests: f64,
}

/// Counts the tests and tasks of a decision tree whose node has this many children.
///
/// ```
/// use treemind_core::Kind;
/// use treemind_doc::Document;
/// use treemind_learn::decision_size;
///
/// let text = "blackboard { key near type=bool; key low type=bool; }
///     leaves { action flee; action fight; action rest; }
///     decide fighter {
///         test \"near\" { test \"low\" { action flee; }; action fight; }
///         action rest
///     }";
/// let fighter = Document::parse(text, "fighter.kdl").behaviour(None).unwrap();
/// let root = fighter.node(fighter.root());
/// let Kind::Decide(decision) = &root.kind else { panic!("it decides") };
/// let size = decision_size(decision, root.children.len());
/// assert_eq!((size.tests, size.leaves, size.depth, size.shared), (2, 3, 2, 0));
/// assert_eq!(size.expected_tests, 1.5);
/// ```
pub fn decision_size(decision: &Decision, children: usize) -> DecisionSize {
    let steps = &decision.steps;
    // Ways lead only to later tests, so going backwards each result is known when it is needed.
    let mut depth = vec![0; steps.len()];
    let mut expected = vec![0.0; steps.len()];
    for (number, step) in steps.iter().enumerate().rev() {
        let mut ways = step.ways();
        if always_draws(step) && ways.last() == Some(&Way::None) {
            ways.pop();
        }
        let (mut deepest, mut sum) = (0, 0.0);
        for way in &ways {
            if let Way::Step(next) = way {
                deepest = deepest.max(depth[*next]);
                sum += expected[*next];
            }
        }
        depth[number] = deepest + 1;
        expected[number] = 1.0 + sum / ways.len() as f64;
    }
    let (of_steps, of_leaves) = decision.uses(children);
    let asked = decision.asked(children);
    let shared = of_steps.iter().chain(&of_leaves);
    let (depth, expected_tests) = match decision.first {
        Way::Step(first) => (depth[first], expected[first]),
        Way::Leaf(_) | Way::None => (0, 0.0),
    };
    DecisionSize {
        tests: steps.len(),
        leaves: asked.iter().filter(|asked| !**asked).count(),
        depth,
        shared: shared.filter(|uses| **uses > 1).count(),
        expected_tests,
    }
}
