//! XML that becomes a document of ours and then XML again is spelled as it was.

use super::btcpp::nav2;
use roxmltree::Document as Xml;
use std::fs;
use treemind_doc::{Format, Said, convert, convert_btcpp};

/// All elements with their attributes in order, and all comments, but for the root.
fn parts(text: &str) -> Vec<String> {
    let document = Xml::parse(text).expect("it is XML");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = document.descendants();
    let all = all.filter_map(|node| {
        if node.is_comment() {
            return Some(format!("# {}", words(node.text()?)));
        }
        if !node.is_element() || node.tag_name().name() == "root" {
            return None;
        }
        let attributes = node.attributes();
        let attributes = attributes.map(|one| format!(" {}=\"{}\"", one.name(), one.value()));
        let depth = node.ancestors().count();
        Some(format!(
            "{depth} {}{}",
            node.tag_name().name(),
            attributes.collect::<String>()
        ))
    });
    all.collect()
}

/// To our own format, and back.
fn there_and_back(xml: &str) -> (String, String, String) {
    let none = |_: &str| Err::<Vec<u8>, _>("no other file");
    let there = convert_btcpp(xml, "t.xml", Format::Kdl, None, none);
    let there = there.unwrap_or_else(|problems| panic!("{problems}\n{xml}"));
    assert_eq!(there.comments_lost, 0, "{}", there.text);
    let back = convert(&there.text, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.unwrap_or_else(|problems| panic!("{problems}\n{}", there.text));
    let lost = back.comments_lost;
    assert_eq!(lost, 0, "{}\n{}", there.text, back.text);
    let differences: Vec<String> = there.differences.iter().map(Said::to_string).collect();
    (there.text.clone(), back.text, differences.join("\n"))
}

const ODD: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<root BTCPP_format="4" main_tree_to_execute="Pick &amp; Place">
  <!--//////////-->
  <BehaviorTree ID="Pick &amp; Place" _description="All of it" _favorite="true">
    <Control name="Top" ID="Sequence" _collapsed="false">
      <!--first-->
      <Action speed="1.50" ID="MoveTo" goal="{goal}" _uid="7" name="go"/>
      <Script _uid="8" code="a:=1;b := 'x'"/>
      <Decorator ID="RetryUntilSuccessful" name="again" num_attempts="2.9">
        <Condition _skipIf="a&gt;1" ID="IsThere" b="2" a="1"/>
        <!--last-->
      </Decorator>
      <Timeout _collapsed="true" msec="150ms"><Wait duration="3.0"/></Timeout>
      <SubTree goal="{goal}" ID="Home" _collapsed="true" note="lit" _autoremap="false"/>
      <Parallel failure_count="1" success_count="-1"><AlwaysSuccess name="x"/><Inverter><AlwaysFailure/></Inverter></Parallel>
    </Control>
  </BehaviorTree>
  <BehaviorTree ID="Home"><Action ID="MoveTo" name="" goal="{goal}" speed="2"/></BehaviorTree>
  <!-- models -->
  <TreeNodesModel>
    <!-- in the model -->
    <Action ID="MoveTo"><input_port name="goal" type="Pose">where to</input_port></Action>
    <SubTree ID="Home"><MetadataFields><Metadata runnable="true"/></MetadataFields></SubTree>
  </TreeNodesModel>
</root>
"#;

#[test]
fn an_odd_file_comes_back_as_it_was() {
    let (kdl, back, _) = there_and_back(ODD);
    assert_eq!(parts(&back), parts(ODD), "{kdl}\n{back}");
}

#[test]
fn the_files_of_nav2_come_back_as_they_were() {
    for file in fs::read_dir(nav2()).expect("a folder") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let is_version_four = text.contains("BTCPP_format=\"4\"");
        if !is_version_four || !text.contains("<BehaviorTree") {
            continue;
        }
        let (kdl, back, _) = there_and_back(&text);
        let wanted: Vec<String> = parts(&text);
        let made = parts(&back);
        // A model is made for files that have none.
        let made: Vec<String> = match text.contains("<TreeNodesModel") {
            true => made,
            false => made.into_iter().take(wanted.len()).collect(),
        };
        assert_eq!(made, wanted, "{}\n{kdl}\n{back}", path.display());
    }
}

/// What is changed in between is written as it is now, in the order that it had.
#[test]
fn what_is_changed_is_written_as_it_is_now() {
    let (kdl, _, _) = there_and_back(ODD);
    let changed = kdl
        .replace("speed=1.50", "speed=2.50")
        .replace("retry 2 ", "retry 5 ");
    assert_ne!(changed, kdl);
    let back = convert(&changed, "t.kdl", Format::Kdl, Format::BtCpp)
        .expect("XML")
        .text;
    for part in [
        r#"<Action speed="2.50" ID="MoveTo" goal="{goal}" _uid="7" name="go"/>"#,
        r#"<Decorator ID="RetryUntilSuccessful" name="again" num_attempts="5">"#,
        "<!-- in the model -->",
    ] {
        assert!(back.contains(part), "{part} in\n{changed}\n{back}");
    }
}

/// Elements that become several nodes come back as they were, until somebody changes what they became.
#[test]
fn what_became_several_nodes_comes_back() {
    let elements = [
        "<LoopInt queue=\"1;2;3\" value=\"{i}\"><A x=\"{i}\"/></LoopInt>",
        "<LoopString queue=\"a;b\" if_empty=\"FAILURE\" value=\"{i}\" _skipIf=\"k == 1\"><A x=\"{i}\"/></LoopString>",
        "<LoopDouble value=\"{i}\" queue=\"1.5;2\" _uid=\"3\"><A x=\"{i}\"/></LoopDouble>",
        "<Precondition if=\"k == 1\" else=\"RUNNING\"><Inverter><A _post=\"k := 2\"/></Inverter></Precondition>",
        "<Precondition if=\"k == 1\" else=\"SKIPPED\" name=\"p\"><A/></Precondition>",
        "<Precondition if=\"k == 1\"><A/></Precondition>",
        "<Precondition if=\"k == 1\" else=\"{otherwise}\"><A/></Precondition>",
        "<Switch2 variable=\"{k}\" case_1=\"{one}\" case_2=\"2\"><A/><Sequence><A/><A/></Sequence><A/></Switch2>",
        "<Switch2 variable=\"k\" case_1=\"a\" case_2=\"it's\"><A/><A/><A/></Switch2>",
        "<IfThenElse _skipIf=\"z := 1; z == 2\"><A/><LoopInt queue=\"1;2\" value=\"{i}\"><A/></LoopInt></IfThenElse>",
        "<TryCatch catch_on_halt=\"true\" _skipIf=\"z := 1; z == 2\"><A/><A x=\"4\"/></TryCatch>",
        "<SetBlackboard _onHalted=\"k := 3\" value=\"{k}\" output_key=\"n\"/>",
        "<Precondition else=\"SKIPPED\" if=\"k==1\" _failureIf=\"k==9\"><A/><!--last--></Precondition>",
        "<Switch2 case_1=\"1\" variable=\"{z}\" case_2=\"far\"><A/><A/><A/></Switch2>",
        "<Decorator ID=\"Often\" hz=\"2\" name=\"o\"><LoopInt queue=\"1;2\" value=\"{i}\"><A/></LoopInt></Decorator>",
        "<ScriptCondition code=\"z := 3; z == 3\" name=\"c\"/>",
        "<ParallelAll max_failures=\"0\" name=\"p\"><A/><Sequence><A/><A/></Sequence></ParallelAll>",
        "<A x=\"1\" _skipIf=\"z := 1; z == 2\" _uid=\"4\"/>",
        "<Inverter _while=\"z := 1; z == 2\" _failureIf=\"q := 1; q == 2\"><A x=\"1\" _onSuccess=\"k := 3\"/></Inverter>",
        "<TryCatch catch_on_halt=\"{catches}\"><A/><A/><A/></TryCatch>",
        "<LoopInt queue=\"1;2\" value=\"{i}\"><LoopInt queue=\"3;4\" value=\"{j}\"><Precondition if=\"i == j\"><A/></Precondition></LoopInt></LoopInt>",
    ];
    for element in elements {
        let file = format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence><Script code=\"k := 1\"/>{element}</Sequence></BehaviorTree>\
             <TreeNodesModel><Action ID=\"A\"><input_port name=\"x\"/></Action></TreeNodesModel></root>"
        );
        let kdl = convert(&file, "t.xml", Format::BtCpp, Format::Kdl);
        let kdl = kdl.unwrap_or_else(|refusal| panic!("{element}: {refusal}"));
        let back = convert(&kdl.text, "t.kdl", Format::Kdl, Format::BtCpp);
        let back = back.unwrap_or_else(|refusal| panic!("{element}: {refusal}\n{}", kdl.text));
        let lines: String = back.text.lines().map(str::trim).collect();
        assert!(lines.contains(element), "{element}\n{}", back.text);
    }
    let file = "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Precondition if=\"k == 1\" else=\"SKIPPED\"><A/></Precondition></BehaviorTree></root>";
    let kdl = convert(file, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    let changed = kdl.text.replace("k == 1", "k == 2");
    let back = convert(&changed, "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
    assert!(back.text.contains("k == 2"), "{}", back.text);
    assert!(!back.text.contains("k == 1"), "{}", back.text);
}

/// What stands beside the trees comes back, and so do the names of calls.
#[test]
fn includes_that_were_not_read_and_names_of_calls_come_back() {
    let four = "<root BTCPP_format=\"4\" project_name=\"p\">\n\
        <include ros_pkg=\"more\" path=\"trees/a.xml\"/>\n<include path=\"gone.xml\"/>\n\
        <BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"S\" name=\"first\"/><SubTree name=\"second\" ID=\"S\"/></Sequence></BehaviorTree>\n\
        <BehaviorTree ID=\"S\"><Action ID=\"A\"/></BehaviorTree>\n</root>";
    let convert = |text: &str, from, to| {
        let converted = treemind_doc::convert(text, "t.xml", from, to);
        converted
            .unwrap_or_else(|said| panic!("{}", said.to_plain()))
            .text
    };
    let there_and_back = |text: &str| {
        let kdl = convert(text, Format::BtCpp, Format::Kdl);
        convert(&kdl, Format::Kdl, Format::BtCpp)
    };
    let back = there_and_back(four);
    for line in [
        "<root BTCPP_format=\"4\" project_name=\"p\">",
        "<include ros_pkg=\"more\" path=\"trees/a.xml\"/>",
        "<include path=\"gone.xml\"/>",
        "<SubTree ID=\"S\" name=\"first\"/>",
        "<SubTree name=\"second\" ID=\"S\"/>",
    ] {
        assert!(back.contains(line), "{line}\n{back}");
    }
    let three = four
        .replace(" BTCPP_format=\"4\"", "")
        .replace("Sequence>", "SequenceStar>");
    let back = there_and_back(&three);
    for line in [
        "<root BTCPP_format=\"4\" project_name=\"p\">",
        "<SequenceWithMemory>",
        "<SubTree ID=\"S\" name=\"first\"/>",
        "<SubTree name=\"second\" ID=\"S\"/>",
    ] {
        assert!(back.contains(line), "{line}\n{back}");
    }
    // Version 4 refuses two calls of one name beside each other.
    let back = there_and_back(&three.replace("second", "first"));
    assert!(!back.contains("first"), "{back}");
}

/// A text between double quotes may have single ones in it.
#[test]
fn texts_with_quotes_in_scripts() {
    let script = "a := &quot;it's&quot;; b := a .. ' (ok'";
    let nodes = format!(
        "<Sequence><Script code=\"{script}\"/><ScriptCondition code=\"a == &quot;it's&quot;\"/>\
         <A _skipIf=\"b == &quot;it's (ok&quot;\"/><B _skipIf=\"b == &quot;it's&quot;\"/></Sequence>"
    );
    let file = format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\">{nodes}</BehaviorTree>\
         <TreeNodesModel><Action ID=\"A\"/><Action ID=\"B\"/></TreeNodesModel></root>"
    );
    let document = treemind_doc::Document::parse(&file, "t.xml");
    assert_eq!(super::btcpp::said(&document), Vec::<String>::new());
    let played = super::btcpp::played(&document, "", 1, 0);
    assert_eq!(played, ["1 SUCCESS | tick B SUCCESS"]);
    let (kdl, back, _) = there_and_back(&file);
    assert!(kdl.contains("a == 'it''s'"), "{kdl}");
    assert_eq!(parts(&file), parts(&back), "{kdl}");
    // Without what the comments say, scripts are written anew.
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let bare: Vec<&str> = kdl.lines().filter(|line| !is_comment(line)).collect();
    let anew = convert(&bare.join("\n"), "t.kdl", Format::Kdl, Format::BtCpp);
    let anew = anew.unwrap_or_else(|problems| panic!("{problems}\n{kdl}"));
    let again = treemind_doc::Document::parse(&anew.text, "t.xml");
    let played = super::btcpp::played(&again, "", 1, 0);
    assert_eq!(played, ["1 SUCCESS | tick B SUCCESS"], "{}", anew.text);
    // No script can say both kinds.
    let both = bare
        .join("\n")
        .replace("a == 'it''s'", r#"a == 'it''s \"5\"'"#);
    let refused = convert(&both, "t.kdl", Format::Kdl, Format::BtCpp);
    let problems = refused.expect_err("no script").to_string();
    assert!(problems.contains("texts with both"), "{problems}");
}
