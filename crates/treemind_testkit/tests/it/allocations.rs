//! A tick does not allocate, whatever the tree.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::{Faults, Population, Program, Society, Trace, Value};
use treemind_doc::Document;
use treemind_testkit::compare::Meddler;
use treemind_testkit::generate::{Case, Op, Profile, random_case, report_of};
use treemind_testkit::random::Random;

/// The largest number of allocations in one tick of a case, after the first few ticks.
fn most_allocations(case: &Case, mut trace: Option<&mut Trace>) -> u64 {
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let program = Arc::new(Program::new(behaviour));
    let mut host = Meddler::new(case, program.behaviour());
    let mut population = Population::new(program, case.agents).with_seed(case.seed);
    let mut most = 0;
    for (index, step) in case.steps.iter().enumerate() {
        for op in &step.ops {
            if let Op::Tell(agent, event, values) = op
                && *agent < case.agents
            {
                population.send(*agent, *event, values);
            }
            if let Op::Finish(label, salt) = op {
                let ids = population.program().behaviour().node_ids();
                let behaviour = population.program().behaviour();
                let nodes: Vec<_> = ids.filter(|id| behaviour.label(*id) == label).collect();
                for node in nodes {
                    for agent in 0..case.agents {
                        let report = report_of(*salt, agent);
                        if let Some((run, success)) = population.ticket(agent, node).zip(report) {
                            let _ = population.finish(run, success);
                        }
                    }
                }
            }
        }
        let before = population.faults();
        let before = (before.total(), before.sums().len());
        let info = allocation_counter::measure(|| {
            match &mut trace {
                Some(trace) => population.tick_traced(&mut host, step.dt, trace),
                None => population.tick(&mut host, step.dt),
            };
        });
        // The lists of faults grow until they are full: the first ones, and those of which there was none before. A trace
        // comes with all faults of its tick.
        let faults = population.faults();
        let has_room = before.0 < Faults::CAPACITY as u64 || faults.sums().len() > before.1;
        let is_growing = faults.total() != before.0 && (has_room || trace.is_some());
        if index >= 3 && !is_growing {
            most = most.max(info.count_total);
        }
    }
    most
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| drop(std::hint::black_box(vec![1; 100])));
    assert_eq!(info.count_total, 1);
}

#[test]
fn a_tick_does_not_allocate() {
    for seed in 0..super::cases(2_000, 200) {
        let mut random = Random::new(seed);
        let profile = if seed % 2 == 0 {
            Profile::without_faults(&mut random)
        } else {
            Profile {
                spins: false,
                ..Profile::random(&mut random)
            }
        };
        let agents = [1, 3, 65, 200][seed as usize / 2 % 4];
        let case = random_case(seed, profile, agents, 30);
        let most = most_allocations(&case, None);
        assert_eq!(most, 0, "seed {seed} with {agents} agents");
    }
}

/// The first time the trace grows; the second time it has room.
#[test]
fn a_trace_with_values_that_has_room_does_not_allocate() {
    for seed in 0..100 {
        let profile = Profile::without_faults(&mut Random::new(seed));
        let case = random_case(seed, profile, [1, 65][seed as usize % 2], 20);
        let mut trace = Trace::with_values();
        most_allocations(&case, Some(&mut trace));
        let most = most_allocations(&case, Some(&mut trace));
        assert_eq!(most, 0, "seed {seed}");
    }
}

/// Two populations that share all that can be shared: a step allocates no more than their ticks do.
#[test]
fn a_step_of_a_society_does_not_allocate() {
    let mut shared = 0;
    for seed in 0..200 {
        let profile = Profile::without_faults(&mut Random::new(seed));
        let case = random_case(seed, profile, [1, 65][seed as usize % 2], 12);
        let behaviour = case.behaviour().expect("a case's parts fit together");
        shared += usize::from(behaviour.keys().iter().any(|key| key.scope != Scope::Agent));
        let program = Arc::new(Program::new(behaviour));
        let mut society = Society::new();
        let mut members = ["one", "two"].map(|name| {
            let mut population = Population::new(Arc::clone(&program), case.agents);
            population.set_group(0, 1);
            let id = society.join(name, population).expect("they agree");
            (id, Meddler::new(&case, program.behaviour()))
        });
        for (index, step) in case.steps.iter().enumerate() {
            let info = allocation_counter::measure(|| {
                let mut open = society.step(step.dt);
                for (id, host) in &mut members {
                    open.tick(*id, host);
                }
                open.end();
            });
            let ids = society.ids().collect::<Vec<_>>();
            let faults = ids
                .iter()
                .map(|id| society.population(*id).faults().total());
            // The list of faults grows until it is full.
            if index >= 4 && faults.sum::<u64>() == 0 {
                assert_eq!(info.count_total, 0, "seed {seed}, step {index}");
            }
        }
    }
    assert!(shared >= 40, "{shared} cases with shared keys");
}

#[test]
fn lists_of_the_group_do_not_allocate() {
    let text = "blackboard { key mates type=entity list=16 sensor=members; key last type=entity; key changes type=int; }
        tree t { sequence {
            force-success { sequence { changed mates; set \"changes = min(changes + 1, 99)\"; }; }
            for-each mate in=\"{mates}\" { set \"last = mate\"; }
        }; }";
    let behaviour = Document::parse(text, "t.kdl").behaviour(None);
    let behaviour = behaviour.unwrap_or_else(|problems| panic!("{problems}"));
    let changes = behaviour.key_id("changes").expect("it is declared");
    let agents = 300;
    let mut host = Scripted::new(&behaviour, agents);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    for agent in 0..agents {
        population.set_group(agent, 1 + agent as u32 % 30);
    }
    let mut most = 0;
    for tick in 0..40 {
        population.set_group(tick * 7 % agents, 1 + (tick as u32 * 11 + 5) % 30);
        let info = allocation_counter::measure(|| {
            population.tick(&mut host, Duration::from_millis(100));
        });
        if tick >= 3 {
            most = most.max(info.count_total);
        }
    }
    let noticed = (0..agents).map(|agent| match population.get(agent, changes) {
        Value::Int(changes) => changes,
        _ => 0,
    });
    let noticed: i64 = noticed.sum();
    assert!(
        noticed > 2 * agents as i64,
        "{noticed} changes of the lists"
    );
    assert_eq!((most, population.faults().total()), (0, 0));
}
