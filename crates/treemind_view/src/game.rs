//! What the live view of a game plays: the rounds that are over, back and forth.

use crate::app::Stage;
use crate::history::History;
use crate::played::{Played, Who};
use crate::record::Round;
use crate::scene::Scene;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use treemind_replay::follow::memory_begin;
use treemind_replay::history::KeyFrames;

/// How many bytes the rounds may take that are kept.
const MOST_BYTES: usize = 64 << 20;

/// The rounds of a game that are over.
pub(crate) struct Game {
    history: Rc<RefCell<History>>,
    now: Played,
    copies: KeyFrames<Played>,
    most_bytes: usize,
    is_waiting: bool,
}

impl Game {
    /// A game that has played no round since the view was opened, and its tick.
    pub(crate) fn new(tick: u64, title: &str) -> Self {
        let history = Rc::new(RefCell::new(History::new(tick)));
        let now = Played::new(Rc::clone(&history), tick, title);
        Self {
            copies: KeyFrames::new(tick, now.clone()),
            now,
            history,
            most_bytes: MOST_BYTES,
            is_waiting: false,
        }
    }

    /// How many rounds there were so far.
    pub(crate) fn ticks_so_far(&self) -> u64 {
        self.history.borrow().rounds()
    }

    pub(crate) fn played(&self) -> &Played {
        &self.now
    }

    /// Takes over a round that the game has played, of agents with these names.
    pub(crate) fn push(&mut self, round: Round, names: &[String]) {
        let mut history = self.history.borrow_mut();
        history.names = names.to_vec();
        history.push(round);
        while history.bytes() > self.most_bytes {
            let Some(first) = self.copies.forget_first() else {
                break;
            };
            history.forget(first);
        }
        self.is_waiting = false;
    }

    /// Follows an agent closely, from some ticks ago on.
    fn look_closely(&mut self, who: Who) {
        let tick = self.now.tick();
        let from = memory_begin(tick, self.now.agents_beside(who));
        self.now.want(who);
        let copy = self.copies.before(from).or(self.copies.first());
        if let Some(copy) = copy.cloned() {
            self.play_from(&copy, tick);
        }
    }

    /// Plays from a copy up to a tick, with all agents that are followed now.
    fn play_from(&mut self, copy: &Played, tick: u64) {
        let wanted = self.now.wanted().to_vec();
        self.now = copy.clone();
        wanted.into_iter().for_each(|who| self.now.want(who));
        while self.now.tick() < tick && self.now.step() {}
    }
}

impl Stage for Game {
    fn scene(&self) -> &dyn Scene {
        &self.now
    }

    fn step(&mut self) -> bool {
        if !self.now.step() {
            self.is_waiting = true;
            return false;
        }
        self.copies.keep(self.now.tick(), || self.now.clone());
        true
    }

    fn seek(&mut self, tick: u64) {
        let now = self.now.tick();
        let from = memory_begin(tick, 1);
        let copy = match tick < now {
            true => self.copies.before(from).or(self.copies.first()),
            false if now < from => self.copies.nearest(now, from),
            false => None,
        };
        if let Some(copy) = copy.cloned() {
            let at = copy.tick();
            self.play_from(&copy, at);
        }
    }

    fn period(&self) -> Duration {
        self.history.borrow().dt
    }

    fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    fn find(&mut self, wanted: &str) -> Option<usize> {
        let who = self.now.who(wanted)?;
        if self.now.seat_of(who).is_none() {
            self.look_closely(who);
        }
        self.now.seat_of(who)
    }

    fn shows(&mut self, mind: usize) {
        if let Some(who) = self.now.distant(mind) {
            self.look_closely(who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Game;
    use crate::app::Stage as _;
    use crate::record::Round;
    use crate::scene::Scene as _;
    use ratatui::text::Text;
    use std::time::Duration;

    #[test]
    fn rounds_are_forgotten_when_they_take_too_much() {
        let mut game = Game::new(0, "game");
        game.most_bytes = 100_000;
        for tick in 1..=2_000_u64 {
            let round = Round {
                panel: Some(Text::raw(format!("{tick:>100}"))),
                dt: Duration::from_millis(100),
                ..Round::default()
            };
            game.push(round, &[]);
            assert!(game.step());
        }
        let first = game.copies.first_tick();
        assert!(first > 0, "nothing was forgotten");
        assert!(game.history.borrow().bytes() < 200_000);
        for tick in [1_999, 1_000, first, 0] {
            game.seek(tick);
            let at = game.now.tick();
            assert!(at <= tick.max(first) && at >= first, "{at} for {tick}");
            while game.now.tick() < 2_000 {
                assert!(game.step());
            }
        }
        assert!(!game.step() && game.is_waiting());
        assert!((game.scene().secs_at(2_000) - 200.0).abs() < 1e-6);
    }
}
