//! What pages ask and what they are answered, as `docs/studio-protocol.md` says it.

use super::super::app::{FASTEST, SLOWEST};
use super::super::reloading::Reloading;
use super::game::Game;
use super::library::Library;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use treemind_arena::TICKS_PER_SEC;
use treemind_studio::Page;

/// The version of the protocol: another one when a page of an earlier version would misunderstand.
const VERSION: u64 = 1;
/// How long a jump or a run may keep the pages waiting.
const SLICE: Duration = Duration::from_millis(25);
/// How many ticks that are late are made up for at once, at normal speed.
const MOST_LATE: u32 = 4;

/// What a page wants to see, and has seen.
struct Look {
    page: Page,
    /// The number that it gave this question.
    nth: u64,
    mind: usize,
    node: Option<usize>,
    /// The state of the session that it has.
    seen: u64,
    /// The file and the mind whose definition it has.
    defined: (u64, usize),
    /// The tick from which on it wants to know what the mind did.
    since: u64,
}

/// The files, the one that is open, and who looks at it.
pub(super) struct Session<'a> {
    library: Library,
    open: usize,
    /// How often a file was opened.
    opened: u64,
    game: Game,
    is_paused: bool,
    speed: f64,
    /// When the next tick is due.
    next: Instant,
    /// Where it is jumping to.
    goal: Option<u64>,
    /// Grows with everything that a page could show.
    state: u64,
    looks: Vec<Look>,
    /// Whether the game was begun elsewhere, with its own map and seed: then no file is opened.
    is_guest: bool,
    reloading: Option<Reloading<'a>>,
    /// What the last change of a watched document did.
    reloaded: Value,
}

impl<'a> Session<'a> {
    pub(super) fn new(library: Library) -> Self {
        let game = Game::open(&library.entries()[0]);
        Self::of(library, game)
    }

    /// Shows a game that was begun elsewhere.
    pub(super) fn running(
        library: Library,
        game: Game,
        reloading: Option<Reloading<'a>>,
        speed: f64,
    ) -> Self {
        let mut session = Self::of(library, game);
        session.is_guest = true;
        session.reloading = reloading;
        session.speed = speed;
        session
    }

    fn of(library: Library, game: Game) -> Self {
        Self {
            library,
            open: 0,
            opened: 1,
            game,
            is_paused: false,
            speed: 1.0,
            next: Instant::now(),
            goal: None,
            state: 1,
            looks: Vec::new(),
            is_guest: false,
            reloading: None,
            reloaded: Value::Null,
        }
    }

    /// Takes in what a page asks.
    pub(super) fn hear(&mut self, text: &str, page: Page) {
        let Ok(ask) = serde_json::from_str::<Value>(text) else {
            self.refuse(&page, "that is not JSON");
            return;
        };
        match ask["say"].as_str() {
            Some("look") => {
                let number = |name: &str| ask[name].as_u64().unwrap_or(0);
                // The last question of a page counts.
                self.looks.retain(|look| !look.page.is_same(&page));
                self.looks.push(Look {
                    page,
                    nth: number("nth"),
                    mind: number("mind") as usize,
                    node: ask["node"].as_u64().map(|node| node as usize),
                    seen: number("seen"),
                    defined: (number("opened"), number("defined") as usize),
                    since: number("since"),
                });
                return;
            }
            Some("hello") => {
                let files = self.library.entries().iter();
                let files: Vec<&str> = files.map(|entry| entry.name.as_str()).collect();
                let hello = json!({"kind": "hello", "version": VERSION, "files": files, "ticks_per_sec": TICKS_PER_SEC});
                page.send(hello.to_string());
                return;
            }
            Some("open") => match ask["file"]
                .as_str()
                .and_then(|name| self.library.find(name))
            {
                // A running game is open, and goes on.
                Some(_) if self.is_guest => {}
                Some(file) => self.open(file),
                None => self.refuse(&page, "there is no such file among those that are open"),
            },
            Some("play") => self.is_paused = false,
            Some("pause") => (self.is_paused, self.goal) = (true, None),
            Some("step") => {
                let tick = self.aim() + 1;
                self.jump(tick);
            }
            Some("back") => {
                let tick = self.aim().saturating_sub(1);
                self.jump(tick);
            }
            Some("go") => match ask["tick"].as_u64() {
                Some(tick) => self.jump(tick),
                None => self.refuse(&page, "`go` needs a `tick`"),
            },
            Some("speed") => match ask["factor"].as_f64() {
                Some(factor) if (SLOWEST..=FASTEST).contains(&factor) => self.speed = factor,
                _ => self.refuse(&page, "`speed` needs a `factor` from 0.1 to 64"),
            },
            _ => self.refuse(&page, "unknown `say`"),
        }
        self.next = Instant::now();
        self.state += 1;
    }

    fn refuse(&self, page: &Page, why: &str) {
        page.send(json!({"kind": "refused", "why": why}).to_string());
    }

    fn open(&mut self, file: usize) {
        self.game = Game::open(&self.library.entries()[file]);
        self.open = file;
        self.opened += 1;
        (self.is_paused, self.goal) = (false, None);
    }

    fn tick(&self) -> u64 {
        let stage = self.game.stage.as_ref();
        stage.map_or(0, |stage| stage.reel.tick())
    }

    /// The tick that it is at, or is on its way to: a step in the middle of a jump counts from its end.
    fn aim(&self) -> u64 {
        self.goal.unwrap_or_else(|| self.tick())
    }

    /// Pauses, and begins to go to a tick.
    pub(super) fn jump(&mut self, tick: u64) {
        self.is_paused = true;
        let Some(stage) = &mut self.game.stage else {
            return;
        };
        let tick = stage.end.map_or(tick, |end| tick.min(end));
        let tick = tick.max(stage.reel.first_tick());
        stage.reel.rewind(tick);
        self.goal = Some(tick);
        self.run(Instant::now());
    }

    /// If a watched document has changed, goes on with it.
    pub(super) fn look_around(&mut self) {
        let Some(reloading) = &mut self.reloading else {
            return;
        };
        let before = self.game.reloads;
        let lines = reloading.look(&mut self.game);
        if lines.is_empty() {
            return;
        }
        let is_done = self.game.reloads != before;
        if is_done {
            self.opened += 1;
            self.goal = None;
        }
        let nth = self.reloaded["nth"].as_u64().unwrap_or(0) + 1;
        self.reloaded =
            json!({"nth": nth, "tick": self.tick(), "is_done": is_done, "lines": lines});
        self.state += 1;
    }

    /// When there is something to play.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.game.stage.as_ref()?;
        match (self.goal, self.is_paused) {
            (Some(_), _) => Some(now),
            (None, true) => None,
            (None, false) => Some(self.next),
        }
    }

    /// Plays what is due.
    pub(super) fn play(&mut self, now: Instant) {
        if self.goal.is_some() {
            self.run(now);
            return;
        }
        let Some(stage) = self.game.stage.as_mut().filter(|_| !self.is_paused) else {
            return;
        };
        let period = Duration::from_secs_f64(1.0 / (TICKS_PER_SEC as f64 * self.speed));
        let most = MOST_LATE * (1 + self.speed as u32);
        for _ in 0..most {
            if self.next > now || now.elapsed() > SLICE {
                break;
            }
            self.is_paused = !stage.step();
            self.state += 1;
            self.next += period;
            if self.is_paused {
                break;
            }
        }
        // After a long break, time continues from here.
        self.next = self.next.max(now);
    }

    /// Goes some of the way to the goal.
    fn run(&mut self, begun: Instant) {
        let (Some(goal), Some(stage)) = (self.goal, &mut self.game.stage) else {
            self.goal = None;
            return;
        };
        while stage.reel.tick() < goal && begun.elapsed() < SLICE {
            if !stage.step() {
                self.goal = None;
                break;
            }
        }
        if stage.reel.tick() >= goal {
            self.goal = None;
        }
        self.state += 1;
    }

    /// Answers the pages that have not seen how it is now.
    pub(super) fn answer(&mut self) {
        let looks = std::mem::take(&mut self.looks);
        for look in looks {
            if look.seen == self.state {
                if look.page.is_open() {
                    self.looks.push(look);
                }
                continue;
            }
            let answer = self.view(&look);
            look.page.send(answer.to_string());
        }
    }

    fn view(&self, look: &Look) -> Value {
        let stage = self.game.stage.as_ref();
        let count = stage.map_or(1, |stage| stage.player().minds().len());
        let mind = look.mind.min(count - 1);
        let is_known = look.defined == (self.opened, mind);
        let since = if is_known { look.since } else { 0 };
        let mut view = self.game.view(mind, look.node, since);
        view["kind"] = json!("view");
        view["nth"] = json!(look.nth);
        view["state"] = json!(self.state);
        view["opened"] = json!(self.opened);
        view["mind"] = json!(mind);
        view["file"] = json!(self.library.entries()[self.open].name);
        view["tick"] = json!(self.tick());
        view["last"] = json!(stage.map_or(0, |stage| stage.film.last()));
        view["first"] = json!(stage.map_or(0, |stage| stage.reel.first_tick()));
        view["reloaded"] = self.reloaded.clone();
        view["end"] = json!(stage.and_then(|stage| stage.end));
        view["is_paused"] = json!(self.is_paused);
        view["is_jumping"] = json!(self.goal.is_some());
        view["speed"] = json!(self.speed);
        if !is_known {
            view["definition"] = self.game.definition(mind);
        }
        view
    }
}
