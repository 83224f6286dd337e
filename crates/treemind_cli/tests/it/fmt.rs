use crate::{assert_ran, data, treemind, treemind_in};

const LOOSE: &str = "tree t {sequence{ // all\nsucceed;fail /* no */}}\n\n\n";
const NEAT: &str =
    "tree t {\n    sequence { // all\n        succeed\n        fail /* no */\n    }\n}\n";

#[test]
fn files_are_changed_in_place_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("loose.kdl"), LOOSE).unwrap();
    std::fs::write(path("neat.kdl"), NEAT).unwrap();
    let fmt = |arguments: &str| treemind_in(folder.path(), arguments, b"");
    assert_ran(
        &fmt("fmt --check loose.kdl neat.kdl"),
        1,
        "loose.kdl\n",
        "1 file would change, 1 already formatted\n",
    );
    assert_eq!(std::fs::read_to_string(path("loose.kdl")).unwrap(), LOOSE);
    assert_ran(
        &fmt("fmt loose.kdl neat.kdl"),
        0,
        "loose.kdl\n",
        "1 file formatted, 1 already formatted\n",
    );
    assert_eq!(std::fs::read_to_string(path("loose.kdl")).unwrap(), NEAT);
    assert_ran(
        &fmt("fmt --check loose.kdl neat.kdl"),
        0,
        "",
        "no files would change, 2 already formatted\n",
    );
}

#[test]
fn standard_input_goes_to_standard_output() {
    assert_ran(
        &treemind_in(&data(), "fmt -", LOOSE.as_bytes()),
        0,
        NEAT,
        "",
    );
    assert_ran(
        &treemind_in(&data(), "fmt --check -", LOOSE.as_bytes()),
        1,
        "standard input\n",
        "1 file would change\n",
    );
}

#[test]
fn what_is_no_kdl_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("open.kdl"), "tree  t {").unwrap();
    std::fs::write(path("bytes.kdl"), b"tree \xff").unwrap();
    std::fs::write(path("loose.kdl"), LOOSE).unwrap();
    let ran = treemind_in(
        folder.path(),
        "fmt open.kdl bytes.kdl gone.kdl loose.kdl",
        b"",
    );
    assert_eq!((ran.code, ran.out.as_str()), (1, "loose.kdl\n"));
    for line in [
        "open.kdl:1:9: error[T0003]: this block is never closed\n",
        "bytes.kdl:1:6: error[T0001]: ",
        "error: cannot read gone.kdl: there is no such file\n",
    ] {
        assert!(ran.err.contains(line), "{line} is missing: {}", ran.err);
    }
    let end = "1 file formatted, 3 files refused\n";
    assert!(ran.err.ends_with(end), "{}", ran.err);
    assert_eq!(std::fs::read(path("open.kdl")).unwrap(), b"tree  t {");
    assert_eq!(std::fs::read(path("bytes.kdl")).unwrap(), b"tree \xff");
    assert_ran(
        &treemind("fmt door.scxml"),
        1,
        "",
        "error: door.scxml is XML; only documents in KDL are formatted\nno files formatted, 1 file refused\n",
    );
    let ran = treemind_in(&data(), "fmt -", b"tree {");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
}
