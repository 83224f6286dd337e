use crate::{assert_ran, data, treemind, treemind_in};

const GUARD: &str = "\
%% tree guard
flowchart TD
    n0[\"reactive-selector\"]
    n1[\"reactive-sequence name=fight\"]
    n0 --> n1
";

#[test]
fn a_tree_as_mermaid_and_dot() {
    let ran = treemind("convert guard.kdl --to mermaid");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with(GUARD), "{}", ran.out);
    let ran = treemind("convert guard.kdl - --to dot --tree guard");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("digraph \"guard\" {\n"), "{}", ran.out);
    assert!(ran.out.contains("n0 -> n1;\n"), "{}", ran.out);
}

#[test]
fn a_machine_as_mermaid_and_dot() {
    let expected = "\
%% machine blinker
stateDiagram-v2
    [*] --> s1
    state \"off\" as s1
    state \"on\" as s2
    s2 : entry / action beep
    s1 --> s2
    s2 --> s1
";
    let machine = "convert robot.kdl --machine blinker --to";
    assert_ran(&treemind(&format!("{machine} mermaid")), 0, expected, "");
    let expected = "\
digraph \"blinker\" {
    compound=true;
    node [shape=box, fontname=\"Helvetica\"];
    edge [fontname=\"Helvetica\"];
    subgraph cluster_n0s0 {
        label=\"blinker\";
        style=rounded;
        n0s0 [shape=point];
        n0s1 [label=\"off\", style=rounded];
        n0s2 [label=\"on\\lentry / action beep\\l\", style=rounded];
    }
    n0s0 -> n0s1;
    n0s1 -> n0s2;
    n0s2 -> n0s1;
}
";
    assert_ran(&treemind(&format!("{machine} dot")), 0, expected, "");
}

#[test]
fn the_ending_says_what_to_write() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data().join("robot.kdl"), folder.path().join("robot.kdl")).unwrap();
    for (name, begin) in [
        ("robot.mmd", "%% machine robot\nstateDiagram-v2\n"),
        ("robot.MERMAID", "%% machine robot\nstateDiagram-v2\n"),
        ("robot.dot", "digraph \"robot\" {\n"),
        ("robot.gv", "digraph \"robot\" {\n"),
        ("robot.svg --to dot", "digraph \"robot\" {\n"),
    ] {
        let ran = treemind_in(folder.path(), &format!("convert robot.kdl {name}"), b"");
        assert_ran(&ran, 0, "", "");
        let file = name.split(' ').next().unwrap();
        let written = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(written.starts_with(begin), "{name}: {written}");
    }
}

#[test]
fn what_cannot_be_converted_is_a_sentence() {
    let ran = treemind("convert robot.kdl nowhere/robot.dot");
    let expected = "error: cannot write nowhere/robot.dot: there is no such folder\n";
    assert_ran(&ran, 1, "", expected);
    let ran = treemind("convert typos.kdl typos.dot");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(!data().join("typos.dot").exists());
    let ran = treemind("convert robot.kdl --to dot --machine robo");
    let expected =
        "robot.kdl:1:1: error[T0801]: unknown machine `robo`\n  help: did you mean `robot`?\n";
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn kdl_and_json_become_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let text = "// the guard\nmain tree=guard\n\nleaves {\n    action attack\n}\n\ntree guard {\n    action attack\n}\n";
    std::fs::write(folder.path().join("guard.kdl"), text).unwrap();
    let note = "note: 1 comment is left out\n";
    let ran = treemind_in(folder.path(), "convert guard.kdl guard.json", b"");
    assert_ran(&ran, 0, "", note);
    let ran = treemind_in(folder.path(), "convert guard.json --to kdl", b"");
    assert_ran(&ran, 0, text.split_once('\n').unwrap().1, "");
    let json = std::fs::read_to_string(folder.path().join("guard.json")).unwrap();
    let ran = treemind_in(folder.path(), "convert - - --to kdl", json.as_bytes());
    assert_ran(&ran, 0, text.split_once('\n').unwrap().1, "");
    for command in ["check", "print", "trace --ticks 3", "convert --to dot"] {
        let (word, options) = command.split_once(' ').unwrap_or((command, ""));
        let of = |file: &str| treemind_in(folder.path(), &format!("{word} {file} {options}"), b"");
        let (kdl, json) = (of("guard.kdl"), of("guard.json"));
        assert_eq!(
            (json.code, &json.out, &json.err),
            (0, &kdl.out, &kdl.err),
            "{command}"
        );
    }
    std::fs::rename(
        folder.path().join("guard.json"),
        folder.path().join("guard.txt"),
    )
    .unwrap();
    let ran = treemind_in(
        folder.path(),
        "convert guard.txt --from json --to mermaid",
        b"",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn a_document_is_converted_as_a_whole_or_not_at_all() {
    let ran = treemind("convert guard.kdl --to json --tree guard");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.json"), "{ \"nodes\": [ {} }").unwrap();
    std::fs::write(folder.path().join("bad.kdl"), "tree t { wait #inf; }").unwrap();
    let ran = treemind_in(folder.path(), "convert bad.json bad.kdl", b"");
    let expected = "bad.json:1:17: error[T0009]: this bracket does not close the open array\n  help: close each `{` with `}` and each `[` with `]`\n";
    assert_ran(&ran, 1, "", expected);
    let ran = treemind_in(folder.path(), "convert bad.kdl bad.json", b"");
    let expected = "bad.kdl:1:15: error[T0011]: JSON has only finite numbers\n";
    assert_ran(&ran, 1, "", expected);
    let kept = std::fs::read_to_string(folder.path().join("bad.json")).unwrap();
    assert_eq!(kept, "{ \"nodes\": [ {} }", "nothing was written");
}

#[test]
fn the_schema_is_the_published_one() {
    let published = include_str!("../../../../docs/schema/treemind.schema.json");
    assert_ran(&treemind("schema"), 0, &published.replace("\r\n", "\n"), "");
}

#[test]
fn a_flat_table_is_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let examples = data().join("../../../../examples/02-pet");
    for name in ["pet.kdl", "pet.csv"] {
        std::fs::copy(examples.join(name), at(name)).unwrap();
    }
    let within = |command: &str| treemind_in(folder.path(), command, b"");
    assert_ran(
        &within("check pet.csv --manifest pet.kdl pet.kdl"),
        0,
        "",
        "2 files checked: no errors, no warnings\n",
    );
    std::fs::write(
        at("script.txt"),
        "coin-near: F F S\nfound-lately: S F\nlong-away: S\nstroll: R\n",
    )
    .unwrap();
    for command in [
        "print",
        "print --stats",
        "trace --ticks 5 --script script.txt",
        "convert --to mermaid",
        "convert --to dot",
    ] {
        let (word, options) = command.split_once(' ').unwrap_or((command, ""));
        let table = within(&format!("{word} pet.csv --manifest pet.kdl {options}"));
        let kdl = within(&format!("{word} pet.kdl {options}"));
        assert_eq!(
            (table.code, &table.out, &table.err),
            (0, &kdl.out, &kdl.err),
            "{command}"
        );
    }
    assert_ran(
        &within("convert pet.csv --manifest pet.kdl table.json"),
        0,
        "",
        "",
    );
    let (kdl, table) = (within("print pet.kdl"), within("print table.json"));
    assert_eq!((table.code, &table.out), (0, &kdl.out));
}

#[test]
fn a_manifest_is_for_tables() {
    let ran = treemind("print guard.kdl --manifest robot.kdl");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let ran = treemind("convert guard.kdl --manifest robot.kdl --to json");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let ran = treemind_in(
        &data(),
        "check -",
        b"[{\"id\": 1, \"parent\": 0, \"type\": \"patrol\"}]",
    );
    let expected = "standard input:1:33: error[T0102]: unknown type `patrol`\n  \
        help: give the document that declares the leaves of the game in `leaves`, with `--manifest FILE`\n\
        1 file checked: 1 error, no warnings\n";
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn trees_of_behaviortree_cpp_become_documents() {
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\"><SequenceWithMemory><Attack/></SequenceWithMemory></BehaviorTree></root>";
    let ran = treemind_in(&data(), "convert - --from btcpp --to kdl", xml.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            0,
            "leaves {\n    action Attack\n}\n\ntree a {\n    sticky-sequence yields=fresh {\n        action Attack\n    }\n}\n// In the XML, nothing says what these nodes are: <Attack>\n"
        )
    );
    assert!(
        ran.err
            .starts_with("note: `SequenceWithMemory` becomes `sticky-sequence`"),
        "{}",
        ran.err
    );
    let ran = treemind("convert door.scxml --to kdl");
    let expected = "door.scxml:7:40: error[T0011]: `_event.name` here cannot be written in KDL\n  \
        help: read the data of an event in the `cond` and the content of a transition that waits for this event only, and keep it in a variable\n";
    assert_ran(&ran, 1, "", expected);
}
