//! What a `SubTree` gives to its tree, in both versions of the XML.

use super::btcpp::{played, said};
use treemind_doc::{Document, Format, convert};

/// A tree that writes `to` and calls another one, which succeeds if it reads `far` under the name `key`.
fn calls(version: &str, call: &str, key: &str) -> Document {
    let text = format!(
        "<root{version} main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>\
         <SetBlackboard output_key=\"to\" value=\"far\"/>{call}</Sequence></BehaviorTree>\
         <BehaviorTree ID=\"Go\"><BlackboardCheckString value_A=\"{{{key}}}\" value_B=\"far\"><Action ID=\"A\"/>\
         </BlackboardCheckString></BehaviorTree></root>"
    );
    let document = Document::parse(&text, "t.xml");
    assert!(!document.has_errors(), "{text}\n{:?}", said(&document));
    document
}

fn is_given(document: &Document) -> bool {
    played(document, "", 1, 0) == ["1 SUCCESS | tick A SUCCESS"]
}

#[test]
fn a_shared_blackboard_has_no_ports() {
    let call = "<SubTree ID=\"Go\" __shared_blackboard=\"true\" target=\"to\"/>";
    let same = calls("", call, "to");
    assert!(is_given(&same));
    assert_eq!(
        said(&same),
        [
            "T0105 `target` is ignored: with `__shared_blackboard`, the tree uses the names of its caller as they are"
        ]
    );
    assert!(!is_given(&calls("", call, "target")));
    // It is shared only where that is said.
    let off = calls("", &call.replace("true", "false"), "target");
    assert!(is_given(&off));
    assert_eq!(said(&off), Vec::<String>::new());
    // The words of the two elements are not those of the other one.
    let plus = "<SubTreePlus ID=\"Go\" __shared_blackboard=\"true\"/>";
    let plus = calls("", plus, "to");
    assert!(!is_given(&plus));
    assert_eq!(
        said(&plus),
        ["T0105 `__shared_blackboard` has no meaning for `SubTreePlus`, so it is ignored"]
    );
    assert!(is_given(&calls(
        "",
        "<SubTreePlus ID=\"Go\" __autoremap=\"1\"/>",
        "to"
    )));
}

#[test]
fn words_of_version_three_mean_nothing_in_version_four() {
    let four = " BTCPP_format=\"4\"";
    for word in ["__shared_blackboard", "__autoremap"] {
        let call = format!("<SubTree ID=\"Go\" {word}=\"true\"/>");
        let own = calls(four, &call, "to");
        assert!(!is_given(&own), "{word}");
        assert_eq!(
            said(&own),
            [format!(
                "T0105 `{word}` has no meaning in version 4, so it is ignored"
            )]
        );
        let off = calls(four, &call.replace("true", "false"), "to");
        assert_eq!(said(&off), Vec::<String>::new());
        let ports = call.replace("/>", " target=\"{to}\"/>");
        assert!(is_given(&calls(four, &ports, "target")), "{word}");
    }
    let call = "<SubTree ID=\"Go\" _autoremap=\"true\"/>";
    assert!(is_given(&calls(four, call, "to")));
}

/// In version 3, the braces are a part of the name.
#[test]
fn a_plain_subtree_takes_the_name_of_a_key_as_it_is_written() {
    let call = "<SubTree ID=\"Go\" target=\"{to}\"/>";
    let three = calls(" BTCPP_format=\"3\"", call, "target");
    assert!(!is_given(&three));
    assert_eq!(
        said(&three),
        ["T0112 a key with the name `{to}`, not `to`: version 3 takes the name as it is written"]
    );
    let plain = calls(" BTCPP_format=\"3\"", &call.replace("{to}", "to"), "target");
    assert!(is_given(&plain));
    let plus = call.replace("SubTree", "SubTreePlus");
    assert!(is_given(&calls(" BTCPP_format=\"3\"", &plus, "target")));
    // Two calls that are given the same name share its key.
    let text = "<root BTCPP_format=\"3\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>\
        <SubTree ID=\"Say\" out=\"{k}\"/><SubTree ID=\"Hear\" in=\"{k}\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Say\"><SetBlackboard output_key=\"out\" value=\"far\"/></BehaviorTree>\
        <BehaviorTree ID=\"Hear\"><BlackboardCheckString value_A=\"{in}\" value_B=\"far\"><Action ID=\"A\"/>\
        </BlackboardCheckString></BehaviorTree></root>";
    assert!(is_given(&Document::parse(text, "t.xml")));
}

/// BehaviorTree.CPP looks for a tree only when the one around its call is made.
#[test]
fn a_tree_that_is_missing_where_nothing_runs() {
    let file = |root: &str, main: &str, other: &str| {
        format!(
            "<root BTCPP_format=\"4\"{root}>\n  <BehaviorTree ID=\"Main\">\n    {main}\n  </BehaviorTree>\n  \
             <BehaviorTree ID=\"Old\">\n    <Sequence>\n      {other}\n      <Action ID=\"Look\"/>\n    </Sequence>\n  \
             </BehaviorTree>\n</root>\n"
        )
    };
    let main = " main_tree_to_execute=\"Main\"";
    let call =
        "<SubTree ID=\"Go Hme\" _skipIf=\"n == 1\" name=\"back\" to=\"{goal}\" speed=\"1.50\"/>";
    let text = file(main, "<Action ID=\"Look\"/>", call);
    let document = Document::parse(&text, "t.xml");
    let all = document.diagnostics();
    assert!(!document.has_errors(), "{all:?}");
    let messages: Vec<&str> = all.iter().map(|one| one.message()).collect();
    assert_eq!(
        messages,
        [
            "unknown tree `Go Hme`, read as an action of the host: the main tree does not reach this call"
        ]
    );
    let help = "a program that runs the tree around it needs the tree `Go Hme`";
    assert_eq!(all[0].help(), Some(help));
    assert_eq!(
        played(&document, "", 1, 0),
        ["1 SUCCESS | tick Look SUCCESS"]
    );
    // It comes back as it was, and nothing declares it as an action.
    let kdl = convert(&text, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    let again = convert(&kdl.text, "t.kdl", Format::Kdl, Format::BtCpp).expect("xml");
    assert!(again.text.contains(call), "{}", again.text);
    assert_eq!(again.text.matches("Hme").count(), 1, "{}", again.text);
    // A tree that the main one reaches, by whatever way, has to be there; so has each if nothing says which one runs.
    let around = "<Sequence><SubTree ID=\"Old\"/></Sequence>";
    for text in [
        file(main, around, "<SubTree ID=\"Gone\"/>"),
        file(main, "<SubTree ID=\"Gone\"/>", "<AlwaysSuccess/>"),
        file("", "<Action ID=\"Look\"/>", "<SubTree ID=\"Gone\"/>"),
    ] {
        let document = Document::parse(&text, "t.xml");
        assert_eq!(said(&document), ["T0106 unknown tree `Gone`"], "{text}");
    }
    // The help knows the trees.
    let text = file(main, "<Action ID=\"Look\"/>", "<SubTree ID=\"Main2\"/>");
    let document = Document::parse(&text, "t.xml");
    assert_eq!(
        document.diagnostics()[0].help(),
        Some("did you mean `Main`?")
    );
    // A node of that name is no tree.
    let text = file(main, "<Action ID=\"Look\"/>", "<SubTree ID=\"Look\"/>");
    assert!(Document::parse(&text, "t.xml").has_errors());
}

#[test]
fn such_a_call_of_version_three_becomes_one_of_version_four() {
    let text = "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Action ID=\"Look\"/></BehaviorTree>\
                <BehaviorTree ID=\"Old\"><SequenceStar><SubTree ID=\"Gone\" to=\"goal\"/>\
                <SubTreePlus ID=\"Far\" to=\"${goal}\" by=\"car\" __autoremap=\"1\"/></SequenceStar></BehaviorTree></root>";
    let kdl = convert(text, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    let again = convert(&kdl.text, "t.kdl", Format::Kdl, Format::BtCpp).expect("xml");
    for call in [
        "<SubTree ID=\"Gone\" to=\"{goal}\"/>",
        "<SubTree ID=\"Far\" to=\"{goal}\" by=\"car\" _autoremap=\"true\"/>",
    ] {
        assert!(again.text.contains(call), "{}\n{}", kdl.text, again.text);
    }
    assert!(!Document::parse(&again.text, "t.xml").has_errors());
}
