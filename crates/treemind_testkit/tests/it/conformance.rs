//! The scenarios in `conformance/`, played by the executor and by the reference.

use std::fs;
use std::path::{Path, PathBuf};
use treemind_testkit::conformance::{Scenario, check, parse, play_reference, updated};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let entries = fs::read_dir(&folder).expect("there is a folder of scenarios");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ext| ext == "scenarios"))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> (String, Vec<Scenario>) {
    let text = fs::read_to_string(path).expect("a file of scenarios can be read");
    let scenarios = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (text, scenarios)
}

#[test]
fn executor_and_reference_do_what_every_scenario_says() {
    let is_update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let files = files();
    assert!(!files.is_empty(), "there are no scenarios");
    let mut problems = Vec::new();
    for path in files {
        let (text, scenarios) = read(&path);
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy();
        if is_update {
            let mut played = Vec::new();
            for scenario in &scenarios {
                match play_reference(scenario) {
                    Ok(one) => played.push(one),
                    Err(problem) => problems.push(format!("{name}:{}: {problem}", scenario.line)),
                }
            }
            if played.len() == scenarios.len() {
                fs::write(&path, updated(&text, &played)).expect("the file can be written");
            }
            continue;
        }
        let found = scenarios.iter().flat_map(check);
        problems.extend(found.map(|problem| format!("{name}, {problem}")));
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}

const GOOD: &str = "scenario It acts\ntree:\n    action a\nscript:\n    a: S\nrun: ticks=1\nexpect:\n    1 SUCCESS | tick a SUCCESS\n";

#[test]
fn a_file_that_is_not_well_formed_is_refused() {
    assert!(parse(GOOD).is_ok());
    for (text, problem) in [
        (String::new(), "there is no scenario in the file"),
        ("# nothing\n".to_owned(), "there is no scenario in the file"),
        (
            GOOD.replace("script:", "scripts:"),
            "line 4: there is no section `scripts`",
        ),
        (
            GOOD.replace("ticks=1", "tocks=1"),
            "line 6: `tocks=1` is not a setting of `run`",
        ),
        (
            GOOD.replace("ticks=1", "ticks=x"),
            "line 6: `ticks=x` is not a setting of `run`",
        ),
        (
            GOOD.replace("run: ticks=1\n", ""),
            "at the end: \"It acts\" has no ticks",
        ),
        (
            GOOD.replace("tree:\n    action a\n", ""),
            "at the end: \"It acts\" has no tree",
        ),
        (
            format!("{GOOD}script:\n    a: S\n"),
            "line 9: a second section `script`",
        ),
        (
            format!("tree:\n{GOOD}"),
            "line 1: the file begins with `scenario` and a title",
        ),
    ] {
        assert_eq!(parse(&text), Err(problem.to_owned()));
    }
}

#[test]
fn a_script_that_does_not_fit_is_a_problem() {
    for (line, problem) in [
        ("b: S", "the script names `b`, which is not in the tree"),
        ("a: X", "`X` is not one of S, F, R, K"),
        ("a S", "`a S` is not a line of a script"),
        ("a: S\n    c: S", "no call uses the script's line for `c`"),
    ] {
        let tree = "selector {\n        action a\n        action c\n    }";
        let text = GOOD.replace("action a", tree).replace("a: S", line);
        let scenarios = parse(&text).expect("the file is well formed");
        assert_eq!(play_reference(&scenarios[0]), Err(problem.to_owned()));
    }
}

const OWN: &str = "scenario It decides\ntree:\n    node pick {\n        action a\n    }\nown:\n    pick: tick 0, same\nrun: ticks=1\nexpect:\n    1 SUCCESS | tick a SUCCESS\n";

#[test]
fn what_own_nodes_want_is_read() {
    assert_eq!(
        check(&parse(OWN).expect("the file is well formed")[0]),
        [""; 0]
    );
    for (line, problem) in [
        ("pick tick 0", "`pick tick 0` is not a line of `own`"),
        ("pick: tick", "`pick: tick` is not a line of `own`"),
        (
            "pick: tick 0, X",
            "`pick: tick 0, X` is not a line of `own`",
        ),
        ("pick: halt one", "`pick: halt one` is not a line of `own`"),
        ("a: S", "no node of its own is named `a`"),
    ] {
        let text = OWN.replace("pick: tick 0, same", line);
        let scenarios = parse(&text).expect("the file is well formed");
        assert_eq!(play_reference(&scenarios[0]), Err(problem.to_owned()));
    }
}

#[test]
fn what_is_said_of_one_agent_names_one_that_is_there() {
    for (section, line, problem) in [
        ("script", "a@2: S", "`a@2` names no agent of the scenario"),
        ("script", "a@x: S", "`a@x` names no agent of the scenario"),
        (
            "finish",
            "1 a@2 success",
            "`a@2` names no agent of the scenario",
        ),
        ("finish", "1 b success", "`b` is not in the tree"),
        ("finish", "1 a", "`1 a` is not a line of `finish`"),
        ("finish", "1 a done", "`1 a done` is not a line of `finish`"),
        (
            "finish",
            "x a success",
            "`x a success` is not a line of `finish`",
        ),
    ] {
        let text = GOOD
            .replace("script:\n    a: S\n", &format!("{section}:\n    {line}\n"))
            .replace("ticks=1", "ticks=1 agents=2");
        let scenarios = parse(&text).expect("the file is well formed");
        assert_eq!(
            play_reference(&scenarios[0]),
            Err(problem.to_owned()),
            "{line}"
        );
    }
    let halted = GOOD.replace("ticks=1", "ticks=1 halt-at=1@1");
    let problem = "at the end: \"It acts\" aborts an agent that is not there";
    assert_eq!(parse(&halted), Err(problem.to_owned()));
}

#[test]
fn several_agents_have_a_line_each() {
    let text = GOOD.replace("ticks=1", "ticks=1 agents=2 halt-at=1@1");
    let text = text.replace("script:\n    a: S", "script:\n    a@1: R");
    let scenarios = parse(&text).expect("the file is well formed");
    let played = play_reference(&scenarios[0]).expect("the scenario can be played");
    assert_eq!(
        played.trace,
        [
            "1 @0 SUCCESS | tick a SUCCESS",
            "1 @1 RUNNING | tick a RUNNING",
            "1 @1 HALTTREE | halt a",
        ]
    );
    assert!(played.calls.is_empty());
    let noting = text.replace("expect:", "calls:\n    1 something else\nexpect:");
    let scenarios = parse(&noting).expect("the file is well formed");
    let played = play_reference(&scenarios[0]).expect("the scenario can be played");
    let calls = [
        "1 @0 start a; stop a success",
        "1 @1 start a",
        "1 @1 stop a aborted",
    ];
    assert_eq!(played.calls, calls);
}

#[test]
fn an_expectation_that_does_not_hold_is_a_problem_of_both() {
    let text = GOOD.replace("1 SUCCESS", "1 FAILURE");
    let problems = check(&parse(&text).expect("the file is well formed")[0]);
    assert_eq!(problems.len(), 2);
    assert!(problems[0].contains("(reference)") && problems[1].contains("(executor)"));
    let played = play_reference(&parse(GOOD).expect("the file is well formed")[0]);
    assert_eq!(
        updated(&text, &[played.expect("the scenario can be played")]),
        GOOD
    );
}
