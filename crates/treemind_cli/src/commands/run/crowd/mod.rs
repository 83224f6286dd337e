//! A crowd: very many people of one behaviour, as a picture of the whole or as a log.

mod app;
#[cfg(test)]
mod tests;
mod town;
mod view;

use super::camera::{Camera, Recorded, Subject};
use super::course::Plays as _;
use super::faults::FaultTable;
use super::notes::{self, Printed};
use super::outputs::Outputs;
use super::pace::{Pace, Progress, conclude, watch_signals};
use super::reloading::Reloading;
use super::{
    Args, in_terminal, print_faults, printed, refuse_past, rules, studio, unplayable, write_picture,
};
use crate::io::{self, Failure, tell};
use app::CrowdApp;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::io::{Result as IoResult, Write};
use std::path::Path;
use std::sync::Arc;
pub(super) use town::{Looked, People, Town};
use treemind_arena::{Crowd, Deed, LoadError, MAX_CROWD, Scenario, TICK, TICKS_PER_SEC};
use treemind_core::Behaviour;
use treemind_doc::Document;
use treemind_recording::Recording;
use treemind_view::Theme;

/// How many ticks apart the lines of the log are.
const LINE_TICKS: u64 = TICKS_PER_SEC;
/// The number of ticks of a log by default.
const LOG_TICKS: u64 = 600;

/// Plays the crowd of a map, of as many people as the map says or the user wants.
pub(super) fn run(
    args: &Args,
    file: &Path,
    (document, behaviour): (&Document, Behaviour),
    (scenario, people, map): (Scenario, u32, String),
    is_live: bool,
) -> Result<(), Failure> {
    if args.keys.is_some() || args.write_keys.is_some() {
        let text = "a crowd has no hero";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.until.is_some() {
        let text =
            "a moving picture shows single agents, and the map has a crowd: leave out `--until`";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.agent.is_some() && !args.studio {
        let text = "only the studio shows the agents of a crowd: add `--studio`";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.load.is_some() && args.agents.is_some() {
        let text =
            "a crowd that is loaded has as many people as when it was saved: leave out `--agents`";
        return Err(Failure::Usage(text.to_owned()));
    }
    let people = args.agents.unwrap_or(u64::from(people));
    if people > MAX_CROWD as u64 {
        let text = format!("a crowd has at most {MAX_CROWD} people");
        return Err(Failure::Usage(text));
    }
    let threads = args.threads.map(|threads| threads.min(64) as usize);
    let threads = match args.studio {
        true => 1,
        false => threads.unwrap_or_else(all_threads),
    };
    let played = behaviour.clone();
    let crowd = Crowd::new(behaviour, scenario, people as usize, threads, args.seed);
    let crowd = crowd.map_err(unplayable)?.of_document(document);
    let mut crowd = Town::new(crowd, threads);
    if let Some(limits) = args.limits().filter(|_| args.load.is_none()) {
        crowd.set_limits(limits);
    }
    if let Some(path) = &args.load {
        match args.allow_changes {
            true => crowd.load_changed(path, played, document)?,
            false => crowd.load(path, &io::read_saved(path)?)?,
        }
        refuse_past(path, crowd.tick(), args.ticks)?;
        if let Some(limits) = args.limits() {
            crowd.set_limits(limits);
        }
    }
    if args.studio {
        let playing = studio::Playing::Many(Box::new(crowd));
        return studio::show(args, file, document, playing);
    }
    let outputs = Outputs::claim(args, file)?;
    let reloading = Reloading::of(args.followed(), file, document)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let at = args.at.unwrap_or(0);
    let (mut camera, begun) = outputs.begin_recording(|output| {
        let subject = Subject {
            output: output.clone(),
            document: document.clone(),
            map: Some((map, rules(args, is_live))),
            printed: printed(args),
        };
        Camera::new(subject, &crowd)
    })?;
    if args.svg.is_none() && !is_live {
        let ending = watch_signals()?;
        let ticks = args.ticks.unwrap_or(LOG_TICKS.max(at));
        let course = Course {
            first: at,
            last: ticks,
            is_quiet: args.is_quiet(),
            goes_on: args.save.is_some(),
            speed: args.speed,
        };
        let recorder = camera.as_mut();
        let play = |out: &mut dyn Write| {
            let pace = Pace::new(Some(&ending));
            log(&mut crowd, (&course, recorder), (reloading, pace), out)
        };
        let printed = match outputs.are_there() {
            true => io::print_shown_to_the_end(play),
            false => io::print_shown(play),
        };
        let told = crowd.ended().print(args.faults);
        return conclude(
            &ending,
            finish((crowd, camera), &outputs, [begun, printed, told]),
        );
    }
    let theme = match args.svg {
        Some(_) => Theme { has_colours: true },
        None => Theme::of_environment(),
    };
    let mut app = CrowdApp::new(
        (crowd, camera),
        name.into_owned(),
        theme,
        (args.ticks, args.speed),
    );
    app.saves = outputs.saves.clone();
    app.reloading = reloading;
    if args.svg.is_some() {
        app.draw_at(at);
        let Ok(mut terminal) = Terminal::new(TestBackend::new(args.size.0, args.size.1));
        let Ok(_) = terminal.draw(|frame| view::draw(frame, &app));
        return write_picture(terminal.backend().buffer(), outputs.picture.as_ref());
    }
    if at > 0 {
        app.go_to(at);
    }
    let (ending, shown) = in_terminal(&mut app)?;
    let (crowd, camera) = app.into_parts();
    let told = crowd.ended().print(false);
    conclude(
        &ending,
        finish((crowd, camera), &outputs, [begun, shown, told]),
    )
}

/// Finishes what a run writes, after what was done `before`.
fn finish(
    (crowd, camera): (Town, Option<Camera>),
    outputs: &Outputs,
    before: [Result<(), Failure>; 3],
) -> Result<(), Failure> {
    let recorded = camera.map_or(Ok(()), Camera::finish);
    let saved = match &outputs.save {
        Some(output) => output.write(&crowd.crowd().save()),
        None => Ok(()),
    };
    io::finish_all(before.into_iter().chain([recorded, saved]))
}

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Prints the log of a crowd that was recorded, from the state after one tick to another tick. Returns how it ended;
/// `None` if it is no crowd.
pub(super) fn print(
    recording: &Arc<Recording>,
    (begin, last): (u64, u64),
    printed: Printed,
    is_quiet: bool,
) -> Result<Option<Ended>, Failure> {
    let threads = all_threads();
    let Some(crowd) = notes::crowd(recording, begin, threads)? else {
        return Ok(None);
    };
    let mut crowd = Town::new(crowd, threads);
    crowd.course_mut().compare_with(Arc::clone(recording));
    let course = Course {
        first: printed.first,
        last,
        is_quiet,
        // What was cut off has not ended there.
        goes_on: printed.goes_on || !recording.losses().is_empty(),
        speed: 1.0,
    };
    io::print_shown(|out| log(&mut crowd, (&course, None), (None, Pace::new(None)), out))?;
    Ok(Some(crowd.ended()))
}

/// How a run of a crowd ended.
pub(super) struct Ended {
    pub(super) summary: String,
    pub(super) faults: FaultTable,
}

impl Ended {
    /// Prints the table of the faults if it is wanted, and says which there were if not.
    pub(super) fn print(&self, has_table: bool) -> Result<(), Failure> {
        match has_table {
            true => print_faults(&self.faults)?,
            false => self.faults.tell(),
        }
        tell(self.summary.clone());
        Ok(())
    }
}

fn refused(path: &Path, error: &LoadError) -> Failure {
    let name = io::display_name(path);
    Failure::failed(format!("cannot load {name}: {error}"))
}

/// What the log of a crowd shows.
struct Course {
    /// The ticks of the first and the last line.
    first: u64,
    last: u64,
    is_quiet: bool,
    /// Whether the crowd is saved at the end, and continues later.
    goes_on: bool,
    /// How fast ticks follow one another if the document is watched, as a multiple of real time.
    speed: f64,
}

/// The log: a line for each second, with how many people do what and how many messages were sent since the last line.
fn log(
    town: &mut Town,
    (course, mut camera): (&Course, Option<&mut Camera>),
    (mut reloading, mut pace): (Option<Reloading>, Pace<'_>),
    out: &mut dyn Write,
) -> IoResult<()> {
    let &Course {
        first,
        last,
        is_quiet,
        goes_on,
        speed,
    } = course;
    if !is_quiet && town.begun() == 0 {
        let deeds: String = Deed::ALL
            .iter()
            .map(|deed| format!(" {:>7}", deed.word()))
            .collect();
        writeln!(out, "  tick  clock{deeds} messages")?;
    }
    let mut progress = Progress::to(last);
    while town.tick() < last && !pace.is_over() {
        if let Some(reloading) = &mut reloading {
            // It waits for the next tick, and whoever watches should see all of the last one.
            out.flush()?;
            pace.wait(TICK.div_f64(speed));
            if pace.is_over() {
                break;
            }
            let tick = town.tick();
            let mut recorded = Recorded {
                game: &mut *town,
                camera: camera.as_deref_mut(),
                begin: None,
            };
            for line in reloading.look(&mut recorded) {
                tell(format!("tick {tick}: {line}"));
            }
        }
        match &mut camera {
            Some(camera) => camera.step(town),
            None => town.step_recorded(None),
        }
        let (tick, is_told) = (town.tick(), !is_quiet && town.tick() >= first);
        if !is_told {
            progress.tell(tick);
        }
        if let Some(difference) = town.differs() {
            writeln!(out, "{tick:>6}  {difference}")?;
        }
        if is_told {
            for text in town.crowd().said() {
                writeln!(out, "{tick:>6}  {text}")?;
            }
        }
        // What is saved prints the line of this second when it continues.
        let is_end = tick == last && !goes_on;
        if is_told && (tick.is_multiple_of(LINE_TICKS) || is_end) {
            let messages = town.crowd().messages_this_second();
            let deeds = town.crowd().deeds();
            let deeds: String = deeds.iter().map(|count| format!(" {count:>7}")).collect();
            let clock = clock(town.crowd());
            writeln!(out, "{tick:>6}  {clock}{deeds} {messages:>8}")?;
        }
    }
    out.flush()
}

/// The time of day.
fn clock(crowd: &Crowd) -> String {
    format!("{:02}:{:02}", crowd.minute() / 60, crowd.minute() % 60)
}
