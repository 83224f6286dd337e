//! What a recording of the arena holds apart from the agents, so that the arena can play the same game again.

use crate::world::Rules;
use serde_json::json;
use treemind_recording::Recorder;

/// The note with the text of the map.
pub const MAP_NOTE: &str = "arena.map";
/// The note with the rules.
pub const RULES_NOTE: &str = "arena.rules";

/// Notes the map and the rules of an arena.
pub fn arena(recorder: &mut Recorder, map: &str, rules: Rules) {
    recorder.note(MAP_NOTE, map.as_bytes());
    let rules = json!({"seed": rules.seed, "rounds": rules.rounds});
    recorder.note(RULES_NOTE, rules.to_string().as_bytes());
}
