//! What each mind has done so far, for the timeline.

use super::super::player::Player;
use serde_json::{Value, json};
use treemind_core::Kind;
use treemind_watch::Tone;

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
    does: Vec<Bar>,
    states: Vec<Bar>,
    /// For each key its values, each as a stretch.
    keys: Vec<Vec<Bar>>,
    /// What happened to it, with the tick and the tone.
    events: Vec<(u64, &'static str, String)>,
}

/// What all minds have done. A tick that is played again is the same, so it is noted once.
#[derive(Clone, Debug, Default)]
pub(super) struct Film {
    minds: Vec<Reel>,
    last: u64,
}

impl Film {
    /// Notes what a player did in its last tick.
    pub(super) fn note(&mut self, player: &Player) {
        let tick = player.tick();
        if tick <= self.last && !self.minds.is_empty() {
            return;
        }
        self.last = tick;
        self.minds.resize_with(player.minds().len(), Reel::default);
        for (nth, reel) in self.minds.iter_mut().enumerate() {
            let mind = &player.minds()[nth];
            extend(&mut reel.does, tick, doing(player, nth));
            extend(&mut reel.states, tick, &states(player, nth));
            reel.keys.resize_with(mind.keys().len(), Vec::new);
            for (lane, key) in reel.keys.iter_mut().zip(mind.keys()) {
                extend(lane, tick, &key.value);
            }
            let who = mind.who();
            for line in player.fresh() {
                if line.who == who || line.who.is_none() {
                    let tone = match line.tone {
                        Tone::Calm => "calm",
                        Tone::Notice => "notice",
                        Tone::Fight => "fight",
                        Tone::Fault => "fault",
                    };
                    reel.events.push((line.tick, tone, line.text.clone()));
                }
            }
            trim(&mut reel.events);
        }
    }

    /// Forgets what was played after a tick, and the values of all keys: from then on, another document plays, whose keys
    /// may be others.
    pub(super) fn turn(&mut self, tick: u64) {
        self.last = tick;
        for reel in &mut self.minds {
            cut(&mut reel.does, tick);
            cut(&mut reel.states, tick);
            reel.keys.clear();
            reel.events.retain(|(at, ..)| *at <= tick);
        }
    }

    /// The last tick that was played.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// What a mind did from a tick on.
    pub(super) fn since(&self, mind: usize, tick: u64) -> Value {
        let Some(reel) = self.minds.get(mind) else {
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

/// What a mind does: its action, or the innermost running node with a name.
fn doing(player: &Player, nth: usize) -> &str {
    let (behaviour, marks) = (player.behaviour(nth), player.minds()[nth].marks());
    let below = behaviour
        .node_ids()
        .filter(|node| *node != behaviour.root());
    let running = below.filter(|node| marks.is_running(*node));
    let named = running.filter_map(|node| behaviour.node(node).name.as_deref());
    player.doing(nth).or_else(|| named.last()).unwrap_or("")
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

/// The innermost active states of a mind whose root is a machine.
fn states(player: &Player, nth: usize) -> String {
    let behaviour = player.behaviour(nth);
    let root = behaviour.root();
    let Kind::Machine(machine) = &behaviour.node(root).kind else {
        return String::new();
    };
    let marks = player.minds()[nth].marks();
    let states = 0..machine.states.len();
    let active = states.filter(|state| machine.is_atomic(*state) && marks.is_active(root, *state));
    let paths: Vec<String> = active
        .map(|state| machine.path(state).join(" › "))
        .collect();
    paths.join(" + ")
}
