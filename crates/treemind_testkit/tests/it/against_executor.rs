//! The executor against the reference.
use treemind_testkit::compare::*;

#[test]
fn small() {
    let cases: u64 = std::env::var("TREEMIND_CASES").map_or(300, |v| v.parse().unwrap());
    let from: u64 = std::env::var("TREEMIND_FROM").map_or(0, |v| v.parse().unwrap());
    let t = std::time::Instant::now();
    let mut bad = 0;
    let mut shown = 0;
    std::panic::set_hook(Box::new(|_| {}));
    for seed in from..from+cases {
        let case = case_of_seed(seed, 1 + seed as usize % 5, 40);
        if std::env::var("KNOWN").is_err() && watch_only(&case.parts.root) { continue; }
        if let Err(m) = try_compare(&case) {
            bad += 1;
            if shown < 12 { shown += 1;
            let small = shrink(&case, &m);
            let m = try_compare(&small).unwrap_err();
            eprintln!("== seed {seed}\n{}", report(&small, &m)); }
        }
    }
    eprintln!("{bad} of {cases} cases in {:?}", t.elapsed());
}

use treemind_core::{Node, Kind};
fn quiet(n: &Node) -> bool { !matches!(n.kind, Kind::Action{..}|Kind::Set{..}|Kind::Wait{..}|Kind::Repeat{..}|Kind::Retry{..}) && n.children.iter().all(quiet) }
fn watch_only(n: &Node) -> bool { n.kind == Kind::Monitor && n.children.iter().all(quiet) || n.children.iter().any(watch_only) }
