//! JSON says the same as KDL, and the other way round. Mistakes in it are reported at their place.

use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::{Code, Document, Format, convert, format};

fn to_json(text: &str) -> String {
    let converted = convert(text, "test.kdl", Format::Kdl, Format::Json);
    converted
        .unwrap_or_else(|refusal| panic!("{refusal}\n{text}"))
        .text
}

fn to_kdl(text: &str) -> String {
    let converted = convert(text, "test.json", Format::Json, Format::Kdl);
    converted
        .unwrap_or_else(|refusal| panic!("{refusal}\n{text}"))
        .text
}

/// The codes in an order that does not depend on their places.
fn codes(document: &Document) -> Vec<Code> {
    let mut codes: Vec<Code> = document
        .diagnostics()
        .iter()
        .map(|item| item.code())
        .collect();
    codes.sort_by_key(|code| code.as_str());
    codes
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "kdl") {
            found.push(path);
        }
    }
}

/// All documents of these tests and all examples.
fn all_documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    documents(&super::fixtures(), &mut found);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    documents(&root.join("examples"), &mut found);
    documents(&root.join("conformance"), &mut found);
    assert!(found.len() > 60, "only {} documents", found.len());
    found
}

fn read(text: &str, path: &Path, format: Format) -> Document {
    // Its imports are in the same folder.
    let load = |file: &str| fs::read(path.with_file_name(file));
    let ending = if format == Format::Kdl { "kdl" } else { "json" };
    Document::read_with(text.as_bytes(), &format!("test.{ending}"), load)
}

#[test]
fn every_document_means_the_same_in_json() {
    let mut compared = 0;
    let mut unread = 0;
    for path in all_documents() {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        // Text that is not KDL cannot be converted, and neither can numbers that are not finite.
        let Ok(json) = convert(&text, "test.kdl", Format::Kdl, Format::Json) else {
            unread += 1;
            continue;
        };
        let (kdl, json) = (
            read(&text, &path, Format::Kdl),
            read(&json.text, &path, Format::Json),
        );
        let name = path.display();
        assert_eq!(
            codes(&kdl),
            codes(&json),
            "{name}: {:#?}",
            json.diagnostics()
        );
        for tree in kdl.trees() {
            let name = Some(tree.name());
            assert_eq!(kdl.behaviour(name).ok(), json.behaviour(name).ok());
        }
        for machine in kdl.machines() {
            assert_eq!(
                kdl.machine(machine.name()).ok(),
                json.machine(machine.name()).ok()
            );
        }
        for decision in kdl.decisions() {
            let name = decision.name();
            assert_eq!(kdl.decision(name).ok(), json.decision(name).ok());
        }
        compared += 1;
    }
    assert!(
        compared > 60 && unread < 30,
        "{compared} compared, {unread} not"
    );
}

#[test]
fn there_and_back_is_the_same() {
    for path in all_documents() {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let Ok(json) = convert(&text, "test.kdl", Format::Kdl, Format::Json) else {
            continue;
        };
        let name = path.display();
        let kdl = to_kdl(&json.text);
        assert_eq!(to_json(&kdl), json.text, "{name}");
        assert_eq!(
            format(&kdl, "test.kdl").as_deref(),
            Ok(kdl.as_str()),
            "{name}"
        );
        let canonical = convert(&text, "test.kdl", Format::Kdl, Format::Kdl);
        assert_eq!(canonical.map(|one| one.text).as_ref(), Ok(&kdl), "{name}");
    }
}

/// The words of a text without comments, blanks, line ends, `;`, and the quotes that words may have.
fn words(text: &str) -> String {
    let lines = text.lines().map(|line| match line.find("//") {
        Some(0) => "",
        Some(at) if line[..at].ends_with(' ') => &line[..at],
        _ => line,
    });
    lines
        .flat_map(str::chars)
        .filter(|c| !c.is_whitespace() && !matches!(c, ';' | '"'))
        .collect()
}

#[test]
fn examples_come_back_as_they_are_written() {
    let mut found = Vec::new();
    documents(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"),
        &mut found,
    );
    for path in found {
        let text = fs::read_to_string(&path).expect("an example");
        assert_eq!(
            words(&to_kdl(&to_json(&text))),
            words(&text),
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_kind_of_value() {
    let kdl = "node text \"two words\" \"\" 12 -3 0x1F 007.50 -0.25 1_000 1e3 2.5E-3 #true #false #null \
        170141183460469231731687303715884105727 \"quote \\\" back \\\\ line\\n tab\\t \\u{202e} é 🦊\" \
        values=1 node=a children=#true properties=\"x\" range=2 {}\n";
    let json = to_json(kdl);
    let expected = r#"{
  "nodes": [
    { "node": "node", "values": ["text", "two words", "", 12, -3, 31, 7.50, -0.25, 1000, 1e3, 2.5E-3, true, false, null, 170141183460469231731687303715884105727, "quote \" back \\ line\n tab\t \u202e é 🦊"], "range": 2, "properties": { "values": 1, "node": "a", "children": true, "properties": "x" }, "children": [] }
  ]
}
"#;
    assert_eq!(json, expected);
    let back = to_kdl(&json);
    let expected = "node text \"two words\" \"\" 12 -3 31 7.50 -0.25 1000 1e3 2.5E-3 #true #false #null \
        170141183460469231731687303715884105727 \"quote \\\" back \\\\ line\\n tab\\t \\u{202e} é 🦊\" \
        range=2 values=1 node=a children=#true properties=x {}\n";
    assert_eq!(back, expected);
}

#[test]
fn what_json_cannot_say_is_refused_or_counted() {
    for number in ["#inf", "#-inf", "#nan"] {
        let text = format!("tree t {{ wait {number}; }}");
        let refusal = convert(&text, "t.kdl", Format::Kdl, Format::Json).unwrap_err();
        assert_eq!(refusal[0].code(), Code::NoForm);
        assert_eq!(refusal[0].source().slice(&refusal[0].span()), number);
    }
    let text = "// one\ntree t { /* two */ run; /-fail; // four\n}\n/* five */\n";
    let converted = convert(text, "t.kdl", Format::Kdl, Format::Json).expect("converted");
    assert_eq!(converted.comments_lost, 5);
    assert_eq!(to_kdl(&converted.text), "tree t {\n    run\n}\n");
    let refused = convert("tree {", "t.kdl", Format::Kdl, Format::Json).unwrap_err();
    assert_eq!(refused[0].code(), Code::Unclosed);
    assert!(convert("<root/>", "t.xml", Format::BtCpp, Format::Kdl).is_err());
    let scxml = convert("<scxml/>", "t.scxml", Format::Scxml, Format::BtCpp).unwrap_err();
    assert_eq!(scxml[0].code(), Code::NoForm);
    assert!(convert("", "t.kdl", Format::Kdl, Format::Scxml).is_err());
}

#[test]
fn diagnostics_point_into_the_json() {
    let text = r#"{ "nodes": [
  { "node": "blackboard", "children": [{ "node": "key", "values": ["health"], "type": "float" }] },
  { "node": "tree", "values": ["guard"], "children": [
    { "node": "check", "values": ["healthy < 20 && tru"] }
  ] }
] }"#;
    let document = Document::parse(text, "guard.json");
    let found: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|item| item.source().slice(&item.span()))
        .collect();
    assert_eq!(found, ["healthy", "tru"], "{:#?}", document.diagnostics());
}

#[test]
fn the_format_is_seen_from_the_ending_and_from_the_text() {
    for (name, text, format) in [
        ("a.json", "", Format::Json),
        ("a.JSON", "tree t { run; }", Format::Json),
        ("-", "\u{feff} \n{ \"nodes\": [] }", Format::Json),
        ("a.kdl", "{", Format::Kdl),
        ("-", "tree t { run; }", Format::Kdl),
    ] {
        assert_eq!(Format::of(name, text), format, "{name}: {text}");
    }
}

#[test]
fn native_formats_import_one_another() {
    let json = to_json("leaves { action patrol; }");
    let load = |path: &str| match path {
        "leaves.json" => Ok(json.clone().into_bytes()),
        "all.kdl" => Ok(b"import \"leaves.json\"\ntree guard { action patrol; }".to_vec()),
        _ => Err("there is no such file"),
    };
    let main = r#"{ "nodes": [{ "node": "import", "values": ["all.kdl"] }, { "node": "main", "tree": "guard" }] }"#;
    let document = Document::read_with(main.as_bytes(), "main.json", load);
    assert_eq!(document.diagnostics(), []);
    assert!(document.behaviour(None).is_ok());
}

#[test]
fn hostile_json() {
    const MANY: usize = 100_000;
    let refused =
        |name: &str, text: &str| super::hostile::refused(&format!("{name}.json"), text.as_bytes());
    for part in [
        "{",
        "[",
        "{\"nodes\":[",
        "[[],",
        "{\"a\":",
        "\"",
        "\\",
        "'",
        "é",
        ",",
        ":",
        "//\n",
        "/*",
        "1",
        "-",
        "{}",
        "[]",
        "\"a\" ",
    ] {
        refused(part.trim_end(), &part.repeat(MANY));
        refused("nodes", &format!("{{\"nodes\":[{}]}}", part.repeat(MANY)));
        refused(
            "node",
            &format!("{{\"nodes\":[{{\"node\":{}}}]}}", part.repeat(MANY)),
        );
    }
    let text = to_json(include_str!("../fixtures/good/guard.kdl"));
    for end in 0..text.len() - 2 {
        if text.is_char_boundary(end) {
            refused("cut", &text[..end]);
        }
    }
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        for with in ["\"", "{", "]", ",", "\\", "0", "\u{1}", "🦊"] {
            let spoilt = format!("{}{with}{}", &text[..at], &text[at..]);
            // The text may still be valid if the change is in names or docs. It must not end the process.
            for item in Document::parse(&spoilt, "spoilt.json").diagnostics() {
                assert!(item.source().text().get(item.span()).is_some(), "{item:?}");
            }
        }
    }
}

#[test]
fn nesting_has_the_same_limit_in_json() {
    let nested = |depth: usize| {
        let text = format!(
            "tree t {{ {} succeed {} }}",
            "invert {".repeat(depth),
            "}".repeat(depth)
        );
        let json = format!(
            "{{\"nodes\":[{{\"node\":\"tree\",\"values\":[\"t\"],\"children\":[{}{{\"node\":\"succeed\"}}{}]}}]}}",
            "{\"node\":\"invert\",\"children\":[".repeat(depth),
            "]}".repeat(depth)
        );
        let of = |text: &str, name| codes(&Document::parse(text, name));
        (of(&text, "deep.kdl"), of(&json, "deep.json"))
    };
    for depth in [10, 254, 255, 256, 300] {
        let (kdl, json) = nested(depth);
        assert_eq!(kdl, json, "{depth}");
    }
    assert_eq!(nested(255).1, [Code::NeverRuns; 0]);
    assert_eq!(nested(256).1, [Code::TooDeep]);
}

/// A tree of BehaviorTree.CPP around some elements.
fn xml(nodes: &str) -> String {
    format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"a\"><!-- x --><BehaviorTree ID=\"a\">{nodes}</BehaviorTree>\
         <BehaviorTree ID=\"b\"><AlwaysSuccess/></BehaviorTree></root>"
    )
}

#[test]
fn trees_of_another_library_become_documents() {
    let nodes = r#"<Sequence name="s" _description="all">
        <Condition ID="see"/> <Attack name="hit it"/> <SubTree ID="b"/>
        <Repeat num_cycles="-1"><RetryUntilSuccessful num_attempts="3"><Sleep msec="1500"/></RetryUntilSuccessful></Repeat>
        <Parallel success_count="2"><RunOnce><AlwaysFailure/></RunOnce><Timeout msec="0"><Attack/></Timeout></Parallel>
    </Sequence>"#;
    let converted = convert(&xml(nodes), "a.xml", Format::BtCpp, Format::Kdl).expect("converted");
    let expected = "main tree=a\n\nleaves {\n    condition see\n    action Attack\n}\n\n// x\ntree a {\n    sequence name=s doc=\"all\" {\n        \
        // <Condition ID=\"see\"> a1c66716\n        condition see\n        action Attack name=\"hit it\"\n        subtree b\n        repeat forever yields=fresh {\n            \
        retry 3 yields=fresh {\n                wait 1.5\n            }\n        }\n        \
        parallel success=2 failure=one skipped=pending {\n            run-once then=skipped {\n                fail\n            }\n            \
        // <Timeout msec=\"0\"> 58293e1c 0\n            delay 0.0 {\n                action Attack\n            }\n        }\n    }\n}\n\ntree b {\n    succeed\n}\n\
        // In the XML, nothing says what these nodes are: <Attack>\n";
    assert_eq!(converted.text, expected);
    assert_eq!(converted.lost(), [""; 0]);
    let nodes = "<SequenceWithMemory><Attack/></SequenceWithMemory>";
    let converted = convert(&xml(nodes), "a.xml", Format::BtCpp, Format::Json).expect("converted");
    assert!(
        converted.lost()[0]
            .to_string()
            .contains("SequenceWithMemory"),
        "{:?}",
        converted.lost()
    );
}
