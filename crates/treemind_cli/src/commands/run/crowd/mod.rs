//! A crowd: very many people of one behaviour, as a picture of the whole or as a log.

mod app;
mod replayed;
#[cfg(test)]
mod tests;
mod view;

use super::camera::Subject;
use super::faults::FaultTable;
use super::notes::{self, Printed};
use super::outputs::Outputs;
use super::pace::{Pace, Progress, conclude, watch_signals};
use super::reloading::{Reloaded, Reloading};
use super::{
    Args, in_terminal, print_faults, printed, refuse_past, rules, studio, unplayable, write_picture,
};
use crate::io::{self, Failure, tell};
use app::CrowdApp;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use replayed::Replayed;
use std::io::{Result as IoResult, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use treemind_arena::{
    Crowd, Deed, LoadError, MAX_CROWD, Scenario, SessionError, TICK, TICKS_PER_SEC,
};
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Migration};
use treemind_doc::Document;
use treemind_recording::{Recorder, Recording};
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
    let mut crowd = Timed::new(crowd, threads);
    if let Some(limits) = args.limits().filter(|_| args.load.is_none()) {
        crowd.crowd.set_limits(limits);
    }
    if let Some(path) = &args.load {
        match args.allow_changes {
            true => crowd.load_changed(path, played, document)?,
            false => crowd.load(path, &io::read_saved(path)?)?,
        }
        refuse_past(path, crowd.tick(), args.ticks)?;
        if let Some(limits) = args.limits() {
            crowd.crowd.set_limits(limits);
        }
    }
    if args.studio {
        let playing = studio::Playing::Many(Box::new(crowd.crowd));
        return studio::show(args, file, document, playing);
    }
    let outputs = Outputs::claim(args, file)?;
    let reloading = Reloading::of(args, file, document)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let at = args.at.unwrap_or(0);
    let (_, begun) = outputs.begin_recording(|output| {
        crowd.record(Subject {
            output: output.clone(),
            document: document.clone(),
            map: Some((map, rules(args, is_live))),
            printed: printed(args),
        })
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
        let play = |out: &mut dyn Write| {
            let pace = Pace::new(Some(&ending));
            log(&mut crowd, &course, (reloading, pace), out)
        };
        let printed = match outputs.are_there() {
            true => io::print_shown_to_the_end(play),
            false => io::print_shown(play),
        };
        let told = crowd.ended().print(args.faults);
        return conclude(
            &ending,
            finish(&mut crowd, &outputs, [begun, printed, told]),
        );
    }
    let theme = match args.svg {
        Some(_) => Theme { has_colours: true },
        None => Theme::of_environment(),
    };
    let mut app = CrowdApp::new(crowd, name.into_owned(), theme, (args.ticks, args.speed));
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
    let crowd = app.crowd_mut();
    let told = crowd.ended().print(false);
    conclude(&ending, finish(crowd, &outputs, [begun, shown, told]))
}

/// Finishes what a run writes, after what was done `before`.
fn finish(
    crowd: &mut Timed,
    outputs: &Outputs,
    before: [Result<(), Failure>; 3],
) -> Result<(), Failure> {
    let recorded = crowd.finish_recording();
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
    let mut crowd = Timed::new(crowd, threads);
    crowd.begin_here();
    crowd.replayed = Some(Replayed(Arc::clone(recording)));
    let course = Course {
        first: printed.first,
        last,
        is_quiet,
        // What was cut off has not ended there.
        goes_on: printed.goes_on || !recording.losses().is_empty(),
        speed: 1.0,
    };
    io::print_shown(|out| log(&mut crowd, &course, (None, Pace::new(None)), out))?;
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

/// A crowd, and how long its ticks take.
pub(super) struct Timed {
    crowd: Crowd,
    threads: usize,
    faults: u64,
    table: FaultTable,
    /// The tick at which its course here began.
    begun: u64,
    /// How many ticks were timed, the time of all of them, and that of the last one, in seconds.
    timed: u64,
    secs: f64,
    last_secs: f64,
    recording: Option<CrowdRecording>,
    /// The recording that it plays again, and what was not as in it in the last tick.
    replayed: Option<Replayed>,
    difference: Option<String>,
}

/// What records a crowd.
struct CrowdRecording {
    subject: Subject,
    recorder: Recorder,
    /// The last tick that was recorded.
    last: u64,
}

/// Why a crowd that is recorded cannot become another one.
const RECORDED: &str = "it is being recorded: go to its newest tick first";

impl Timed {
    fn new(crowd: Crowd, threads: usize) -> Self {
        Self {
            crowd,
            threads,
            faults: 0,
            table: FaultTable::default(),
            begun: 0,
            timed: 0,
            secs: 0.0,
            last_secs: 0.0,
            recording: None,
            replayed: None,
            difference: None,
        }
    }

    /// Records the ticks from here on.
    fn record(&mut self, subject: Subject) -> Result<(), Failure> {
        self.recording = Some(CrowdRecording {
            recorder: subject.recorder()?,
            subject,
            last: self.tick(),
        });
        Ok(())
    }

    /// Finishes the file of the recording, if there is one.
    fn finish_recording(&mut self) -> Result<(), Failure> {
        let Some(CrowdRecording {
            subject, recorder, ..
        }) = self.recording.take()
        else {
            return Ok(());
        };
        let finished = recorder.finish();
        finished.map_err(|error| subject.failure(&error))
    }

    /// Continues with a crowd that was saved in this file.
    pub(super) fn load(&mut self, path: &Path, saved: &[u8]) -> Result<(), Failure> {
        if self.recording.is_some() {
            let text = "a crowd that is being recorded cannot become another one";
            return Err(Failure::Failed(text.to_owned()));
        }
        let loaded = self.crowd.load(saved);
        loaded.map_err(|error| refused(path, &error))?;
        self.begin_here();
        Ok(())
    }

    /// Continues with a crowd that was saved with another version of the document, and tells what that did.
    fn load_changed(
        &mut self,
        path: &Path,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<(), Failure> {
        let name = behaviour.name().to_owned();
        let saved = io::read_saved(path)?;
        let migration = self.crowd.load_changed(&saved, behaviour, document);
        let migration = migration.map_err(|error| refused(path, &error))?;
        for line in migration.to_string().lines() {
            tell(format!("{name}: {line}"));
        }
        self.begin_here();
        Ok(())
    }

    fn begin_here(&mut self) {
        self.begun = self.crowd.tick();
        (self.timed, self.secs, self.last_secs) = (0, 0.0, 0.0);
    }

    /// Goes back to what it was like. Returns whether it could.
    pub(super) fn go_back(&mut self, saved: &[u8]) -> bool {
        self.crowd.load(saved).is_ok()
    }

    pub(super) fn step(&mut self) {
        let begun = Instant::now();
        let tick = self.tick();
        // A tick that was recorded before, and is only played again, is not recorded twice.
        let recording = self.recording.as_mut().filter(|one| one.last == tick);
        let recorder = recording.map(|recording| {
            recording.last += 1;
            &mut recording.recorder
        });
        self.difference = match &self.replayed {
            Some(replayed) => replayed.step(&mut self.crowd).err(),
            None => {
                self.crowd.step_recorded(recorder);
                None
            }
        };
        self.last_secs = begun.elapsed().as_secs_f64();
        self.secs += self.last_secs;
        self.timed += 1;
        let faults = self.crowd.take_faults();
        let name = self.crowd.population().program().behaviour().name();
        self.table
            .add(name, &faults, |person| format!("person {person}"));
        self.faults += faults.total() + u64::from(self.difference.is_some());
    }

    pub(super) fn tick(&self) -> u64 {
        self.crowd.tick()
    }

    pub(super) fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Forgets how long ticks took, because a picture is the same every time.
    pub(super) fn forget_time(&mut self) {
        self.last_secs = 0.0;
    }

    /// The time of the last tick, in milliseconds.
    pub(super) fn millis(&self) -> f64 {
        self.last_secs * 1e3
    }

    pub(super) fn ended(&self) -> Ended {
        Ended {
            summary: self.summary(),
            faults: self.table.clone(),
        }
    }

    /// How fast it was, in a sentence.
    pub(super) fn summary(&self) -> String {
        let (tick, secs) = (self.tick(), treemind_arena::secs(self.tick()));
        let mean = self.secs * 1e3 / self.timed.max(1) as f64;
        let faults = match self.faults {
            0 => "no faults".to_owned(),
            1 => "1 fault".to_owned(),
            count => format!("{count} faults"),
        };
        let (people, threads) = (self.crowd.people(), self.threads);
        format!(
            "{tick} ticks, {secs:.2} s, {faults}; {people} people, {mean:.1} ms per tick on {threads} threads"
        )
    }
}

fn refused(path: &Path, error: &LoadError) -> Failure {
    let name = io::display_name(path);
    Failure::Failed(format!("cannot load {name}: {error}"))
}

impl Reloaded for Timed {
    fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let tick = self.tick();
        if let Some(recording) = &self.recording
            && recording.last != tick
        {
            return Err(SessionError::Mind(RECORDED.to_owned()));
        }
        let name = behaviour.name().to_owned();
        let migration = self.crowd.reload(behaviour, document)?;
        if let Some(recording) = &mut self.recording {
            recording.recorder.document(document);
        }
        let changed = Some((name, migration)).filter(|(_, one)| !one.is_empty());
        Ok(changed.into_iter().collect())
    }

    fn answer_from(&mut self, _: Scripted) {
        unreachable!("a crowd has no script");
    }
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
    crowd: &mut Timed,
    course: &Course,
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
    if !is_quiet && crowd.begun == 0 {
        let deeds: String = Deed::ALL
            .iter()
            .map(|deed| format!(" {:>7}", deed.word()))
            .collect();
        writeln!(out, "  tick  clock{deeds} messages")?;
    }
    let mut progress = Progress::to(last);
    while crowd.tick() < last && !pace.is_over() {
        if let Some(reloading) = &mut reloading {
            // It waits for the next tick, and whoever watches should see all of the last one.
            out.flush()?;
            pace.wait(TICK.div_f64(speed));
            if pace.is_over() {
                break;
            }
            let tick = crowd.tick();
            for line in reloading.look(crowd) {
                tell(format!("tick {tick}: {line}"));
            }
        }
        crowd.step();
        let (tick, is_told) = (crowd.tick(), !is_quiet && crowd.tick() >= first);
        if !is_told {
            progress.tell(tick);
        }
        if let Some(difference) = &crowd.difference {
            writeln!(out, "{tick:>6}  {difference}")?;
        }
        if is_told {
            for text in crowd.crowd().said() {
                writeln!(out, "{tick:>6}  {text}")?;
            }
        }
        // What is saved prints the line of this second when it continues.
        let is_end = tick == last && !goes_on;
        if is_told && (tick.is_multiple_of(LINE_TICKS) || is_end) {
            let messages = crowd.crowd().messages_this_second();
            let deeds = crowd.crowd().deeds();
            let deeds: String = deeds.iter().map(|count| format!(" {count:>7}")).collect();
            let clock = clock(crowd.crowd());
            writeln!(out, "{tick:>6}  {clock}{deeds} {messages:>8}")?;
        }
    }
    out.flush()
}

/// The time of day.
fn clock(crowd: &Crowd) -> String {
    format!("{:02}:{:02}", crowd.minute() / 60, crowd.minute() % 60)
}
