//! States, transitions, and where they lead.

use super::edited;
use treemind_doc::edit::{Change, EditError, Editor, Spot};

type Done = Result<String, String>;

fn state(text: &str, name: &str) -> Done {
    edited(text, |editor, marks| editor.add_state(marks[0], name))
}

fn transition(text: &str, trigger: &str) -> Done {
    edited(text, |editor, marks| {
        editor.add_transition(marks[0], marks[1], trigger)
    })
}

#[test]
fn states_are_added() {
    for (text, expected) in [
        (
            "§machine m {}",
            "machine m {\n    initial b\n    state b\n}",
        ),
        (
            "§machine m {\n    key k type=int\n}\n",
            "machine m {\n    key k type=int\n    initial b\n    state b\n}\n",
        ),
        (
            "machine m {\r\n\tinitial a\r\n\t§state a // first\r\n}\r\n",
            "machine m {\r\n\tinitial a\r\n\tstate a {\r\n\t\tinitial b\r\n\t\tstate b\r\n\t} // first\r\n}\r\n",
        ),
        (
            "§machine m { initial a; state a; transition to=a; }",
            "machine m { initial a; state a; state b; transition to=a; }",
        ),
        // What a state does stays where it is.
        (
            "machine m {\n  initial a\n  §state a {\n    do { run; }\n    transition to=a\n  }\n}\n",
            "machine m {\n  initial a\n  state a {\n    initial b\n    do { run; }\n    transition to=a\n    state b\n  }\n}\n",
        ),
        // A region.
        (
            "machine m { initial p; §parallel p { state a; }; }",
            "machine m { initial p; parallel p { state a; state b; }; }",
        ),
    ] {
        assert_eq!(state(text, "b").as_deref(), Ok(expected), "{text}");
    }
    for (text, name, why) in [
        (
            "§machine m { initial a; state a; }",
            "a",
            "another state beside it is named `a`",
        ),
        (
            "machine m { initial a; §state a final=#true; }",
            "b",
            "a final state contains no states",
        ),
        (
            "§tree t { run; }",
            "b",
            "`tree` is neither a machine nor a state, and only these contain states",
        ),
        (
            "§machine m { initial a; state a; }",
            "a.b",
            "`a.b` is not a valid name for a state: dots separate the names in a path of states",
        ),
        (
            "machine m {\n initial a\n §state a { transition to=b; }\n state b\n}",
            "b",
            "`b` in line 3 would then stand for something else",
        ),
    ] {
        assert_eq!(state(text, name).unwrap_err(), why, "{text}");
    }
}

#[test]
fn the_initial_state_and_its_history_are_set() {
    let initial = |text: &str| edited(text, |editor, marks| editor.set_initial(marks[0]));
    for (text, expected) in [
        (
            "machine m { initial a history=deep; state a; §state b; }",
            "machine m { initial b history=deep; state a; state b; }",
        ),
        (
            "machine m {\n    §state b\n}",
            "machine m {\n    initial b\n    state b\n}",
        ),
        (
            "machine m { initial \"a.x\" { run; }; state a; §state \"b c\"; }",
            "machine m { initial \"b c\" { run; }; state a; state \"b c\"; }",
        ),
    ] {
        assert_eq!(initial(text).as_deref(), Ok(expected), "{text}");
    }
    for (text, why) in [
        (
            "machine m { initial a; state a { §do { run; }; }; }",
            "`do` is not a state",
        ),
        (
            "machine m { parallel p { §state a; }; }",
            "all states of a `parallel` are active, so none is the initial one",
        ),
        ("machine m { §state; }", "this state has no name"),
    ] {
        assert_eq!(initial(text).unwrap_err(), why, "{text}");
    }
    let history = |text: &str, depth: Option<&str>| {
        edited(text, |editor, marks| editor.set_history(marks[0], depth))
    };
    let text = "machine m { initial a; §state a { initial b; state b { transition to=a; }; }; }";
    assert_eq!(
        history(text, Some("deep")).as_deref(),
        Ok(
            "machine m { initial a; state a { initial b history=deep; state b { transition to=a; }; }; }"
        )
    );
    assert_eq!(
        history(
            "machine m { initial a; state a { §transition to=a history=deep; }; }",
            None
        )
        .as_deref(),
        Ok("machine m { initial a; state a { transition to=a; }; }")
    );
    assert_eq!(
        history(
            "machine m { initial a; state a { §transition to=a; }; }",
            Some("far")
        )
        .unwrap_err(),
        "there is no history `far`; use `shallow` or `deep`"
    );
    for (text, why) in [
        (
            "machine m { initial a; state a { §transition to=b; }; state b; }",
            "`b` has no states inside, so it has no history",
        ),
        (
            "machine m { initial a; state a { §transition pop=#true on=x; }; }",
            "`history=` needs a target state",
        ),
        (
            "machine m { §initial a; state a { initial b; state b; }; }",
            "the `initial` of a machine cannot have a history: a machine forgets its states when it ends",
        ),
    ] {
        for depth in ["shallow", "deep"] {
            assert_eq!(history(text, Some(depth)).unwrap_err(), why, "{text}");
        }
    }
    let inner = "machine m { initial a; state a { §transition to=b.c; }; state b { initial c; state c { initial d; state d; }; }; }";
    assert!(history(inner, Some("deep")).is_ok());
    assert_eq!(
        history("machine m { initial a; §state a; }", Some("deep")).unwrap_err(),
        "a history belongs to a transition, or to a state with an initial state inside, and not to this `state`"
    );
}

#[test]
fn transitions_are_added() {
    for (text, trigger, expected) in [
        (
            "machine m { initial a; §state a; §state b; }",
            "on=bell",
            "machine m { initial a; state a { transition to=b on=bell; }; state b; }",
        ),
        // After those that are there, before inner states.
        (
            "machine m {\n    initial a\n    §state a {\n        transition to=b when=\"x\" // first\n        initial i\n        state i\n    }\n    §state b\n}\n",
            "when=\"y > 1\" priority=2",
            "machine m {\n    initial a\n    state a {\n        transition to=b when=\"x\" // first\n        transition to=b when=\"y > 1\" priority=2\n        initial i\n        state i\n    }\n    state b\n}\n",
        ),
        (
            "§machine m {\n    initial a\n    §state a\n}\n",
            "",
            "machine m {\n    initial a\n    transition to=a\n    state a\n}\n",
        ),
        // The shortest path that means the state.
        (
            "machine m { initial a; state a { initial x; §state x; }; state b { initial x; §state x; }; }",
            "after=1",
            "machine m { initial a; state a { initial x; state x { transition to=\"b.x\" after=1; }; }; state b { initial x; state x; }; }",
        ),
    ] {
        assert_eq!(transition(text, trigger).as_deref(), Ok(expected), "{text}");
    }
    let text = "machine m { initial a; §state a; §state b; }";
    for (trigger, why) in [
        (
            "after=1 on=bell",
            "a transition waits for one of `on=`, `after=` and `done=`; the others need transitions of their own",
        ),
        (
            "to=b",
            "`to=` says where a transition leads, and not what it waits for",
        ),
        ("whenn=\"x\"", "`transition` has no property `whenn`"),
        (
            "bell",
            "a trigger is given by properties, such as `after=2` or `on=bell when=\"loud\"`",
        ),
        (
            "on=bell { run; }",
            "a trigger is given by properties, such as `after=2` or `on=bell when=\"loud\"`",
        ),
        ("on=bell; state c", "a transition has only one line"),
    ] {
        assert_eq!(transition(text, trigger).unwrap_err(), why, "{trigger}");
    }
    for (text, why) in [
        (
            "machine m { §state a final=#true; §state b; }",
            "nothing leads out of a final state",
        ),
        (
            "machine m { §state a; }\nmachine n { §state b; }",
            "a transition leads to a state of its own machine",
        ),
        (
            "machine m { §state a { §do { run; }; }; }",
            "`do` is not a state",
        ),
        (
            "machine m { §state a; §state; }",
            "no path of names means this state; give it a name of its own",
        ),
        (
            "tree t { §sequence { run; }; }\nmachine m { §state a; }",
            "`sequence` is neither a state nor a machine, so no transition leads out of it",
        ),
    ] {
        assert_eq!(transition(text, "").unwrap_err(), why, "{text}");
    }
}

#[test]
fn transitions_are_retargeted() {
    let retarget = |editor: &Editor, marks: &[usize]| -> Result<Change, EditError> {
        editor.retarget(marks[0], marks[1])
    };
    for (text, expected) in [
        (
            "machine m { state a { §transition to=a after=1; }; §state b; }",
            "machine m { state a { transition to=b after=1; }; state b; }",
        ),
        (
            "machine m { state a { §transition after=1; }; §state b; }",
            "machine m { state a { transition to=b after=1; }; state b; }",
        ),
        (
            "machine m { state a { §transition push=\"a\"; }; §state b; }",
            "machine m { state a { transition push=\"b\"; }; state b; }",
        ),
    ] {
        assert_eq!(edited(text, retarget).as_deref(), Ok(expected), "{text}");
    }
    for (text, why) in [
        (
            "machine m { state a { §transition decide=d; }; §state b; }",
            "a decision tree says where this transition leads",
        ),
        (
            "machine m { state a { §transition pop=#true; }; §state b; }",
            "this transition goes back to where the machine was",
        ),
        (
            "machine m { §state a; §state b; }",
            "this is not a transition",
        ),
    ] {
        assert_eq!(edited(text, retarget).unwrap_err(), why, "{text}");
    }
}

#[test]
fn nodes_change_places_with_their_peers() {
    let reorder =
        |text: &str, by: isize| edited(text, |editor, marks| editor.reorder(marks[0], by));
    let text = "machine m {\n  state a {\n    transition to=b on=x // x\n    entry { run; }\n    // y\n    §transition to=b on=y\n  }\n}\n";
    assert_eq!(
        reorder(text, -1).as_deref(),
        Ok(
            "machine m {\n  state a {\n    // y\n    transition to=b on=y\n    transition to=b on=x // x\n    entry { run; }\n  }\n}\n"
        )
    );
    assert_eq!(
        reorder(text, 1).unwrap_err(),
        "this `transition` is already the last of its kind here"
    );
    assert_eq!(
        reorder(
            "machine m { state a { transition to=b priority=1; §transition to=c; }; }",
            -1
        )
        .unwrap_err(),
        "these transitions differ in `priority=`, so their order has no effect; change the priority"
    );
    assert_eq!(
        reorder(
            "decide d { switch \"x\" { §case 1 { run; }; case 2 { fail; }; default { run; }; }; }",
            1
        )
        .as_deref(),
        Ok("decide d { switch \"x\" { case 2 { fail; }; case 1 { run; }; default { run; }; }; }")
    );
    assert_eq!(
        reorder("tree t { §run; }", -1).unwrap_err(),
        "nothing stands beside this `run` to change places with"
    );
    // Among tasks, a `parallel` is one of them.
    assert_eq!(
        reorder("tree t { sequence { §parallel { run; }; run; }; }", 1).as_deref(),
        Ok("tree t { sequence { run; parallel { run; }; }; }")
    );
    assert_eq!(
        reorder(
            "tree t { sequence { §wait 1; parallel { run; }; run; }; }",
            1
        )
        .as_deref(),
        Ok("tree t { sequence { parallel { run; }; wait 1; run; }; }")
    );
    assert_eq!(
        reorder(
            "machine m { initial a; state a; §parallel b { state c; }; }",
            -1
        )
        .as_deref(),
        Ok("machine m { initial a; parallel b { state c; }; state a; }")
    );
}

#[test]
fn transitions_lead_to_a_state_that_has_moved() {
    for (text, expected) in [
        // Out of the state around it: what leads to it from elsewhere, and from within, has one name less.
        (
            "machine m {
    initial shut
    state shut {
        transition to=\"open.wide\" on=kick // far
        transition to=open.narrow on=push
    }
    state open {
        initial narrow
        state narrow { transition to=wide after=1.0; }
        // 宽
        §state wide { initial far; state far { transition to=open.wide after=1.0; }; }
    }
}
",
            "machine m {
    initial shut
    state shut {
        transition to=\"wide\" on=kick // far
        transition to=open.narrow on=push
    }
    state open {
        initial narrow
        state narrow { transition to=wide after=1.0; }
    }
    // 宽
    state wide { initial far; state far { transition to=wide after=1.0; }; }
}
",
        ),
        // Into another one, where its name alone would mean two; what means the same as before is left as it is.
        (
            "machine m {
    initial a
    §state b { transition to=b; }
    state a { transition push=b; transition to=\"b c\"; transition to=c; }
    parallel p {
        state q
        state c
    }
    state d { initial b; state b; }
}
",
            "machine m {
    initial a
    state a { transition push=\"p.b\"; transition to=\"p.b c\"; transition to=c; }
    parallel p {
        state q
        state c
        state b { transition to=b; }
    }
    state d { initial b; state b; }
}
",
        ),
    ] {
        let after = edited(text, |editor, marks| {
            let goal = ["parallel p", "machine m"];
            let goal = goal.iter().find_map(|goal| editor.text(0).find(goal));
            editor.move_node(
                marks[0],
                Spot::Into(goal.expect("a goal").into(), usize::MAX),
            )
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text}");
    }
}
