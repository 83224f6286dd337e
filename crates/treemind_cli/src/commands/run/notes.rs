//! What a recording of the arena holds apart from the agents: the map, the rules and the keys that steered the hero.
//! With them the arena plays the same game again.

use crate::io::{self, Failure};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;
pub(super) use treemind_arena::notes::arena;
use treemind_arena::notes::{MAP_NOTE as MAP, RULES_NOTE as RULES};
use treemind_arena::{Crowd, Key, Presses, Rules, Scenario, Session, World};
use treemind_recording::{Recorder, Recording};

use super::course::Plays as _;
use super::player::Player;
use super::unplayable;

const KEY: &str = "arena.key";
const LOG: &str = "log";

/// What a log shows of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Printed {
    /// From which tick on it is printed.
    pub(super) first: u64,
    /// Whether the run is saved at the end, and the log continues later.
    pub(super) goes_on: bool,
}

/// Notes what the log shows.
pub(super) fn log(recorder: &mut Recorder, printed: Printed) {
    let Printed { first, goes_on } = printed;
    let text = json!({"first": first, "goes-on": goes_on}).to_string();
    recorder.note(LOG, text.as_bytes());
}

/// Notes a key for the hero.
pub(super) fn press(recorder: &mut Recorder, tick: u64, key: Key) {
    let mut presses = Presses::default();
    presses.press(tick, key);
    recorder.note(KEY, presses.text().as_bytes());
}

/// The note with this name as a text.
fn text(recording: &Recording, name: &str) -> Result<Option<String>, Failure> {
    let mut notes = recording.notes().filter(|note| note.name == name);
    let bytes = notes.next().map(|note| note.bytes()).transpose();
    let bytes = bytes.map_err(|error| fail(&io::reason(&error).to_string()))?;
    let text = bytes.map(|bytes| String::from_utf8(bytes.into_owned()));
    text.transpose()
        .map_err(|_| fail(&format!("its note `{name}` is no text")))
}

/// What the log showed.
pub(super) fn printed(recording: &Recording) -> Result<Printed, Failure> {
    let said = text(recording, LOG)?;
    let said = said.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let said = said.unwrap_or_default();
    Ok(Printed {
        first: said["first"].as_u64().unwrap_or(0),
        goes_on: said["goes-on"] == true,
    })
}

fn fail(what: &str) -> Failure {
    Failure::failed(format!("the recording cannot be played: {what}"))
}

/// The state of the arena after a tick.
fn game_at(recording: &Recording, tick: u64) -> Result<Cow<'_, [u8]>, Failure> {
    let game = recording.game_state(tick);
    let game = game.map_err(|error| fail(&io::reason(&error).to_string()))?;
    game.ok_or_else(|| fail("the state of the arena is missing"))
}

/// The map of the arena, if it was recorded there.
fn scenario(recording: &Recording) -> Result<Option<Scenario>, Failure> {
    let map = text(recording, MAP)?;
    let map = map.as_deref().map(Scenario::parse);
    map.transpose().map_err(|error| fail(&error.to_string()))
}

/// The crowd that was recorded, from the state after a tick on; `None` if it was not a crowd of the arena.
pub(super) fn crowd(
    recording: &Recording,
    begin: u64,
    threads: usize,
) -> Result<Option<Crowd>, Failure> {
    let scenario = scenario(recording)?.filter(|scenario| scenario.rules.crowd.is_some());
    let Some(scenario) = scenario else {
        return Ok(None);
    };
    let cast = recording.cast_after(begin);
    let (main, document) = cast.ok_or_else(|| fail("its document is missing"))?;
    // How many people there are, and the seed, are part of the state.
    let crowd = Crowd::new(main, scenario, 1, threads, 0).map_err(unplayable)?;
    let mut crowd = crowd.of_document(&document);
    let loaded = crowd.load(&game_at(recording, begin)?);
    loaded.map_err(|error| fail(&error.to_string()))?;
    Ok(Some(crowd))
}

/// The game in the arena that was recorded, from the state after a tick on; `None` if it was not in the arena, or is of
/// a crowd.
pub(super) fn player(recording: &Arc<Recording>, begin: u64) -> Result<Option<Player>, Failure> {
    let scenario = scenario(recording)?.filter(|scenario| scenario.rules.crowd.is_none());
    let (Some(scenario), Some(rules)) = (scenario, text(recording, RULES)?) else {
        return Ok(None);
    };
    let rules: Value = serde_json::from_str(&rules).map_err(|error| fail(&error.to_string()))?;
    let rules = Rules {
        seed: rules["seed"]
            .as_u64()
            .ok_or_else(|| fail("it has no seed"))?,
        rounds: rules["rounds"] == true,
    };
    let cast = recording.cast_after(begin);
    let (main, document) = cast.ok_or_else(|| fail("its document is missing"))?;
    let session = Session::new(main, Some(&document), World::new(scenario, rules));
    let mut player = Player::arena(session.map_err(unplayable)?);
    let loaded = player.load(&game_at(recording, begin)?);
    loaded.map_err(|error| fail(&error.to_string()))?;
    steer(&mut player, recording)?;
    Ok(Some(player))
}

/// Has a game play on as it was recorded, as far as the recording goes.
pub(super) fn steer(player: &mut Player, recording: &Arc<Recording>) -> Result<(), Failure> {
    let keys = recording.notes().filter(|note| note.name == KEY);
    let mut all = Vec::new();
    for note in keys {
        let bytes = note
            .bytes()
            .map_err(|error| fail(&io::reason(&error).to_string()))?;
        all.extend_from_slice(&bytes);
    }
    let keys = String::from_utf8(all).map_err(|_| fail("its keys are no text"))?;
    let keys = Presses::parse(&keys).map_err(|error| fail(&error.to_string()))?;
    player.course_mut().steer_by(keys);
    player.course_mut().compare_with(Arc::clone(recording));
    Ok(())
}
