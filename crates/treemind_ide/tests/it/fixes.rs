//! Changes that solve problems.

use std::collections::BTreeMap;
use std::path::Path;
use treemind_doc::edit::Editor;
use treemind_doc::{Code, Document};
use treemind_ide::{Fix, fitting_type, fixes};

/// A document with the fix of that label at the place of a piece.
fn fixed(text: &str, place: &str, label: &str) -> String {
    let mut editor = Editor::of_texts(&[("t.kdl", text)]);
    let offset = text.find(place).expect("a place");
    let found = fixes(&editor, offset);
    let labels: Vec<String> = found.iter().map(|fix| fix.label.to_string()).collect();
    let fix = found.iter().find(|fix| fix.label == *label);
    let fix = fix.unwrap_or_else(|| panic!("{label} is not among {labels:?}"));
    editor.apply(&fix.change).expect("it fits");
    editor.text(0).to_owned()
}

/// A key that is only compared with whole numbers and gets only such is proposed as an `int`; one hint at a fraction, and
/// it is a `float`.
#[test]
fn the_type_of_a_new_key_is_that_of_its_uses() {
    for (tree, first) in [
        ("check \"ammo > 3\"", "int"),
        ("check \"ammo > 3\"; set \"ammo = max(1, ammo - 1)\"", "int"),
        ("check \"ammo > 3.5\"", "float"),
        ("check \"ammo > 3\"; set \"ammo = 0.5\"", "float"),
        ("check \"ammo / 2 > 3\"", "float"),
        ("check \"ammo > sqrt(2)\"", "float"),
    ] {
        let text = format!("tree t {{ sequence {{ {tree}; }}; }}\n");
        let editor = Editor::of_texts(&[("t.kdl", &*text)]);
        let offset = text.find("ammo").expect("the key");
        let found = fixes(&editor, offset);
        let labels: Vec<String> = found.iter().map(|fix| fix.label.to_string()).collect();
        let wanted = format!("declare `key ammo type={first}`");
        assert_eq!(labels.first(), Some(&wanted), "{tree}: {labels:?}");
    }
}

/// The tables propose the type with which the uses of a key are right: a truth value is no number.
#[test]
fn the_type_that_fits_is_that_of_the_uses() {
    for (tree, ty) in [
        ("check \"alarmed\"", "bool"),
        ("check \"!alarmed\"", "bool"),
        ("check \"alarmed && 1 < 2\"", "bool"),
        ("check \"alarmed == true\"", "bool"),
        ("action go when=\"alarmed\"", "bool"),
        ("check \"alarmed == 'red'\"", "string"),
        ("check \"alarmed > 3\"", "int"),
        ("check \"alarmed > 3.5\"", "float"),
        ("check \"alarmed / 2 > 3\"", "float"),
        // Nothing says what it is.
        ("check \"alarmed == other\"", "float"),
    ] {
        let text = format!("leaves {{ action go; }}\ntree t {{ sequence {{ {tree}; }}; }}\n");
        let editor = Editor::of_texts(&[("t.kdl", &*text)]);
        assert_eq!(fitting_type(&editor, "alarmed"), ty, "{tree}");
    }
}

#[test]
fn what_a_help_says_is_done() {
    let leaves = "leaves { action go; condition near; }\n";
    for (tree, place, label, expected) in [
        (
            "tree t { action goo; }",
            "goo",
            "write `go`",
            "tree t { action go; }",
        ),
        (
            "tree t { actoin go; }",
            "actoin",
            "write `action`",
            "tree t { action go; }",
        ),
        (
            "tree t { wait 2s; }",
            "2s",
            "write `2.0`",
            "tree t { wait 2.0; }",
        ),
        (
            "tree t { action go when=\"1 < 2\" wenn=1; }",
            "wenn",
            "remove `wenn`",
            "tree t { action go when=\"1 < 2\"; }",
        ),
    ] {
        let text = format!("{leaves}{tree}\n");
        assert_eq!(fixed(&text, place, label), format!("{leaves}{expected}\n"));
    }
    let text = format!("{leaves}tree t {{ action swim; }}\n");
    let declared = fixed(&text, "swim", "declare `action swim`");
    assert!(declared.contains("action swim"), "{declared}");
    let text = format!("{leaves}tree t {{ action go when=\"speed > 1\"; }}\n");
    let declared = fixed(&text, "speed", "declare `key speed type=float`");
    assert!(
        declared.contains("blackboard {\n    key speed type=float\n}"),
        "{declared}"
    );
}

#[test]
fn planners_are_mended_as_their_helps_say() {
    let head = "blackboard { key dead type=bool; }\nleaves { action a; action b; }\ntree t { planner p; }\n";
    for (planner, place, label, expected) in [
        (
            "planner p {\n    goal g does=a\n    action a\n}",
            "a\n    action",
            "write `task do-a { method \"a\"; }`",
            "planner p {\n    goal g does=do-a\n    action a\n    task do-a { method \"a\"; }\n}",
        ),
        (
            "planner p {\n    goal g does=w\n    action a\n    task w {\n        method \"w a\"\n    }\n}",
            "w {",
            "add `method \"\"`",
            "planner p {\n    goal g does=w\n    action a\n    task w {\n        method \"\"\n        method \"w a\"\n    }\n}",
        ),
        (
            "planner p {\n    goal g wants=\"dead\"\n    action a\n    action b name=c\n}",
            "dead",
            "add `gives=\"dead = true\"` to `c`",
            "planner p {\n    goal g wants=\"dead\"\n    action a\n    action b name=c gives=\"dead = true\"\n}",
        ),
    ] {
        let text = format!("{head}{planner}\n");
        let place = text.rfind(place).map(|at| &text[at..]).expect("a place");
        assert_eq!(fixed(&text, place, label), format!("{head}{expected}\n"));
    }
}

#[test]
fn a_parameter_gets_a_key_of_its_type_or_a_first_value() {
    let head = "blackboard { key mood type=string; key foe type=entity; }\n\
                leaves { action hit { param target type=entity; }; action go { param speed type=float; }; }\n";
    for (action, label, expected) in [
        ("hit", "add `target=\"{foe}\"`", "hit target=\"{foe}\""),
        ("go", "add `speed=0.0`", "go speed=0.0"),
    ] {
        let text = format!("{head}tree t {{ action {action}; }}\n");
        let place = format!("{action}; }}\n");
        assert_eq!(
            fixed(&text, &place, label),
            format!("{head}tree t {{ action {expected}; }}\n")
        );
    }
}

#[test]
fn lines_heads_and_ends_are_mended() {
    for (text, place, label, expected) in [
        (
            "tree t {\n    sequence {\n        succeed\n}\ntree u { succeed; }\n",
            "{\n        s",
            "add `}` where the block ends",
            "tree t {\n    sequence {\n        succeed\n    }\n}\ntree u { succeed; }\n",
        ),
        (
            "key x\nblackboard { key a type=int; }\ntree t { check \"0 < a < 9\"; }\n",
            "< 9",
            "combine two comparisons",
            "key x\nblackboard { key a type=int; }\ntree t { check \"0 < a && a < 9\"; }\n",
        ),
        (
            "leaves { action go; condition near; }\ntree t { sequence { action near; }; }\n",
            "near; };",
            "write `condition near`",
            "leaves { action go; condition near; }\ntree t { sequence { condition near; }; }\n",
        ),
        (
            "tree t { succeed; }\ntree t { fail; }\n",
            "t { fail",
            "call it `t-2`",
            "tree t { succeed; }\ntree t-2 { fail; }\n",
        ),
        (
            "machine m { state a { transition to=b when=\"1 < 2\"; }; state b; }\n",
            "m {",
            "add `initial a`",
            "machine m { initial a; state a { transition to=b when=\"1 < 2\"; }; state b; }\n",
        ),
    ] {
        assert_eq!(fixed(text, place, label), expected);
    }
}

/// Of several definitions that could run, each may be the one that does, and what is imported only where nothing else is.
#[test]
fn what_runs_is_said() {
    let two = "tree imp { succeed; }\nmachine lamp { initial a; state a; }\n";
    for (name, line) in [("imp", "main tree=imp"), ("lamp", "main machine=lamp")] {
        let label = format!("let `{name}` run");
        assert_eq!(fixed(two, "tree imp", &label), format!("{line}\n\n{two}"));
    }
    let labels = |texts: &[(&str, &str)]| {
        let editor = Editor::of_texts(texts);
        let found = fixes(&editor, 0).into_iter();
        found.map(|fix| fix.label.to_string()).collect::<Vec<_>>()
    };
    let decided = format!("main tree=imp\n{two}");
    assert_eq!(labels(&[("t.kdl", &decided)]), [""; 0]);
    let many: String = ('a'..='f')
        .map(|name| format!("tree {name} {{ succeed; }}\n"))
        .collect();
    let few = ["let `a` run", "let `b` run", "let `c` run", "let `d` run"];
    assert_eq!(labels(&[("t.kdl", &many)]), few);
    let imports = "import \"o.kdl\"\n";
    let both = ["let `imp` run", "let `lamp` run"];
    assert_eq!(labels(&[("t.kdl", imports), ("o.kdl", two)]), both);
    let own = format!("{imports}tree x {{ succeed; }}\ntree y {{ succeed; }}\n");
    let own = labels(&[("t.kdl", &own), ("o.kdl", two)]);
    assert_eq!(own, ["let `x` run", "let `y` run"]);
}

/// The bad documents with what they import: names and texts.
fn bad_documents() -> Vec<Vec<(String, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../treemind_doc/tests/fixtures/bad");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter(|name| name.ends_with(".kdl"))
        .collect();
    names.sort();
    let read = |name: &String| {
        let bytes = std::fs::read(folder.join(name)).expect("a text");
        Document::read_with(&bytes, name, |path| std::fs::read(folder.join(path))).texts()
    };
    names.iter().map(read).collect()
}

/// For each code: how many problems, how many of them have a fix, and whether `allow` is one, too.
type Counts = BTreeMap<&'static str, (Code, usize, usize, bool)>;

/// For each code, how many problems of the bad documents there are, and how many of them have a fix.
fn counts(every: usize) -> Counts {
    let mut counts = BTreeMap::new();
    for texts in bad_documents().into_iter().step_by(every) {
        let editor = Editor::of_texts(&texts);
        let diagnostics = editor.document().diagnostics();
        for one in diagnostics
            .iter()
            .take(40)
            .filter(|one| one.source().name() == editor.name(0))
        {
            let found = fixes(&editor, one.span().start);
            let own = || found.iter().filter(|fix| fix.code == one.code());
            let is_off = |fix: &&Fix| fix.is_allowance();
            let count = counts
                .entry(one.code().as_str())
                .or_insert((one.code(), 0, 0, false));
            count.1 += 1;
            count.2 += usize::from(own().any(|fix| !is_off(&fix)));
            count.3 |= own().any(|fix| is_off(&fix));
        }
    }
    counts
}

const HEAD: &str = "# Quick fixes

Editors offer changes that solve a problem as its help says. Each is tried before it is offered: it has to solve the problem without making a new error. The table counts the problems in the documents with mistakes that the tests read. The crate `treemind_ide` offers the changes, and one of its tests writes this page.

| code | about | problems | with a fix | can be allowed |
|---|---|---:|---:|---|
";

fn row((name, (code, all, fixed, off)): (&&str, &(Code, usize, usize, bool))) -> String {
    let off = if *off { "yes" } else { "" };
    format!(
        "| `{name}` | {} | {all} | {fixed} | {off} |\n",
        code.title()
    )
}

/// With `cargo xtask ci --thorough` of all bad documents; otherwise some of them are compared with the page.
#[test]
fn the_page_says_which_problems_have_fixes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/quick-fixes.md");
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known = known.replace("\r\n", "\n");
    if !super::is_thorough() {
        for (name, (code, _, fixed, _)) in counts(24) {
            let begin = format!("| `{name}` | {} |", code.title());
            let row = known.lines().find(|line| line.starts_with(&begin));
            let row = row.unwrap_or_else(|| panic!("{begin} is not on the page"));
            assert_eq!(fixed > 0, fixed > 0 && !row.contains("| 0 |"), "{row}");
        }
        return;
    }
    let counts = counts(1);
    let rows: String = counts.iter().map(row).collect();
    let fixed = counts
        .values()
        .filter(|(_, _, fixed, _)| *fixed > 0)
        .count();
    let all = counts.len();
    let page = format!("{HEAD}{rows}\n{fixed} of these {all} codes have fixes.\n");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &page).expect("a written page");
    } else {
        assert_eq!(known, page, "`UPDATE_EXPECTED=1` writes it");
    }
    assert!(10 * fixed >= 6 * all, "{fixed} of {all}");
}
