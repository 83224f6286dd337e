//! The cost of reading, checking and lowering a document.

use crate::measure::repeated;
use std::fmt::Write as _;
use treemind::Document;
use treemind::population::Program;

/// The number of nodes in a group, and of groups in a tree.
const PER_GROUP: usize = 9;
const GROUPS: usize = 50;

/// Nanoseconds per node.
pub(crate) struct Loaded {
    pub(crate) nodes: usize,
    /// From the text to a document with its diagnostics.
    pub(crate) read: f64,
    /// From the document to the programs of all its trees.
    pub(crate) lower: f64,
    /// The time that the reference implementation of KDL takes just to parse the text.
    pub(crate) parse: f64,
}

/// Measures a document of about `nodes` nodes.
pub(crate) fn measure(nodes: usize) -> Loaded {
    let (text, nodes) = document(nodes);
    let per_node = |seconds: f64| seconds * 1e9 / nodes as f64;
    let read = repeated(|| Document::parse(&text, "load.kdl"));
    let document = Document::parse(&text, "load.kdl");
    assert!(document.diagnostics().is_empty(), "it is sound");
    Loaded {
        nodes,
        read: per_node(read),
        lower: per_node(repeated(|| programs(&document))),
        parse: per_node(repeated(|| kdl::KdlDocument::parse_v2(&text))),
    }
}

fn programs(document: &Document) -> Vec<Program> {
    let trees = document.trees().iter();
    let behaviours = trees.map(|tree| document.behaviour(Some(tree.name())));
    behaviours.flatten().map(Program::new).collect()
}

/// Reads a text and lowers its trees, once; returns how many programs there are.
pub(crate) fn once(text: &str) -> usize {
    programs(&Document::parse(text, "load.kdl")).len()
}

/// A document with about `nodes` nodes in trees as people write them, and its exact number of nodes.
pub(crate) fn document(nodes: usize) -> (String, usize) {
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

/// Eight nodes below the one that is named.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_as_many_nodes_as_is_said() {
        for (wanted, nodes, programs) in [(1, 11, 1), (200, 200, 1), (1_000, 1_005, 3)] {
            let (text, found) = document(wanted);
            assert_eq!(found, nodes);
            let document = Document::parse(&text, "load.kdl");
            assert!(document.diagnostics().is_empty());
            assert_eq!(once(&text), programs);
            let trees = document.trees().iter();
            let behaviours = trees.flat_map(|tree| document.behaviour(Some(tree.name())));
            let counted: usize = behaviours.map(|behaviour| behaviour.nodes().len()).sum();
            assert_eq!(counted, nodes);
        }
    }
}
