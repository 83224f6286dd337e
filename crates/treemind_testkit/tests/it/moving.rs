//! Agents that are taken out of a population and put into another one go on as they would have gone on.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::{Population, Program, Trace};
use treemind_testkit::compare::{Meddler, Paired, profile_of_seed, write_cell};
use treemind_testkit::generate::{Case, Op, Profile, Step, random_case};
use treemind_testkit::random::Random;

/// Whether agents see what others share with them, and what the host computes for a place in a tick.
#[derive(Clone, Copy)]
struct Sees {
    shared: bool,
    sensed: bool,
}

fn case_of(seed: u64, agents: usize, ticks: usize, sees: Sees) -> Case {
    let profile = profile_of_seed(seed);
    let profile = Profile {
        shared: if sees.shared { profile.shared } else { 0 },
        sensed: if sees.sensed { profile.sensed } else { 0 },
        // Handles are others where an agent is put in.
        handles: 0,
        ..profile
    };
    let ticks = if profile.spins { 6 } else { ticks };
    random_case(seed, profile, agents, ticks)
}

fn start(case: &Case) -> (Arc<Program>, Population, Meddler) {
    let program = Arc::new(Program::new(case.behaviour().expect("the parts fit")));
    let population = Population::new(Arc::clone(&program), case.agents).with_seed(case.seed);
    let host = Meddler::new(case, program.behaviour());
    (program, population, host)
}

/// Carries out what happens before a tick to one of the first agents.
fn apply(population: &mut Population, host: &mut Meddler, step: &Step, agents: usize) {
    for op in &step.ops {
        match *op {
            Op::Group(agent, group) if agent < agents => population.set_group(agent, group),
            Op::Interval(agent, ticks) if agent < agents => population.set_interval(agent, ticks),
            Op::Tell(agent, event, ref values) if agent < agents => {
                population.send(agent, event, values);
            }
            Op::Set(agent, key, ref cell) if agent < agents => {
                write_cell(&mut population.board(agent), key, agent, cell);
            }
            Op::Abort(agent) if agent < agents => population.abort(agent, host),
            _ => {}
        }
    }
}

fn ticked(population: &mut Population, host: &mut Meddler, dt: Duration) -> String {
    let mut trace = Trace::new();
    population.tick_traced(host, dt, &mut trace);
    format!("{trace:?}")
}

/// All agents, taken out and put into a population without agents.
fn moved(from: &mut Population, mut to: Population) -> Population {
    let all: Vec<usize> = (0..from.len()).collect();
    let running: Vec<_> = all.iter().map(|agent| from.running(*agent)).collect();
    let old: Vec<_> = all.iter().map(|agent| from.id_of(*agent)).collect();
    let taken = from.take_out(&all);
    let ids = to.put_in(&taken).expect("they were just taken out");
    assert_eq!(ids.len(), all.len());
    for (agent, id) in ids.iter().enumerate() {
        assert_eq!(to.index_of(*id), Ok(agent));
        assert_eq!(to.running(agent), running[agent]);
        let old = old[agent].expect("it lived");
        assert!(from.index_of(old).is_err(), "{old:?} lives on");
    }
    to
}

#[test]
fn agents_saved_by_themselves_go_on_as_they_would_have() {
    let sees = Sees {
        shared: true,
        sensed: true,
    };
    for seed in 0..super::cases(3_000, 40) {
        let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
        let case = case_of(seed, agents, 12, sees);
        let (program, mut straight, mut host) = start(&case);
        let mut alone = straight.clone();
        let mut other_host = host.clone();
        let all: Vec<usize> = (0..agents).collect();
        for step in &case.steps {
            apply(&mut straight, &mut host, step, agents);
            apply(&mut alone, &mut other_host, step, agents);
            let saved = alone.save_agents(&all);
            alone = Population::restore(Arc::clone(&program), &saved).expect("it was just saved");
            let traces = [
                ticked(&mut straight, &mut host, step.dt),
                ticked(&mut alone, &mut other_host, step.dt),
            ];
            assert!(traces[0] == traces[1], "seed {seed}");
        }
    }
}

#[test]
fn agents_that_move_go_on_as_they_would_have() {
    let sees = Sees {
        shared: false,
        sensed: true,
    };
    for seed in 0..super::cases(3_000, 60) {
        let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
        let case = case_of(seed, agents, 12, sees);
        let (program, mut straight, mut host) = start(&case);
        let (mut moving, mut other_host) = (straight.clone(), host.clone());
        // It has nobody, and the same clock and tick, so that the same random numbers are drawn.
        let mut empty = Population::new(Arc::clone(&program), 0).with_seed(case.seed);
        for step in &case.steps {
            apply(&mut straight, &mut host, step, agents);
            apply(&mut moving, &mut other_host, step, agents);
            moving = moved(&mut moving, empty.clone());
            let traces = [
                ticked(&mut straight, &mut host, step.dt),
                ticked(&mut moving, &mut other_host, step.dt),
            ];
            assert!(traces[0] == traces[1], "seed {seed}");
            empty.tick(&mut other_host, step.dt);
        }
    }
}

#[test]
fn timers_go_on_by_another_clock() {
    let sees = Sees {
        shared: false,
        sensed: false,
    };
    let mut compared = 0;
    for seed in 0..super::cases(6_000, 200) {
        let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
        let case = case_of(seed, agents, 12, sees);
        if case.interval > 1
            || case
                .steps
                .iter()
                .any(|step| step.ops.iter().any(is_interval))
        {
            // The turns of agents with intervals depend on the number of the tick.
            continue;
        }
        let (program, mut straight, mut host) = start(&case);
        let text = format!("{:?}", program.behaviour());
        let drawn = ["Random", "Chance", "jitter: Some", "Top(", "Weighted"];
        let thinks = ["every: 2", "every: 5"];
        if text.contains("Now") {
            // It is the clock itself.
            continue;
        }
        if drawn.iter().chain(&thinks).any(|word| text.contains(word)) {
            // Random numbers depend on the number of the tick, and so do the turns of planners.
            continue;
        }
        let (mut moving, mut other_host) = (straight.clone(), host.clone());
        let mut random = Random::new(seed);
        for step in &case.steps {
            apply(&mut straight, &mut host, step, agents);
            apply(&mut moving, &mut other_host, step, agents);
            let mut elsewhere = Population::new(Arc::clone(&program), 0).with_seed(case.seed);
            for _ in 0..random.below(5) {
                elsewhere.tick(
                    &mut other_host,
                    Duration::from_millis(random.below(900) as u64),
                );
            }
            moving = moved(&mut moving, elsewhere);
            let traces = [
                ticked(&mut straight, &mut host, step.dt),
                ticked(&mut moving, &mut other_host, step.dt),
            ];
            assert!(
                traces[0] == traces[1],
                "seed {seed}: {}",
                first_difference(&traces)
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} ticks were compared");
}

/// Where two traces begin to differ.
fn first_difference(traces: &[String; 2]) -> String {
    let [one, two] = traces.each_ref().map(|trace| trace.split("Record {"));
    let differs = one.zip(two).find(|(one, two)| one != two);
    format!("{differs:?}")
}

fn is_interval(op: &Op) -> bool {
    matches!(op, Op::Interval(..))
}

#[test]
fn every_start_has_one_stop_over_both_populations() {
    let sees = Sees {
        shared: true,
        sensed: true,
    };
    let mut moves = 0;
    for seed in 0..super::cases(2_000, 80) {
        let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
        let case = case_of(seed, agents, 12, sees);
        let (program, first, host) = start(&case);
        let second = Population::new(Arc::clone(&program), 1).with_seed(case.seed + 1);
        let behaviour = program.behaviour();
        let hosts = [agents, 1].map(|agents| Paired::new(host.clone(), behaviour, agents));
        let mut sides: Vec<_> = [first, second].into_iter().zip(hosts).collect();
        let mut random = Random::new(seed);
        for (tick, step) in case.steps.iter().enumerate() {
            for _ in 0..random.below(6) {
                let from = random.below(2);
                let agent = random.below(sides[from].0.len());
                // The host of a case knows only so many agents.
                let has_room = sides[1 - from].0.len() < case.scripts.len();
                if !has_room || !sides[from].0.is_alive(agent) {
                    continue;
                }
                let taken = sides[from].0.take_out(&[agent]);
                let open = sides[from].1.taken_out(agent);
                let (population, host) = &mut sides[1 - from];
                let ids = population.put_in(&taken).expect("it was just taken out");
                host.put_in(ids[0].index(), &open);
                moves += 1;
            }
            for (nth, (population, host)) in sides.iter_mut().enumerate() {
                if nth == 1 && tick % 3 == 0 {
                    // The clocks go apart.
                    continue;
                }
                let now_ns = population.now_ns() + step.dt.as_nanos() as u64;
                host.begin_tick(population.ticks() + 1, now_ns);
                population.tick(host, step.dt);
                for agent in (0..population.len()).filter(|agent| population.is_alive(*agent)) {
                    let open = host.open_of(agent);
                    assert_eq!(
                        population.running(agent),
                        open,
                        "seed {seed}, agent {agent}"
                    );
                }
            }
        }
        for (population, host) in &mut sides {
            host.begin_tick(population.ticks(), population.now_ns());
            population.abort_all(host);
            assert_eq!(host.open_runs(), 0, "seed {seed}");
            assert!(host.broken().is_empty(), "seed {seed}: {:?}", host.broken());
        }
    }
    assert!(moves > 200, "only {moves} agents moved");
}

#[test]
fn what_is_put_in_is_whole_or_nobody_is_added() {
    for seed in 0..super::cases(20, 4) {
        let sees = Sees {
            shared: true,
            sensed: true,
        };
        let case = case_of(seed, 3, 5, sees);
        let (program, mut population, mut host) = start(&case);
        for step in &case.steps {
            population.tick(&mut host, step.dt);
        }
        let bytes = population.save_agents(&[2, 0]);
        let mut target = Population::new(Arc::clone(&program), 1);
        let before = target.save();
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << (place % 8);
            assert!(
                target.put_in(&flipped).is_err(),
                "seed {seed}, flipped at {place}"
            );
            assert!(
                target.put_in(&bytes[..place]).is_err(),
                "seed {seed}, cut at {place}"
            );
        }
        assert!(target.save() == before, "seed {seed}");
        let other = case_of(seed + 1, 1, 1, sees);
        let (_, mut other, _) = start(&other);
        let error = other.put_in(&bytes).expect_err("it is another program");
        assert!(error.is_other_program(), "{error}");
    }
}
