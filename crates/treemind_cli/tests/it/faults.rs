//! Faults of a crowd: every view has them, for every agent, with what was lost and what to do.

use crate::{examples, treemind_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A hundred villagers who shout to each other in every tick.
const GOSSIP: &str = "leaves { event gossip; action work { param secs type=float default=20.0; }; }
tree villager {
    repeat forever { sequence { emit gossip to=world; force-success { received gossip; }; action work secs=0.01; }; }
}
";

const LOST: &str = "the event `gossip` is lost: the mailbox of the agent is full, it keeps 16 events; to keep more, write `mailbox=32` at the tree that the agent runs, or raise the limit `mailbox` of the host (`--mailbox`)";

fn play(folder: &Path, line: &str) -> crate::Ran {
    treemind_in(folder, line, b"")
}

#[test]
fn a_full_mailbox_is_said_for_each_of_a_hundred() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("gossip.kdl"), GOSSIP).unwrap();
    let map = examples().join("12-village/village.map");
    fs::copy(map, folder.join("village.map")).unwrap();
    let run = "run gossip.kdl --map village.map --agents 100 --no-ui --quiet --ticks 9";
    let ran = play(folder, &format!("{run} --record gossip.mcap"));
    assert_eq!(ran.code, 0, "{}", ran.err);

    let lines = play(folder, "export gossip.mcap --json");
    let mut told = vec![0; 100];
    for line in lines.out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let agent = line["agent"].as_u64().unwrap() as usize;
        let faults = line["faults"].as_array();
        for fault in faults.into_iter().flatten() {
            assert!(fault.as_str().unwrap().ends_with(LOST), "{fault}");
            told[agent] += 1;
        }
    }
    assert!(told.iter().all(|times| *times == told[0]), "{told:?}");
    assert!(told[0] >= 2, "{told:?}");
    let total = told[0] * 100;
    assert!(
        ran.err.contains(&format!(", {total} faults; ")),
        "{}",
        ran.err
    );

    // Also of those whose faults are not among the first.
    let why = play(folder, "explain gossip.mcap --tick 7 --agent 98");
    let part = format!("What went wrong\n  `repeat`: {LOST}\n");
    assert!(why.out.contains(&part), "{}{}", why.out, why.err);

    let table = play(folder, &format!("{run} --faults"));
    assert_eq!(table.code, 0, "{}", table.err);
    assert!(
        ran.err.contains(&format!("fault: {total} times, ")),
        "{}",
        ran.err
    );
    for part in [
        &*total.to_string(),
        "`gossip` is lost",
        "keeps 16 events",
        "write `mailbox=32`",
        "`--mailbox`",
    ] {
        assert!(table.out.contains(part), "{}", table.out);
    }
    let again = play(folder, "replay gossip.mcap --no-ui --faults");
    assert_eq!(again.out, table.out);

    for enough in ["--mailbox 128", "--mailbox 256"] {
        let ran = play(folder, &format!("{run} {enough} --faults"));
        assert!(ran.err.contains(", no faults; "), "{enough}: {}", ran.err);
    }
    let wide = GOSSIP.replace("tree villager {", "tree villager mailbox=128 {");
    fs::write(folder.join("gossip.kdl"), wide).unwrap();
    assert!(play(folder, run).err.contains(", no faults; "));
    let ran = play(folder, &format!("{run} --mailbox 0"));
    assert_eq!(ran.code, 2, "{}", ran.err);
}

/// Loops that never rest are bound by the host, whatever the document asks for.
#[test]
fn the_runs_of_a_tick_have_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "leaves { action patrol; }
tree t { sequence { repeat 4000000000 yields=never max-runs=4294967295 { set \"n += 1\"; }; action patrol; }; }
blackboard { key n type=int; }
";
    fs::write(folder.join("greedy.kdl"), text).unwrap();
    fs::write(folder.join("script"), "patrol: R\n").unwrap();
    let run = "run greedy.kdl --script script --no-ui --ticks 2";
    let ran = play(folder, run);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let limit = |runs: &str| format!("reached the limit of {runs} runs in one tick");
    assert!(
        ran.err.contains(&limit("100 000")) || ran.err.contains(&limit("100000")),
        "{}",
        ran.err
    );
    let ran = play(folder, &format!("{run} --runs-per-tick 7 --faults"));
    assert!(ran.out.contains(&limit("7")), "{}", ran.out);
    assert!(ran.out.contains("--runs-per-tick"), "{}", ran.out);
}
