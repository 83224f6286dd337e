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
