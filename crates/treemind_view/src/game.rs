//! What the live view of a game plays: the rounds that are over, back and forth.

use crate::app::Playable;
use crate::draw::{Hits, Screen, block};
use crate::record::{Desk, Tape, track};
use crate::rounds::{Line, Rounds, Who};
use crate::scene::{LogLine, Scene};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;
use std::borrow::Cow;
use std::time::Duration;
use treemind_core::{NodeId, Population, PopulationId};
use treemind_explain::Language;
use treemind_replay::follow::{FEW, FaultsSoFar, Follower, Tone};
use treemind_replay::history::{History, ReplayError, Store as _, Track};

/// How many bytes the tapes and the rounds may take that are kept.
const MOST_BYTES: usize = 64 << 20;
/// How many agents are listed at most, apart from those that the user asks for.
const MOST_MINDS: usize = 200;
/// How many agents of each tape are followed closely in any case, with reasons, keys and log. Of the others it is known what
/// they do.
const CLOSE_MINDS: usize = 20;
/// The least width of the panel, so that the agents below it have room.
const LEAST_WIDTH: u16 = 34;

/// Something that is watched, as long as its tape is whole.
struct Reel {
    /// The number of what is watched.
    number: usize,
    name: String,
    tape: Tape,
    /// The first tick of the view that it has something of.
    from: u64,
    /// None if it cannot be played, or nothing of it is shown any more.
    history: Option<History<Tape>>,
    faults: FaultsSoFar,
}

impl Reel {
    fn population(&self, nth: usize) -> Option<(PopulationId, &Population)> {
        let history = self.history.as_ref()?;
        let (_, agent) = history.roster().place(nth)?;
        history.population(nth).filter(|(_, one)| agent < one.len())
    }

    fn is_alive(&self, nth: usize) -> bool {
        let place = self
            .history
            .as_ref()
            .and_then(|one| one.roster().place(nth));
        let there = place.zip(self.population(nth));
        there.is_some_and(|((_, agent), (_, population))| population.is_alive(agent))
    }

    /// Plays up to a tick. If it is for the first time, takes down what happens, and how many faults there are.
    fn play(
        &mut self,
        to: u64,
        mut told: Option<&mut (Vec<Line>, u64)>,
    ) -> Result<(), ReplayError> {
        let Some(history) = &mut self.history else {
            return Ok(());
        };
        if history.tick() > to {
            history.seek(to)?;
        }
        while history.tick() < to && history.step()? {
            if let Some((lines, faults)) = &mut told {
                *faults += tell(self.number, history, &mut self.faults, lines);
            }
        }
        Ok(())
    }
}

/// Takes down what happened in the tick that was just played; returns how many faults there were.
fn tell(
    number: usize,
    history: &History<Tape>,
    so_far: &mut FaultsSoFar,
    lines: &mut Vec<Line>,
) -> u64 {
    let mut line = |tone, nth: Option<usize>, text: String| {
        let who = nth.map(|nth| (number, nth));
        lines.push(Line { tone, who, text });
    };
    for (nth, tone, words) in history.told() {
        line(tone, Some(nth), words.written(Language::English));
    }
    let messages = history.played().map_or(&[][..], |played| &played.messages);
    for (id, message) in messages {
        let nth = history.roster().number(*id, message.agent);
        if nth.is_none_or(|nth| history.follower(nth).is_none()) {
            line(Tone::Calm, nth, message.text.clone());
        }
    }
    let mut faults = 0;
    for (id, fresh) in so_far.take_in(history.stage()) {
        faults += fresh.total();
        for fault in fresh.kept() {
            let nth = history.roster().number(id, fault.agent);
            line(Tone::Fault, nth, format!("{}: {}", fault.label, fault.kind));
        }
    }
    faults
}

/// The rounds of a game that are over.
pub(crate) struct Game {
    title: String,
    rounds: Rounds,
    tick: u64,
    /// In the order in which they begin. What is watched begins again when ticks of it are missing.
    reels: Vec<Reel>,
    /// The agents that are listed, whether or not they are there at this tick; then those that are.
    seats: Vec<Who>,
    there: Vec<Who>,
    most_bytes: usize,
    is_waiting: bool,
}

impl Game {
    /// A game that has played no round since the view was opened, and its tick.
    pub(crate) fn new(tick: u64, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            rounds: Rounds::new(tick),
            tick,
            reels: Vec::new(),
            seats: Vec::new(),
            there: Vec::new(),
            most_bytes: MOST_BYTES,
            is_waiting: false,
        }
    }

    /// How many rounds there were so far.
    pub(crate) fn ticks_so_far(&self) -> u64 {
        self.rounds.count()
    }

    /// Takes over the round that the game has played.
    pub(crate) fn push(&mut self, desk: &mut Desk) {
        let mut round = std::mem::take(&mut desk.round);
        let from = self.rounds.ticks().1 + 1;
        for (number, tape) in std::mem::take(&mut round.tapes) {
            self.reels.push(Reel {
                number,
                name: desk.names[number].clone(),
                tape,
                from,
                history: None,
                faults: FaultsSoFar::default(),
            });
        }
        let share = self.most_bytes / (self.reels.len() + 1);
        let last = self.reels.iter().map(|reel| {
            track(&reel.tape).limit(share);
            reel.tape.ticks().map_or(0, |(_, last)| last)
        });
        let ticks = last.collect();
        self.rounds.push(round, ticks);
        self.forget(share);
        self.is_waiting = false;
        let is_lost = |reel: &&Reel| reel.history.is_none() && reel.from < from;
        let lost = (0..self.reels.len()).filter(|nth| self.is_on(*nth, from));
        let lost = lost.map(|nth| &self.reels[nth]).filter(is_lost);
        desk.lost = lost.map(|reel| reel.number).collect();
    }

    /// Forgets rounds of which too little is left, or that take too much.
    fn forget(&mut self, most_bytes: usize) {
        loop {
            let (first, _) = self.rounds.ticks();
            let Some(round) = self.rounds.get(first) else {
                return;
            };
            let is_gone = |(nth, last): (usize, &u64)| {
                let ticks = self.is_on(nth, first).then(|| self.reels[nth].tape.ticks());
                ticks.flatten().is_some_and(|(first, _)| first > *last)
            };
            let is_over =
                self.rounds.bytes > most_bytes || round.ticks.iter().enumerate().any(is_gone);
            if !is_over || !self.rounds.forget_first() {
                break;
            }
        }
        let (first, _) = self.rounds.ticks();
        for nth in 0..self.reels.len() {
            if self.reels[nth].from <= first && !self.is_on(nth, first) {
                self.reels[nth].history = None;
                *track(&self.reels[nth].tape) = Track::new(0);
            }
        }
    }

    /// Whether this is the tape of what is watched at a tick.
    fn is_on(&self, nth: usize, tick: u64) -> bool {
        let of = |reel: &&Reel| reel.number == self.reels[nth].number && reel.from <= tick;
        let later = self.reels[nth + 1..].iter().find(of);
        self.reels[nth].from <= tick && later.is_none()
    }

    /// The tape of what is watched at the tick that is shown.
    fn reel(&self, number: usize) -> Option<&Reel> {
        let mut reels = self.reels.iter().rev();
        reels.find(|reel| reel.number == number && reel.from <= self.tick)
    }

    /// What is shown, in order.
    fn reels(&self) -> impl Iterator<Item = &Reel> {
        let on = (0..self.reels.len()).filter(|nth| self.is_on(*nth, self.tick));
        on.map(|nth| &self.reels[nth])
    }

    /// Begins to play a tape.
    fn begin(&mut self, nth: usize) {
        let reel = &mut self.reels[nth];
        match History::at_begin(Tape::clone(&reel.tape)) {
            Ok(history) => {
                let history = history.named(&reel.name).without_timelines();
                reel.history = Some(history.following(CLOSE_MINDS));
            }
            Err(error) => self.lose(nth, &error),
        }
    }

    /// Plays a tape up to a tick. If it is for the first time, takes down what happens, and how many faults there are.
    fn play(&mut self, nth: usize, to: u64, told: Option<&mut (Vec<Line>, u64)>) {
        let reel = &mut self.reels[nth];
        match reel.play(to, told) {
            Ok(()) => self.seat(nth),
            Err(error) => self.lose(nth, &error),
        }
    }

    /// A tape cannot be played on.
    fn lose(&mut self, nth: usize, error: &ReplayError) {
        let reel = &mut self.reels[nth];
        reel.history = None;
        let text = format!("{} cannot be shown any more: {error}", reel.name);
        self.rounds.tell_fault(self.tick, text);
    }

    /// Lists the agents that have come.
    fn seat(&mut self, nth: usize) {
        let reel = &self.reels[nth];
        let all = reel.history.as_ref().map_or(0, |one| one.roster().len());
        let number = reel.number;
        let own = self.seats.iter().filter(|who| who.0 == number).count();
        if own == all || self.seats.len() >= MOST_MINDS {
            return;
        }
        for nth in 0..all.min(MOST_MINDS) {
            let who = (number, nth);
            let is_new = !self.seats.contains(&who) && reel.is_alive(nth);
            if is_new && self.seats.len() < MOST_MINDS {
                self.seats.push(who);
            }
        }
    }

    /// Another tick is shown.
    fn arrive(&mut self, tick: u64) {
        self.tick = tick;
        let seats = self.seats.iter().copied();
        self.there = seats
            .filter(|who| self.population_of(*who).is_some())
            .collect();
    }

    fn history_of(&self, (number, _): Who) -> Option<&History<Tape>> {
        self.reel(number)?.history.as_ref()
    }

    fn population_of(&self, (number, nth): Who) -> Option<&Population> {
        let (_, population) = self.reel(number)?.population(nth)?;
        Some(population)
    }

    fn name_of(&self, who: Who) -> String {
        let history = self.history_of(who);
        history.map_or_else(String::new, |history| history.name(who.1))
    }

    /// The agents that are there, in a few words.
    pub(crate) fn listed(&self) -> String {
        let few = self.there.iter().take(CLOSE_MINDS);
        let few: Vec<String> = few.map(|who| self.name_of(*who)).collect();
        match self.there.len() {
            0 => "there are none".to_owned(),
            count if count <= few.len() => format!("there are `{}`", few.join("`, `")),
            _ => format!("there are `{}` and more", few.join("`, `")),
        }
    }

    /// The agent with a name, or a number from 1 over all that is watched.
    fn who(&self, wanted: &str) -> Option<Who> {
        let all = self.reels().flat_map(|reel| {
            let count = reel.history.as_ref().map_or(0, |one| one.roster().len());
            let there = (0..count).filter(|nth| reel.population(*nth).is_some());
            there.map(|nth| (reel.number, nth))
        });
        let all: Vec<Who> = all.collect();
        let number = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let named = all.iter().find(|who| self.name_of(**who) == wanted);
        let who = named.or_else(|| all.get(number?)).copied()?;
        self.reel(who.0)?.is_alive(who.1).then_some(who)
    }

    /// The lines of the log for a view of one agent.
    fn lines_of(&self, mind: usize) -> impl Iterator<Item = (u64, &Line)> {
        let chosen = self.there.get(mind).copied();
        let has_few = self.there.len() <= FEW;
        self.rounds.lines(self.tick).filter(move |(_, line)| {
            has_few || line.who.is_none() || line.who == chosen || line.tone == Tone::Fault
        })
    }

    /// The lines of the last tick.
    pub(crate) fn fresh(&self) -> &[Line] {
        let round = self.rounds.get(self.tick);
        round.map_or(&[], |round| &round.lines)
    }
}

impl Playable for Game {
    fn scene(&self) -> &dyn Scene {
        self
    }

    fn step(&mut self) -> bool {
        let tick = self.tick + 1;
        let Some(round) = self.rounds.get(tick) else {
            self.is_waiting = true;
            return false;
        };
        let ticks = round.ticks.clone();
        let is_new = self.rounds.is_new(tick);
        let mut told = (Vec::new(), 0);
        self.tick = tick;
        for (nth, to) in ticks.into_iter().enumerate() {
            if is_new && self.reels[nth].from == tick {
                self.begin(nth);
            }
            self.play(nth, to, is_new.then_some(&mut told));
        }
        if is_new {
            let (mut lines, faults) = told;
            let has_several = self.seats.len() > 1;
            for line in lines.iter_mut().filter(|_| has_several) {
                if let Some(who) = line.who {
                    line.text = format!("{}: {}", self.name_of(who), line.text);
                }
            }
            self.rounds.hear(tick, lines, faults);
        }
        self.arrive(tick);
        true
    }

    fn seek(&mut self, tick: u64) {
        let (first, last) = self.rounds.ticks();
        let tick = tick.clamp(first, last);
        let ticks_at = |game: &Self, tick| {
            game.rounds
                .get(tick)
                .map_or(Vec::new(), |one| one.ticks.clone())
        };
        let mut at = tick;
        for (nth, to) in ticks_at(self, tick).into_iter().enumerate() {
            let is_on = self.is_on(nth, tick);
            let Some(history) = self.reels[nth].history.as_mut().filter(|_| is_on) else {
                continue;
            };
            match history.seek(to) {
                Ok(()) => at = at.min(self.rounds.tick_of(nth, history.tick(), tick)),
                Err(error) => self.lose(nth, &error),
            }
        }
        // One may be further than another, or nearer its begin than what is kept of it.
        for (nth, to) in ticks_at(self, at).into_iter().enumerate() {
            if self.is_on(nth, at) {
                self.play(nth, to, None);
            }
        }
        self.arrive(at);
    }

    fn period(&self) -> Duration {
        self.rounds.dt
    }

    fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    fn find(&mut self, wanted: &str) -> Option<usize> {
        let who = self.who(wanted)?;
        if !self.seats.contains(&who) {
            self.seats.push(who);
            self.arrive(self.tick);
        }
        self.there.iter().position(|known| *known == who)
    }

    fn shows(&mut self, mind: usize) {
        let Some((number, agent)) = self.there.get(mind).copied() else {
            return;
        };
        let is_on = |nth: &usize| self.reels[*nth].number == number && self.is_on(*nth, self.tick);
        let nth = (0..self.reels.len()).find(is_on);
        let looked = nth.and_then(|nth| {
            let history = self.reels[nth].history.as_mut()?;
            Some((nth, history.look_at(agent)))
        });
        if let Some((nth, Err(error))) = looked {
            self.lose(nth, &error);
            self.arrive(self.tick);
        }
    }
}

impl Scene for Game {
    fn tick(&self) -> u64 {
        self.tick
    }

    fn secs_at(&self, tick: u64) -> f64 {
        self.rounds.secs_at(tick)
    }

    fn minds(&self) -> usize {
        self.there.len()
    }

    fn agents(&self) -> usize {
        let counts = self.reels().filter_map(|reel| {
            let stage = reel.history.as_ref()?.stage();
            let ids = stage.populations().into_iter();
            let all = ids.filter_map(|id| stage.population(id));
            Some(all.map(|one| (0..one.len()).filter(|agent| one.is_alive(*agent)).count()))
        });
        counts.flatten().sum()
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        let who = self.there[nth];
        self.history_of(who)?.follower(who.1)
    }

    fn name(&self, nth: usize) -> Cow<'_, str> {
        self.name_of(self.there[nth]).into()
    }

    fn action(&self, nth: usize) -> Option<NodeId> {
        let who = self.there[nth];
        self.history_of(who)?.action(who.1)
    }

    fn population(&self, nth: usize) -> &Population {
        let population = self.population_of(self.there[nth]);
        population.expect("who is there has a population")
    }

    fn log_len(&self, mind: usize) -> usize {
        self.lines_of(mind).count()
    }

    fn log_line(&self, nth: usize, mind: usize) -> LogLine<'_> {
        let (tick, line) = self.lines_of(mind).nth(nth).expect("there are so many");
        let chosen = self.there.get(mind).copied();
        LogLine {
            tick,
            tone: line.tone,
            text: &line.text,
            is_own: self.there.len() > 1 && line.who.is_some() && line.who == chosen,
        }
    }

    fn faults(&self) -> u64 {
        self.rounds.get(self.tick).map_or(0, |round| round.faults)
    }

    fn panel_size(&self, _: Rect) -> Option<(u16, u16)> {
        let (wide, high) = self.rounds.panel_size;
        let wide = wide.saturating_add(2).max(LEAST_WIDTH);
        (high > 0).then_some((wide, high.saturating_add(2)))
    }

    fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, _: &mut Hits) {
        let block = block(&format!(" {} ", self.title), screen.look.theme);
        let round = self.rounds.get(self.tick);
        let panel = round.map_or_else(Default::default, |round| (*round.panel).clone());
        frame.render_widget(Paragraph::new(panel).block(block), area);
    }
}

#[cfg(test)]
mod tests;
