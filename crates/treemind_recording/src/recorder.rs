//! Writing recordings.

use crate::error::RecordError;
use crate::form::{
    DOCUMENT, END, End, FIRST_CHANNEL, KeptDocument, NOTE, Of, PROFILE, Role, STATE, TICKS, TOPICS,
};
use crate::parts::part_of;
use crate::step::RecordedStep;
use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use std::collections::{BTreeMap, hash_map::RandomState};
use std::fmt;
use std::fs::File;
use std::hash::BuildHasher as _;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use treemind_core::host::Host;
#[cfg(feature = "rayon")]
use treemind_core::tape::have_one_order;
use treemind_core::tape::{Tape, Taped, Taping, put_bytes, put_number as put};
use treemind_core::{Budget, Delivery, Population, PopulationId, Program, Society, Tally, Trace};
use treemind_doc::Document;
use treemind_replay::observe::{self, Watcher};

/// What was recorded is written to the file before it is older than this, by the time of the game or by the clock on
/// the wall. So a crash loses less than a second.
const FLUSH_WITHIN: Duration = Duration::from_millis(800);
/// When this many bytes have gathered, they are written at once, however little time has passed.
const FLUSH_BYTES: usize = 1 << 20;
/// So many bytes of notes are written once more at the end, so that damage does not lose them.
const REPEATED_BYTES: usize = 16 << 20;

/// Writes what the agents of one population or society do to a file.
///
/// Tick with it: [`tick`](Self::tick) for a population, [`step`](Self::step) for a society. It may begin at any tick.
/// It notices by itself what the game changes between ticks: keys, events, new agents and removed ones. Ticking never
/// fails because of the recording: after an error, the agents are ticked as if there were no recorder, and
/// [`finish`](Self::finish) says what went wrong.
///
/// When the document of a population is replaced, give the new one to [`document`](Self::document) first.
pub struct Recorder {
    out: mcap::Writer<NoSeek<Box<dyn Write + Send>>>,
    /// Tells the chunks of this recording from those of others.
    id: u64,
    pub(crate) tape: Tape,
    documents: Vec<(KeptDocument, Document)>,
    /// The programs of the last state, and where they are in the documents.
    cast: Vec<(PopulationId, Arc<Program>)>,
    roles: Vec<Role>,
    /// How often the agents have got other programs.
    casts: u64,
    /// The ticks that were not written yet, the number of the first, and how many they are.
    ticks: Vec<u8>,
    first_tick: u64,
    pending: u64,
    last_tick: u64,
    /// The last tick before the recording, and the time after it, once there is a state.
    begin: Option<(u64, u64)>,
    /// The time of the game.
    now_ns: u64,
    pending_ns: u64,
    dt_ns: u64,
    /// `None` in a page, where the standard library knows no clock: then only the time of the game and the bytes count.
    last_flush: Option<Instant>,
    /// How long after it the last tick was.
    last_after: Duration,
    state_bytes: usize,
    bytes_since: usize,
    ticks_since: u64,
    sequence: u32,
    /// How many notes there are, and the first of them, to be written once more.
    noted: u64,
    notes: Vec<(MessageHeader, Vec<u8>)>,
    note_bytes: usize,
    error: Option<RecordError>,
}

/// This moment; `None` where there is no clock.
fn now() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

impl Recorder {
    /// Records to a new file; an existing one is replaced. `document` is that of the agents. If there are several, give
    /// the others to [`document`](Self::document).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: impl AsRef<Path>, document: &Document) -> Result<Self, RecordError> {
        let file = File::create(path).map_err(RecordError::Io)?;
        Self::to(file, document)
    }

    /// Like [`create`](Self::create), into anything that can be written. What it is given is not kept in memory, so it
    /// should reach the file at once.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn to(out: impl Write + Send + 'static, document: &Document) -> Result<Self, RecordError> {
        let mut recorder = Self::without_documents(out)?;
        recorder.document(document);
        match recorder.error.take() {
            Some(error) => Err(error),
            None => Ok(recorder),
        }
    }

    pub(crate) fn without_documents(out: impl Write + Send + 'static) -> Result<Self, RecordError> {
        let options = mcap::WriteOptions::new()
            .compression(None)
            .chunk_size(None)
            .disable_seeking(true)
            // Each chunk has a checksum of its own, and the number of chunks is at the end.
            .calculate_data_section_crc(false)
            .profile(PROFILE)
            .library(concat!("treemind ", env!("CARGO_PKG_VERSION")));
        let out: Box<dyn Write + Send> = Box::new(out);
        let mut out = options.create(NoSeek::new(out))?;
        for (number, (topic, encoding)) in (FIRST_CHANNEL..).zip(TOPICS) {
            out.add_channel_with_id(number, 0, topic, encoding, &BTreeMap::new())?;
        }
        Ok(Self {
            out,
            id: RandomState::new().hash_one(std::process::id()),
            tape: Tape::new(),
            documents: Vec::new(),
            cast: Vec::new(),
            roles: Vec::new(),
            casts: 0,
            ticks: Vec::new(),
            first_tick: 0,
            pending: 0,
            last_tick: 0,
            begin: None,
            now_ns: 0,
            pending_ns: 0,
            dt_ns: 0,
            last_flush: now(),
            last_after: Duration::ZERO,
            state_bytes: 0,
            bytes_since: 0,
            ticks_since: 0,
            sequence: 0,
            noted: 0,
            notes: Vec::new(),
            note_bytes: 0,
            error: None,
        })
    }

    /// Adds a document, with everything that it imports: one that a population runs from now on.
    pub fn document(&mut self, document: &Document) {
        let number = self.documents.len() as u32;
        let kept = KeptDocument::new(number, document);
        // An earlier one that comes back is another one: what it has replaced in the meantime was aborted.
        let last = self.documents.last();
        if last.is_some_and(|(last, _)| last.files == kept.files) {
            return;
        }
        // What is read is what can be read from the file later.
        let Some(document) = kept.read() else { return };
        self.keep(&kept);
        self.documents.push((kept, document));
    }

    /// Adds a document, unless it is what its file said last.
    pub(crate) fn add_if_new(&mut self, document: &Document) {
        let texts = document.texts();
        let name = texts.first().map(|(name, _)| name);
        let mut known = self.documents.iter().rev();
        let last = known.find(|(kept, _)| kept.files.first().map(|(name, _)| name) == name);
        if last.is_none_or(|(kept, _)| kept.files != texts) {
            self.document(document);
        }
    }

    fn keep(&mut self, document: &KeptDocument) {
        self.try_to(|recorder| {
            recorder.json(DOCUMENT, document)?;
            recorder.flush_chunk()
        });
    }

    /// Ticks a population that is in no society, as [`Population::tick`] does, and records the tick.
    pub fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
    ) -> Tally {
        let next = &mut |of: &mut Population, host: &mut dyn Host| of.tick(host, dt);
        observe::tick(self, population, host, dt, next)
    }

    /// Like [`tick`](Self::tick), and also traces, as [`Population::tick_traced`] does. Playing needs no trace.
    pub fn tick_traced(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        trace: &mut Trace,
    ) -> Tally {
        let next = &mut |of: &mut Population, host: &mut dyn Host| of.tick_traced(host, dt, trace);
        observe::tick(self, population, host, dt, next)
    }

    /// Ticks some agents of a population that is in no society, as [`Population::tick_some`] does, and records the
    /// tick.
    pub fn tick_some(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        budget: Budget<'_>,
    ) -> Tally {
        if !self.begin(population, dt) {
            return population.tick_some(host, dt, budget);
        }
        let mut host = self.tape.host(None, host);
        let tally = host.within(budget, |host, budget| {
            population.tick_some(host, dt, budget)
        });
        Watcher::end(self, population);
        tally
    }

    /// Like [`tick`](Self::tick), on several threads, as [`Population::tick_in_parallel`] does. The recording is the
    /// same for any number of threads.
    ///
    /// # Panics
    /// When there is no host.
    #[cfg(feature = "rayon")]
    pub fn tick_in_parallel<H: Host + Send>(
        &mut self,
        population: &mut Population,
        hosts: &mut [H],
        dt: Duration,
    ) -> Tally {
        self.check_order(hosts);
        if !self.begin(population, dt) {
            return population.tick_in_parallel(hosts, dt);
        }
        let tally = population.tick_in_parallel(&mut self.tape.hosts(None, hosts), dt);
        Watcher::end(self, population);
        tally
    }

    /// Ends the recording if the hosts of one tick cannot be recorded.
    #[cfg(feature = "rayon")]
    fn check_order<H: Host>(&mut self, hosts: &[H]) {
        if !have_one_order(hosts) {
            self.refuse_orders();
        }
    }

    fn refuse_orders(&mut self) {
        let text = "the hosts of one tick serve agents in different orders";
        let error = || RecordError::Form(text.to_owned());
        self.error.get_or_insert_with(error);
    }

    /// Plays a step of a society, as [`Society::step`] does, and records it. `ticks` ticks the populations.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: impl FnOnce(&mut RecordedStep<'_>),
    ) -> Delivery {
        let is_recording = self.begin(society, dt);
        let (delivery, is_whole) = {
            let mut step = RecordedStep {
                step: society.step(dt),
                tape: is_recording.then_some(&mut self.tape),
            };
            ticks(&mut step);
            let is_whole = step.tape.is_some();
            (step.step.end(), is_whole)
        };
        match (is_recording, is_whole) {
            (true, true) => Watcher::end(self, society),
            (true, false) => self.refuse_orders(),
            (false, _) => {}
        }
        delivery
    }

    /// Notes something of the game's own, with the number of the last tick: a map, a key that was pressed, where things
    /// are. [`Recording::notes`](crate::Recording::notes) has it.
    pub fn note(&mut self, name: &str, bytes: &[u8]) {
        let mut note = self.own_bytes();
        put(&mut note, self.last_tick);
        put_bytes(&mut note, name.as_bytes());
        note.extend_from_slice(bytes);
        self.try_to(|recorder| {
            let header = recorder.message(NOTE, &note)?;
            recorder.noted += 1;
            recorder.note_bytes = recorder.note_bytes.saturating_add(note.len());
            if recorder.note_bytes <= REPEATED_BYTES {
                recorder.notes.push((header, note));
            }
            Ok(())
        });
    }

    /// Writes the whole state, between two ticks, with the game's own state if it has one. The recorder does so itself
    /// when it is due, but without the game's own.
    pub fn state<T: Taped>(&mut self, of: &mut T, game: &[u8]) {
        self.try_to(|recorder| {
            recorder.write_ticks()?;
            if !of.runs(&recorder.cast) {
                let cast = of.programs();
                recorder.roles = recorder.roles(&cast)?;
                recorder.cast = cast;
                recorder.casts += 1;
            }
            recorder.last_tick = of.ticks_so_far();
            let (begin, _) = *recorder.begin.get_or_insert_with(|| {
                recorder.now_ns = of.now_ns();
                (recorder.last_tick, recorder.now_ns)
            });
            let mut state = recorder.own_bytes();
            put(&mut state, begin);
            put(&mut state, recorder.casts);
            let roles = serde_json::to_vec(&recorder.roles).expect("names are JSON");
            put_bytes(&mut state, &roles);
            put_bytes(&mut state, &recorder.tape.state(of));
            put_bytes(&mut state, game);
            recorder.message(STATE, &state)?;
            (recorder.state_bytes, recorder.bytes_since) = (state.len(), 0);
            recorder.ticks_since = 0;
            recorder.flush_chunk()
        });
    }

    /// Whether the whole state of these agents is due: there is none yet, the last one is too old, or they run
    /// something else than at the last. [`tick`](Self::tick) and [`step`](Self::step) write it then.
    pub fn is_state_due<T: Taped>(&self, of: &T) -> bool {
        self.is_time_for_state() || !of.runs(&self.cast)
    }

    fn is_time_for_state(&self) -> bool {
        !self.tape.has_state()
            || treemind_replay::history::is_state_due(
                self.state_bytes,
                self.bytes_since,
                self.ticks_since,
            )
    }

    /// Begins a tick that the game makes itself, right before it; see [`Tape::begin`]. Returns whether it is recorded.
    pub fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        if self.error.is_some() {
            return false;
        }
        if self.tape.has_state() && of.ticks_so_far() != self.last_tick {
            self.error = Some(RecordError::Missed {
                known: self.last_tick,
                there: of.ticks_so_far(),
            });
            return false;
        }
        if !self.tape.has_state() || !of.runs(&self.cast) {
            self.state(of, &[]);
        }
        if self.error.is_some() {
            return false;
        }
        self.tape.begin(of, dt);
        let dt_ns = u64::try_from(dt.as_nanos()).unwrap_or(u64::MAX);
        self.now_ns = self.now_ns.saturating_add(dt_ns);
        (self.dt_ns, self.pending_ns) = (dt_ns, self.pending_ns.saturating_add(dt_ns));
        true
    }

    /// A host whose answers are recorded, for a tick that the game makes itself; see [`Tape::host`].
    pub fn host<'a, H: Host + ?Sized>(
        &'a mut self,
        population: Option<PopulationId>,
        host: &'a mut H,
    ) -> Taping<'a, H> {
        self.tape.host(population, host)
    }

    /// Like [`host`](Self::host), for a tick on several threads; see [`Tape::hosts`].
    ///
    /// # Panics
    /// When the hosts serve agents in different [orders](Host::order).
    pub fn hosts<'a, H: Host>(
        &'a mut self,
        population: Option<PopulationId>,
        hosts: &'a mut [H],
    ) -> Vec<Taping<'a, H>> {
        self.tape.hosts(population, hosts)
    }

    /// Ends a tick that the game makes itself, right after it; see [`Tape::end`].
    pub fn end<T: Taped>(&mut self, of: &mut T) {
        let before = self.ticks.len();
        self.tape.end(of, &mut self.ticks);
        self.last_tick = of.ticks_so_far();
        if self.pending == 0 {
            self.first_tick = self.last_tick;
        }
        self.pending += 1;
        self.ticks_since += 1;
        self.bytes_since += self.ticks.len() - before;
        // The next tick is expected after as much time as this one.
        let after = self
            .last_flush
            .map_or(Duration::ZERO, |last| last.elapsed());
        let next = after + after.saturating_sub(self.last_after);
        self.last_after = after;
        let next_ns = self.pending_ns.saturating_add(self.dt_ns);
        let is_due = u128::from(next_ns) > FLUSH_WITHIN.as_nanos()
            || next > FLUSH_WITHIN
            || self.ticks.len() >= FLUSH_BYTES;
        if is_due {
            self.flush();
        }
    }

    /// Writes everything to the file. It happens by itself twice a second, as long as there are ticks. Call it when the
    /// game pauses.
    pub fn flush(&mut self) {
        self.try_to(|recorder| {
            recorder.write_ticks()?;
            recorder.flush_chunk()
        });
    }

    /// What went wrong, if anything did; since then, nothing has been recorded.
    pub fn error(&self) -> Option<&RecordError> {
        self.error.as_ref()
    }

    /// Writes everything, the documents and notes once more, and the index at the end of the file. So damage does not
    /// take with it what all ticks need. Of more than 16 MiB of notes, only the first are written once more.
    ///
    /// # Errors
    /// When something could not be recorded. What was recorded before can be played.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.flush();
        self.repeat();
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.out.finish()?;
        self.out
            .into_inner()
            .into_inner()
            .flush()
            .map_err(RecordError::Io)
    }

    /// Writes once more what all ticks need, and where the recording ends: twice, so that not all of it is lost.
    fn repeat(&mut self) {
        let documents = std::mem::take(&mut self.documents);
        let notes = std::mem::take(&mut self.notes);
        let (begin, begin_ns) = self.begin.unwrap_or_default();
        let end = End {
            begin,
            begin_ns,
            last: self.last_tick,
            now_ns: self.now_ns,
            notes: self.noted,
        };
        self.try_to(|recorder| {
            for (kept, _) in &documents {
                recorder.json(DOCUMENT, kept)?;
            }
            for (header, note) in &notes {
                recorder.out.write_to_known_channel(header, note)?;
            }
            recorder.json(END, &end)?;
            recorder.flush_chunk()?;
            recorder.json(END, &end)?;
            recorder.flush_chunk()
        });
    }

    /// Does something unless anything went wrong before.
    fn try_to(&mut self, act: impl FnOnce(&mut Self) -> Result<(), RecordError>) {
        if self.error.is_none()
            && let Err(error) = act(self)
        {
            self.error = Some(error);
        }
    }

    fn json<T: serde::Serialize>(&mut self, topic: u16, message: T) -> Result<(), RecordError> {
        let recording = self.id;
        let text = serde_json::to_vec(&Of { recording, message });
        let text = text.map_err(|error| RecordError::Form(error.to_string()))?;
        self.message(topic, &text).map(|_| ())
    }

    /// The begin of a message that is not in JSON: which recording it belongs to.
    fn own_bytes(&self) -> Vec<u8> {
        self.id.to_le_bytes().to_vec()
    }

    fn message(&mut self, topic: u16, bytes: &[u8]) -> Result<MessageHeader, RecordError> {
        let header = MessageHeader {
            channel_id: FIRST_CHANNEL + topic,
            sequence: self.sequence,
            log_time: self.now_ns,
            publish_time: self.now_ns,
        };
        self.sequence = self.sequence.wrapping_add(1);
        self.out.write_to_known_channel(&header, bytes)?;
        Ok(header)
    }

    fn write_ticks(&mut self) -> Result<(), RecordError> {
        if self.pending == 0 {
            return Ok(());
        }
        let mut head = self.own_bytes();
        head.reserve(self.ticks.len() + 20);
        put(&mut head, self.casts);
        put(&mut head, self.first_tick);
        put(&mut head, self.pending);
        head.extend_from_slice(&self.ticks);
        self.ticks.clear();
        self.pending = 0;
        self.message(TICKS, &head).map(|_| ())
    }

    fn flush_chunk(&mut self) -> Result<(), RecordError> {
        self.out.flush()?;
        (self.last_flush, self.last_after) = (now(), Duration::ZERO);
        self.pending_ns = 0;
        Ok(())
    }

    /// What the populations run, as parts of the documents.
    fn roles(&self, cast: &[(PopulationId, Arc<Program>)]) -> Result<Vec<Role>, RecordError> {
        let role = |(id, program): &(PopulationId, Arc<Program>)| {
            let mut documents = self.documents.iter().rev();
            let found = documents.find_map(|(kept, document)| {
                Some(Role {
                    place: id.number(),
                    document: kept.number,
                    part: part_of(document, program)?,
                })
            });
            let name = program.behaviour().name();
            found.ok_or_else(|| RecordError::NoDocument(name.to_owned()))
        };
        cast.iter().map(role).collect()
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Recorder")
            .field("last_tick", &self.last_tick)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl Watcher for Recorder {
    fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        self.begin(of, dt)
    }

    fn tape(&mut self) -> &mut Tape {
        &mut self.tape
    }

    /// Unlike the recorder's own `end`, writes the whole state, too, if it is time.
    fn end<T: Taped>(&mut self, of: &mut T) {
        self.end(of);
        if self.is_time_for_state() {
            self.state(of, &[]);
        }
    }
}
