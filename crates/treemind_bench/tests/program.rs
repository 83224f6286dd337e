//! The program that measures, with small settings. Building it here also lets CI count the instructions of its ticks.

use std::process::Command;

/// Standard output and error, and whether the program succeeded.
fn bench(arguments: &str) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_treemind_bench"))
        .args(arguments.split(' '))
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.success(),
    )
}

#[test]
fn one_case_is_measured() {
    for arguments in [
        "one guard --agents 100000 --by columns",
        "one machine --by statig --steady",
        "one guard --agents 2000 --threads 2 --share 0.1 --by columns",
    ] {
        let (out, err, is_well) = bench(arguments);
        assert!(is_well, "{arguments}: {err}");
        let (ns, rest) = out
            .split_once(" ns per agent and tick, ")
            .expect("a figure");
        assert!(ns.parse::<f64>().is_ok_and(|ns| ns > 0.0), "{out}");
        assert!(rest.contains(" 0 allocations; "), "{out}");
    }
    let (_, err, is_well) = bench("one guard --by statig");
    assert!(!is_well);
    assert_eq!(
        err,
        "treemind_bench: `guard` is not done by statig on 1 threads\n"
    );
}

#[test]
fn documents_are_measured() {
    let (out, err, is_well) = bench("load 200");
    assert!(is_well && out.starts_with("200 nodes: "), "{out}{err}");
}

#[test]
fn new_agents_are_measured() {
    let (out, err, is_well) = bench("spawn 500");
    assert!(is_well && out.starts_with("500 agents: "), "{out}{err}");
}

#[test]
fn saving_is_measured() {
    let (out, err, is_well) = bench("save 300");
    assert!(is_well && out.starts_with("300 guards: "), "{out}{err}");
    assert!(out.ends_with(" ns to move\n"), "{out}");
}

#[test]
fn events_to_others_are_measured() {
    let (out, err, is_well) = bench("post 200");
    assert!(is_well && out.lines().count() == 5, "{out}{err}");
    assert!(
        out.starts_with("200 agents deaf to an event of one: "),
        "{out}"
    );
}

#[test]
fn crowds_of_which_few_think_are_measured() {
    let (out, err, is_well) = bench("crowd 300");
    assert!(is_well && out.lines().count() == 7, "{out}{err}");
    assert!(
        out.starts_with("300 agents who wait for an event: "),
        "{out}"
    );
}

#[test]
fn what_is_counted_is_what_was_recorded() {
    let (out, err, is_well) = bench("counts");
    assert!(is_well, "{err}");
    let recorded = include_str!("../counts.tsv");
    let names = |text: &str| -> Vec<String> {
        let names = text.lines().filter_map(|line| line.split('\t').next());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(names(&out), names(recorded));
}

#[test]
fn a_case_is_played_without_a_clock() {
    assert!(bench("play timers --ticks 3000 --agents 1").2);
    assert!(bench("play guard-expr --ticks 20 --agents 900 --by columns").2);
}
