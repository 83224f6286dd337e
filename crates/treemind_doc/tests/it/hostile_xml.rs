//! Hostile XML.

use super::hostile::{MANY, refused};
use treemind_doc::Document;

/// A document of BehaviorTree.CPP with that in its only tree.
fn bt(inside: &str) -> String {
    format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">{inside}</BehaviorTree></root>")
}

#[test]
fn xml_that_is_nested_deeply() {
    let nested = |depth: usize| {
        let (open, close) = ("<Inverter>".repeat(depth), "</Inverter>".repeat(depth));
        bt(&format!("{open}<Act/>{close}"))
    };
    let deepest = Document::parse(&nested(255), "deep.xml");
    let tree = deepest.behaviour(None).expect("256 nodes");
    assert_eq!(tree.nodes().len(), 256);
    let too_deep = Document::parse(&nested(256), "deep.xml");
    let codes: Vec<&str> = too_deep
        .diagnostics()
        .iter()
        .map(|item| item.code().as_str())
        .collect();
    assert_eq!(codes, ["T0004"]);
    refused("deep.xml", nested(MANY).as_bytes());
    for open in ["<a>", "<Sequence>", "<SubTree ID='Main'>", "<Unknown x=''>"] {
        refused("open.xml", open.repeat(MANY).as_bytes());
        refused("inside.xml", bt(&open.repeat(MANY)).as_bytes());
    }
}

#[test]
fn xml_floods() {
    for flood in [
        "<",
        ">",
        "</",
        "/>",
        "<!",
        "<!--",
        "<![CDATA[",
        "<?",
        "<?xml ",
        "&",
        "&lt;",
        "&#",
        "\"",
        "=",
        "<a",
        "<a ",
        "<a b",
        "<a b='",
        "</a>",
        "<a/>",
        "x",
        "\u{2003}é",
        "<!---->",
        "<!DOCTYPE ",
    ] {
        refused("flood.xml", flood.repeat(MANY).as_bytes());
        refused("inside.xml", bt(&flood.repeat(MANY)).as_bytes());
        refused(
            "open.xml",
            bt("").replace("Main", &flood.repeat(MANY)).as_bytes(),
        );
    }
    refused("blank.xml", " ".repeat(MANY).as_bytes());
    refused("binary.xml", b"<root\x00\xff\xfe");
    refused("binary", b"<root\x00/>");
    let attributes: String = (0..MANY).map(|index| format!("a{index}='' ")).collect();
    refused("wide.xml", bt(&format!("<Act {attributes}/>")).as_bytes());
    for name in ["x", "é"] {
        let name = name.repeat(MANY);
        refused(
            "names.xml",
            bt(&format!("<{name}><Act/></{name}>")).as_bytes(),
        );
        refused(
            "names.xml",
            bt(&format!("<Sequence {name}='{name}'/>")).as_bytes(),
        );
        refused(
            "names.xml",
            bt(&format!("<SubTree ID='{name}'/>")).as_bytes(),
        );
        refused(
            "names.xml",
            bt(&format!("<Repeat num_cycles='{name}'><Act/></Repeat>")).as_bytes(),
        );
    }
}

#[test]
fn many_leaves_of_xml() {
    let leaves: String = (0..50_000).map(|index| format!("<Leaf{index}/>")).collect();
    let document = Document::parse(&bt(&format!("<Sequence>{leaves}</Sequence>")), "many.xml");
    assert_eq!(
        document.behaviour(None).expect("well").leaves().len(),
        50_000
    );
}

#[test]
fn subtrees_that_multiply() {
    let tree = |index: usize, inside: &str| {
        format!("<BehaviorTree ID=\"T{index}\">{inside}</BehaviorTree>")
    };
    let root = |trees: String| {
        format!("<root BTCPP_format=\"4\" main_tree_to_execute=\"T0\">{trees}</root>")
    };
    let twice: String = (0..60)
        .map(|index| {
            let next = format!("<SubTree ID=\"T{}\"/>", index + 1);
            tree(index, &format!("<Sequence>{next}{next}</Sequence>"))
        })
        .collect();
    refused("twice.xml", root(twice + &tree(60, "<Act/>")).as_bytes());
    let chain = |length: usize| {
        let trees: String = (0..length)
            .map(|index| tree(index, &format!("<SubTree ID=\"T{}\"/>", index + 1)))
            .collect();
        root(trees + &tree(length, "<Act/>"))
    };
    refused("chain.xml", chain(20_000).as_bytes());
    refused("chain.xml", chain(256).as_bytes());
    let well = Document::parse(&chain(255), "chain.xml");
    assert_eq!(well.behaviour(None).expect("256 levels").nodes().len(), 1);
    let ring: String = (0..20_000)
        .map(|index| {
            tree(
                index,
                &format!("<SubTree ID=\"T{}\"/>", (index + 1) % 20_000),
            )
        })
        .collect();
    refused("ring.xml", root(ring).as_bytes());
}
