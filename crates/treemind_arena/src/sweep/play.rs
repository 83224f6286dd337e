//! One run of a sweep.

use super::asked::Asking;
use super::{Row, Sweep, SweepError};
use crate::session::Session;
use crate::world::{Rules, World};
use std::path::Path;
use treemind_recording::Recorder;

/// A game that has not begun, with the start values of a setting.
pub(super) fn session(sweep: &Sweep, setting: usize, seed: u64) -> Result<Session, SweepError> {
    let rules = Rules {
        seed,
        rounds: false,
    };
    let world = World::new(sweep.scenario.clone(), rules);
    let mut session = Session::new(sweep.main.clone(), Some(&sweep.document), world)?;
    let given = sweep.setting(setting);
    if !given.is_empty() {
        for (who, nth) in session.minded() {
            for (key, value) in &given {
                let key = session.population_at(nth).program().behaviour().key_id(key);
                if let Some(key) = key {
                    session.set_key(who, key, *value);
                }
            }
        }
    }
    Ok(session)
}

/// Plays a run, and records it if there is a recorder.
pub(super) fn run(
    sweep: &Sweep,
    setting: usize,
    seed: u64,
    mut recorder: Option<&mut Recorder>,
) -> Result<Row, SweepError> {
    let mut session = session(sweep, setting, seed)?;
    let who = session.focus();
    let behaviour = session.behaviour().clone();
    let mut measures: Vec<Asking<'_>> = sweep
        .measures
        .iter()
        .map(|one| one.asking(&behaviour))
        .collect();
    let mut always: Vec<Asking<'_>> = sweep
        .always
        .iter()
        .map(|one| one.asking(&behaviour))
        .collect();
    let mut until = sweep.until.as_ref().map(|one| one.asking(&behaviour));
    let mut row = Row {
        setting,
        seed,
        ticks: 0,
        alive: true,
        faults: 0,
        measures: vec![f64::NAN; measures.len()],
        broken: None,
    };
    let mut traces = Vec::new();
    while row.ticks < sweep.ticks && !session.world().is_over() {
        match recorder.as_deref_mut() {
            Some(recorder) => drop(session.step_all_traced(&mut traces, Some(recorder))),
            None => drop(session.step()),
        }
        row.ticks += 1;
        let faults = session.take_faults();
        row.faults += faults.iter().map(|one| one.faults.total()).sum::<u64>();
        let Some(agent) = session.agent_of(who) else {
            row.alive = false;
            break;
        };
        let population = session.population();
        for (measure, value) in measures.iter_mut().zip(&mut row.measures) {
            *value = measure.ask(agent, population)?;
        }
        for (nth, promise) in always.iter_mut().enumerate() {
            if row.broken.is_none() && !promise.holds(agent, population)? {
                row.broken = Some((nth, row.ticks));
            }
        }
        if let Some(until) = &mut until
            && until.holds(agent, population)?
        {
            break;
        }
    }
    Ok(row)
}

/// Plays a run again, into a file.
pub(super) fn record(
    sweep: &Sweep,
    setting: usize,
    seed: u64,
    path: &Path,
) -> Result<Row, SweepError> {
    let failed = |error: treemind_recording::RecordError| SweepError::Record(error.to_string());
    let mut recorder = Recorder::create(path, &sweep.document).map_err(failed)?;
    let rules = Rules {
        seed,
        rounds: false,
    };
    crate::notes::arena(&mut recorder, &sweep.map, rules);
    let row = run(sweep, setting, seed, Some(&mut recorder))?;
    recorder.finish().map_err(failed)?;
    Ok(row)
}
