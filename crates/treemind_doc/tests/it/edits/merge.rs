//! Two versions of a text become one.

use super::sequences::{Maker, Random};
use super::{editor, merge_edits};
use treemind_doc::edit::{Clash, Merged, Side, compare, merge};

const BASE: &str = "// A guard.
blackboard { key health type=float default=100.0; }
leaves { action patrol; action flee; action rest; }

tree guard {
    selector {
        // it hurts
        action flee when=\"health < 20\" // run
        sequence {
            action patrol
            wait 0.5
        }
        action rest
    }
}
";

fn both(mine: &str, theirs: &str) -> Merged {
    merge(BASE, mine, theirs, |_| None).expect("KDL")
}

/// The merged text, if nothing clashes; the same for both orders but where both add at one place.
#[track_caller]
fn together(mine: &str, theirs: &str) -> String {
    let merged = both(mine, theirs);
    assert_eq!(merged.conflicts, [], "{}", merged.text);
    merged.text
}

fn changed(pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(BASE.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    })
}

#[test]
fn changes_of_different_nodes_are_merged() {
    let wrapped = changed(&[(
        "        action rest\n",
        "        cooldown 2.0 {\n            action rest\n        }\n",
    )]);
    // Two properties of one node.
    let mine = changed(&[("health < 20\"", "health < 30\"")]);
    let theirs = changed(&[(
        "action flee when=\"health < 20\"",
        "action flee when=\"health < 20\" name=run-for-it",
    )]);
    let text = together(&mine, &theirs);
    assert_eq!(
        text,
        changed(&[(
            "when=\"health < 20\"",
            "when=\"health < 30\" name=run-for-it"
        )])
    );
    assert_eq!(text, together(&mine, &theirs));
    // One wraps a node and the other changes it.
    let mine = changed(&[("action rest\n", "action rest name=sleep\n")]);
    assert_eq!(
        together(&mine, &wrapped),
        wrapped.replace(
            "            action rest\n",
            "            action rest name=sleep\n"
        )
    );
    assert_eq!(together(&wrapped, &mine), together(&mine, &wrapped));
    // One moves a block and the other adds to it.
    let moved = changed(&[
        (
            "        sequence {\n            action patrol\n            wait 0.5\n        }\n",
            "",
        ),
        (
            "        // it hurts\n",
            "        sequence {\n            action patrol\n            wait 0.5\n        }\n        // it hurts\n",
        ),
    ]);
    let added = changed(&[(
        "            wait 0.5\n",
        "            wait 0.5 // a while\n            action rest\n",
    )]);
    let wanted = moved.replace(
        "            wait 0.5\n",
        "            wait 0.5 // a while\n            action rest\n",
    );
    assert_eq!(together(&added, &moved), wanted);
    assert_eq!(together(&moved, &added), wanted);
    // One unwraps and the other removes something beside it.
    let unwrapped = changed(&[(
        "        sequence {\n            action patrol\n            wait 0.5\n        }\n",
        "        action patrol\n        wait 0.5\n",
    )]);
    let removed = changed(&[("        action rest\n", "")]);
    let wanted = unwrapped.replace("        action rest\n", "");
    assert_eq!(together(&unwrapped, &removed), wanted);
    assert_eq!(together(&removed, &unwrapped), wanted);
    // Comments of one, nodes of the other; and lines of Windows.
    let told = changed(&[
        ("// run", "// run away"),
        ("// A guard.", "// A guard, by day."),
    ]);
    assert_eq!(together(&told, &moved), together(&moved, &told));
    assert!(together(&told, &moved).contains("// run away\n"));
    let returns = |text: &str| text.replace('\n', "\r\n");
    let merged = merge(&returns(BASE), &returns(&moved), &returns(&added), |_| None);
    assert_eq!(
        merged.expect("KDL").text,
        returns(&together(&moved, &added))
    );
}

#[test]
fn what_both_do_is_done_once() {
    let added = changed(&[(
        "        action rest\n",
        "        action rest\n        wait 9.0\n",
    )]);
    let mine = added.replace("0.5", "0.7");
    assert_eq!(together(&mine, &added), mine);
    assert_eq!(together(&added, &mine), mine);
    assert_eq!(together(&mine, &mine), mine);
    assert_eq!(together(BASE, &mine), mine);
    assert_eq!(together(&mine, BASE), mine);
}

#[test]
fn what_clashes_is_told_and_chosen() {
    let [mine, theirs] = ["30", "40"].map(|number| changed(&[("< 20", &format!("< {number}"))]));
    let theirs = theirs.replace("wait 0.5", "wait 1.5");
    let merged = both(&mine, &theirs);
    // What does not clash is taken.
    assert_eq!(merged.text, mine.replace("wait 0.5", "wait 1.5"));
    let [clash] = &merged.conflicts[..] else {
        panic!("{:?}", merged.conflicts)
    };
    assert_eq!(clash.how, Clash::Changed);
    assert_eq!(clash.path, ["tree guard", "selector"]);
    assert_eq!(
        [&clash.base, &clash.mine, &clash.theirs],
        [
            "action flee when=\"health < 20\"",
            "action flee when=\"health < 30\"",
            "action flee when=\"health < 40\""
        ]
    );
    let key = clash.key;
    let by = |side| merge(BASE, &mine, &theirs, |of| (of == key).then_some(side)).expect("KDL");
    assert_eq!(
        (by(Side::Theirs).text, by(Side::Theirs).conflicts),
        (theirs.clone(), vec![])
    );
    assert_eq!(
        (by(Side::Mine).text, by(Side::Mine).conflicts),
        (merged.text.clone(), vec![])
    );
    // What was taken is not taken twice.
    let again = merge(BASE, &merged.text, &theirs, |_| None).expect("KDL");
    assert_eq!(again, merged);
    // Removed by one and changed by the other, both ways.
    let removed = changed(&[(
        "        sequence {\n            action patrol\n            wait 0.5\n        }\n",
        "",
    )]);
    let touched = changed(&[("wait 0.5", "wait 0.6")]);
    for (mine, theirs) in [(&removed, &touched), (&touched, &removed)] {
        let merged = both(mine, theirs);
        assert_eq!(
            (&merged.text, merged.conflicts[0].how),
            (mine, Clash::Removed)
        );
        assert!(merged.conflicts[0].base.contains("wait 0.5"));
        let key = merged.conflicts[0].key;
        let theirs_counts = merge(BASE, mine, theirs, |of| (of == key).then_some(Side::Theirs));
        assert_eq!(&theirs_counts.expect("KDL").text, theirs);
    }
    // A comment may be all that was changed.
    let said = changed(&[("// it hurts", "// it hurts a lot")]);
    let gone = changed(&[(
        "        // it hurts\n        action flee when=\"health < 20\" // run\n",
        "",
    )]);
    assert!(both(&gone, &said).conflicts[0].theirs.contains("a lot"));
    // Moved to two places.
    let up = changed(&[
        ("        action rest\n", ""),
        (
            "        // it hurts\n",
            "        action rest\n        // it hurts\n",
        ),
    ]);
    let into = changed(&[
        ("        action rest\n", ""),
        (
            "            wait 0.5\n",
            "            wait 0.5\n            action rest\n",
        ),
    ]);
    assert_eq!(both(&up, &into).conflicts[0].how, Clash::Moved);
}

/// A node is told from the one before it, also where both lines begin in the same way.
#[test]
fn a_node_is_not_taken_for_the_one_that_was_removed() {
    let base = "leaves { action a; action b; }\ntree t {\n    selector {\n        action a name=first\n        action b name=second\n    }\n}\n";
    let mine = base.replace("name=first", "name=first disabled=#true");
    let theirs = base
        .replace("        action a name=first\n", "")
        .replace("second", "third");
    let merged = merge(base, &mine, &theirs, |_| None).expect("KDL");
    assert_eq!(merged.text, mine.replace("second", "third"));
    assert_eq!(merged.conflicts.len(), 1);
    assert_eq!(merged.conflicts[0].how, Clash::Removed);
    assert_eq!(merged.conflicts[0].theirs, "");
}

/// What two do to one place so that it would be wrong is not taken.
#[test]
fn what_is_wrong_together_is_told() {
    let base = "leaves { action a; }\ntree t {\n    invert {\n        action a\n    }\n}\n";
    let mine = base.replace("        action a\n", "        fail\n");
    let theirs = base.replace("        action a\n", "        succeed\n");
    let merged = merge(base, &mine, &theirs, |_| None).expect("KDL");
    assert_eq!(merged.text, mine);
    assert_eq!(merged.conflicts.len(), 1, "{merged:?}");
    let open = merge(base, &mine, "tree t {", |_| None).unwrap_err();
    assert_eq!(
        open.message(),
        "the second text has an open block, string or comment"
    );
}

/// Both edit a document at random: the effects of both are in the result, or a conflict is told.
#[test]
fn random_edits_of_both_sides_are_merged() {
    let (mut clean, mut told) = (0, 0);
    for seed in 0..60 {
        let base = Maker::new(seed).document();
        let mut random = Random::new(seed + 7);
        let [mine, theirs] = ["mine", "theirs"].map(|who| {
            let mut editor = editor(&base);
            let count = 1 + random.below(4);
            let done = merge_edits::some(&mut editor, &mut random, who, count);
            (editor.text(0).to_owned(), done)
        });
        let merged = merge(&base, &mine.0, &theirs.0, |_| None);
        let merged = merged.unwrap_or_else(|error| panic!("{seed}: {error}\n{base}"));
        let text = &merged.text;
        let tell = || {
            format!(
                "seed {seed}\n{base}\n--- mine\n{}\n--- theirs\n{}\n--- merged\n{text}",
                mine.0, theirs.0
            )
        };
        assert!(compare(&base, text).is_ok(), "{}", tell());
        if !merged.conflicts.is_empty() {
            told += 1;
            continue;
        }
        clean += 1;
        for done in mine.1.iter().chain(&theirs.1) {
            assert!(done.is_in(text), "{done:?} {}", tell());
        }
        // Whatever neither has touched is still there.
        for name in merge_edits::names(&base) {
            let is_removed = [&mine.0, &theirs.0]
                .iter()
                .any(|text| !text.contains(&name));
            assert_eq!(text.contains(&name), !is_removed, "{name} {}", tell());
        }
    }
    assert!(clean > 30, "{clean} were merged, {told} told");
}
