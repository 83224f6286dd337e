//! `treemind run` as a log; the live view has its tests beside its drawing code.

use crate::{assert_ran, data, treemind, treemind_in};
use std::path::{Path, PathBuf};

fn example() -> PathBuf {
    data().join("../../../../examples/01-guard")
}

#[test]
fn a_log_of_the_fight_until_it_is_over() {
    let ran = treemind_in(&example(), "run guard-classic.kdl", b"");
    let expected = "     1     0.05 s  the guard walks its round
    20     1.00 s  the intruder comes in
    71     3.55 s  the guard walks its round
    89     4.45 s  the guard sees the intruder
   143     7.15 s  the guard takes 16 damage, 84 left
   159     7.95 s  the guard takes 16 damage, 68 left
   171     8.55 s  the guard attacks
   182     9.10 s  the intruder takes 13 damage, 107 left
   184     9.20 s  the guard takes 18 damage, 50 left
   196     9.80 s  the intruder takes 14 damage, 93 left
   200    10.00 s  the guard takes 16 damage, 34 left
   210    10.50 s  the intruder takes 16 damage, 77 left
   216    10.80 s  the guard takes 20 damage, 14 left
   224    11.20 s  the intruder takes 15 damage, 62 left
   232    11.60 s  the guard takes 20 damage, 0 left
   232    11.60 s  the guard dies
";
    let summary =
        "232 ticks, 11.60 s, no faults; the guard is dead, the intruder has 62 of 120 hit points\n";
    assert_ran(&ran, 0, expected, summary);
    assert_eq!(
        treemind_in(
            &example(),
            "run guard-classic.kdl --no-ui --map yard.map",
            b""
        ),
        ran
    );
}

#[test]
fn the_map_beside_a_document_is_found_and_quiet_leaves_the_log_out() {
    let boss = example().join("../03-boss");
    let ran = treemind_in(&boss, "run boss.kdl --machine boss --ticks 240", b"");
    let expected = "     1     0.05 s  the boss stands
    20     1.00 s  the hero comes in
   159     7.95 s  the boss sees the hero
   159     7.95 s  the boss walks on
   233    11.65 s  the boss swings
";
    let summary = "240 ticks, 12.00 s, no faults; the boss has 200 of 200 hit points, the hero has 160 of 160 hit points\n";
    assert_ran(&ran, 0, expected, summary);
    let ran = treemind_in(&boss, "run boss.kdl --no-ui --quiet --ticks 240", b"");
    assert_ran(&ran, 0, "", summary);
    // Of two maps, the one with the document's name is used.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "t.kdl",
        "leaves { action patrol; }\ntree t { action patrol; }\n",
    );
    write(
        "t.map",
        "[map]\nT.1\n[legend]\nT actor tom mind=main route=way\n1 spot way\n",
    );
    write("other.map", "nonsense");
    let ran = treemind_in(folder.path(), "run t.kdl --ticks 1", b"");
    assert_ran(
        &ran,
        0,
        "     1     0.05 s  the tom walks its round\n",
        "1 ticks, 0.05 s, no faults; the tom has 100 of 100 hit points\n",
    );
    // The map of another document is not taken for the only one.
    write("other.kdl", "tree other { run; }\n");
    write("own.kdl", "tree own { run; }\n");
    let ran = treemind_in(folder.path(), "run own.kdl --ticks 1", b"");
    assert!(ran.err.contains("the intruder"), "{}", ran.err);
    write(
        "street.map",
        "[map]\nT..\n[legend]\nT actor tim mind=main\n",
    );
    let ran = treemind_in(folder.path(), "run own.kdl --ticks 1", b"");
    assert!(ran.err.contains("the tim has"), "{}", ran.err);
    let ran = treemind_in(folder.path(), "run t.kdl --map other.map", b"");
    let error = "error: other.map: line 1: a scenario must begin with `[map]`\n";
    assert_ran(&ran, 1, "", error);
}

#[test]
fn ticks_and_seed_say_how_long_and_which_run() {
    let run = |arguments: &str| treemind_in(&example(), &format!("run guard.kdl {arguments}"), b"");
    let short = run("--ticks 100").err;
    assert!(short.starts_with("100 ticks, 5.00 s, no faults; the guard has 100 of 100 hit points, the intruder has 120 of 120 hit points\n"), "{short}");
    let long = run("--ticks 1000 --seed 3");
    assert_eq!(long, run("--ticks 1000 --seed 3"));
    assert_ne!(long, run("--ticks 1000 --seed 4"));
    assert!(
        long.out.matches("the intruder comes in").count() > 1,
        "another comes: {}",
        long.out
    );
}

#[test]
fn scripted_leaves_stand_in_for_a_world() {
    let expected = "     1     0.05 s  see-enemy answers failure
     1     0.05 s  patrol starts
     3     0.15 s  see-enemy answers success
     3     0.15 s  not enemy-dead answers success
     3     0.15 s  attack starts
     3     0.15 s  patrol is cut off
";
    let summary = "5 ticks, 0.25 s, no faults; the root answers RUNNING\n";
    let script = b"see-enemy: F F S\nenemy-dead: F\nattack: R\npatrol: R\n";
    assert_ran(
        &treemind_in(&data(), "run guard.kdl --script - --ticks 5", script),
        0,
        expected,
        summary,
    );
}

#[test]
fn what_the_arena_does_not_have_is_said() {
    let document = "leaves { condition see-enmy; action dance; }\ntree t { sequence { condition see-enmy; action dance; }; }\n";
    let expected = "error: the arena does not have what this document needs:
  the condition `see-enmy` is not registered; did you mean `see-enemy`?
  the action `dance` is not registered
  help: answer the leaves from a script with `--script FILE`
";
    assert_ran(
        &treemind_in(&data(), "run -", document.as_bytes()),
        1,
        "",
        expected,
    );
    let ran = treemind("run guard.kdl --map guard.kdl");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.starts_with("error: guard.kdl: line 1: "),
        "{}",
        ran.err
    );
}

#[test]
fn a_script_and_a_map_exclude_one_another_and_speeds_have_limits() {
    for arguments in [
        "run guard.kdl --map yard.map --script day.txt",
        "run guard.kdl --speed 0",
        "run guard.kdl --speed nan",
        "run guard.kdl --ticks 0",
        "run guard.kdl --quiet",
        "run - --script -",
        "run guard.kdl --size 80x24",
        "run guard.kdl --svg - --size 0x24",
        "run guard.kdl --svg - --no-ui",
        "run guard.kdl --agent intruder",
        "run guard.kdl --agent 2",
    ] {
        assert_eq!(treemind(arguments).code, 2, "{arguments}");
    }
}

#[test]
fn faults_are_told_and_the_tree_goes_on() {
    let document = "leaves { action attack { param range type=float; }; action patrol; condition see-enemy; }
tree t { reactive-selector { reactive-sequence { condition see-enemy; action attack range=-1.0; }; action patrol; }; }
";
    let ran = treemind_in(&data(), "run - --ticks 100", document.as_bytes());
    assert_eq!(ran.code, 0);
    let first = "fault: tick 89: guard: attack: a range of -1 metres is out of reach\n";
    assert!(ran.err.starts_with(first), "{}", ran.err);
    assert!(
        ran.err
            .contains("\n100 ticks, 5.00 s, 12 faults; the guard has 100"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("the guard walks its round"), "{}", ran.out);
}

#[test]
fn what_is_logged_and_emitted_stands_in_the_log() {
    let document = "blackboard { key n type=int default=1; }
leaves { event noise { param volume type=int; }; action patrol; }
tree t { sequence { log \"round {n}\"; emit noise value=\"n + 1\"; set \"n += 1\"; action patrol; }; }
";
    let said = "     1     0.05 s  round 1\n     1     0.05 s  noise volume=2\n";
    let by_guard = said.replace("s  ", "s  the guard: ");
    let ran = treemind_in(&data(), "run - --ticks 1", document.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with(&by_guard), "{}", ran.out);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.kdl"), document).unwrap();
    let ran = treemind_in(
        folder.path(),
        "run t.kdl --script - --ticks 1",
        b"patrol: R\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with(said), "{}", ran.out);
}

/// Pages with pictures of the live view, and how each picture is made; all from the root of the repository.
const PICTURES: [(&str, &str, &str); 5] = [
    (
        "docs/command-line.md",
        "run examples/01-guard/guard.kdl --at 190 --size 112x26 --svg",
        "docs/guard.svg",
    ),
    (
        "examples/06-squad/README.md",
        "run examples/06-squad/squad.kdl --at 200 --size 120x34 --svg",
        "examples/06-squad/squad.svg",
    ),
    (
        "examples/08-hunter/README.md",
        "run examples/08-hunter/hunter.kdl --at 320 --size 120x38 --svg",
        "examples/08-hunter/hunter.svg",
    ),
    (
        "examples/12-village/README.md",
        "run examples/12-village --agents 5000 --at 720 --size 146x40 --svg",
        "examples/12-village/village.svg",
    ),
    (
        "examples/13-hero/README.md",
        "run examples/13-hero/castle.kdl --keys examples/13-hero/won.keys --at 420 --size 120x38 --svg",
        "examples/13-hero/hero.svg",
    ),
];

#[test]
fn the_pictures_on_the_pages_are_what_the_documented_commands_write() {
    let folder = data().join("../../../..");
    for (page, command, picture) in PICTURES {
        let documented = format!("treemind {command} {picture}");
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        assert!(text.contains(&documented), "{page}: {documented}");
        let ran = treemind_in(&folder, &format!("{command} -"), b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let path = folder.join(picture);
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&path, &ran.out).unwrap();
        }
        let expected = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            expected.replace("\r\n", "\n") == ran.out,
            "{picture} is not what `{documented}` writes"
        );
    }
}

#[test]
fn a_frame_is_of_the_agent_and_tick_that_are_asked_for() {
    let run = |arguments: &str| {
        treemind_in(
            &example(),
            &format!("run guard.kdl --svg - {arguments}"),
            b"",
        )
    };
    let frame = run("--at 5 --agent guard --size 80x24");
    assert!(frame.out.contains("tick 5  0.25 s"), "{}", frame.out);
    assert_eq!(frame, run("--at 5 --agent 1 --size 80x24"));
    let ran = treemind_in(&example(), "run guard.kdl --agent nobody", b"");
    let said = "unknown agent `nobody`; the agents are: guard";
    assert!(ran.err.contains(said), "{}", ran.err);
}

#[test]
fn a_log_begins_where_it_is_asked_to() {
    let ran = treemind_in(&example(), "run guard-classic.kdl --at 216", b"");
    let first = ran.out.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "   216    10.80 s  the guard takes 20 damage, 14 left"
    );
    assert_eq!(ran.out.lines().count(), 4);
}

#[test]
fn keys_steer_the_hero_of_a_map() {
    let castle = example().join("../13-hero");
    let ran = treemind_in(
        &castle,
        "run castle.kdl --no-ui --ticks 70 --keys -",
        b"1 right\n; a comment\n24 up\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("the hero picks up a coin"), "{}", ran.out);
    let ran = treemind_in(&castle, "run castle.kdl --keys -", b"1 fly\n");
    let error = "error: standard input: line 1: `fly` is not one of: up, down, left, right, stand, strike, sneak, whistle\n";
    assert_ran(&ran, 1, "", error);
    let ran = treemind_in(&example(), "run guard.kdl --keys -", b"1 up\n");
    let error = "error: no actor of the map is `steered`, so there is nobody for the keys\n";
    assert_ran(&ran, 1, "", error);
}

#[test]
fn a_crowd_is_a_log_of_how_many_do_what_and_the_same_on_any_number_of_threads() {
    let examples = example().join("..");
    let run = |arguments: &str| treemind_in(&examples, &format!("run {arguments}"), b"");
    let one = run("12-village --agents 300 --no-ui --ticks 40 --threads 1");
    assert_eq!(one.code, 0, "{}", one.err);
    let first = "  tick  clock   stand    walk    work     eat   drink    talk   sleep     run    hide messages\n    20  05:12 ";
    assert!(one.out.starts_with(first), "{}", one.out);
    assert_eq!(one.out.lines().count(), 3);
    assert!(
        one.err
            .starts_with("40 ticks, 2.00 s, no faults; 300 people, "),
        "{}",
        one.err
    );
    let three = run("12-village/village.kdl --agents 300 --no-ui --ticks 40 --threads 3");
    assert_eq!(one.out, three.out);
    let picture = run("12-village --agents 300 --at 30 --svg -");
    assert!(picture.out.contains("300 people"), "{}", picture.out);
    assert_eq!(picture, run("12-village --agents 300 --at 30 --svg -"));
    let ran = run("01-guard/guard.kdl --agents 3");
    let error = "error: the map has no crowd, so `--agents` and `--threads` mean nothing; `crowd N` is a rule of a map\n";
    assert_ran(&ran, 1, "", error);
    let ran = run("01-guard --no-ui");
    let error = "error: there are 3 documents (.kdl) in the folder 01-guard: name one of them\n";
    assert_ran(&ran, 1, "", error);
    assert_eq!(run("12-village --agents 1000001").code, 2);
    assert_eq!(run("12-village --agent 1").code, 2);
}

/// A map is read once: standard input and pipes have nothing more to give.
#[test]
fn a_map_comes_from_standard_input() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (example, map) in [
        ("01-guard/guard.kdl", "01-guard/yard.map"),
        ("12-village/village.kdl", "12-village/village.map"),
    ] {
        let line = format!("run {example} --no-ui --ticks 20");
        let beside = treemind_in(&examples, &line, b"");
        assert_eq!(beside.code, 0, "{}", beside.err);
        let text = std::fs::read(examples.join(map)).unwrap();
        let given = treemind_in(&examples, &format!("{line} --map -"), &text);
        assert_eq!((given.code, given.out), (0, beside.out), "{}", given.err);
    }
}

#[test]
fn what_would_never_end_is_refused() {
    let most = u64::MAX;
    for line in [
        format!("run guard.kdl --svg - --at {most}"),
        format!("run guard.kdl --no-ui --at {most}"),
        format!("run guard.kdl --no-ui --quiet --ticks {most}"),
        "run guard.kdl --no-ui --ticks 1000000001".to_owned(),
        format!("trace guard.kdl --ticks {most}"),
    ] {
        let ran = treemind(&line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
        let wanted = "at most 1000000000 ticks are played";
        assert!(ran.err.contains(wanted), "{line}: {}", ran.err);
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let line = format!("run 12-village --no-ui --ticks 1 --agents {most}");
    let ran = treemind_in(&examples, &line, b"");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("at most 1000000 people"), "{}", ran.err);
}
