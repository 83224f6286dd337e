//! A crowd in the studio: everybody is counted and drawn, and some are followed.

use super::world;
use std::sync::Arc;
use treemind_arena::{Crowd, SessionError};
use treemind_core::host::Message;
use treemind_core::{Behaviour, KeyId, Migration, NodeId, Population, PopulationId, Trace};
use treemind_doc::Document;
use treemind_replay::follow::{
    Agents, Follower, Hold, Holds, Roster, Seen, Tick, Timeline, Troupe, memory_begin, value_for,
};
use treemind_replay::history::{COPY_BYTES, KeyFrames};
use treemind_replay::view::protocol::{self, Ground, Held, Moment, Scene};
use treemind_replay::view::{Wish, crowd_of, view_of};
use treemind_studio::Course;

/// How many people are drawn at most.
const MOST_DRAWN: usize = 20_000;
/// How many people are followed because somebody has looked at them.
const LOOKED_AT: usize = 8;

struct People<'a>(&'a Population);

impl Agents for People<'_> {
    fn populations(&self) -> Vec<PopulationId> {
        vec![PopulationId::FIRST]
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        (id == PopulationId::FIRST).then_some(self.0)
    }

    fn name(&self, _: PopulationId) -> String {
        self.0.program().behaviour().name().to_owned()
    }
}

/// A key that the page has written, and the tick before which it was.
struct Edit {
    tick: u64,
    person: usize,
    key: KeyId,
    value: treemind_core::Value,
}

/// The crowd at a tick, with what was known of it then.
struct Copy {
    tick: u64,
    saved: Vec<u8>,
    troupe: Troupe,
}

impl Copy {
    fn of(crowd: &Crowd, troupe: &Troupe) -> Self {
        Self {
            tick: crowd.tick(),
            saved: crowd.save(),
            troupe: troupe.clone(),
        }
    }
}

/// A crowd that plays.
pub(super) struct Town {
    crowd: Crowd,
    roster: Roster,
    troupe: Troupe,
    timeline: Timeline,
    trace: Trace,
    /// The tick that is traced.
    traced: u64,
    copies: KeyFrames<Copy>,
    edits: Vec<Edit>,
    holds: Holds,
    wanted: Vec<usize>,
    faults: u64,
}

impl Town {
    /// A crowd on one thread, from the tick that it has reached.
    pub(super) fn new(crowd: Crowd) -> Self {
        let mut timeline = Timeline::default();
        timeline.turn(crowd.tick());
        let copy = Copy::of(&crowd, &Troupe::default());
        let mut town = Self {
            copies: KeyFrames::new(copy.tick, copy),
            crowd,
            roster: Roster::default(),
            troupe: Troupe::default(),
            timeline,
            trace: Trace::with_values_of([]),
            traced: 0,
            edits: Vec::new(),
            holds: Holds::default(),
            wanted: vec![0],
            faults: 0,
        };
        town.roster.meet(&People(town.crowd.population()));
        town
    }

    pub(super) fn course(&self) -> Course {
        Course {
            tick: self.crowd.tick(),
            first: self.copies.first_tick(),
            last: self.timeline.last(),
            end: None,
            plays: true,
            is_live: false,
        }
    }

    pub(super) fn step(&mut self) {
        let tick = self.crowd.tick();
        for edit in self.edits.iter().filter(|edit| edit.tick == tick) {
            // It was read for this key, so it fits.
            let _ = self.crowd.set(edit.person, edit.key, edit.value);
        }
        let program = Arc::clone(self.crowd.population().program());
        let held = self.holds.after(tick);
        let held = held.filter_map(|(person, hold)| {
            let (key, value) = hold.write_in(&program)?;
            Some((person, key, value))
        });
        self.crowd.hold_keys(held.collect());
        self.attend();
        let chosen = self.troupe.chosen(&self.roster);
        self.trace
            .choose(chosen.into_iter().map(|(_, person)| person));
        self.crowd.step_traced(&mut self.trace);
        if self.crowd.tick() > self.timeline.last() {
            self.faults += self.crowd.take_faults().total();
        }
        let messages: [(PopulationId, Message); 0] = [];
        let traces = [(PopulationId::FIRST, std::mem::take(&mut self.trace))];
        let tick = Tick {
            number: self.crowd.tick(),
            traces: &traces,
            messages: &messages,
        };
        let people = People(self.crowd.population());
        self.troupe
            .after_tick(&people, &self.roster, tick, &mut self.timeline);
        let [(_, trace)] = traces;
        self.trace = trace;
        self.traced = self.crowd.tick();
        let (crowd, troupe) = (&self.crowd, &self.troupe);
        self.copies.keep_within(COPY_BYTES, self.traced, || {
            let copy = Copy::of(crowd, troupe);
            let bytes = copy.saved.len();
            (copy, bytes)
        });
    }

    /// Goes to the last moment that is kept from which everything is known of a tick, back or forward, unless what is there
    /// now is nearer.
    pub(super) fn seek(&mut self, tick: u64) {
        let base = memory_begin(tick, self.crowd.people());
        let now = self.crowd.tick();
        let copy = self.copies.before(base).or(self.copies.first());
        let is_nearer = |at: u64| at <= tick && (tick < now || now < at);
        let Some(copy) = copy.filter(|copy| is_nearer(copy.tick)) else {
            return;
        };
        // What was saved here fits here.
        if self.crowd.load(&copy.saved).is_ok() {
            self.troupe = copy.troupe.clone();
        }
    }

    fn look_at(&mut self, nth: usize) {
        self.wanted.retain(|known| *known != nth);
        self.wanted.push(nth);
        if self.wanted.len() > LOOKED_AT {
            self.wanted.remove(0);
        }
        let tick = self.crowd.tick();
        if self.troupe.mind(nth).is_none() && tick > 0 {
            self.seek(tick - 1);
            while self.crowd.tick() < tick {
                self.step();
            }
        }
        if self.troupe.mind(nth).is_none() {
            // Nothing before this tick can be reached: it is followed from here on.
            self.attend();
        }
    }

    /// Looks at those who are followed before the next tick.
    fn attend(&mut self) {
        let people = People(self.crowd.population());
        self.troupe.before_tick(&people, &self.roster, &self.wanted);
    }

    /// The person with this name or number from 1.
    pub(super) fn named(&self, wanted: &str) -> Option<usize> {
        let people = People(self.crowd.population());
        let number = wanted.parse::<usize>().ok();
        let number = number.and_then(|number| number.checked_sub(1));
        let number = number.filter(|nth| *nth < self.roster.len());
        let mut all = 0..self.roster.len();
        number.or_else(|| all.find(|nth| self.roster.name(&people, *nth) == wanted))
    }

    /// Continues with a changed document. Earlier ticks were played with the old one: nobody goes back to them.
    pub(super) fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Migration, SessionError> {
        let migration = self.crowd.reload(behaviour, document)?;
        self.troupe.recast();
        self.timeline.turn(self.crowd.tick());
        let copy = Copy::of(&self.crowd, &self.troupe);
        self.copies = KeyFrames::new(copy.tick, copy);
        self.edits.clear();
        self.trace.clear();
        Ok(migration)
    }

    pub(super) fn minds(&self) -> usize {
        self.roster.len().max(1)
    }

    pub(super) fn set(&mut self, person: usize, key: &str, text: &str) -> Result<(), String> {
        let behaviour = self.crowd.population().program().behaviour();
        let id = behaviour.key_id(key);
        let id = id.ok_or_else(|| format!("there is no key `{key}`"))?;
        let value = value_for(behaviour, id, text)?;
        self.leave_course();
        self.edits.push(Edit {
            tick: self.crowd.tick(),
            person,
            key: id,
            value,
        });
        Ok(())
    }

    /// Holds a key of a person from the next tick on, or, without a text, no longer.
    pub(super) fn hold(
        &mut self,
        person: usize,
        key: &str,
        text: Option<&str>,
    ) -> Result<(), String> {
        let program = self.crowd.population().program();
        let hold = text.map(|text| Hold::new(program, key, text)).transpose()?;
        self.leave_course();
        self.holds.change(self.crowd.tick(), person, key, hold);
        Ok(())
    }

    pub(super) fn held(&self) -> Vec<Held> {
        self.holds.shown(self.crowd.tick())
    }

    /// What was played after this tick is another course now.
    fn leave_course(&mut self) {
        let tick = self.crowd.tick();
        self.edits.retain(|edit| edit.tick <= tick);
        self.holds.forget_after(tick);
        self.copies.cut(tick);
        self.timeline.turn(tick);
    }

    pub(super) fn behaviour(&self) -> &Behaviour {
        self.crowd.population().program().behaviour()
    }

    pub(super) fn mind(&self, nth: usize) -> Option<&Follower> {
        self.troupe.mind(nth)
    }

    pub(super) fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        see(Seen {
            population: self.crowd.population(),
            trace: (self.traced == self.crowd.tick()).then_some(&self.trace),
            number: &|person| self.roster.number(PopulationId::FIRST, person),
        });
    }

    pub(super) fn ground(&self) -> Ground {
        world::ground_of(self.crowd.grid(), self.crowd.scenario())
    }

    pub(super) fn view(&mut self, wish: &Wish) -> Moment {
        self.look_at(wish.mind);
        let population = self.crowd.population();
        let people = People(population);
        let agent = self.troupe.mind(wish.mind);
        Moment {
            agent: agent
                .map(|mind| view_of(mind, population, wish, &self.timeline))
                .unwrap_or_default(),
            agents: Vec::new(),
            crowd: Some(crowd_of(&people, &self.roster, &self.troupe, wish)),
            scene: Some(self.scene(wish.mind)),
            faults: self.faults,
        }
    }

    /// Everybody as a number: ten-thousandths are the distance from the left in decimetres, the rest is that from
    /// above.
    fn scene(&self, chosen: usize) -> Scene {
        let every = self.crowd.people().div_ceil(MOST_DRAWN).max(1);
        let of = |(person, place): (usize, treemind_arena::Point)| {
            let number = i64::from(place.x_mm / 100) * 10_000 + i64::from(place.y_mm / 100);
            (person == chosen || person.is_multiple_of(every)).then_some((person, number))
        };
        let all: Vec<(usize, i64)> = self.crowd.places().enumerate().filter_map(of).collect();
        let population = self.crowd.population();
        let behaviour = population.program().behaviour();
        let actions: Vec<(NodeId, &str)> = behaviour
            .node_ids()
            .filter(|node| {
                matches!(
                    behaviour.node(*node).kind,
                    treemind_core::Kind::Action { .. }
                )
            })
            .map(|node| (node, behaviour.label(node)))
            .collect();
        let mut names: Vec<&str> = actions.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        names.dedup();
        let mut does = vec![0_u8; population.len()];
        for (node, name) in actions {
            let nth = names.iter().position(|known| *known == name).unwrap_or(0) as u8 + 1;
            for (word, bits) in self
                .troupe
                .activity()
                .runs(PopulationId::FIRST, node)
                .iter()
                .enumerate()
            {
                for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                    if let Some(does) = does.get_mut(word * 64 + bit) {
                        *does = nth;
                    }
                }
            }
        }
        let (persons, points): (Vec<usize>, Vec<i64>) = all.into_iter().unzip();
        let does: Vec<u8> = persons.iter().map(|person| does[*person]).collect();
        let clock = format!(
            "{:02}:{:02}",
            self.crowd.minute() / 60,
            self.crowd.minute() % 60
        );
        let people = protocol::People {
            points,
            does,
            actions: names.into_iter().map(str::to_owned).collect(),
            every,
            chosen: persons.iter().position(|person| *person == chosen),
            persons: (every > 1).then_some(persons),
            clock,
            messages: self.crowd.messages_this_second(),
        };
        Scene {
            crowd: Some(people),
            ..Scene::default()
        }
    }
}
