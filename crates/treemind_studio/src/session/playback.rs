//! A file that is open.

mod sheets;
mod steer;

use super::{HEARING, IDLE, Numbers, SLICE};
use crate::clock::Instant;
use crate::session::Page;
use crate::session::{Change, Pace, Show};
use sheets::Sheets;
use std::time::Duration;
use treemind_doc::said;
use treemind_replay::follow::Breakpoints;
use treemind_replay::history::Chore;
use treemind_replay::view::Wish;
use treemind_replay::view::protocol::{Look, Other, Reloaded, View};

/// A page that follows a game passes over what is missed when it is more than this many ticks behind.
const MOST_BEHIND: u64 = 48;
/// How many ticks that are late are made up for at once, at normal speed.
const MOST_LATE: u32 = 4;
/// How long to wait for the next tick of a game that runs elsewhere.
const LIVE: Duration = Duration::from_millis(10);
/// The same while that game waits until its last tick has been shown.
const SHOWN: Duration = Duration::from_millis(1);

/// A tick that it is jumping to.
struct Goal {
    tick: u64,
    /// Who has asked for it: when that page is closed, nobody waits for it any more. `None` if it was not a page.
    by: Option<Page>,
}

/// A file that is open: what plays, how, and who looks at it.
pub(super) struct Playback {
    pub(super) show: Box<dyn Show>,
    numbers: Numbers,
    /// Another number whenever it is opened, and for each reload.
    opened: u64,
    is_paused: bool,
    /// Of a game that runs elsewhere: shows its last tick as soon as there is one.
    follows: bool,
    pub(super) speed: f64,
    /// Whether it is a part of a game that lets pages control it.
    pub(super) is_controlled: bool,
    /// Whether that game is to make one more tick.
    pub(super) wants_tick: bool,
    /// Grows whenever a page or a breakpoint says how it continues.
    pub(super) steered: u64,
    /// When the next tick is due.
    next: Instant,
    /// Where it is jumping to.
    goal: Option<Goal>,
    /// Grows with everything that a page could show.
    pub(super) state: u64,
    /// The pages that look at it. While there are none, it stands still.
    pub(super) pages: Vec<Page>,
    /// What pages have chosen that edit the document.
    chosen: Vec<(Page, Vec<u64>)>,
    /// What they have of it.
    sheets: Sheets,
    /// What the last change of a watched document did.
    reloaded: Option<Reloaded>,
    /// The last tick that pages were told of while they stand still and the game continues, and where it ends.
    told: (u64, Option<u64>),
    pub(super) breakpoints: Breakpoints,
    /// The tick from which it was played without a jump.
    plays_since: u64,
    /// Within the last tick: how many of its events are shown.
    event: Option<usize>,
    /// What came of the work that nobody waits for.
    chore: Chore,
}

impl Playback {
    /// Plays from where the show is.
    pub(super) fn new(show: Box<dyn Show>, numbers: Numbers) -> Self {
        Self {
            show,
            opened: numbers.next(),
            is_paused: false,
            follows: true,
            speed: 1.0,
            is_controlled: false,
            wants_tick: false,
            steered: 0,
            next: Instant::now(),
            goal: None,
            state: numbers.next(),
            pages: Vec::new(),
            chosen: Vec::new(),
            sheets: Sheets::default(),
            reloaded: None,
            told: (0, None),
            breakpoints: Breakpoints::default(),
            plays_since: 0,
            event: None,
            chore: Chore::Idle,
            numbers,
        }
    }

    /// There is something new to show.
    pub(super) fn turn(&mut self) {
        self.state = self.numbers.next();
    }

    /// A page says how it continues, or a breakpoint does.
    fn take_lead(&mut self) {
        self.steered = self.numbers.next();
    }

    /// Plays a tick, and stops after it if a breakpoint says so; returns whether there was one.
    fn step(&mut self) -> bool {
        let tick = self.show.course().tick;
        let (show, breakpoints) = (&mut self.show, &mut self.breakpoints);
        if breakpoints.wants_before(tick) {
            show.see(&mut |seen| breakpoints.look_before(&seen));
        }
        if !show.step() {
            return false;
        }
        self.event = None;
        if breakpoints.is_armed() {
            let tick = show.course().tick;
            show.see(&mut |seen| breakpoints.look(&seen, tick));
            breakpoints.knows(tick);
            if breakpoints.is_hit() {
                (self.is_paused, self.follows) = (true, false);
                self.take_lead();
            }
        }
        true
    }

    /// The tick that it is at, or is on its way to: a step in the middle of a jump counts from its end.
    fn aim(&self) -> u64 {
        let goal = self.goal.as_ref().map(|goal| goal.tick);
        goal.unwrap_or_else(|| self.show.course().tick)
    }

    /// Pauses, and begins to go to a tick, for a page or for nobody.
    pub(super) fn set_off(&mut self, tick: u64, page: Option<&Page>) {
        self.is_paused = true;
        let course = self.show.course();
        if !course.plays {
            return;
        }
        let most = if course.is_live {
            Some(course.last)
        } else {
            course.end
        };
        let tick = most.map_or(tick, |most| tick.min(most)).max(course.first);
        self.follows = course.is_live && tick >= course.last;
        self.show.seek(tick);
        let by = page.cloned();
        self.goal = Some(Goal { tick, by });
        self.run(Instant::now());
    }

    /// If a watched document has changed, continues with it.
    pub(super) fn look_around(&mut self) {
        if self.show.has_news() {
            self.turn();
        }
        if let Some(change) = self.show.look_around() {
            self.note(change);
        }
    }

    /// Another file has taken the place of this one.
    pub(super) fn begin_again(&mut self, show: Box<dyn Show>) {
        self.show = show;
        self.goal = None;
        self.plays_since = 0;
        let name = self.show.file();
        self.note(Change::done(said!(
            "{} was replaced by another file, which is shown from its beginning",
            name
        )));
    }

    /// The document was changed.
    fn note(&mut self, change: Change) {
        // Pages ask for the definition again: if nothing is done, it has the text with the mistakes.
        self.opened = self.numbers.next();
        if change.is_done {
            self.breakpoints.turn();
            self.event = None;
            // A game that is recorded can be reached also before a change.
            if !self.show.course().is_live {
                self.goal = None;
            }
        }
        if change.lines.is_empty() {
            self.turn();
            return;
        }
        let nth = self.reloaded.as_ref().map_or(0, |last| last.nth) + 1;
        self.reloaded = Some(Reloaded {
            nth,
            tick: self.show.course().tick,
            is_done: change.is_done,
            lines: change.lines,
        });
        self.turn();
    }

    /// Twice a second of the game, pages that stand still hear how far it has continued, and at once where it ends.
    pub(super) fn note_last(&mut self) {
        let course = self.show.course();
        let ticks = (self.show.ticks_per_sec() / 2.0) as u64;
        let is_further = course.is_live && course.last.abs_diff(self.told.0) > ticks;
        if is_further || course.end != self.told.1 {
            self.told = (course.last, course.end);
            self.turn();
        }
    }

    /// How long to wait for a question, because nothing is to be played before.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        if self.chore != Chore::Idle {
            return Duration::ZERO;
        }
        let course = self.show.course();
        if self.pace() == Pace::Shown && course.tick >= course.last {
            return SHOWN;
        }
        if self.is_paused && self.follows && self.is_controlled {
            return LIVE;
        }
        if !course.plays || self.goal.is_none() && self.is_paused {
            return IDLE;
        }
        let due = match (self.goal.as_ref(), course.is_live && self.follows) {
            (Some(_), _) => now,
            (None, true) if self.pages.is_empty() => return IDLE,
            (None, true) if course.tick >= course.last => return LIVE,
            (None, true) => now,
            (None, false) if self.pages.is_empty() => return IDLE,
            (None, false) => self.next,
        };
        due.saturating_duration_since(now).min(IDLE)
    }

    /// Forgets a page that looks elsewhere, and those that are closed, with what only they waited for.
    pub(super) fn part(&mut self, from: Option<&Page>) {
        let stays = |page: &Page| page.is_open() && !from.is_some_and(|gone| gone.is_same(page));
        self.pages.retain(stays);
        self.sheets.keep(stays);
        let before = self.chosen.len();
        self.chosen.retain(|(page, _)| stays(page));
        if self.chosen.len() != before {
            self.turn();
        }
        let by = self.goal.as_ref().and_then(|goal| goal.by.as_ref());
        if by.is_some_and(|page| !stays(page)) {
            self.goal = None;
            self.turn();
        }
    }

    /// The files with edits that are not saved, each with whether a page has them, which keeps them when the program ends.
    pub(super) fn unsaved(&self) -> Vec<(String, bool)> {
        let is_kept = self.sheets.are_shown();
        let files = self.show.unsaved().into_iter();
        files.map(|file| (file, is_kept)).collect()
    }

    /// Plays what is due.
    pub(super) fn play(&mut self, now: Instant) {
        let course = self.show.course();
        if self.goal.is_some() {
            self.run(now);
        } else if self.is_paused && self.follows && self.is_controlled {
            // The game was in a tick when it was stopped, or was asked for one.
            while self.show.course().tick < self.show.course().last && self.show.step() {
                self.event = None;
                self.turn();
            }
        } else if self.is_paused || !course.plays {
        } else if course.is_live && self.follows {
            self.follow(now);
        } else {
            self.play_in_time(now);
        }
    }

    /// How a game continues that lets the pages control it: while they are in its past, it stands still.
    pub(super) fn pace(&self) -> Pace {
        match self.is_paused || !self.follows {
            _ if !self.is_controlled => Pace::Free,
            true => Pace::Still,
            // Where nobody looks, nothing is shown.
            false if self.breakpoints.is_armed() && !self.pages.is_empty() => Pace::Shown,
            false => Pace::Free,
        }
    }

    /// Whether the next tick is one that a game has to make that lets the pages control it.
    fn is_at_end_of_controlled(&self) -> bool {
        // Of a game that has just made a tick for a page, the next one is wanted, too.
        let is_asked = self.is_paused && self.follows && self.goal.is_none();
        self.is_controlled && (is_asked || self.aim() >= self.show.course().last)
    }

    /// Whether its last tick has been shown.
    pub(super) fn is_at_end(&self) -> bool {
        let course = self.show.course();
        course.tick >= course.last
    }

    /// Continues to the last tick of a game that runs elsewhere. Nobody waits for it unless somebody looks.
    fn follow(&mut self, now: Instant) {
        if self.pages.is_empty() {
            return;
        }
        let last = self.show.course().last;
        // A breakpoint would be missed in what is passed over.
        let tick = self.show.course().tick;
        if tick + MOST_BEHIND < last && !self.breakpoints.is_armed() {
            self.show.seek(last);
            if self.show.course().tick != tick {
                self.plays_since = self.show.course().tick;
                self.turn();
            }
        }
        while self.show.course().tick < last && now.elapsed() <= SLICE && self.step() {
            self.turn();
            if self.is_paused {
                break;
            }
        }
    }

    /// Plays in time, if somebody looks: otherwise the game waits for the next page.
    fn play_in_time(&mut self, now: Instant) {
        if self.pages.is_empty() {
            self.next = now;
            return;
        }
        let period = Duration::from_secs_f64(1.0 / (self.show.ticks_per_sec() * self.speed));
        let most = MOST_LATE * (1 + self.speed as u32);
        for _ in 0..most {
            if self.next > now || now.elapsed() > SLICE {
                break;
            }
            let is_over = !self.step();
            self.turn();
            self.next += period;
            if self.is_paused {
                break;
            }
            if is_over {
                // Whoever has caught up with a game that runs elsewhere follows it.
                self.follows = self.show.course().is_live;
                self.is_paused = !self.follows;
                break;
            }
        }
        // After a long break, time continues from here.
        self.next = self.next.max(now);
    }

    /// Goes some of the way to the goal.
    fn run(&mut self, begun: Instant) {
        let Some(goal) = self.goal.as_ref().map(|goal| goal.tick) else {
            return;
        };
        while self.show.course().tick < goal && begun.elapsed() < SLICE {
            if !self.show.step() {
                self.goal = None;
                break;
            }
        }
        self.plays_since = self.show.course().tick;
        if self.plays_since >= goal {
            self.goal = None;
        }
        self.turn();
    }

    /// Does some of what nobody waits for, as long as somebody looks.
    pub(super) fn catch_up(&mut self) {
        self.chore = match self.pages.is_empty() {
            true => Chore::Idle,
            false => self.show.catch_up(Instant::now() + HEARING),
        };
        if self.chore == Chore::Seen {
            self.turn();
        }
    }

    /// Which definition counts: that of the file that is open, with the documents of the tick that is shown.
    fn opened_now(&self) -> u64 {
        const REVISIONS: u64 = 1 << 20;
        self.opened * REVISIONS + self.show.revision() % REVISIONS
    }

    /// A page has chosen nodes of the document.
    fn choose(&mut self, ids: Vec<u64>, page: &Page) {
        self.chosen.retain(|(known, _)| !known.is_same(page));
        self.chosen.push((page.clone(), ids));
    }

    fn chosen_by(&self, page: &Page) -> Vec<u64> {
        let mut all = self.chosen.iter();
        let own = all.find(|(known, _)| known.is_same(page));
        own.map_or(Vec::new(), |(_, ids)| ids.clone())
    }

    fn chosen_by_others(&self, page: &Page) -> Vec<Other> {
        let others = self.chosen.iter().filter(|(known, _)| !known.is_same(page));
        let others = others.map(|(page, ids)| Other {
            who: page.name(),
            ids: ids.clone(),
        });
        others.collect()
    }

    pub(super) fn view(&mut self, look: &Look, page: &Page) -> View {
        let mut wish = Wish::of(look);
        wish.mind = wish.mind.min(self.show.minds() - 1);
        wish.event = self.event;
        wish.plays_since = self.plays_since;
        let mind = wish.mind;
        let opened = self.opened_now();
        let is_known = (look.opened, look.defined) == (opened, mind);
        if !is_known {
            wish.since = 0;
        }
        let moment = self.show.view(&wish);
        let sheet = look.sheet.and_then(|known| self.show.sheet(known));
        let (sheet, sheet_change) = match sheet {
            Some(sheet) => self.sheets.send(page, look, sheet),
            None => (None, None),
        };
        let map = look.map.and_then(|known| self.show.map(known));
        let tests = look.tests.and_then(|known| self.show.tests(known));
        let earlier = self.show.earlier(&wish, look.earlier);
        let course = self.show.course();
        View {
            nth: look.nth,
            state: self.state,
            opened,
            mind,
            file: self.show.file(),
            tick: course.tick,
            secs: self.show.secs(),
            first: course.first,
            last: course.last,
            end: course.end,
            ticks_per_sec: self.show.ticks_per_sec(),
            is_paused: self.is_paused,
            is_jumping: self.goal.is_some(),
            goal: self.goal.as_ref().map(|goal| goal.tick),
            speed: self.speed,
            is_live: course.is_live,
            is_controlled: self.is_controlled,
            reloaded: self.reloaded.clone(),
            held: self.show.held(),
            stubs: self.show.stubs(),
            breakpoints: self.breakpoints.shown(look.language),
            stopped: self.breakpoints.hit(look.language),
            hits: self.breakpoints.hits_after(look.hits, look.language),
            others: match look.sheet {
                Some(_) => self.chosen_by_others(page),
                None => Vec::new(),
            },
            sheet,
            sheet_change,
            map,
            unwritten: None,
            tests,
            earlier,
            definition: (!is_known).then(|| self.show.definition(mind)),
            moment,
        }
    }
}
