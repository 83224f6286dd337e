//! Goals, rules and plans in the formats of `trace`.

use crate::treemind_in;

/// Guards, and the `when` of goals and rules, hold or do not, and each stands at its line.
#[test]
fn the_log_says_what_holds_of_goals_and_rules() {
    let text = "main tree=t
blackboard { key n type=int; key armed type=bool; key dead type=bool; key fear type=double default=0.25; }
leaves { action draw; action hit; action wave instant=#true; }
tree t { sequence {
    set \"n += 1\"
    force-success { rules { rule late when=\"n == 2\" { action wave; }; rule early when=\"n == 1\" { action wave name=nod; }; }; }
    planner p
} }
planner p {
    goal kill wants=\"dead\" when=\"n > 0\" score=\"1 - fear\"
    goal calm wants=\"!dead\" when=\"n > 5\" score=\"fear\"
    action draw when=\"!armed\" gives=\"armed = true\" on-success=\"armed = true\"
    action hit when=\"armed\" on-success=\"dead = true\"
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(folder.path(), "trace t.kdl --format log --ticks 1", b"");
    let expected = "\
tick 1: RUNNING
RUNNING   sequence
SUCCESS     set \"n += 1\"  [n = 0; n := 1]
SUCCESS     force-success
SUCCESS       rules  [fires early]
                rule late when=\"n == 2\"  [n = 1; when does not hold]
FIRED           rule early when=\"n == 1\"  [n = 1; when holds]
SUCCESS           action wave name=nod  [starts]
RUNNING     planner p  [think: kill; n = 1; armed = false; dead = false; goal: kill; plan: 2; intend: draw; intend: hit]
              goal kill wants=\"dead\" when=\"n > 0\" score=\"1.0 - fear\"  [n = 1; when holds; fear = 0.25; scores 0.75; dead = false]
              goal calm wants=\"!dead\" when=\"n > 5\" score=\"fear\"  [n = 1; when does not hold]
SUCCESS       action draw gives=\"armed = true\" when=\"!armed\" on-success=\"armed = true\"  [armed = false; when holds; starts; armed := true]
";
    assert_eq!(ran.out, expected, "{}", ran.err);
}

/// What has a fault stands at its goal or its rule, and the next ones keep their own values.
#[test]
fn the_log_says_what_has_a_fault_of_goals_and_rules() {
    let text = "main tree=t
blackboard { key n type=int; key m type=int default=1; key u type=int optional=#true; key a type=bool; key b type=bool; }
leaves { action go; action stay; }
tree t { sequence {
    rules when=\"m == 1\" {
        rule first when=\"10 / n > 2\" { set \"a = true\"; }
        rule second when=\"u > 1\" { set \"a = true\"; }
        rule third when=\"m > 0\" cooldown=\"double(10 / n)\" { set \"a = false\"; }
        rule fourth when=\"m > 5\" { set \"a = true\"; }
    }
    planner p
} }
planner p {
    goal one wants=\"a\" when=\"10 / n > 1\"
    goal two wants=\"a\" score=\"double(10 / n)\"
    goal three wants=\"a\" when=\"m > 3\"
    goal four wants=\"b\" when=\"u > 3\" score=0.4
    goal five wants=\"b && m > 0\" score=0.5
    action go gives=\"a = true\"
    action stay gives=\"b = true\"
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(folder.path(), "trace t.kdl --format log --ticks 1", b"");
    let zero = "fault: an int was divided by zero";
    let unset = "fault: the key `u` is unset";
    for (line, notes) in [
        ("rule first ", &format!("[n = 0; when: {zero}]")),
        ("rule second ", &format!("[when: {unset}]")),
        (
            "rule third ",
            &format!("[m = 1; when holds; n = 0; cooldown: {zero}]"),
        ),
        ("rule fourth ", &"[m = 1; when does not hold]".to_owned()),
        ("goal one ", &format!("[n = 0; when: {zero}]")),
        ("goal two ", &format!("[n = 0; {zero}; scores 0]")),
        ("goal three ", &"[m = 1; when does not hold]".to_owned()),
        ("goal four ", &format!("[when: {unset}]")),
    ] {
        let mut lines = ran.out.lines();
        let found = lines.find(|one| one.contains(line)).unwrap_or_default();
        assert!(
            found.ends_with(notes.as_str()),
            "{line}{notes}:\n{}{}",
            ran.out,
            ran.err
        );
    }
}

/// A plan that is dropped, and that none is found, is told in its tick, also where no action begins or ends.
#[test]
fn reasons_are_told_for_ticks_in_which_a_plan_changes() {
    let text = "main tree=t
blackboard { key seen type=bool; key near type=bool; key there type=bool; }
tree t { selector { planner p; run; }; }
planner p {
    goal in wants=\"there\"
    set \"seen = true\" name=knock gives=\"near = true\"
    run name=enter when=\"near\" gives=\"there = true\"
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(folder.path(), "trace t.kdl --format reasons --ticks 4", b"");
    for (tick, said) in [
        (1, "`p` made a plan for `in`"),
        (2, "`p` gave up its plan for `in`"),
        (2, "`p` found no plan for `in`"),
    ] {
        let from = ran.out.find(&format!("tick {tick} ("));
        let told = from.map(|from| &ran.out[from..]).unwrap_or_default();
        let end = told[1..].find("\ntick ").map_or(told.len(), |end| end + 1);
        assert!(
            told[..end].contains(said),
            "{said} in tick {tick}:\n{}",
            ran.out
        );
    }
    assert!(!ran.out.contains("tick 3 ("), "{}", ran.out);
}

/// What a goal wants is read after its score, and stands at its line; so does the cooldown of a rule that fired.
#[test]
fn the_log_puts_what_is_wanted_and_what_cools_at_its_line() {
    let text = "main tree=t
blackboard { key n type=int; key m type=int; key a type=bool; key b type=bool; key cd type=double default=1.0; }
leaves { action go; }
tree t { sequence {
    force-success { rules {
        rule cools when=\"!a\" cooldown=\"cd\" { set \"m += 1\"; }
        rule other when=\"n > 5\" { set \"m += 1\"; }
    }; }
    planner p
} }
planner p {
    goal one wants=\"n > 2\"
    goal two wants=\"!b\"
    goal three wants=\"b && a\" score=3
    goal four wants=\"b\" when=\"!b\" score=\"double(m)\"
    goal last wants=\"m > 1\" score=0.5
    action go gives=\"b = true; a = true\"
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(folder.path(), "trace t.kdl --format log --ticks 1", b"");
    for (line, notes) in [
        (
            "rule cools ",
            "[a = false; when holds; cd = 1; cooldown comes to 1]",
        ),
        ("rule other ", "[n = 0; when does not hold]"),
        ("goal one ", "[scores 1; n = 0]"),
        ("goal two ", "[scores 1; b = false]"),
        ("goal three ", "[scores 3; b = false; a = false]"),
        (
            "goal four ",
            "[b = false; when holds; m = 1; scores 1; b = false]",
        ),
        ("goal last ", "[scores 0.5; m = 1]"),
        ("planner p ", "[think: three"),
    ] {
        let mut lines = ran.out.lines();
        let found = lines.find(|one| one.contains(line)).unwrap_or_default();
        assert!(
            found.contains(notes),
            "{line}{notes}:\n{}{}",
            ran.out,
            ran.err
        );
    }
}

/// So are rules that fire, searches that end in the tick in which they began, and a planner that has reached its goal.
#[test]
fn reasons_are_told_for_rules_searches_and_goals() {
    let text = "blackboard { key n type=int; key m type=int; key a type=bool; key spot type=vec2 optional=#true; }
leaves { candidates spots type=vec2; action idle; action go; }
tree t { reactive-sequence {
    set \"n += 1\"
    force-success { rules { rule third when=\"n == 3\" { set \"m = 1\"; }; }; }
    force-success { find p in=spots into=\"{spot}\" { keep \"n > 4\"; }; }
    force-success { planner way; }
    action idle
} }
planner way { goal there wants=\"a\"; action go gives=\"a = true\" on-success=\"a = true\"; }
test one tree=t {
    leaf spots items=\"1,1 2,2\"
    leaf go answers=\"R S\"
    leaf idle answers=R
    tick 7
    expect running
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(
        folder.path(),
        "trace t.kdl --test one --format reasons",
        b"",
    );
    for said in [
        "`third` fired",
        "all 2 candidates of",
        "`way` succeeded",
        "`there` is reached",
    ] {
        assert!(ran.out.contains(said), "{said}:\n{}{}", ran.out, ran.err);
    }
    assert!(!ran.out.contains("\ntick 7 "), "{}", ran.out);
}

/// Of lists, the items are shown, and of times what they come to.
#[test]
fn the_log_shows_the_items_of_lists_and_times() {
    let text = "main tree=t
blackboard { key seen type=int list=12 { default 1 2 3 4 5 6 7 8 9; }; key alarm type=bool; key n type=int; }
leaves { action go; }
tree t { sequence {
    check \"len(seen) > 2 && age(alarm) < 5 && now() > 0\"
    set \"seen += 10\"
    set \"seen -= 1\"
    check \"contains(seen, 10)\"
    log \"{n}\"
    action go
}; }
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.kdl"), text).expect("a file");
    let ran = treemind_in(folder.path(), "trace t.kdl --format log --ticks 1", b"");
    let all = "[2, 3, 4, 5, 6, 7, 8, 9, … 9 in all]";
    for wanted in [
        "[seen = [1, 2, 3, 4, 5, 6, 7, 8, … 9 in all]; alarm = false; age(alarm) = 0.1; now() = 0.1]\n",
        // What stood in it between two writes is not known.
        "[seen := [… 10 in all]]\n",
        &format!("[seen := {all}]\n"),
        &format!("[seen = {all}]\n"),
    ] {
        assert!(ran.out.contains(wanted), "{wanted}\n{}", ran.out);
    }
    let ran = treemind_in(
        folder.path(),
        "trace t.kdl --format reasons --language zh --ticks 1",
        b"",
    );
    assert!(ran.out.contains("\n正在做什么\n"), "{}", ran.out);
}
