//! Breakpoints: what has to happen so that a game that plays comes to a stop.

use super::condition::Condition;
use super::hits::Log;
use super::lines::name_of;
use super::{no_key, sides};
use crate::view::protocol::{self, Break, Hits, On, Stopped};
use std::sync::Arc;
use treemind_core::trace::{Event, Record, Trace};
use treemind_core::{Behaviour, KeyId, Kind, LeafId, Outcome, Population, Status};
use treemind_doc::{About, OutlineLine, Said, outline_lines, said};
use treemind_explain::{Language, Words, say};

/// How many breakpoints there may be.
const MOST: usize = 100;
/// How many keys a hit tells the values of.
const MOST_VALUES: usize = 6;

/// A population after a tick.
pub struct Seen<'a> {
    /// The agents.
    pub population: &'a Population,
    /// What they did in the tick that is shown, if that is known.
    pub trace: Option<&'a Trace>,
    /// The number by which the session knows an agent.
    pub number: &'a dyn Fn(usize) -> Option<usize>,
}

/// What something is that a breakpoint is at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum At {
    /// A line of the definition: its name, its text, by which it is found again after a reload, and what it is called.
    Line(String, String, String),
    /// A key: its value changes.
    Key(String),
    /// An event: somebody sends it, or it is offered to a machine.
    Event(String),
}

/// The same in a program that runs.
#[derive(Clone, Debug)]
struct Bound {
    /// Where the program is.
    program: usize,
    /// Where it is in it; `None` if it is no longer there.
    place: Option<Place>,
    condition: Option<Condition>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// With the number of ways of a test that lead further in.
    Line(About, usize),
    Key(KeyId),
    Event(LeafId),
}

/// What was so before the tick.
#[derive(Clone, Debug, Default)]
struct Before {
    /// Who ran the node, a bit for each agent.
    ran: Vec<u64>,
    /// The value of the key, for each agent.
    values: Vec<String>,
}

#[derive(Clone, Debug)]
struct Breakpoint {
    id: u64,
    /// The agent that was shown when it was set.
    mind: usize,
    /// The name of the behaviour.
    of: String,
    at: At,
    on: On,
    /// Only for this agent.
    only: Option<usize>,
    condition: String,
    /// It stops at this occurrence, counted from 1, and at every later one.
    from: u64,
    /// How many times it has happened.
    count: u64,
    is_on: bool,
    /// It does not stop: what happens is only listed.
    only_lists: bool,
    bound: Option<Bound>,
    /// Why it cannot stop.
    wrong: Option<Said>,
    before: Before,
}

/// All breakpoints of a file.
#[derive(Debug, Default)]
pub struct Breakpoints {
    all: Vec<Breakpoint>,
    given: u64,
    /// The tick of which is known what was so.
    known: Option<u64>,
    hit: Option<(Stopped, Words)>,
    log: Log,
}

impl Breakpoints {
    /// Whether a tick could come to a stop.
    pub fn is_armed(&self) -> bool {
        self.all.iter().any(|one| one.is_on)
    }

    /// Adds a breakpoint, or changes the one with the number `id`, in what an agent runs.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub fn set(&mut self, ask: Break, behaviour: &Behaviour) -> Result<(), Said> {
        let at = match (ask.line, ask.key, ask.event) {
            (Some(id), None, None) => {
                // A page remembers the text of the line, too: the document may be another one by now.
                let found = find(behaviour, &id, ask.text.as_deref());
                let (nth, line) =
                    found.ok_or_else(|| said!("there is nothing to stop at on this line"))?;
                let name = called(behaviour, &line);
                Some(At::Line(name_of(line.about, nth), line.text, name))
            }
            (None, Some(key), None) => {
                let id = behaviour.key_id(&key);
                id.ok_or_else(|| no_key(&key))?;
                Some(At::Key(key))
            }
            (None, None, Some(event)) => {
                let id = behaviour.leaf_id(&event);
                id.ok_or_else(|| said!("there is no event `{}`", &*event))?;
                Some(At::Event(event))
            }
            (None, None, None) if ask.id.is_some() => None,
            _ => return Err(said!("`break` needs a `line`, a `key` or an `event`")),
        };
        let condition = ask.condition.map(|text| text.trim().to_owned());
        if let Some(text) = condition.as_deref().filter(|text| !text.is_empty()) {
            Condition::new(behaviour, text)?;
        }
        let of = behaviour.name();
        let is_same = |one: &Breakpoint| Some(&one.at) == at.as_ref() && one.of == of;
        let mut known = self.all.iter();
        let known = known.position(is_same);
        let nth = match (ask.id, at) {
            (None, Some(_)) if known.is_some() => known.unwrap_or_default(),
            (Some(id), _) => {
                let known = self.all.iter().position(|one| one.id == id);
                known.ok_or_else(|| said!("there is no such breakpoint"))?
            }
            (None, Some(at)) if self.all.len() < MOST => {
                self.given += 1;
                self.all.push(Breakpoint {
                    id: self.given,
                    mind: ask.mind,
                    of: behaviour.name().to_owned(),
                    at,
                    on: On::default(),
                    only: None,
                    condition: String::new(),
                    from: 1,
                    count: 0,
                    is_on: true,
                    only_lists: false,
                    bound: None,
                    wrong: None,
                    before: Before::default(),
                });
                self.all.len() - 1
            }
            _ => {
                return Err(said!(
                    "there are {} breakpoints, which is the maximum",
                    MOST
                ));
            }
        };
        let one = &mut self.all[nth];
        one.on = ask.on.unwrap_or(one.on);
        one.condition = condition.unwrap_or_else(|| one.condition.clone());
        one.from = ask.from.unwrap_or(one.from).max(1);
        one.is_on = ask.is_on.unwrap_or(one.is_on);
        one.only_lists = ask.only_lists.unwrap_or(one.only_lists);
        if let Some(only) = ask.only {
            one.only = only.then_some(ask.mind);
        }
        (one.count, one.bound, one.wrong) = (0, None, None);
        self.known = None;
        Ok(())
    }

    /// Removes one, or all of them.
    pub fn remove(&mut self, id: Option<u64>) {
        self.all.retain(|one| id.is_some_and(|id| one.id != id));
        self.hit = None;
    }

    /// Another game is played.
    pub fn turn(&mut self) {
        (self.known, self.hit) = (None, None);
        self.all.iter_mut().for_each(|one| one.bound = None);
    }

    /// Time continues from where it was brought to a stop.
    pub fn go_on(&mut self) {
        self.hit = None;
    }

    /// Whether it has to look before the next tick, because it does not know what was so in this one.
    pub fn wants_before(&self, tick: u64) -> bool {
        self.is_armed() && self.known != Some(tick)
    }

    /// Learns how it is before a tick.
    pub fn look_before(&mut self, seen: &Seen<'_>) {
        for one in self.all.iter_mut().filter(|one| one.is_on) {
            if one.bind(seen.population) {
                one.before = Before::default();
                one.remember(seen);
            }
        }
    }

    /// Now it knows how everything was in this tick.
    pub fn knows(&mut self, tick: u64) {
        self.known = Some(tick);
    }

    /// Looks at what happened in a tick.
    pub fn look(&mut self, seen: &Seen<'_>, tick: u64) {
        for one in self.all.iter_mut().filter(|one| one.is_on) {
            if !one.bind(seen.population) {
                continue;
            }
            let agents = one.happened(seen);
            one.remember(seen);
            let Some(first) = agents.first() else {
                continue;
            };
            one.count += agents.len() as u64;
            if one.count >= one.from {
                let hit = Stopped {
                    breakpoint: one.id,
                    tick,
                    mind: (seen.number)(*first).unwrap_or(0),
                    agents: agents.len(),
                    text: String::new(),
                    line: match &one.at {
                        At::Line(id, ..) => Some(id.clone()),
                        _ => None,
                    },
                };
                let values = one.values(seen.population, *first);
                self.log.note(hit.clone(), one.words(), values);
                if self.hit.is_none() && !one.only_lists {
                    self.hit = Some((hit, one.words()));
                }
            }
        }
    }

    /// Forgets what happened after a tick: from then on, it is another course.
    pub fn forget_after(&mut self, tick: u64) {
        self.log.forget_after(tick);
    }

    /// What happened beyond a hit that a page knows.
    pub fn hits_after(&self, nth: u64, language: Language) -> Hits {
        self.log.after(nth, language)
    }

    /// Whether it has come to a stop.
    pub fn is_hit(&self) -> bool {
        self.hit.is_some()
    }

    /// Where it has come to a stop.
    pub fn hit(&self, language: Language) -> Option<Stopped> {
        let (at, what) = self.hit.as_ref()?;
        let text = what.written(language);
        Some(Stopped { text, ..at.clone() })
    }

    /// As a page has them.
    pub fn shown(&self, language: Language) -> Vec<protocol::Breakpoint> {
        self.all.iter().map(|one| one.shown(language)).collect()
    }
}

impl Breakpoint {
    fn shown(&self, language: Language) -> protocol::Breakpoint {
        let (mut line, mut line_text, mut key, mut event) = (None, None, None, None);
        match &self.at {
            At::Line(id, text, _) => (line, line_text) = (Some(id.clone()), Some(text.clone())),
            At::Key(name) => key = Some(name.clone()),
            At::Event(name) => event = Some(name.clone()),
        }
        protocol::Breakpoint {
            id: self.id,
            mind: self.mind,
            of: self.of.clone(),
            line,
            line_text,
            key,
            event,
            on: self.on,
            only: self.only,
            condition: self.condition.clone(),
            from: self.from,
            count: self.count,
            is_on: self.is_on,
            only_lists: self.only_lists,
            wrong: self.wrong.clone(),
            text: self.words().written(language),
        }
    }

    /// The values of the key, or of the first keys that an agent has.
    fn values(&self, population: &Population, agent: usize) -> Vec<(String, String)> {
        let behaviour = population.program().behaviour();
        let keys = behaviour.keys().iter().enumerate();
        let wanted = keys.filter(|(_, key)| match &self.at {
            At::Key(name) => key.name == *name,
            _ => true,
        });
        let value = |nth: usize| behaviour.display_held(population.held(agent, KeyId::new(nth)));
        let values = wanted.map(|(nth, key)| (key.name.clone(), value(nth)));
        values.take(MOST_VALUES).collect()
    }

    /// What it waits for.
    fn words(&self) -> Words {
        match &self.at {
            At::Key(key) => say!(KeyChanges, key = Words::code(key)),
            At::Event(event) => say!(IsSentOrComes, event = Words::code(event)),
            At::Line(id, _, what) => {
                let name = Words::code(what);
                match (id.as_bytes().first(), self.on) {
                    (Some(b's'), On::End | On::Abort) => say!(IsLeft, state = name),
                    (Some(b's'), _) => say!(IsEntered, state = name),
                    (Some(b't'), _) => say!(GetsTaken, transition = name),
                    (Some(b'q' | b'w'), _) => say!(IsReached, name),
                    (_, On::Enter) => say!(Begins, name),
                    (_, On::End) => say!(Ends, name),
                    (_, On::Success) => say!(Succeeds, name),
                    (_, On::Failure) => say!(Fails, name),
                    (_, On::Abort) => say!(IsCutOff, name),
                }
            }
        }
    }

    /// Finds its place in a program; returns whether it can stop there.
    fn bind(&mut self, population: &Population) -> bool {
        let behaviour = population.program().behaviour();
        if behaviour.name() != self.of {
            return false;
        }
        let program = Arc::as_ptr(population.program()) as usize;
        if self
            .bound
            .as_ref()
            .is_none_or(|bound| bound.program != program)
        {
            let place = self.place_in(behaviour);
            let gone = || said!("it is no longer in the document");
            let mut wrong = place.is_none().then(gone);
            let mut condition = None;
            if !self.condition.is_empty() {
                match Condition::new(behaviour, &self.condition) {
                    Ok(known) => condition = Some(known),
                    Err(why) => wrong = Some(why),
                }
            }
            self.wrong = wrong;
            self.before = Before::default();
            self.bound = Some(Bound {
                program,
                place,
                condition,
            });
        }
        self.wrong.is_none()
    }

    /// A line has moved if another line has its text, and no other one does.
    fn place_in(&mut self, behaviour: &Behaviour) -> Option<Place> {
        match &self.at {
            At::Key(name) => behaviour.key_id(name).map(Place::Key),
            At::Event(name) => behaviour.leaf_id(name).map(Place::Event),
            At::Line(id, text, _) => {
                let (nth, line) = find(behaviour, id, Some(text))?;
                let (about, name) = (line.about, called(behaviour, &line));
                self.at = At::Line(name_of(about, nth), line.text, name);
                let ways = match about {
                    About::Test(id, test) => sides(behaviour, id, test),
                    _ => 0,
                };
                Some(Place::Line(about, ways))
            }
        }
    }

    /// Those of a record to which it happens.
    fn agents_of(&self, record: &Record, place: Place) -> u64 {
        let ran = self.before.ran.get(record.word as usize);
        let fresh = record.mask & !ran.copied().unwrap_or(0);
        let (about, ways) = match place {
            Place::Key(_) => return 0,
            Place::Event(leaf) => {
                return match record.event {
                    Event::Send(one) | Event::Offer(one) if one == leaf => record.mask,
                    _ => 0,
                };
            }
            Place::Line(about, ways) => (about, ways),
        };
        let happens = match (about, record.event) {
            (About::Node(id), event) if id == record.node => match (self.on, event) {
                (On::Enter, Event::Enter | Event::Start | Event::Tick(_)) => return fresh,
                (
                    On::End | On::Success,
                    Event::Tick(Status::Success) | Event::Guard(Status::Success),
                ) => true,
                (
                    On::End | On::Failure,
                    Event::Tick(Status::Failure) | Event::Guard(Status::Failure),
                ) => true,
                (On::Abort, Event::Abort | Event::Stop(Outcome::Aborted)) => true,
                _ => false,
            },
            (About::State(id, state), Event::EnterState(one)) if id == record.node => {
                one as usize == state && !matches!(self.on, On::End | On::Abort)
            }
            (About::State(id, state), Event::LeaveState(one)) if id == record.node => {
                one as usize == state && matches!(self.on, On::End | On::Abort)
            }
            (About::Transition(id, number), Event::Take(one)) if id == record.node => {
                one as usize == number
            }
            (About::Test(id, test), Event::Branch(one, way)) if id == record.node => {
                let is_inside = (way as usize) < ways;
                one as usize == test
                    && match self.on {
                        On::Success => is_inside,
                        On::Failure => !is_inside,
                        _ => true,
                    }
            }
            (About::Way(id, test, way), Event::Branch(one, taken)) if id == record.node => {
                one as usize == test && taken as usize == way
            }
            (About::Rule(id, rule), Event::Fire(one)) if id == record.node => one as usize == rule,
            _ => false,
        };
        if happens { record.mask } else { 0 }
    }

    /// To whom it has happened in this tick.
    fn happened(&mut self, seen: &Seen<'_>) -> Vec<usize> {
        let Some(place) = self.bound.as_ref().and_then(|bound| bound.place) else {
            return Vec::new();
        };
        let mut agents: Vec<usize> = match place {
            Place::Key(key) => {
                let now = values(seen.population, key);
                let pairs = now.iter().zip(&self.before.values).enumerate();
                let changed = pairs.filter(|(_, (now, before))| now != before);
                changed.map(|(agent, _)| agent).collect()
            }
            _ => {
                let mut words = vec![0_u64; seen.population.len().div_ceil(64)];
                let records = seen.trace.map_or(&[][..], Trace::records);
                for record in records {
                    if let Some(word) = words.get_mut(record.word as usize) {
                        *word |= self.agents_of(record, place);
                    }
                }
                let bits = words.iter().enumerate();
                bits.flat_map(|(word, bits)| {
                    let set = (0..64).filter(move |bit| bits >> bit & 1 == 1);
                    set.map(move |bit| word * 64 + bit)
                })
                .collect()
            }
        };
        if let Some(only) = self.only {
            agents.retain(|agent| (seen.number)(*agent) == Some(only));
        }
        if let Some(condition) = self
            .bound
            .as_mut()
            .and_then(|bound| bound.condition.as_mut())
            && !agents.is_empty()
        {
            let hold = condition.hold(seen.population, &agents);
            let mut hold = hold.into_iter();
            agents.retain(|_| hold.next() == Some(true));
        }
        agents
    }

    /// What the next tick is compared with.
    fn remember(&mut self, seen: &Seen<'_>) {
        match self.bound.as_ref().and_then(|bound| bound.place) {
            Some(Place::Key(key)) => self.before.values = values(seen.population, key),
            Some(Place::Line(About::Node(id), _)) => {
                let ran = &mut self.before.ran;
                ran.resize(seen.population.len().div_ceil(64), 0);
                let records = seen.trace.map_or(&[][..], Trace::records);
                // Whoever was ticked does not run it, unless it says so; the others do what they did.
                for record in records {
                    if let Some(ran) = ran.get_mut(record.word as usize) {
                        *ran &= !record.mask;
                    }
                }
                for record in records.iter().filter(|record| record.node == id) {
                    let Some(ran) = ran.get_mut(record.word as usize) else {
                        continue;
                    };
                    match record.event {
                        Event::Tick(Status::Running) => *ran |= record.mask,
                        Event::Tick(_) | Event::Guard(_) | Event::Stop(_) | Event::Abort => {
                            *ran &= !record.mask;
                        }
                        _ => {}
                    }
                }
                // What is open goes on, also where the tick did not get to it.
                let open = seen.population.who_has_open();
                let words = ran.iter_mut().zip(&open[id.index()]);
                words.for_each(|(ran, open)| *ran |= open);
            }
            _ => {}
        }
    }
}

/// The line with a name, and its position; if it has another text by now, the only line with that text.
fn find(behaviour: &Behaviour, id: &str, text: Option<&str>) -> Option<(usize, OutlineLine)> {
    let mut lines = outline_lines(behaviour);
    let fits =
        |line: &OutlineLine| line.about != About::Part && text.is_none_or(|text| line.text == text);
    let mut all = lines.iter().enumerate().filter(|(_, line)| fits(line));
    let here = all
        .clone()
        .find(|(nth, line)| name_of(line.about, *nth) == id);
    let only = || {
        all.next()
            .filter(|_| text.is_some() && all.next().is_none())
    };
    let (nth, _) = here.or_else(only)?;
    Some((nth, lines.swap_remove(nth)))
}

/// What a line is called in a sentence.
fn called(behaviour: &Behaviour, line: &OutlineLine) -> String {
    match line.about {
        About::Node(id) => behaviour.label(id).to_owned(),
        About::State(id, state) => match &behaviour.node(id).kind {
            Kind::Machine(machine) => machine.states[state].name.clone(),
            _ => line.text.clone(),
        },
        _ => {
            let text = line.text.split("  // ").next().unwrap_or("");
            text.trim().replace('"', "")
        }
    }
}

/// The value of a key, for each agent.
fn values(population: &Population, key: KeyId) -> Vec<String> {
    let behaviour = population.program().behaviour();
    let agents = 0..population.len();
    agents
        .map(|agent| behaviour.display_held(population.held(agent, key)))
        .collect()
}
