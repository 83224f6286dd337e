//! Inputs that nobody writes by hand: they are refused quickly, with a sentence.

use crate::{Ran, data, treemind_in};

/// Runs every subcommand that reads a document on this one.
#[track_caller]
fn is_refused(document: &[u8]) {
    for arguments in ["check -", "check --json -", "print -", "trace - --ticks 1"] {
        let Ran { code, out, err } = treemind_in(&data(), arguments, document);
        assert_eq!(code, 1, "treemind {arguments}: {err}");
        assert!(
            !err.contains("panicked") && !err.is_empty(),
            "treemind {arguments}: {err}"
        );
        assert!(
            err.len() < 200_000,
            "treemind {arguments}: {} bytes of problems",
            err.len()
        );
        if arguments.contains("json") {
            let problems: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
            assert!(
                !problems[0]["message"]
                    .as_str()
                    .expect("a message")
                    .is_empty()
            );
        } else {
            assert!(err.contains("error"), "treemind {arguments}: {err}");
        }
    }
}

/// Random bytes, always the same.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn nothing_at_all() {
    is_refused(b"");
    is_refused(b" \n\t\n");
}

#[test]
fn binary_noise() {
    is_refused(&noise(64));
    is_refused(&noise(100_000));
    let printable: Vec<u8> = noise(100_000).iter().map(|byte| 32 + byte % 95).collect();
    is_refused(&printable);
}

#[test]
fn nodes_nested_without_end() {
    let depth = 100_000;
    is_refused(
        format!(
            "tree deep {{ {} run {} }}",
            "invert { ".repeat(depth),
            "} ".repeat(depth)
        )
        .as_bytes(),
    );
    is_refused("tree { ".repeat(depth).as_bytes());
    is_refused("} ".repeat(depth).as_bytes());
    let expression = format!(
        "tree deep {{ check \"{}true{}\"; }}",
        "(".repeat(depth),
        ")".repeat(depth)
    );
    is_refused(expression.as_bytes());
}

#[test]
fn text_in_another_encoding() {
    let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}tree guard { run; }"
            .encode_utf16()
            .flat_map(order)
            .collect()
    };
    is_refused(&utf16(u16::to_le_bytes));
    is_refused(&utf16(u16::to_be_bytes));
}

#[test]
fn more_problems_than_anybody_reads() {
    is_refused("nonsense 1 2 3\n".repeat(100_000).as_bytes());
}

#[test]
fn one_line_without_end() {
    is_refused("a".repeat(1_000_000).as_bytes());
    is_refused(format!("tree \"{}", "a".repeat(1_000_000)).as_bytes());
}
