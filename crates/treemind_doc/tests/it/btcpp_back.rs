//! What becomes of XML on its way through our own formats and back, also when something was changed there.

use super::btcpp::{played, said, tree};
use treemind_doc::{Document, Format, convert, convert_btcpp};

fn kdl(text: &str) -> String {
    let converted = convert(text, "t.xml", Format::BtCpp, Format::Kdl);
    converted
        .unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
        .text
}

fn xml(text: &str) -> String {
    let converted = convert(text, "t.kdl", Format::Kdl, Format::BtCpp);
    converted
        .unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
        .text
}

/// Without the comments that say how the XML was.
fn plain(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A node that nobody declares is as open after a conversion as it was before.
#[test]
fn doubts_stay() {
    let text = "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\">\
        <Sequence><Look a=\"1\"/><Condition ID=\"Near\"/><Sequense><Spy/></Sequense></Sequence></BehaviorTree></root>";
    let before = said(&Document::parse(text, "t.xml"));
    assert_eq!(before.len(), 3, "{before:?}");
    let ours = kdl(text);
    let back = xml(&ours);
    assert_eq!(
        said(&Document::parse(&back, "t.xml")),
        before,
        "{ours}\n{back}"
    );
    assert_eq!(xml(&kdl(&back)), back);
    // Who says what it is has said it.
    let known = ours.replace("action Look", "condition Look");
    let back = xml(&known);
    assert!(back.contains("<Condition ID=\"Look\">"), "{known}\n{back}");
    assert!(!back.contains("<Action ID=\"Spy\""), "{back}");
}

/// What a manifest says of ports stands in the XML that comes back.
#[test]
fn the_model_of_a_manifest_is_kept() {
    let manifest = "<root BTCPP_format=\"4\"><TreeNodesModel>\
        <Action ID=\"Go\"><input_port name=\"to\" type=\"geometry_msgs::msg::Pose\">where to</input_port>\
        <input_port name=\"speed\" type=\"double\" default=\"1.50\">how fast</input_port>\
        <output_port name=\"way\" type=\"nav_msgs::msg::Path\"/></Action><Condition ID=\"Unused\"/>\
        <SubTree ID=\"T\"><input_port name=\"x\"/></SubTree></TreeNodesModel></root>";
    let text = tree(
        "<Sequence><Go to=\"{goal}\" way=\"{path}\"/><Go to=\"{goal}\" speed=\"2\"/></Sequence>",
    );
    let load = |path: &str| match path {
        "m.xml" => Ok(manifest.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let ours = convert_btcpp(&text, "t.xml", Format::Kdl, Some("m.xml"), load);
    let ours = ours.unwrap_or_else(|refusal| panic!("{refusal}")).text;
    let go = "<Action ID=\"Go\"><input_port name=\"to\" type=\"geometry_msgs::msg::Pose\">where to</input_port>\
        <input_port name=\"speed\" type=\"double\" default=\"1.50\">how fast</input_port>\
        <output_port name=\"way\" type=\"nav_msgs::msg::Path\"/></Action>";
    let back = xml(&ours);
    assert!(
        back.contains(go) && !back.contains("Unused"),
        "{ours}\n{back}"
    );
    let document = Document::parse(&back, "t.xml");
    assert!(said(&document).is_empty(), "{:?}", said(&document));
    // Also beside what was added.
    let more = ours.replace(
        "action Go to=\"{goal}\" speed=2.0",
        "sequence { action Go to=\"{goal}\" speed=2.0 far=#true; action Wave; }",
    );
    let more = more.replacen(
        "param speed",
        "param far type=bool default=#false; param speed",
        1,
    );
    let more = more.replacen("action Go {", "action Wave; action Go {", 1);
    let back = xml(&more);
    for part in [
        "default=\"1.50\">how fast</input_port>",
        "type=\"nav_msgs::msg::Path\"",
        "<input_port name=\"far\" type=\"bool\" default=\"false\"/>",
        "<Action ID=\"Wave\"/>",
    ] {
        assert!(back.contains(part), "{part}\n{more}\n{back}");
    }
}

/// A loop over items comes back after its items, its key or its child were changed, also without the comments.
#[test]
fn loops_that_were_changed() {
    for (queue, changes, expected) in [
        (
            "LoopInt queue=\"1;2;3\" value=\"{v}\"",
            ("{ 3 }", "{ 7 }"),
            "<LoopInt queue=\"1;2;7\" value=\"{v}\">",
        ),
        (
            "LoopInt queue=\"1;-2\" if_empty=\"FAILURE\" value=\"{v}\"",
            ("name=A", "name=B"),
            "<LoopInt queue=\"1;-2\" if_empty=\"FAILURE\" value=\"{v}\">",
        ),
        (
            "LoopDouble queue=\"1;2.5\" if_empty=\"SKIPPED\" value=\"{v}\"",
            ("2.5", "3.5"),
            "<LoopDouble queue=\"1;3.5\" if_empty=\"SKIPPED\" value=\"{v}\">",
        ),
        (
            "LoopBool queue=\"true;false\" if_empty=\"RUNNING\" value=\"{v}\"",
            ("{ true }", "{ false }"),
            "<LoopBool queue=\"false;false\" if_empty=\"RUNNING\" value=\"{v}\">",
        ),
        (
            "LoopString queue=\"a;b c\" value=\"{v}\"",
            ("'a'", "'x'"),
            "<LoopString queue=\"x;b c\" value=\"{v}\">",
        ),
        (
            "LoopString queue=\"a;b\"",
            ("name=A", "name=B"),
            "<LoopInt queue=\"1;2\">",
        ),
    ] {
        let name = queue.split(' ').next().expect("a name");
        let text = tree(&format!(
            "<Sequence><{queue}><Act name=\"A\"/></{name}><Echo in=\"{{v}}\"/></Sequence>"
        ));
        let ours = kdl(&text);
        let changed = plain(&ours).replacen(changes.0, changes.1, 1);
        assert_ne!(plain(&ours), changed, "{ours}");
        let back = xml(&changed);
        assert!(back.contains(expected), "{expected}\n{changed}\n{back}");
        let answers = "A: S R S";
        let answers = if changes.1 == "name=B" {
            "B: S R S"
        } else {
            answers
        };
        let ours = played(&Document::parse(&changed, "t.kdl"), answers, 5, 0);
        assert_eq!(
            played(&Document::parse(&back, "t.xml"), answers, 5, 0),
            ours
        );
    }
    // A long queue is halved.
    let queue: Vec<String> = (0..100).map(|nth| nth.to_string()).collect();
    let queue = queue.join(";");
    let text = tree(&format!(
        "<LoopInt queue=\"{queue}\" value=\"{{v}}\"><Act v=\"{{v}}\"/></LoopInt>"
    ));
    let back = xml(&plain(&kdl(&text)).replace("{ 57 }", "{ 5700 }"));
    assert!(back.contains(&queue.replace(";57;", ";5700;")), "{back}");
    // With the comment, it stays a loop of doubles.
    let text = tree("<LoopDouble queue=\"1;2\" value=\"{v}\"><Act v=\"{v}\"/></LoopDouble>");
    let back = xml(&kdl(&text).replace("{ 2 }", "{ 3 }"));
    assert!(
        back.contains("<LoopDouble queue=\"1;3\" value=\"{v}\">"),
        "{back}"
    );
}

/// A switch over texts comes back after a case was changed or added.
#[test]
fn switches_that_were_changed() {
    let switch = "<Switch3 variable=\"{k}\" case_1=\"a\" case_2=\"03\" case_3=\"\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/><Act name=\"D\"/></Switch3>";
    let ours = kdl(&tree(&format!(
        "<Sequence><Script code=\"k := 'a'\"/>{switch}</Sequence>"
    )));
    for text in [ours.clone(), plain(&ours)] {
        let back = xml(&text);
        assert!(
            back.contains("<Switch3 variable=\"{k}\" case_1=\"a\" case_2=\"03\" case_3=\"\">"),
            "{text}\n{back}"
        );
        let changed = text
            .replace("k == 'a'", "k == 'it'")
            .replace("name=B", "name=E");
        let back = xml(&changed);
        assert!(
            back.contains("case_1=\"it\" case_2=\"03\"") && back.contains("<Act name=\"E\"/>"),
            "{back}"
        );
    }
    let more = plain(&ours).replacen(
        "\"if (has(k)",
        "\"if (has(k) && (k == 'new')) { 4 } else { if (has(k)",
        1,
    );
    let more = more.replacen("{ 0 }", "{ 0 } }", 1);
    let more = more.replace("default {", "case 4 { action Act name=N; }\n default {");
    let back = xml(&more);
    assert!(
        back.contains(
            "<Switch4 variable=\"{k}\" case_1=\"a\" case_2=\"03\" case_3=\"\" case_4=\"new\">"
        ),
        "{more}\n{back}"
    );
}

/// JSON has no comments, in which KDL keeps how the XML was written. That is said.
#[test]
fn what_json_leaves_out_is_said() {
    let text = "<root BTCPP_format=\"4\"><!-- a --><BehaviorTree ID=\"M\"><Act to=\"1.50\" _c=\"1\"/></BehaviorTree></root>";
    let json = convert(text, "t.xml", Format::BtCpp, Format::Json).expect("a document");
    let lost: Vec<String> = json.lost().iter().map(ToString::to_string).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(
        lost[0].starts_with("JSON holds only what the trees do"),
        "{lost:?}"
    );
    let back = convert(&json.text, "t.json", Format::Json, Format::BtCpp).expect("a file");
    let lost: Vec<String> = back.lost().iter().map(ToString::to_string).collect();
    assert!(
        lost.iter()
            .any(|one| one.starts_with("JSON does not hold how a tree was written in XML")),
        "{lost:?}"
    );
    assert!(
        convert(text, "t.xml", Format::BtCpp, Format::Kdl)
            .expect("a document")
            .lost()
            .is_empty()
    );
}
