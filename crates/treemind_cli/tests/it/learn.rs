use crate::{data, treemind, treemind_in};

/// Nights of a watchman; in 8 of 100 he acts at random.
const NIGHTS: &str = "../../../../examples/09-watchman/nights.csv";

#[test]
fn a_tree_is_learned_and_judged_by_rows_that_were_held_out() {
    let ran = treemind(&format!("learn {NIGHTS} --target does"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let tree = "\
decide learned {
    test \"alarm_on\" { action run-to-alarm; } // 2 patrol, 163 run-to-alarm, 6 strike, 1 walk-to-hut
    test \"has(weather) && weather == clear\" {
";
    assert!(ran.out.contains(tree), "{}", ran.out);
    let told = "\
depth 4, 7 leaves; right: 701 of 750 rows learned from (93.5 %), 235 of 250 held out (94.0 %)
held out:
is \\ taken for  patrol  run-to-alarm  strike  walk-to-hut
patrol              52             2       2            0
";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    let cut = "pruned with --ccp-alpha 0.021, found by cross-validation; --ccp-alpha 0 keeps every test\n";
    assert!(ran.err.ends_with(cut), "{}", ran.err);
    let ran = treemind(&format!("learn {NIGHTS} --target does --ccp-alpha 0"));
    let told = "depth 8, 21 leaves; right: 705 of 750 rows learned from (94.0 %), 234 of 250 held out (93.6 %)\n";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    assert!(!ran.err.contains("pruned"), "{}", ran.err);
}

/// What was played by hand is imitated: recorded, exported, learned, and played by what was learned.
#[test]
fn a_game_that_was_played_by_hand_is_learned_and_won_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let example = data().join("../../../../examples/16-apprentice");
    let file = |name: &str| example.join(name).display().to_string();
    let run = |arguments: &str| {
        let ran = treemind_in(folder.path(), arguments, b"");
        assert_eq!(ran.code, 0, "{arguments}: {}", ran.err);
        ran
    };
    let (document, keys, map) = (file("by-hand.kdl"), file("played.keys"), file("yard.map"));
    run(&format!(
        "run {document} --keys {keys} --no-ui --quiet --ticks 2400 --record played.mcap"
    ));
    run("export played.mcap --table played.csv");
    let learn = "learn played.csv --target action --ignore tick --ignore agent --ignore pressed";
    let ran = run(&format!("{learn} --stretch 60 -o apprentice.kdl"));
    let told = "depth 5, 9 leaves; right: 1737 of 1800 rows learned from (96.5 %), 536 of 578 held out (92.7 %)\n";
    assert!(ran.err.contains(told), "{}", ran.err);
    // Single ticks that are held out are too easy.
    let ran = run(&format!("{learn} -o easy.kdl"));
    assert!(ran.err.contains("held out (96.8 %)"), "{}", ran.err);
    let learned = std::fs::read_to_string(folder.path().join("apprentice.kdl")).expect("learned");
    let path = data().join("learned/apprentice.kdl");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &learned).expect("the example");
    }
    let expected = std::fs::read_to_string(path).expect("the example");
    assert_eq!(learned, expected.replace("\r\n", "\n"));
    let ran = run(&format!(
        "run apprentice.kdl --map {map} --no-ui --quiet --ticks 2400"
    ));
    let end = "the keeper has 160 of 160 hit points, the raider is dead, the thief is dead, the bandit is dead, \
               the robber is dead, the outlaw is dead\n";
    assert!(ran.err.ends_with(end), "{}", ran.err);
}

#[test]
fn how_good_it_is_as_json_beside_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = data().join(NIGHTS);
    let table = table.to_str().expect("the path is text");
    let arguments = format!("learn {table} --target does --depth 1 -o tree.kdl --json");
    let ran = treemind_in(folder.path(), &arguments, b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!((&found["depth"], &found["leaves"]), (&1.into(), &2.into()));
    assert_eq!(
        (&found["rows"], &found["held_out"]),
        (&750.into(), &250.into())
    );
    let text = std::fs::read_to_string(folder.path().join("tree.kdl")).expect("a document");
    assert!(text.contains("decide learned {"), "{text}");
}

#[test]
fn what_cannot_be_learned_is_said() {
    let refused = |arguments: &str, input: &str, told: &str| {
        let ran = treemind_in(&data(), &format!("learn {arguments}"), input.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
        assert_eq!(ran.err, format!("error: {told}\n"));
    };
    refused(
        &format!("{NIGHTS} --target do"),
        "",
        &format!(
            "{NIGHTS}: unknown column `do`; the columns are `alarm_on`, `enemy_distance`, `is_armed`, `weather`, \
             `moon`, `does`"
        ),
    );
    refused(
        "- --target does",
        "",
        "standard input: the table has no rows after the names of its columns",
    );
    refused(
        "- --target does",
        "x,does\n1,a\n2,a\n",
        "standard input: `does` is the same in all rows: there is nothing to learn",
    );
    let ran = treemind("learn nights.csv");
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn what_is_learned_plays_in_the_arena() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = data().join("../../../../examples/09-watchman");
    let path = |name: &str| examples.join(name).display().to_string();
    let learn = format!("learn {} --target does -o learned.kdl", path("nights.csv"));
    assert_eq!(treemind_in(folder.path(), &learn, b"").code, 0);
    let play = format!(
        "run learned.kdl --map {} --no-ui --ticks 950",
        path("yard.map")
    );
    let ran = treemind_in(folder.path(), &play, b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = [
        "300    15.00 s  the watchman walks to its hut",
        "420    21.00 s  the watchman runs to the alarm",
        "700    35.00 s  the watchman walks its round",
        "904    45.20 s  the watchman strikes",
        "940    47.00 s  the stranger dies",
    ];
    for line in told {
        assert!(ran.out.contains(line), "{line} is not in\n{}", ran.out);
    }
}
