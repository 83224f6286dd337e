//! The tests of a document that is open, and how they went. They run on threads of their own, so that pages never wait.

use super::filming::{self, Filmed, Films};
use super::library::Entry;
use super::making::{self, Happening};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use treemind_doc::{Document, Said, said};
use treemind_replay::view::protocol::{
    Covered, CoveredLines, OpenedTest, RunsBy, Stretch, Test, TestDraft, TestFailure, TestState,
    Tests,
};
use treemind_test::{Coverage, Failure, Listed, Ran, Reached, list, run_each};

/// Why what is in a document cannot be played.
pub(super) fn errors() -> Said {
    said!("the document has errors")
}

fn gone() -> Said {
    said!("there is no such test")
}

/// The tests of a document.
pub(super) struct Testing {
    entry: Entry,
    films: Films,
    by: RunsBy,
    /// Whether a page shows them: until then, nothing runs.
    is_shown: bool,
    revision: u64,
    tests: Vec<Known>,
    covered: Option<Covered>,
    wrong: Option<Said>,
    job: Option<Job<News>>,
    film: Option<Job<Result<Filmed, Said>>>,
    opened: Option<OpenedTest>,
    making: Option<Job<TestDraft>>,
    draft: Option<TestDraft>,
    /// How many tests were made of what happened.
    made: u64,
}

/// What is known of a test.
struct Known {
    listed: Listed,
    state: TestState,
    millis: u64,
    failure: Option<Failure>,
    reached: Option<Arc<Reached>>,
}

/// Something that runs on a thread of its own. When it is dropped, it stops.
struct Job<T> {
    stop: Arc<AtomicBool>,
    news: Receiver<T>,
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<T: Send + 'static> Job<T> {
    fn begin(work: impl FnOnce(&Sender<T>, &AtomicBool) + Send + 'static) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, news) = channel();
        let stopped = Arc::clone(&stop);
        crate::io::aside(move || work(&tell, &stopped));
        Self { stop, news }
    }
}

/// Which tests to run.
enum Wanted {
    None,
    /// Those of which no result is known as they are now.
    Touched,
    All,
    Some(Vec<String>),
}

/// What a thread tells that runs tests.
enum News {
    /// The tests that there are, and whether each is about to run.
    Listed(Vec<(Listed, bool)>),
    Ran(Box<Ran>),
    Covered(Covered),
    Wrong(Said),
}

/// What is known of a test that has been run: its fingerprint then, and what it reached.
type Results = HashMap<String, (u64, Arc<Reached>)>;

impl Testing {
    /// Nobody looks at the document any more: what runs is stopped, and nothing is known of its tests.
    pub(super) fn rest(&mut self) {
        *self = Self::new(self.entry.clone(), self.films.clone());
    }

    pub(super) fn new(entry: Entry, films: Films) -> Self {
        Self {
            entry,
            films,
            by: RunsBy::default(),
            is_shown: false,
            revision: 1,
            tests: Vec::new(),
            covered: None,
            wrong: None,
            job: None,
            film: None,
            opened: None,
            making: None,
            draft: None,
            made: 0,
        }
    }

    /// There is something new to show.
    pub(super) fn turn(&mut self) {
        self.revision += 1;
    }

    /// The document may have changed.
    pub(super) fn look_again(&mut self) {
        if !self.is_shown {
            return;
        }
        let wanted = match self.by {
            RunsBy::Hand => Wanted::None,
            RunsBy::Touched => Wanted::Touched,
            RunsBy::All => Wanted::All,
        };
        self.begin(wanted);
    }

    /// Runs tests; all if none is named.
    pub(super) fn run(&mut self, ids: &[String]) {
        self.is_shown = true;
        self.begin(match ids.is_empty() {
            true => Wanted::All,
            false => Wanted::Some(ids.to_vec()),
        });
    }

    /// Says which run by themselves.
    pub(super) fn run_by(&mut self, by: RunsBy) {
        self.by = by;
        self.turn();
        if by != RunsBy::Hand {
            self.look_again();
        }
    }

    /// Stops what runs.
    pub(super) fn stop(&mut self) {
        self.job = None;
        for test in &mut self.tests {
            if test.state == TestState::Waiting {
                test.state = TestState::Stale;
            }
        }
        self.turn();
    }

    fn begin(&mut self, wanted: Wanted) {
        self.stop();
        let known = self.tests.iter().filter_map(|test| {
            let is_known = matches!(test.state, TestState::Passed | TestState::Failed);
            let reached = test.reached.clone().filter(|_| is_known)?;
            Some((test.listed.id.clone(), (test.listed.fingerprint, reached)))
        });
        let (entry, known) = (self.entry.clone(), known.collect());
        self.job = Some(Job::begin(move |tell, stop| {
            // Nobody listens any more if the page wants something else.
            let _ = work(&entry, &wanted, known, (tell, stop));
        }));
    }

    /// Takes over what the threads have told; returns whether there was anything.
    pub(super) fn hear(&mut self) -> bool {
        let before = self.revision;
        while let Some(job) = &self.job {
            match job.news.try_recv() {
                Ok(news) => self.take(news),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.stop(),
            }
        }
        match self.film.as_ref().map(|film| film.news.try_recv()) {
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Err(TryRecvError::Disconnected)) => self.film = None,
            Some(Ok(done)) => {
                self.film = None;
                self.show_film(done);
            }
        }
        match self.making.as_ref().map(|making| making.news.try_recv()) {
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Err(TryRecvError::Disconnected)) => self.making = None,
            Some(Ok(made)) => {
                (self.making, self.draft) = (None, Some(made));
                self.turn();
            }
        }
        self.revision != before
    }

    /// Begins to make a test of what happened. `refusal` says why it cannot be added.
    pub(super) fn make(&mut self, of: Stretch, happening: Happening, refusal: Option<Said>) {
        let entry = self.entry.clone();
        self.made += 1;
        let nth = self.made;
        self.making = Some(Job::begin(move |tell, _| {
            let document = entry.document().map_err(crate::io::Failure::sentence);
            let made = document.and_then(|document| making::draft(document, &of, &happening));
            let empty = |why| TestDraft {
                of: of.clone(),
                text: String::new(),
                proposed: Vec::new(),
                wrong: Some(why),
                refusal: None,
                nth,
            };
            let made = made.unwrap_or_else(empty);
            let refusal = refusal.filter(|_| !made.text.is_empty());
            let _ = tell.send(TestDraft {
                nth,
                refusal,
                ..made
            });
        }));
    }

    /// The text of the test that is shown.
    pub(super) fn drafted(&self) -> Option<&str> {
        let text = self.draft.as_ref().map(|draft| draft.text.as_str());
        text.filter(|text| !text.is_empty())
    }

    /// Forgets the test that was made.
    pub(super) fn forget(&mut self) {
        (self.making, self.draft) = (None, None);
        self.turn();
    }

    fn take(&mut self, news: News) {
        self.turn();
        match news {
            News::Listed(listed) => {
                self.wrong = None;
                let mut known: HashMap<String, Known> = self
                    .tests
                    .drain(..)
                    .map(|test| (test.listed.id.clone(), test))
                    .collect();
                let tests = listed.into_iter().map(|(listed, waits)| {
                    let before = known.remove(&listed.id);
                    let is_same = |one: &Known| one.listed.fingerprint == listed.fingerprint;
                    let mut test = match before.filter(is_same) {
                        Some(before) => Known { listed, ..before },
                        None => Known {
                            listed,
                            state: TestState::Stale,
                            millis: 0,
                            failure: None,
                            reached: None,
                        },
                    };
                    if waits {
                        test.state = TestState::Waiting;
                    }
                    test
                });
                self.tests = tests.collect();
            }
            News::Ran(ran) => {
                let mut tests = self.tests.iter_mut();
                if let Some(test) = tests.find(|test| test.listed.id == ran.id) {
                    test.state = match ran.outcome.passed() {
                        true => TestState::Passed,
                        false => TestState::Failed,
                    };
                    test.millis = ran.outcome.time.as_millis().try_into().unwrap_or(u64::MAX);
                    test.failure = ran.outcome.failure;
                    test.reached = Some(Arc::new(ran.reached));
                }
            }
            News::Covered(covered) => self.covered = Some(covered),
            News::Wrong(why) => self.wrong = Some(why),
        }
    }

    /// Begins to play a test as a recording.
    pub(super) fn open(&mut self, id: &str) -> Result<(), Said> {
        let test = self.tests.iter().find(|test| test.listed.id == id);
        let test = test.ok_or_else(gone)?;
        let (entry, id, failure) = (self.entry.clone(), id.to_owned(), test.failure.clone());
        self.film = Some(Job::begin(move |tell, stop| {
            let document = entry.document().map_err(crate::io::Failure::sentence);
            let filmed =
                document.and_then(|document| filming::film(&document, &id, failure.as_ref(), stop));
            let _ = tell.send(filmed);
        }));
        Ok(())
    }

    fn show_film(&mut self, done: Result<Filmed, Said>) {
        self.turn();
        match done {
            Err(why) => self.wrong = Some(why),
            Ok(filmed) => {
                let file = format!("{} · {}", self.entry.name, filmed.name);
                self.films.keep(&file, filmed.bytes);
                self.opened = Some(OpenedTest {
                    id: filmed.id,
                    file,
                    tick: filmed.tick,
                    nth: self.opened.as_ref().map_or(0, |last| last.nth) + 1,
                });
            }
        }
    }

    /// What pages see, unless they have it.
    pub(super) fn shown(&mut self, known: u64) -> Option<Tests> {
        if !self.is_shown {
            self.is_shown = true;
            self.look_again();
        }
        (self.revision != known).then(|| Tests {
            revision: self.revision,
            by: self.by,
            is_running: self.job.is_some(),
            tests: self.tests.iter().map(test).collect(),
            covered: self.covered.clone(),
            wrong: self.wrong.clone(),
            opened: self.opened.clone(),
            draft: self.draft.clone(),
        })
    }
}

fn test(of: &Known) -> Test {
    Test {
        id: of.listed.id.clone(),
        name: of.listed.name.clone(),
        file: of.listed.file.clone(),
        line: of.listed.line,
        is_random: of.listed.is_random,
        state: of.state,
        millis: of.millis,
        failure: of.failure.as_ref().map(|failure| TestFailure {
            line: failure.at.0,
            text: failure.at.1.clone(),
            expected: failure.expected.clone(),
            got: failure.got.clone(),
            tick: failure.tick,
            attempt: failure.attempt,
            fixed: failure.fixed.clone(),
        }),
    }
}

/// Lists the tests of a document, runs some, and tells what they reached. It ends early when nobody listens any more.
fn work(
    entry: &Entry,
    wanted: &Wanted,
    mut known: Results,
    (tell, stop): (&Sender<News>, &AtomicBool),
) -> Option<()> {
    let document = match entry.document() {
        Ok(document) if document.ok_with_tests().is_ok() => document,
        Ok(_) => return tell.send(News::Wrong(errors())).ok(),
        Err(failure) => return tell.send(News::Wrong(failure.sentence())).ok(),
    };
    let listed = list(&document);
    known.retain(|id, (fingerprint, _)| {
        let mut listed = listed.iter();
        listed.any(|one| (&one.id, one.fingerprint) == (id, *fingerprint))
    });
    let runs = |one: &Listed| match wanted {
        Wanted::None => false,
        Wanted::Touched => !known.contains_key(&one.id),
        Wanted::All => true,
        Wanted::Some(ids) => ids.contains(&one.id),
    };
    let both = listed.into_iter().map(|one| {
        let waits = runs(&one);
        (one, waits)
    });
    tell.send(News::Listed(both.collect())).ok()?;
    let mut fresh = HashMap::new();
    let done = run_each(&document, runs, stop, |ran| {
        fresh.insert(ran.id.clone(), ran.reached.clone());
        let _ = tell.send(News::Ran(Box::new(ran)));
    });
    if done.is_err() {
        return tell.send(News::Wrong(errors())).ok();
    }
    let mut all = Reached::default();
    known.retain(|id, _| !fresh.contains_key(id));
    known.values().for_each(|(_, reached)| all.add(reached));
    fresh.values().for_each(|reached| all.add(reached));
    if !stop.load(Ordering::Relaxed) {
        tell.send(News::Covered(covered(&document, &all)?)).ok()?;
    }
    Some(())
}

/// What tests reached, by the lines of each definition.
fn covered(document: &Document, reached: &Reached) -> Option<Covered> {
    let coverage = Coverage::of(document, reached).ok()?;
    let definitions = coverage.outlines.iter().map(|outline| CoveredLines {
        name: outline.subject.name().to_owned(),
        lines: outline
            .lines
            .iter()
            .map(|line| (line.reached, line.total))
            .collect(),
    });
    Some(Covered {
        reached: coverage.reached,
        total: coverage.total,
        definitions: definitions.collect(),
    })
}
