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
        "robot.kdl:1:1: error[T0801]: no machine is named `robo`\n  help: did you mean `robot`?\n";
    assert_ran(&ran, 1, "", expected);
}
