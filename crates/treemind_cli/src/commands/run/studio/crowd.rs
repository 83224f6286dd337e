//! A crowd in the studio: everybody is counted and drawn, and some are followed.

use super::super::course::Plays as _;
use super::super::crowd::{Looked, People, Town};
use super::game::{Playthrough, Shown};
use super::world;
use treemind_core::PopulationId;
use treemind_replay::follow::{Follower, Seen, Timeline, deeds};
use treemind_replay::view::protocol::{self, Ground, Moment, Scene};
use treemind_replay::view::{Wish, crowd_of, points, view_of};

/// How many people are drawn at most.
const MOST_DRAWN: usize = 4_000;
/// How exactly they are drawn, in millimetres: whoever walks moves by less than three of these in a tick.
const UNIT_MM: i32 = 200;

impl Shown for Town {
    fn note_in(&self, timeline: &mut Timeline) {
        if let Some(looked) = self.looked() {
            let people = People(self.crowd().population());
            let (roster, troupe) = (&looked.roster, &looked.troupe);
            troupe.note(&people, roster, self.tick(), timeline);
        }
    }

    fn note_change_in(&self, timeline: &mut Timeline) {
        if let Some(looked) = self.looked() {
            let people = People(self.crowd().population());
            let (roster, troupe) = (&looked.roster, &looked.troupe);
            troupe.note_change(&people, roster, self.tick(), timeline);
        }
    }
}

impl Playthrough<Town> {
    fn looked(&self) -> &Looked {
        let looked = self.player().looked();
        looked.expect("somebody looks at a crowd in the studio")
    }

    fn people(&self) -> People<'_> {
        People(self.player().crowd().population())
    }

    fn look_at(&mut self, nth: usize) {
        self.reel.now_mut().look_at(nth);
        let tick = self.reel.tick();
        if self.mind(nth).is_none() && tick > 0 {
            self.reel.seek(tick - 1);
            while self.reel.tick() < tick {
                self.step();
            }
        }
        if self.mind(nth).is_none() {
            // Nothing before this tick can be reached: it is followed from here on.
            self.reel.now_mut().attend();
        }
    }

    /// The person with this name or number from 1.
    pub(super) fn named(&self, wanted: &str) -> Option<usize> {
        let (people, roster) = (self.people(), &self.looked().roster);
        let number = wanted.parse::<usize>().ok();
        let number = number.and_then(|number| number.checked_sub(1));
        let number = number.filter(|nth| *nth < roster.len());
        let mut all = 0..roster.len();
        number.or_else(|| all.find(|nth| roster.name(&people, *nth) == wanted))
    }

    pub(super) fn minds(&self) -> usize {
        self.looked().roster.len().max(1)
    }

    pub(super) fn mind(&self, nth: usize) -> Option<&Follower> {
        self.looked().troupe.mind(nth)
    }

    pub(super) fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        see(Seen {
            population: self.player().crowd().population(),
            trace: self.player().trace(),
            number: &|person| self.looked().roster.number(PopulationId::FIRST, person),
        });
    }

    pub(super) fn ground(&self) -> Ground {
        let crowd = self.player().crowd();
        world::ground_of(crowd.grid(), crowd.scenario())
    }

    pub(super) fn view(&mut self, wish: &Wish) -> Moment {
        self.look_at(wish.mind);
        let Looked { roster, troupe, .. } = self.looked();
        let people = self.people();
        let agent = troupe.mind(wish.mind);
        Moment {
            agent: agent
                .map(|mind| view_of(mind, people.0, wish, &self.timeline))
                .unwrap_or_default(),
            agents: Vec::new(),
            crowd: Some(crowd_of(&people, (roster, troupe), wish, None)),
            scene: Some(self.scene(wish.mind)),
            faults: self.player().faults(),
        }
    }

    /// Everybody as points, or of many a sample.
    fn scene(&self, chosen: usize) -> Scene {
        let crowd = self.player().crowd();
        let every = crowd.people().div_ceil(MOST_DRAWN).max(1);
        let (width, height) = (crowd.grid().width(), crowd.grid().height());
        let unit_mm = (width.max(height) * 1_000 / points::MOST as i32).max(UNIT_MM);
        let is_drawn = |person: usize| person == chosen || person.is_multiple_of(every);
        let all = crowd.places().enumerate();
        let (persons, places): (Vec<usize>, Vec<(u32, u32)>) = all
            .filter(|(person, _)| is_drawn(*person))
            .map(|(person, place)| {
                let units = |mm: i32| (mm / unit_mm).max(0) as u32;
                (person, (units(place.x_mm), units(place.y_mm)))
            })
            .unzip();
        let behaviour = self.player().behaviour();
        let activity = self.looked().troupe.activity();
        let all = activity.does(PopulationId::FIRST, behaviour);
        let deed = |person: &usize| all.get(*person).map_or(0, |deed| *deed as u8);
        let does: Vec<u8> = persons.iter().map(deed).collect();
        let clock = format!("{:02}:{:02}", crowd.minute() / 60, crowd.minute() % 60);
        let people = protocol::People {
            points: points::packed(places),
            unit: f64::from(unit_mm) / 1e3,
            does,
            actions: deeds(behaviour).into_iter().map(str::to_owned).collect(),
            every,
            chosen: persons.iter().position(|person| *person == chosen),
            persons: (every > 1).then_some(persons),
            clock,
            messages: crowd.messages_this_second(),
        };
        Scene {
            crowd: Some(people),
            ..Scene::default()
        }
    }
}
