//! An example on its map, and the story of a run.

use treemind::Document;
use treemind::population::Behaviour;
use treemind::trace::Trace;
use treemind_arena::{Event, EventKind, Rules, Session, World};

/// An example: a document, which part of it is played, and a map.
#[derive(Clone, Copy)]
pub(crate) struct Play<'a> {
    pub(crate) document: &'a str,
    pub(crate) map: &'a str,
    /// `tree:NAME`, `machine:NAME`, `decide:NAME`; empty: the document's `main`.
    pub(crate) what: &'a str,
}

pub(crate) fn read(file: &str) -> String {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn document(file: &str) -> Document {
    let folder = file
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder)
        .to_owned();
    let load = |path: &str| {
        let path = path.strip_prefix(&format!("{folder}/")).unwrap_or(path);
        Ok::<_, String>(read(&format!("{folder}/{path}")).into_bytes())
    };
    let document = Document::read_with(read(file).as_bytes(), file, load);
    assert_eq!(document.diagnostics(), [], "{file}");
    document
}

impl Play<'_> {
    pub(crate) fn behaviour(&self, document: &Document) -> Behaviour {
        let found = match self.what.split_once(':') {
            Some(("machine", name)) => document.machine(name),
            Some(("decide", name)) => document.decision(name),
            Some((_, name)) => document.behaviour(Some(name)),
            None => document.behaviour(None),
        };
        found.unwrap()
    }

    pub(crate) fn session(&self, rules: Rules) -> Session {
        self.session_on(&read(self.map), rules)
    }

    /// The same on another map.
    pub(crate) fn session_on(&self, map: &str, rules: Rules) -> Session {
        let document = document(self.document);
        let world = World::load(map, rules).unwrap();
        Session::new(self.behaviour(&document), Some(&document), world).unwrap()
    }

    /// Plays `ticks` ticks. There are no faults, a second run is the same in every tick, and nothing that was taken
    /// is kept.
    pub(crate) fn story(&self, ticks: u64) -> Story {
        self.story_on(&read(self.map), ticks)
    }

    /// The same on another map.
    pub(crate) fn story_on(&self, map: &str, ticks: u64) -> Story {
        let session = || self.session_on(map, Rules::default());
        let (mut one, mut two) = (session(), session());
        let mut trace = Trace::new();
        let (mut events, mut lines) = (Vec::new(), Vec::new());
        for tick in 1..=ticks {
            let new = one.step().to_vec();
            two.step_traced(&mut trace);
            let (one, two) = (one.world(), two.world());
            assert_eq!(one.state_hash(), two.state_hash(), "tick {tick}");
            lines.extend(
                new.iter()
                    .map(|event| format!("{tick}: {}", one.tell(event))),
            );
            lines.extend(one.said().iter().map(|text| format!("{tick}: {text}")));
            events.extend(new);
        }
        let faults = one.take_faults();
        assert!(faults.is_empty(), "{faults:?}");
        one.dismiss();
        assert_eq!(one.world().finders().holders(), []);
        assert_eq!(one.world().engines().holders(), []);
        Story {
            session: one,
            events,
            lines,
        }
    }
}

/// What happened in a run.
pub(crate) struct Story {
    pub(crate) session: Session,
    pub(crate) events: Vec<Event>,
    /// The events as sentences, with their ticks.
    pub(crate) lines: Vec<String>,
}

impl Story {
    pub(crate) fn world(&self) -> &World {
        self.session.world()
    }

    /// The ticks in which an event happened to a body.
    pub(crate) fn ticks(&self, who: &str, what: EventKind) -> Vec<u64> {
        let who = self.world().find(who);
        assert!(who.is_some(), "nobody of that name");
        let same = self
            .events
            .iter()
            .filter(|event| event.who == who && event.what == what);
        same.map(|event| event.tick).collect()
    }

    /// The lines that contain one of these texts.
    pub(crate) fn about(&self, texts: &[&str]) -> Vec<&str> {
        let lines = self.lines.iter().map(String::as_str);
        lines
            .filter(|line| texts.iter().any(|text| line.contains(text)))
            .collect()
    }
}
