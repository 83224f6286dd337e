//! Whom a command line or a page names in a game, and why there is no game.

use super::player::Player;
use crate::io::Failure;
use treemind_arena::SessionError;
use treemind_core::society::{Disagreement, SharedKind};
use treemind_doc::{Said, said};

/// The mind that `--agent` names.
pub(super) fn named_mind(wanted: Option<&str>, player: &Player) -> Result<usize, Failure> {
    let Some(wanted) = wanted else {
        return Ok(0);
    };
    mind_named(wanted, player).ok_or_else(|| {
        let names: Vec<&str> = player.minds().iter().map(|mind| mind.name()).collect();
        let known = names.join(", ");
        Failure::Usage(format!("unknown agent `{wanted}`; the agents are: {known}"))
    })
}

/// The mind with a name in the arena or elsewhere, or a number from 1.
pub(super) fn mind_named(wanted: &str, player: &Player) -> Option<usize> {
    let minds = player.minds();
    let number = wanted.parse::<usize>().ok();
    let by_number = number.filter(|number| (1..=minds.len()).contains(number));
    let world = player.world();
    let on_map = world.and_then(|world| player.mind_of(world.find(wanted)?));
    let by_name = minds.iter().position(|mind| mind.name() == wanted);
    on_map.or(by_name).or(by_number.map(|number| number - 1))
}

/// Why a behaviour cannot be played in the arena.
pub(super) fn unplayable(error: SessionError) -> Failure {
    let SessionError::Bind(error) = error else {
        return Failure::failed(error.to_string());
    };
    let problems = error.to_string().replace('\n', "\n  ");
    let help = "answer the leaves from a script with `--script FILE`";
    Failure::failed(format!(
        "the arena does not have what this document needs:\n  {problems}\n  help: {help}"
    ))
}

/// The same in a sentence, where leaves without code may be answered by hand.
pub(super) fn why_not(error: SessionError) -> Said {
    let (name, disagreements) = match error {
        SessionError::Bind(error) => {
            let problems = error
                .problems()
                .iter()
                .map(treemind::leaves::BindProblem::said);
            let needs = joined(problems);
            return said!(
                "the arena does not have what this document needs: {}",
                needs
            );
        }
        SessionError::Nobody => return said!("no actor of the map has `mind=main`"),
        SessionError::Join(error) if !error.disagreements.is_empty() => {
            (error.name, error.disagreements)
        }
        SessionError::Change(error) => (error.name, error.disagreements),
        other => return other.to_string().into(),
    };
    let all = disagreements.iter();
    let all = all.map(|(other, one)| differs(one, [other, &name]));
    said!("`{}` cannot be in this game: {}", &name, joined(all))
}

/// Sentences in one.
fn joined(all: impl Iterator<Item = Said>) -> Said {
    let all = all.reduce(|all, one| said!("{}; {}", all, one));
    all.unwrap_or_else(|| String::new().into())
}

/// What two behaviours share and declare differently.
fn differs(what: &Disagreement, [there, here]: [&str; 2]) -> Said {
    let shared = match what.shared {
        SharedKind::Key => said!("key"),
        SharedKind::Semaphore => said!("semaphore"),
        _ => said!("event"),
    };
    let place = |place: &Option<String>| match place {
        Some(place) => format!(" ({place})"),
        None => String::new(),
    };
    let [first, second] = what.places.each_ref().map(place);
    said!(
        "{} `{}` is `{}` in `{}`{} and `{}` in `{}`{}",
        shared,
        &what.name,
        &what.first,
        there,
        first,
        &what.second,
        here,
        second
    )
}
