//! The cost of planners: of searches alone, and of agents who plan.

use crate::long_searches;
use crate::measure::repeated_on;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use treemind::Document;
use treemind::blackboard::{KeyId, Value};
use treemind::core::Held;
use treemind::core::host::Columns;
use treemind::core::planning::{Desk, Domain, Search, StepSet};
use treemind::population::{Behaviour, Population, Program};
use treemind::trace::NodeId;

const SOLDIER: &str = include_str!("cases/planner-soldier.kdl");

/// Steps that need what others give, and numbers that go up and down.
const ROBBER: &str = r#"
blackboard { key energy type=int default=30; key hunger type=int default=70; key gold type=int; }
leaves { action sleep; action eat; action rob; }
planner robber max-steps=32 max-expansions=65536 {
    goal rich wants="gold >= 7"
    action sleep gives="energy += 10"
    action eat when="energy >= 25" gives="hunger -= 10"
    action rob when="hunger <= 50 && energy >= 50" gives="gold += 1; energy -= 5; hunger += 5"
}"#;

const VILLAGER: &str = r#"
blackboard { key wood type=int; key coins type=int; key bread type=int; }
leaves { action chop; action sell; action buy; action eat; }
planner day max-steps=32 {
    goal eat does=get-food
    task get-food { method "eat" when="bread > 0"; method "buy eat" when="coins >= 2"; method "trade get-food"; }
    task trade { method "stock sell"; }
    task stock { method "" when="wood >= 3"; method "chop stock"; }
    action chop gives="wood += 1"
    action sell when="wood >= 3" on-success="wood -= 3; coins += 3"
    action buy when="coins >= 2" on-success="coins -= 2; bread += 1"
    action eat when="bread > 0" on-success="bread -= 1"
}"#;

/// How many times a search is repeated between two readings of the clock.
const SEARCHES: usize = 1_000;
/// How many agents plan, and how many follow.
const PLANNING: usize = 10_000;
const FOLLOWING: usize = 100_000;

/// Twelve steps that each need two that come before, and all of which are wanted.
fn twelve() -> String {
    let mut text = "blackboard {".to_owned();
    let mut steps = String::new();
    for step in 0..12 {
        let _ = write!(text, " key k{step} type=bool;");
        let mut when = format!("!k{step}");
        if step >= 6 {
            let _ = write!(when, " && k{} && k{}", step - 6, (step - 5) % 6);
        }
        let cost = 1 + step % 3;
        let _ = writeln!(
            steps,
            "action a{step} when=\"{when}\" gives=\"k{step} = true\" cost={cost}"
        );
    }
    let leaves = (0..12).fold(String::new(), |all, step| {
        all + &format!("action a{step}; ")
    });
    let wants = (6..12).map(|step| format!("k{step}"));
    let wants = wants.collect::<Vec<_>>().join(" && ");
    format!("{text} }}\nleaves {{ {leaves} }}\nplanner p {{\ngoal g wants=\"{wants}\"\n{steps}}}")
}

fn behaviour(text: &str) -> Behaviour {
    let document = Document::parse(text, "planner.kdl");
    document.behaviour(None).expect("it has no errors")
}

/// A planner alone, at the values that its document gives.
struct Alone {
    domain: Domain,
    situation: Vec<u64>,
    desk: Desk,
}

impl Alone {
    fn new(text: &str) -> Self {
        let behaviour = behaviour(text);
        let domain = Domain::new(&behaviour, NodeId::new(0));
        let mut situation = vec![0; domain.words()];
        domain.read(&mut situation, 0, |key| {
            Held::One(behaviour.key(key).default)
        });
        let mut desk = Desk::default();
        domain.reserve(&mut desk);
        Self {
            domain,
            situation,
            desk,
        }
    }

    fn search(&mut self) -> Search {
        let all = StepSet::default();
        self.domain
            .search(0, &self.situation, all, u32::MAX, &mut self.desk)
    }
}

/// Nanoseconds of a search, and how many expansions it has.
fn alone(text: &str) -> (f64, u32) {
    let mut alone = Alone::new(text);
    let found = alone.search();
    assert!(matches!(found, Search::Found { .. }), "{found:?}");
    let expansions = alone.desk.expansions;
    let runs = SEARCHES.min(2_000_000 / expansions as usize);
    let alone = RefCell::new(alone);
    let took = repeated_on(
        || (),
        |()| {
            let mut alone = alone.borrow_mut();
            for _ in 0..runs {
                std::hint::black_box(alone.search());
            }
        },
    );
    (took * 1e9 / runs as f64, expansions)
}

/// The kinds of situations in which the soldiers are whose instructions are counted.
const KINDS: usize = 64;

/// Soldiers with their game.
pub(crate) struct Soldiers {
    population: Population,
    host: Columns,
    distance: KeyId,
}

impl Soldiers {
    fn new(text: &str, agents: usize) -> Self {
        let behaviour = behaviour(text);
        let distance = behaviour.key_id("enemy_distance").expect("it has this key");
        let host = Columns::new(&behaviour, agents);
        let mut soldiers = Self {
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            host,
            distance,
        };
        soldiers.tick();
        soldiers
    }

    /// Soldiers who plan from nothing in their next tick, each in one of [`KINDS`] situations.
    pub(crate) fn without_plans(agents: usize) -> Self {
        let mut soldiers = Self::new(SOLDIER, agents);
        soldiers.start_anew(KINDS, 1);
        soldiers
    }

    pub(crate) fn tick(&mut self) {
        self.host.clear();
        self.population
            .tick(&mut self.host, Duration::from_millis(16));
    }

    /// Everybody starts anew, with one of so many distances that were not there before.
    fn start_anew(&mut self, kinds: usize, round: usize) {
        self.host.clear();
        self.population.abort_all(&mut self.host);
        let first = 10.0 + (round * kinds % 1_000_000) as f32 / 16.0;
        for agent in 0..self.population.len() {
            let distance = first + (agent % kinds) as f32 / 16.0;
            let value = Value::Float(distance);
            let set = self.population.set(agent, self.distance, value);
            set.expect("it is a float");
        }
    }
}

/// Nanoseconds of a tick in which all soldiers plan from nothing, with so many kinds of situations.
fn all_plan(text: &str, agents: usize, kinds: usize) -> f64 {
    let soldiers = RefCell::new((Soldiers::new(text, agents), 0));
    let begin = || {
        let (soldiers, round) = &mut *soldiers.borrow_mut();
        *round += 1;
        soldiers.start_anew(kinds, *round);
    };
    repeated_on(begin, |()| soldiers.borrow_mut().0.tick()) * 1e9
}

/// Nanoseconds of a tick in which everybody goes on with a step.
fn all_follow(text: &str, agents: usize, resting: bool) -> f64 {
    // Only actions that are reported let agents rest.
    let reported = text.replace("run-to-cover;", "run-to-cover reports=#true;");
    let reported = reported.replace("action draw-gun;", "action draw-gun reports=#true;");
    let mut soldiers = Soldiers::new(if resting { &reported } else { text }, agents);
    for _ in 0..20 {
        soldiers.tick();
    }
    let soldiers = RefCell::new(soldiers);
    repeated_on(|| (), |()| soldiers.borrow_mut().tick()) * 1e9
}

/// Nanoseconds of a tick in which the second of eight steps of everybody begins, after a look at the rest.
fn all_end(agents: usize) -> f64 {
    let steps = (0..8).fold(String::new(), |all, step| {
        let needs = match step {
            0 => String::new(),
            _ => format!(" && k{}", step - 1),
        };
        all + &format!("action a{step} when=\"!k{step}{needs}\" on-success=\"k{step} = true\"\n")
    });
    let keys = (0..8).fold(String::new(), |all, step| {
        all + &format!("key k{step} type=bool; ")
    });
    let leaves = (0..8).fold(String::new(), |all, step| {
        all + &format!("action a{step}; ")
    });
    let text = format!(
        "blackboard {{ {keys} key enemy_distance type=float; }}\nleaves {{ {leaves} }}\nplanner p {{\ngoal g wants=\"k7\"\n{steps}}}"
    );
    let first = behaviour(&text).leaf_id("a0").expect("it has this leaf");
    let soldiers = RefCell::new(Soldiers::new(&text, agents));
    let begin = || {
        let mut soldiers = soldiers.borrow_mut();
        soldiers.host.clear();
        let Soldiers {
            population, host, ..
        } = &mut *soldiers;
        population.abort_all(host);
        let keys: Vec<KeyId> = (0..8)
            .filter_map(|step| population.program().behaviour().key_id(&format!("k{step}")))
            .collect();
        for agent in 0..agents {
            for key in &keys {
                let set = population.set(agent, *key, Value::Bool(false));
                set.expect("it is a bool");
            }
        }
        let done = |host: &mut Columns, holds: bool| {
            let words = host.succeeded_mut(first).words_mut();
            words.fill(if holds { u64::MAX } else { 0 });
        };
        done(host, false);
        population.tick(host, Duration::ZERO);
        done(host, true);
        population.tick(host, Duration::ZERO);
        done(host, false);
    };
    repeated_on(begin, |()| soldiers.borrow_mut().tick()) * 1e9
}

/// What is measured, what it came to, and what it was to be.
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) found: String,
    pub(crate) wanted: &'static str,
}

/// Measures planners; `tell` hears what is measured.
pub(crate) fn measure(tell: &dyn Fn(&str)) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |what: &str, found: String, wanted| {
        tell(&format!("{what}: {found}"));
        let what = what.to_owned();
        figures.push(Figure {
            what,
            found,
            wanted,
        });
    };
    let searches = [
        ("search, 12 steps, 12 facts", twelve(), "5 M"),
        ("search, 3 steps, numbers", ROBBER.to_owned(), "1 M"),
        ("decomposition", VILLAGER.to_owned(), "10 M"),
    ];
    for (what, text, wanted) in searches {
        let (took, expansions) = alone(&text);
        let rate = f64::from(expansions) * 1e3 / took;
        add(
            what,
            format!(
                "{rate:.1} M expansions/s ({expansions} in {:.1} µs)",
                took / 1e3
            ),
            wanted,
        );
    }
    let (took, expansions) = alone(SOLDIER);
    add(
        "soldier's plan, search alone",
        format!("{:.2} µs ({expansions} expansions)", took / 1e3),
        "3 µs",
    );
    let micros = |nanos: f64| format!("{:.2} µs", nanos / 1e3);
    let millis = |nanos: f64| format!("{:.2} ms", nanos / 1e6);
    let each = |nanos: f64, agents: usize| format!("{:.2} ns", nanos / agents as f64);
    add(
        "soldier's plan, a tick of one agent",
        micros(all_plan(SOLDIER, 1, 1)),
        "3 µs",
    );
    add(
        "10 000 soldiers plan, 64 situations",
        millis(all_plan(SOLDIER, PLANNING, 64)),
        "0.6 ms",
    );
    add(
        "10 000 soldiers plan, all different",
        millis(all_plan(SOLDIER, PLANNING, PLANNING)),
        "30 ms",
    );
    let two = SOLDIER.replace(
        "score=0.4",
        "when=\"enemy_distance > 1\" score=\"0.4\"\ngoal hide wants=\"in_cover\" score=\"threat\"",
    );
    for (what, text, wanted) in [
        ("following, constant goal", SOLDIER, "1.5 ns"),
        ("following, goals with two expressions", &two, "8 ns"),
    ] {
        let took = all_follow(text, FOLLOWING, false);
        add(what, each(took, FOLLOWING), wanted);
        let took = all_follow(text, FOLLOWING, true);
        let what = format!("{what}, with actions that are reported");
        add(&what, each(took, FOLLOWING), wanted);
    }
    add(
        "end of a step, 8 steps",
        each(all_end(PLANNING), PLANNING),
        "150 ns",
    );
    let (longest, restored) = long_searches::measure();
    let what = format!(
        "{} agents in searches of 3 125 expansions",
        long_searches::THINKERS
    );
    let in_millis = |time: Duration| millis(time.as_secs_f64() * 1e9);
    add(&format!("{what}, longest tick"), in_millis(longest), "");
    let what = format!("{what}, first tick after they were restored");
    add(&what, in_millis(restored), "");
    let bytes =
        Population::new(Arc::new(Program::new(behaviour(SOLDIER))), FOLLOWING).state_bytes();
    add(
        "state of a soldier, with its keys",
        format!("{:.1} bytes", bytes as f64 / FOLLOWING as f64),
        "",
    );
    let bare = SOLDIER.split("planner fighter").next().unwrap_or("");
    let bare = format!("{bare}\ntree t {{ succeed; }}");
    let keys = Population::new(Arc::new(Program::new(behaviour(&bare))), FOLLOWING).state_bytes();
    let plan = SOLDIER.replace("planner fighter {", "planner fighter slice=4096 {");
    let with_plan =
        Population::new(Arc::new(Program::new(behaviour(&plan))), FOLLOWING).state_bytes();
    add(
        "the same without its keys, and with searches in one turn",
        format!("{:.1} bytes", (with_plan - keys) as f64 / FOLLOWING as f64),
        "48 bytes",
    );
    figures
}

/// The figures as the rows of a table.
pub(crate) fn rows(figures: &[Figure]) -> String {
    let rows = figures
        .iter()
        .map(|figure| format!("| {} | {} |", figure.what, figure.found));
    rows.collect::<Vec<_>>().join("\n")
}
