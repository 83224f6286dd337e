//! Whom a command line or a page names in a game, and why there is no game.

use super::player::Player;
use crate::io::Failure;
use treemind_arena::SessionError;

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
