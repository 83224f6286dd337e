//! Saved populations: the first byte says of which program, the others are a snapshot without its checksum.

use std::sync::{Arc, OnceLock};
use treemind_core::{Population, Program};
use treemind_testkit::compare::{Meddler, case_of_seed};
use treemind_testkit::generate::Case;
use twox_hash::XxHash3_64;

/// How many programs there are.
const PROGRAMS: u64 = 32;

pub(super) fn programs() -> &'static [(Case, Arc<Program>)] {
    static PROGRAMS_ONCE: OnceLock<Vec<(Case, Arc<Program>)>> = OnceLock::new();
    PROGRAMS_ONCE.get_or_init(|| {
        let program = |seed| {
            let agents = [1, 3, 65][seed as usize % 3];
            let case = case_of_seed(seed, agents, 8);
            let behaviour = case.behaviour().expect("the parts of a case fit together");
            (case, Arc::new(Program::new(behaviour)))
        };
        (0..PROGRAMS).map(program).collect()
    })
}

/// What is restored can be ticked, saved again, and taken apart.
pub(super) fn check(bytes: &[u8]) {
    let Some((number, body)) = bytes.split_first() else {
        return;
    };
    let programs = programs();
    let (case, program) = &programs[usize::from(*number) % programs.len()];
    let mut snapshot = body.to_vec();
    snapshot.extend(XxHash3_64::oneshot(body).to_le_bytes());
    let Ok(mut population) = Population::restore(Arc::clone(program), &snapshot) else {
        return;
    };
    // Its agents also go on in another population, with another clock.
    let mut others = Population::new(Arc::clone(program), 0);
    let added = others.put_in(&snapshot);
    assert!(added.is_ok(), "what is restored is put in: {added:?}");
    for population in [&mut population, &mut others] {
        let mut host = Meddler::new(case, program.behaviour());
        for step in case.steps.iter().take(3) {
            population.tick(&mut host, step.dt);
        }
        let saved = population.save();
        let again = Population::restore(Arc::clone(program), &saved);
        assert!(again.is_ok(), "what was saved is restored: {again:?}");
        population.abort_all(&mut host);
    }
}

/// Snapshots of every program, after some ticks.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (number, (case, program)) in programs().iter().enumerate() {
        let mut host = Meddler::new(case, program.behaviour());
        let mut population = Population::new(Arc::clone(program), case.agents);
        for step in &case.steps {
            let saved = population.save();
            let body = &saved[..saved.len() - 8];
            all.push([&[number as u8], body].concat());
            population.tick(&mut host, step.dt);
        }
    }
    all
}
