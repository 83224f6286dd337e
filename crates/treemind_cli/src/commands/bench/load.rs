//! What it costs to read, check and lower a document.

use super::Args;
use super::report::{median, thread_time};
use crate::io::{Failure, print_exact, tell};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;
use treemind::{Document, Program};

/// The nodes of a group, and how many groups a tree has.
const PER_GROUP: u32 = 10;
const GROUPS: u32 = 50;

/// What is read again and again, until so much time has gone by and so many figures are there.
const ENOUGH: Duration = Duration::from_millis(500);
const FIGURES: usize = 5;

/// Nanoseconds per node.
struct Measured {
    nodes: u32,
    bytes: usize,
    /// From the text to a document with its diagnostics.
    read: f64,
    /// From the document to the programs of all its trees.
    lower: f64,
    /// What the reference implementation of KDL takes to parse the text, and nothing else.
    parse: Option<f64>,
}

/// Measures and prints.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let measured = measure(args.nodes.unwrap_or(5_000));
    if !args.json {
        tell(for_people(&measured));
    }
    print_exact(|out| writeln!(out, "{}", to_json(&measured)))
}

fn measure(nodes: u32) -> Measured {
    let (text, nodes) = document(nodes);
    let per_node = |seconds: f64| seconds * 1e9 / f64::from(nodes);
    let read = repeated(|| Document::parse(&text, "load.kdl"));
    let document = Document::parse(&text, "load.kdl");
    assert!(document.diagnostics().is_empty(), "it is sound");
    let lower = repeated(|| {
        let trees = document.trees().iter();
        let behaviours = trees.map(|tree| document.behaviour(Some(tree.name())));
        behaviours.flatten().map(Program::new).collect::<Vec<_>>()
    });
    Measured {
        nodes,
        bytes: text.len(),
        read: per_node(read),
        lower: per_node(lower),
        parse: parse(&text).map(per_node),
    }
}

#[cfg(feature = "peers")]
fn parse(text: &str) -> Option<f64> {
    Some(repeated(|| kdl::KdlDocument::parse_v2(text)))
}

#[cfg(not(feature = "peers"))]
fn parse(_: &str) -> Option<f64> {
    None
}

/// The seconds that something takes: the median of several times.
fn repeated<T>(work: impl Fn() -> T) -> f64 {
    let begin = thread_time();
    let mut figures = Vec::new();
    while figures.len() < FIGURES || thread_time() - begin < ENOUGH {
        let before = thread_time();
        let done = std::hint::black_box(work());
        figures.push((thread_time() - before).as_secs_f64());
        drop(done);
    }
    median(&figures)
}

/// A document with about that many nodes in trees such as people write, and how many there are.
pub(super) fn document(nodes: u32) -> (String, u32) {
    let mut text = String::from(DECLARED);
    let mut left = (nodes / PER_GROUP).max(1);
    let mut made = 0;
    let mut tree = 0;
    while left > 0 {
        let groups = left.min(GROUPS);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "tree guard-{tree} doc=\"guards its post\" {{\n    reactive-selector {{"
        );
        for group in 0..groups {
            let _ = writeln!(
                text,
                "        reactive-sequence name=post-{group} {{{GROUP}"
            );
        }
        text.push_str("        action patrol\n    }\n}\n");
        made += groups * PER_GROUP + 2;
        left -= groups;
        tree += 1;
    }
    (text, made)
}

const DECLARED: &str = "\
blackboard {
    key health type=float default=100.0 doc=\"hit points, 0 to 100\"
    key ammo type=int default=6
    key mood type=enum default=calm { value calm angry; }
}
leaves {
    condition see-enemy { param within type=float default=10.0; }
    condition enemy-dead
    action patrol
    action run-away
    action attack doc=\"hits the nearest enemy\" { param range type=float default=2.0 doc=\"metres\"; }
}
";

/// Nine nodes below the one that is named.
const GROUP: &str = "
            condition see-enemy within=12.5
            selector {
                sequence doc=\"too weak to go on\" {
                    check \"health < 20 && ammo > 0 && mood == calm\"
                    action run-away
                }
                monitor {
                    condition enemy-dead not=#true
                    action attack range=2.5 on-success=\"ammo -= 1; mood = angry\"
                }
            }
        }";

/// How much of the reference's time ours is, all of it.
fn ratio(measured: &Measured) -> Option<f64> {
    let parse = measured.parse?;
    Some((measured.read + measured.lower) / parse)
}

fn to_json(measured: &Measured) -> serde_json::Value {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let mut object = json!({
        "case": "load",
        "nodes": measured.nodes,
        "bytes": measured.bytes,
        "clock": "thread-cpu",
        "ns_per_node_read": round(measured.read),
        "ns_per_node_lowered": round(measured.lower),
    });
    if let (Some(parse), Some(ratio)) = (measured.parse, ratio(measured)) {
        object["ns_per_node_kdl_crate"] = json!(round(parse));
        object["ratio"] = json!((ratio * 1000.0).round() / 1000.0);
    }
    object
}

fn for_people(measured: &Measured) -> String {
    let mut text = format!(
        "load: {} nodes, {} bytes\n\
         {:>10.0} ns per node from the text to the checked document\n\
         {:>10.0} ns per node from there to programs",
        measured.nodes, measured.bytes, measured.read, measured.lower,
    );
    if let (Some(parse), Some(ratio)) = (measured.parse, ratio(measured)) {
        let _ = write!(
            text,
            "\n{parse:>10.0} ns per node for the crate `kdl` to parse it, and nothing else: both of ours are {:.0} % of that",
            ratio * 100.0
        );
    }
    text
}
