//! The people of a crowd, in columns: a quarter of them for each thread.

use super::town::{PlaceId, Town};
use crate::geometry::Point;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// What a person is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Deed {
    /// Stands about.
    Stand,
    /// Walks somewhere.
    Walk,
    /// Works.
    Work,
    /// Eats.
    Eat,
    /// Drinks.
    Drink,
    /// Talks.
    Talk,
    /// Sleeps.
    Sleep,
    /// Runs away.
    Run,
    /// Hides.
    Hide,
}

impl Deed {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Stand,
        Self::Walk,
        Self::Work,
        Self::Eat,
        Self::Drink,
        Self::Talk,
        Self::Sleep,
        Self::Run,
        Self::Hide,
    ];

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
            Self::Work => "work",
            Self::Eat => "eat",
            Self::Drink => "drink",
            Self::Talk => "talk",
            Self::Sleep => "sleep",
            Self::Run => "run",
            Self::Hide => "hide",
        }
    }
}

/// Something to be afraid of: a place, and how far away it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Danger {
    /// Where.
    pub place: Point,
    /// How far away, in millimetres.
    pub range_mm: i32,
    /// It is over in this tick.
    pub until: u64,
}

/// What everybody perceives in a tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Now {
    pub(super) tick: u64,
    /// The minute of the day.
    pub(super) minute: u32,
    pub(super) dangers: Vec<Danger>,
}

/// The people whom one thread plays.
#[derive(Clone)]
pub(super) struct Quarter {
    pub(super) town: Arc<Town>,
    pub(super) now: Now,
    /// The number of the first of them.
    first: usize,
    pub(super) place: Vec<Point>,
    /// The place that each is at.
    pub(super) at: Vec<Option<PlaceId>>,
    goal: Vec<PlaceId>,
    pub(super) deed: Vec<Deed>,
    /// When each ate and drank last; before the first tick, negative.
    ate: Vec<i64>,
    drank: Vec<i64>,
    /// When the current work ends.
    until: Vec<u64>,
    /// Who has come to a place or left one since this was last emptied.
    pub(super) moved: Vec<u32>,
    /// How many messages were sent in this tick.
    pub(super) told: u64,
}

/// How many bytes the columns of one of them take.
pub(super) const BYTES: usize =
    size_of::<(Point, Option<PlaceId>, PlaceId, Deed)>() + size_of::<(i64, i64, u64, u32)>();

/// Everybody in columns, in the order of their numbers, to be saved.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Columns {
    place: Vec<Point>,
    at: Vec<Option<PlaceId>>,
    goal: Vec<PlaceId>,
    deed: Vec<Deed>,
    ate: Vec<i64>,
    drank: Vec<i64>,
    until: Vec<u64>,
    /// The numbers of those who change their group in the next tick.
    moved: Vec<u32>,
}

impl Columns {
    /// Whether they can be those of so many people in a town.
    pub(super) fn fit(&self, people: usize, town: &Town) -> bool {
        let Self {
            place,
            at,
            goal,
            deed,
            ate,
            drank,
            until,
            moved,
        } = self;
        let lengths = [
            place.len(),
            at.len(),
            goal.len(),
            deed.len(),
            ate.len(),
            drank.len(),
            until.len(),
        ];
        lengths.iter().all(|length| *length == people)
            && at
                .iter()
                .flatten()
                .chain(goal)
                .all(|place| usize::from(*place) < town.places())
            && moved.iter().all(|person| (*person as usize) < people)
    }
}

/// How long the longest way from a full stomach to the next meal is at the beginning, in ticks.
const FIRST_MEAL_TICKS: u32 = 1_200;

impl Quarter {
    /// People who are at home, more or less hungry.
    pub(super) fn new(town: &Arc<Town>, people: Range<usize>) -> Self {
        let first = people.start;
        let home = town.name_of("home").unwrap_or(0);
        let homes = people.clone().map(|who| town.place_of(who, home));
        let at: Vec<Option<PlaceId>> = homes.collect();
        let stand = |(who, at): (usize, &Option<PlaceId>)| {
            at.map_or_else(Point::default, |at| town.stand(who, town.cell_of(at)))
        };
        let ago = |what| {
            let draw = |who| -i64::from(town.draw(who, what, FIRST_MEAL_TICKS));
            people.clone().map(draw).collect()
        };
        let count = people.len();
        Self {
            now: Now::default(),
            first,
            place: people.clone().zip(&at).map(stand).collect(),
            goal: at.iter().map(|at| at.unwrap_or(0)).collect(),
            deed: vec![Deed::Stand; count],
            ate: ago(2_000),
            drank: ago(2_001),
            until: vec![0; count],
            moved: (0..count as u32).collect(),
            told: 0,
            town: Arc::clone(town),
            at,
        }
    }

    /// Adds these people behind others.
    pub(super) fn add_to(&self, columns: &mut Columns) {
        // A new field has to be named here, so nobody forgets to save it.
        let Self {
            town: _,
            now: _,
            first,
            place,
            at,
            goal,
            deed,
            ate,
            drank,
            until,
            moved,
            told: _,
        } = self;
        columns.place.extend(place);
        columns.at.extend(at);
        columns.goal.extend(goal);
        columns.deed.extend(deed);
        columns.ate.extend(ate);
        columns.drank.extend(drank);
        columns.until.extend(until);
        columns
            .moved
            .extend(moved.iter().map(|row| *first as u32 + row));
    }

    /// Some of the people that were saved.
    pub(super) fn restored(town: &Arc<Town>, people: Range<usize>, columns: &Columns) -> Self {
        let (first, end) = (people.start as u32, people.end as u32);
        let moved = columns
            .moved
            .iter()
            .filter(|person| (first..end).contains(person));
        Self {
            town: Arc::clone(town),
            now: Now::default(),
            first: people.start,
            moved: moved.map(|person| person - first).collect(),
            told: 0,
            place: columns.place[people.clone()].to_vec(),
            at: columns.at[people.clone()].to_vec(),
            goal: columns.goal[people.clone()].to_vec(),
            deed: columns.deed[people.clone()].to_vec(),
            ate: columns.ate[people.clone()].to_vec(),
            drank: columns.drank[people.clone()].to_vec(),
            until: columns.until[people].to_vec(),
        }
    }

    /// The row of a person.
    pub(super) fn row(&self, person: usize) -> usize {
        person - self.first
    }

    /// The number of a person in the whole crowd.
    pub(super) fn person(&self, row: usize) -> usize {
        self.first + row
    }

    /// Sets out for a person's own place of this name; `false` if there is none.
    pub(super) fn set_out(&mut self, row: usize, name: usize, runs: bool) -> bool {
        let Some(goal) = self.town.place_of(self.person(row), name) else {
            return false;
        };
        self.goal[row] = goal;
        self.deed[row] = if runs { Deed::Run } else { Deed::Walk };
        if self.at[row].is_some_and(|at| at != goal) {
            self.at[row] = None;
            self.moved.push(row as u32);
        }
        true
    }

    /// One tick of a walk; `Some(true)` when it is at its end, `None` where there is no way.
    pub(super) fn walk(&mut self, row: usize) -> Option<bool> {
        let (person, goal, place) = (self.person(row), self.goal[row], self.place[row]);
        if self.at[row] == Some(goal) {
            return Some(true);
        }
        let pace_mm = match self.deed[row] {
            Deed::Run => 400,
            _ => 160 + self.town.draw(person, 3_000, 80) as i32,
        };
        let next = self.town.next(place.cell(), goal)?;
        let target = self.town.stand(person, next);
        self.place[row] = place.towards(target, pace_mm);
        let is_there = self.place[row] == target && next == self.town.cell_of(goal);
        if is_there {
            self.at[row] = Some(goal);
            self.moved.push(row as u32);
        }
        Some(is_there)
    }

    /// Begins something that takes this many ticks, give or take a quarter.
    pub(super) fn begin(&mut self, row: usize, deed: Deed, ticks: u64) {
        let spread = (ticks / 2).min(1 << 20) as u32;
        let more = self
            .town
            .draw(self.person(row), 4_000 + self.now.tick as u32, spread + 1);
        self.deed[row] = deed;
        self.until[row] = self.now.tick + ticks - ticks / 4 + u64::from(more);
    }

    pub(super) fn is_done(&self, row: usize) -> bool {
        self.now.tick >= self.until[row]
    }

    pub(super) fn note_meal(&mut self, row: usize) {
        self.ate[row] = self.now.tick as i64;
    }

    pub(super) fn note_drink(&mut self, row: usize) {
        self.drank[row] = self.now.tick as i64;
    }

    /// For how many ticks a person has not eaten.
    pub(super) fn hunger_ticks(&self, row: usize) -> i64 {
        self.now.tick as i64 - self.ate[row]
    }

    /// For how many ticks a person has not drunk.
    pub(super) fn thirst_ticks(&self, row: usize) -> i64 {
        self.now.tick as i64 - self.drank[row]
    }

    /// Whether a person goes by the night: everybody has an hour of its own to get up and to go to bed.
    pub(super) fn is_night(&self, row: usize) -> bool {
        let own = self.town.draw(self.person(row), 5_000, 120);
        let minute = (self.now.minute + own) % (24 * 60);
        !(7 * 60..22 * 60).contains(&minute)
    }

    /// Whether a person notices a danger.
    pub(super) fn sees_danger(&self, row: usize) -> bool {
        let place = self.place[row];
        let mut dangers = self.now.dangers.iter();
        dangers.any(|danger| danger.place.distance_mm(place) <= danger.range_mm)
    }
}
