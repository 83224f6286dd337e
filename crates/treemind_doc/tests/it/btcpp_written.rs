//! Documents written as trees of BehaviorTree.CPP.

use super::btcpp::{nav2, tree};
use std::fs;
use treemind_doc::{Code, Document, Format, convert, outline, write_btcpp};

/// XML to KDL to XML.
fn there_and_back(xml: &str, name: &str) -> (String, String) {
    let kdl = convert(xml, name, Format::BtCpp, Format::Kdl);
    let kdl = kdl
        .unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
        .text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.unwrap_or_else(|refusal| panic!("{name}: {refusal}\n{kdl}"));
    (kdl, back.text)
}

/// What a document says, tree by tree.
fn shown(text: &str, name: &str) -> String {
    let document = Document::parse(text, name);
    assert!(
        !document.has_errors(),
        "{text}\n{:?}",
        document.diagnostics()
    );
    outline(&document.behaviour(None).expect("a tree"))
}

#[test]
fn xml_is_kept_byte_by_byte() {
    let xml = tree("<!-- look --><Sequence  _uid='3' foo_bar=\"x\"><Look  name=\"\"/></Sequence>");
    let converted = convert(&xml, "t.xml", Format::BtCpp, Format::BtCpp).expect("XML");
    assert_eq!(converted.text, xml);
}

#[test]
fn every_node_comes_back() {
    let nodes = [
        "<Sequence><AsyncSequence><A/><B/></AsyncSequence><SequenceWithMemory><A/><B/></SequenceWithMemory></Sequence>",
        "<Fallback name=\"a &amp; b\"><AsyncFallback><A/><B/></AsyncFallback><ReactiveFallback><A/><B/></ReactiveFallback></Fallback>",
        "<Parallel success_count=\"-1\" failure_count=\"-1\"><A/><ParallelAll max_failures=\"2\"><A/><B/></ParallelAll><A/></Parallel>",
        "<Parallel success_count=\"1\"><A/><ReactiveSequence><A/><B/></ReactiveSequence></Parallel>",
        "<IfThenElse><A/><WhileDoElse><A/><B/></WhileDoElse><TryCatch catch_on_halt=\"true\"><A/><B/></TryCatch></IfThenElse>",
        "<Inverter><ForceSuccess><ForceFailure><A/></ForceFailure></ForceSuccess></Inverter>",
        "<Repeat num_cycles=\"3\"><RetryUntilSuccessful num_attempts=\"-1\"><KeepRunningUntilFailure><A/></KeepRunningUntilFailure></RetryUntilSuccessful></Repeat>",
        "<Repeat num_cycles=\"{n}\"><RunOnce><RunOnce then_skip=\"false\"><A/></RunOnce></RunOnce></Repeat>",
        "<Delay delay_msec=\"250\"><Timeout msec=\"{ms}\"><Sleep msec=\"1500\"/></Timeout></Delay>",
        "<Delay delay_msec=\"0\"><AlwaysSuccess/></Delay>",
        "<Sequence><A _skipIf=\"!(x == 'y') || z &gt; 3\" _while=\"door_open\" _onSuccess=\"z := z + 1; k := true\" _onHalted=\"z -= 2\"/><B _failureIf=\"b == true\" _post=\"p := 'a'\"/></Sequence>",
        "<Sequence><Script code=\"a := 7; b := a &amp; 3 | ~a; c := a &gt; 3 ? 'x' : 'y'\"/><ScriptCondition code=\"1 &lt; a &lt; 5 &amp;&amp; b != 2\"/></Sequence>",
        "<Sequence><SetBlackboard value=\"{x}\" output_key=\"y\"/><SetBlackboard value=\"text\" output_key=\"z\"/><UnsetBlackboard key=\"y\"/></Sequence>",
        "<Sequence><WasEntryUpdated entry=\"k\"/><SkipUnlessUpdated entry=\"k\"><A/></SkipUnlessUpdated><WaitValueUpdate entry=\"k\"><A k=\"{k}\"/></WaitValueUpdate></Sequence>",
        "<Switch2 variable=\"{v}\" case_1=\"1\" case_2=\"far\"><A/><B/><AlwaysFailure/></Switch2>",
        "<Sequence><Go to=\"{goal}\" fast=\"true\" speed=\"1.5\" note=\"it's\"/><Condition ID=\"Near\" range=\"3\"/><Decorator ID=\"Often\" hz=\"2\"><Many><A/><B/></Many></Decorator></Sequence>",
        "<Sequence><Go doc=\"d\" type=\"t\" when=\"3\"/></Sequence>",
    ];
    for inside in nodes {
        let (kdl, back) = there_and_back(&tree(inside), "t.xml");
        assert_eq!(
            shown(&back, "t.xml"),
            shown(&tree(inside), "t.xml"),
            "{inside}\n{kdl}\n{back}"
        );
    }
}

#[test]
fn subtrees_and_what_they_are_given_come_back() {
    let xml = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Inner\"><Go to=\"{to}\" at=\"{@speed}\" note=\"{note}\"/></BehaviorTree>\
        <BehaviorTree ID=\"Main\" _description=\"all\"><Sequence><SubTree ID=\"Inner\" to=\"{goal}\" note=\"lit\" _skipIf=\"x == 1\"/><SubTree ID=\"Inner\" to=\"4\" note=\"{n}\"/></Sequence></BehaviorTree></root>";
    let (kdl, back) = there_and_back(xml, "t.xml");
    assert_eq!(shown(&back, "t.xml"), shown(xml, "t.xml"), "{kdl}\n{back}");
    for part in [
        "note=\"lit\"",
        "to=\"4\"",
        "at=\"{@speed}\"",
        "_description=\"all\"",
    ] {
        assert!(back.contains(part), "{part} in\n{back}");
    }
}

#[test]
fn the_trees_of_nav2_come_back() {
    let mut count = 0;
    for file in fs::read_dir(nav2()).expect("a folder") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        if path.extension().is_none_or(|ending| ending != "xml") || !text.contains("<BehaviorTree")
        {
            continue;
        }
        let (_, back) = there_and_back(&text, "t.xml");
        assert_eq!(
            shown(&back, "t.xml"),
            shown(&text, "t.xml"),
            "{}",
            path.display()
        );
        // All elements and attributes of the trees are there as they were spelt, in their order.
        let element = |text: &str| -> Vec<String> {
            let parts = text
                .split('<')
                .filter(|part| part.starts_with(|c: char| c.is_alphabetic()));
            let parts = parts.filter(|part| !part.contains("_port") && !part.starts_with("root"));
            let one = |part: &str| {
                part.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .replace(" />", "/>")
            };
            parts
                .map(one)
                .filter(|part| !part.contains("ID=") && !part.contains("TreeNodesModel"))
                .collect()
        };
        let sorted = |part: &String| {
            let mut words: Vec<&str> = part.split(' ').collect();
            words[1..].sort_unstable();
            words.join(" ").replace(['/', '>'], "")
        };
        let (before, after) = (element(&strip(&text)), element(&back));
        let before: Vec<String> = before.iter().map(sorted).collect();
        let after: Vec<String> = after.iter().map(sorted).collect();
        assert_eq!(after, before, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 5);
}

/// A text without its comments.
fn strip(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("-->").map_or("", |(_, rest)| rest));
    }
    kept
}

#[test]
fn what_the_dialect_lacks_is_named_node_by_node() {
    let text = "blackboard { key health type=float default=100.0; }
        leaves { action hit { param at type=float; }; condition near; }
        tree t { selector {
            utility-selector { action hit at=1.0 score=1.0; }
            action hit at=\"=health + 1.0\" when=\"health < 20\"
            check \"sqrt(health) > 3.0\"
            condition near not=#true
            sequence yields=always { succeed; wait 1.0; }
            wait 0.5
        } }";
    let load = |_: &str| Err::<Vec<u8>, _>("no");
    let refusal = write_btcpp(text, "t.kdl", Format::Kdl, None, load).expect_err("it is refused");
    let lacking = refusal.iter().filter(|item| item.code() == Code::NoForm);
    let said: Vec<&str> = lacking.map(|item| item.message()).collect();
    assert_eq!(
        said,
        [
            "BehaviorTree.CPP has no `utility-selector`",
            "`action` takes a literal or a key in BehaviorTree.CPP, and no expression",
            "scripts of BehaviorTree.CPP have no `sqrt()`, which this `check` needs",
            "BehaviorTree.CPP has no `not=`: put an `invert` around it",
            "BehaviorTree.CPP has no list with `yields=always`",
        ]
    );
}

#[test]
fn our_own_documents_say_what_differs() {
    let text = "leaves { condition see; action go { param to type=string default=\"home\" doc=\"where\"; } }
        // a comment
        blackboard { key ammo type=int default=6; }
        tree t { reactive-selector { sequence { condition see; repeat 3 { action go to=\"away\"; }; }; parallel { action go; check \"ammo > 0\"; }; } }";
    let converted = convert(text, "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
    assert_eq!(
        converted.text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<root BTCPP_format=\"4\">
  <!-- a comment -->
  <BehaviorTree ID=\"t\">
    <ReactiveFallback>
      <Sequence>
        <see/>
        <Repeat num_cycles=\"3\">
          <go to=\"away\"/>
        </Repeat>
      </Sequence>
      <Parallel>
        <go/>
        <ScriptCondition code=\"@ammo &gt; 0\"/>
      </Parallel>
    </ReactiveFallback>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID=\"go\">
      <input_port name=\"to\" type=\"std::string\" default=\"home\">where</input_port>
    </Action>
    <Condition ID=\"see\"/>
  </TreeNodesModel>
</root>
"
    );
    assert_eq!(converted.comments_lost, 0);
    assert_eq!(
        converted.differences.len(),
        3,
        "{:?}",
        converted.differences
    );
    assert!(!Document::parse(&converted.text, "t.xml").has_errors());
}

/// Comments and attributes of editors stand at the same elements again.
#[test]
fn comments_come_back() {
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\n\
\u{20} <!-- who walks -->\n\
\u{20} <BehaviorTree ID=\"Main\" _favorite=\"true\">\n\
\u{20}   <!-- one -->\n\
\u{20}   <!--two\n\
\u{20}       lines-->\n\
\u{20}   <Sequence _collapsed=\"true\" _uid=\"4\">\n\
\u{20}     <!-- a - b -->\n\
\u{20}     <Action ID=\"Go\"/>\n\
\u{20}     <!-- before the second -->\n\
\u{20}     <Action ID=\"Stop\"/>\n\
\u{20}     <!-- at the end -->\n\
\u{20}   </Sequence>\n\
\u{20} </BehaviorTree>\n\
\u{20} <!-- models -->\n\
\u{20} <TreeNodesModel>\n\
\u{20}   <Action ID=\"Go\"/>\n\
\u{20}   <Action ID=\"Stop\"/>\n\
\u{20} </TreeNodesModel>\n\
</root>\n";
    let (kdl, back) = there_and_back(xml, "t.xml");
    assert!(
        kdl.contains("        // a - b\n        action Go\n"),
        "{kdl}"
    );
    assert!(kdl.contains("// _collapsed=\"true\" _uid=\"4\""), "{kdl}");
    let place = |text: &str, part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part} is not in\n{text}"))
    };
    let order = [
        "<!-- who walks -->\n  <BehaviorTree ID=\"Main\" _favorite=\"true\">",
        "<!-- one -->\n    <!--two\n        lines-->\n    <Sequence _collapsed=\"true\" _uid=\"4\">",
        "<!-- a - b -->\n      <Action ID=\"Go\"",
        "<!-- before the second -->\n      <Action ID=\"Stop\"",
        "<!-- at the end -->\n    </Sequence>",
        "<!-- models -->\n  <TreeNodesModel>",
    ];
    let mut last = 0;
    for part in order {
        let at = place(&back, part);
        assert!(at > last, "{part}\n{back}");
        last = at;
    }
    let again = convert(&back, "t.xml", Format::BtCpp, Format::Kdl).expect("KDL");
    assert_eq!(again.text, kdl);
    assert_eq!(again.lost(), [""; 0]);
    // In KDL, a comment may stand behind its node; XML has no such place. What is no text of XML is changed.
    let kdl = "tree t {\n    sequence {\n        wait 1.0 // how -- long--\n        /* here */ succeed\n    } // end\n}\n";
    let written = convert(kdl, "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
    assert_eq!(written.comments_lost, 0);
    assert!(
        written
            .text
            .contains("<!-- how - - long- - -->\n      <Sleep"),
        "{}",
        written.text
    );
    assert!(
        written
            .text
            .contains("<!-- here -->\n      <AlwaysSuccess/>"),
        "{}",
        written.text
    );
    assert!(written.text.contains("<!-- end -->"), "{}", written.text);
}
