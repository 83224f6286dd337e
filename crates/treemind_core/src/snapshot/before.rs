//! What the state was before the game changed it between two ticks, for a recording.

use super::Writer;
use std::sync::atomic::{AtomicU64, Ordering};

/// The end of a tick that was recorded; every one in this process is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End(u64);

/// The state at the end of a recorded tick. It is kept right before the game changes it for the first time: most ticks
/// need no copy. There is nothing here as long as nobody records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before(Option<Box<Kept>>);

#[derive(Clone, Debug)]
struct Kept {
    end: End,
    phase: Phase,
    state: Writer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The game has changed nothing so far.
    Unchanged,
    /// The game has changed something. The state before is kept.
    Changed,
    /// The next tick has begun.
    Over,
}

/// What the game has changed since the end of a tick.
#[derive(Debug)]
pub(crate) enum Since<'b> {
    Nothing,
    /// Something: the state was this.
    From(&'b Writer),
    /// These agents were not recorded then: the game has put them in place of others.
    Unknown,
}

impl Before {
    /// Waits for changes from now on, the end of a tick.
    pub(crate) fn begin(&mut self) -> End {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Somebody else has begun to wait at this end of a tick, and nothing has changed since.
        if let Some(kept) = self.0.as_ref().filter(|_| self.is_waiting()) {
            return kept.end;
        }
        let end = End(NEXT.fetch_add(1, Ordering::Relaxed));
        match &mut self.0 {
            Some(kept) => (kept.end, kept.phase) = (end, Phase::Unchanged),
            None => {
                self.0 = Some(Box::new(Kept {
                    end,
                    phase: Phase::Unchanged,
                    state: Writer::default(),
                }));
            }
        }
        end
    }

    /// A tick begins: its own changes do not matter.
    #[inline]
    pub(crate) fn end(&mut self) {
        if let Some(kept) = &mut self.0 {
            kept.phase = Phase::Over;
        }
    }

    /// Whether the state has to be kept before it is changed.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        let kept = self.0.as_ref();
        kept.is_some_and(|kept| kept.phase == Phase::Unchanged)
    }

    /// An empty writer for the state.
    pub(crate) fn writer(&mut self) -> Writer {
        let kept = self.0.as_mut();
        let mut state = kept.map_or_else(Writer::default, |kept| std::mem::take(&mut kept.state));
        state.clear();
        state
    }

    /// Keeps the state.
    pub(crate) fn keep(&mut self, state: Writer) {
        if let Some(kept) = &mut self.0 {
            (kept.state, kept.phase) = (state, Phase::Changed);
        }
    }

    /// What has changed since the end of a tick.
    pub(crate) fn since(&self, end: End) -> Since<'_> {
        match &self.0 {
            Some(kept) if kept.end == end => match kept.phase {
                Phase::Unchanged => Since::Nothing,
                Phase::Changed => Since::From(&kept.state),
                Phase::Over => Since::Unknown,
            },
            _ => Since::Unknown,
        }
    }
}
