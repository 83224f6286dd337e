//! What each mind has done so far, for the timeline.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use treemind_core::Behaviour;
use treemind_watch::{Mind, Tone};

/// How many entries of each lane are kept.
const MOST_KEPT: usize = 20_000;

/// A stretch of ticks in which something stayed the same.
#[derive(Clone, Debug)]
struct Bar {
    from: u64,
    to: u64,
    text: String,
}

/// What one mind has done.
#[derive(Clone, Debug, Default)]
struct Reel {
    /// The last tick that is noted.
    noted: u64,
    does: Vec<Bar>,
    states: Vec<Bar>,
    /// For each key its values, each as a stretch.
    keys: Vec<Vec<Bar>>,
    /// What happened to it, with the tick and the tone.
    events: Vec<(u64, &'static str, String)>,
}

/// What a mind did in a tick.
#[derive(Debug)]
pub struct Note<'a> {
    /// The number of the mind.
    pub nth: usize,
    /// The mind, after the tick.
    pub mind: &'a Mind,
    /// What it follows.
    pub behaviour: &'a Behaviour,
    /// What happened to it, with the tone.
    pub events: Vec<(Tone, String)>,
}

/// What minds have done. A tick that is played again is the same, so it is noted once.
#[derive(Clone, Debug, Default)]
pub struct Film {
    minds: BTreeMap<usize, Reel>,
    last: u64,
}

impl Film {
    /// Notes what a mind did in a tick.
    pub fn note(&mut self, tick: u64, note: Note<'_>) {
        self.last = self.last.max(tick);
        let reel = self.minds.entry(note.nth).or_default();
        if tick <= reel.noted {
            return;
        }
        reel.noted = tick;
        let marks = note.mind.marks();
        let does = marks.doing(note.behaviour).unwrap_or("");
        extend(&mut reel.does, tick, does);
        extend(&mut reel.states, tick, &marks.active_states(note.behaviour));
        reel.keys.resize_with(note.mind.keys().len(), Vec::new);
        for (lane, key) in reel.keys.iter_mut().zip(note.mind.keys()) {
            extend(lane, tick, &key.value);
        }
        for (tone, text) in note.events {
            reel.events.push((tick, word_for(tone), text));
        }
        trim(&mut reel.events);
    }

    /// Forgets what the minds did that are not wanted.
    pub fn keep(&mut self, is_wanted: impl Fn(usize) -> bool) {
        self.minds.retain(|nth, _| is_wanted(*nth));
    }

    /// Forgets what was played after a tick, and the values of all keys: from then on, another document plays, whose keys
    /// may be others.
    pub fn turn(&mut self, tick: u64) {
        self.last = tick;
        for reel in self.minds.values_mut() {
            reel.noted = tick;
            cut(&mut reel.does, tick);
            cut(&mut reel.states, tick);
            reel.keys.clear();
            reel.events.retain(|(at, ..)| *at <= tick);
        }
    }

    /// The last tick that was played.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// What a mind did from a tick on.
    pub fn since(&self, mind: usize, tick: u64) -> Value {
        let Some(reel) = self.minds.get(&mind) else {
            return Value::Null;
        };
        let bars = |bars: &[Bar]| -> Value {
            let first = bars.partition_point(|bar| bar.to < tick);
            let bars = bars[first..].iter();
            bars.map(|bar| json!([bar.from, bar.to, bar.text]))
                .collect()
        };
        let keys: Vec<Value> = reel.keys.iter().map(|lane| bars(lane)).collect();
        let first = reel.events.partition_point(|(at, ..)| *at < tick);
        let events = reel.events[first..].iter();
        let events: Vec<Value> = events
            .map(|(at, tone, text)| json!([at, tone, text]))
            .collect();
        json!({
            "since": tick,
            "to": self.last,
            "does": bars(&reel.does),
            "states": bars(&reel.states),
            "keys": keys,
            "events": events,
        })
    }
}

fn word_for(tone: Tone) -> &'static str {
    match tone {
        Tone::Calm => "calm",
        Tone::Notice => "notice",
        Tone::Fight => "fight",
        Tone::Fault => "fault",
    }
}

fn extend(bars: &mut Vec<Bar>, tick: u64, text: &str) {
    match bars.last_mut() {
        Some(bar) if bar.text == text => bar.to = tick,
        _ => bars.push(Bar {
            from: tick,
            to: tick,
            text: text.to_owned(),
        }),
    }
    trim(bars);
}

/// Forgets what was after a tick.
fn cut(bars: &mut Vec<Bar>, tick: u64) {
    bars.retain(|bar| bar.from <= tick);
    if let Some(bar) = bars.last_mut() {
        bar.to = bar.to.min(tick);
    }
}

/// Forgets the oldest half when there is too much.
fn trim<T>(kept: &mut Vec<T>) {
    if kept.len() > MOST_KEPT {
        kept.drain(..MOST_KEPT / 2);
    }
}
