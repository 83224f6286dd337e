//! Several threads, and agents one by one, give the same results, whatever the agents share.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::Scope;
use treemind_core::host::{Order, Scripted};
use treemind_core::{KeyId, Population, Program, Tally, To};
use treemind_testkit::compare::{Meddler, case_of_seed, cell_of, write_cell};
use treemind_testkit::generate::{Case, Op};

/// The state after each tick: the tally, and all keys of all agents as text, which is the same for every NaN.
type Left = (Tally, Vec<String>);

/// Plays a case with this many hosts, with the agents distributed over all groups in turn.
fn play(case: &Case, hosts: usize) -> Vec<Left> {
    play_with(case, hosts, |population| population)
}

fn play_with(case: &Case, hosts: usize, change: impl Fn(Population) -> Population) -> Vec<Left> {
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let program = Arc::new(Program::new(behaviour));
    let behaviour = program.behaviour();
    let population = Population::new(Arc::clone(&program), case.agents).with_seed(case.seed);
    let mut population = change(population);
    for agent in 0..case.agents {
        population.set_group(agent, agent as u32 % 3);
    }
    // Every host has the scripts of all agents, but is asked only about those of its part.
    let mut hosts: Vec<Meddler> = (0..hosts).map(|_| Meddler::new(case, behaviour)).collect();
    let mut left = Vec::new();
    for step in &case.steps {
        for op in &step.ops {
            match *op {
                Op::Group(agent, group) if agent < case.agents => {
                    population.set_group(agent, group);
                }
                Op::Interval(agent, ticks) if agent < case.agents => {
                    population.set_interval(agent, ticks);
                }
                Op::Tell(agent, event, ref values) if agent < case.agents => {
                    population.send(agent, event, values);
                }
                Op::TellMany(group, event, ref values) => {
                    let to = group.map_or(To::World, To::Group);
                    let sent = population.send_to(to, event, values);
                    sent.expect("it is to no single agent");
                }
                Op::Set(agent, key, ref cell) if agent < case.agents => {
                    write_cell(&mut population.board(agent), key, agent, cell);
                }
                _ => {}
            }
        }
        let tally = match &mut hosts[..] {
            [host] => population.tick(host, step.dt),
            hosts => population.tick_in_parallel(hosts, step.dt),
        };
        let keys = (0..case.agents).flat_map(|agent| {
            let key = |key| cell_of(population.held(agent, KeyId::new(key)));
            (0..behaviour.keys().len()).map(key).collect::<Vec<_>>()
        });
        left.push((tally, keys.map(|cell| format!("{cell:?}")).collect()));
    }
    left
}

/// The cases of some seeds in which agents share keys, with enough agents for several words or chunks.
fn cases() -> impl Iterator<Item = (u64, Case)> {
    let shares = |case: &Case| {
        let mut keys = case.parts.keys.iter();
        keys.any(|key| key.scope != Scope::Agent)
    };
    (0..super::cases(180, 48)).filter_map(move |seed| {
        let agents = [1, 63, 64, 65, 1_000, 2_500][seed as usize % 6];
        let case = case_of_seed(seed, agents, 12);
        shares(&case).then_some((seed, case))
    })
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let mut changing = 0;
    for (seed, case) in cases() {
        let one = play(&case, 1);
        changing += usize::from(one.iter().any(|(_, keys)| keys != &one[0].1));
        for hosts in [2, 5] {
            assert!(
                play(&case, hosts) == one,
                "seed {seed} with {hosts} hosts differs from one"
            );
        }
    }
    assert!(changing >= 6, "{changing} cases in which anything changes");
}

#[test]
fn one_by_one_gives_the_same_as_side_by_side() {
    for (seed, mut case) in cases() {
        case.order = Order::Independent;
        let side_by_side = play(&case, 1);
        case.order = Order::Sequential;
        assert!(play(&case, 1) == side_by_side, "seed {seed}");
    }
}

#[test]
fn free_places_are_counted_for_several_threads_too() {
    let text = "tree t { reactive-selector {
        check \"free(stage) == 0\"
        semaphore stage max=1 scope=world wait=#true { run; }
    }; }";
    let document = treemind_doc::Document::read(text.as_bytes(), "stage.kdl");
    let behaviour = document.behaviour(None).expect("it has no errors");
    let program = Arc::new(Program::new(behaviour));
    let play = |hosts: usize| -> Vec<Tally> {
        let mut population = Population::new(Arc::clone(&program), 1_200);
        let mut hosts = vec![Scripted::new(program.behaviour(), 1_200); hosts];
        let tick = |_| population.tick_in_parallel(&mut hosts, Duration::from_millis(100));
        (0..6).map(tick).collect()
    };
    let alone = play(1);
    assert_eq!((alone[0].running, alone[1].success), (1_200, 1_200));
    assert_eq!(play(2), alone);
    assert_eq!(play(3), alone);
}

#[test]
fn events_to_others_are_delivered_from_several_threads_too() {
    let text = "main tree=t
    leaves { event go; }
    machine ear { initial up; state up { transition to=down on=go; }; state down final=#true; }
    tree t { parallel success=1 failure=all { machine ear; sequence { emit go to=world; run; }; }; }";
    let document = treemind_doc::Document::read(text.as_bytes(), "ears.kdl");
    let behaviour = document.behaviour(None).expect("it has no errors");
    let program = Arc::new(Program::new(behaviour));
    let play = |hosts: usize| -> Vec<Tally> {
        let mut population = Population::new(Arc::clone(&program), 2_500);
        let mut hosts = vec![Scripted::new(program.behaviour(), 2_500); hosts];
        let tick = |_| population.tick_in_parallel(&mut hosts, Duration::from_millis(100));
        (0..4).map(tick).collect()
    };
    let alone = play(1);
    assert_eq!((alone[0].running, alone[1].success), (2_500, 2_500));
    assert_eq!(play(2), alone);
    assert_eq!(play(5), alone);
}

/// The executor for single agents gives the same as sweeps, for any number of threads and any width of chunks.
#[test]
fn one_by_one_gives_the_same_as_by_sweeps() {
    for seed in (0..super::cases(90, 12)).filter(|seed| super::is_quick(*seed)) {
        let agents = [1, 2, 64, 65, 600, 1_100][seed as usize % 6];
        let mut case = case_of_seed(seed, agents, 12);
        case.order = Order::Sequential;
        let alone = play(&case, 1);
        for hosts in [1, 2, 5] {
            let swept = play_with(&case, hosts, Population::sweeping_all);
            assert!(swept == alone, "seed {seed}, swept by {hosts} hosts");
        }
        for hosts in [2, 5] {
            assert!(
                play(&case, hosts) == alone,
                "seed {seed} with {hosts} hosts"
            );
        }
    }
}
