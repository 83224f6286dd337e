//! Recordings: files, whose checksums are set right so that what is inside is reached; and tapes of single ticks, whose
//! first byte says of which program.

use super::snapshots::programs;
use std::sync::Arc;
use treemind_core::Population;
use treemind_core::tape::{Playback, Played, Tape};
use treemind_doc::Document;
use treemind_recording::{self as recorded, Playhead, Recorder, Recording};
use treemind_testkit::compare::Meddler;

/// More ticks are not played.
const MOST_TICKS: usize = 40;

/// Whatever the file is, reading and playing it end, and say what is wrong.
pub(super) fn file(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    repair(&mut bytes);
    let Ok(recording) = Recording::read(bytes) else {
        return;
    };
    let mut played = Played::default();
    for ticks in recording.stretches() {
        let tape = recorded::Tape::of(&recording, ticks.clone());
        let (first, last) = (ticks.start() - 1, *ticks.end());
        for begin in [first, last / 2] {
            let head = Playhead::at(&tape, begin.max(last.saturating_sub(5_000)));
            let Ok(mut head) = head else { continue };
            for _ in 0..MOST_TICKS {
                if !matches!(head.step(&tape, Some(&mut played)), Ok(true)) {
                    break;
                }
            }
        }
    }
    let _ = recording.notes().count();
}

/// Gives each chunk of the file the checksum of its content.
fn repair(file: &mut [u8]) {
    const FRAME: usize = 9;
    let mut at = 8;
    while let Some(head) = file.get(at..at + FRAME) {
        let length = u64::from_le_bytes(head[1..].try_into().expect("eight bytes"));
        let (is_chunk, start) = (head[0] == 6, at + FRAME);
        let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        let Some(chunk) = file.get_mut(start..end) else {
            return;
        };
        // Times and sizes, the checksum, an empty name of a compression, and how many bytes follow.
        if is_chunk && chunk.len() >= 40 {
            let sum = crc32fast::hash(&chunk[40..]);
            chunk[24..28].copy_from_slice(&sum.to_le_bytes());
        }
        at = end;
    }
}

/// Whatever the tape is, playing it ends, and what was played can be recorded again.
pub(super) fn tape(bytes: &[u8]) {
    let Some((number, mut rest)) = bytes.split_first() else {
        return;
    };
    let programs = programs();
    let (case, program) = &programs[usize::from(*number) % programs.len()];
    let population = Population::new(Arc::clone(program), case.agents);
    let state = Tape::new().state(&mut population.with_seed(case.seed));
    let opened = Playback::open(&state, |_, _| Some(Arc::clone(program)));
    let mut playback = opened.expect("it was just recorded");
    let mut played = Played::default();
    for _ in 0..MOST_TICKS {
        if playback.step(&mut rest, Some(&mut played)).is_err() {
            return;
        }
    }
}

/// Tapes of every program.
pub(crate) fn tapes() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (number, (case, program)) in programs().iter().enumerate() {
        let mut host = Meddler::new(case, program.behaviour());
        let population = Population::new(Arc::clone(program), case.agents);
        let mut population = population.with_seed(case.seed);
        let mut tape = Tape::new();
        tape.state(&mut population);
        let mut bytes = vec![number as u8];
        for (nth, step) in case.steps.iter().enumerate() {
            // Texts have other numbers in every process, and the state at the beginning has those of now.
            tape.tick(&mut population, &mut host, (step.dt, None), &mut bytes);
            if nth % 3 == 2 {
                population.abort_all(&mut host);
            }
        }
        all.push(bytes);
    }
    all
}

/// Small recordings.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let text = "blackboard { key n type=int; }\ntree guard { sequence { set \"n = n + random(0, 9)\"; wait 0.1; }; }";
    let document = Document::parse(text, "guard.kdl");
    let behaviour = document.behaviour(None).expect("it is sound");
    let program = Arc::new(treemind_core::Program::new(behaviour));
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &document).expect("it can be recorded");
    let mut guards = Population::new(Arc::clone(&program), 3);
    let mut host = treemind_core::host::Columns::new(program.behaviour(), 64);
    for tick in 0..30 {
        if tick % 7 == 0 {
            guards.spawn();
        }
        recorder.tick(&mut guards, &mut host, std::time::Duration::from_millis(50));
    }
    recorder.note("map", b"a castle");
    recorder.finish().expect("it can be recorded");
    let file = shelf.0.lock().map(|file| file.clone());
    file.into_iter().collect()
}

/// A file in memory.
#[derive(Clone, Default)]
struct Shelf(Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut file = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
