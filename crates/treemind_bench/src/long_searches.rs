//! The ticks of agents who all look for a plan that takes many turns to find, each from other facts.

use crate::measure::thread_time;
use std::sync::Arc;
use std::time::Duration;
use treemind::Document;
use treemind::blackboard::Value;
use treemind::core::host::Columns;
use treemind::population::{Behaviour, Population, Program};

/// How many plan.
pub(crate) const THINKERS: usize = 200;
/// After how many turns they are restored.
const TURNS: usize = 9;

/// Five counters that are to come to four: all of their 3 125 values but the last are looked at.
fn counters() -> Behaviour {
    let names = ["a", "b", "c", "d", "e"];
    let all = |each: &dyn Fn(&str) -> String| names.map(each).join("");
    let keys = all(&|name| format!("key {name} type=int; "));
    let leaves = all(&|name| format!("action add-{name}; "));
    let steps = all(&|name| {
        format!("action add-{name} when=\"me >= 0 && {name} < 4\" gives=\"{name} += 1\"\n")
    });
    let wants = names.map(|name| format!("{name} >= 4")).join(" && ");
    let text = format!(
        "blackboard {{ {keys} key me type=int; }}\nleaves {{ {leaves} }}\nplanner p max-steps=20 {{\ngoal all wants=\"{wants}\"\n{steps}}}"
    );
    let document = Document::parse(&text, "counters.kdl");
    document.behaviour(None).expect("it has no errors")
}

/// The time of the longest turn of a search, and of the first turn after the agents were restored in mid-search.
pub(crate) fn measure() -> (Duration, Duration) {
    let behaviour = counters();
    let me = behaviour.key_id("me").expect("it has this key");
    let mut host = Columns::new(&behaviour, THINKERS);
    let program = Arc::new(Program::new(behaviour));
    let mut population = Population::new(program.clone(), THINKERS);
    for agent in 0..THINKERS {
        let set = population.set(agent, me, Value::Int(agent as i64));
        set.expect("it is an int");
    }
    let mut tick = |population: &mut Population| {
        host.clear();
        let start = thread_time();
        population.tick(&mut host, Duration::from_millis(16));
        thread_time().saturating_sub(start)
    };
    let mut longest = Duration::ZERO;
    for _ in 0..TURNS {
        longest = longest.max(tick(&mut population));
    }
    let saved = population.save();
    let mut restored = Population::restore(program, &saved).expect("it was saved just now");
    (longest, tick(&mut restored))
}
