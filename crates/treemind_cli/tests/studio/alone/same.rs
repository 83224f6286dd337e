//! What the page plays is what `treemind run` plays, to the last bit: the log, and the whole state of the game at the end.

use super::folder;
use std::path::Path;
use std::process::{Command, Stdio};

const TICKS: &str = "300";
const SEED: &str = "7";

/// Documents that `treemind run` does not play: leaves of theirs have no code in the arena, and only the studio lets one
/// answer for them.
const ONLY_IN_THE_STUDIO: [&str; 1] = ["10-soldier/fighter.kdl"];

/// A line of a log without the blanks that align it.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs Node and the site"]
fn all_examples_are_the_same_in_the_page_and_in_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let made = tempfile::tempdir().expect("a folder");
    let played = Command::new("node")
        .arg(root.join("site/play.mjs"))
        .args([&folder(), made.path()])
        .args([TICKS, SEED])
        .status()
        .expect("node");
    assert!(played.success(), "the page cannot play the examples");
    let mut count = 0;
    for entry in made.path().read_dir().expect("files").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((name, kind)) = name.rsplit_once('.') else {
            continue;
        };
        let document = name.replace("--", "/");
        let saved = made.path().join("program.game");
        let run = Command::new(env!("CARGO_BIN_EXE_treemind"))
            .current_dir(root.join("examples"))
            .args([
                "run", &document, "--no-ui", "--ticks", TICKS, "--seed", SEED,
            ])
            .arg("--save")
            .arg(&saved)
            .stderr(Stdio::null())
            .output()
            .expect("the program");
        let is_played = run.status.success();
        match kind {
            "refused" => assert!(!is_played, "{document} plays only in the program"),
            "save" if ONLY_IN_THE_STUDIO.contains(&&*document) => assert!(!is_played),
            "save" => {
                assert!(is_played, "{document} plays only in the page");
                compare(&document, &made.path().join(name), &run.stdout, &saved);
                count += 1;
            }
            _ => {}
        }
    }
    assert!(count >= 15, "only {count} documents play");
}

fn compare(document: &str, page: &Path, log: &[u8], saved: &Path) {
    let of_page = std::fs::read_to_string(page.with_extension("kdl.log")).expect("a log");
    let log = String::from_utf8_lossy(log);
    // A crowd has a log of sums, which the page shows in other ways.
    if !of_page.is_empty() {
        let lines: Vec<String> = of_page.lines().map(words).collect();
        let expected: Vec<String> = log.lines().map(words).collect();
        assert_eq!(lines, expected, "the log of {document}");
    }
    let of_page = std::fs::read(page.with_extension("kdl.save")).expect("a game");
    let game = std::fs::read(saved).expect("a game");
    assert!(!game.is_empty());
    assert!(
        of_page == game,
        "the state of {document} after {TICKS} ticks is another one"
    );
}
