//! Printed trees.

use treemind_doc::{About, Document, outline};

fn printed(name: &str) -> String {
    let document = Document::parse(&super::good(name), name);
    outline(&document.behaviour(None).expect("no errors"))
}

#[test]
fn the_guard() {
    let expected = r#"tree guard
  reactive-selector
    reactive-sequence name=fight
      condition see-enemy  // an enemy is in sight
      reactive-selector
        reactive-sequence
          check "health < 20.0"
          action run-away
        monitor
          condition enemy-dead not=#true
          action attack range=2.5 on-success="mood = calm"  // hit the nearest enemy
    action patrol
"#;
    assert_eq!(printed("guard.kdl"), expected);
}

#[test]
fn every_node() {
    let expected = super::good("every-node.outline");
    assert_eq!(printed("every-node.kdl"), expected);
}

#[test]
fn guards_hooks_and_weights() {
    let expected = super::good("guards.outline");
    assert_eq!(printed("guards.kdl"), expected);
}

#[test]
fn subtrees() {
    let expected = super::good("subtrees.outline");
    assert_eq!(printed("subtrees.kdl"), expected);
}

#[test]
fn choices_and_decorators() {
    let expected = super::good("choices-and-decorators.outline");
    assert_eq!(printed("choices-and-decorators.kdl"), expected);
}

#[test]
fn options() {
    assert_eq!(printed("options.kdl"), super::good("options.outline"));
}

#[test]
fn what_is_shared() {
    assert_eq!(printed("shared.kdl"), super::good("shared.outline"));
}

#[test]
fn values_of_every_type() {
    let expected = super::good("values.outline");
    assert_eq!(printed("values.kdl"), expected);
}

#[test]
fn nodes_of_behaviortree_cpp() {
    assert_eq!(printed("btcpp.xml"), super::good("btcpp.outline"));
}

#[test]
fn scores() {
    assert_eq!(printed("utility.kdl"), super::good("utility.outline"));
}

#[test]
fn decision_trees_of_transitions_stand_in_their_states() {
    let text = r#"
blackboard { key seen type=bool; key ammo type=int; key health type=float default=100.0; }
leaves { event noise; }
machine soldier {
    initial calm
    state calm { transition decide=facing on=noise; }
    state fight
    state flee
}
decide facing {
    test "seen" {
        test "health < 30" { goto run; }
        switch "ammo" { case 0 { goto run; }; }
        state fight
    }
    none
    branch run { state flee; }
}"#;
    let document = Document::parse(text, "soldier.kdl");
    let behaviour = document.machine("soldier").expect("it has no errors");
    let expected = "machine soldier
  initial calm
  state calm
    decide facing
      test \"seen\"
        test \"health < 30.0\"
          goto facing.run
        switch
          case \"ammo == 0\"
            goto facing.run
        → fight on=noise
      none
      branch facing.run
        → flee on=noise
  state fight
  state flee
";
    assert_eq!(treemind_doc::outline(&behaviour), expected);
    let tests = treemind_doc::outline_lines(&behaviour);
    let tests: Vec<About> = tests
        .into_iter()
        .map(|line| line.about)
        .filter(|about| matches!(about, About::Test(..) | About::Way(..)))
        .collect();
    let root = behaviour.root();
    let way = About::Way(root, 2, 0);
    assert_eq!(
        tests,
        [0, 1, 2]
            .map(|test| About::Test(root, test))
            .into_iter()
            .chain([way])
            .collect::<Vec<_>>()
    );
    assert!(behaviour.node(root).kind.test(2).is_some());
    assert!(behaviour.node(root).kind.test(3).is_none());
}
