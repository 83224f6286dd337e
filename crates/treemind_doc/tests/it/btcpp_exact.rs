//! Entries that are unset, scripts that only read, whole numbers of 64 bits, and what is said of files.

use super::btcpp::{plays, said};
use super::btcpp_as_there::{comes_back, read};
use treemind_doc::{Document, Format, convert};

/// What is not there was not updated, and what is set anew was.
#[test]
fn an_entry_that_is_unset_is_not_updated() {
    let after = |nodes: &str| {
        format!("<Sequence><Script code=\"x := 1\"/><UnsetBlackboard key=\"x\"/>{nodes}</Sequence>")
    };
    let was = "<WasEntryUpdated entry=\"{x}\"/>";
    plays(&after(was), "", &["1 FAILURE", "2 FAILURE"]);
    plays(
        &after(&format!("<Script code=\"x := 2\"/>{was}")),
        "",
        &["1 SUCCESS", "2 SUCCESS"],
    );
    let skips = "<SkipUnlessUpdated entry=\"{x}\"><Act name=\"A\"/></SkipUnlessUpdated>";
    plays(&after(skips), "", &["1 SUCCESS", "2 SUCCESS"]);
    let waits = "<WaitValueUpdate entry=\"{x}\"><Act name=\"A\"/></WaitValueUpdate>";
    plays(&after(waits), "", &["1 RUNNING", "2 RUNNING"]);
    // The key may also be named by another one.
    plays(
        &format!(
            "<Sequence><Script code=\"x := 1; k := 'x'\"/><UnsetBlackboard key=\"{{k}}\"/>{was}</Sequence>"
        ),
        "",
        &["1 FAILURE"],
    );
    let to_kdl = |inside: &str| {
        let text = crate::btcpp::tree(inside);
        convert(&text, "t.xml", Format::BtCpp, Format::Kdl).expect("a tree without mistakes")
    };
    comes_back(&after(was));
    let lost = to_kdl(&after(was)).differences;
    assert!(
        lost.iter()
            .any(|one| one.to_string().starts_with("`UnsetBlackboard`")),
        "{lost:?}"
    );
    assert!(to_kdl(&after("<AlwaysSuccess/>")).differences.is_empty());
}

/// An expression whose value nobody sees is read all the same: a key without a value is a fault.
#[test]
fn a_script_that_only_reads() {
    for code in ["x == 3", "x", "x + 1", "x; y := 2", "x ? 1 : 2"] {
        let script = format!("<Script code=\"{code}\"/>");
        assert_eq!(faults(&script), 1, "{code}");
        let set = format!("<Sequence><Script code=\"x := 1\"/>{script}</Sequence>");
        assert_eq!(faults(&set), 0, "{code}");
        plays(&set, "", &["1 SUCCESS"]);
    }
    comes_back("<Sequence><Script code=\"x == 3\"/><Script code=\"y\"/></Sequence>");
    assert_eq!(faults("<AlwaysSuccess _skipIf=\"x; 1 == 1\"/>"), 1);
    assert_eq!(faults("<Script code=\"1 + 1; 'text'\"/>"), 0);
}

/// How many faults there are in the first tick.
fn faults(inside: &str) -> usize {
    let document = Document::parse(&crate::btcpp::tree(inside), "t.xml");
    let behaviour = document.behaviour(None).expect("a tree without mistakes");
    let mut host = treemind_core::host::Scripted::new(&behaviour, 1);
    let program = std::sync::Arc::new(treemind_core::Program::new(behaviour));
    let mut population = treemind_core::Population::new(program, 1);
    population.tick(&mut host, std::time::Duration::from_millis(100));
    population.take_faults().kept().len()
}

/// A whole number stays the one that it is.
#[test]
fn whole_numbers_of_64_bits() {
    for number in [
        "9007199254740993",
        "9223372036854775807",
        "0x7fffffffffffffff",
    ] {
        let inside = format!(
            "<Sequence><Script code=\"c := {number}\"/><Act name=\"A\" in=\"{{c}}\"/></Sequence>"
        );
        assert_eq!(read(&inside).1, Vec::<String>::new(), "{number}");
        let text = crate::btcpp::tree(&inside);
        let kdl = convert(&text, "t.xml", Format::BtCpp, Format::Kdl)
            .expect("no mistakes")
            .text;
        let meant = match number.strip_prefix("0x") {
            Some(_) => "9223372036854775807",
            None => number,
        };
        assert!(kdl.contains(&format!("set \"c = {meant}\"")), "{kdl}");
    }
}

/// Nobody is told of nodes that stand in no file.
#[test]
fn nodes_of_the_reader_are_not_warned_of() {
    for inside in [
        "<LoopInt queue=\"1;2\" if_empty=\"SKIPPED\" value=\"{v}\"><Act name=\"A\"/></LoopInt>",
        "<LoopInt queue=\"1;2\" if_empty=\"RUNNING\" value=\"{v}\"><Act name=\"A\"/></LoopInt>",
        "<LoopString queue=\"a\" if_empty=\"FAILURE\"><Act name=\"A\"/></LoopString>",
        "<Precondition if=\"true\"><Act name=\"A\"/></Precondition>",
        "<Precondition if=\"true\" else=\"RUNNING\"><Act name=\"A\"/></Precondition>",
    ] {
        assert_eq!(read(inside).1, Vec::<String>::new(), "{inside}");
    }
    let never = read("<Precondition if=\"false\"><Act name=\"A\"/></Precondition>").1;
    assert_eq!(never.len(), 1, "{never:?}");
}

#[test]
fn a_script_that_stands_in_a_key() {
    for inside in [
        "<Script code=\"{code}\"/>",
        "<Precondition if=\"{code}\"><Act name=\"A\"/></Precondition>",
        "<ScriptCondition code=\"{code}\"/>",
    ] {
        let said = read(inside).1;
        let is_it = |line: &String| line.contains("the script stands in the key `code`");
        assert_eq!(
            said.iter().filter(|line| is_it(line)).count(),
            1,
            "{said:?}"
        );
    }
}

#[test]
fn what_version_3_does_not_have() {
    let file = |version: &str, inside: &str| {
        format!("<root{version}><BehaviorTree ID=\"A\">{inside}</BehaviorTree></root>")
    };
    let of = |version: &str, inside: &str| {
        said(&Document::parse(&file(version, inside), "t.xml"))
            .iter()
            .filter(|line| line.contains("version 3 does not have"))
            .count()
    };
    let three = " BTCPP_format=\"3\"";
    for (inside, count) in [
        ("<Script code=\"x := 1\"/>", 1),
        ("<RunOnce><AlwaysSuccess/></RunOnce>", 1),
        (
            "<AlwaysSuccess _skipIf=\"false\" _onSuccess=\"x := 1\"/>",
            2,
        ),
        ("<Repeat num_cycles=\"2\"><AlwaysSuccess/></Repeat>", 0),
        // That is a node of the host.
        ("<Sleep seconds=\"3\"/>", 0),
    ] {
        assert_eq!(of(three, inside), count, "{inside}");
        assert_eq!(of("", inside), 0, "{inside}");
        assert_eq!(of(" BTCPP_format=\"4\"", inside), 0, "{inside}");
    }
    let spins = "<Repeat num_cycles=\"2000000000\"><AlwaysSuccess/></Repeat>";
    let said = said(&Document::parse(&file(three, spins), "t.xml"));
    assert!(
        said.iter()
            .any(|line| line.contains("never lets time pass")),
        "{said:?}"
    );
}

/// What a `<root>` says of XML stays on the way back.
#[test]
fn namespaces_of_the_root_come_back() {
    let root = "<root xmlns=\"urn:a\" BTCPP_format=\"4\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"bt.xsd\" main_tree_to_execute=\"M\">";
    let xml = format!("{root}<BehaviorTree ID=\"M\"><AlwaysSuccess/></BehaviorTree></root>");
    let kdl = convert(&xml, "t.xml", Format::BtCpp, Format::Kdl)
        .expect("a document")
        .text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp)
        .expect("XML")
        .text;
    assert!(back.contains(root), "{back}\n{kdl}");
}

/// A literal that a number only begins.
#[test]
fn literals_that_are_cut_off() {
    let of = |port: &str, value: &str| {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><Go {port}=\"{value}\"/></BehaviorTree><TreeNodesModel><Action ID=\"Go\"><input_port name=\"n\" type=\"int\"/><input_port name=\"d\" type=\"double\"/></Action></TreeNodesModel></root>"
        );
        said(&Document::parse(&text, "t.xml")).len()
    };
    for (port, value, count) in [
        ("n", "1.5", 1),
        ("n", "2x", 1),
        ("n", "-2", 0),
        ("n", " 2", 0),
        ("n", "{n}", 0),
        ("d", "1,5", 1),
        ("d", "1.5e3", 0),
        ("d", "-inf", 0),
        ("d", ".5", 0),
    ] {
        assert_eq!(of(port, value), count, "{port}={value}");
    }
}

/// The items of a `LoopInt` are whole numbers, also when scripts calculate with them.
#[test]
fn items_stay_whole() {
    let inside = "<Sequence><Script code=\"s := 0\"/><LoopInt queue=\"1;2\" value=\"{b}\"><Sequence><Script code=\"s += b; t := 'v' .. b\"/><Act name=\"A\"/></Sequence></LoopInt><ScriptCondition code=\"t == 'v2'\"/><Script code=\"u := 's' .. s\"/><ScriptCondition code=\"u == 's3'\"/></Sequence>";
    plays(
        inside,
        "",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A SUCCESS",
            "3 SUCCESS",
        ],
    );
}

/// Nothing but a name without braces says that the file is of version 3.
#[test]
fn a_name_that_may_be_a_text() {
    let of = |version: &str, more: &str| {
        let text = format!(
            "<root{version} main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence>{more}<SubTree ID=\"Talk\" message=\"hello\"/></Sequence></BehaviorTree><BehaviorTree ID=\"Talk\"><Act say=\"{{message}}\"/></BehaviorTree></root>"
        );
        said(&Document::parse(&text, "t.xml"))
    };
    let doubt = "`hello` is read as a key, as in version 3";
    let has_doubt = |said: Vec<String>| said.iter().any(|line| line.ends_with(doubt));
    assert!(has_doubt(of("", "")));
    assert!(!has_doubt(of(" BTCPP_format=\"3\"", "")));
    assert!(!has_doubt(of(" BTCPP_format=\"4\"", "")));
    assert!(!has_doubt(of(
        "",
        "<SequenceStar><AlwaysSuccess/></SequenceStar>"
    )));
    let check =
        "<BlackboardCheckInt value_A=\"{a}\" value_B=\"1\"><AlwaysSuccess/></BlackboardCheckInt>";
    assert!(!has_doubt(of("", check)));
}

/// A count that stands in a key is read in each tick, and by a retry after each run.
#[test]
fn counts_are_read_again() {
    let looped = |word: &str, port: &str, first: i32, then: i32| {
        format!(
            "<Sequence><Script code=\"n := {first}\"/><{word} {port}=\"{{n}}\"><Sequence><Script code=\"n := {then}\"/><Act name=\"A\"/></Sequence></{word}></Sequence>"
        )
    };
    let retry = |first, then| looped("RetryUntilSuccessful", "num_attempts", first, then);
    let (failed, goes_on) = ("FAILURE | tick A FAILURE", "RUNNING | tick A FAILURE");
    plays(&retry(4, 1), "A: F", &[&format!("1 {failed}")]);
    plays(
        &retry(4, 2),
        "A: F",
        &[&format!("1 {goes_on}"), &format!("2 {failed}")],
    );
    plays(
        &retry(1, 3),
        "A: F",
        &[
            &format!("1 {goes_on}"),
            &format!("2 {goes_on}"),
            &format!("3 {failed}"),
        ],
    );
    let repeat = |first, then| looped("Repeat", "num_cycles", first, then);
    let (done, goes_on) = ("SUCCESS | tick A SUCCESS", "RUNNING | tick A SUCCESS");
    plays(
        &repeat(4, 2),
        "",
        &[&format!("1 {goes_on}"), &format!("2 {done}")],
    );
    // A repeat reads it only before a run.
    plays(&repeat(4, 1), "", &[&format!("1 {goes_on}"), "2 SUCCESS"]);
    plays(&repeat(1, 4), "", &[&format!("1 {done}")]);
    comes_back(&repeat(4, 2));
    let text = crate::btcpp::tree(&retry(4, 2));
    let kdl = convert(&text, "t.xml", Format::BtCpp, Format::Kdl).expect("a tree");
    let said: Vec<String> = kdl.differences.iter().map(ToString::to_string).collect();
    assert!(
        said.iter().any(|one| one.contains("read their number")),
        "{said:?}"
    );
}

/// Before a `?`, a text that is not empty is true.
#[test]
fn a_text_chooses() {
    for (value, chosen) in [
        ("'a'", 1),
        ("'0'", 1),
        ("0", 2),
        ("3", 1),
        ("0.5", 1),
        ("false", 2),
    ] {
        for code in [
            format!("d := {value}; c := d ? 1 : 2"),
            format!("c := {value} ? 1 : 2"),
        ] {
            let check = format!("<ScriptCondition code=\"c == {chosen}\"/>");
            let inside = format!("<Sequence><Script code=\"{code}\"/>{check}</Sequence>");
            plays(&inside, "", &["1 SUCCESS"]);
        }
    }
    assert_eq!(faults("<Script code=\"d := ''; c := d ? 1 : 2\"/>"), 1);
    comes_back("<Script code=\"c := (d ? 1 : 2)\"/>");
}

/// A key to which a script gave a number makes one of the texts that the script gives it.
#[test]
fn a_number_keeps_its_type() {
    for (code, check) in [
        ("c := 1; c = '5'; t := 'n' .. c", "t == 'n5'"),
        ("c := 1; c := 'true'; t := 'n' .. c", "t == 'n1'"),
        ("c := 1; c := '5'; c += 1", "c == 6"),
        ("c := 1.5; c := '2.5'; c += 1", "c == 3.5"),
    ] {
        let inside = format!(
            "<Sequence><Script code=\"{code}\"/><ScriptCondition code=\"{check}\"/></Sequence>"
        );
        plays(&inside, "", &["1 SUCCESS"]);
    }
    for code in ["c := 1; c = 'abc'", "c := 1; c = '2.5'"] {
        let (_, said) = read(&format!("<Script code=\"{code}\"/>"));
        assert!(said[0].contains("is not a number"), "{said:?}");
    }
}
