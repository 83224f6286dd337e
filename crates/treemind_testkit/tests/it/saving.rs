//! What is saved continues as if it had never stopped, and bytes that were not saved are refused.
//!
//! That a restored population does what it would have done, tick by tick, is compared with every random case in
//! `against_executor.rs`: one of the populations there is saved and restored again and again.

use std::sync::Arc;
use treemind_core::{Behaviour, Population, Program, Society, Trace};
use treemind_testkit::compare::{Meddler, case_of_seed, resumed, write_cell};
use treemind_testkit::generate::{Case, Op, Step};
use twox_hash::XxHash3_64;

/// Carries out what happens before a tick.
fn apply(population: &mut Population, host: &mut Meddler, step: &Step) {
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
}

fn start(seed: u64, agents: usize, ticks: usize) -> (Case, Arc<Program>, Population, Meddler) {
    let case = case_of_seed(seed, agents, ticks);
    let program = Arc::new(Program::new(case.behaviour().expect("the parts fit")));
    let population = Population::new(Arc::clone(&program), case.agents).with_seed(case.seed);
    let host = Meddler::new(&case, program.behaviour());
    (case, program, population, host)
}

#[test]
fn the_trace_goes_on_as_it_would_have() {
    for seed in 0..super::cases(4_000, 80) {
        let agents = [1, 2, 5, 64, 65, 200][seed as usize % 6];
        let (case, _, mut straight, mut host) = start(seed, agents, 12);
        let mut saved = straight.clone();
        let mut saved_host = Meddler::new(&case, straight.program().behaviour());
        let mut traces = [Trace::new(), Trace::new()];
        for step in &case.steps {
            apply(&mut straight, &mut host, step);
            apply(&mut saved, &mut saved_host, step);
            saved = resumed(&saved);
            let [one, two] = &mut traces;
            straight.tick_traced(&mut host, step.dt, one);
            saved.tick_traced(&mut saved_host, step.dt, two);
            assert_eq!(format!("{one:?}"), format!("{two:?}"), "seed {seed}");
            for agent in 0..straight.len() {
                assert_eq!(straight.id_of(agent), saved.id_of(agent), "seed {seed}");
            }
        }
        assert!(straight.save() == saved.save(), "seed {seed}");
    }
}

#[test]
fn a_society_goes_on_as_it_would_have() {
    for seed in 0..super::cases(1_000, 35) {
        let (first, program, _, _) = start(seed, 5, 12);
        let (second, other, _, _) = start(seed + 10_000, 3, 12);
        let mut straight = Society::new();
        let mut members = Vec::new();
        for (case, program) in [(&first, &program), (&first, &program), (&second, &other)] {
            let population = Population::new(Arc::clone(program), case.agents);
            // Two random programs may declare differently what they share.
            if let Ok(id) = straight.join("some", population.with_seed(case.seed)) {
                members.push((id, case, program));
            }
        }
        let hosts = |_| {
            let hosts = members.iter();
            hosts.map(|(_, case, program)| Meddler::new(case, program.behaviour()))
        };
        let mut hosts = [(); 2].map(|()| hosts(()).collect::<Vec<_>>());
        let mut saved = straight.clone();
        for step in &first.steps {
            for (society, hosts) in [&mut straight, &mut saved].into_iter().zip(&mut hosts) {
                for (nth, (id, case, _)) in members.iter().enumerate() {
                    let mut population = society.population_mut(*id);
                    for op in &step.ops {
                        match *op {
                            Op::Group(agent, group) if agent < case.agents => {
                                population.set_group(agent, group);
                            }
                            Op::Abort(agent) if agent < case.agents => {
                                population.abort(agent, &mut hosts[nth]);
                            }
                            _ => {}
                        }
                    }
                }
            }
            let bytes = saved.save();
            let programs = |place: usize, _: &str| Some(Arc::clone(members[place].2));
            saved = Society::restore(&bytes, programs).expect("it was just saved");
            assert!(saved.save() == bytes, "seed {seed}");
            let mut traces = Vec::new();
            for (society, hosts) in [&mut straight, &mut saved].into_iter().zip(&mut hosts) {
                let mut step = society.step(step.dt);
                for ((id, _, _), host) in members.iter().zip(hosts) {
                    let mut trace = Trace::new();
                    step.tick_traced(*id, host, &mut trace);
                    traces.push(format!("{trace:?}"));
                }
            }
            let (one, two) = traces.split_at(members.len());
            assert_eq!(one, two, "seed {seed}");
        }
        assert!(straight.save() == saved.save(), "seed {seed}");
    }
}

/// A small snapshot in the middle of things, with its program.
fn small(seed: u64) -> (Case, Arc<Program>, Vec<u8>) {
    let (case, program, mut population, mut host) = start(seed, 2, 5);
    for step in &case.steps {
        apply(&mut population, &mut host, step);
        population.tick(&mut host, step.dt);
    }
    (case, program, population.save())
}

#[test]
fn what_is_cut_or_flipped_is_refused() {
    for seed in 0..super::cases(60, 6) {
        let (_, program, bytes) = small(seed);
        for end in 0..bytes.len() {
            let cut = Population::restore(Arc::clone(&program), &bytes[..end]);
            assert!(cut.is_err(), "seed {seed}, cut at {end}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Population::restore(Arc::clone(&program), &longer).is_err());
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << (place % 8);
            let flipped = Population::restore(Arc::clone(&program), &flipped);
            assert!(flipped.is_err(), "seed {seed}, flipped at {place}");
        }
    }
}

/// Gives changed bytes a checksum that fits them.
fn forge(bytes: &mut [u8]) {
    let end = bytes.len() - 8;
    let checksum = XxHash3_64::oneshot(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn forged_bytes_are_refused_or_tick() {
    let first =
        std::env::var("TREEMIND_FIRST_SEED").map_or(0, |seed| seed.parse().expect("a seed"));
    for seed in first..first + super::cases(400, 10) {
        let (case, program, bytes) = small(seed);
        let behaviour = program.behaviour();
        // Usually every third byte, and in each case others.
        let step = super::cases(1, 3) as usize;
        for place in (seed as usize % step..bytes.len() - 8).step_by(step) {
            let mut forged = bytes.clone();
            forged[place] = forged[place].wrapping_add([1, 0x7f, 0x80, 0xff][place % 4]);
            forge(&mut forged);
            let Ok(mut population) = Population::restore(Arc::clone(&program), &forged) else {
                continue;
            };
            let mut others = Population::new(Arc::clone(&program), 0);
            others.put_in(&forged).expect("it was restored, too");
            for population in [&mut population, &mut others] {
                let mut host = Meddler::new(&case, behaviour);
                for step in case.steps.iter().take(3) {
                    population.tick(&mut host, step.dt);
                }
                population.abort_all(&mut host);
            }
        }
    }
}

/// A society in the middle of things, with its programs.
fn small_society(seed: u64) -> (Vec<(Case, Arc<Program>)>, Society) {
    let mut society = Society::new();
    let mut members = Vec::new();
    for seed in [seed, seed, seed + 10_000] {
        let (case, program, population, _) = start(seed, 2, 4);
        // Two random programs may declare differently what they share.
        if society.join("some", population).is_ok() {
            members.push((case, program));
        }
    }
    let hosts = members.iter();
    let hosts = hosts.map(|(case, program)| Meddler::new(case, program.behaviour()));
    let mut hosts: Vec<Meddler> = hosts.collect();
    for tick in 0..3 {
        let ids: Vec<_> = society.ids().collect();
        let mut step = society.step(members[0].0.steps[tick].dt);

        for (id, host) in ids.into_iter().zip(&mut hosts) {
            step.tick(id, host);
        }
    }
    (members, society)
}

#[test]
fn a_society_with_something_attached_is_cut_flipped_or_forged_in_vain() {
    for seed in 0..super::cases(60, 6) {
        let (members, society) = small_society(seed);
        let bytes = society.save_with(b"what the game adds");
        let restored = |bytes: &[u8]| {
            Society::restore(bytes, |place, _| Some(Arc::clone(&members.get(place)?.1)))
        };
        assert!(restored(&bytes).expect("it was just saved").save() == society.save());
        assert_eq!(Society::attached(&bytes), Ok(&b"what the game adds"[..]));
        for place in 0..bytes.len() {
            assert!(
                restored(&bytes[..place]).is_err(),
                "seed {seed}, cut at {place}"
            );
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << (place % 8);
            assert!(
                restored(&flipped).is_err(),
                "seed {seed}, flipped at {place}"
            );
            assert!(Society::attached(&flipped).is_err());
            let mut forged = bytes.clone();
            forged[place] = forged[place].wrapping_add([1, 0x7f, 0x80, 0xff][place % 4]);
            if place < bytes.len() - 8 {
                forge(&mut forged);
            }
            let Ok(mut society) = restored(&forged) else {
                continue;
            };
            let ids: Vec<_> = society.ids().collect();
            let mut step = society.step(members[0].0.steps[0].dt);
            for (id, (case, program)) in ids.into_iter().zip(&members) {
                step.tick(id, &mut Meddler::new(case, program.behaviour()));
            }
        }
    }
}

#[test]
fn bytes_that_lie_take_no_more_memory_than_their_size_times_a_constant() {
    for seed in 0..super::cases(60, 6) {
        let (_, program, bytes) = small(seed);
        // Working memory of a tick depends on the program alone.
        let own = allocation_counter::measure(|| {
            drop(Population::new(Arc::clone(&program), 64));
        });
        let most = own.bytes_max + 64 * bytes.len() as u64;
        for place in 0..bytes.len() - 8 {
            let mut forged = bytes.clone();
            forged[place] = [0xff, 0x7f, 0x80, 1][place % 4];
            forge(&mut forged);
            let used = allocation_counter::measure(|| {
                drop(Population::restore(Arc::clone(&program), &forged));
            });
            let used = used.bytes_max;
            assert!(used <= most, "seed {seed}, byte {place}: {used} of {most}");
        }
    }
}

#[test]
fn another_program_is_refused_by_name() {
    let (_, program, bytes) = small(1);
    let (_, other, _) = small(2);
    let error = Population::restore(other, &bytes).expect_err("it is of another program");
    assert!(error.is_other_program(), "{error}");
    // Lowered once more, it is the same program.
    let again: Behaviour = program.behaviour().clone();
    Population::restore(Arc::new(Program::new(again)), &bytes).expect("it is the same program");
}

#[test]
fn what_a_snapshot_holds_is_told() {
    let (_, program, bytes) = small(1);
    let refused = |bytes: &[u8]| {
        let error = Population::restore(Arc::clone(&program), bytes);
        error.expect_err("it is refused").to_string()
    };
    assert_eq!(refused(b"tree guard"), "this is not a snapshot of Treemind");
    assert_eq!(refused(b""), "this is not a snapshot of Treemind");
    assert_eq!(refused(&bytes[..9]), "the snapshot is cut off");
    assert_eq!(
        refused(&bytes[..bytes.len() / 2]),
        "the snapshot is cut off"
    );
    let mut later = bytes.clone();
    later[8] = 9;
    assert_eq!(
        refused(&later),
        "the snapshot has version 9, and this program reads version 4"
    );
    let society = Society::new().save();
    assert_eq!(
        refused(&society),
        "the snapshot holds a society, not what is asked for"
    );
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert_eq!(
        refused(&damaged),
        "the snapshot is damaged: its checksum does not fit its content"
    );
}
