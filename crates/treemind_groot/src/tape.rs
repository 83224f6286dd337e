//! Agents that are ticked by minds: their ticks are on a tape, and played when somebody looks.

use crate::board::Board;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use treemind_core::tape::Played;
use treemind_replay::history::{Playhead, Store as _, Track};
use treemind_replay::observe::{Programs, Sink};

/// How many bytes of tape are kept: what nobody has looked at by then is left out.
const TAPE_BYTES: usize = 16 << 20;

/// A tape, at the place up to which it was played.
#[derive(Debug)]
pub(crate) struct Reel {
    pub(crate) name: String,
    track: Arc<Mutex<Track>>,
    head: Option<Playhead>,
}

/// The end of the tape that the game writes to.
#[derive(Debug)]
pub(crate) struct Tap {
    track: Arc<Mutex<Track>>,
    is_over: Arc<AtomicBool>,
}

impl Reel {
    pub(crate) fn new(name: &str, is_over: &Arc<AtomicBool>) -> (Self, Tap) {
        let track = Arc::new(Mutex::new(Track::new(TAPE_BYTES)));
        let tap = Tap {
            track: Arc::clone(&track),
            is_over: Arc::clone(is_over),
        };
        let name = name.to_owned();
        let head = None;
        (Self { name, track, head }, tap)
    }

    /// Plays what is on the tape. What cannot be played is left out.
    fn play(&mut self, board: &mut Board) {
        let mut played = Played::default();
        if self.head.is_none() {
            let Some((first, _)) = self.track.ticks() else {
                return;
            };
            self.head = Playhead::at(&self.track, first).ok();
        }
        while let Some(head) = &mut self.head {
            match head.step(&self.track, Some(&mut played)) {
                Ok(true) => show(&self.name, head, &played, board),
                Ok(false) => return,
                Err(_) => {
                    let last = self.track.ticks().map(|(_, last)| last);
                    self.head = last.and_then(|last| Playhead::at(&self.track, last).ok());
                    return;
                }
            }
        }
    }
}

/// Shows the first agent of each population that was ticked.
fn show(name: &str, head: &Playhead, played: &Played, board: &mut Board) {
    let stage = head.stage();
    let is_alone = stage.populations().len() == 1;
    for (id, trace) in &played.traces {
        let Some(population) = stage.population(*id).filter(|one| !one.is_empty()) else {
            continue;
        };
        match is_alone {
            true => board.show(name, 0, population, trace),
            false => board.show(&format!("{name}/{}", stage.name(*id)), 0, population, trace),
        }
    }
}

/// Plays all tapes to their ends.
pub(crate) fn catch_up(board: &mut Board) {
    let mut reels = std::mem::take(&mut board.reels);
    reels.iter_mut().for_each(|reel| reel.play(board));
    board.reels = reels;
}

impl Tap {
    fn track(&self) -> std::sync::MutexGuard<'_, Track> {
        self.track.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Tap {
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>) {
        self.track().push_state(at, Arc::clone(programs), state);
    }

    fn tick(&mut self, tape: &[u8], dt: Duration) -> bool {
        let mut track = self.track();
        if dt > Duration::ZERO {
            track.secs = dt.as_secs_f64();
        }
        track.push_tick(tape);
        track.is_state_due()
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
