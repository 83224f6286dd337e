//! What nodes share by name: labels, semaphores, trees that a key chooses, and the host's own leaves with children.

use super::behaviours::tree;
use treemind_core::behaviour::{Arg, Kind, Scope};
use treemind_core::expr::Compare;
use treemind_core::{Behaviour, Expr, Status, Value};
use treemind_doc::{Code, Document};

fn document(text: &str) -> Document {
    Document::parse(text, "test.kdl")
}

fn codes(text: &str) -> Vec<Code> {
    let document = document(text);
    document
        .diagnostics()
        .iter()
        .map(|item| item.code())
        .collect()
}

/// The kinds of nodes, in document order.
fn words(tree: &Behaviour) -> Vec<&str> {
    tree.nodes()
        .iter()
        .map(|node| node.kind.keyword())
        .collect()
}

#[test]
fn labels_are_those_of_the_tree_and_what_it_holds() {
    let shared = document(&super::good("shared.kdl"));
    assert_eq!(shared.diagnostics(), []);
    let worker = shared.behaviour(None).expect("no errors");
    assert_eq!(worker.labels(), ["shift"]);
    let results: Vec<Status> = worker
        .nodes()
        .iter()
        .filter_map(|node| match node.kind {
            Kind::Interrupt { result, .. } => Some(result),
            _ => None,
        })
        .collect();
    assert_eq!(results, [Status::Failure, Status::Success]);
    // By itself, the tree that interrupts reaches nothing, and may run all the same.
    let bell = shared.behaviour(Some("bell")).expect("no errors");
    assert_eq!(bell.labels(), ["shift"]);
    assert_eq!(words(&bell), ["interrupt"]);
    assert_eq!(
        shared.behaviour(Some("rest")).expect("no errors").labels(),
        [""; 0]
    );
}

#[test]
fn labels_that_nothing_has_or_reaches() {
    let halves = "tree a { parallel { subtree b; subtree c; }; }\n tree b { interrupt x; }\n tree c { interruptible x { run; }; }";
    assert_eq!(codes(halves), []);
    // Here no tree contains both halves, so they do not belong together.
    let apart =
        "tree a { subtree b; }\n tree b { interrupt x; }\n tree c { interruptible x { run; }; }";
    assert_eq!(codes(apart), [Code::UnknownLabel, Code::NeverInterrupted]);
    // A disabled node has no label.
    let disabled = "tree a { sequence { interrupt x; interruptible x disabled=#true { run; }; }; }";
    assert_eq!(codes(disabled), [Code::UnknownLabel]);
    // A mistake elsewhere does not hide a label.
    let broken = "tree a { sequence { interruptible x { nonsense; }; interrupt x; }; }";
    assert_eq!(codes(broken), [Code::UnknownNode]);
}

#[test]
fn semaphores_are_those_of_the_tree_and_what_it_holds() {
    let shared = document(&super::good("shared.kdl"));
    let of = |name: &str| {
        let tree = shared.behaviour(Some(name)).expect("no errors");
        let semaphores = tree.semaphores().iter();
        semaphores
            .map(|it| (it.name.clone(), it.places, it.scope))
            .collect::<Vec<_>>()
    };
    let door = ("door".to_owned(), 1, Scope::Agent);
    let finder = ("path-finder".to_owned(), 2, Scope::World);
    assert_eq!(of("bell"), []);
    assert_eq!(of("walk-home"), std::slice::from_ref(&door));
    assert_eq!(of("rest"), std::slice::from_ref(&finder));
    // Semaphores of inner trees come first.
    assert_eq!(of("waiting"), [finder.clone(), door.clone()]);
    assert_eq!(of("worker"), [finder, door]);
    let worker = shared.behaviour(Some("worker")).expect("no errors");
    let names: Vec<&str> = worker
        .nodes()
        .iter()
        .filter_map(|node| match node.kind {
            Kind::Semaphore { semaphore, .. } => {
                Some(worker.semaphores()[semaphore.index()].name.as_str())
            }
            _ => None,
        })
        .collect();
    let (door, finder) = ("door", "path-finder");
    assert_eq!(names, [finder, door, finder, door, finder]);
}

#[test]
fn the_tree_that_a_key_names() {
    let text = "
        blackboard { key next type=enum { value b c_d e; }; }
        tree a { subtree-by \"{next}\" of=\"e c-d\"; }
        tree c-d { key n type=int allow=\"T0611\"; set \"n += 1\"; }
        tree e { fail; }";
    let document = document(text);
    assert_eq!(document.diagnostics(), []);
    let a = document.behaviour(Some("a")).expect("no errors");
    let Kind::SubtreeBy { cases } = &a.node(a.root()).kind else {
        panic!("not a subtree-by");
    };
    // The values come in their own order, whatever the order of `of`.
    let values: Vec<&Expr> = cases
        .iter()
        .map(|case| match case {
            Expr::Compare(Compare::Eq, key, value) if matches!(**key, Expr::Key(..)) => &**value,
            other => panic!("{other:?}"),
        })
        .collect();
    let list = a.keys()[0].default.ty();
    let shown: Vec<String> = values
        .iter()
        .map(|value| match value {
            Expr::Value(value) if value.ty() == list => a.display_value(*value),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(shown, ["c_d", "e"]);
    let children = &a.node(a.root()).children;
    let labels: Vec<&str> = children.iter().map(|id| a.label(*id)).collect();
    assert_eq!(labels, ["c-d", "e"]);
    // Each tree has its own keys.
    assert!(a.key_id("c-d.n").is_some());
}

#[test]
fn trees_that_keys_name_stay_within_bounds() {
    let row = |trees: usize| {
        let mut text = String::from("blackboard { key which type=enum {");
        for tree in 0..trees {
            text.push_str(&format!(" value t{tree};"));
        }
        text.push_str("}; }\nmain tree=top\ntree top { subtree-by \"{which}\"; }\n");
        for tree in 0..trees {
            let deeper: String = (tree + 1..trees).map(|tree| format!(" t{tree}")).collect();
            text.push_str(&if deeper.is_empty() {
                format!("tree t{tree} {{ succeed; }}\n")
            } else {
                format!("tree t{tree} {{ subtree-by \"{{which}}\" of=\"{deeper}\"; }}\n")
            });
        }
        document(&text)
    };
    let few = row(8);
    assert_eq!(few.diagnostics(), []);
    let top = few.behaviour(Some("top")).expect("no errors");
    assert_eq!(top.nodes().len(), 256);
    // Each further tree doubles the number: there is a limit.
    let many = row(40);
    let errors: Vec<Code> = many.diagnostics().iter().map(|item| item.code()).collect();
    assert_eq!(errors, [Code::TooLarge]);
}

#[test]
fn leaves_of_the_host_with_children() {
    let tree = tree(
        "blackboard { key n type=int; }
         leaves {
            service look { param range type=float default=2.0; param interval type=int; }
            composite best min=2 { param by type=int; }
            decorator twice
         }
         tree t {
            service look interval=\"n\" { param interval 3; node best by=\"{n}\" { node twice { succeed; }; fail; }; }
         }",
    );
    assert_eq!(words(&tree), ["service", "node", "node", "succeed", "fail"]);
    let Kind::Service {
        leaf,
        args,
        interval,
        jitter,
    } = &tree.node(tree.root()).kind
    else {
        panic!("not a service");
    };
    assert_eq!(tree.leaf(*leaf).name, "look");
    let given = [Value::Float(2.0), Value::Int(3)].map(Arg::Value);
    assert_eq!(args[..], given);
    assert!(matches!(interval, Expr::Widen(..)));
    assert_eq!(*jitter, None);
    let labels: Vec<&str> = tree.node_ids().map(|id| tree.label(id)).collect();
    assert_eq!(labels, ["look", "best", "twice", "succeed", "fail"]);
    let Kind::Own { args, .. } = &tree.nodes()[1].kind else {
        panic!("not a node of its own");
    };
    assert!(matches!(args[..], [Arg::Expr(Expr::Key(..))]));
}
