//! Another program for a population that runs: what matches goes on, and what has changed is aborted once.

use std::sync::Arc;
use treemind_core::behaviour::{Key, Leaf, LeafKind};
use treemind_core::{Migration, NodeId, Population, PopulationId, Program, Society, Trace, Value};
use treemind_testkit::compare::{Meddler, Paired, case_of_seed, edited, resumed, write_cell};
use treemind_testkit::generate::{Case, Op, Step};
use treemind_testkit::random::Random;

const NONE: [&str; 0] = [];

/// A population, the host that serves it, and the trace of its last tick.
struct Side {
    population: Population,
    host: Paired<Meddler>,
    trace: Trace,
    now_ns: u64,
    tick: u64,
}

impl Side {
    fn new(case: &Case, program: &Arc<Program>) -> Self {
        let population = Population::new(Arc::clone(program), case.agents).with_seed(case.seed);
        let host = Meddler::new(case, program.behaviour());
        Self {
            host: Paired::new(host, program.behaviour(), case.agents),
            population,
            trace: Trace::new(),
            now_ns: 0,
            tick: 0,
        }
    }

    fn step(&mut self, step: &Step) {
        for op in &step.ops {
            self.apply(op);
        }
        self.now_ns += step.dt.as_nanos() as u64;
        self.tick += 1;
        self.host.begin_tick(self.tick, self.now_ns);
        self.population
            .tick_traced(&mut self.host, step.dt, &mut self.trace);
    }

    fn apply(&mut self, op: &Op) {
        let (population, host) = (&mut self.population, &mut self.host);
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
            _ => {}
        }
    }

    /// Goes on with another program, and returns what that did.
    fn change(&mut self, case: &Case, program: &Arc<Program>) -> Migration {
        let migration = self
            .population
            .change_program(Arc::clone(program), &mut self.host);
        let behaviour = program.behaviour();
        let old = std::mem::replace(
            &mut self.host,
            Paired::new(Meddler::new(case, behaviour), behaviour, 0),
        );
        let host = Meddler::new(case, behaviour);
        self.host = old.for_program(host, behaviour, |node| migration.goes_on_as(node));
        migration
    }

    fn end(mut self, what: &str) {
        self.population.abort_all(&mut self.host);
        // What lists have left open ends with the agent.
        for agent in 0..self.population.len() {
            self.population.remove(agent, &mut self.host);
        }
        assert_eq!(self.host.open_runs(), 0, "{what}");
        assert_eq!(self.host.broken(), NONE, "{what}");
    }
}

/// What each agent runs.
fn running(population: &Population) -> Vec<Vec<NodeId>> {
    let agents = 0..population.len();
    agents.map(|agent| population.running(agent)).collect()
}

/// Checks that a report says what became of the runs.
fn is_true(report: &Migration, before: &[Vec<NodeId>], population: &Population, what: &str) {
    let mut stopped = 0;
    for (agent, before) in before.iter().enumerate() {
        let now = population.running(agent);
        let goes_on = before.iter().filter_map(|node| report.goes_on_as(*node));
        let goes_on: Vec<NodeId> = goes_on.collect();
        // Nothing begins, and nothing goes on that was not running.
        assert!(
            now.iter().all(|node| goes_on.contains(node)),
            "{what}, agent {agent}"
        );
        stopped += usize::from(now.len() < before.len());
    }
    // Whoever has lost a run is counted.
    let counted: usize = report.nodes().iter().map(|node| node.agents).sum();
    assert!(
        counted >= stopped,
        "{what}: {counted} of {stopped}\n{report}"
    );
    let text = report.to_string();
    for node in report.nodes() {
        assert!(text.contains(&node.path), "{what}: {text}");
    }
    for key in report.keys() {
        assert!(text.contains(&key.name), "{what}: {text}");
    }
}

fn program(case: &Case) -> Arc<Program> {
    Arc::new(Program::new(case.behaviour().expect("the parts fit")))
}

fn case(seed: u64, ticks: usize) -> Case {
    let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
    case_of_seed(seed, agents, ticks)
}

/// The same behaviour with another key and another leaf that nothing uses.
fn with_more(case: &Case) -> Case {
    let mut more = case.clone();
    more.parts.keys.push(Key::new("unused key", Value::Int(3)));
    more.parts
        .leaves
        .push(Leaf::new("unused leaf", LeafKind::ACTION));
    more.readings.push(None);
    more
}

#[test]
fn what_is_the_same_goes_on_as_if_nothing_had_happened() {
    for seed in 0..super::cases(4_000, 60) {
        let case = case(seed, 12);
        let (more, old) = (with_more(&case), program(&case));
        let programs = [Arc::clone(&old), program(&more)];
        let mut straight = Side::new(&case, &old);
        let mut changed = Side::new(&case, &old);
        for (nth, step) in case.steps.iter().enumerate() {
            straight.step(step);
            changed.step(step);
            let traces = [&straight.trace, &changed.trace].map(|trace| format!("{trace:?}"));
            assert!(traces[0] == traces[1], "seed {seed}, tick {nth}");
            let next = &programs[(nth + 1) % 2];
            let migration = changed
                .population
                .change_program(Arc::clone(next), &mut changed.host);
            assert_eq!(migration.nodes(), [], "seed {seed}");
            assert_eq!(migration.lost_events(), [], "seed {seed}");
            assert_eq!(migration.keys().len(), 1, "seed {seed}");
        }
        let keys = old.behaviour().keys().len();
        for agent in (0..straight.population.len()).filter(|one| straight.population.is_alive(*one))
        {
            for key in (0..keys).map(treemind_core::KeyId::new) {
                let held = |side: &Side| format!("{:?}", side.population.held(agent, key));
                assert_eq!(held(&straight), held(&changed), "seed {seed}");
            }
        }
        straight.end("straight");
        changed.end("changed");
    }
}

#[test]
fn a_document_with_other_texts_changes_nothing() {
    let case = case(7, 12);
    let mut named = case.clone();
    named.parts.name = "another name".to_owned();
    let mut side = Side::new(&case, &program(&case));
    case.steps.iter().for_each(|step| side.step(step));
    let before = side.population.save();
    let migration = side.change(&named, &program(&named));
    assert!(migration.is_empty() && migration.to_string().is_empty());
    assert_eq!(side.population.program().behaviour().name(), "another name");
    let name_bytes = "another name".len() - case.parts.name.len();
    assert_eq!(side.population.save().len(), before.len() + name_bytes);
}

#[test]
fn every_start_has_one_stop_whatever_was_changed() {
    let mut aborted = 0;
    for seed in 0..super::cases(20_000, 50) {
        let first = case(seed, 16);
        let mut random = Random::new(seed ^ 0x5eed);
        let mut cases = vec![first.clone()];
        for _ in 0..3 {
            let last = cases.last().expect("there is one");
            cases.push(edited(last, &mut random));
        }
        // Back again: what was removed is added.
        cases.extend(cases.clone().into_iter().rev());
        let what = format!("seed {seed}");
        let start = program(&first);
        let mut sides = [(); 3].map(|()| Side::new(&first, &start));
        sides[1].population = sides[1].population.clone().sweeping_all();
        for (nth, step) in first.steps.iter().enumerate() {
            for side in &mut sides {
                side.step(step);
            }
            let [traced, swept, saved] = &mut sides;
            let trace = format!("{:?}", traced.trace);
            assert!(trace == format!("{:?}", swept.trace), "{what}, tick {nth}");
            assert!(trace == format!("{:?}", saved.trace), "{what}, tick {nth}");
            for side in &sides {
                assert_eq!(side.host.broken(), NONE, "{what}, tick {nth}");
            }
            if nth % 2 == 1 {
                let next = &cases[(nth / 2 + 1) % cases.len()];
                let program = program(next);
                let before = running(&sides[0].population);
                let reports: Vec<Migration> = sides
                    .iter_mut()
                    .map(|side| side.change(next, &program))
                    .collect();
                assert_eq!(reports[0], reports[1], "{what}");
                is_true(&reports[0], &before, &sides[0].population, &what);
                let agents = reports[0].nodes().iter().map(|node| node.agents);
                aborted += agents.sum::<usize>();
                // Every state that was carried over is one that a snapshot may hold.
                sides[2].population = resumed(&sides[2].population);
            }
        }
        sides.into_iter().for_each(|side| side.end(&what));
    }
    assert!(aborted > 500, "only {aborted} agents were aborted");
}

#[test]
fn what_is_the_same_goes_on_in_a_society() {
    for seed in 0..super::cases(1_000, 40) {
        let cases = [
            case_of_seed(seed, 5, 12),
            case_of_seed(seed + 10_000, 3, 12),
        ];
        let programs = cases.each_ref().map(program);
        let others = cases.each_ref().map(|case| program(&with_more(case)));
        let mut straight = Society::new();
        let mut members = Vec::new();
        for which in [0, 0, 1] {
            let population = Population::new(Arc::clone(&programs[which]), cases[which].agents);
            // Two random programs may declare differently what they share.
            if let Ok(id) = straight.join("some", population.with_seed(cases[which].seed)) {
                members.push((id, which));
            }
        }
        let mut changed = straight.clone();
        let mut hosts = [(); 2].map(|()| {
            let hosts = members.iter();
            let host = |(_, which): &(_, usize)| {
                Meddler::new(&cases[*which], programs[*which].behaviour())
            };
            hosts.map(host).collect::<Vec<_>>()
        });
        for (tick, step) in cases[0].steps.iter().enumerate() {
            let mut traces = Vec::new();
            for (society, hosts) in [&mut straight, &mut changed].into_iter().zip(&mut hosts) {
                let mut step = society.step(step.dt);
                for ((id, _), host) in members.iter().zip(hosts) {
                    let mut trace = Trace::new();
                    step.tick_traced(*id, host, &mut trace);
                    traces.push(format!("{trace:?}"));
                }
            }
            let (one, two) = traces.split_at(members.len());
            assert_eq!(one, two, "seed {seed}, tick {tick}");
            for (nth, (id, which)) in members.iter().enumerate() {
                let next = [&others, &programs][tick % 2][*which].clone();
                let migration = changed.change_program(*id, next, &mut hosts[1][nth]);
                let migration = migration.expect("nothing that is shared has changed");
                assert_eq!(migration.nodes(), [], "seed {seed}");
                assert_eq!(migration.lost_events(), [], "seed {seed}");
            }
        }
    }
}

/// A population of a society, the host that serves it, and what it runs.
struct Member {
    id: PopulationId,
    host: Paired<Meddler>,
    case: Case,
}

#[test]
fn every_start_has_one_stop_in_a_society_whatever_was_changed() {
    let [mut aborted, mut changed, mut refused] = [0; 3];
    for seed in 0..super::cases(4_000, 90) {
        let what = format!("seed {seed}");
        let mut random = Random::new(seed ^ 0x50c1);
        let mut society = Society::new();
        let mut members = Vec::new();
        for (nth, case) in [seed, seed, seed + 10_000].into_iter().enumerate() {
            let case = case_of_seed(case, 2 + nth, 16);
            let program = program(&case);
            let host = Meddler::new(&case, program.behaviour());
            let host = Paired::new(host, program.behaviour(), case.agents);
            let population = Population::new(program, case.agents).with_seed(case.seed);
            // Two random programs may declare differently what they share.
            if let Ok(id) = society.join("some", population) {
                members.push(Member { id, host, case });
            }
        }
        let mut now_ns = 0;
        for tick in 0..16 {
            let steps = &members[0].case.steps;
            let dt = steps[tick % steps.len()].dt;
            now_ns += dt.as_nanos() as u64;
            let mut step = society.step(dt);
            for Member { id, host, .. } in &mut members {
                host.begin_tick(tick as u64 + 1, now_ns);
                step.tick(*id, host);
            }
            step.end();
            for member in &members {
                assert_eq!(member.host.broken(), NONE, "{what}, tick {tick}");
            }
            let nth = random.below(members.len());
            let Member { id, host, case } = &mut members[nth];
            let next = edited(case, &mut random);
            let new = program(&next);
            let before = running(society.population(*id));
            let Ok(report) = society.change_program(*id, Arc::clone(&new), host) else {
                refused += 1;
                assert_eq!(running(society.population(*id)), before, "{what}");
                continue;
            };
            is_true(&report, &before, society.population(*id), &what);
            aborted += report.nodes().iter().map(|node| node.agents).sum::<usize>();
            changed += 1;
            let behaviour = new.behaviour();
            let blank = Paired::new(Meddler::new(&next, behaviour), behaviour, 0);
            let old = std::mem::replace(host, blank);
            let meddler = Meddler::new(&next, behaviour);
            *host = old.for_program(meddler, behaviour, |node| report.goes_on_as(node));
            *case = next;
            // Every state that was carried over is one that a snapshot may hold.
            let programs: Vec<_> = members
                .iter()
                .map(|member| Arc::clone(society.population(member.id).program()))
                .collect();
            let saved = society.save();
            let again = Society::restore(&saved, |place, _| programs.get(place).cloned());
            assert!(again.expect("it was just saved").save() == saved, "{what}");
        }
        for Member { id, host, .. } in &mut members {
            let mut population = society.population_mut(*id);
            population.abort_all(host);
            for agent in 0..population.len() {
                population.remove(agent, host);
            }
            assert_eq!(host.open_runs(), 0, "{what}");
            assert_eq!(host.broken(), NONE, "{what}");
        }
    }
    assert!(
        aborted > 500 && changed > 1_000,
        "{aborted} aborted, {changed} changed, {refused} refused"
    );
}
