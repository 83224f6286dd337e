//! Time that can be wound back: copies of earlier ticks, from which what came after them is played again.

use super::player::Player;

/// How many copies are kept at most.
const MOST_KEPT: usize = 48;
/// How many ticks lie between two copies at first.
const SPACING_TICKS: u64 = 64;

/// A player, and copies of it as it was earlier. As the same seed gives the same run, a tick that is played again is the
/// one that it was.
pub(super) struct Reel {
    now: Player,
    /// The oldest first: that of the beginning.
    kept: Vec<Player>,
    spacing_ticks: u64,
}

impl Reel {
    pub(super) fn new(player: Player) -> Self {
        Self {
            kept: vec![player.clone()],
            now: player,
            spacing_ticks: SPACING_TICKS,
        }
    }

    pub(super) fn player(&self) -> &Player {
        &self.now
    }

    pub(super) fn into_player(self) -> Player {
        self.now
    }

    pub(super) fn tick(&self) -> u64 {
        self.now.tick()
    }

    /// One tick on.
    pub(super) fn step(&mut self) {
        self.now.step();
        let tick = self.tick();
        let newest = self.kept.last().map_or(0, Player::tick);
        if tick <= newest || !tick.is_multiple_of(self.spacing_ticks) {
            return;
        }
        self.kept.push(self.now.clone());
        if self.kept.len() > MOST_KEPT {
            self.spacing_ticks *= 2;
            let spacing = self.spacing_ticks;
            self.kept
                .retain(|player| player.tick().is_multiple_of(spacing));
        }
    }

    /// Winds back so that a tick lies ahead, or is at hand; no farther than needed.
    pub(super) fn rewind(&mut self, tick: u64) {
        if tick >= self.tick() {
            return;
        }
        let later = self.kept.partition_point(|player| player.tick() <= tick);
        if let Some(player) = later.checked_sub(1).and_then(|nth| self.kept.get(nth)) {
            self.now = player.clone();
        }
    }

    /// Goes to a tick, earlier or later.
    pub(super) fn jump(&mut self, tick: u64) {
        self.rewind(tick);
        while self.tick() < tick {
            self.step();
        }
    }
}
