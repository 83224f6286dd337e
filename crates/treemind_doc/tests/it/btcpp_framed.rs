//! XML that becomes a document of ours and then XML again: what stands around its trees, and what stands in other files.

use crate::btcpp::{played, said};
use roxmltree::Document as Xml;
use treemind_doc::{Document, Format, convert, convert_btcpp};

/// The comments of a file as they are, and the names of its elements, in their order.
fn row(text: &str) -> Vec<String> {
    let document = Xml::parse(text).expect("it is XML");
    let all = document.descendants();
    let one = |node: roxmltree::Node<'_, '_>| match node.is_comment() {
        true => node.text().map(|said| format!("#{said}#")),
        false => node.is_element().then(|| {
            let id = node.attribute("ID").unwrap_or_default();
            format!("{}{id}", node.tag_name().name())
        }),
    };
    all.filter_map(one).collect()
}

fn there_and_back(xml: &str, load: impl Fn(&str) -> Result<Vec<u8>, &'static str>) -> String {
    let there = convert_btcpp(xml, "t.xml", Format::Kdl, None, load);
    let there = there.unwrap_or_else(|problems| panic!("{problems}\n{xml}"));
    assert_eq!(there.comments_lost, 0, "{}", there.text);
    let back = convert(&there.text, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.unwrap_or_else(|problems| panic!("{problems}\n{}", there.text));
    assert_eq!(back.comments_lost, 0, "{}\n{}", there.text, back.text);
    back.text
}

fn nothing(_: &str) -> Result<Vec<u8>, &'static str> {
    Err("no other file")
}

const COMMENTS: &str = r#"<?xml version="1.0"?>
<!-- licence
     two --><!--second-->
<root BTCPP_format="4" main_tree_to_execute="Main">
  <!-- 1 --><!--2--><!-- 3-->
  <BehaviorTree ID="Main">
    <!-- in the tree -->
    <Sequence><!---->
      <Action ID="Go"/><!--behind-->
      <Inverter><!-- only --><Condition ID="There"/></Inverter>
      <!--last -->
    </Sequence>
    <!-- after the root of the tree -->
  </BehaviorTree>
  <!-- before the model -->
  <TreeNodesModel><!-- in it --><Condition ID="There"/><Action ID="Go"/></TreeNodesModel>
  <!-- after the model -->
  <!--end-->
</root>
"#;

#[test]
fn comments_stay_where_they_are_as_they_are() {
    assert_eq!(row(&there_and_back(COMMENTS, nothing)), row(COMMENTS));
}

/// A file that only declares nodes keeps what stands above it.
#[test]
fn a_model_keeps_its_header() {
    let model =
        "<!-- about it -->\n<root>\n<TreeNodesModel><Action ID=\"Go\"/></TreeNodesModel>\n</root>";
    assert_eq!(row(&there_and_back(model, nothing)), row(model));
}

const SIBLINGS: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Control ID="Sequence" name="all">
      <Control ID="Sequence" name="step"><Action ID="Go" name="go"/><Action ID="Go" name="go"/></Control>
      <Control ID="Sequence" name="step 2"><Action ID="Go"/></Control>
      <Control name="step" ID="Fallback"><Action ID="Go"/></Control>
    </Control>
  </BehaviorTree>
</root>
"#;

/// Files of MoveIt Pro have nodes of one name beside each other.
/// A comment in the element of a leaf comes back in it.
#[test]
fn comments_in_leaves() {
    let xml = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence><A to=\"1\" name=\"x\"><!-- one --></A><SubTree ID=\"B\"><!-- two --></SubTree></Sequence></BehaviorTree><BehaviorTree ID=\"B\"><AlwaysSuccess/></BehaviorTree></root>";
    let converted = convert(xml, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    assert_eq!(converted.comments_lost, 0);
    let back = there_and_back(xml, nothing);
    for kept in [
        "<A to=\"1\" name=\"x\"><!-- one --></A>",
        "<SubTree ID=\"B\"><!-- two --></SubTree>",
    ] {
        let packed = |text: &str| text.split_whitespace().collect::<String>();
        assert!(packed(&back).contains(&packed(kept)), "{back}");
    }
}

/// A model before the trees comes back before them, and a single tree without a name without one.
#[test]
fn a_model_before_the_trees() {
    let model = "<!-- nodes -->\n  <TreeNodesModel>\n    <Action ID=\"A\"/>\n    <Action ID=\"Other\"/>\n  </TreeNodesModel>";
    let trees = "<!-- a tree -->\n  <BehaviorTree ID=\"Main\">\n    <A/>\n  </BehaviorTree>";
    let end = "<!-- the end -->";
    for parts in [[model, trees, end], [trees, model, end]] {
        let xml = format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\n  {}\n</root>",
            parts.join("\n  ")
        );
        let back = there_and_back(&xml, nothing);
        assert_eq!(row(&back), row(&xml), "{back}");
    }
    for version in [" BTCPP_format=\"4\"", " BTCPP_format=\"3\""] {
        let xml =
            format!("<root{version}>\n<BehaviorTree>\n<A/>\n</BehaviorTree>\n{model}\n</root>");
        let back = there_and_back(&xml, nothing);
        assert!(back.contains("<BehaviorTree>"), "{back}");
    }
    // Beside trees of other files, it needs one.
    let xml = "<root>\n<BehaviorTree>\n<SubTree ID=\"B\"/>\n</BehaviorTree>\n</root>";
    let load = |path: &str| match path {
        "*.xml" => Ok(b"b.xml".to_vec()),
        "b.xml" => {
            Ok(b"<root><BehaviorTree ID=\"B\"><AlwaysSuccess/></BehaviorTree></root>".to_vec())
        }
        _ => Err("there is no such file"),
    };
    let back = there_and_back(xml, load);
    assert!(
        back.contains("<BehaviorTree ID=\"BehaviorTree\">"),
        "{back}"
    );
}

#[test]
fn nodes_of_one_name_beside_each_other() {
    let there = convert(SIBLINGS, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    for name in ["name=\"step 3\"", "name=\"go 2\"", "name=\"step 2\""] {
        assert_eq!(
            there.text.matches(name).count(),
            1,
            "{name}\n{}",
            there.text
        );
    }
    assert!(
        there
            .differences
            .iter()
            .any(|one| one.to_string().contains("get a number")),
        "{:?}",
        there.differences
    );
    let back = there_and_back(SIBLINGS, nothing);
    for line in SIBLINGS.lines().map(str::trim) {
        for part in line.split_inclusive('>') {
            assert!(back.contains(part), "{part}\n{back}");
        }
    }
    // So do files of version 3.
    let three = SIBLINGS.replace(" BTCPP_format=\"4\"", "");
    let back = there_and_back(&three.replace("Fallback", "FallbackStar"), nothing);
    assert_eq!(back.matches("name=\"step\"").count(), 2, "{back}");
    assert_eq!(back.matches("name=\"go\"").count(), 2, "{back}");
}

/// The trees of other files keep their comments and how they are spelled, too.
#[test]
fn trees_of_other_files_come_back() {
    let main = "<!-- main -->\n<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\n\
        <BehaviorTree ID=\"Main\"><Sequence><!-- call --><SubTree ID=\"Open it\" _collapsed=\"true\"/></Sequence></BehaviorTree></root>";
    let other = "<!-- other -->\n<root BTCPP_format=\"4\">\n<!-- about it -->\n\
        <BehaviorTree _favorite=\"true\" ID=\"Open it\"><Sequence>\n\
        <ScriptCondition code=\"a<3&&b==1\"/><!-- go -->\n<Go to=\"1.50\" _uid=\"3\" by=\"{a}\"/></Sequence></BehaviorTree>\n\
        <TreeNodesModel><SubTree ID=\"Open it\"><input_port name=\"speed\" default=\"0.5\"/></SubTree></TreeNodesModel></root>";
    let load = |path: &str| match path {
        "*.xml" => Ok(b"other.xml\nt.xml".to_vec()),
        "other.xml" => Ok(other.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let back = there_and_back(main, load);
    for part in [
        "<!-- main -->\n<root",
        "<!-- call -->",
        "<SubTree ID=\"Open it\" _collapsed=\"true\"/>",
        "<!-- about it -->",
        "<BehaviorTree _favorite=\"true\" ID=\"Open it\">",
        "<ScriptCondition code=\"a&lt;3&amp;&amp;b==1\"/>",
        "<!-- go -->",
        "<Go to=\"1.50\" _uid=\"3\" by=\"{a}\"/>",
    ] {
        assert!(back.contains(part), "{part}\n{back}");
    }
    // What stands outside of its trees is its own.
    assert!(!back.contains("<!-- other -->"), "{back}");
}

/// Nodes that version 4 does not have are written with those that it has, and do the same.
#[test]
fn checks_of_version_three_become_version_four() {
    let check = |attributes: &str| {
        format!(
            "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Fallback><Sequence><Condition ID=\"Cond\" name=\"C\"/>\
             <SetBlackboard output_key=\"k\" value=\"3\"/><SetBlackboard output_key=\"o\" value=\"3\"/><AlwaysFailure/></Sequence>\
             <BlackboardCheckInt {attributes}><Action ID=\"Act\" name=\"A\"/></BlackboardCheckInt>\
             <Action ID=\"Act\" name=\"B\"/></Fallback></BehaviorTree></root>"
        )
    };
    for attributes in [
        "value_A=\"{k}\" value_B=\"3\"",
        "value_A=\"{k}\" value_B=\"4\"",
        "value_A=\"far\" value_B=\"{k}\" return_on_mismatch=\"SUCCESS\"",
        "value_A=\"{k}\" value_B=\"-1.5\" return_on_mismatch=\"RUNNING\"",
        "value_A=\"{k}\" value_B=\"true\" return_on_mismatch=\"SKIPPED\"",
        "value_A=\"{k}\" value_B=\"{o}\"",
    ] {
        let three = check(attributes);
        let four = there_and_back(&three, nothing);
        assert!(!four.contains("BlackboardCheck"), "{four}");
        for script in [
            "C: S\nA: S",
            "C: F\nA: S",
            "C: F S\nA: R S",
            "C: S F\nA: R R S",
        ] {
            let play = |text: &str| {
                let document = Document::parse(text, "t.xml");
                assert!(!document.has_errors(), "{:?}\n{text}", said(&document));
                played(&document, script, 4, 0)
            };
            assert_eq!(play(&four), play(&three), "{attributes}: {script}\n{four}");
        }
    }
}

/// Comments may stand behind the root, end a block comment of a native document, or be about their own end.
#[test]
fn comments_behind_the_root_and_with_ends_of_comments() {
    let root = |inside: &str| {
        format!(
            "<!-- before -->\n<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"Main\">{inside}<Action ID=\"Go\"/></BehaviorTree>\n{inside}<TreeNodesModel>{inside}<Action ID=\"Go\"/></TreeNodesModel>{inside}</root>"
        )
    };
    for inside in [
        "",
        "<!-- </root> -->",
        "<!--a */ b-->",
        "<!-- /* one\n two */ and *\\/ three\\ /-->",
        "<!--  */*/ \\\\*\\-->",
    ] {
        for behind in ["", "<!-- end -->", "<!--1--><!-- </root> -->\n<!--\n/-->"] {
            let xml = format!("{}{behind}", root(inside));
            let back = there_and_back(&xml, nothing);
            assert_eq!(row(&back), row(&xml), "{back}");
            let end = |xml: &str| {
                let document = Xml::parse(xml).expect("it is XML");
                document.root().children().count()
            };
            assert_eq!(end(&back), end(&xml), "{back}");
        }
    }
}

/// Ports whose names are none of ours, and thresholds of version 3 that say what is so anyway.
#[test]
fn ports_of_version_three_come_back() {
    let three = "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">\
        <Parallel failure_threshold=\"1\" success_threshold=\"2\">\
        <Action state=\"up\" ID=\"TakeOff\" takeoff.height=\"7.0\" speed=\"1.50\"/>\
        <Action ID=\"Go\"/></Parallel></BehaviorTree></root>";
    let back = there_and_back(three, nothing);
    for part in [
        "<Parallel failure_count=\"1\" success_count=\"2\">",
        "<Action state=\"up\" ID=\"TakeOff\" takeoff.height=\"7.0\" speed=\"1.50\"/>",
        "<input_port name=\"takeoff.height\" type=\"double\"/>",
    ] {
        assert!(back.contains(part), "{part}\n{back}");
    }
    // Also if the node was changed in between.
    let four = three.replace("<root", "<root BTCPP_format=\"4\"");
    let four = four.replace("_threshold", "_count");
    let there = convert(&four, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    assert!(there.text.contains("speed=1.5"), "{}", there.text);
    let changed = there.text.replace("speed=1.5", "speed=2.5");
    let back = convert(&changed, "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
    let part = "<Action state=\"up\" ID=\"TakeOff\" takeoff.height=\"7.0\" speed=\"2.50\"/>";
    assert!(back.text.contains(part), "{}", back.text);
}
