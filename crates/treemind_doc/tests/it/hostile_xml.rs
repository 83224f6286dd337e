//! Hostile XML.

use super::hostile::{MANY, refused};
use treemind_doc::Document;

/// A document of BehaviorTree.CPP with this text in its only tree.
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
            bt(&format!("<Condition ID='{name}'><Act/></Condition>")).as_bytes(),
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
    refused("chain.xml", chain(super::flood(20_000)).as_bytes());
    refused("chain.xml", chain(256).as_bytes());
    let well = Document::parse(&chain(255), "chain.xml");
    assert_eq!(well.behaviour(None).expect("256 levels").nodes().len(), 1);
    let many = super::flood(20_000);
    let ring: String = (0..many)
        .map(|index| tree(index, &format!("<SubTree ID=\"T{}\"/>", (index + 1) % many)))
        .collect();
    refused("ring.xml", root(ring).as_bytes());
}

/// A machine with this text in it.
fn machine(inside: &str) -> String {
    format!("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\">{inside}<state id=\"last\"/></scxml>")
}

#[test]
fn machines_that_are_nested_deeply() {
    let nested = |open: &str, close: &str, depth: usize| {
        machine(&(open.repeat(depth) + &close.repeat(depth)))
    };
    let well = Document::parse(&nested("<state>", "</state>", 90), "deep.scxml");
    assert!(well.behaviour(None).is_ok(), "{:?}", well.diagnostics());
    for (open, close) in [
        ("<state>", "</state>"),
        ("<parallel>", "</parallel>"),
        ("<state><onentry>", "</onentry></state>"),
        ("<if cond='true'>", "</if>"),
    ] {
        for depth in [101, MANY] {
            refused("deep.scxml", nested(open, close, depth).as_bytes());
        }
        refused("open.scxml", open.repeat(MANY).as_bytes());
    }
    let ifs = "<if cond='true'>".repeat(41) + &"</if>".repeat(41);
    let ifs = machine(&format!("<state><onentry>{ifs}</onentry></state>"));
    refused("ifs.scxml", ifs.as_bytes());
}

#[test]
fn machines_with_too_much_of_something() {
    let numbered = |one: &dyn Fn(usize) -> String| (0..MANY).map(one).collect::<String>();
    let states = numbered(&|index| format!("<state id='s{index}'/>"));
    refused("states.scxml", machine(&states).as_bytes());
    let unnamed = "<state/>".repeat(MANY);
    refused("unnamed.scxml", machine(&unnamed).as_bytes());
    let inside = |inside: &str| machine(&format!("<state>{inside}</state>"));
    for one in [
        "<transition event='*' target='last'/>",
        "<transition cond='1 &lt; 2' target='last'/>",
        "<history id='h'/>",
        "<onentry><raise event='e'/></onentry>",
        "<onentry/><onexit/><datamodel/><invoke/>",
    ] {
        let text = inside(&one.repeat(MANY));
        refused("many.scxml", text.as_bytes());
    }
    let events = numbered(&|index| format!("<raise event='e{index}'/>"));
    let events = inside(&format!("<onentry>{events}</onentry>"));
    refused("events.scxml", events.as_bytes());
    let data = numbered(&|index| format!("<data id='v{index}' expr='v{}'/>", index + 1));
    let data = machine(&format!("<datamodel>{data}</datamodel>"));
    refused("data.scxml", data.as_bytes());
    let targets = "last ".repeat(MANY);
    let targets = inside(&format!("<transition event='e' target='{targets}'/>"));
    refused("targets.scxml", targets.as_bytes());
    let words = numbered(&|index| format!("w{index}.x "));
    let words = inside(&format!("<transition event='{words}' target='last'/>"));
    refused("words.scxml", words.as_bytes());
    let name = "a.".repeat(MANY);
    let name = inside(&format!("<transition event='{name}' target='last'/>"));
    refused("name.scxml", name.as_bytes());
}

#[test]
fn scripts_of_machines_that_never_end() {
    for script in [
        "(".repeat(MANY),
        "!".repeat(MANY),
        "-".repeat(MANY) + "1",
        "1 + ".repeat(MANY) + "1",
        "1 ? ".repeat(MANY) + "1",
        "1 ? 1 : ".repeat(MANY) + "1",
        "Math.abs(".repeat(MANY),
        "typeof ".repeat(MANY),
        "_event.data".to_owned() + &".a".repeat(MANY),
        "1".repeat(MANY),
        "a".repeat(MANY),
        "'".repeat(MANY),
        "\u{2003}é".repeat(MANY),
        "In('".repeat(MANY),
        "&amp;".repeat(MANY),
        "&lt;".repeat(MANY),
    ] {
        let text = format!("<state><transition cond=\"{script}\" target=\"last\"/></state>");
        refused("script.scxml", machine(&text).as_bytes());
    }
}

#[test]
fn a_comment_with_two_dashes_says_what_is_wrong() {
    // BehaviorTree.CPP reads it.
    for (comment, column) in [
        ("<!------->", 52),
        ("<!-- a -- b -->", 55),
        ("<!-- a --->", 55),
    ] {
        let document = Document::parse(&bt(&format!("{comment}<AlwaysSuccess/>")), "dashes.xml");
        let item = &document.diagnostics()[0];
        assert!(!document.has_errors(), "{comment}");
        assert_eq!(item.code().as_str(), "T0008");
        assert!(item.message().starts_with("`--` inside a comment is read"));
        assert_eq!(item.line_column(), (1, column), "{comment}");
    }
    let document = Document::parse(
        &machine("<!-- a -- b --><final id=\"last\"/>"),
        "dashes.scxml",
    );
    let item = &document.diagnostics()[0];
    assert_eq!(item.code().as_str(), "T0008");
    assert_eq!(item.message(), "`--` may not stand inside a comment of XML");
}

#[test]
fn keys_that_say_which_key_is_unset() {
    let keys: String = (0..200).map(|nth| format!("k{nth} := 1;")).collect();
    let unset = "<UnsetBlackboard key=\"{k}\"/>".repeat(200);
    let text = bt(&format!(
        "<Sequence><Script code=\"{keys}\"/>{unset}</Sequence>"
    ));
    let document = Document::parse(&text, "many.xml");
    let first = document.diagnostics().first().expect("it is refused");
    assert_eq!(first.message(), "too many keys could be unset here");
}
