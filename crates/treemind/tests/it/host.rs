//! The game of examples/00-in-a-game, and what pages show of it and of a smaller one.

#[path = "../../../../examples/00-in-a-game/host.rs"]
#[allow(dead_code, unreachable_pub)]
mod game;

#[path = "../../../../examples/00-in-a-game/cast.rs"]
#[allow(dead_code, unreachable_pub)]
mod cast;

const GUARD: &str = include_str!("../../../../examples/00-in-a-game/guard.kdl");

#[test]
fn the_guard_patrols_charges_flees_and_comes_back() {
    let log = game::play(GUARD.as_bytes()).expect("a good document");
    let expected = "\
at  6.8 m, 100 against 60
at  9.8 m, 100 against 60
at 10.7 m, 40 against 30
at  9.1 m, 10 against 15
at  5.1 m, 10 against 15
at  4.3 m, 35 against 15
at  7.3 m, 35 against 15
at 10.3 m, 35 against 15
at 11.4 m, 75 against 0
at 12.4 m, 100 against 0
at 13.4 m, 100 against 0
at 14.4 m, 100 against 0
";
    assert_eq!(log, expected);
}

#[test]
fn what_is_wrong_with_the_document_is_the_answer() {
    let refused = |text: &str| game::play(text.as_bytes()).unwrap_err().to_string();
    let no_key = "leaves { action patrol; }; tree t { action patrol; }";
    assert_eq!(refused(no_key), "unknown key `health`");
    let slip = GUARD.replace("see-enemy\n            ", "see-enemi\n            ");
    assert!(refused(&slip).contains("did you mean `see-enemy`?"));
    let more = GUARD.replace("action patrol\n    }", "action sing\n    }");
    let more = more.replace("leaves {", "leaves { action sing;");
    assert!(refused(&more).contains("sing"), "{}", refused(&more));
}

/// `fn main() -> Result<(), Box<dyn Error>>` prints `Error: ` and the error's `Debug`.
fn printed_by_main(text: &str) -> String {
    format!("{:?}", game::play(text.as_bytes()).unwrap_err())
}

#[test]
fn main_prints_a_typo_for_people() {
    let slip = GUARD.replace("see-enemy\n            ", "see-enemi\n            ");
    let expected = if cfg!(feature = "fancy") {
        "\
T0102

  × unknown condition `see-enemi`
    ╭─[guard.kdl:12:23]
 11 │         reactive-sequence name=alarm {
 12 │             condition see-enemi
    ·                       ─────────
 13 │             reactive-selector name=fight-or-flight {
    ╰────
  help: did you mean `see-enemy`?"
    } else {
        "\
guard.kdl:12:23: error[T0102]: unknown condition `see-enemi`
  help: did you mean `see-enemy`?"
    };
    assert_eq!(printed_by_main(&slip), expected);
}

#[test]
fn main_prints_leaves_that_are_missing_for_people() {
    let more = GUARD.replace("leaves {", "leaves { action sing; condition see-enemies;");
    assert_eq!(
        printed_by_main(&more),
        "the action `sing` is not registered\n\
         the condition `see-enemies` is not registered; did you mean `see-enemy`?"
    );
}

#[test]
fn the_page_of_the_example_has_all_of_it() {
    let page = include_str!("../../../../examples/00-in-a-game/README.md").replace("\r\n", "\n");
    let host = include_str!("../../../../examples/00-in-a-game/host.rs").replace("\r\n", "\n");
    assert!(page.contains(&format!("```rust\n{host}```")));
    // The page leaves out the tests of the document.
    let guard = GUARD.replace("\r\n", "\n");
    let played = guard.split("\ntest ").next().unwrap_or_default();
    assert!(page.contains(&format!("```kdl\n{played}```")));
}

#[test]
fn the_game_on_the_first_page_has_the_leaves_of_its_document() {
    let page = include_str!("../../../../README.md").replace("\r\n", "\n");
    let block = |begin: &str| {
        let after = page.split_once(begin).expect("the block is there").1;
        after.split_once("```").expect("and has an end").0
    };
    let document = block("```kdl\n");
    let leaves = document
        .lines()
        .find_map(|line| line.strip_prefix("leaves { ")?.strip_suffix("; }"))
        .expect("a line of leaves");
    let mut declared: Vec<&str> = leaves.split("; ").collect();
    declared.sort_unstable();
    let registered = block("```rust,no_run\n").lines().filter_map(|line| {
        let (kind, rest) = line.trim().strip_prefix("registry.")?.split_once("(\"")?;
        Some(format!("{kind} {}", rest.split('"').next()?))
    });
    let mut registered: Vec<String> = registered.collect();
    registered.sort_unstable();
    assert_eq!(registered, declared);
}

#[test]
fn the_cast_plays_as_its_page_shows() {
    let gunners = include_str!("../../../../examples/00-in-a-game/gunner.kdl");
    let carriers = include_str!("../../../../examples/00-in-a-game/carrier.kdl");
    let page = include_str!("../../../../examples/00-in-a-game/README.md").replace("\r\n", "\n");
    let played = cast::play(gunners, carriers).unwrap();
    assert!(page.contains(&format!("```text\n{played}```")), "{played}");
    let overdrawn = gunners.replace("default=6", "default=7");
    let error = cast::play(&overdrawn, carriers).unwrap_err().to_string();
    assert!(
        error.starts_with("`carrier` cannot join: key `ammo`"),
        "{error}"
    );
}
