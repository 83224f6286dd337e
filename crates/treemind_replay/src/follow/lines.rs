//! The names of the lines of an outline.

use treemind_core::NodeId;
use treemind_core::trace::Event;
use treemind_doc::About;

/// The name of a line, by which pages and addresses refer to it.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn name_of(about: About, nth: usize) -> String {
    match about {
        About::Node(id) => format!("n{}", id.index()),
        About::State(id, state) => format!("s{}.{state}", id.index()),
        About::Transition(id, number) => format!("t{}.{number}", id.index()),
        About::Test(id, test) => format!("q{}.{test}", id.index()),
        About::Way(id, test, way) => format!("w{}.{test}.{way}", id.index()),
        About::Goal(id, goal) => format!("g{}.{goal}", id.index()),
        About::Method(id, task, method) => format!("m{}.{task}.{method}", id.index()),
        About::Rule(id, rule) => format!("r{}.{rule}", id.index()),
        About::Part => format!("p{nth}"),
        _ => treemind_core::unlisted(&about),
    }
}

/// The name of the line that an event is about.
pub(crate) fn line_of((node, event): (NodeId, Event)) -> String {
    let about = match event {
        Event::EnterState(at) | Event::LeaveState(at) => About::State(node, at as usize),
        Event::Take(at) => About::Transition(node, at as usize),
        Event::Branch(test, way) => About::Way(node, test as usize, way as usize),
        Event::Goal(goal) | Event::Think(goal) | Event::NoPlan(goal, _) => {
            About::Goal(node, goal as usize)
        }
        Event::Fire(rule) => About::Rule(node, rule as usize),
        _ => About::Node(node),
    };
    name_of(about, 0)
}
