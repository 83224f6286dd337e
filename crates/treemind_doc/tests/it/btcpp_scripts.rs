//! What scripts give to keys, as BehaviorTree.CPP 4.10 prints it, and which scripts it refuses.

use super::btcpp::tree;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Value};
use treemind_doc::{Code, Document, Format, convert};

/// A document without mistakes.
fn read(text: &str, name: &str) -> Document {
    let document = Document::parse(text, name);
    assert!(
        !document.has_errors(),
        "{text} {:?}",
        document.diagnostics()
    );
    document
}

/// What a document shows with its `Echo`s in some ticks, and the codes of the faults.
fn shown(document: &Document, ticks: usize) -> Vec<String> {
    let behaviour = document.behaviour(None).expect("it has no errors");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut all = Vec::new();
    for _ in 0..ticks {
        population.tick(&mut host, Duration::from_millis(100));
        for echo in host.take_echoes() {
            let value = match echo.value {
                Some(Value::Double(double)) => format!("{double:.6}"),
                Some(Value::Int(int)) => int.to_string(),
                Some(Value::Text(text)) => text.as_str().to_owned(),
                other => format!("{other:?}"),
            };
            all.push(value);
        }
        let faults = population.take_faults();
        let codes = faults.kept().iter().map(|fault| fault.kind.code());
        all.extend(codes.map(|code| format!("fault {code}")));
    }
    all
}

/// A tree, from its XML and from the document of ours that it becomes.
fn shows(text: &str, ticks: usize, expected: &[&str]) {
    assert_eq!(shown(&read(text, "t.xml"), ticks), expected, "{text}");
    let kdl = convert(text, "t.xml", Format::BtCpp, Format::Kdl);
    let kdl = kdl.unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    assert_eq!(
        shown(&read(&kdl.text, "t.kdl"), ticks),
        expected,
        "{}",
        kdl.text
    );
}

#[test]
fn a_backslash_at_the_end_of_a_line_goes_on_in_the_next_one() {
    for end in ["\\&#10;", "\\\n", "\\&#13;&#10;  \\&#10; "] {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><Sequence>\
             <Script code=\"a := 1 {end}&amp;&amp; 0; {end}b := 2 +{end}3\"/>\
             <Action ID=\"Echo\" in=\"{{a}}\"/><Action ID=\"Echo\" in=\"{{b}}\"/>\
             </Sequence></BehaviorTree></root>"
        );
        shows(&text, 1, &["0.000000", "5.000000"]);
    }
    let elsewhere = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><Script code=\"a := 1 \\+ 2\"/>\
                     </BehaviorTree></root>";
    let document = Document::parse(elsewhere, "t.xml");
    assert!(document.has_errors(), "it joins lines only");
}

#[test]
fn a_number_may_have_a_plus() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><Sequence>\
                <Script code=\"a := +1; b := a+ +2.5; c := (a)+1; d := b > +1 ? +7 : 8\"/>\
                <Action ID=\"Echo\" in=\"{b}\"/><Action ID=\"Echo\" in=\"{c}\"/>\
                <Action ID=\"Echo\" in=\"{d}\"/></Sequence></BehaviorTree></root>";
    shows(text, 1, &["3.500000", "2.000000", "7"]);
    for script in ["a := 1; b := +a", "a := + 1", "a := +0x10", "a := ++1"] {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><Script code=\"{script}\"/>\
             </BehaviorTree></root>"
        );
        assert!(Document::parse(&text, "t.xml").has_errors(), "{script}");
    }
}

fn calls(given: &str, inside: &str) -> String {
    format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">\
        <SubTree ID=\"Sub\" {given}/></BehaviorTree><BehaviorTree ID=\"Sub\"><Sequence>{inside}</Sequence></BehaviorTree></root>"
    )
}

/// A number that a call gives is a whole number or a double there, and a key keeps the type that it had first.
#[test]
fn literals_of_calls_keep_their_types() {
    let echo = "<Script code=\"s := 'id_' .. n\"/><Echo in=\"{s}\"/>";
    for (given, code, expected) in [
        ("n=\"2\"", "n += 1", "id_3"),
        ("n=\"2\"", "n = n * 2 - 1", "id_3"),
        ("n=\"2\"", "n := n + 1", "id_3"),
        ("n=\"-2\"", "n -= 1", "id_-3"),
        ("n=\"2.0\"", "n += 1", "id_3.000000"),
        ("n=\"2\"", "m := n; m += 1; n = m", "id_3"),
        ("n=\"2\"", "m := n * 1; n = m + 1", "id_3"),
        ("n=\"2\"", "n /= 2; n := 4 / n - 1", "id_3"),
        ("n=\"2\"", "n -= 0.5; n := 7", "fault not-a-number"),
        ("n=\"2\"", "n := 7 / n", "fault not-a-number"),
        ("n=\"2x\"", "m := 1", "id_2x"),
    ] {
        let inside = format!("<Script code=\"{code}\"/>{echo}");
        shows(&calls(given, &inside), 1, &[expected]);
    }
    // What is calculated for a new key is a double.
    let twice = "<Script code=\"q := n * 2\"/><Echo in=\"{q}\"/><Echo in=\"{n}\"/>";
    shows(&calls("n=\"5\"", twice), 1, &["10.000000", "5"]);
}

#[test]
fn a_copy_of_a_whole_number_stays_one() {
    for (code, expected) in [
        ("n := 4; m := n; m -= 1", ["4", "3"]),
        ("n := 4; m := n; n += 1; m := n", ["5", "5"]),
        ("n := 4; m := n / 8", ["4", "0.500000"]),
        ("n := 4; m := n - 1", ["4", "3.000000"]),
        ("n := 4; k := n; m := k; m = m * k", ["4", "16"]),
        ("n := 4.0; m := n; m -= 1", ["4.000000", "3.000000"]),
        ("m := n := 4; m *= 2", ["4", "8"]),
    ] {
        let echoes = "<Echo in=\"{n}\"/><Echo in=\"{m}\"/>";
        let inside = format!("<Sequence><Script code=\"{code}\"/>{echoes}</Sequence>");
        shows(&tree(&inside), 1, &expected);
    }
}

/// What the first scripts of a tree make keeps its type, also across calls and in all later scripts.
#[test]
fn keys_that_begin_as_whole_numbers() {
    let after = |code: &str| {
        format!(
            "<Sequence><Script code=\"n := 8; m := true; d := 1.0\"/><Script code=\"{code}\"/><Echo in=\"{{n}}\"/><Echo in=\"{{m}}\"/><Echo in=\"{{d}}\"/></Sequence>"
        )
    };
    for (code, expected) in [
        ("n := n / 2; m += 1; d += 2", ["4", "2", "3.000000"]),
        ("n /= 4; m := m == 1", ["2", "1", "1.000000"]),
        ("n := 2.0 * m; m := n", ["2", "2", "1.000000"]),
        ("n := 1 == 2; m := 4 / 2", ["0", "2", "1.000000"]),
    ] {
        shows(&tree(&after(code)), 1, &expected);
    }
    shows(&tree(&after("n := n / 3")), 1, &["fault not-a-number"]);
    // A call shares it.
    let text = tree(
        "<Sequence><Script code=\"n := 8\"/><SubTree ID=\"Half\" k=\"{n}\"/><Echo in=\"{n}\"/></Sequence>",
    );
    let half = "<BehaviorTree ID=\"Half\"><Script code=\"k /= 2\"/></BehaviorTree></root>";
    shows(&text.replace("</root>", half), 2, &["4", "4"]);
    // What may come first may be a double.
    let inside = "<Sequence><Script _skipIf=\"has_it == 1\" code=\"n := 8\"/><Script code=\"n := n / 3; n := n * 3\"/><Echo in=\"{n}\"/></Sequence>";
    let inside = format!("<Sequence><Script code=\"has_it := 0\"/>{inside}</Sequence>");
    shows(&tree(&inside), 1, &["8.000000"]);
    // A key of the root is there before a tree that is called begins, or that nobody calls.
    let inside = "<Sequence><Script code=\"n := 2.5\"/><Echo in=\"{n}\"/></Sequence>";
    let other = "<BehaviorTree ID=\"S\"><Script code=\"@n := 2\"/></BehaviorTree></root>";
    shows(&tree(inside).replace("</root>", other), 1, &["2.500000"]);
    let then = "<SubTree ID=\"S\"/><Script code=\"n := n / 4\"/><Echo";
    let inside = inside.replace("<Echo", then);
    shows(&tree(&inside).replace("</root>", other), 1, &["0.500000"]);
}

/// `=` needs a key that is there: one that a node has at a port, that a call gives, or that `:=` has made. Of any other,
/// it is an exception there.
#[test]
fn an_assignment_to_a_key_that_is_not_there() {
    let cases: [(&str, &[&str]); 7] = [
        ("<Script code=\"x = 3\"/>", &["fault unset"]),
        (
            "<Script code=\"x := 1; x = 3; y := x\"/><Echo in=\"{y}\"/>",
            &["3"],
        ),
        (
            "<Script code=\"x := 1\"/><Script code=\"x = 3; y := x\"/><Echo in=\"{y}\"/>",
            &["3"],
        ),
        (
            "<SetBlackboard value=\"1\" output_key=\"x\"/><Script code=\"x = 3; y := x\"/><Echo in=\"{y}\"/>",
            &["3"],
        ),
        ("<Script code=\"x = 3\"/><Echo in=\"{x}\"/>", &["3"]),
        (
            "<Script code=\"x = 'a'\"/><Script code=\"x := 'b'\"/>",
            &["fault unset"],
        ),
        ("<ScriptCondition code=\"x = 1\"/>", &["fault unset"]),
    ];
    for (inside, expected) in cases {
        shows(
            &tree(&format!("<Sequence>{inside}</Sequence>")),
            1,
            expected,
        );
    }
    shows(
        &calls(
            "x=\"1\"",
            "<Script code=\"x = 3; y := x\"/><Echo in=\"{y}\"/>",
        ),
        1,
        &["3"],
    );
    shows(
        &calls("x=\"{z}\"", "<Script code=\"x = 3\"/>"),
        1,
        &["fault unset"],
    );
    // On the way back, also of a document that was changed.
    let text =
        tree("<Sequence><Script code=\"x = 3\"/><Script code=\"x := 1; x = 2\"/></Sequence>");
    let kdl = convert(&text, "t.xml", Format::BtCpp, Format::Kdl)
        .expect("a document")
        .text;
    let plain: Vec<&str> = kdl
        .lines()
        .filter(|line| !line.trim().starts_with("//"))
        .collect();
    let back = convert(&plain.join("\n"), "t.kdl", Format::Kdl, Format::BtCpp)
        .expect("a file")
        .text;
    assert!(back.contains("code=\"x = 3\""), "{back}");
}

/// An unset key is no case, not even that of an empty text.
#[test]
fn a_switch_over_an_unset_key() {
    let switch = "<Switch2 variable=\"{k}\" case_1=\"\" case_2=\"b\"><Script code=\"s := 1\"/><Script code=\"s := 2\"/><Script code=\"s := 3\"/></Switch2><Echo in=\"{s}\"/>";
    for (before, expected) in [
        ("<AlwaysSuccess/>", "3"),
        ("<Script code=\"k := ''\"/>", "1"),
        ("<Script code=\"k := 'b'\"/>", "2"),
        ("<Script code=\"k := 7\"/>", "3"),
    ] {
        shows(
            &tree(&format!("<Sequence>{before}{switch}</Sequence>")),
            1,
            &[expected],
        );
    }
}

/// `_post` runs when a node has ended, and not when it is halted or skipped.
#[test]
fn what_runs_after_a_node() {
    let inside = "<Sequence><Script code=\"n := 0\"/><Parallel success_count=\"1\">\
        <Delay delay_msec=\"900\" _post=\"n += 1\" _onHalted=\"n += 10\"><AlwaysSuccess/></Delay>\
        <AlwaysSuccess _skipIf=\"true\" _post=\"n += 100\"/><AlwaysSuccess _post=\"n += 1000\"/></Parallel>\
        <Echo in=\"{n}\"/></Sequence>";
    shows(&tree(inside), 1, &["1010"]);
}

/// Only what is a number as a whole is one when a call gives it.
#[test]
fn numbers_with_a_sign_or_blanks() {
    for (given, expected) in [
        ("+2", "+2"),
        (" 2", " 2"),
        ("2 ", "2 "),
        ("-2", "-2"),
        ("2.5", "2.500000"),
        ("1e2", "100.000000"),
    ] {
        shows(
            &calls(&format!("n=\"{given}\""), "<Echo in=\"{n}\"/>"),
            1,
            &[expected],
        );
    }
    for inside in [
        "<Repeat num_cycles=\"+2\"><AlwaysSuccess/></Repeat>",
        "<Sleep msec=\"+100\"/>",
        "<LoopInt queue=\"+1;2\" value=\"{v}\"><Act v=\"{v}\"/></LoopInt>",
        "<LoopInt queue=\"1; 2\" value=\"{v}\"><Act v=\"{v}\"/></LoopInt>",
    ] {
        assert!(
            Document::parse(&tree(inside), "t.xml").has_errors(),
            "{inside}"
        );
    }
    let explicit = "<ReactiveSequence><Action ID=\"A\"/><SubTree ID=\"Main2\"/></ReactiveSequence>";
    let text = tree(explicit).replace(
        "</root>",
        "<BehaviorTree ID=\"Main2\"><AlwaysSuccess/></BehaviorTree></root>",
    );
    read(&text, "t.xml");
}

/// A whole number other than 0 and 1 is no flag there: a script that always throws is not read. What is calculated is a
/// double, which is.
#[test]
fn numbers_as_conditions() {
    for (code, expected) in [
        ("1", "skipped"),
        ("0", "done"),
        ("true", "skipped"),
        ("-1", "skipped"),
        ("2.0", "skipped"),
        ("0.0", "done"),
        ("1 + 1", "skipped"),
        ("!2", "done"),
    ] {
        let inside = format!(
            "<Sequence><Script code=\"s := 'skipped'\"/><Script _skipIf=\"{code}\" code=\"s := 'done'\"/><Echo in=\"{{s}}\"/></Sequence>"
        );
        shows(&tree(&inside), 1, &[expected]);
    }
    for code in ["2", "x == 1 && 3", "7 || x"] {
        let inside = format!(
            "<Sequence><Script code=\"x := 1\"/><AlwaysSuccess _skipIf=\"{}\"/></Sequence>",
            code.replace('&', "&amp;")
        );
        let document = Document::parse(&tree(&inside), "t.xml");
        let codes: Vec<Code> = document
            .diagnostics()
            .iter()
            .map(|one| one.code())
            .collect();
        assert!(codes.contains(&Code::NotYet), "{code} {codes:?}");
    }
}
