//! What pages ask of a session.

use super::{Session, Show, Waiting, refuse, text_of};
use crate::server::Page;
use serde::Deserialize as _;
use serde_json::Value;
use std::time::Instant;
use treemind_replay::follow::{FASTEST, SLOWEST};
use treemind_replay::view::protocol::{Hello, Look, Message, VERSION};
use treemind_replay::view::steps;

/// How far a page may have a game played beyond the last tick that was played, in ticks.
const MOST_AHEAD: u64 = 100_000;

const NO_FILE: &str = "there is no such file among those that are open";

impl<S: Show> Session<S> {
    /// Takes in what a page asks.
    pub fn hear(&mut self, text: &str, page: Page) {
        let Ok(ask) = serde_json::from_str::<Value>(text) else {
            refuse(&page, "that is not JSON");
            return;
        };
        if !self.pages.iter().any(|known| known.is_same(&page)) {
            self.pages.push(page.clone());
        }
        match ask["say"].as_str() {
            Some("look") => {
                match Look::deserialize(&ask) {
                    Ok(look) => {
                        // The last question of a page counts.
                        self.looks.retain(|look| !look.page.is_same(&page));
                        self.looks.push(Waiting { page, look });
                    }
                    Err(error) => refuse(&page, &format!("`look`: {error}")),
                }
                return;
            }
            Some("hello") => {
                let hello = Message::Hello(Hello {
                    version: VERSION,
                    start: self.start.clone(),
                    has_previews: self.show.has_previews(),
                    files: self.show.files(),
                    ticks_per_sec: self.show.ticks_per_sec(),
                });
                page.send(text_of(&hello));
                return;
            }
            Some("preview") => {
                match self.show.preview(ask["file"].as_str().unwrap_or("")) {
                    Some(preview) => {
                        page.send(text_of(&Message::Preview(Box::new(preview))));
                    }
                    None => refuse(&page, NO_FILE),
                }
                return;
            }
            Some("open") => match ask["file"].as_str() {
                Some(file) if self.show.files().iter().any(|name| name == file) => {
                    if self.show.open(file) {
                        self.opened += 1;
                        (self.is_paused, self.follows, self.goal) = (false, true, None);
                        self.breakpoints.turn();
                        self.event = None;
                    }
                }
                _ => refuse(&page, NO_FILE),
            },
            Some("set") => {
                let word = |name: &str| ask[name].as_str().unwrap_or("");
                let mind = ask["mind"].as_u64().unwrap_or(u64::MAX) as usize;
                let written = match mind < self.show.minds() {
                    true => self.show.set(mind, word("key"), word("value")),
                    false => Err("there is no such agent".to_owned()),
                };
                match written {
                    // What was played after this tick is another course now.
                    Ok(()) => self.breakpoints.forget_after(self.show.course().tick),
                    Err(why) => refuse(&page, &why),
                }
            }
            Some("break") => {
                let mind = ask["mind"].as_u64().unwrap_or(0) as usize;
                let done = match self.show.behaviour(mind) {
                    Some(behaviour) => {
                        let file = self.show.file();
                        self.breakpoints.set(&ask, &file, (mind, behaviour))
                    }
                    None => Err("there is no such agent".to_owned()),
                };
                if let Err(why) = done {
                    refuse(&page, &why);
                }
            }
            Some("unbreak") => self.breakpoints.remove(ask["id"].as_u64()),
            Some("event") => self.step_event(&ask, &page),
            _ => self.steer(&ask, &page),
        }
        self.next = Instant::now();
        self.state += 1;
    }

    /// Plays, pauses, goes somewhere.
    fn steer(&mut self, ask: &Value, page: &Page) {
        self.event = None;
        self.breakpoints.go_on();
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
                self.control();
                self.show.ask_for_tick();
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
        let count = |show: &S| {
            let both = show.mind(mind).zip(show.behaviour(mind));
            both.map_or(0, |of| steps(of).len())
        };
        let all = count(&self.show);
        self.event = match (self.event, is_back) {
            (Some(nth), false) if nth < all => Some(nth + 1),
            (_, false) => {
                let tick = self.show.course().tick;
                self.finish_jump(tick + 1, page);
                let is_other = self.show.course().tick != tick;
                (is_other && count(&self.show) > 0).then_some(1)
            }
            (None, true) if all > 0 => Some(all - 1),
            (Some(nth), true) if nth > 0 => Some(nth - 1),
            (_, true) => {
                self.finish_jump(self.show.course().tick.saturating_sub(1), page);
                Some(count(&self.show)).filter(|all| *all > 0)
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
