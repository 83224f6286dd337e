//! Documents with planners whose plans are known.

use std::path::Path;

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/planners");
    treemind_test::check(folder.join(name));
}

#[test]
fn a_soldier_plans() {
    check("soldier.kdl");
    check("no-plan.kdl");
}

#[test]
fn small_domains_have_their_best_plans() {
    check("small.kdl");
}

#[test]
fn classic_domains_have_their_best_plans() {
    check("classic.kdl");
}

#[test]
fn tasks_are_decomposed() {
    check("tasks.kdl");
}
