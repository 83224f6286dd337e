//! The modules of `treemind_cli` that play games and answer pages, in the same places as there.

// The program uses some things of them that pages do not have.
#![allow(dead_code)]

#[path = "../../treemind_cli/src/commands/balance"]
pub(crate) mod balance {
    mod told;
    mod trial;

    pub(super) use told::{compared, summary};
}

#[path = "../../treemind_cli/src/commands/words"]
pub(crate) mod words {
    mod pages;

    /// The page of a word at a place. The texts are in the second module.
    pub(crate) fn page(word: &str, place: &str) -> Option<String> {
        crate::exports::load_more();
        pages::page(word, place)
    }
}

/// There are no scripts of answers in a page.
pub(crate) mod trace {
    use crate::io::Failure;
    use std::path::Path;
    use treemind_core::Behaviour;
    use treemind_core::host::Scripted;
    use treemind_doc::Diagnostic;

    pub(crate) enum ScriptProblem {
        Unreadable(Failure),
        Wrong(Vec<Diagnostic>),
        Unknown(Vec<(String, String)>),
    }

    pub(crate) fn scripted(_: &Behaviour, _: &Path, _: bool) -> Result<Scripted, ScriptProblem> {
        let text = "there are no scripts in a page".to_owned();
        Err(ScriptProblem::Unreadable(Failure::failed(text)))
    }
}

#[path = "../../treemind_cli/src/commands/run"]
pub(crate) mod run {
    mod camera;
    mod course;
    mod faults;
    mod log_lines;
    mod mind;
    mod naming;
    mod notes;
    mod player;
    mod reel;
    mod reloading;
    mod screening;

    pub(super) use crate::disk::map_beside;
    use naming::{named_mind, unplayable};

    #[path = "crowd"]
    mod crowd {
        mod town;

        use super::faults::FaultTable;
        use crate::io::{self, Failure};
        use std::path::Path;
        pub(super) use town::{Looked, People, Town};
        use treemind_arena::LoadError;

        /// How a run of a crowd ended.
        pub(super) struct Ended {
            pub(super) summary: String,
            pub(super) faults: FaultTable,
        }

        fn refused(path: &Path, error: &LoadError) -> Failure {
            let name = io::display_name(path);
            Failure::failed(format!("cannot load {name}: {error}"))
        }
    }

    /// How a run went, in a sentence.
    fn summary(tick: u64, secs: f64, faults: u64) -> String {
        format!("{tick} ticks, {secs:.2} s, {faults} faults")
    }

    /// Recordings, as far as pages open them.
    mod replay {
        use crate::io::{self, Failure};
        use std::ops::RangeInclusive;
        use std::path::Path;
        use treemind_recording::Recording;

        pub(super) fn open(path: &Path, _: Option<u64>) -> Result<Recording, Failure> {
            let bytes = io::read(path)?;
            Recording::read(bytes).map_err(|error| failed(path, &error.to_string()))
        }

        pub(super) fn watched(_: &Path, recording: &Recording, _: u64) -> RangeInclusive<u64> {
            let stretches = recording.stretches();
            stretches.first().cloned().unwrap_or(recording.ticks())
        }

        pub(super) fn failed(path: &Path, why: &str) -> Failure {
            Failure::failed(format!("{}: {why}", io::display_name(path)))
        }
    }

    #[path = "studio"]
    pub(crate) mod studio {
        mod advice;
        mod again;
        mod crowd;
        mod desk;
        mod files;
        mod filming;
        mod game;
        mod making;
        mod mapped;
        mod mapping;
        mod new_document;
        mod recorded;
        mod renamed;
        mod replaced;
        mod testing;
        mod theatre;
        mod world;

        use super::course::Plays as _;
        use crate::disk::{new_file, shelf as disk};
        use crate::session::library;
        use game::{Playing, arena};
        use library::Entry;
        pub(crate) use library::Library;
        use std::path::Path;
        use theatre::Theatre;
        use treemind_replay::follow::Tone;
        use treemind_studio::{Page, Session};

        /// Nobody asks git.
        mod commit {
            use std::path::Path;
            use treemind_doc::Said;
            use treemind_doc::edit::Version;
            use treemind_doc::said;

            pub(super) fn is_in_git(_: &Path) -> bool {
                false
            }

            pub(super) fn committed(_: &Path) -> Result<Version, Said> {
                Err(said!("there is no git in a page"))
            }
        }

        /// Plays a file for some ticks as a page does, and returns its log, and the game as `treemind run --save` writes it:
        /// a test compares them with what the program says. The log of a crowd is empty.
        pub(crate) fn played(path: &Path, ticks: u64) -> Result<(String, Vec<u8>), String> {
            let entry = Entry::of(path.to_owned());
            let document = entry
                .document()
                .map_err(|failure| failure.sentence().to_string())?;
            let behaviour = document.behaviour(None);
            let behaviour = behaviour.map_err(|errors| errors.to_plain())?;
            let playing = arena(&entry, &document, behaviour).map_err(|why| why.to_string())?;
            let mut log = String::new();
            let game = match playing {
                Playing::Few(mut player) => {
                    while player.tick() < ticks && !player.is_broken() {
                        player.step();
                        for line in player.fresh().filter(|line| line.tone != Tone::Fault) {
                            let secs = player.secs_at(line.tick);
                            log += &format!("{} {secs:.2} s {}\n", line.tick, line.text);
                        }
                    }
                    player.save().unwrap_or_default()
                }
                Playing::Many(mut town) => {
                    while town.crowd().tick() < ticks {
                        town.step_recorded(None);
                    }
                    town.crowd().save()
                }
            };
            Ok((log, game))
        }

        /// Files, and what plays of them.
        pub(crate) struct Stage(Session<Theatre>);

        impl Stage {
            pub(crate) fn of(library: Library) -> Self {
                Self(Session::new(Theatre::new(library)))
            }

            /// Takes in what a page asks.
            pub(crate) fn hear(&mut self, text: &str, page: Page) {
                self.0.hear(text, page);
            }

            /// Plays what is due, and answers; returns how long to wait for the next question.
            pub(crate) fn turn(&mut self) -> std::time::Duration {
                self.0.turn()
            }
        }
    }
}
