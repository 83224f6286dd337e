//! A hamlet of 160 villagers and 40 guards, for two days: the bell rings, wolves come, the game is saved and loaded, and
//! a document changes overnight. All of it is recorded, and can be watched in the studio.
use serde::{Deserialize, Serialize};
use std::{error::Error, fs, io, path::Path, thread, time::Duration};
use treemind::blackboard::Value;
use treemind::events::To;
use treemind::leaves::{Move, Told};
use treemind::prelude::*;
use treemind::{Imports, NodeType};
use treemind_recording::record;
use treemind_studio::Studio;

type Done = Result<(), Box<dyn Error>>;

/// A tenth of a second. A second of the game is an hour of the hamlet, so a day has 240 ticks.
const TICK: Duration = Duration::from_millis(100);
const NOON: u32 = 60;
const EVENING: u32 = 150;
const MIDNIGHT: u32 = 180;
const MORNING: u32 = 280;
const END: u32 = 400;

/// What the game owns.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
struct World {
    hour: f32,
    /// How strong the wolves in each of the four quarters are.
    wolves: [f32; 4],
    /// What has happened since the last step.
    news: Vec<String>,
}

/// `action walk to=12.0 speed=5.0`. Where somebody is, is a key of theirs.
#[derive(Deserialize)]
struct Walk {
    to: f32,
    speed: f32,
}

impl ActionType<World> for Walk {
    type State = ();

    fn update(&self, (): &mut (), _: &mut World, me: &mut Agent) -> Result<Status, TaskError> {
        let (at, step) = (me.get::<f32>("at"), self.speed * me.dt_secs() as f32);
        me.set("at", at + (self.to - at).clamp(-step, step));
        Ok(match (self.to - at).abs() <= step {
            true => Status::Success,
            false => Status::Running,
        })
    }
}

/// `action harvest hours=2.0 sacks=1`
#[derive(Deserialize)]
struct Harvest {
    hours: f64,
    sacks: i64,
}

impl ActionType<World> for Harvest {
    type State = f64; // of each run: for how long it has gone on

    fn update(&self, worked: &mut f64, _: &mut World, me: &mut Agent) -> Result<Status, TaskError> {
        *worked += me.dt_secs();
        if *worked < self.hours {
            return Ok(Status::Running);
        }
        me.set("grain", me.get::<i64>("grain") + self.sacks); // `merge=add`: everybody's sacks count
        Ok(Status::Success)
    }
}

/// `node shift from=20.0 until=6.0 { … }`: a decorator, whose child runs only in these hours.
#[derive(Deserialize)]
struct Shift {
    from: f32,
    until: f32,
}

impl NodeType<World> for Shift {
    type State = ();

    fn decide(
        &self,
        (): &mut (),
        w: &mut World,
        _: &mut Agent,
        told: Told,
    ) -> Result<Move, TaskError> {
        let is_on = match self.from < self.until {
            true => (self.from..self.until).contains(&w.hour),
            false => w.hour >= self.from || w.hour < self.until,
        };
        Ok(match told {
            Told::Tick if is_on => Move::Tick(0),
            Told::Answered { status, .. } => Move::Answer(status),
            _ => Move::Answer(Status::Failure), // what the child was doing is aborted
        })
    }
}

/// What the documents may use.
fn leaves() -> Registry<World> {
    let quarter = |me: &Agent| me.group() as usize - 1;
    let mut leaves = Registry::new();
    leaves
        .for_saving() // from here on, a state that is not saved is an error when the game begins
        .saved_action_type::<Walk>("walk")
        .saved_action_type::<Harvest>("harvest")
        .saved_decorator_type::<Shift>("shift")
        .condition("see-wolves", move |w, me| w.wolves[quarter(me)] > 0.0)
        .action("fight", move |w, me| {
            w.wolves[quarter(me)] -= me.arg::<f32>("strength") * me.dt_secs() as f32;
            Status::Running
        })
        .action("rest", |_, _| Status::Running)
        .on_event("horn-call", |w, me| {
            w.news.push(format!("quarter {}: wolves!", me.group()))
        })
        .on_event("feast", |w, me| {
            w.news
                .push(format!("quarter {}: a feast for all", me.group()))
        });
    leaves
}

/// A document with what it imports. `edit` stands for somebody who changes the file.
fn read(folder: &Path, name: &str, edit: fn(&str) -> String) -> Result<Document, Box<dyn Error>> {
    let path = folder.join(name).display().to_string();
    let text = edit(&fs::read_to_string(&path)?);
    let imports = Imports::of(&path);
    Ok(Document::read_with(text.as_bytes(), &path, |import| {
        imports.read(import)
    }))
}

/// A game: those who live in the hamlet, and their world.
struct Game {
    cast: Cast<World>,
    world: World,
    tick: u32,
}

impl Game {
    fn new(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut cast = Cast::new(leaves());
        cast.add(&read(folder, "villager.kdl", str::to_owned)?)?;
        cast.add(&read(folder, "guard.kdl", str::to_owned)?)?;
        for quarter in 1..=4 {
            for (who, how_many) in [("villager", 40), ("watchman", 9), ("captain", 1)] {
                for id in cast.spawn(who, how_many)? {
                    cast.set_group(id, quarter)?;
                }
            }
        }
        let world = World {
            hour: 6.0,
            wolves: [0.0; 4],
            news: Vec::new(),
        };
        Ok(Self {
            cast,
            world,
            tick: 0,
        })
    }

    /// Treemind saves the agents, and the game its world.
    fn save(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(serde_json::to_vec(&(
            self.cast.save(),
            &self.world,
            self.tick,
        ))?)
    }

    fn load(saved: &[u8]) -> Result<Self, Box<dyn Error>> {
        let (agents, world, tick): (Vec<u8>, World, u32) = serde_json::from_slice(saved)?;
        Ok(Self {
            cast: Cast::restore_as_saved(&agents, leaves())?,
            world,
            tick,
        })
    }

    /// A tick, and before it what happens from outside.
    fn step(&mut self, folder: &Path) -> Done {
        self.world.hour = (6.0 + self.tick as f32 / 10.0) % 24.0;
        match self.tick {
            NOON => self.world.wolves[1] = 20.0,
            MIDNIGHT => {
                let edit = |text: &str| text.replace("harvest hours=2.0", "harvest hours=1.5");
                let changed = read(folder, "villager.kdl", edit)?;
                for (who, migration) in self.cast.reload(&[&changed], &mut self.world)? {
                    self.world
                        .news
                        .push(format!("{who} has changed: {migration}"));
                }
            }
            MORNING => {
                let heard = self.cast.send(To::World, "rain", &[Value::Double(2.0)])?;
                self.world
                    .news
                    .push(format!("it rains, and {} know it", heard.received));
            }
            _ => {}
        }
        self.cast.step(&mut self.world, TICK);
        self.tick += 1;
        for (name, faults) in self.cast.take_faults() {
            faults
                .sums()
                .iter()
                .for_each(|sum| eprintln!("{name}: {sum}"));
        }
        Ok(())
    }

    /// What has happened, and every two hours how the hamlet is.
    fn report(&mut self, out: &mut impl io::Write) -> Done {
        let hour = self.world.hour;
        for news in self.world.news.drain(..) {
            writeln!(out, "{hour:4.1} h  {news}")?;
        }
        if self.tick.is_multiple_of(20) {
            let at = self
                .cast
                .agents()
                .map(|one| self.cast.get::<f32>(one.id, "at"));
            let out_there = at
                .filter(|at| at.as_ref().is_ok_and(|at| *at > 0.0))
                .count();
            let grain: i64 = self.cast.get_world("grain")?;
            writeln!(out, "{hour:4.1} h  {grain} sacks, {out_there} are out")?;
        }
        Ok(())
    }
}

/// Plays two days, records them into a file, and shows them in a studio, with a pause after each tick.
pub fn play(
    folder: &Path,
    file: &Path,
    studio: Option<(&Studio, Duration)>,
    out: &mut impl io::Write,
) -> Done {
    let mut game = Game::new(folder)?;
    let recording = record(&mut game.cast, file)?;
    if let Some((studio, _)) = studio {
        studio.watch(&mut game.cast, "hamlet");
    }
    let mut saved = Vec::new();
    while game.tick < END {
        if let Some((studio, pause)) = studio {
            thread::sleep(pause.div_f64(studio.speed()));
            if !studio.wants_tick() {
                continue; // somebody has stopped it on the page
            }
        }
        if game.tick == EVENING {
            saved = game.save()?;
        }
        game.step(folder)?;
        game.report(out)?;
    }
    recording.finish()?;

    // The saved game goes on in the same way.
    let mut again = Game::load(&saved)?;
    while again.tick < END {
        again.step(folder)?;
        again.report(&mut io::sink())?;
    }
    let same = again.cast.save() == game.cast.save() && again.world == game.world;
    writeln!(
        out,
        "the game saved in the evening ended {}",
        if same { "the same" } else { "otherwise" }
    )?;
    Ok(())
}

/// `hamlet [RECORDING] [--studio]`
fn main() -> Done {
    let mut file = std::env::temp_dir().join("hamlet.mcap");
    let mut studio = None;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--studio" => studio = Some(Studio::open(0)?),
            name => file = name.into(),
        }
    }
    if let Some(studio) = &studio {
        println!("watch it at {}", studio.url());
    }
    let shown = studio.as_ref().map(|studio| (studio, TICK));
    play(
        Path::new("examples/17-hamlet"),
        &file,
        shown,
        &mut io::stdout(),
    )?;
    println!("recorded: treemind replay {}", file.display());
    if studio.is_some() {
        println!("press Enter to end");
        io::stdin().read_line(&mut String::new())?;
    }
    Ok(())
}
