//! The hamlet of examples/17-hamlet: a cast that is recorded, watched, saved, loaded and reloaded in one run.

#[path = "../../../../examples/17-hamlet/hamlet.rs"]
#[allow(dead_code, unreachable_pub)]
mod game;

use std::path::Path;
use std::time::Duration;
use treemind_recording::{Playhead, Recording, Tape};
use treemind_studio::Studio;

#[test]
fn the_hamlet_plays_as_its_page_shows() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/17-hamlet");
    let page = include_str!("../../../../examples/17-hamlet/README.md").replace("\r\n", "\n");
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("alone.mcap");
    let watched = folder.path().join("watched.mcap");

    let mut played = Vec::new();
    game::play(&examples, &alone, None, &mut played).expect("it plays");
    let played = String::from_utf8(played).expect("text");
    assert!(page.contains(&format!("```text\n{played}```")), "{played}");

    // A studio changes nothing, and the game does not wait until somebody opens its page.
    let studio = Studio::open(0).expect("a free port");
    let mut shown = Vec::new();
    game::play(
        &examples,
        &watched,
        Some((&studio, Duration::ZERO)),
        &mut shown,
    )
    .expect("it plays");
    assert_eq!(String::from_utf8(shown).expect("text"), played);

    let recording = Recording::open(&watched).expect("a recording");
    assert_eq!(recording.ticks(), 1..=400);
    let tape = Tape::whole(&recording);
    let mut head = Playhead::at(&tape, 380).expect("a tick that is there");
    while head.step(&tape, None).expect("it plays on") {}
    assert_eq!(head.tick(), 400);
}
