//! Agents of a crowd who take plans that others have found.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{
    Aim, Form, Goal, Key, Leaf, LeafKind, PlanStep, Planner, Replan, Score,
};
use treemind_core::expr::Assign;
use treemind_core::host::{Answers, Call, Host, Lanes};
use treemind_core::{
    Behaviour, Event, Expr, KeyId, Kind, LeafId, Node, NodeId, Outcome, Parts, Population, Program,
    Status, Trace, Type, Value,
};

/// The facts that lead to one another, and how many steps there are in all: a plan takes several columns.
const CHAIN: usize = 9;
const STEPS: usize = 20;
const EAGER: usize = CHAIN;
const ODD: usize = CHAIN + 1;
const TICKS: u64 = 40;

/// Goals of the same score, and one whose score agents have of their own; steps of bits of one word, and some that count.
fn planner(replan: Replan, slice: u32) -> Behaviour {
    let is = |key: usize| Expr::Key(KeyId::new(key), Type::Bool);
    let number = |value| Expr::Value(Value::Double(value));
    let goal = |name: &str, key, score| Goal {
        name: name.to_owned(),
        aim: Aim::Wants(is(key)),
        when: None,
        score: Score::of(score),
    };
    let eager = Expr::Key(KeyId::new(EAGER), Type::Double);
    let goals = vec![
        goal("near", 3, number(0.5)),
        goal("next", 5, number(0.5)),
        goal("far", CHAIN - 1, eager),
    ];
    let step = |step: usize| {
        let key = if step < CHAIN { step } else { CHAIN - 1 };
        let cost = if step < CHAIN { 1.0 } else { 100.0 };
        PlanStep {
            name: format!("s{step}"),
            gives: vec![Assign::set(KeyId::new(key), Expr::Value(Value::Bool(true)))],
            cost: Some(number(cost)),
        }
    };
    let children = (0..STEPS).map(|step| {
        let mut child = Node::leaf(Kind::Action {
            leaf: LeafId::new(step % 3),
            args: Vec::new(),
        });
        let before = match step {
            0 => None,
            _ if step < CHAIN => Some(is(step - 1)),
            // A fact that nothing changes, of another type.
            _ => Some(Expr::Has(KeyId::new(ODD))),
        };
        child.guards.fail_if = before.map(|before| Expr::Not(Box::new(before)));
        if step < CHAIN {
            let done = Expr::Value(Value::Bool(true));
            child.hooks.on_success = vec![Assign::set(KeyId::new(step), done)];
        }
        child
    });
    let children: Vec<Node> = children.collect();
    let planner = Planner {
        steps: (0..STEPS).map(step).collect(),
        goals,
        tasks: Vec::new(),
        replan,
        hysteresis: number(0.1),
        every: 1,
        slice,
        max_expansions: 1_000,
        max_steps: 16,
    };
    let mut keys: Vec<Key> = (0..CHAIN)
        .map(|key| Key::new(format!("k{key}"), Value::Bool(false)))
        .collect();
    keys.push(Key::new("eager", Value::Double(0.2)));
    let mut odd = Key::new("odd", Value::Float(0.0));
    odd.form = Form::Optional { starts_set: false };
    keys.push(odd);
    let leaves = ["walk", "carry", "drop"];
    Behaviour::new(Parts {
        name: "chain".to_owned(),
        enums: Vec::new(),
        keys,
        leaves: leaves.map(|name| Leaf::new(name, LeafKind::ACTION)).into(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(Kind::Planner(Box::new(planner)), children),
    })
    .expect("its parts fit together")
}

/// What happens to an agent in a tick: always the same.
fn drawn(tick: u64, agent: usize, what: u64) -> u64 {
    let mut number = (tick << 32 | what << 24 | agent as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number = (number ^ number >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number >> 33
}

/// Actions succeed or fail as is drawn, most of them soon. The first agent of its population has this number.
struct Drawn(usize);

impl Host for Drawn {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        for agent in lanes {
            match drawn(call.tick(), agent + self.0, 0) % 8 {
                0..5 => answers.set(agent, Status::Success),
                5 => answers.set(agent, Status::Failure),
                _ => {}
            }
        }
    }
    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
}

/// Changes facts of an agent before a tick, in few ways, so that many have the same facts.
fn meddle(population: &mut Population, tick: u64, agent: usize, number: usize) {
    let mut set = |key: usize, value| {
        let set = population.set(agent, KeyId::new(key), value);
        set.expect("it is of this type");
    };
    match drawn(tick, number, 1) % 12 {
        0 => (0..CHAIN).for_each(|key| set(key, Value::Bool(false))),
        1 => set(2, Value::Bool(true)),
        2 => set(EAGER, Value::Double(0.5)),
        3 => set(EAGER, Value::Double(0.9)),
        4 => set(EAGER, Value::Double(0.2)),
        5 => set(ODD, Value::Float(1.0)),
        _ => {}
    }
}

/// Ticks a population from its start: `each` sees it after every tick.
fn play(
    program: &Arc<Program>,
    (first, agents): (usize, usize),
    mut tick: impl FnMut(&mut Population, &mut Drawn),
    mut each: impl FnMut(&Population),
) {
    let mut population = Population::new(Arc::clone(program), agents);
    let mut host = Drawn(first);
    for at in 1..=TICKS {
        for agent in 0..agents {
            meddle(&mut population, at, agent, first + agent);
        }
        if at % 16 == 0 {
            population.abort_all(&mut host);
        }
        tick(&mut population, &mut host);
        each(&population);
    }
}

const DT: Duration = Duration::from_millis(10);

#[test]
fn a_crowd_that_is_not_traced_plans_as_one_that_is_and_as_agents_alone() {
    for (replan, slice) in [
        (Replan::Broken, 256),
        (Replan::Changed, 256),
        (Replan::Broken, 4),
    ] {
        let program = Arc::new(Program::new(planner(replan, slice)));
        // As a small chunk, and as wide ones with a part of a word at the end.
        for agents in [70, 300] {
            let mut states = Vec::new();
            let mut plans = Vec::new();
            let of = |population: &Population, agent| {
                let plan = population.plan(agent, NodeId::new(0));
                plan.expect("it is a planner")
            };
            play(
                &program,
                (0, agents),
                |population, host| {
                    population.tick(host, DT);
                },
                |population| {
                    states.push(population.save());
                    plans.push(
                        (0..agents)
                            .map(|agent| of(population, agent))
                            .collect::<Vec<_>>(),
                    );
                },
            );
            let mut trace = Trace::new();
            let mut found = 0;
            let mut saved = states.iter();
            play(
                &program,
                (0, agents),
                |population, host| {
                    population.tick_traced(host, DT, &mut trace);
                    let events = (0..agents).flat_map(|agent| trace.agent(agent));
                    found += events
                        .filter(|(_, event)| matches!(event, Event::Plan(_)))
                        .count();
                },
                |population| assert!(saved.next() == Some(&population.save())),
            );
            assert!(found > agents * 8, "{found} plans");
            let lengths = plans.iter().flatten().map(|plan| plan.steps.len());
            assert_eq!(lengths.max(), Some(CHAIN));
            for agent in [0, 1, 63, 64, agents - 1] {
                let mut its = plans.iter().map(|plans| &plans[agent]);
                play(
                    &program,
                    (agent, 1),
                    |population, host| {
                        population.tick(host, DT);
                    },
                    |population| assert_eq!(its.next(), Some(&of(population, 0))),
                );
            }
        }
    }
}
