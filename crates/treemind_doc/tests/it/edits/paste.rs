//! Text that comes from elsewhere: what may stand at the place goes there, and nothing else.

use super::{edited, editor};
use treemind_doc::Document;
use treemind_doc::edit::{Editor, Spot};

const GUARD: &str = "blackboard { key health type=float; }

tree guard {
    sequence {
        run§
        invert { fail; }
    }
}
test \"it runs\" tree=guard { tick; expect failure; }
";

fn pasted(text: &str, new: &str) -> Result<String, String> {
    edited(text, |editor, marks| {
        editor.paste(Spot::After(marks[0].into()), new)
    })
}

fn after(old: &str, new: &str) -> String {
    GUARD.replace('§', "").replace(old, new)
}

#[test]
fn what_was_put_in_has_its_name_in_the_label() {
    let (text, spot) = ("tree t { sequence { run; }; }\n", Spot::After(20.into()));
    for (new, label) in [
        ("action bark", "insert action bark"),
        ("check \"a < 2\"", "insert check"),
        ("wait 2.0", "insert wait"),
    ] {
        let label_of = |change: &treemind_doc::edit::Change| change.label().to_string();
        let editor = editor(text);
        let change = editor.paste(spot, new).expect("it fits");
        assert_eq!(label_of(&change), label);
        let change = editor.insert(spot, new).expect("it fits");
        assert_eq!(label_of(&change), label);
    }
}

#[test]
fn what_may_stand_at_the_place_goes_there() {
    assert_eq!(
        pasted(GUARD, "// rest\nwait 2.5 // long\nsequence { run; }"),
        Ok(after(
            "        run\n",
            "        run\n        // rest\n        wait 2.5 // long\n        sequence { run; }\n"
        ))
    );
}

#[test]
fn many_nodes_are_pasted_and_too_many_are_refused() {
    let many = "        wait 2.5\n".repeat(8_000);
    let after_run = format!("        run\n{many}");
    assert_eq!(pasted(GUARD, &many), Ok(after("        run\n", &after_run)));
    assert_eq!(
        pasted(GUARD, &many.repeat(2)),
        Err("this is too much to insert: 266 KiB, and 256 are allowed; more can be put into the text".to_owned())
    );
    for twice in [
        "key a type=int\nkey a type=int",
        "key a type=int\nblackboard { key a type=int; }",
    ] {
        let expected = "another key is named `a`".to_owned();
        assert_eq!(pasted(GUARD, twice), Err(expected), "{twice}");
    }
}

#[test]
fn a_definition_goes_behind_the_one_around_the_place() {
    let whole = "    }\n}\ntest";
    for new in [
        "tree other { run; }",
        "machine other { initial a; state a { do { run; }; }; }",
        "decide other { test \"1 < 2\" { run; }; run; }",
        "test \"another\" tree=guard { tick; expect failure; }",
    ] {
        assert_eq!(
            pasted(GUARD, new),
            Ok(after(whole, &format!("    }}\n}}\n\n{new}\n\ntest")))
        );
    }
    // Without such a block, it is what a tree does.
    assert_eq!(
        pasted(GUARD, "machine other"),
        Ok(after(
            "        run\n",
            "        run\n        machine other\n"
        ))
    );
}

#[test]
fn a_key_goes_to_the_blackboard() {
    assert_eq!(
        pasted(GUARD, "key ammo type=int"),
        Ok(after("float; }", "float; key ammo type=int; }"))
    );
    assert_eq!(
        pasted("tree t {\n    sequence { run§; }\n}\n", "key ammo type=int"),
        Ok(
            "blackboard {\n    key ammo type=int\n}\n\ntree t {\n    sequence { run; }\n}\n"
                .to_owned()
        )
    );
    assert_eq!(
        pasted(GUARD, "key health type=int"),
        Err("another key is named `health`".to_owned())
    );
    assert_eq!(
        pasted(GUARD, "blackboard { key health type=int; }"),
        Err("another key is named `health`".to_owned())
    );
}

#[test]
fn each_node_goes_where_it_belongs() {
    assert_eq!(
        pasted(
            GUARD,
            "// rounds\nkey ammo type=int\nwait 2.5 // long\n// by hand\ntree other { run; }\ntree third { run; }"
        ),
        Ok(after("float; }", "float;\n// rounds\nkey ammo type=int; }")
            .replace("        run\n", "        run\n        wait 2.5 // long\n")
            .replace(
                "    }\n}\ntest",
                "    }\n}\n\n// by hand\ntree other { run; }\n\ntree third { run; }\n\ntest"
            ))
    );
}

#[test]
fn what_may_not_stand_says_why() {
    for (new, why) in [
        ("Please look at the guard", "unknown word `Please`"),
        ("run away when it hurts", "`run` takes no value"),
        ("wait for the guard", "`wait` takes only one value"),
        (
            "state x { do { run; }; }",
            "`state` cannot stand in `sequence`; it stands in a machine or state or in a decision tree that leads to states",
        ),
        (
            "wait 1.0\nstate x",
            "`state` cannot stand in `sequence`; it stands in a machine or state or in a decision tree that leads to states",
        ),
        ("sequence { Please; }", "unknown word `Please`"),
        (
            "tree other { state x; }",
            "`state` cannot stand in `tree`; it stands in a machine or state or in a decision tree that leads to states",
        ),
        ("", "the inserted text has no node"),
    ] {
        assert_eq!(pasted(GUARD, new), Err(why.to_owned()), "{new}");
    }
    let why = pasted(GUARD, "sequence {").unwrap_err();
    assert!(
        why.starts_with("the inserted text is not a node: "),
        "{why}"
    );
}

#[test]
fn a_name_that_is_taken_becomes_another_one() {
    let text = "machine m {\n    initial a\n    state a§\n    state a-2\n}\n";
    assert_eq!(
        pasted(text, "state \"a\" // again"),
        Ok("machine m {\n    initial a\n    state a\n    state \"a-3\" // again\n    state a-2\n}\n".to_owned())
    );
    let plain = GUARD.replace('§', "");
    let editor = editor(&plain);
    let run = plain.find("run").expect("it is there");
    let change = editor
        .paste(Spot::After(run.into()), "tree guard { run; }")
        .expect("it may stand");
    assert_eq!(
        change.notes(),
        ["`guard` is taken, so this one is called `guard-2`"]
    );
    let text = change.apply_to(0, &plain).expect("made for this text");
    assert!(
        text.contains("}\n\ntree guard-2 { run; }\n\ntest"),
        "{text}"
    );
}

#[test]
fn every_example_can_be_pasted() {
    let mut pending = vec![std::path::PathBuf::from("../../examples")];
    let mut count = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a folder");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        if path.extension().is_none_or(|end| end != "kdl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let empty = Editor::new(Document::parse("", "new.kdl")).expect("KDL");
        let change = empty.paste(Spot::Top(0, usize::MAX), &text);
        let change = change.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let all = change.apply_to(0, "").expect("made for this text");
        let formatted = treemind_doc::format(&text, "all.kdl").expect("a formatted text");
        assert_eq!(all.trim_end(), formatted.trim_end(), "{}", path.display());
        count += 1;
    }
    assert!(count > 20, "{count}");
}
