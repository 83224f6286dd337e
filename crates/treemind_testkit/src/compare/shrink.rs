//! Shrinks a case that differs: fewer ticks, fewer agents, a smaller tree, as long as it still differs.

use super::machines::{drop_unused, smaller};
use super::{Mismatch, compare};
use crate::generate::Case;
use crate::generate::drop_unused_leaves;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use treemind_core::behaviour::{Counting, Guards, Hooks, Judging, Way, Yields};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Kind, Node, Value};

/// The longest time for shrinking.
const PATIENCE: Duration = Duration::from_secs(20);

/// [`compare`], with a panic as a mismatch.
///
/// # Errors
/// As [`compare`].
pub fn try_compare(case: &Case) -> Result<(), Box<Mismatch>> {
    catch_unwind(AssertUnwindSafe(|| compare(case))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied())
            .unwrap_or("no text");
        Err(Box::new(Mismatch {
            tick: case.steps.len(),
            agent: 0,
            what: format!("a panic: {text}"),
            executor: Vec::new(),
            reference: Vec::new(),
            is_panic: true,
        }))
    })
}

/// A smaller case that also differs; a panic stays a panic.
pub fn shrink(case: &Case, mismatch: &Mismatch) -> Case {
    let differs =
        |case: &Case| try_compare(case).is_err_and(|smaller| smaller.is_panic == mismatch.is_panic);
    let mut first = case.clone();
    first.steps.truncate(mismatch.tick);
    let mut alone = first.clone();
    alone.scripts = vec![case.scripts[mismatch.agent].clone()];
    alone.agents = 1;
    let start = [alone, first].into_iter().find(differs);
    shrink_while(&start.unwrap_or_else(|| case.clone()), &differs)
}

/// A smaller case for which the predicate still holds. Only cases whose parts fit together are tried.
pub fn shrink_while(case: &Case, holds: &dyn Fn(&Case) -> bool) -> Case {
    let mut shrinker = Shrinker {
        best: case.clone(),
        holds,
        until: Instant::now() + PATIENCE,
    };
    while Instant::now() < shrinker.until && shrinker.round() {}
    shrinker.best
}

struct Shrinker<'a> {
    best: Case,
    holds: &'a dyn Fn(&Case) -> bool,
    until: Instant,
}

impl Shrinker<'_> {
    /// Keeps a change if the predicate still holds after it.
    fn try_with(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        let mut candidate = self.best.clone();
        change(&mut candidate);
        let holds = candidate.behaviour().is_ok() && (self.holds)(&candidate);
        if holds {
            self.best = candidate;
        }
        holds
    }

    /// Tries every kind of change once; returns whether one of them was kept.
    fn round(&mut self) -> bool {
        let tree = self.fewer_nodes();
        let agents = self.fewer_agents();
        let steps = self.fewer_steps();
        let answers = self.fewer_answers();
        tree || agents || steps || answers
    }

    fn fewer_nodes(&mut self) -> bool {
        let mut any = false;
        let mut index = 0;
        while index < count(&self.best.parts.root) {
            let children = node_at(&mut self.best.parts.root, index).children.len();
            let hoisted = (0..children).any(|child| {
                self.try_with(|case| {
                    let node = node_at(&mut case.parts.root, index);
                    *node = node.children[child].clone();
                })
            });
            let replaced = hoisted
                || [Kind::Succeed, Kind::Fail, Kind::Run]
                    .into_iter()
                    .any(|kind| {
                        let node = node_at(&mut self.best.parts.root, index);
                        let is_small = matches!(node.kind, Kind::Succeed | Kind::Fail | Kind::Run);
                        !is_small
                            && self.try_with(|case| {
                                *node_at(&mut case.parts.root, index) = Node::leaf(kind);
                            })
                    });
            let is_machine = matches!(
                node_at(&mut self.best.parts.root, index).kind,
                Kind::Machine(_) | Kind::Decide(_) | Kind::Rules { .. }
            );
            let fewer_states =
                !replaced && is_machine && (self.smaller_machine(index) || self.fewer_ways(index));
            let dropped = !replaced
                && !is_machine
                && (0..children).rev().any(|child| {
                    children > 1
                        && self.try_with(|case| {
                            let node = node_at(&mut case.parts.root, index);
                            node.children.remove(child);
                            if let Kind::Switch { cases: exprs, .. }
                            | Kind::SubtreeBy { cases: exprs }
                            | Kind::WeightedSelector { weights: exprs } = &mut node.kind
                                && child < exprs.len()
                            {
                                exprs.remove(child);
                            }
                            if let Kind::UtilitySelector { scores, .. } = &mut node.kind {
                                scores.remove(child);
                            }
                        })
                });
            let plain = Kind::Sequence {
                yields: Yields::Never,
            };
            let is_plain = node_at(&mut self.best.parts.root, index).kind == plain;
            let simplified = !replaced
                && children > 0
                && !is_machine
                && !is_plain
                && self.try_with(|case| node_at(&mut case.parts.root, index).kind = plain);
            let bared = !replaced && self.fewer_guards(index);
            let plainer = !replaced && self.fewer_options(index);
            if hoisted || replaced || fewer_states || dropped || simplified || bared || plainer {
                any = true;
            } else {
                index += 1;
            }
        }
        any
    }

    /// Tries to let a way of a decision tree lead to nothing.
    fn fewer_ways(&mut self, index: usize) -> bool {
        let node = node_at(&mut self.best.parts.root, index);
        let Kind::Decide(decision) = &node.kind else {
            return false;
        };
        let mut ways = 0;
        decision.clone().for_all_ways(&mut |_| ways += 1);
        (0..ways).any(|wanted| {
            let before = node_at(&mut self.best.parts.root, index).kind.clone();
            let changed = |case: &mut Case| {
                let Node { kind, children, .. } = node_at(&mut case.parts.root, index);
                if let Kind::Decide(decision) = kind {
                    let mut number = 0;
                    decision.for_all_ways(&mut |way| {
                        if number == wanted {
                            *way = Way::None;
                        }
                        number += 1;
                    });
                    drop_unused_leaves(decision, children);
                }
            };
            let mut after = self.best.clone();
            changed(&mut after);
            let is_other = node_at(&mut after.parts.root, index).kind != before;
            is_other && self.try_with(changed)
        })
    }

    /// Tries to remove one part of a machine after the other.
    fn smaller_machine(&mut self, index: usize) -> bool {
        let node = node_at(&mut self.best.parts.root, index);
        let Kind::Machine(machine) = &node.kind else {
            return false;
        };
        let machine = machine.clone();
        smaller(&machine).into_iter().any(|change| {
            let mut machine = machine.clone();
            change(&mut machine)
                && self.try_with(|case| {
                    let node = node_at(&mut case.parts.root, index);
                    drop_unused(node, &mut machine);
                    node.kind = Kind::Machine(machine);
                })
        })
    }

    /// Tries to remove one guard, or one list of statements, of a node.
    fn fewer_guards(&mut self, index: usize) -> bool {
        let Node { guards, hooks, .. } = node_at(&mut self.best.parts.root, index).clone();
        let tests: [fn(&mut Guards) -> &mut Option<Expr>; 4] = [
            |guards| &mut guards.fail_if,
            |guards| &mut guards.succeed_if,
            |guards| &mut guards.skip_if,
            |guards| &mut guards.while_holds,
        ];
        let lists: [fn(&mut Hooks) -> &mut Vec<Assign>; 4] = [
            |hooks| &mut hooks.on_success,
            |hooks| &mut hooks.on_failure,
            |hooks| &mut hooks.on_abort,
            |hooks| &mut hooks.on_end,
        ];
        if hooks.on_fault.is_some()
            && self.try_with(|case| node_at(&mut case.parts.root, index).hooks.on_fault = None)
        {
            return true;
        }
        let untested = tests.into_iter().any(|test| {
            test(&mut guards.clone()).is_some()
                && self.try_with(|case| {
                    *test(&mut node_at(&mut case.parts.root, index).guards) = None;
                })
        });
        untested
            || lists.into_iter().any(|list| {
                let statements = list(&mut hooks.clone()).len();
                let cleared = statements > 0
                    && self.try_with(|case| {
                        list(&mut node_at(&mut case.parts.root, index).hooks).clear();
                    });
                cleared
                    || statements > 1
                        && (0..statements).any(|place| {
                            self.try_with(|case| {
                                let node = node_at(&mut case.parts.root, index);
                                list(&mut node.hooks).remove(place);
                            })
                        })
            })
    }

    /// Tries to remove one option of a node.
    fn fewer_options(&mut self, index: usize) -> bool {
        let without: [fn(&mut Node); 10] = [
            |node| {
                if let Kind::UtilitySelector { reactive, .. } = &mut node.kind {
                    *reactive = false;
                }
            },
            |node| node.guards.aborts_lower = false,
            |node| {
                if let Kind::ForceSuccess { even_running } | Kind::ForceFailure { even_running } =
                    &mut node.kind
                {
                    *even_running = false;
                }
            },
            |node| {
                if let Kind::Limit { per_parent, .. } = &mut node.kind {
                    *per_parent = false;
                }
            },
            |node| {
                if let Kind::Wait { jitter, .. } | Kind::Service { jitter, .. } = &mut node.kind {
                    *jitter = None;
                }
            },
            |node| {
                if let Kind::Parallel { judging, .. } = &mut node.kind {
                    *judging = Judging::default();
                }
            },
            |node| {
                if let Kind::Repeat { counting, .. } | Kind::Retry { counting, .. } = &mut node.kind
                {
                    *counting = Counting::Runs;
                }
            },
            |node| {
                if let Kind::Repeat { ignores_result, .. } | Kind::Retry { ignores_result, .. } =
                    &mut node.kind
                {
                    *ignores_result = false;
                }
            },
            |node| {
                if let Kind::SimpleParallel { waits } | Kind::Semaphore { waits, .. } =
                    &mut node.kind
                {
                    *waits = false;
                }
            },
            |node| {
                if let Kind::Semaphore { bid: Some(bid), .. } = &mut node.kind {
                    *bid = Expr::Value(Value::Double(1.0));
                }
            },
        ];
        without.into_iter().any(|without| {
            let node = node_at(&mut self.best.parts.root, index);
            let mut plainer = node.clone();
            without(&mut plainer);
            // Compared as text, because NaN is not equal to itself.
            format!("{plainer:?}") != format!("{node:?}")
                && self.try_with(|case| without(node_at(&mut case.parts.root, index)))
        })
    }

    fn fewer_agents(&mut self) -> bool {
        let mut any = false;
        for agents in [
            1,
            2,
            64,
            65,
            self.best.agents / 2,
            self.best.agents.saturating_sub(1),
        ] {
            if agents > 0 && agents < self.best.agents {
                any |= self.try_with(|case| {
                    let joining = case.scripts.len() - case.agents;
                    case.agents = agents;
                    case.scripts.truncate(agents + joining);
                    let places = case.scripts.len();
                    for step in &mut case.steps {
                        step.ops
                            .retain(|op| op.place().is_none_or(|place| place < places));
                    }
                });
            }
        }
        any
    }

    fn fewer_steps(&mut self) -> bool {
        let mut any = false;
        any |= !self.best.writes.is_empty() && self.try_with(|case| case.writes.clear());
        let has_ops = self.best.steps.iter().any(|step| !step.ops.is_empty());
        any |= has_ops
            && self.try_with(|case| case.steps.iter_mut().for_each(|step| step.ops.clear()));
        for index in (0..self.best.steps.len()).rev() {
            any |= self.try_with(|case| {
                case.steps.remove(index);
            });
        }
        for index in 0..self.best.steps.len() {
            for op in (0..self.best.steps[index].ops.len()).rev() {
                any |= self.try_with(|case| {
                    case.steps[index].ops.remove(op);
                });
            }
        }
        any
    }

    fn fewer_answers(&mut self) -> bool {
        let mut any = false;
        let number = self.best.scripts.first().map_or(0, Vec::len);
        for place in (0..number).rev() {
            let Some(label) = self.best.scripts[0].get(place).map(|entry| entry.0.clone()) else {
                continue;
            };
            let dropped = self.try_with(|case| {
                for script in &mut case.scripts {
                    script.retain(|(known, _)| *known != label);
                }
            });
            any |= dropped;
            let length = self.best.scripts[0]
                .get(place)
                .map_or(0, |entry| entry.1.len());
            if !dropped && length > 1 {
                any |= (0..length).any(|at| {
                    self.try_with(|case| {
                        case.scripts[0][place].1.remove(at);
                    })
                });
            }
        }
        any
    }
}

pub(super) fn count(node: &Node) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}

/// The node with a number in document order.
pub(super) fn node_at(root: &mut Node, index: usize) -> &mut Node {
    if index == 0 {
        return root;
    }
    let mut rest = index - 1;
    for child in &mut root.children {
        let inside = count(child);
        if rest < inside {
            return node_at(child, rest);
        }
        rest -= inside;
    }
    unreachable!("the number is below the count of nodes")
}
