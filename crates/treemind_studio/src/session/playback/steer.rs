//! What pages ask of a file that is open.

use super::Playback;
use crate::server::Page;
use crate::session::{Show, refuse};
use serde_json::Value;
use std::time::Instant;
use treemind_replay::follow::{FASTEST, SLOWEST};
use treemind_replay::view::steps;

/// How far a page may have a game played beyond the last tick that was played, in ticks.
const MOST_AHEAD: u64 = 100_000;

const NO_AGENT: &str = "there is no such agent";

impl Playback {
    /// Takes in what a page asks that looks at it.
    pub(in super::super) fn hear(&mut self, ask: &Value, page: &Page) {
        match ask["say"].as_str() {
            Some(say @ ("set" | "hold" | "release")) => {
                let word = |name: &str| ask[name].as_str().unwrap_or("");
                let mind = ask["mind"].as_u64().unwrap_or(u64::MAX) as usize;
                let written = match mind < self.show.minds() {
                    true => match say {
                        "set" => self.show.set(mind, word("key"), word("value")),
                        "hold" => self.show.hold(mind, word("key"), Some(word("value"))),
                        _ => self.show.hold(mind, word("key"), None),
                    },
                    false => Err(NO_AGENT.to_owned()),
                };
                match written {
                    // What was played after this tick is another course now.
                    Ok(()) => self.breakpoints.forget_after(self.show.course().tick),
                    Err(why) => refuse(page, &why),
                }
            }
            Some("break") => {
                let mind = ask["mind"].as_u64().unwrap_or(0) as usize;
                let done = match self.show.behaviour(mind) {
                    Some(behaviour) => self.breakpoints.set(ask, (mind, behaviour)),
                    None => Err(NO_AGENT.to_owned()),
                };
                if let Err(why) = done {
                    refuse(page, &why);
                }
            }
            Some("unbreak") => self.breakpoints.remove(ask["id"].as_u64()),
            Some("event") => self.step_event(ask, page),
            _ => self.steer(ask, page),
        }
        self.next = Instant::now();
        self.turn();
    }

    /// Plays, pauses, goes somewhere.
    fn steer(&mut self, ask: &Value, page: &Page) {
        self.event = None;
        self.breakpoints.go_on();
        self.take_lead();
        match ask["say"].as_str() {
            Some("play") => {
                self.is_paused = false;
                let course = self.show.course();
                self.follows = course.tick >= course.last;
            }
            Some("pause") => (self.is_paused, self.goal) = (true, None),
            Some("follow") => (self.is_paused, self.follows, self.goal) = (false, true, None),
            Some("step") if self.is_at_end_of_controlled() => {
                // The game makes the tick, and it is shown as soon as it is there.
                (self.is_paused, self.follows, self.goal) = (true, true, None);
                self.wants_tick = true;
            }
            Some("step") => self.set_off(self.aim().saturating_add(1), Some(page)),
            Some("back") => self.set_off(self.aim().saturating_sub(1), Some(page)),
            Some("go") => match ask["tick"].as_u64().map(|tick| self.within_reach(tick)) {
                Some(Ok(tick)) => self.set_off(tick, Some(page)),
                Some(Err(why)) => refuse(page, &why),
                None => refuse(
                    page,
                    "`go` needs a `tick`: a whole number that is not negative",
                ),
            },
            Some("speed") => match ask["factor"].as_f64() {
                Some(factor) if (SLOWEST..=FASTEST).contains(&factor) => self.speed = factor,
                _ => refuse(page, "`speed` needs a `factor` from 0.1 to 64"),
            },
            _ => refuse(page, "unknown `say`"),
        }
    }

    /// A tick that a page wants to see, unless the game would have to be played for very long until then.
    fn within_reach(&self, tick: u64) -> Result<u64, String> {
        let course = self.show.course();
        let most = course.last.saturating_add(MOST_AHEAD);
        match course.is_live || course.end.is_some() || tick <= most {
            true => Ok(tick),
            false => Err(format!(
                "`go` leads at most {MOST_AHEAD} ticks beyond the last tick that was played, {}: from here to tick {most}",
                course.last
            )),
        }
    }

    /// Goes one event of a tick on or back, as one agent sees it.
    fn step_event(&mut self, ask: &Value, page: &Page) {
        let mind = ask["mind"].as_u64().unwrap_or(0) as usize;
        let is_back = match ask["by"].as_i64() {
            Some(1) => false,
            Some(-1) => true,
            _ => return refuse(page, "`event` needs `by`: 1 or -1"),
        };
        (self.is_paused, self.goal) = (true, None);
        self.breakpoints.go_on();
        self.take_lead();
        let count = |show: &dyn Show| {
            let both = show.mind(mind).zip(show.behaviour(mind));
            both.map_or(0, |of| steps(of).len())
        };
        let all = count(&*self.show);
        self.event = match (self.event, is_back) {
            (Some(nth), false) if nth < all => Some(nth + 1),
            (_, false) => {
                let tick = self.show.course().tick;
                self.finish_jump(tick + 1, page);
                let is_other = self.show.course().tick != tick;
                (is_other && count(&*self.show) > 0).then_some(1)
            }
            (None, true) if all > 0 => Some(all - 1),
            (Some(nth), true) if nth > 0 => Some(nth - 1),
            (_, true) => {
                self.finish_jump(self.show.course().tick.saturating_sub(1), page);
                Some(count(&*self.show)).filter(|all| *all > 0)
            }
        };
    }

    /// Goes to the tick before or after this one at once.
    fn finish_jump(&mut self, tick: u64, page: &Page) {
        self.set_off(tick, Some(page));
        while self.goal.is_some() {
            self.run(Instant::now());
        }
    }
}
