//! What there is to see of a game at a tick, played from the tapes.

use crate::draw::{Hits, Screen, block};
use crate::history::{History, Moment};
use crate::record::Part;
use crate::scene::{LogLine, Scene};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Text;
use ratatui::widgets::Paragraph;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use treemind_core::tape::{Playback, Played as Ticked, TapeError};
use treemind_core::{AgentId, Population, PopulationId, Trace};
use treemind_doc::visible_line;
use treemind_replay::follow::{Fellows, Follower, Tone, changes};
use treemind_replay::observe::Programs;

/// How many agents are followed at most, apart from those that the user asks for.
const MOST_MINDS: usize = 200;
/// How many of them are followed closely, with reasons, keys and log, apart from those that the user asks for. Of the
/// others it is known what they do.
const CLOSE_MINDS: usize = 20;
/// How many lines of the log are kept.
const KEPT_LINES: usize = 10_000;
/// The least width of the panel, so that the agents below it have room.
const LEAST_WIDTH: u16 = 34;

/// A line of the log.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) tick: u64,
    pub(crate) tone: Tone,
    /// The agent that it is about.
    who: Option<Who>,
    pub(crate) text: String,
}

/// An agent: its place among the populations, and its index there.
pub(crate) type Who = (usize, usize);

/// An agent that is followed.
#[derive(Clone)]
struct Seat {
    who: Who,
    mind: Follower,
    /// Another agent may get the same index later.
    id: Option<AgentId>,
    is_close: bool,
}

/// A population: what is watched that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    track: usize,
    id: PopulationId,
}

/// The agents and the panel at a tick. A clone plays on independently.
#[derive(Clone)]
pub(crate) struct Played {
    history: Rc<RefCell<History>>,
    tick: u64,
    /// The agents of all that is watched, from their first tick on.
    tracks: Vec<Option<Playback>>,
    places: Vec<Place>,
    seats: Vec<Seat>,
    /// Whom the user has asked for.
    wanted: Vec<Who>,
    log: VecDeque<Rc<Line>>,
    fresh: usize,
    faults: u64,
    panel: Rc<Text<'static>>,
    title: Rc<str>,
}

impl Played {
    pub(crate) fn new(history: Rc<RefCell<History>>, tick: u64, title: &str) -> Self {
        Self {
            history,
            tick,
            tracks: Vec::new(),
            places: Vec::new(),
            seats: Vec::new(),
            wanted: Vec::new(),
            log: VecDeque::new(),
            fresh: 0,
            faults: 0,
            panel: Rc::default(),
            title: title.into(),
        }
    }

    /// Plays the next round, if it is over. Returns whether it is.
    pub(crate) fn step(&mut self) -> bool {
        let moment = self.history.borrow().moment(self.tick + 1);
        let Some(moment) = moment else {
            return false;
        };
        self.tick += 1;
        self.fresh = 0;
        for (track, part) in &moment.parts {
            let done = match part {
                Part::State(state, programs) => self.begin(*track, state, programs),
                Part::Tick(bytes) => self.play(*track, bytes),
            };
            if let Err(error) = done {
                // It begins again with the next whole state.
                if let Some(known) = self.tracks.get_mut(*track) {
                    *known = None;
                }
                let places = &self.places;
                self.seats.retain(|seat| places[seat.who.0].track != *track);
                let name = self.history.borrow().names[*track].clone();
                let text = format!("{name} cannot be shown any more: {error}");
                self.tell(Tone::Fault, None, text);
            }
        }
        self.end(&moment);
        true
    }

    /// Takes over the rest of a round.
    fn end(&mut self, moment: &Moment) {
        for note in &moment.notes {
            self.tell(Tone::Notice, None, note.clone());
        }
        self.panel = Rc::clone(&moment.panel);
        self.follow();
        for seat in self.seats.iter_mut().filter(|seat| seat.is_close) {
            let population = population(&self.tracks, &self.places, seat.who.0);
            if let Some(population) = population {
                let agent = living(population, seat);
                seat.mind.read_keys(population, agent, self.tick);
            }
        }
    }

    /// Begins with the state of what is watched.
    fn begin(&mut self, track: usize, state: &[u8], programs: &Programs) -> Result<(), TapeError> {
        let program = |place: usize, _: &str| {
            let mut programs = programs.iter();
            let found = programs.find(|(id, _)| usize::from(id.number()) == place);
            found.map(|(_, program)| Arc::clone(program))
        };
        let playback = Playback::open(state, program)?;
        if self.tracks.len() <= track {
            self.tracks.resize_with(track + 1, || None);
        }
        for id in playback.stage().populations() {
            let place = Place { track, id };
            match self.places.iter().position(|known| *known == place) {
                // The agents run something else now.
                Some(known) => self.seats.iter_mut().for_each(|seat| {
                    let population = playback.stage().population(id);
                    if let Some(population) = population.filter(|_| seat.who.0 == known) {
                        let behaviour = population.program().behaviour();
                        let mind = Follower::new(seat.mind.name(), known, behaviour);
                        let mind = mind.among(seat.mind.fellows().clone());
                        seat.mind = mind.of_agent(seat.who.1);
                        seat.id = population.id_of(seat.who.1);
                    }
                }),
                None => self.places.push(place),
            }
        }
        self.tracks[track] = Some(playback);
        self.follow();
        Ok(())
    }

    /// Plays a tick of what is watched.
    fn play(&mut self, track: usize, mut tape: &[u8]) -> Result<(), TapeError> {
        let Some(Some(playback)) = self.tracks.get_mut(track) else {
            return Ok(());
        };
        for seat in self.seats.iter_mut().filter(|seat| seat.is_close) {
            let place = self.places[seat.who.0];
            let population = playback.stage().population(place.id);
            if let Some(population) = population.filter(|_| place.track == track) {
                seat.mind.before_tick(population, living(population, seat));
            }
        }
        let stage = playback.stage().populations();
        let before: Vec<u64> = stage.iter().map(|id| faults_of(playback, *id).0).collect();
        let close = self.seats.iter().filter(|seat| seat.is_close);
        let followed = close.filter_map(|seat| {
            let place = self.places[seat.who.0];
            (place.track == track).then_some((place.id, seat.who.1))
        });
        let mut ticked = Ticked {
            chosen: Some(followed.collect()),
            ..Ticked::default()
        };
        playback.step(&mut tape, Some(&mut ticked))?;
        // Some were born before the tick.
        self.follow();
        let Some(Some(playback)) = self.tracks.get(track) else {
            return Ok(());
        };
        let mut lines = Vec::new();
        for (id, trace) in &ticked.traces {
            let place = Place { track, id: *id };
            let at = self.places.iter().position(|known| *known == place);
            if let (Some(at), Some(population)) = (at, playback.stage().population(*id)) {
                take_in(
                    &mut self.seats,
                    (at, population, trace),
                    self.tick,
                    &mut lines,
                );
            }
        }
        for (id, message) in ticked.messages {
            let place = Place { track, id };
            let at = self.places.iter().position(|known| *known == place);
            let who = at.map(|at| (at, message.agent));
            lines.push((Tone::Calm, who, message.text));
        }
        for (id, before) in stage.into_iter().zip(before) {
            let place = Place { track, id };
            let at = self.places.iter().position(|known| *known == place);
            let (total, fresh, is_all_fresh) = faults_of(playback, id);
            // The game may have taken those before this tick.
            self.faults += match is_all_fresh {
                true => total,
                false => total.saturating_sub(before),
            };
            lines.extend(fresh.into_iter().map(|(agent, text)| {
                let who = at.map(|at| (at, agent));
                (Tone::Fault, who, text)
            }));
        }
        for (tone, who, text) in lines {
            self.tell(tone, who, text);
        }
        Ok(())
    }

    /// How many agents the population of one has.
    pub(crate) fn agents_beside(&self, (place, _): Who) -> usize {
        population(&self.tracks, &self.places, place).map_or(1, Population::len)
    }

    fn tell(&mut self, tone: Tone, who: Option<Who>, text: String) {
        let text = match who.filter(|_| self.seats.len() > 1) {
            Some(who) => format!("{}: {text}", self.name_of(who)),
            None => text,
        };
        self.log.push_back(Rc::new(Line {
            tick: self.tick,
            tone,
            who,
            text: visible_line(&text).into_owned(),
        }));
        self.fresh += 1;
        if self.log.len() > KEPT_LINES {
            self.log.pop_front();
        }
    }

    /// The lines of the log for a view of one agent.
    fn lines_of(&self, mind: usize) -> impl Iterator<Item = &Line> {
        let chosen = self.seats.get(mind).map(|seat| seat.who);
        let has_few = self.seats.len() <= CLOSE_MINDS;
        let matters = move |line: &&Line| {
            has_few || line.who.is_none() || line.who == chosen || line.tone == Tone::Fault
        };
        self.log.iter().map(|line| &**line).filter(matters)
    }

    /// The lines of the last tick.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = &Line> {
        let known = self.log.len() - self.fresh.min(self.log.len());
        self.log.iter().skip(known).map(|line| &**line)
    }

    /// Follows the agents that are there now, as many as are followed.
    fn follow(&mut self) {
        let mut all = Vec::new();
        for at in 0..self.places.len() {
            let Some(population) = population(&self.tracks, &self.places, at) else {
                continue;
            };
            let living = (0..population.len()).filter(|agent| population.is_alive(*agent));
            all.extend(living.take(MOST_MINDS).map(|agent| (at, agent)));
        }
        all.truncate(MOST_MINDS);
        all.extend(&self.wanted);
        for who in all {
            let Some(population) = population(&self.tracks, &self.places, who.0) else {
                continue;
            };
            let id = population.id_of(who.1);
            let known = self.seats.iter().position(|seat| seat.who == who);
            if id.is_none() || known.is_some_and(|known| self.seats[known].id == id) {
                continue;
            }
            let behaviour = population.program().behaviour();
            let mind = Follower::new(&self.name_of(who), who.0, behaviour).of_agent(who.1);
            let mind = mind.among(Fellows::numbered(&self.population_name(who.0)));
            let nth = known.unwrap_or(self.seats.len());
            let seat = Seat {
                who,
                mind,
                id,
                is_close: nth < CLOSE_MINDS || self.wanted.contains(&who),
            };
            match known {
                Some(known) => self.seats[known] = seat,
                None => self.seats.push(seat),
            }
        }
    }

    /// Follows an agent closely from the next tick on, even if there are many.
    pub(crate) fn want(&mut self, who: Who) {
        if !self.wanted.contains(&who) {
            self.wanted.push(who);
            let known = self.seats.iter_mut().find(|seat| seat.who == who);
            match known {
                Some(seat) => seat.is_close = true,
                None => self.follow(),
            }
        }
    }

    /// The agent in a seat, if it is not followed closely.
    pub(crate) fn distant(&self, nth: usize) -> Option<Who> {
        let seat = self.seats.get(nth)?;
        (!seat.is_close).then_some(seat.who)
    }

    /// Whom the user has asked for.
    pub(crate) fn wanted(&self) -> &[Who] {
        &self.wanted
    }

    /// The seat of an agent, if it is followed.
    pub(crate) fn seat_of(&self, who: Who) -> Option<usize> {
        self.seats.iter().position(|seat| seat.who == who)
    }

    fn name_of(&self, (at, agent): Who) -> String {
        let (place, name) = (self.places[at], self.population_name(at));
        let playback = self.tracks[place.track].as_ref();
        let population = playback.and_then(|playback| playback.stage().population(place.id));
        match population.map(Population::len) {
            None | Some(1) => name,
            Some(_) => format!("{name}-{}", agent + 1),
        }
    }

    /// The name of a population, by its place.
    fn population_name(&self, at: usize) -> String {
        let place = self.places[at];
        let history = self.history.borrow();
        let stage = self.tracks[place.track].as_ref().map(Playback::stage);
        match stage {
            // The populations of a society have names of their own.
            Some(stage) if stage.populations().len() != 1 => stage.name(place.id).to_owned(),
            _ => history.names[place.track].clone(),
        }
    }

    /// The agents that are there, in a few words.
    pub(crate) fn listed(&self) -> String {
        let names = self.seats.iter().map(|seat| seat.mind.name());
        let few: Vec<&str> = names.clone().take(CLOSE_MINDS).collect();
        match names.count() {
            0 => "there are none".to_owned(),
            count if count <= few.len() => format!("there are `{}`", few.join("`, `")),
            _ => format!("there are `{}` and more", few.join("`, `")),
        }
    }

    /// The agent with a name, or a number from 1 over all populations.
    pub(crate) fn who(&self, wanted: &str) -> Option<Who> {
        let known = self.seats.iter().find(|seat| seat.mind.name() == wanted);
        if let Some(seat) = known {
            return Some(seat.who);
        }
        let mut number = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        for at in 0..self.places.len() {
            let Some(population) = population(&self.tracks, &self.places, at) else {
                continue;
            };
            let named = wanted.rsplit_once('-').and_then(|(_, nth)| {
                let agent = nth.parse::<usize>().ok()?.checked_sub(1)?;
                let is_it = agent < population.len() && self.name_of((at, agent)) == wanted;
                is_it.then_some(agent)
            });
            let counted = number.filter(|agent| *agent < population.len());
            if let Some(agent) = named.or(counted) {
                return population.is_alive(agent).then_some((at, agent));
            }
            number = number.map(|number| number - population.len());
        }
        None
    }
}

/// What a tick of a population did, for those of its agents that are followed.
fn take_in(
    seats: &mut [Seat],
    (at, population, trace): (usize, &Population, &Trace),
    tick: u64,
    lines: &mut Vec<(Tone, Option<Who>, String)>,
) {
    let behaviour = population.program().behaviour();
    for seat in seats.iter_mut().filter(|seat| seat.who.0 == at) {
        let agent = seat.who.1;
        if seat.is_close {
            let told = changes(behaviour, (trace, agent), seat.mind.marks()).into_iter();
            lines.extend(told.map(|(tone, text)| (tone, Some(seat.who), text)));
        }
        match living(population, seat) {
            Some(agent) => seat.mind.update(population, trace, agent, tick),
            None => seat.mind.rest(tick),
        }
    }
}

/// A population, if it can be shown.
fn population<'p>(
    tracks: &'p [Option<Playback>],
    places: &[Place],
    at: usize,
) -> Option<&'p Population> {
    let place = places.get(at)?;
    tracks[place.track].as_ref()?.stage().population(place.id)
}

/// The index of the agent of a seat, while it lives.
fn living(population: &Population, seat: &Seat) -> Option<usize> {
    let id = population.id_of(seat.who.1);
    (id.is_some() && id == seat.id).then_some(seat.who.1)
}

/// How many faults a population has that the game has not taken, those of its last tick, and whether that is all.
fn faults_of(playback: &Playback, id: PopulationId) -> (u64, Vec<(usize, String)>, bool) {
    let Some(population) = playback.stage().population(id) else {
        return (0, Vec::new(), true);
    };
    let faults = population.faults();
    let kept = faults.kept().iter();
    let fresh = kept.clone().filter(|one| one.tick == population.ticks());
    let text = |label: &str, kind: &dyn std::fmt::Display| format!("{label}: {kind}");
    let fresh: Vec<_> = fresh
        .map(|one| (one.agent, text(one.label.as_str(), &one.kind)))
        .collect();
    (faults.total(), fresh.clone(), fresh.len() == kept.len())
}

impl Scene for Played {
    fn tick(&self) -> u64 {
        self.tick
    }

    fn secs_at(&self, tick: u64) -> f64 {
        self.history.borrow().secs_at(tick)
    }

    fn minds(&self) -> usize {
        self.seats.len()
    }

    fn agents(&self) -> usize {
        let all = (0..self.places.len()).filter_map(|at| {
            let population = population(&self.tracks, &self.places, at)?;
            let alive = (0..population.len()).filter(|agent| population.is_alive(*agent));
            Some(alive.count())
        });
        all.sum()
    }

    fn mind(&self, nth: usize) -> &Follower {
        &self.seats[nth].mind
    }

    fn population(&self, nth: usize) -> &Population {
        let population = population(&self.tracks, &self.places, self.seats[nth].who.0);
        population.expect("who sits there has a population")
    }

    fn log_len(&self, mind: usize) -> usize {
        self.lines_of(mind).count()
    }

    fn log_line(&self, nth: usize, mind: usize) -> LogLine<'_> {
        let line = self.lines_of(mind).nth(nth).expect("there are so many");
        LogLine {
            tick: line.tick,
            tone: line.tone,
            text: &line.text,
            is_own: self.seats.len() > 1 && line.who == Some(self.seats[mind].who),
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }

    fn panel_size(&self, _: Rect) -> Option<(u16, u16)> {
        let (wide, high) = self.history.borrow().panel_size;
        let wide = wide.saturating_add(2).max(LEAST_WIDTH);
        (high > 0).then_some((wide, high.saturating_add(2)))
    }

    fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, _: &mut Hits) {
        let block = block(&format!(" {} ", self.title), screen.look.theme);
        frame.render_widget(Paragraph::new((*self.panel).clone()).block(block), area);
    }
}
