use crate::{assert_ran, data, treemind, treemind_in};

#[test]
fn a_document_without_problems() {
    assert_ran(
        &treemind("check guard.kdl"),
        0,
        "",
        "1 file checked: no errors, no warnings\n",
    );
}

#[test]
fn problems_have_places_and_suggestions() {
    let expected = "\
typos.kdl:7:19: error[T0102]: no condition is named `see-enmy`
  help: did you mean `see-enemy`?
typos.kdl:9:9: error[T0101]: no kind of node is named `actoin`
  help: did you mean `action`?
2 files checked: 2 errors, no warnings
";
    assert_ran(&treemind("check guard.kdl typos.kdl"), 1, "", expected);
}

#[test]
fn other_files_are_checked_when_one_cannot_be_read() {
    let ran = treemind("check gone.kdl guard.kdl");
    let expected = "error: cannot read gone.kdl: there is no such file\n\
        1 file checked: no errors, no warnings, 1 file not read\n";
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn standard_input_is_a_file() {
    let text = std::fs::read(data().join("guard.kdl")).unwrap();
    let ran = treemind_in(&data(), "check -", &text);
    assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    let ran = treemind_in(&data(), "check -", b"tree {");
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("standard input:1:"), "{}", ran.err);
}

#[test]
fn problems_as_json() {
    let ran = treemind("check --json typos.kdl guard.kdl");
    let expected = r#"[
  {
    "file": "typos.kdl",
    "line": 7,
    "column": 19,
    "start": 99,
    "end": 107,
    "severity": "error",
    "code": "T0102",
    "message": "no condition is named `see-enmy`",
    "help": "did you mean `see-enemy`?"
  },
  {
    "file": "typos.kdl",
    "line": 9,
    "column": 9,
    "start": 138,
    "end": 144,
    "severity": "error",
    "code": "T0101",
    "message": "no kind of node is named `actoin`",
    "help": "did you mean `action`?"
  }
]
"#;
    assert_ran(
        &ran,
        1,
        expected,
        "2 files checked: 2 errors, no warnings\n",
    );
    let ran = treemind("check --json guard.kdl");
    assert_ran(&ran, 0, "[]\n", "1 file checked: no errors, no warnings\n");
}
