//! What is offered at a place.

use treemind_doc::edit::Editor;
use treemind_ide::{Completion, CompletionKind, complete};

/// What is offered at the `|` of a text.
fn at(text: &str) -> Vec<Completion> {
    let offset = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    let editor = Editor::of_texts(&[("t.kdl", text.as_str())]);
    complete(&editor, offset, &["parts/leaves.kdl".to_owned()]).items
}

/// The first labels.
fn labels(text: &str) -> Vec<String> {
    at(text).into_iter().take(3).map(|one| one.label).collect()
}

/// A text with its `|` replaced by the first offer.
fn taken(text: &str) -> String {
    let offset = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    let editor = Editor::of_texts(&[("t.kdl", text.as_str())]);
    let found = complete(&editor, offset, &[]);
    let mut text = text;
    text.replace_range(found.replaces, &found.items[0].insert);
    text
}

const LEAVES: &str = "blackboard { key mode type=enum { value calm alert; }; key near type=bool; key goal type=vec2; }\n\
    leaves { action go { param to type=vec2; }; condition hungry; event noise { param volume type=float; }; }\n";

fn labels_in(tree: &str) -> Vec<String> {
    labels(&format!("{LEAVES}{tree}"))
}

#[test]
fn only_words_that_may_stand_here_are_offered() {
    assert_eq!(labels("t|")[..2], ["tree", "test"]);
    assert!(at("tree t { | }").iter().all(|one| one.label != "state"));
    assert!(at("machine m { | }").iter().any(|one| one.label == "state"));
    // A tree has only one root.
    assert!(
        at("tree t { sequence { }; s| }")
            .iter()
            .all(|one| one.label != "selector")
    );
}

#[test]
fn properties_are_offered_once() {
    let found = at("tree t { wait 1 name=a | }");
    assert!(found.iter().any(|one| one.label == "doc"));
    assert!(found.iter().all(|one| one.label != "name"));
    let when = at("tree t { wait 1 whe| }");
    assert_eq!(when[0].snippet.as_deref(), Some("when=\"$1\""));
}

#[test]
fn numbers_are_not_completed() {
    for number in ["2", "0.7", "-3", "1e2"] {
        let text = format!("{LEAVES}tree t {{ check \"len > {number}|\" }}");
        assert_eq!(at(&text), [], "{number}");
        assert_eq!(at(&format!("tree t {{ wait {number}|; }}")), [], "{number}");
    }
}

#[test]
fn names_have_the_role_that_the_place_needs() {
    assert_eq!(labels_in("tree t { action | }")[0], "go");
    assert_eq!(labels_in("tree t { condition | }")[0], "hungry");
    assert_eq!(labels_in("tree t { emit | }")[0], "noise");
    assert_eq!(labels_in("tree t { action go t| }")[0], "to");
    assert_eq!(labels_in("tree t { action go to=| }")[0], "{goal}");
}

#[test]
fn expressions_know_keys_values_and_fields() {
    assert_eq!(labels_in("tree t { check \"ne|\" }")[0], "near");
    assert_eq!(
        labels_in("tree t { check \"mode == |\" }")[..2],
        ["calm", "alert"]
    );
    assert_eq!(labels_in("tree t { check \"goal.|\" }"), ["x", "y"]);
    assert_eq!(labels_in("tree t { check \"event(|\" }"), ["noise"]);
    assert_eq!(
        labels_in("machine m { state a { transition to=b on=noise when=\"event.|\"; }; state b; }"),
        ["volume", "sender"]
    );
    assert_eq!(labels_in("tree t { log \"I am {mo|\" }"), ["mode"]);
}

#[test]
fn nothing_is_offered_that_would_contain_itself() {
    let offered = |tree: &str| {
        let all = at(&format!("leaves {{ action a; }}\n{tree}")).into_iter();
        let names =
            all.filter(|one| matches!(one.kind, CompletionKind::Definition | CompletionKind::Name));
        names.map(|one| one.label).collect::<Vec<_>>()
    };
    let decide = "decide d { branch one { test \"1 < 2\" { goto |; }; }; branch two { action a; }; goto one; }";
    assert_eq!(offered(decide), ["two"]);
    assert_eq!(
        offered("tree t { subtree |; }\ntree u { action a; }"),
        ["u"]
    );
    // A machine of the same name is something else.
    let machine = "machine t { state s { do { subtree |; }; }; }\ntree t { action a; }";
    assert_eq!(offered(machine), ["t"]);
}

#[test]
fn planners_rules_curves_and_lists_are_completed() {
    let text = "blackboard { key hp type=float; key seen type=entity list=4; key near type=entity optional=#true; key why type=string; }\n\
                leaves { action shoot; action hide; }\ncurve fear from=0.0 to=30.0 shape=linear\n\
                planner p { goal live wants=\"hp > 3\"; action shoot gives=\"hp += 1\"; action hide name=duck gives=\"hp = 9\"; \
                task attack { method \"shoot\"; }; goal fight does=attack; }\n";
    let with = |more: &str| labels(&format!("{text}{more}"));
    let has = |more: &str, label: &str| {
        at(&format!("{text}{more}"))
            .iter()
            .take(5)
            .any(|one| one.label == label)
    };
    assert_eq!(with("tree t { planner | }")[0], "p");
    assert!(has("planner q { goal g wants=\"h|\" }", "hp"));
    assert!(has(
        "planner q { task x { method \"y\"; }; goal g does=| }",
        "x"
    ));
    assert!(has(
        "planner q { action shoot; task x { method \"|\"; }; }",
        "shoot"
    ));
    let plain = "planner q { use p; action hide; }\ntest \"t\" planner=q { expect plan=\"|\" }";
    let all = |more: &str| -> Vec<String> {
        let found = at(&format!("{text}{more}")).into_iter();
        let mut found: Vec<String> = found.map(|one| one.label).collect();
        found.sort();
        found
    };
    assert_eq!(all(plain), ["attack", "duck", "hide", "shoot"]);
    let each = "blackboard { key at type=enum { value mill wood; }; key stops type=int list=3 { default 7 9; }; }\n\
                planner q { each place of=at { action shoot name=go; }; each stop of=stops { action hide; }; \
                task x { method \"hide |\"; }; }";
    let named = ["go-mill", "go-wood", "hide-7", "hide-9", "x"];
    assert_eq!(all(each), named);
    let find = "leaves { candidates spots type=vec2; measure way-to { param of type=vec2; param by type=int; }; }\n\
                tree t { find place in=spots into=\"{x}\" { keep \"wa|\"; } }";
    let found = at(&format!("{text}{find}"));
    assert_eq!(found[0].label, "way_to");
    assert_eq!(found[0].snippet.as_deref(), Some("way_to(place, ${1:by})"));
    assert!(has(
        &find.replace("keep \"wa|\";", "score { consider \"wa|\"; }"),
        "way_to"
    ));
    assert!(has(
        &find.replace("in=spots", "in=|").replace("wa|", "1"),
        "spots"
    ));
    assert!(!has("tree t { check \"wa|\"; }", "way_to"));
    assert!(has("planner q { use | }", "p"));
    assert!(has("planner q { action shoot giv| }", "gives"));
    assert!(has("planner q { action shoot gives=\"h|\" }", "hp"));
    assert!(has("planner q { g| }", "goal"));
    assert!(has("planner q { task x { | }; }", "method"));
    assert!(has("tree t { rules { r| } }", "rule"));
    assert!(has("tree t { rules { rule x wh| { run; } } }", "when"));
    assert!(has("curve c shape=l|", "linear"));
    assert!(
        has("tree t { rate \"{|\" { consider \"hp\"; } }", "hp")
            || has("tree t { rate \"{|\" { consider \"hp\"; } }", "{hp}")
    );
    assert!(has("tree t { check \"fe|\" }", "fear"));
    assert!(has("tree t { set \"se|\" }", "seen"));
    assert!(has("tree t { set \"seen += n|\" }", "near"));
    assert!(has("tree t { action shoot on-f| }", "on-fault"));
    assert!(has("tree t { action shoot on-fault=\"{w|\" }", "{why}"));
}

#[test]
fn what_is_taken_is_written_as_the_place_needs_it() {
    let with = |tree: &str| taken(&format!("{LEAVES}{tree}")).replacen(LEAVES, "", 1);
    assert_eq!(
        with("tree t { action go to=g| }"),
        "tree t { action go to=\"{goal}\" }"
    );
    assert_eq!(
        with("tree t { action go to=\"g|\" }"),
        "tree t { action go to=\"{goal}\" }"
    );
    assert_eq!(with("tree t { check ne| }"), "tree t { check \"near\" }");
    assert_eq!(
        with("tree t { check \"mode == a|l\" }"),
        "tree t { check \"mode == alert\" }"
    );
}

#[test]
fn broken_texts_are_completed_too() {
    for broken in [
        "tree t { sequence { action |",
        "tree t { sequence {\n  action |\n}\n",
        "tree t {\n  action |\n\ntree u { sequence { ; } } }\n",
        "tree t { check \"x <\"; action |\n",
        "tree a {\n sequence {\n\ntree t {\n  action |\n}\n",
        "tree t { check \"unclosed = \n action |\n}\n",
    ] {
        assert_eq!(labels_in(broken)[0], "go", "{broken}");
    }
    // What is declared behind an open block is known.
    let text = "tree t {\n  sequence {\n    action |\nleaves { action go; }\n";
    assert_eq!(labels(text)[0], "go");
}

#[test]
fn files_and_codes_are_offered() {
    assert_eq!(labels("import |"), ["parts/leaves.kdl"]);
    assert_eq!(labels("tree t { wait 1 allow=\"T0604 T060|\" }").len(), 3);
}

#[test]
fn names_in_other_scripts_are_found() {
    let text = "leaves { action 巡逻; action 攻击; }\ntree 守卫 { action 巡| }";
    assert_eq!(labels(text), ["巡逻"]);
}

#[test]
fn nothing_is_offered_in_comments() {
    assert_eq!(at("tree t { // se|\n}"), []);
    assert_eq!(at("/* se| */"), []);
}
