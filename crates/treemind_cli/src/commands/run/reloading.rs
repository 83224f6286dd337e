//! Hot reload: the document is watched, and the game continues with what it says now.

use super::naming::why_not;
use super::unplayable;
use crate::commands::trace::{ScriptProblem, scripted};
use crate::io::{self, Failure, Known, Selection};
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use std::time::Duration;
use treemind_arena::SessionError;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, KeyChange, Migration};
use treemind_doc::{Diagnostic, Document, Said, said};
use treemind_studio::clock::Instant;

/// How many lines of a report are told in the log of the game.
const MOST_LINES: usize = 12;

/// What can continue with a changed document.
pub(super) trait Reloaded {
    /// Continues with a document, and with what it plays of it. Returns what that did, for each behaviour that is not
    /// as it was, with its name.
    fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError>;

    /// From the next reload on, leaves answer from this script.
    fn answer_from(&mut self, script: Scripted);
}

/// A document under a running game. It is read and checked on another thread, so that the game does not wait for it.
pub(super) struct Reloading {
    name: String,
    watch: Watch<Result<Box<Fresh>, Refusal>>,
    /// What the files say now, if it cannot be played.
    draft: Option<Draft>,
}

/// Texts that cannot be played.
pub(super) struct Draft {
    /// The texts, with their names.
    pub(super) texts: Vec<(String, String)>,
    /// What is wrong with them.
    pub(super) problems: Vec<Diagnostic>,
}

/// A changed document, checked.
struct Fresh {
    document: Document,
    behaviour: Behaviour,
    script: Option<Scripted>,
    /// How long reading and checking took.
    checked: Duration,
}

/// Why nothing was reloaded.
struct Refusal {
    reason: Said,
    /// What is wrong, in lines; then the reason says it of the document.
    details: Vec<Said>,
    draft: Option<Draft>,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self {
            reason: failure.sentence(),
            details: Vec::new(),
            draft: None,
        }
    }
}

impl Reloading {
    /// Watches the document, if the user wants that: the part of it that is played, and the script.
    pub(super) fn of(
        followed: Option<(Selection, Option<PathBuf>)>,
        file: &Path,
        document: &Document,
    ) -> Result<Option<Self>, Failure> {
        let Some((what, script)) = followed else {
            return Ok(None);
        };
        let source = Source {
            file: file.to_owned(),
            what,
            script,
            may_read: Box::new(|| Ok(())),
        };
        let files = source.files_of(document);
        let watch = Watch::new(files, move || source.look());
        Ok(Some(Self {
            name: io::display_name(file),
            watch: watch.map_err(|error| Failure::failed(io::reason(&error)))?,
            draft: None,
        }))
    }

    /// Watches a document of which the command line says nothing, and which consists of the files with these names.
    /// Before it is read, `may_read` is asked.
    pub(super) fn of_file(
        file: &Path,
        names: Vec<String>,
        may_read: impl Fn() -> Result<(), Failure> + Send + 'static,
    ) -> std::io::Result<Self> {
        let source = Source {
            file: file.to_owned(),
            what: Selection::default(),
            script: None,
            may_read: Box::new(may_read),
        };
        let mut files: Vec<PathBuf> = names.into_iter().map(PathBuf::from).collect();
        if files.is_empty() {
            // It could not be read.
            files.push(file.to_owned());
        }
        Ok(Self {
            name: io::display_name(file),
            watch: Watch::new(files, move || source.look())?,
            draft: None,
        })
    }

    /// Whether a file has changed, for a game that does not play: there is nothing that could continue.
    pub(super) fn has_changed(&self) -> bool {
        self.watch.news().is_some()
    }

    /// What the files say now, if it cannot be played.
    pub(super) fn draft(&self) -> Option<&Draft> {
        self.draft.as_ref()
    }

    /// If a file has changed, goes on with the new document. Returns what to tell: what that did, or why nothing has
    /// changed. Nothing if no file has changed.
    pub(super) fn look(&mut self, game: &mut impl Reloaded) -> Vec<Said> {
        let Some(news) = self.watch.news() else {
            return Vec::new();
        };
        let name = &self.name;
        match news.and_then(|fresh| swap(*fresh, game)) {
            Ok(mut lines) => {
                self.draft = None;
                let first = said!("reloaded {}: {}", name, lines.remove(0));
                std::iter::once(first).chain(lines).collect()
            }
            Err(refusal) => {
                self.draft = refusal.draft;
                let Refusal {
                    reason, details, ..
                } = refusal;
                let reason = match details.is_empty() {
                    true => reason,
                    false => said!("{} {}", name, reason),
                };
                let first = said!("not reloaded: {}, and the game continues unchanged", reason);
                std::iter::once(first).chain(details).collect()
            }
        }
    }
}

/// Goes on with a changed document. Returns what that did, and what it cost.
fn swap(fresh: Fresh, game: &mut impl Reloaded) -> Result<Vec<Said>, Refusal> {
    let begun = Instant::now();
    if let Some(script) = fresh.script {
        game.answer_from(script);
    }
    let migrations = game.reload(fresh.behaviour, &fresh.document);
    let migrations = migrations.map_err(|error| {
        let details = match error {
            SessionError::Bind(_) => said_lines(&unplayable(error).sentence().to_string()),
            other => vec![why_not(other)],
        };
        Refusal {
            reason: said!("cannot be played"),
            details,
            draft: None,
        }
    })?;
    let swapped = begun.elapsed();
    // A line for each, because the log of the live view is narrow.
    let cost = [
        said!("  read and checked in {} ms", millis(fresh.checked)),
        said!("  swapped in {} ms", millis(swapped)),
    ];
    Ok(told(cost, &migrations))
}

/// What the command line says about a document that is watched.
struct Source {
    file: PathBuf,
    what: Selection,
    script: Option<PathBuf>,
    /// Refuses to read the document.
    may_read: Box<dyn Fn() -> Result<(), Failure> + Send>,
}

impl Source {
    /// Reads and checks the document. Also returns the files whose changes matter from now on, if they are others.
    fn look(&self) -> (Result<Box<Fresh>, Refusal>, Option<Vec<PathBuf>>) {
        let begun = Instant::now();
        let read = (self.may_read)().and_then(|()| io::document(&self.file, self.known()));
        let document = match read {
            Ok(document) => document,
            Err(failure) => return (Err(failure.into()), None),
        };
        let checked = self.checked(document, begun);
        let files = checked.as_ref().ok();
        let files = files.map(|fresh| self.files_of(&fresh.document));
        (checked, files)
    }

    fn checked(&self, document: Document, begun: Instant) -> Result<Box<Fresh>, Refusal> {
        let texts = || {
            let sources = document.sources();
            sources.map(|one| (one.name().to_owned(), one.text().to_owned()))
        };
        let wrong = |found: &[Diagnostic]| Refusal {
            draft: Some(Draft {
                texts: texts().collect(),
                problems: found.to_vec(),
            }),
            ..has_errors(errors(found))
        };
        if !document.can_run() {
            return Err(wrong(document.diagnostics()));
        }
        let behaviour = match self.what.subject() {
            Some(subject) => document.behaviour_of(&subject),
            None => document.behaviour(None),
        };
        let behaviour = behaviour.map_err(|found| wrong(&found))?;
        let script = match &self.script {
            Some(path) => Some(scripted(&behaviour, path, true).map_err(unfit)?),
            None => None,
        };
        Ok(Box::new(Fresh {
            document,
            behaviour,
            script,
            checked: begun.elapsed(),
        }))
    }

    fn known(&self) -> Known<'_> {
        Known {
            is_watched: true,
            ..self.what.known()
        }
    }

    /// The files whose changes matter.
    fn files_of(&self, document: &Document) -> Vec<PathBuf> {
        let sources = document.sources();
        let sources = sources.map(|source| PathBuf::from(source.name()));
        sources.chain(self.script.clone()).collect()
    }
}

fn has_errors(details: Vec<Said>) -> Refusal {
    Refusal {
        reason: said!("has errors"),
        details,
        draft: None,
    }
}

/// Why a script does not fit.
fn unfit(problem: ScriptProblem) -> Refusal {
    has_errors(match problem {
        ScriptProblem::Unreadable(failure) => return failure.into(),
        ScriptProblem::Wrong(diagnostics) => errors(&diagnostics),
        ScriptProblem::Unknown(names) => {
            let lines = names.iter();
            let lines = lines.map(|(place, sentence)| format!("{place}error{sentence}"));
            let lines: Vec<String> = lines.collect();
            said_lines(&lines.join("\n"))
        }
    })
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<Said> {
    let errors = diagnostics.iter();
    let errors = errors.filter(|one| one.is_fatal());
    few(errors.flat_map(Diagnostic::lines).collect())
}

/// The first lines of a text.
fn said_lines(text: &str) -> Vec<Said> {
    few(text.lines().map(|line| line.to_owned().into()).collect())
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// What a reload did, in lines: first a sentence, then what it cost.
pub(super) fn told(
    cost: impl IntoIterator<Item = Said>,
    migrations: &[(String, Migration)],
) -> Vec<Said> {
    let agents = migrations.iter().flat_map(|(_, one)| one.nodes());
    let agents: usize = agents.map(|node| node.agents).sum();
    let what = match (migrations, agents) {
        ([], _) => said!("everything continues"),
        (_, 0) => said!("nothing was aborted"),
        _ => said!("what has changed was aborted"),
    };
    let mut lines = Vec::new();
    for (name, migration) in migrations {
        let all = changes(migration).into_iter();
        lines.extend(all.map(|line| said!("  {}: {}", name, line)));
    }
    std::iter::once(what)
        .chain(cost)
        .chain(few(lines))
        .collect()
}

/// What did not continue as it was: what a [`Migration`] writes, line by line.
fn changes(of: &Migration) -> Vec<Said> {
    let nodes = of.nodes().iter().map(|node| match node.agents {
        0 => said!("node {}: {}", &node.path, node.change),
        1 => said!("node {}: {}; aborted for 1 agent", &node.path, node.change),
        all => said!(
            "node {}: {}; aborted for {} agents",
            &node.path,
            node.change,
            all
        ),
    });
    let keys = of.keys().iter().map(|key| match key.change {
        KeyChange::Added => said!("key {}: added", &key.name),
        KeyChange::Removed => said!("key {}: removed", &key.name),
        KeyChange::Shared(Scope::Agent) => {
            said!(
                "key {}: each agent has its own now; set to its default",
                &key.name
            )
        }
        KeyChange::Shared(Scope::Group) => {
            said!(
                "key {}: shared by the group now; set to its default",
                &key.name
            )
        }
        KeyChange::Shared(Scope::World) => {
            said!(
                "key {}: shared by all agents now; set to its default",
                &key.name
            )
        }
        KeyChange::Redefined => said!("key {}: has another type; set to its default", &key.name),
        KeyChange::Reset(1) => {
            said!(
                "key {}: 1 value not known any more; set to the default",
                &key.name
            )
        }
        KeyChange::Reset(all) => {
            said!(
                "key {}: {} values not known any more; set to the default",
                &key.name,
                all
            )
        }
        // There are no others.
        _ => Said::Text(key.to_string()),
    });
    let events = of.lost_events().iter().map(|event| match event.events {
        1 => said!("event {}: 1 waiting event lost", &event.name),
        all => said!("event {}: {} waiting events lost", &event.name, all),
    });
    nodes.chain(keys).chain(events).collect()
}

fn few(mut lines: Vec<Said>) -> Vec<Said> {
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.truncate(MOST_LINES);
        lines.push(said!("  and {} more lines", more));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use treemind_core::host::Scripted;
    use treemind_core::{Population, Program, Value};
    use treemind_doc::Document;

    fn program(text: &str) -> Arc<Program> {
        let document = Document::parse(text, "reloading.kdl");
        let behaviour = document.behaviour(None);
        Arc::new(Program::new(behaviour.expect("a sound document")))
    }

    /// The page says in sentences what a migration writes in lines.
    #[test]
    fn changes_are_said_as_a_migration_writes_them() {
        let was = program(
            "blackboard { key old type=int; key size type=int; key a type=int; key b type=int; key mood type=enum { value calm wild; }; }
            blackboard scope=world { key c type=int; }
            leaves { action go; action rest; event noise; }
            tree main { parallel success=2 { action go name=first; action rest; }; }",
        );
        let is = program(
            "blackboard { key new type=int; key size type=string; key c type=int; key mood type=enum { value calm sad; }; }
            blackboard scope=group { key a type=int; }
            blackboard scope=world { key b type=int; }
            leaves { action go; action wave; }
            tree main { parallel success=2 { wait 3.0 name=first; action wave; }; }",
        );
        let mut lines = Vec::new();
        for agents in [1, 3] {
            let mut host = Scripted::new(was.behaviour(), agents);
            for leaf in ["go", "rest", "first"] {
                host.set_all(leaf, &[treemind_core::Status::Running]);
            }
            let mut population = Population::new(Arc::clone(&was), agents);
            let mood = was.behaviour().key_id("mood").expect("a key");
            for agent in 0..agents {
                let wild = population.get(agent, mood);
                let Value::Enum(list, _) = wild else {
                    panic!("{wild:?}");
                };
                let set = population.set(agent, mood, Value::Enum(list, 1));
                set.expect("it is an enumeration");
            }
            population.tick(&mut host, Duration::from_millis(100));
            let migration = population.change_program(Arc::clone(&is), &mut host);
            let said: Vec<String> = changes(&migration).iter().map(Said::to_string).collect();
            assert_eq!(said.join("\n"), migration.to_string());
            lines.extend(said);
        }
        let all = lines.join("\n");
        for part in [
            "1 agent",
            "3 agents",
            "1 value",
            "3 values",
            ": added",
            ": removed",
            "size: has another type",
            "a: shared by the group",
            "b: shared by all agents",
            "c: each agent has its own",
        ] {
            assert!(all.contains(part), "{part}\n{all}");
        }
    }
}
