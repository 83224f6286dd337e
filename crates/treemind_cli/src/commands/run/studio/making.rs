//! Tests that are made of what happened in the game.

use super::super::course::Plays;
use super::super::crowd::Town;
use super::super::player::Player;
use super::game::{Game, Playthrough};
use treemind_arena::TICK;
use treemind_core::{Behaviour, Population, Trace};
use treemind_doc::Said;
use treemind_doc::edit::Editor;
use treemind_doc::testing::Subject;
use treemind_doc::{Document, said};
use treemind_replay::view::protocol::{Stretch, TestDraft};
use treemind_test::{Happened, Wanted, make};

/// How many ticks a test that is made may have.
const MOST_TICKS: u64 = 1_000;
/// How many ticks before the stretch are looked at: what was read and answered in them still holds, and a test can begin with
/// those that led to the stretch.
const RECALLED: u64 = 1_000;

/// There is no game, so nothing can be done in it.
pub(super) fn nothing() -> Said {
    said!("nothing plays")
}

fn idle() -> Said {
    said!("this agent does nothing in this stretch")
}

/// What happened to an agent in a stretch, and what it ran.
pub(super) struct Happening {
    happened: Happened,
    behaviour: Behaviour,
}

impl Game {
    /// What happened to an agent in a stretch of ticks that were played.
    pub(super) fn happening(&self, of: &Stretch) -> Result<Happening, Said> {
        self.may_happen(of)?;
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.happening(of),
            (None, Some(town)) => town.happening(of),
            (None, None) => Err(nothing()),
        }
    }

    /// Whether a test can be made of a stretch for a document as it is now, as far as that can be told without playing the
    /// stretch again; and why not.
    pub(super) fn may_make(&self, of: &Stretch, document: &Document) -> Result<(), Said> {
        self.may_happen(of)?;
        let ran = match (&self.stage, &self.town) {
            (Some(stage), _) => stage.ran(of)?,
            (None, Some(town)) => town.ran(of),
            (None, None) => return Err(nothing()),
        };
        subject(document, &ran).map(|_| ())
    }

    /// Whether a stretch has been played, and is not too long.
    fn may_happen(&self, of: &Stretch) -> Result<(), Said> {
        let last = self.course().last;
        if of.from == 0 || of.from > of.to || of.to > last {
            return Err(said!(
                "a stretch begins and ends between the ticks 1 and {}",
                last
            ));
        }
        if of.to - of.from >= MOST_TICKS {
            return Err(said!("a test can be made of {} ticks at most", MOST_TICKS));
        }
        let course = match (&self.stage, &self.town) {
            (Some(stage), _) => stage.player().course(),
            (None, Some(town)) => town.player().course(),
            (None, None) => return Ok(()),
        };
        match course.changed_in(of.from..=of.to) {
            Some(tick) => Err(said!(
                "the document was changed after tick {}: mark ticks that lie on one side of the change",
                tick
            )),
            None => Ok(()),
        }
    }
}

/// The tick from which on is looked at what happened.
fn earliest(of: &Stretch) -> u64 {
    (of.from - 1).saturating_sub(RECALLED)
}

/// A copy of a game that runs what it ran when a stretch began.
fn before<G: Plays>(mut copy: G, of: &Stretch) -> G {
    while copy.tick() + 1 < of.from && copy.course().changed_in(copy.tick()..=of.from).is_some() {
        copy.step_recorded(None);
    }
    copy
}

impl Playthrough<Player> {
    /// What the agent ran in the stretch.
    fn ran(&self, of: &Stretch) -> Result<Behaviour, Said> {
        let game = before(self.reel.copy_before(of.from - 1), of);
        if of.mind >= game.minds().len() {
            return Err(idle());
        }
        Ok(game.behaviour(of.mind).clone())
    }

    fn happening(&self, of: &Stretch) -> Result<Happening, Said> {
        if of.mind >= self.reel.copy_before(of.from - 1).minds().len() {
            return Err(idle());
        }
        let game = self.reel.copy_before(earliest(of));
        let behaviour = |game: &Player| game.behaviour(of.mind).clone();
        happened(game, of, behaviour, |game, tell| {
            // A reload can have brought the agent.
            if of.mind < game.minds().len() {
                game.tell(of.mind, tell);
            }
        })
    }
}

impl Playthrough<Town> {
    /// What everybody ran in the stretch.
    fn ran(&self, of: &Stretch) -> Behaviour {
        let game = before(self.reel.copy_before(of.from - 1), of);
        game.behaviour().clone()
    }

    fn happening(&self, of: &Stretch) -> Result<Happening, Said> {
        let mut game = self.reel.copy_before(earliest(of));
        // Only of those who are followed is there a trace.
        game.look_at(of.mind);
        let behaviour = |game: &Town| game.behaviour().clone();
        happened(game, of, behaviour, |game, tell| {
            let population = game.crowd().population();
            if let Some(trace) = game.trace()
                && of.mind < population.len()
            {
                tell(population, of.mind, trace);
            }
        })
    }
}

/// Plays a stretch again, and notes what an agent did in it; `tell` shows what that did in the last tick.
fn happened<G: Plays>(
    mut game: G,
    of: &Stretch,
    behaviour: impl Fn(&G) -> Behaviour,
    tell: impl Fn(&G, &mut dyn FnMut(&Population, usize, &Trace)),
) -> Result<Happening, Said> {
    let mut happened = Happened::since(of.from);
    while game.tick() < of.to {
        game.step_recorded(None);
        let tick = game.tick();
        if tick + RECALLED < of.from {
            continue;
        }
        if game.course().changed_in(tick..=tick).is_some() {
            // Who runs another program from here on remembers what it has met with that.
            happened = Happened::since(of.from);
            tell(&game, &mut |population, agent, _| {
                happened.hold(population, agent);
            });
            continue;
        }
        tell(
            &game,
            &mut |population, agent, trace| match tick < of.from {
                true => happened.recall(population, agent, trace),
                false => happened.note(population, agent, trace),
            },
        );
    }
    if happened.is_empty() {
        return Err(idle());
    }
    Ok(Happening {
        happened,
        behaviour: behaviour(&game),
    })
}

/// Makes a test of what happened, for a document as it is now.
pub(super) fn draft(
    document: Document,
    of: &Stretch,
    happening: &Happening,
) -> Result<TestDraft, Said> {
    let Happening {
        happened,
        behaviour,
    } = happening;
    let wanted = Wanted {
        name: of.name.clone(),
        runs: Some(subject(&document, behaviour)?),
        dt: TICK.as_secs_f64(),
        never: of.never.clone(),
        facts: of
            .facts
            .iter()
            .map(|fact| (fact.tick, fact.line.clone()))
            .collect(),
    };
    let editor = Editor::new(document)?;
    let read = |text: &str| {
        let mut editor = editor.clone();
        let end = editor.text(0).len();
        let change = editor.replace(0, end..end, &format!("\n{text}"));
        let change = change?;
        editor.apply(&change)?;
        Ok(editor.document().clone())
    };
    let made = make(editor.document(), happened, &wanted, &read)?;
    Ok(TestDraft {
        of: of.clone(),
        text: made.text,
        proposed: made.proposed,
        wrong: made.wrong,
        refusal: None,
        nth: 0,
    })
}

/// What of a document an agent runs.
fn subject(document: &Document, behaviour: &Behaviour) -> Result<Subject, Said> {
    let archetypes = document.archetypes().iter();
    let archetypes = archetypes.map(|one| Subject::Archetype(one.name().to_owned()));
    let mut all = document
        .main_subject()
        .into_iter()
        .chain(document.outermost())
        .chain(archetypes);
    let runs = |subject: &Subject| {
        document
            .behaviour_of(subject)
            .is_ok_and(|it| it == *behaviour)
    };
    all.find(runs).ok_or_else(|| {
        let name = behaviour.name();
        said!(
            "`{}` has been changed since: play these ticks again (`R`)",
            name
        )
    })
}
