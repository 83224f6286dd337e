//! Steps of planners: wrapped, unwrapped, turned into trees, moved.

use super::edited;
use treemind_doc::edit::Spot;

/// A planner with a step, and a task that names it.
fn planner(step: &str) -> String {
    format!(
        "blackboard {{ key wood type=int; key soup type=bool; }}\nleaves {{ action chop; action boil; }}\nplanner day {{\n    goal cook does=work\n    task work {{ method chop; }}\n    {step}\n}}\n"
    )
}

#[test]
fn a_node_around_a_step_is_the_step() {
    for (step, expected) in [
        (
            "§action chop when=\"wood > 0\" gives=\"soup = true\" cost=2",
            "cooldown 2.0 name=chop when=\"wood > 0\" gives=\"soup = true\" cost=2 {\n        action chop\n    }",
        ),
        (
            "§wait 1.0 name=chop on-success=\"wood += 1\" doc=\"slow\"",
            "cooldown 2.0 name=chop on-success=\"wood += 1\" {\n        wait 1.0 doc=\"slow\"\n    }",
        ),
    ] {
        let after = edited(&planner(step), |editor, marks| {
            editor.wrap(marks[0], "cooldown 2.0")
        });
        let expected = planner(expected);
        assert_eq!(after.as_deref(), Ok(expected.as_str()), "{step}");
    }
    let step = "§action chop name=chop";
    let after = edited(&planner(step), |editor, marks| {
        editor.wrap(marks[0], "sequence name=work-hard")
    });
    let why = "`name` of the new node would be in the way of `name` of this one";
    assert_eq!(after, Err(why.to_owned()));
    let two = "§action chop\n    §action boil";
    let after = edited(&planner(two), |editor, marks| {
        editor.wrap_all(marks[0], marks[1], "sequence")
    });
    let why = "each of these nodes is a step of its own, with a name, effects and guards";
    assert_eq!(after, Err(why.to_owned()));
}

#[test]
fn what_is_in_a_step_becomes_the_step() {
    let step = "§cooldown 2.0 name=chop gives=\"soup = true\" { action boil; }";
    let after = edited(&planner(step), |editor, marks| editor.unwrap(marks[0]));
    let expected = planner("action boil name=chop gives=\"soup = true\"");
    assert_eq!(after, Ok(expected));
    for (step, why) in [
        (
            "§sequence name=chop { action chop; action boil; }",
            "this `sequence` is one step, and its 2 nodes would be steps of their own",
        ),
        (
            "§invert name=chop when=\"soup\" { action boil when=\"wood > 1\"; }",
            "the node in this `invert` has `when` of its own, too",
        ),
    ] {
        let after = edited(&planner(step), |editor, marks| editor.unwrap(marks[0]));
        assert_eq!(after, Err(why.to_owned()), "{step}");
    }
}

#[test]
fn a_step_that_becomes_a_tree_stays_the_step() {
    let step = "§action chop when=\"wood > 0\" gives=\"soup = true\"";
    let after = edited(&planner(step), |editor, marks| {
        editor.extract(marks[0], "chopping")
    });
    let after = after.expect("it can be a tree");
    let line = "subtree chopping when=\"wood > 0\" gives=\"soup = true\" name=chop\n";
    assert!(after.contains(line), "{after}");
    assert!(
        after.contains("tree chopping {\n    action chop\n}"),
        "{after}"
    );
}

#[test]
fn what_a_step_gives_means_nothing_elsewhere() {
    let text =
        planner("§action chop gives=\"wood = 1\"") + "tree t { sequence { §action boil; }; }\n";
    let after = edited(&text, |editor, marks| {
        let place = Spot::After(marks[1].into());
        editor.may_move(marks[0], place)?;
        editor.move_node(marks[0], place)
    });
    assert_eq!(
        after,
        Err("it has a `gives`, which means nothing there".to_owned())
    );
}
