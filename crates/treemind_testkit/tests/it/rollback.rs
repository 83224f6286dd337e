//! What is rolled back and played again is what it was, and what it would be without the ticks in between.

use std::sync::Arc;
use treemind_core::{Population, PopulationId, Program, Rollback, Society, SocietyRollback, Trace};
use treemind_testkit::compare::{Meddler, case_of_seed, write_cell};
use treemind_testkit::generate::{Case, Op, Step};
use treemind_testkit::random::Random;

/// Does what happens before a tick, and the tick. Returns the trace and the handles.
fn play(population: &mut Population, host: &mut Meddler, step: &Step) -> String {
    for op in &step.ops {
        let is_there = |agent: usize| population.is_alive(agent);
        match *op {
            Op::Group(agent, group) if is_there(agent) => population.set_group(agent, group),
            Op::Interval(agent, ticks) if is_there(agent) => population.set_interval(agent, ticks),
            Op::Tell(agent, event, ref values) if is_there(agent) => {
                population.send(agent, event, values);
            }
            Op::Set(agent, key, ref cell) if is_there(agent) => {
                write_cell(&mut population.board(agent), key, agent, cell);
            }
            Op::Abort(agent) if is_there(agent) => population.abort(agent, host),
            Op::Remove(agent) if is_there(agent) => population.remove(agent, host),
            Op::Spawn if population.len() <= 64 => {
                population.spawn();
            }
            _ => {}
        }
    }
    let mut trace = Trace::new();
    population.tick_traced(host, step.dt, &mut trace);
    let ids: Vec<_> = (0..population.len())
        .map(|agent| population.id_of(agent))
        .collect();
    format!("{trace:?} {ids:?}")
}

fn start(seed: u64) -> (Case, Population, Meddler) {
    let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
    let case = case_of_seed(seed, agents, 16);
    let program = Arc::new(Program::new(case.behaviour().expect("the parts fit")));
    let host = Meddler::new(&case, program.behaviour());
    let population = Population::new(program, case.agents).with_seed(case.seed);
    (case, population, host)
}

#[test]
fn rolled_back_and_replayed_is_the_same_as_straight() {
    for seed in (0..super::cases(2_000, 80)).filter(|seed| super::is_quick(*seed)) {
        let (case, mut population, mut host) = start(seed);
        let most = 1 + seed as usize % 7;
        let mut rollback = Rollback::new(&population, most);
        // The hosts and what came of each tick, by its number; the hosts are a world that goes back by itself.
        let mut hosts = vec![host.clone()];
        let mut traces = vec![String::new()];
        let mut saved = vec![population.save()];
        let mut random = Random::new(seed);
        for (tick, step) in (1..).zip(&case.steps) {
            traces.push(play(&mut population, &mut host, step));
            rollback.record(&population);
            hosts.push(host.clone());
            saved.push(population.save());
            assert_eq!(rollback.newest(), tick);
            assert!(rollback.oldest() >= tick.saturating_sub(most as u64));
            let to = tick - random.below((tick - rollback.oldest()) as usize + 1) as u64;
            assert!(rollback.go_back(&mut population, to), "seed {seed}");
            assert!(
                population.save() == saved[to as usize],
                "seed {seed}, tick {tick} to {to}"
            );
            host = hosts[to as usize].clone();
            // Other inputs lead somewhere else; this is taken back, too.
            for step in case.steps.iter().rev().take(2) {
                play(&mut population, &mut host, step);
                rollback.record(&population);
            }
            let is_kept = rollback.oldest() <= to;
            assert_eq!(
                rollback.go_back(&mut population, to),
                is_kept,
                "seed {seed}"
            );
            if !is_kept {
                population =
                    Population::restore(Arc::clone(population.program()), &saved[to as usize])
                        .expect("it was just saved");
                rollback = Rollback::new(&population, most);
            }
            host = hosts[to as usize].clone();
            for again in to + 1..=tick {
                let step = &case.steps[again as usize - 1];
                let trace = play(&mut population, &mut host, step);
                assert!(
                    trace == traces[again as usize],
                    "seed {seed}, {tick} to {to}, {again}"
                );
                rollback.record(&population);
            }
            assert!(population.save() == saved[tick as usize], "seed {seed}");
        }
    }
}

#[test]
fn ticks_that_are_not_kept_are_refused() {
    let (case, mut population, mut host) = start(3);
    let mut rollback = Rollback::new(&population, 2);
    for step in &case.steps[..5] {
        play(&mut population, &mut host, step);
        rollback.record(&population);
    }
    assert_eq!((rollback.oldest(), rollback.newest()), (3, 5));
    let before = population.save();
    for tick in [0, 2, 6] {
        assert!(!rollback.go_back(&mut population, tick));
        assert!(population.save() == before);
    }
    assert!(rollback.go_back(&mut population, 3));
    assert_eq!(population.ticks(), 3);
}

/// A society of the populations of two random cases, with their hosts.
struct World {
    society: Society,
    members: Vec<(PopulationId, usize)>,
    hosts: Vec<Meddler>,
}

impl World {
    fn new(cases: &[Case; 2]) -> Self {
        let (mut society, mut members, mut hosts) = (Society::new(), Vec::new(), Vec::new());
        for case in [&cases[0], &cases[0], &cases[1]] {
            let program = Arc::new(Program::new(case.behaviour().expect("the parts fit")));
            let host = Meddler::new(case, program.behaviour());
            let population = Population::new(program, case.agents).with_seed(case.seed);
            // Two random programs may declare differently what they share.
            if let Ok(id) = society.join("some", population) {
                members.push((id, case.agents));
                hosts.push(host);
            }
        }
        Self {
            society,
            members,
            hosts,
        }
    }

    /// Does what happens before a step, and the step. Returns the traces.
    fn play(&mut self, step: &Step) -> String {
        for ((id, agents), host) in self.members.iter().zip(&mut self.hosts) {
            let mut population = self.society.population_mut(*id);
            for op in &step.ops {
                let is_there = |agent: usize| agent < *agents && population.is_alive(agent);
                match *op {
                    Op::Group(agent, group) if is_there(agent) => {
                        population.set_group(agent, group);
                    }
                    Op::Interval(agent, ticks) if is_there(agent) => {
                        population.set_interval(agent, ticks);
                    }
                    Op::Abort(agent) if is_there(agent) => population.abort(agent, host),
                    Op::Remove(agent) if is_there(agent) => population.remove(agent, host),
                    _ => {}
                }
            }
        }
        let mut traces = String::new();
        let mut step = self.society.step(step.dt);
        for ((id, _), host) in self.members.iter().zip(&mut self.hosts) {
            let mut trace = Trace::new();
            step.tick_traced(*id, host, &mut trace);
            traces += &format!("{trace:?}");
        }
        step.end();
        traces
    }
}

#[test]
fn a_society_rolled_back_and_replayed_is_the_same_as_straight() {
    for seed in (0..super::cases(800, 40)).filter(|seed| super::is_quick(*seed)) {
        let (one, _, _) = start(seed);
        let (other, _, _) = start(seed + 10_000);
        let cases = [one, other];
        let steps = &cases[0].steps;
        let mut world = World::new(&cases);
        let most = 1 + seed as usize % 5;
        let mut rollback = SocietyRollback::new(&world.society, most);
        let mut hosts = vec![world.hosts.clone()];
        let mut traces = vec![String::new()];
        let mut saved = vec![world.society.save()];
        let mut random = Random::new(seed);
        for (number, step) in (1..).zip(steps) {
            traces.push(world.play(step));
            rollback.record(&world.society);
            hosts.push(world.hosts.clone());
            saved.push(world.society.save());
            assert_eq!(rollback.newest(), number);
            assert!(rollback.oldest() >= number.saturating_sub(most as u64));
            let kept = (number - rollback.oldest()) as usize;
            let to = number - random.below(kept + 1) as u64;
            // Other inputs lead somewhere else, and are forgotten.
            world.play(&steps[random.below(steps.len())]);
            assert!(rollback.go_back(&mut world.society, to), "seed {seed}");
            let is_alike = world.society.save() == saved[to as usize];
            assert!(is_alike, "seed {seed}, step {number} to {to}");
            world.hosts.clone_from(&hosts[to as usize]);
            for again in to + 1..=number {
                let trace = world.play(&steps[again as usize - 1]);
                let is_alike = trace == traces[again as usize];
                assert!(is_alike, "seed {seed}, {number} to {to}, {again}");
                rollback.record(&world.society);
            }
            let is_alike = world.society.save() == saved[number as usize];
            assert!(is_alike, "seed {seed}, {number} to {to} and again");
        }
    }
}

#[test]
fn a_society_with_other_populations_does_not_go_back() {
    let (one, _, _) = start(3);
    let cases = [one.clone(), one];
    let mut world = World::new(&cases);
    let mut rollback = SocietyRollback::new(&world.society, 4);
    for step in &cases[0].steps[..3] {
        world.play(step);
        rollback.record(&world.society);
    }
    assert_eq!((rollback.oldest(), rollback.newest()), (0, 3));
    let left = world.members.pop().expect("it has joined").0;
    world.hosts.pop();
    world.society.leave(left);
    let before = world.society.save();
    assert!(!rollback.go_back(&mut world.society, 2));
    assert!(world.society.save() == before);
    // It begins anew.
    world.play(&cases[0].steps[3]);
    rollback.record(&world.society);
    assert_eq!((rollback.oldest(), rollback.newest()), (4, 4));
}
