//! What sentences about plans name: the goal that is meant, and the parts that do not go together.

use super::planners::why;
use super::plans_told::{Followed, has, lacks};
use std::sync::Arc;
use treemind_core::{Population, Program, Status, Value};
use treemind_explain::Language;

fn why_none(planner: &str, given: &[(&str, Value)]) -> Vec<String> {
    let text = format!(
        "blackboard scope=world {{ key alarm type=int default=2; key pile type=int list=4 {{ default 1 2; }}; }}
        blackboard {{
            key at type=enum {{ value home; value mill; }}
            key flour type=bool
            key worked type=bool
            key ready type=bool
            key low type=int default=1
            key high type=int default=3
            key heat type=float default=10.0
        }}
        leaves {{ action go; action grind; }}
        planner p {{ {planner} }}"
    );
    let document = treemind_doc::Document::read(text.as_bytes(), "test.kdl");
    let behaviour = document.planner("p").expect("a planner");
    let mut agents = Population::new(Arc::new(Program::new(behaviour)), 1);
    for (key, value) in given {
        let key = agents.program().behaviour().key_id(key).expect("a key");
        agents.set(0, key, *value).expect("of its type");
    }
    why(&agents, Language::English)
}

/// Of parts that contradict each other none is missing.
#[test]
fn what_cannot_hold_together_is_named() {
    let expected = [
        "there is no plan for `both`",
        "`both` wants `at == home` and `at == mill`, which cannot both hold",
    ];
    let goes = "each place of=at { action go when=\"at != place\" on-success=\"at = place\"; }";
    let goal = "goal both wants=\"flour && at == home && at == mill\"";
    let said = why_none(
        &format!("{goal}; {goes}; action grind gives=\"flour = true\""),
        &[],
    );
    assert_eq!(said, expected);
    let said = why_none(
        "goal g wants=\"!flour && flour\"; action grind gives=\"flour = true\"",
        &[],
    );
    assert_eq!(
        said[1..],
        ["`g` wants `!flour` and `flour`, which cannot both hold"]
    );
    // Each of them holds somewhere.
    let steps = "action go when=\"high > 0\" on-success=\"high -= 1\"; action grind when=\"low == high\" on-success=\"low = high\"";
    let said = why_none(
        &format!("goal g wants=\"low > high && high >= 3\"; {steps}"),
        &[],
    );
    let expected =
        "nowhere that the steps lead do these hold together: `low > high` and `high >= 3`";
    assert_eq!(said[1..], [expected]);
}

/// A search for what is missing knows how long lists are, also those that agents share.
#[test]
fn beside_a_list_one_missing_thing_is_one() {
    let planner = "goal g wants=\"ready && len(pile) == 2\";
        action grind when=\"heat < 20 && alarm == 2\" gives=\"ready = true\"";
    let said = why_none(planner, &[("alarm", Value::Int(1))]);
    let missing = "one thing is missing: `grind` needs `alarm == 2`: `alarm` is 1, no step gives `alarm == 2`";
    assert_eq!(said[1], missing);
    let said = why_none(planner, &[]);
    assert_eq!(said, ["`grind`, because `g` wants `ready`"]);
}

/// A step that makes a key true, where it must be false, is not told to take something away.
#[test]
fn a_key_that_must_be_false_is_said_to_be_made_true() {
    let said = why_none(
        "goal g wants=\"flour && !worked\"; action grind gives=\"flour = true; worked = true\"",
        &[],
    );
    assert_eq!(
        said[1],
        "one thing stands in the way: `grind` gives `flour`, but makes `worked` true, and `g` wants `!worked`, and no step gives it back"
    );
}

const DOG: &str = r#"
    blackboard { key hungry type=bool; key fed type=bool; key near type=bool default=#true; key calm type=bool; }
    leaves { action eat; action rest; action bark; }
    planner dog replan=changed {
        goal eat wants="fed" when="hungry" score=0.9
        goal rest wants="calm" score=0.5
        action eat when="near" gives="fed = true"
        action rest gives="calm = true" cost=2
        action bark when="!near" gives="near = true"
    }
"#;

/// What is told of a plan that was given up names the goal, also below the plan that came after it.
#[test]
fn a_goal_that_is_no_longer_wanted_is_named() {
    let mut one = Followed::new(DOG, "dog", &[]);
    one.set("hungry", Value::Bool(true));
    has(&one.tick(), "the plan is `eat`, for 1");
    one.set("hungry", Value::Bool(false));
    let said = one.tick();
    has(&said, "`eat` was cut off: `eat` is no longer wanted");
    has(
        &said,
        "\n  `eat` is no longer wanted; `dog` pursues `rest` by `rest`, for 2\n",
    );
    lacks(&said, "the goal is no longer wanted");
    one.tick();
    let why = one.why();
    has(
        &why,
        "in tick 2: the plan `eat` for `eat` was given up: `eat` is no longer wanted",
    );
    one.set("hungry", Value::Bool(true));
    let said = one.tick();
    has(
        &said,
        "there is a plan for `eat`, which is wanted more; `dog` pursues `eat` by `eat`, for 1",
    );
}

/// A planner that waits for its first turn has not thought before.
#[test]
fn who_has_not_thought_does_not_think_again() {
    let text = DOG.replace("replan=changed", "every=4");
    let mut one = Followed::new(&text, "dog", &[("rest", Status::Failure)]);
    one.agents.set_interval(0, 3);
    let mut told = String::new();
    let mut said = one.tick();
    while !said.contains("made a plan") {
        lacks(&said, "thinks again");
        if said.contains("thinks") {
            told = said;
        }
        said = one.tick();
        assert!(one.agents.now_ns() < 10_000_000_000, "it never thinks");
    }
    has(&told, "`dog` thinks for the first time in tick ");
    has(&said, "`dog` thinks again in tick ");
}
