//! What pages ask of a file that is open.

use super::Playback;
use crate::clock::Instant;
use crate::editing::Author;
use crate::session::Page;
use crate::session::ask::no_token;
use crate::session::{Show, no_agent, refuse, text_of};
use treemind_doc::{Said, said};
use treemind_replay::follow::{FASTEST, SLOWEST, Typed};
use treemind_replay::view::protocol::{
    Ask, Fits, Makeable, Message, Send, Stretch, TestAsk, Tried, Write,
};
use treemind_replay::view::steps;

/// How far a page may have a game played beyond the last tick that was played, in ticks.
const MOST_AHEAD: u64 = 100_000;

/// How many nodes a page may show others that it has chosen.
const MOST_CHOSEN: usize = 1000;

impl Playback {
    /// Takes in what a page asks that looks at it.
    pub(in super::super) fn hear(&mut self, ask: Ask, page: &Page) {
        let done = match ask {
            Ask::Set(Write {
                mind,
                key: name,
                value: text,
            }) => self.write(mind, |show| show.give(mind, Typed::Key { name, text })),
            Ask::Send(Send {
                mind,
                event: name,
                values: texts,
            }) => self.write(mind, |show| show.give(mind, Typed::Event { name, texts })),
            Ask::Hold(Write { mind, key, value }) => {
                self.write(mind, |show| show.hold(mind, &key, Some(&value)))
            }
            Ask::Release { mind, key } => self.write(mind, |show| show.hold(mind, &key, None)),
            Ask::Break(ask) => match self.show.behaviour(ask.mind) {
                Some(behaviour) => self.breakpoints.set(ask, behaviour),
                None => Err(no_agent()),
            },
            Ask::Unbreak { id } => {
                self.breakpoints.remove(id);
                Ok(())
            }
            Ask::Answer {
                leaf,
                answers,
                is_random,
            } => self.write(0, |show| show.answer(&leaf, &answers, is_random)),
            Ask::Fits { spot } => {
                let fits = self.show.fits(spot).unwrap_or_else(|why| Fits {
                    spot,
                    fits: Vec::new(),
                    why: Some(why),
                });
                page.send(text_of(&Message::Fits(fits)));
                return;
            }
            Ask::Try { nth, edit } => {
                let why = self.show.may_edit(&edit).err();
                page.send(text_of(&Message::Tried(Tried { nth, why })));
                return;
            }
            Ask::Edit { .. } | Ask::Map { .. } | Ask::Advise { .. } if !page.may_edit() => {
                Err(no_token())
            }
            Ask::Advise { wanted } => match self.show.advise(&wanted) {
                Ok(advice) => {
                    page.send(text_of(&Message::Advice(advice)));
                    return;
                }
                Err(why) => Err(why),
            },
            Ask::Complete { nth, caret } => match self.show.complete(nth, &caret) {
                Ok(found) => {
                    page.send(text_of(&Message::Completions(Box::new(found))));
                    return;
                }
                Err(why) => Err(why),
            },
            Ask::Hover { nth, caret } => match self.show.hover(nth, &caret) {
                Ok(found) => {
                    page.send(text_of(&Message::Hover(found)));
                    return;
                }
                Err(why) => Err(why),
            },
            Ask::Chosen { ids } if ids.len() > MOST_CHOSEN => {
                Err(said!("`chosen` has at most 1000 `ids`"))
            }
            Ask::Chosen { ids } => {
                self.choose(ids, page);
                Ok(())
            }
            Ask::Edit { edit } => {
                let (name, chosen) = (page.name(), self.chosen_by(page));
                let (name, chosen) = (name.as_str(), &chosen[..]);
                self.show.edit(&edit, Author { name, chosen })
            }
            Ask::Map { edit } => self.show.edit_map(&edit, &page.name()),
            Ask::Test {
                test: TestAsk::Try { of },
            } => {
                let why = self.show.may_make(&of).err();
                let Stretch { mind, from, to, .. } = of;
                page.send(text_of(&Message::Makeable(Makeable {
                    mind,
                    from,
                    to,
                    why,
                })));
                return;
            }
            Ask::Test { test } => {
                let (name, chosen) = (page.name(), self.chosen_by(page));
                let (name, chosen) = (name.as_str(), &chosen[..]);
                let by = page.may_edit().then_some(Author { name, chosen });
                self.show.test(&test, by)
            }
            Ask::Again => self.play_again(page),
            Ask::Event { by, mind } => self.step_event(by, mind, page),
            ask => self.steer(&ask, page),
        };
        if let Err(why) = done {
            refuse(page, why);
        }
        self.next = Instant::now();
        self.turn();
    }

    /// Writes a key of an agent, or holds or releases it.
    fn write(
        &mut self,
        mind: usize,
        write: impl FnOnce(&mut dyn Show) -> Result<(), Said>,
    ) -> Result<(), Said> {
        if mind >= self.show.minds() {
            return Err(no_agent());
        }
        write(&mut *self.show)?;
        // What was played after this tick is another course now.
        self.breakpoints.forget_after(self.show.course().tick);
        Ok(())
    }

    /// Plays, pauses, goes somewhere.
    fn steer(&mut self, ask: &Ask, page: &Page) -> Result<(), Said> {
        self.event = None;
        self.breakpoints.go_on();
        self.take_lead();
        match *ask {
            Ask::Play => {
                self.is_paused = false;
                let course = self.show.course();
                self.follows = course.tick >= course.last;
            }
            Ask::Pause => (self.is_paused, self.goal) = (true, None),
            Ask::Follow => (self.is_paused, self.follows, self.goal) = (false, true, None),
            Ask::Step if self.is_at_end_of_controlled() => {
                // The game makes the tick, and it is shown as soon as it is there.
                (self.is_paused, self.follows, self.goal) = (true, true, None);
                self.wants_tick = true;
            }
            Ask::Step => self.set_off(self.aim().saturating_add(1), Some(page)),
            Ask::Back => self.set_off(self.aim().saturating_sub(1), Some(page)),
            Ask::Go { tick } => {
                let tick = self.within_reach(tick)?;
                self.set_off(tick, Some(page));
            }
            Ask::Speed { factor } if (SLOWEST..=FASTEST).contains(&factor) => self.speed = factor,
            Ask::Speed { .. } => return Err(said!("`speed` needs a `factor` from 0.1 to 64")),
            // The session has answered these, or `hear` has.
            Ask::Word { .. } | Ask::Make { .. } | Ask::Compare { .. } | Ask::Folder { .. } => {}
            Ask::Hello | Ask::Files | Ask::Words | Ask::Preview { .. } | Ask::Look(_) => {}
            Ask::Listen | Ask::Reveal(_) => {}
            Ask::Edit { .. }
            | Ask::Map { .. }
            | Ask::Chosen { .. }
            | Ask::Try { .. }
            | Ask::Advise { .. }
            | Ask::Fits { .. }
            | Ask::Event { .. } => {}
            Ask::Test { .. } | Ask::Again | Ask::Complete { .. } | Ask::Hover { .. } => {}
            Ask::Set(_)
            | Ask::Send(_)
            | Ask::Hold(_)
            | Ask::Release { .. }
            | Ask::Answer { .. } => {}
            Ask::Break(_) | Ask::Unbreak { .. } => {}
        }
        Ok(())
    }

    /// Plays again from this tick with the document as it is now, as far as it was played before.
    fn play_again(&mut self, page: &Page) -> Result<(), Said> {
        let from = self.show.course().tick;
        let (last, change) = self.show.again()?;
        self.breakpoints.forget_after(from);
        self.note(change);
        self.take_lead();
        self.set_off(last, Some(page));
        Ok(())
    }

    /// A tick that a page wants to see, unless the game would have to be played for very long until then.
    fn within_reach(&self, tick: u64) -> Result<u64, Said> {
        let course = self.show.course();
        let most = course.last.saturating_add(MOST_AHEAD);
        match course.is_live || course.end.is_some() || tick <= most {
            true => Ok(tick),
            false => Err(said!(
                "`go` leads at most {} ticks beyond the last tick that was played, {}: from here to tick {}",
                MOST_AHEAD,
                course.last,
                most
            )),
        }
    }

    /// Goes one event of a tick on or back, as one agent sees it.
    fn step_event(&mut self, by: i64, mind: usize, page: &Page) -> Result<(), Said> {
        let is_back = by == -1;
        if !is_back && by != 1 {
            return Err(said!("`event` needs `by`: 1 or -1"));
        }
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
        Ok(())
    }

    /// Goes to the tick before or after this one at once.
    fn finish_jump(&mut self, tick: u64, page: &Page) {
        self.set_off(tick, Some(page));
        while self.goal.is_some() {
            self.run(Instant::now());
        }
    }
}
