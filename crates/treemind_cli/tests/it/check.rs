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
typos.kdl:7:19: error[T0102]: unknown condition `see-enmy`
  help: did you mean `see-enemy`?
typos.kdl:9:9: error[T0101]: unknown node `actoin`
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
fn documents_agree_about_what_they_share() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "camp.kdl",
        "blackboard scope=world { key alarm type=bool; }\n",
    );
    write(
        "guard.kdl",
        "import \"camp.kdl\"\ntree guard { set \"alarm = true\"; }\n",
    );
    write(
        "gunner.kdl",
        "import \"camp.kdl\"\ntree gunner { check \"alarm\"; }\n",
    );
    let ran = treemind_in(folder.path(), "check guard.kdl gunner.kdl", b"");
    assert_ran(&ran, 0, "", "2 files checked: no errors, no warnings\n");
    write(
        "medic.kdl",
        "blackboard scope=world { key alarm type=int; }\ntree medic { set \"alarm = 1\"; }\n",
    );
    let ran = treemind_in(folder.path(), "check guard.kdl medic.kdl", b"");
    let expected = "\
medic.kdl:1:30: error[T0208]: key `alarm` is declared differently in another document
  help: it is `scope=world type=int default=0` here, and `scope=world type=bool default=false` in camp.kdl:1:30; programs that share it must agree
2 files checked: 1 error, no warnings
";
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
    "message": "unknown condition `see-enmy`",
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
    "message": "unknown node `actoin`",
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

#[test]
fn warnings_may_be_denied() {
    let text = b"leaves { action go; }\ntree t { sequence { selector { succeed; action go; }; repeat 0 { action go; }; }; }";
    let shown = "\
standard input:2:41: warning[T0601]: this child can never run: the child before it never fails
  help: remove it, or change the child before it: a `selector` moves on to its next child when one fails
standard input:2:62: warning[T0602]: `repeat 0` never runs its child: it succeeds at once
  help: to switch a node off for now, use `disabled=#true`
1 file checked: no errors, 2 warnings
";
    let check = |line: &str| treemind_in(&data(), line, text);
    assert_ran(&check("check -"), 0, "", shown);
    let all = format!("{shown}warnings are denied, by `--deny`\n");
    assert_ran(&check("check - --deny warnings"), 1, "", &all);
    let one = format!("{shown}1 of the warnings is denied, by `--deny`\n");
    assert_ran(&check("check - --deny T0602 --deny T0603"), 1, "", &one);
    assert_ran(&check("check - --deny T0604"), 0, "", shown);
}

#[test]
fn what_a_file_beside_it_has_is_to_be_imported() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "guard.kdl",
        "tree guard { sequence { condition armed; subtree walk; check \"bold\"; }; }",
    );
    write(
        "leaves.kdl",
        "leaves { condition armed; }; blackboard { key bold type=bool; }",
    );
    write("parts.kdl", "tree walk { succeed; }");
    write("broken.kdl", "tree { { {");
    let expected = "\
guard.kdl:1:35: error[T0102]: unknown condition `armed`
  help: import it from leaves.kdl, which has a condition of that name: `import \"leaves.kdl\"`
guard.kdl:1:50: error[T0106]: unknown tree `walk`
  help: import it from parts.kdl, which has a tree of that name: `import \"parts.kdl\"`
guard.kdl:1:63: error[T0103]: unknown key `bold`
  help: import it from leaves.kdl, which has a key of that name: `import \"leaves.kdl\"`
1 file checked: 3 errors, no warnings
";
    let ran = treemind_in(folder.path(), "check guard.kdl", b"");
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn words_are_listed_with_those_of_the_first_day_first() {
    let ran = treemind("words");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let at = |text: &str| {
        let found = ran.out.find(text);
        found.unwrap_or_else(|| panic!("{text} is missing:\n{}", ran.out))
    };
    assert!(ran.out.starts_with("FIRST DAY: "), "{}", ran.out);
    assert!(at("    sequence  ") < at("FIRST WEEK: "));
    assert!(at("FIRST WEEK: ") < at("    forever  "));
    assert!(at("    forever  ") < at("SELDOM: "));
    assert!(at("SELDOM: ") < at("    sticky-sequence  "));
    let page = treemind("words sticky-sequence").out;
    assert!(page.starts_with("# `sticky-sequence`\n"), "{page}");
    assert!(page.contains("More usual is [`sequence`]"), "{page}");
    // A word that is no node, and one that is allowed in several places.
    let expected = "`defer` in a machine or state (seldom): events that wait
More usual is `transition`. A transition on the event takes it at once; an event that no transition takes is gone.
  the events: kept until a state is entered that does not defer them
";
    assert_ran(&treemind("words defer"), 0, expected, "");
    let of_steps =
        "`gives=` of every node of a tree: In a planner: statements about what this step achieves.";
    let gives = treemind("words gives").out;
    assert!(gives.starts_with(of_steps), "{gives}");
    assert!(at("PROPERTIES OF EVERY NODE") < at("    gives=  "));
    let both = treemind("words machine").out;
    assert!(
        both.contains("`machine` at the top of a document (first week)"),
        "{both}"
    );
    assert!(both.contains("# `machine`\n"), "{both}");
    for (wanted, help) in [
        ("Fallback", "did you mean `selector`?"),
        ("transitoin", "did you mean `transition`?"),
        ("xyzzy", "`treemind words` lists all words"),
    ] {
        let error = format!("error: unknown word `{wanted}`; {help}\n");
        assert_ran(&treemind(&format!("words {wanted}")), 1, "", &error);
    }
}

#[test]
fn codes_are_explained() {
    let ran = treemind("explain-code t0102");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out
            .starts_with("# T0102: an unknown condition, action or other leaf\n")
    );
    let ran = treemind("explain-code");
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out.lines().count(), treemind_doc::Code::ALL.len());
    let sentence = "error: unknown code `T9999`; `treemind explain-code` lists all codes\n";
    assert_ran(&treemind("explain-code T9999"), 1, "", sentence);
}
