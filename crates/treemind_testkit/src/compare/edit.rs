//! Random changes of a behaviour, as an author makes them between two looks at the running game.

use super::machines::smaller;
use super::shrink::{count, node_at};
use crate::generate::Case;
use crate::random::Random;
use treemind_core::behaviour::{Guards, Hooks, Pace, Planner, Yields};
use treemind_core::{Expr, Kind, Node, Value};

/// How many changes are tried until one gives a behaviour.
const TRIES: usize = 40;

/// The case with one to three changes of its tree, after which its parts still fit together.
pub fn edited(case: &Case, random: &mut Random) -> Case {
    let mut best = case.clone();
    let wanted = random.between(1, 3);
    let mut done = 0;
    for _ in 0..TRIES {
        let mut candidate = best.clone();
        let index = random.below(count(&candidate.parts.root));
        change(node_at(&mut candidate.parts.root, index), random);
        if candidate.behaviour().is_ok() && candidate.parts.root != best.parts.root {
            best = candidate;
            done += 1;
        }
        if done == wanted {
            break;
        }
    }
    best
}

fn change(node: &mut Node, random: &mut Random) {
    let children = node.children.len();
    if let Kind::Machine(machine) = &mut node.kind
        && random.percent(80)
    {
        let changes = smaller(machine);
        if !changes.is_empty() {
            random.pick(&changes)(machine);
        }
        return;
    }
    if let Kind::Planner(planner) = &mut node.kind
        && random.percent(80)
    {
        change_planner(planner, &mut node.children, random);
        return;
    }
    match random.below(10) {
        0 => *node = Node::leaf(random.pick(&[Kind::Succeed, Kind::Fail, Kind::Run]).clone()),
        1 if children > 0 => *node = node.children[random.below(children)].clone(),
        2 if children > 1 => {
            node.children.remove(random.below(children));
        }
        3 if children > 1 => node.children.swap(0, children - 1),
        4 if children > 0 => {
            let copy = node.children[random.below(children)].clone();
            node.children.insert(random.below(children), copy);
        }
        5 => *node = Node::with(around(random), vec![node.clone()]),
        6 => (node.guards, node.hooks) = (Guards::default(), Hooks::default()),
        7 => node.name = Some(format!("new {}", random.below(3))),
        8 => other_argument(node, random),
        _ => {
            let yields = Yields::Never;
            let list = match random.percent(50) {
                true => Kind::Sequence { yields },
                false => Kind::Selector { yields },
            };
            let wait = Node::leaf(Kind::Wait {
                secs: Expr::Value(Value::Double(0.25)),
                jitter: None,
            });
            *node = Node::with(list, vec![wait, node.clone()]);
        }
    }
}

/// Another planner: steps and goals come, go and change places.
fn change_planner(planner: &mut Planner, children: &mut Vec<Node>, random: &mut Random) {
    let steps = planner.steps.len();
    match random.below(6) {
        // Tasks name steps by their positions.
        0 if steps > 1 && planner.tasks.is_empty() => {
            let gone = random.below(steps);
            planner.steps.remove(gone);
            children.remove(gone);
        }
        1 if steps > 1 && planner.tasks.is_empty() => {
            planner.steps.swap(0, steps - 1);
            children.swap(0, steps - 1);
        }
        2 if planner.goals.len() > 1 => {
            planner.goals.remove(random.below(planner.goals.len()));
        }
        3 => planner.goals.reverse(),
        4 => planner.max_steps = random.between(1, 20) as u32,
        _ => {
            let step = random.below(steps);
            planner.steps[step].cost = Some(Expr::Value(Value::Double(random.below(4) as f64)));
        }
    }
}

/// A decorator for any node.
fn around(random: &mut Random) -> Kind {
    let secs = Expr::Value(Value::Double(0.3));
    match random.below(5) {
        0 => Kind::Invert,
        1 => Kind::Timeout {
            secs,
            across_skips: false,
        },
        2 => Kind::Delay {
            secs,
            across_skips: random.below(2) == 0,
        },
        3 => Kind::UntilFailure {
            pace: Pace::default(),
        },
        _ => Kind::ForceSuccess {
            even_running: false,
        },
    }
}

fn other_argument(node: &mut Node, random: &mut Random) {
    if let Kind::Action { args, .. } = &mut node.kind {
        for arg in args {
            if let treemind_core::behaviour::Arg::Value(Value::Int(value)) = arg {
                *value = random.below(100) as i64;
            }
        }
    }
}
