//! Keys that pages hold: they are written before each tick, whatever else writes them.

use super::{no_key, value_for};
use crate::view::protocol::Held;
use std::sync::Arc;
use treemind_core::{KeyId, Program, Value};
use treemind_doc::Said;

/// A key and the value that it holds, in whichever program has it.
#[derive(Clone, Debug)]
pub struct Hold {
    key: String,
    text: String,
    /// Where the program is that it was looked up in last, and what was found there.
    found: (usize, Option<(KeyId, Value)>),
}

impl Hold {
    /// Looks a key up in a program, and reads a value for it, from a text as documents have it.
    ///
    /// # Errors
    /// Why it cannot be held, in a sentence.
    pub fn new(program: &Arc<Program>, key: &str, text: &str) -> Result<Self, Said> {
        let behaviour = program.behaviour();
        let id = behaviour.key_id(key);
        let id = id.ok_or_else(|| no_key(key))?;
        let value = value_for(behaviour, id, text)?;
        Ok(Self {
            key: key.to_owned(),
            text: text.to_owned(),
            found: (Arc::as_ptr(program) as usize, Some((id, value))),
        })
    }

    /// What to write in a program; `None` if its key is another one by now, or is not there.
    pub fn write_in(&mut self, program: &Arc<Program>) -> Option<(KeyId, Value)> {
        let place = Arc::as_ptr(program) as usize;
        if self.found.0 != place {
            let again = Self::new(program, &self.key, &self.text);
            self.found = (place, again.ok().and_then(|one| one.found.1));
        }
        self.found.1
    }

    /// The name of the key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// As a page has it, for an agent.
    pub fn shown(&self, mind: usize) -> Held {
        Held {
            mind,
            key: self.key.clone(),
            value: self.text.clone(),
        }
    }
}

/// From when to when an agent's key is held.
#[derive(Clone, Debug)]
struct Span {
    mind: usize,
    hold: Hold,
    /// The last tick before it.
    from: u64,
    /// The last tick of it, if it is over.
    until: Option<u64>,
}

/// The keys that were held in a game that can go back: from a tick on, until another one.
#[derive(Clone, Debug, Default)]
pub struct Holds(Vec<Span>);

impl Holds {
    /// After this tick, an agent's key is held, or no longer.
    pub fn change(&mut self, tick: u64, mind: usize, key: &str, hold: Option<Hold>) {
        self.forget_after(tick);
        for one in &mut self.0 {
            if one.mind == mind && one.hold.key == key && one.until.is_none() {
                one.until = Some(tick);
            }
        }
        self.0.extend(hold.map(|hold| Span {
            mind,
            hold,
            from: tick,
            until: None,
        }));
    }

    /// Forgets what was held or released after a tick: from then on, it is another course.
    pub fn forget_after(&mut self, tick: u64) {
        self.0.retain(|one| one.from <= tick);
        for one in &mut self.0 {
            one.until = one.until.filter(|until| *until <= tick);
        }
    }

    /// The keys that are held after a tick, each with its agent.
    pub fn after(&mut self, tick: u64) -> impl Iterator<Item = (usize, &mut Hold)> {
        let all = self.0.iter_mut();
        let all = all.filter(move |one| is_held(one, tick));
        all.map(|one| (one.mind, &mut one.hold))
    }

    /// The same, as a page has them.
    pub fn shown(&self, tick: u64) -> Vec<Held> {
        let all = self.0.iter().filter(|one| is_held(one, tick));
        all.map(|one| one.hold.shown(one.mind)).collect()
    }
}

fn is_held(one: &Span, tick: u64) -> bool {
    one.from <= tick && one.until.is_none_or(|until| tick < until)
}
