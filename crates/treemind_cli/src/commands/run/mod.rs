//! `treemind run`: plays a tree, live in the terminal or as a log.

mod camera;
mod course;
mod crowd;
pub(crate) mod explain;
mod faults;
mod groot;
mod live;
mod log;
mod log_lines;
mod mind;
mod naming;
mod notes;
mod outputs;
mod pace;
mod picture;
mod player;
mod reel;
mod reloading;
pub(crate) mod replay;
mod screening;
pub(crate) mod studio;
mod view;

use crate::commands::trace;
use crate::io::{self, Failure, Known, Selection};
use crate::numbers::{port_of_two, positive, some_ticks, ticks, whole};
use camera::{Camera, Subject};
use course::Plays as _;
use faults::FaultTable;
use live::Live;
use naming::{mind_named, named_mind, unplayable};
use notes::Printed;
use outputs::Outputs;
use pace::{Pace, conclude, watch_signals};
use picture::{draw, write_picture};
use player::Player;
use reloading::Reloading;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use treemind_arena::{Presses, Rules, Scenario, Session, World, YARD};
use treemind_core::behaviour::MAILBOX_SIZES;
use treemind_core::{Behaviour, Limits};
use treemind_doc::Document;
use treemind_view::{App, Ending, FASTEST, SLOWEST, Show, Theme, summary};

/// Play a tree or a machine, live in the terminal.
///
/// Plays in the built-in arena, a small world with a map. The map is the file with the document's name and the
/// extension `.map`, or else the only map in the folder that has the name of no other document there, or else a yard with a
/// guard and an intruder. With `--script`, leaves answer from a script instead, as in `treemind trace`. That works for documents whose leaves the
/// arena does not have, too.
///
/// With `--no-ui`, or when standard output is not a terminal, prints a log instead, one line per event.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: Selection,
    /// The map of the arena. Default: the map beside the document, else a small yard.
    #[arg(long, value_name = "MAP", conflicts_with = "script")]
    map: Option<PathBuf>,
    /// Play without the arena: leaves answer from this script.
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Print a log instead of the live view.
    #[arg(long)]
    no_ui: bool,
    /// Show the agents to Groot2 and other monitors of BehaviorTree.CPP, at this port of this machine.
    ///
    /// Breakpoints use the next port. It works neither with a crowd nor in the studio.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "1667", value_parser = port_of_two, conflicts_with_all = ["svg", "studio"])]
    groot: Option<u16>,
    /// Print only faults and the summary at the end.
    #[arg(long, requires = "no_ui")]
    quiet: bool,
    /// Stop after this many ticks of a twentieth of a second: the live view pauses, the log ends.
    ///
    /// Without it, the log ends with the scenario, after 600 ticks at the latest.
    #[arg(long, value_name = "N", value_parser = some_ticks)]
    ticks: Option<u64>,
    /// Print a table of the faults at the end instead of the log: each distinct fault once, with how often it occurred and what to do.
    #[arg(long, conflicts_with_all = ["svg", "studio"])]
    faults: bool,
    /// How many events the mailbox of an agent keeps until its next tick, from 1 to 256. Default: what the document or the map says, else 16.
    #[arg(long, value_name = "N", value_parser = mailbox)]
    mailbox: Option<usize>,
    /// How many runs the loops of an agent together start in one tick. Default: what the map says, else 100 000.
    #[arg(long, value_name = "N")]
    runs_per_tick: Option<u32>,
    /// The seed of all random numbers: the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    seed: u64,
    /// The initial speed of the live view, as a multiple of real time.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: f64,
    /// Begin at this tick: the live view pauses there, the log leaves out earlier events.
    #[arg(long, value_name = "TICK", value_parser = ticks)]
    at: Option<u64>,
    /// The number of people, on a map with a crowd. Default: the number that the map gives.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with = "script")]
    agents: Option<u64>,
    /// The number of threads that play a crowd. Default: all that the machine has. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with = "script")]
    threads: Option<u64>,
    /// A file with keys that steer the hero of the map, one `TICK KEY` per line, as `--write-keys` writes them.
    ///
    /// A key is `up`, `down`, `left`, `right`, `stand`, `strike`, `sneak` or `whistle`.
    #[arg(long, value_name = "FILE", conflicts_with = "script")]
    keys: Option<PathBuf>,
    /// Write the keys that steered the hero in the live view to this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_ui", "svg", "script"])]
    write_keys: Option<PathBuf>,
    /// Save the whole game to this file at the end; `--load` continues it.
    ///
    /// In the live view, F5 saves to this file and F9 loads it. Without this option, the file has the document's name
    /// with the extension `.save`.
    ///
    /// The old file is replaced as a whole: after a crash it is either the old or the new game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["script", "svg"])]
    save: Option<PathBuf>,
    /// Continue a game of the same document and map that `--save` has written.
    ///
    /// Ticks are counted from the start of the first run, and the seed is that of the saved game.
    #[arg(long, value_name = "FILE", conflicts_with = "script")]
    load: Option<PathBuf>,
    /// Record the run into this file, for `treemind replay`.
    ///
    /// It is written during the run: after a crash, everything but the last second can be replayed. An existing file is
    /// replaced.
    #[arg(long, value_name = "FILE", conflicts_with = "svg")]
    record: Option<PathBuf>,
    /// Reload the document whenever it, or a file that it imports, changes.
    ///
    /// What has not changed continues: what agents do, their timers, states and keys. A document with errors changes
    /// nothing. The log says what was reloaded, and what it cost. Without the live view, ticks take as long as with it.
    /// With `--script`, the script is watched, too, and its answers continue where they are.
    #[arg(long, conflicts_with = "svg")]
    watch: bool,
    /// With `--load`: the game may have been saved with another version of the document.
    ///
    /// What has not changed continues, as with `--watch`. What has changed is aborted, and reported on standard error.
    #[arg(long, requires = "load")]
    allow_changes: bool,
    /// The agent to show first: its name in the arena, or its number from 1.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Write the live view at the tick `--at` as an SVG picture instead of playing; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_ui", "ticks"])]
    svg: Option<PathBuf>,
    /// Make it a moving picture, from the tick `--at` to this one: ten frames a second, as fast as the game.
    #[arg(long, value_name = "TICK", requires = "svg", value_parser = ticks)]
    until: Option<u64>,
    /// Show the game in the browser instead of the terminal.
    ///
    /// Starts the studio with this game, and prints its address. With `--watch`, the page says what a change of the
    /// document did. A crowd is played on one thread there. Without `--bind`, only this machine can reach it. Ctrl+C
    /// ends it.
    #[arg(long, conflicts_with_all = ["no_ui", "svg", "record", "save", "write_keys", "ticks", "threads"])]
    studio: bool,
    #[command(flatten)]
    listen: studio::Listen,
    /// The columns and rows of the picture.
    #[arg(long, value_name = "WxH", default_value = "120x40", requires = "svg", value_parser = size)]
    size: (u16, u16),
}

const AFTER: &str = "\
Keys of the live view:
  space    pause, continue             . ,        one tick forward, back
  + -      faster, slower              g TICK     go to a tick
  Tab 1-9  another agent               v          one panel at a time
  y        why: what led to this tick  a NAME     an agent by its name or number
  F5       save the game               F9         load it
  ?        all keys and signs          q Esc      quit
The mouse selects agents and lines of the tree, and scrolls.
On maps with a hero, arrows or W A S D walk, space strikes, x stands, c sneaks,
n whistles, and p pauses.

Examples:
  treemind run guard.kdl
  treemind run guard.kdl --speed 4 --seed 7
  treemind run guard.kdl --map examples/01-guard/yard.map --no-ui --ticks 1000
  treemind run examples/01-guard/guard.kdl --at 190
  treemind run examples/07-stage/stage.kdl --agent player-2
  treemind run guard.kdl --faults --ticks 200 --mailbox 64
  treemind run examples/12-village --agents 100000
  treemind run examples/13-hero/castle.kdl --keys examples/13-hero/won.keys
  treemind run guard.kdl --no-ui --ticks 200 --save day.save
  treemind run guard.kdl --no-ui --ticks 400 --load day.save
  treemind run guard.kdl --no-ui --ticks 400 --record guard.mcap
  treemind run guard.kdl --watch               change guard.kdl while it plays
  treemind run guard.kdl --studio --watch      the same in the browser
  treemind run guard.kdl --groot               in Groot2 and other monitors
  treemind run guard.kdl --at 190 --svg guard.svg --size 112x26
  treemind run guard.kdl --at 90 --until 270 --svg guard.svg    a moving picture
  treemind run examples/03-boss/boss.kdl --machine boss --no-ui --quiet
  printf 'see-enemy: F F S\\nattack: R\\n' > day.txt
  treemind run guard.kdl --script day.txt";

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (SLOWEST..=FASTEST).contains(&factor) => Ok(factor),
        _ => Err(format!("not a number from {} to {}", SLOWEST, FASTEST)),
    }
}

fn mailbox(text: &str) -> Result<usize, String> {
    let (least, most) = (MAILBOX_SIZES.start(), MAILBOX_SIZES.end());
    match text.parse() {
        Ok(events) if MAILBOX_SIZES.contains(&events) => Ok(events),
        _ => Err(format!("not a whole number from {least} to {most}")),
    }
}

impl Args {
    /// The limits that the user wants; `None` if they are those of the document and the map.
    fn limits(&self) -> Option<Limits> {
        let mut limits = Limits::new();
        if let Some(events) = self.mailbox {
            limits = limits.mailbox(events);
        }
        if let Some(runs) = self.runs_per_tick {
            limits = limits.runs_per_tick(runs);
        }
        (limits != Limits::new()).then_some(limits)
    }

    /// What to say of the document when it changes, if it is watched: the part that is played, and the script.
    fn followed(&self) -> Option<(Selection, Option<PathBuf>)> {
        self.watch.then(|| (self.what.clone(), self.script.clone()))
    }

    /// Whether the log is left out.
    fn is_quiet(&self) -> bool {
        self.quiet || self.faults
    }
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let (most_wide, most_high) = view::MOST;
    let sides = text.split_once('x');
    let sides = sides.and_then(|(wide, high)| Some((wide.parse().ok()?, high.parse().ok()?)));
    match sides {
        Some((wide @ 1.., high @ 1..)) if wide <= most_wide && high <= most_high => {
            Ok((wide, high))
        }
        _ => Err(format!(
            "not columns and rows such as 120x40, at most {most_wide}x{most_high}"
        )),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([
        Some(&args.file),
        args.map.as_ref(),
        args.script.as_ref(),
        args.keys.as_ref(),
        args.load.as_ref(),
        args.what.manifest.as_ref(),
    ])?;
    let file = file_of(&args.file)?;
    if args.watch && io::is_stdin(&file) {
        return Err(Failure::Usage(
            "standard input cannot be watched".to_owned(),
        ));
    }
    let known = Known {
        is_watched: args.watch,
        ..args.what.known()
    };
    let document = io::sound_document(&file, known)?;
    let behaviour = io::behaviour_of(&document, &args.what)?;
    if !args.studio && !args.listen.is_default() {
        let text = "`--port`, `--bind` and `--token` are for the studio: add `--studio`";
        return Err(Failure::Usage(text.to_owned()));
    }
    let is_shown = !args.no_ui && !args.faults;
    let is_live = args.studio || (is_shown && std::io::stdout().is_terminal());
    let (player, map) = match &args.script {
        Some(script) => {
            let host = trace::host(&behaviour, Some(script), args.watch)?;
            let mut player = Player::scripted(behaviour, host, args.seed);
            player.limit(args.limits());
            (player, None)
        }
        None => {
            // It may be a pipe, which can be read only once.
            let (scenario, map) = scenario(args, &file)?;
            if let Some(people) = scenario.rules.crowd {
                if args.groot.is_some() {
                    let text = "`--groot` shows single agents, and the map has a crowd";
                    return Err(Failure::Usage(text.to_owned()));
                }
                let played = (&document, behaviour);
                return crowd::run(args, &file, played, (scenario, people, map), is_live);
            }
            let rules = rules(args, is_live);
            let player = player(args, &document, behaviour, World::new(scenario, rules))?;
            (player, Some((map, rules)))
        }
    };
    if args.studio {
        let playing = studio::Playing::Few(Box::new(player));
        return studio::show(args, &file, &document, playing);
    }
    let mind = named_mind(args.agent.as_deref(), &player)?;
    let outputs = Outputs::claim(args, &file)?;
    let reloading = Reloading::of(args.followed(), &file, &document)?;
    if args.svg.is_some() {
        return draw(args, player, mind, outputs.picture.as_ref());
    }
    let (mut camera, begun) = outputs.begin_recording(|output| {
        let subject = Subject {
            output: output.clone(),
            document: document.clone(),
            map,
            printed: printed(args),
        };
        Camera::new(subject, &player)
    })?;
    let monitors = args.groot.map(groot::Monitors::open).transpose()?;
    if !is_live {
        let ending = watch_signals()?;
        let course = log::Course {
            first: args.at.unwrap_or(0),
            ticks: args.ticks,
            is_quiet: args.is_quiet(),
            tells_faults: !args.faults,
            camera: camera.as_mut(),
            reloading,
            speed: args.speed,
            monitors: monitors.as_ref(),
            pace: Pace::new(Some(&ending)),
        };
        let mut player = player;
        let printed = match outputs.are_there() {
            true => io::print_shown_to_the_end(|out| log::run(&mut player, course, out)),
            false => io::print_shown(|out| log::run(&mut player, course, out)),
        };
        let told = match args.faults {
            true => print_faults(player.fault_table()),
            false => Ok(()),
        };
        io::tell(player.summary());
        let recorded = camera.map_or(Ok(()), Camera::finish);
        let done = io::finish_all([begun, printed, told, recorded, save(&outputs, &player)]);
        return conclude(&ending, done);
    }
    let live = Live::new(player)
        .recorded_by(camera)
        .saving_to(outputs.saves.clone())
        .reloading(reloading)
        .shown_to(monitors);
    let mut app = App::new(live, mind, Theme::of_environment()).until(args.ticks);
    app.look.speed = args.speed;
    if let Some(tick) = args.at {
        app.go_to(tick);
    }
    let (ending, shown) = in_terminal(&mut app)?;
    let (player, camera) = app.into_game().into_parts();
    io::tell(player.summary());
    let recorded = camera.map_or(Ok(()), Camera::finish);
    let keys = match &outputs.keys {
        Some(output) => output.write(player.course().presses().text().as_bytes()),
        None => Ok(()),
    };
    let done = io::finish_all([begun, shown, recorded, keys, save(&outputs, &player)]);
    conclude(&ending, done)
}

/// Prints the table of the faults.
fn print_faults(faults: &FaultTable) -> Result<(), Failure> {
    io::print_shown(|out| out.write_all(faults.text().as_bytes()))
}

/// What the log shows of a run.
fn printed(args: &Args) -> Printed {
    Printed {
        first: args.at.unwrap_or(0),
        goes_on: args.save.is_some(),
    }
}

/// Saves the game, if the user wants it.
fn save(outputs: &Outputs, player: &Player) -> Result<(), Failure> {
    match (&outputs.save, player.save()) {
        (Some(output), Some(game)) => output.write(&game),
        _ => Ok(()),
    }
}

/// Continues a saved game, if the user wants it.
fn load(args: &Args, document: &Document, player: &mut Player) -> Result<(), Failure> {
    let Some(path) = &args.load else {
        return Ok(());
    };
    let name = io::display_name(path);
    let refuse = |reason: String| Failure::failed(format!("cannot load {name}: {reason}"));
    let game = io::read_saved(path)?;
    let loaded = match args.allow_changes {
        true => player.load_changed(&game, document),
        false => player.load(&game).map(|()| Vec::new()),
    };
    let migrations = loaded.map_err(|error| refuse(error.to_string()))?;
    for (name, migration) in migrations {
        let text = migration.to_string();
        text.lines()
            .for_each(|line| io::tell(format!("{name}: {line}")));
    }
    refuse_past(path, player.tick(), args.ticks)
}

/// Refuses a game that was saved after the tick at which it should end.
fn refuse_past(path: &Path, tick: u64, last: Option<u64>) -> Result<(), Failure> {
    match last.is_some_and(|last| last < tick) {
        true => Err(Failure::failed(format!(
            "cannot load {}: it was saved after tick {tick}, and `--ticks` counts from the start of the first run",
            io::display_name(path)
        ))),
        false => Ok(()),
    }
}

/// Plays live in the terminal, until a key, a signal or the end of the terminal ends it. Returns what knows of a signal, and
/// whether the terminal could be used to the end.
fn in_terminal<S: Show>(app: &mut S) -> Result<(Ending, Result<(), Failure>), Failure> {
    let failed = |error: std::io::Error| {
        let reason = io::reason(&error);
        Failure::failed(format!("the terminal cannot be used: {reason}"))
    };
    let ended = treemind_view::run(app).map_err(failed)?;
    Ok((ended.ending, ended.shown.map_err(failed)))
}

/// The settings in which two runs of a map may differ.
fn rules(args: &Args, is_live: bool) -> Rules {
    Rules {
        seed: args.seed,
        rounds: is_live || args.svg.is_some() || args.ticks.is_some(),
    }
}

fn player(
    args: &Args,
    document: &Document,
    behaviour: Behaviour,
    world: World,
) -> Result<Player, Failure> {
    if args.agents.is_some() || args.threads.is_some() {
        let text = "the map has no crowd, so `--agents` and `--threads` mean nothing; `crowd N` is a rule of a map";
        return Err(Failure::failed(text.to_owned()));
    }
    let session = Session::new(behaviour, Some(document), world).map_err(unplayable)?;
    let mut player = Player::arena(session);
    if args.keys.is_some() || args.write_keys.is_some() {
        player.hero().ok_or_else(|| {
            let text = "no actor of the map is `steered`, so there is nobody for the keys";
            Failure::failed(text.to_owned())
        })?;
    }
    if let Some(path) = &args.keys {
        let name = io::display_name(path);
        let keys = Presses::parse(&io::read_text(path)?)
            .map_err(|error| Failure::failed(format!("{name}: {error}")))?;
        player.course_mut().steer_by(keys);
    }
    load(args, document, &mut player)?;
    player.limit(args.limits());
    Ok(player)
}

/// The map of the arena: the one that is named, else the one beside the document, else the yard. Also its text.
fn scenario(args: &Args, file: &Path) -> Result<(Scenario, String), Failure> {
    let Some(path) = args.map.clone().or_else(|| map_beside(file)) else {
        let yard = Scenario::parse(YARD).expect("the built-in yard is a map");
        return Ok((yard, YARD.to_owned()));
    };
    let name = io::display_name(&path);
    let text = io::read_text(&path)?;
    let scenario = Scenario::parse(&text);
    let scenario = scenario.map_err(|error| Failure::failed(format!("{name}: {error}")))?;
    Ok((scenario, text))
}

/// The document: of a folder, the only one in it.
fn file_of(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    match &*files_in(path, "kdl") {
        [only] => Ok(only.clone()),
        [] => Err(Failure::failed(format!(
            "there is no document (.kdl) in the folder {}",
            io::display_name(path)
        ))),
        found => Err(Failure::failed(format!(
            "there are {} documents (.kdl) in the folder {}: name one of them",
            found.len(),
            io::display_name(path)
        ))),
    }
}

/// How the names of documents end.
const DOCUMENTS: [&str; 4] = ["kdl", "json", "xml", "scxml"];

/// The map beside a document: the one of the same name, else the only one in its folder that is no other document's own.
pub(super) fn map_beside(file: &Path) -> Option<PathBuf> {
    if io::is_stdin(file) {
        return None;
    }
    let same = file.with_extension("map");
    if same.is_file() {
        return Some(same);
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let is_owned = |map: &PathBuf| {
        let mut documents = DOCUMENTS.iter().map(|ending| map.with_extension(ending));
        documents.any(|document| document.is_file())
    };
    let mut free = files_in(folder, "map")
        .into_iter()
        .filter(|map| !is_owned(map));
    let only = free.next()?;
    free.next().is_none().then_some(only)
}

/// The files of a folder with this ending.
fn files_in(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == ending))
        .collect()
}
