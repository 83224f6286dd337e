//! What each mind has done so far, for the timeline.

mod shares;

use super::{Follower, Mark, Marks, Tone};
use crate::view::protocol::{self, Film, Happened, Lanes, Past};
use shares::Shares;
use std::collections::BTreeMap;
use treemind_core::{Behaviour, PopulationId};
use treemind_explain::{Language, Words};

/// How many entries of each lane are kept.
const MOST_KEPT: usize = 20_000;
/// How many bytes all lanes may take; then the oldest half of each is forgotten.
const TIMELINE_BYTES: usize = 32 << 20;
/// How many bytes an event takes, about: a sentence with a name and a value.
const EVENT_BYTES: usize = 200;
/// The past is not filled in any further when a lane has so many.
const MOST_FILLED: usize = MOST_KEPT / 2;
/// Of how many stretches that were filled in is known when that was.
const MOST_FILLS: usize = 256;

/// A stretch of ticks in which something stayed the same.
#[derive(Clone, Debug)]
struct Bar {
    from: u64,
    to: u64,
    text: String,
    /// Whether what went on then was cut off at its end.
    is_cut: bool,
}

impl Bar {
    fn shown(&self) -> protocol::Bar {
        protocol::Bar {
            from: self.from,
            to: self.to,
            text: self.text.clone(),
            is_cut: self.is_cut,
        }
    }
}

/// What one mind has done.
#[derive(Clone, Debug, Default)]
struct Reel {
    /// The ticks that are noted: stretches from one tick to another, in order. Between them is what nobody has looked at.
    known: Vec<(u64, u64)>,
    does: Vec<Bar>,
    states: Vec<Bar>,
    /// The plans of its planners; empty if it has none.
    plans: Vec<Bar>,
    /// The names of all keys that it has had, and for each its values, each as a stretch.
    names: Vec<String>,
    keys: Vec<Vec<Bar>>,
    /// What happened to it, with the tick and the tone.
    events: Vec<(u64, Tone, Words)>,
    /// How often a stretch was filled in, and the last of them.
    fills: u64,
    filled: Vec<(u64, u64)>,
}

impl Reel {
    /// The last tick that is noted.
    fn noted(&self) -> u64 {
        self.known.last().map_or(0, |(_, last)| *last)
    }

    /// Takes down that a stretch is known.
    fn know(&mut self, from: u64, to: u64) {
        let at = self.known.partition_point(|(begin, _)| *begin < from);
        self.known.insert(at, (from, to));
        self.known.dedup_by(|next, before| {
            let touches = before.1.saturating_add(1) >= next.0;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
    }

    /// Whether nothing is known of a stretch.
    fn is_blank(&self, (from, to): (u64, u64)) -> bool {
        let mut known = self.known.iter();
        known.all(|(begin, end)| *end < from || to < *begin)
    }

    /// The last stretch behind the tick `first` that is not known, though later ticks are.
    fn gap(&self, first: u64) -> Option<(u64, u64)> {
        let lanes = [&self.does, &self.states, &self.plans]
            .into_iter()
            .chain(&self.keys);
        if lanes.map(Vec::len).max() >= Some(MOST_FILLED) || self.events.len() >= MOST_FILLED {
            return None;
        }
        let mut later: Option<u64> = None;
        for (begin, end) in self.known.iter().rev() {
            if let Some(later) = later.filter(|later| later - 1 > *end.max(&first)) {
                return Some((*end.max(&first) + 1, later - 1));
            }
            later = Some(*begin);
        }
        let later = later.filter(|later| later - 1 > first)?;
        Some((first + 1, later - 1))
    }

    /// Fills in a stretch of which nothing was known.
    fn fill(&mut self, fresh: Reel, (from, to): (u64, u64)) {
        self.know(from, to);
        splice(&mut self.does, fresh.does);
        splice(&mut self.states, fresh.states);
        splice(&mut self.plans, fresh.plans);
        for (name, lane) in fresh.names.iter().zip(fresh.keys) {
            splice(self.key(name), lane);
        }
        let at = self.events.partition_point(|(tick, ..)| *tick < from);
        self.events.splice(at..at, fresh.events);
        self.fills += 1;
        self.filled.push((from, to));
        if self.filled.len() > MOST_FILLS {
            self.filled.remove(0);
        }
    }

    /// From the first tick to the last of what was filled in after so many times; `None` if that is not known any more.
    fn filled_after(&self, times: u64) -> Option<(u64, u64)> {
        let fresh = usize::try_from(self.fills.checked_sub(times)?).ok()?;
        let first = self.filled.len().checked_sub(fresh)?;
        let hull = |one: (u64, u64), other: (u64, u64)| (one.0.min(other.0), one.1.max(other.1));
        self.filled[first..].iter().copied().reduce(hull)
    }

    /// The lane of a key.
    fn key(&mut self, name: &str) -> &mut Vec<Bar> {
        let place = self.names.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.keys.push(Vec::new());
            self.names.len() - 1
        });
        &mut self.keys[place]
    }

    /// How many bytes the lanes take.
    fn bytes(&self) -> usize {
        let lanes = [&self.does, &self.states, &self.plans]
            .into_iter()
            .chain(&self.keys);
        let bars = lanes.flatten().map(|bar| bar_bytes(&bar.text));
        bars.sum::<usize>() + self.events.len() * EVENT_BYTES
    }

    /// Forgets the oldest half of each lane.
    fn halve(&mut self) {
        let lanes = [&mut self.does, &mut self.states, &mut self.plans].into_iter();
        for lane in lanes.chain(&mut self.keys) {
            lane.drain(..lane.len() / 2);
            lane.shrink_to_fit();
        }
        self.events.drain(..self.events.len() / 2);
        self.events.shrink_to_fit();
    }

    /// The lanes from a tick on, up to another; of keys those with these names.
    fn lanes(&self, (from, to): (u64, u64), names: &[&str], language: Language) -> Lanes {
        let bars = |bars: &[Bar]| -> Vec<protocol::Bar> {
            let first = bars.partition_point(|bar| bar.to < from);
            let bars = bars[first..].iter().take_while(|bar| bar.from <= to);
            bars.map(Bar::shown).collect()
        };
        let keys = names.iter().enumerate().map(|(nth, name)| {
            // Unless the document has changed, each is in its place.
            let is_here = self.names.get(nth).is_some_and(|known| known == name);
            let place = is_here.then_some(nth);
            let place = place.or_else(|| self.names.iter().position(|known| known == name));
            self.keys.get(place?)
        });
        let first = self.events.partition_point(|(at, ..)| *at < from);
        let events = self.events[first..].iter();
        let events = events.take_while(|(at, ..)| *at <= to);
        Lanes {
            does: bars(&self.does),
            states: bars(&self.states),
            plans: bars(&self.plans),
            keys: keys
                .map(|lane| lane.map_or_else(Vec::new, |lane| bars(lane)))
                .collect(),
            events: events
                .map(|(at, tone, words)| Happened(*at, *tone, words.written(language)))
                .collect(),
        }
    }
}

/// What a mind did in a tick.
#[derive(Debug)]
pub struct Note<'a> {
    /// The number of the mind.
    pub nth: usize,
    /// The mind, after the tick.
    pub mind: &'a Follower,
    /// What it follows.
    pub behaviour: &'a Behaviour,
    /// What happened to it, with the tone.
    pub events: Vec<(Tone, Words)>,
}

/// What minds have done. A tick that is played again is the same, so it is noted once.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    minds: BTreeMap<usize, Reel>,
    last: u64,
    /// Nothing before this tick is noted.
    begin: u64,
    /// How many bytes the lanes take at most.
    bytes: usize,
    /// How many do what, by the numbers of the populations that have many agents.
    shares: BTreeMap<usize, Shares>,
}

impl Timeline {
    /// A timeline that begins with a tick: what was before is not noted.
    pub fn beginning_with(tick: u64) -> Self {
        Self {
            begin: tick,
            ..Self::default()
        }
    }

    /// Notes what a mind did in a tick.
    pub fn note(&mut self, tick: u64, note: Note<'_>) {
        self.last = self.last.max(tick);
        let reel = self.minds.entry(note.nth).or_default();
        if tick <= reel.noted() || tick < self.begin {
            return;
        }
        // What nobody has looked at is not said to be as what was before.
        let follows = reel.noted() + 1 == tick;
        match reel.known.last_mut().filter(|_| follows) {
            Some((_, last)) => *last = tick,
            None => reel.known.push((tick, tick)),
        }
        let (at, bytes) = ((tick, follows), &mut self.bytes);
        let marks = note.mind.marks();
        let does = marks.doing(note.behaviour).unwrap_or("");
        if let Some(before) = reel.does.last_mut().filter(|bar| bar.to + 1 == tick) {
            before.is_cut |= before.text != does && is_cut_off(note.behaviour, marks, &before.text);
        }
        *bytes += extend(&mut reel.does, at, does);
        *bytes += extend(&mut reel.states, at, &marks.active_states(note.behaviour));
        if let Some((plans, has_dropped)) = note.mind.plans_said(note.behaviour) {
            if let Some(before) = reel.plans.last_mut().filter(|bar| bar.to + 1 == tick) {
                before.is_cut |= before.text != plans && has_dropped;
            }
            *bytes += extend(&mut reel.plans, at, &plans);
        }
        let keys = note.behaviour.keys().iter().zip(note.mind.keys());
        for (nth, (key, shown)) in keys.enumerate() {
            let is_here = reel.names.get(nth).is_some_and(|known| *known == key.name);
            let lane = match is_here {
                true => &mut reel.keys[nth],
                false => reel.key(&key.name),
            };
            *bytes += extend(lane, at, &shown.value);
        }
        for (tone, words) in note.events {
            *bytes += EVENT_BYTES;
            reel.events.push((tick, tone, words));
        }
        trim(&mut reel.events);
        trim(&mut reel.known);
        self.limit(TIMELINE_BYTES);
    }

    /// Notes that a mind got another program after a tick: what it did then and does not go on with was cut off.
    pub fn note_change(
        &mut self,
        tick: u64,
        (nth, mind): (usize, &Follower),
        behaviour: &Behaviour,
    ) {
        let Some(reel) = self.minds.get_mut(&nth) else {
            return;
        };
        let marks = mind.marks();
        let does = marks.doing(behaviour).unwrap_or("");
        let of = |lane: &mut Vec<Bar>, now: &str, is_cut: &dyn Fn(&str) -> bool| {
            if let Some(bar) = lane
                .last_mut()
                .filter(|bar| bar.to == tick && bar.text != now)
            {
                bar.is_cut |= !bar.text.is_empty() && (now.is_empty() || is_cut(&bar.text));
            }
        };
        of(&mut reel.does, does, &|label| {
            is_cut_off(behaviour, marks, label)
        });
        let plans = mind.plans_said(behaviour).map(|(plans, _)| plans);
        of(&mut reel.plans, plans.as_deref().unwrap_or(""), &|_| false);
    }

    /// Forgets the oldest half of each lane if all take more than so many bytes.
    fn limit(&mut self, most_bytes: usize) {
        if self.bytes > most_bytes {
            self.bytes = self.minds.values().map(Reel::bytes).sum();
        }
        if self.bytes > most_bytes {
            self.minds.values_mut().for_each(Reel::halve);
            self.bytes = self.minds.values().map(Reel::bytes).sum();
        }
    }

    /// Notes how many of a population did what in a tick: nothing, and each of these actions.
    pub fn note_shares(&mut self, tick: u64, id: PopulationId, told: (&[&str], &[u32])) {
        if tick >= self.begin {
            let shares = self.shares.entry(usize::from(id.number())).or_default();
            shares.note(tick, told);
        }
    }

    /// How many of the population with this number did nothing, and each of these actions, at the ticks from this one on that
    /// are kept; `None` if it has only few agents. Who did what is no action any more counts as one that does nothing.
    pub fn shares(
        &self,
        number: usize,
        since: u64,
        actions: &[&str],
    ) -> Option<Vec<(u64, Vec<u32>)>> {
        Some(self.shares.get(&number)?.since(since, actions))
    }

    /// The last stretch behind the tick `first` of which nothing is known of a mind, though later ticks are known: what
    /// happened before somebody looked at it. There is none when so much is known that more would not be kept.
    pub fn gap(&self, mind: usize, first: u64) -> Option<(u64, u64)> {
        let has_room = self.bytes < TIMELINE_BYTES / 2;
        self.minds.get(&mind)?.gap(first).filter(|_| has_room)
    }

    /// Fills in a stretch of ticks from what was noted when they were played again. Of `mind`
    /// the stretch counts as known then, also if nothing was noted of it.
    pub fn fill(&mut self, mind: usize, stretch: (u64, u64), fresh: Timeline) {
        for (nth, reel) in fresh.minds {
            let own = self.minds.entry(nth).or_default();
            if own.is_blank(stretch) {
                own.fill(reel, stretch);
            }
        }
        self.bytes += fresh.bytes;
        let own = self.minds.entry(mind).or_default();
        if own.is_blank(stretch) {
            own.know(stretch.0, stretch.1);
        }
    }

    /// Forgets what was played after a tick: from then on, it is another course.
    pub fn turn(&mut self, tick: u64) {
        self.last = tick;
        for shares in self.shares.values_mut() {
            shares.turn(tick);
        }
        for reel in self.minds.values_mut() {
            reel.known.retain(|(begin, _)| *begin <= tick);
            if let Some((_, end)) = reel.known.last_mut() {
                *end = tick.min(*end);
            }
            let lanes = [&mut reel.does, &mut reel.states, &mut reel.plans].into_iter();
            lanes.chain(&mut reel.keys).for_each(|lane| cut(lane, tick));
            reel.events.retain(|(at, ..)| *at <= tick);
        }
    }

    /// The last tick that was played.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The names of all keys that a mind has had, also with other documents.
    pub fn key_names(&self, mind: usize) -> Vec<&str> {
        let names = self.minds.get(&mind).into_iter();
        names
            .flat_map(|reel| &reel.names)
            .map(String::as_str)
            .collect()
    }

    /// What a mind did from a tick on, and, in `past`, what was filled in before that after so many times. It has the lanes of
    /// the keys with these names.
    pub fn since(
        &self,
        mind: usize,
        (tick, fills): (u64, u64),
        keys: &[&str],
        language: Language,
    ) -> Option<Film> {
        let reel = self.minds.get(&mind)?;
        let fresh = reel.fills != fills && tick > 0;
        let past = fresh.then(|| reel.filled_after(fills).unwrap_or((0, tick)));
        Some(Film {
            since: tick,
            to: self.last,
            fills: reel.fills,
            lanes: reel.lanes((tick, u64::MAX), keys, language),
            past: past.map(|(from, to)| Past {
                from,
                to,
                lanes: reel.lanes((from, to), keys, language),
            }),
            shares: None,
        })
    }
}

/// Whether something was cut off in the tick of these marks.
fn is_cut_off(behaviour: &Behaviour, marks: &Marks, label: &str) -> bool {
    let mut nodes = behaviour.node_ids();
    nodes.any(|id| marks.get(id) == Mark::Aborted && behaviour.label(id) == label)
}

/// How many bytes a bar with this text takes.
fn bar_bytes(text: &str) -> usize {
    size_of::<Bar>() + text.len()
}

/// Goes on with a lane; `follows` says whether the tick before is known. Returns how many bytes that takes.
fn extend(bars: &mut Vec<Bar>, (tick, follows): (u64, bool), text: &str) -> usize {
    if let Some(bar) = bars
        .last_mut()
        .filter(|bar| follows && bar.text == text && !bar.is_cut)
    {
        bar.to = tick;
        return 0;
    }
    bars.push(Bar {
        from: tick,
        to: tick,
        text: text.to_owned(),
        is_cut: false,
    });
    trim(bars);
    bar_bytes(text)
}

/// Puts a stretch into a lane that has nothing there. What goes on beyond one of its ends becomes one bar.
fn splice(bars: &mut Vec<Bar>, mut fresh: Vec<Bar>) {
    let Some(first) = fresh.first() else { return };
    let at = bars.partition_point(|bar| bar.from < first.from);
    if let (Some(last), Some(next)) = (fresh.last_mut(), bars.get(at))
        && last.to + 1 == next.from
        && last.text == next.text
    {
        (last.to, last.is_cut) = (next.to, next.is_cut);
        bars.remove(at);
    }
    if let Some(before) = at.checked_sub(1).map(|nth| &mut bars[nth])
        && before.to + 1 == fresh[0].from
        && before.text == fresh[0].text
    {
        let joined = fresh.remove(0);
        (before.to, before.is_cut) = (joined.to, joined.is_cut);
    }
    bars.splice(at..at, fresh);
}

/// Forgets what was after a tick.
fn cut(bars: &mut Vec<Bar>, tick: u64) {
    bars.retain(|bar| bar.from <= tick);
    if let Some(bar) = bars.last_mut() {
        bar.is_cut &= bar.to < tick;
        bar.to = bar.to.min(tick);
    }
}

/// Forgets the oldest half when there is too much.
fn trim<T>(kept: &mut Vec<T>) {
    if kept.len() > MOST_KEPT {
        kept.drain(..MOST_KEPT / 2);
    }
}

#[cfg(test)]
mod tests;
