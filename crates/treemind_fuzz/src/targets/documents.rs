//! Documents in every format.

use super::executor;
use treemind_core::Behaviour;
use treemind_doc::{Diagnostic, Document, Format, MAX_DIAGNOSTICS, convert, format};

/// How many behaviours of a document are played.
const PLAYED: usize = 4;

pub(super) fn kdl(bytes: &[u8]) {
    let document = Document::read_as(bytes, "fuzz.kdl", Format::Kdl);
    sound(&document, bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(formatted) = format(text, "fuzz.kdl") else {
        return;
    };
    let again = format(&formatted, "fuzz.kdl").expect("a formatted text is KDL");
    assert_eq!(
        again, formatted,
        "formatting a formatted text changes nothing"
    );
    let other = Document::parse(&formatted, "fuzz.kdl");
    assert_eq!(
        document.has_errors(),
        other.has_errors(),
        "formatting keeps the meaning:\n{formatted}"
    );
    if document.has_errors() {
        return;
    }
    same(&document, &other, &formatted);
    let json = convert(text, "fuzz.kdl", Format::Kdl, Format::Json)
        .expect("every document can be written as JSON");
    let other = Document::parse_as(&json.text, "fuzz.json", Format::Json);
    same(&document, &other, &json.text);
}

pub(super) fn json(bytes: &[u8]) {
    in_kdl(bytes, Format::Json);
}

pub(super) fn btcpp(bytes: &[u8]) {
    in_kdl(bytes, Format::BtCpp);
}

pub(super) fn scxml(bytes: &[u8]) {
    in_kdl(bytes, Format::Scxml);
}

pub(super) fn table(bytes: &[u8]) {
    let none = |_: &str| Err::<Vec<u8>, _>("there are no other files");
    let document = Document::read_table(bytes, "fuzz.csv", None, none);
    sound(&document, bytes);
}

pub(super) fn manifest(bytes: &[u8]) {
    let table = include_bytes!("../../../../examples/02-pet/pet.csv");
    for name in ["fuzz.kdl", "fuzz.json", "fuzz.xml"] {
        // Every file has this text, but no system has names that are so long.
        let load = |path: &str| match path.len() < 256 {
            true => Ok(bytes.to_vec()),
            false => Err("the name is too long"),
        };
        let document = Document::read_table(table, "pet.csv", Some(name), load);
        diagnostics(document.diagnostics());
        let text = format!("import {name:?}\ntree t {{ succeed }}\n");
        let document = Document::read_with(text.as_bytes(), "importing.kdl", load);
        diagnostics(document.diagnostics());
    }
}

/// Reads a document that is not written in KDL; without errors it means the same in KDL, if it can be written in it.
fn in_kdl(bytes: &[u8], format: Format) {
    let document = Document::read_as(bytes, "fuzz", format);
    sound(&document, bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if document.has_errors() {
        return;
    }
    let Ok(kdl) = convert(text, "fuzz", format, Format::Kdl) else {
        return;
    };
    let other = Document::parse(&kdl.text, "fuzz.kdl");
    // Trees of BehaviorTree.CPP and machines in SCXML become what comes nearest.
    if matches!(format, Format::BtCpp | Format::Scxml) {
        assert!(!other.has_errors(), "{}", kdl.text);
    } else {
        same(&document, &other, &kdl.text);
    }
}

/// Diagnostics point into their texts, and what has no errors can be played, printed and drawn.
fn sound(document: &Document, bytes: &[u8]) {
    diagnostics(document.diagnostics());
    if document.has_errors() {
        return;
    }
    let seed = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |seed, byte| {
        (seed ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    });
    for behaviour in behaviours(document).into_iter().take(PLAYED) {
        let _ = treemind_doc::outline(&behaviour);
        let _ = treemind_doc::dot(&behaviour);
        let _ = treemind_doc::mermaid(&behaviour);
        executor::play(&behaviour, seed);
    }
}

fn diagnostics(found: &[Diagnostic]) {
    assert!(found.len() <= 2 * MAX_DIAGNOSTICS + 1, "{}", found.len());
    for item in found {
        let text = item.source().text();
        assert!(text.get(item.span()).is_some(), "{item:?}");
        assert!(
            item.to_plain().len() < 4_000,
            "a message is short: {item:?}"
        );
    }
}

fn behaviours(document: &Document) -> Vec<Behaviour> {
    let trees = document.trees().iter();
    let trees = trees.map(|tree| document.behaviour(Some(tree.name())));
    let machines = document.machines().iter();
    let machines = machines.map(|one| document.machine(one.name()));
    let decisions = document.decisions().iter();
    let decisions = decisions.map(|one| document.decision(one.name()));
    trees.chain(machines).chain(decisions).flatten().collect()
}

/// Two documents of the same meaning.
fn same(left: &Document, right: &Document, text: &str) {
    let errors: Vec<String> = right
        .diagnostics()
        .iter()
        .map(Diagnostic::to_plain)
        .collect();
    assert!(!right.has_errors(), "{errors:#?}\n{text}");
    let (left, right) = (behaviours(left), behaviours(right));
    assert_eq!(left.len(), right.len(), "{text}");
    for (left, right) in left.iter().zip(&right) {
        assert_eq!(
            treemind_doc::outline(left),
            treemind_doc::outline(right),
            "{text}"
        );
    }
}
