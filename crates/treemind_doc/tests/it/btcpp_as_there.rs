//! What the library BehaviorTree.CPP does with odd files was tried with it; the same is done here.

use super::btcpp::{played, plays, said, tree};
use treemind_doc::{Document, Format, convert};

/// The document of a tree, and what is said of it.
pub(crate) fn read(inside: &str) -> (Document, Vec<String>) {
    let document = Document::parse(&tree(inside), "t.xml");
    let problems = said(&document);
    (document, problems)
}

/// A tree comes back from the native format as it was.
pub(crate) fn comes_back(inside: &str) {
    let kdl = convert(&tree(inside), "t.xml", Format::BtCpp, Format::Kdl);
    let kdl = kdl.expect("a document").text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.expect("XML").text;
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    assert!(packed(&back).contains(&packed(inside)), "{back}\n{kdl}");
}

#[test]
fn queues_of_loops() {
    let counts = |name: &str, queue: &str, more: &str, test: &str| {
        format!(
            "<Sequence><Script code=\"n := 0\"/><{name} queue=\"{queue}\"{more} value=\"{{v}}\"><Script code=\"n += 1\"/></{name}><ScriptCondition code=\"{test}\"/></Sequence>"
        )
    };
    let long: Vec<String> = (0..100).map(|nth| nth.to_string()).collect();
    for (name, queue, items, last) in [
        ("LoopInt", "1;2;", 2, "v == 2"),
        ("LoopInt", "1;2 ", 2, "v == 2"),
        ("LoopInt", "1 ;2", 2, "v == 2"),
        ("LoopInt", "-1;-07", 2, "v == -7"),
        ("LoopInt", &long.join(";"), 100, "v == 99"),
        ("LoopDouble", "1;2.5;", 2, "v == 2.5"),
        ("LoopDouble", "1;.5 ", 2, "v == 0.5"),
        ("LoopBool", "TRUE;False", 2, "v == false"),
        ("LoopBool", "0;True", 2, "v == true"),
        ("LoopString", "a;b;", 2, "v == 'b'"),
        ("LoopString", "a;;", 2, "v == ''"),
        ("LoopString", ";", 1, "v == ''"),
        ("LoopString", "it's; b", 2, "v == ' b'"),
    ] {
        let test = format!("n == {items} &amp;&amp; {last}");
        let (document, problems) = read(&counts(name, queue, "", &test));
        assert_eq!(problems, Vec::<String>::new(), "{queue}");
        let mut lines = vec![];
        for tick in 1..=items {
            lines.push(format!("{tick} RUNNING"));
        }
        lines.push(format!("{} SUCCESS", items + 1));
        assert_eq!(played(&document, "", items + 1, 0), lines, "{queue}");
        comes_back(&counts(name, queue, "", &test));
    }
    // Without an item, it answers at once.
    plays(&counts("LoopInt", "", "", "n == 0"), "", &["1 SUCCESS"]);
    // What the library ignores, and what it refuses.
    for (name, queue, expected) in [
        (
            "LoopInt",
            "2.9;1x",
            "`2.9` is read as `2`, as BehaviorTree.CPP reads it|`1x` is read as `1`, as BehaviorTree.CPP reads it",
        ),
        (
            "LoopDouble",
            "1; 2",
            "` 2` is read as `2`, as BehaviorTree.CPP reads it",
        ),
        (
            "LoopInt",
            "1; 2",
            "expected whole numbers in the queue of `LoopInt`, found ` 2`",
        ),
        (
            "LoopInt",
            "1;;2",
            "expected whole numbers in the queue of `LoopInt`, found ``",
        ),
        (
            "LoopInt",
            "+1",
            "expected whole numbers in the queue of `LoopInt`, found `+1`",
        ),
        (
            "LoopInt",
            "3000000000",
            "expected whole numbers in the queue of `LoopInt`, found `3000000000`",
        ),
        (
            "LoopBool",
            "true; false",
            "expected `true` or `false` in the queue of `LoopBool`, found ` false`",
        ),
    ] {
        let (document, problems) = read(&counts(name, queue, "", "n == 2"));
        let problems: Vec<&str> = problems.iter().map(|one| &one["T0000 ".len()..]).collect();
        assert_eq!(problems.join("|"), expected, "{queue}");
        assert_eq!(document.has_errors(), expected.starts_with("expected"));
    }
    let long = vec!["1"; 1_000].join(";");
    let (document, problems) = read(&counts("LoopInt", &long, "", "n == 0"));
    assert!(!document.has_errors());
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn what_an_empty_queue_answers() {
    let over = |if_empty: &str, child: &str| {
        format!(
            "<Sequence><SetBlackboard value=\"FAILURE\" output_key=\"e\"/><LoopInt queue=\"1\" if_empty=\"{if_empty}\" value=\"{{v}}\"><{child}/></LoopInt></Sequence>"
        )
    };
    for (if_empty, answer) in [
        ("SUCCESS", "SUCCESS"),
        ("FAILURE", "FAILURE"),
        ("RUNNING", "RUNNING"),
        ("{e}", "FAILURE"),
    ] {
        let lines = ["1 RUNNING", &format!("2 {answer}")];
        plays(&over(if_empty, "AlwaysSuccess"), "", &lines);
        plays(&over(if_empty, "AlwaysFailure"), "", &["1 FAILURE"]);
        comes_back(&over(if_empty, "AlwaysSuccess"));
    }
    let by_key = over("{e}", "AlwaysSuccess").replace("=\"FAILURE\"", "=\"SKIPPED\"");
    plays(&by_key, "", &["1 RUNNING", "2 SUCCESS"]);
    let (_, problems) = read(&over("IDLE", "AlwaysSuccess"));
    assert_eq!(
        problems,
        [
            "T0207 expected `SUCCESS`, `FAILURE`, `SKIPPED` or `RUNNING` for `if_empty`, found `IDLE`"
        ]
    );
}

#[test]
fn times_are_unsigned() {
    for inside in [
        "<Sleep msec=\"4294967295\"/>",
        "<Timeout msec=\"2147483648\"><Act name=\"A\"/></Timeout>",
        "<Delay delay_msec=\"3000000000\"><Act name=\"A\"/></Delay>",
    ] {
        assert_eq!(read(inside).1, Vec::<String>::new(), "{inside}");
        comes_back(inside);
    }
    for (inside, expected) in [
        (
            "<Sleep msec=\"4294967296\"/>",
            "T0202 `msec` must be at most 4294967295",
        ),
        ("<Sleep msec=\"-1\"/>", "T0202 `msec` must be at least 0"),
        (
            "<RetryUntilSuccessful num_attempts=\"3000000000\"><Act name=\"A\"/></RetryUntilSuccessful>",
            "T0202 `num_attempts` must be at most 2147483647",
        ),
        (
            "<Repeat num_cycles=\"99999999999999999999\"><Act name=\"A\"/></Repeat>",
            "T0202 `num_cycles` must be at most 2147483647",
        ),
        (
            "<Repeat num_cycles=\"-99999999999999999999\"><Act name=\"A\"/></Repeat>",
            "T0202 `num_cycles` must be at least -2147483648",
        ),
    ] {
        assert_eq!(read(inside).1, [expected], "{inside}");
    }
}

#[test]
fn a_switch_without_all_its_ports() {
    let switch = |ports: &str| {
        format!(
            "<Sequence><Script code=\"q := 2\"/><Switch3 {ports}><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/><Act name=\"D\"/></Switch3></Sequence>"
        )
    };
    let no_case = "T0205 `Switch3` has no `case_3`, so the child for it never runs";
    let no_variable = "T0205 `Switch3` has no `variable`, so its last child runs";
    for (ports, runs, expected) in [
        ("variable=\"2\" case_1=\"1\" case_2=\"2\"", "B", no_case),
        ("variable=\"3\" case_1=\"1\" case_2=\"2\"", "D", no_case),
        ("variable=\"{q}\" case_1=\"1\" case_2=\"2\"", "B", no_case),
        ("variable=\"{r}\" case_1=\"1\" case_2=\"2\"", "D", no_case),
        ("variable=\"\" case_1=\"1\" case_2=\"2\"", "D", no_case),
        ("case_1=\"\" case_2=\"2\" case_3=\"3\"", "D", no_variable),
        ("case_2=\"2\"", "D", no_variable),
    ] {
        let (document, problems) = read(&switch(ports));
        assert_eq!(problems, [expected], "{ports}");
        let line = format!("1 SUCCESS | tick {runs} SUCCESS");
        assert_eq!(played(&document, "", 1, 0), [line], "{ports}");
        comes_back(&switch(ports));
    }
}

#[test]
fn statements_without_a_sign_between_them() {
    for code in [
        "x := 1 y := 2",
        "x := 1\n y := x + 1",
        "y := 2; (x := 1)",
        "z := y := 2; x := w := 1",
        "x := (y := 1); y += (x := 1)",
    ] {
        let inside = format!(
            "<Sequence><Script code=\"{code}\"/><ScriptCondition code=\"x == 1 &amp;&amp; y == 2\"/></Sequence>"
        );
        plays(&inside, "", &["1 SUCCESS"]);
    }
}

/// Nobody sees the value of a `Script`, and of what runs after a node.
#[test]
fn scripts_whose_value_is_a_text() {
    for inside in [
        "<Script code=\"'a'\"/>",
        "<Script code=\"n := 'b'; n .. 'a'\"/>",
        "<AlwaysSuccess _onSuccess=\"'x'\" _post=\"'name' .. 'x'\"/>",
    ] {
        plays(inside, "", &["1 SUCCESS"]);
    }
    assert_eq!(
        read("<AlwaysSuccess _skipIf=\"'x'\"/>").1,
        [
            "T0501 this version cannot run the script of `_skipIf`: the text 'x' is neither true nor false"
        ]
    );
}

/// A text that is a number is equal to it, also with a sign or a fraction.
#[test]
fn texts_that_are_numbers() {
    for (text, test) in [
        ("-3", "n == -3"),
        ("-3", "-3 == n"),
        ("2.5", "n == 2.5"),
        ("-0.5", "n == -0.5"),
        ("2.5", "n != -2.5"),
        ("2.5", "!(n != 2.5)"),
        ("3", "n == 3"),
    ] {
        let inside = format!(
            "<Sequence><SetBlackboard value=\"a\" output_key=\"n\"/><Script code=\"n := '{text}'\"/><ScriptCondition code=\"{test}\"/></Sequence>"
        );
        plays(&inside, "", &["1 SUCCESS"]);
    }
}

#[test]
fn a_key_that_says_which_key_is_unset() {
    let inside = |set: &str, then: &str| {
        format!(
            "<Sequence><Script code=\"{set}\"/><UnsetBlackboard key=\"{{k}}\"/><Act name=\"A\" in=\"{{a}}\"/><SkipUnlessUpdated entry=\"none\"><AlwaysSuccess/></SkipUnlessUpdated><ScriptCondition code=\"{then}\"/></Sequence>"
        )
    };
    assert_eq!(
        read(&inside("k := 'a'", "k == 'a'")).1,
        Vec::<String>::new()
    );
    let yes = ["1 SUCCESS | tick A SUCCESS"];
    // What it names is gone, and nothing else.
    plays(
        &inside("k := 'a'; a := 'x'; b := 'y'", "k == 'a' && b == 'y'"),
        "",
        &yes,
    );
    plays(
        &inside("k := 'b'; a := 'x'; b := 'y'", "a == 'x'"),
        "",
        &yes,
    );
    plays(
        &inside("k := 'nothing'; a := 'x'", "a == 'x' && k == 'nothing'"),
        "",
        &yes,
    );
    plays(&inside("k := 3; a := 'x'", "a == 'x' && k == 3"), "", &yes);
    let kdl = treemind_doc::convert(
        &crate::btcpp::tree(&inside("k := 'a'; a := 'x'", "k == 'a'")),
        "t.xml",
        treemind_doc::Format::BtCpp,
        treemind_doc::Format::Kdl,
    );
    let kdl = kdl.expect("a tree without mistakes").text;
    assert!(
        kdl.contains("unset a skip-if=\"!(has(k) && k == 'a')\""),
        "{kdl}"
    );
    let plain = "<Sequence><Script code=\"k := 'a'\"/><UnsetBlackboard key=\"k\"/></Sequence>";
    assert_eq!(read(plain).1, Vec::<String>::new());
}

/// A tree unsets only keys of its own.
#[test]
fn what_a_tree_does_not_unset() {
    let text = |key: &str| {
        format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence><Script code=\"x := 5; k := 'p'\"/><SubTree ID=\"S\" p=\"{{x}}\" k=\"{{k}}\"/><ScriptCondition code=\"x == 5\"/></Sequence></BehaviorTree><BehaviorTree ID=\"S\"><Sequence><UnsetBlackboard key=\"{key}\"/></Sequence></BehaviorTree></root>"
        )
    };
    for (key, warns) in [("p", true), ("@x", true), ("{k}", false), ("own", false)] {
        let document = treemind_doc::Document::parse(&text(key), "t.xml");
        let said = crate::btcpp::said(&document);
        assert_eq!(
            crate::btcpp::played(&document, "", 1, 0),
            ["1 SUCCESS"],
            "{key}"
        );
        let warning =
            format!("T0112 `{key}` is not unset: BehaviorTree.CPP unsets only the tree's own keys");
        assert_eq!(said.contains(&warning), warns, "{said:?}");
    }
}

/// A text is equal to a number however it is written.
#[test]
fn texts_that_are_numbers_in_other_spellings() {
    for (text, test) in [
        ("03", "n == 3"),
        ("3.0", "n == 3"),
        ("3.50", "3.5 == n"),
        ("3e0", "n == 3"),
        ("4", "n != 3"),
        ("3", "'03' == 3"),
        ("03", "n == m"),
        ("1", "n == 1"),
        ("true", "n == true"),
    ] {
        let inside = format!(
            "<Sequence><Script code=\"n := '{text}'; m := 2; m += 1\"/><ScriptCondition code=\"{test}\"/></Sequence>"
        );
        plays(&inside, "", &["1 SUCCESS"]);
    }
}

/// What a node of the host is told to write, in version 3.
#[test]
fn a_plain_name_that_a_node_also_writes() {
    let file = |version: &str, value: &str| {
        format!(
            "<root BTCPP_format=\"{version}\"><BehaviorTree ID=\"M\"><Grow size=\"{value}\"/></BehaviorTree><TreeNodesModel><Action ID=\"Grow\"><inout_port name=\"size\"/></Action></TreeNodesModel></root>"
        )
    };
    let said = |version: &str, value: &str| {
        let document = treemind_doc::Document::parse(&file(version, value), "t.xml");
        crate::btcpp::said(&document)
    };
    assert_eq!(
        said("3", "big"),
        ["T0112 a text, but version 3 also writes the key `big` if the node writes `size`"]
    );
    assert_eq!(said("3", "{big}"), Vec::<String>::new());
    assert_eq!(said("3", "3"), Vec::<String>::new());
}

/// A node of the model with the name of a tree: version 4 refuses it, in version 3 the node counts.
#[test]
fn a_node_and_a_tree_of_one_name() {
    let said = |version: &str, node: &str| {
        let text = format!(
            "<root BTCPP_format=\"{version}\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence>{node}</Sequence></BehaviorTree><BehaviorTree ID=\"Home\"><AlwaysSuccess/></BehaviorTree><TreeNodesModel><Action ID=\"Home\"/></TreeNodesModel></root>"
        );
        crate::btcpp::said(&treemind_doc::Document::parse(&text, "t.xml"))
    };
    let refused = "T0101 expected a node, but `Home` is a tree";
    for node in ["<Home/>", "<Action ID=\"Home\"/>"] {
        assert_eq!(said("4", node), [refused], "{node}");
        assert_eq!(said("3", node), Vec::<String>::new(), "{node}");
    }
    assert_eq!(said("4", "<SubTree ID=\"Home\"/>"), Vec::<String>::new());
}

#[test]
fn a_wrong_number_of_children_is_told_with_the_name_of_the_file() {
    let wrong = |inside: &str| read(inside).1;
    // A file with a version is none of py_trees, which has this decorator.
    assert_eq!(
        wrong("<FailureIsSuccess/>"),
        ["T0102 `FailureIsSuccess`: condition or action is not known, read as an action"]
    );
    assert_eq!(
        wrong("<Decorator ID=\"Inverter\"/>"),
        ["T0301 `Inverter` needs a child"]
    );
}

/// Names that are near those of built-in nodes.
#[test]
fn leaves_that_are_nearly_built_in() {
    for (leaf, near) in [
        ("<Failure/>", Some("use `AlwaysFailure` if it is meant")),
        ("<Success/>", Some("use `AlwaysSuccess` if it is meant")),
        ("<Wait/>", Some("use `Sleep` if it is meant")),
        ("<Wait msec=\"5\"/>", Some("use `Sleep` if it is meant")),
        // Nav2 has one, and a file may say that it has one, too.
        ("<Wait wait_duration=\"5\"/>", None),
        ("<Action ID=\"Wait\"/>", None),
    ] {
        let document = Document::parse(&tree(leaf), "t.xml");
        let help = document.diagnostics().iter().next();
        let help = help.and_then(|problem| problem.help());
        assert_eq!(help, near, "{leaf}");
    }
}

/// A case is a text or a number, whichever the key holds.
#[test]
fn cases_that_are_spelled_like_a_text() {
    for (value, cases, runs) in [
        ("'3'", "case_1=\"b\" case_2=\"3\"", "B"),
        ("3", "case_1=\"b\" case_2=\"3\"", "B"),
        ("'3'", "case_1=\"3\" case_2=\"4\"", "A"),
        ("'-1'", "case_1=\"1\" case_2=\"-1\"", "B"),
        ("'1.5'", "case_1=\"1.5\" case_2=\"1\"", "A"),
        ("'b'", "case_1=\"3\" case_2=\"4\"", "C"),
        ("'03'", "case_1=\"3\" case_2=\"4\"", "A"),
        ("'3.0'", "case_1=\"4\" case_2=\"3\"", "B"),
        ("'3'", "case_1=\"4\" case_2=\"03.0\"", "B"),
        ("'+3'", "case_1=\"3\" case_2=\"4\"", "C"),
        ("'3 '", "case_1=\"3\" case_2=\"4\"", "C"),
    ] {
        let inside = format!(
            "<Sequence><Script code=\"z := {value}\"/><Switch2 variable=\"{{z}}\" {cases}><Action ID=\"A\"/><Action ID=\"B\"/><Action ID=\"C\"/></Switch2></Sequence>"
        );
        let line = format!("1 SUCCESS | tick {runs} SUCCESS");
        plays(&inside, "", &[&line]);
        comes_back(&inside);
    }
}

#[test]
fn in_version_3_all_runs_are_in_one_tick() {
    let kdl = |format: &str, inside: &str| {
        let text = format!(
            "<root BTCPP_format=\"{format}\"><BehaviorTree ID=\"T\">{inside}</BehaviorTree></root>"
        );
        convert(&text, "t.xml", Format::BtCpp, Format::Kdl)
            .expect("a document")
            .text
    };
    for (inside, three, four) in [
        (
            "<Repeat num_cycles=\"3\"><Action ID=\"A\"/></Repeat>",
            "repeat 3 yields=never {",
            "repeat 3 yields=fresh {",
        ),
        (
            "<RetryUntilSuccessful num_attempts=\"3\"><Action ID=\"A\"/></RetryUntilSuccessful>",
            "retry 3 yields=never {",
            "retry 3 yields=fresh {",
        ),
        // There, this would not come back.
        (
            "<Repeat num_cycles=\"-1\"><Action ID=\"A\"/></Repeat>",
            "repeat forever {",
            "repeat forever yields=fresh {",
        ),
    ] {
        for (format, wanted) in [("3", three), ("4", four)] {
            let kdl = kdl(format, inside);
            assert!(kdl.contains(wanted), "{wanted}\n{kdl}");
        }
    }
}
