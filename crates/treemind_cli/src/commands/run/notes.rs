//! What a recording of the arena holds besides the agents: the map, the rules and the keys that steered the hero. With
//! them the arena plays the same game again.

use crate::io::Failure;
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;
use treemind_arena::{Key, Presses, Rules, Scenario, Session, World};
use treemind_doc::Document;
use treemind_recording::{Recorder, Recording};

use super::player::Player;
use super::unplayable;

const MAP: &str = "arena.map";
const RULES: &str = "arena.rules";
const KEY: &str = "arena.key";
const LOG: &str = "log";

/// Notes the map and the rules of an arena.
pub(super) fn arena(recorder: &mut Recorder, map: &str, rules: Rules) {
    recorder.note(MAP, map.as_bytes());
    let rules = json!({"seed": rules.seed, "rounds": rules.rounds});
    recorder.note(RULES, rules.to_string().as_bytes());
}

/// Notes from which tick on the log is printed.
pub(super) fn log(recorder: &mut Recorder, first: u64) {
    recorder.note(LOG, json!({"first": first}).to_string().as_bytes());
}

/// Notes a key for the hero.
pub(super) fn press(recorder: &mut Recorder, tick: u64, key: Key) {
    let mut presses = Presses::default();
    presses.press(tick, key);
    recorder.note(KEY, presses.text().as_bytes());
}

/// The note with this name as a text.
fn text<'r>(recording: &'r Recording, name: &str) -> Option<&'r str> {
    let mut notes = recording.notes().filter(|note| note.name == name);
    std::str::from_utf8(notes.next()?.bytes).ok()
}

/// From which tick on the log was printed.
pub(super) fn first_of_log(recording: &Recording) -> u64 {
    let said = text(recording, LOG).and_then(|text| serde_json::from_str::<Value>(text).ok());
    said.and_then(|said| said["first"].as_u64()).unwrap_or(0)
}

/// The game in the arena that was recorded, from the state after a tick on; `None` if it was not in the arena.
pub(super) fn player(recording: &Arc<Recording>, begin: u64) -> Result<Option<Player>, Failure> {
    let (Some(map), Some(rules)) = (text(recording, MAP), text(recording, RULES)) else {
        return Ok(None);
    };
    let fail = |what: &str| Failure::Failed(format!("the recording cannot be played: {what}"));
    let scenario = Scenario::parse(map).map_err(|error| fail(&error.to_string()))?;
    let rules: Value = serde_json::from_str(rules).map_err(|error| fail(&error.to_string()))?;
    let rules = Rules {
        seed: rules["seed"]
            .as_u64()
            .ok_or_else(|| fail("it has no seed"))?,
        rounds: rules["rounds"] == true,
    };
    let documents: Vec<Document> = recording.documents().collect();
    let main = recording.program_at_begin(0);
    let main = main.ok_or_else(|| fail("its document is missing"))?;
    let session = Session::new(
        main.behaviour().clone(),
        documents.first(),
        World::new(scenario, rules),
    );
    let mut player = Player::arena(session.map_err(unplayable)?);
    let game = recording.game_state(begin);
    let game = game.ok_or_else(|| fail("the state of the arena is missing"))?;
    let loaded = player.load(game);
    loaded.map_err(|error| fail(&error.to_string()))?;
    let keys = recording.notes().filter(|note| note.name == KEY);
    let keys: Vec<u8> = keys.flat_map(|note| note.bytes.to_vec()).collect();
    let keys = String::from_utf8(keys).map_err(|_| fail("its keys are no text"))?;
    let keys = Presses::parse(&keys).map_err(|error| fail(&error.to_string()))?;
    player.steer_by(Rc::new(keys));
    Ok(Some(player.compared_with(Arc::clone(recording))))
}
