//! Documents through the public interface: good ones, bad ones, hostile ones.

mod archetypes;
mod bad;
mod behaviours;
mod btcpp;
mod btcpp_as_there;
mod btcpp_asked;
mod btcpp_assigns;
mod btcpp_back;
mod btcpp_by_key;
mod btcpp_calls;
mod btcpp_converted;
mod btcpp_enums;
mod btcpp_exact;
mod btcpp_files;
mod btcpp_framed;
mod btcpp_loads;
mod btcpp_numbers;
mod btcpp_packs;
mod btcpp_py_trees;
mod btcpp_real;
mod btcpp_robots;
mod btcpp_scripts;
mod btcpp_spelling;
mod btcpp_whole;
mod btcpp_written;
mod code_decisions;
mod code_machines;
mod code_trees;
mod codes;
mod decisions;
mod edits;
mod expressions;
mod files;
mod format;
mod half_typed;
mod hostile;
mod hostile_machines;
mod hostile_xml;
mod imports;
mod json;
mod kdl;
mod keys;
mod lines;
mod machine_golden;
mod machines;
mod manifests;
mod memory;
mod networks;
mod options;
mod outlines;
mod planners;
mod schema;
mod scripts;
mod scxml_written;
mod shared;
mod tables;
mod together;
mod values;

use std::path::PathBuf;

/// The folder with the documents of these tests.
fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// How many of `all` random cases are tried: a sixteenth, or all of them with `cargo xtask ci --thorough`.
fn cases(all: usize) -> usize {
    if is_thorough() { all } else { all / 16 }
}

/// Whether one case of a series is tried.
fn is_tried(case: usize) -> bool {
    is_thorough() || case.is_multiple_of(16)
}

/// The length of a flood: a quarter of `all`, or all of it with `cargo xtask ci --thorough`.
fn flood(all: usize) -> usize {
    if is_thorough() { all } else { all / 4 }
}

fn is_thorough() -> bool {
    std::env::var_os("TREEMIND_THOROUGH").is_some()
}

/// A good document.
fn good(name: &str) -> String {
    let path = fixtures().join("good").join(name);
    std::fs::read_to_string(path).expect("a fixture")
}
