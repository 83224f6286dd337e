//! What is said of plans while they are followed, of goals that are not pursued, of searches and of turns to think.

use crate::plans_told::{Followed, has, lacks};
use treemind_core::{Status, Value};

const FIGHTER: &str = r#"
blackboard {
    key armed type=bool
    key ammo type=int
    key mags type=int default=1
    key dead type=bool
    key safe type=bool
    key seen type=bool
    key threat type=double default=0.1
}
leaves { action draw; action load; action fire; action hide; action club; }
planner fighter OPTIONS {
    goal survive wants="safe" when="seen && threat > 0" score="threat"
    goal kill wants="dead" score="0.1 + 0.2"
    action draw when="!armed" gives="armed = true"
    action load when="armed && mags > 0" gives="ammo = 6; mags -= 1"
    action fire when="armed && ammo > 0" gives="dead = true" while="threat < 0.9"
    action hide gives="safe = true"
    action club gives="dead = true" cost=9
}
"#;

fn fighter(options: &str, leaves: &[(&str, Status)]) -> Followed {
    Followed::new(&FIGHTER.replace("OPTIONS", options), "fighter", leaves)
}

/// Plays until a step runs.
fn until(one: &mut Followed, step: &str) -> String {
    for _ in 0..10 {
        let said = one.tick();
        if said.contains(&format!("`{step}` is running")) {
            return said;
        }
    }
    panic!("`{step}` does not run");
}

fn armed_and_loaded() -> Followed {
    let mut one = fighter("", &[("draw", Status::Success), ("load", Status::Success)]);
    one.tick();
    one.set("armed", Value::Bool(true));
    one.tick();
    one.set("ammo", Value::Int(6));
    one
}

#[test]
fn a_later_tick_says_which_step_of_which_plan_runs() {
    let mut one = armed_and_loaded();
    let begin = until(&mut one, "fire");
    let step = "`fire` is step 3 of the plan `draw load fire`, for 3, made in tick 1";
    has(&begin, step);
    let later = one.tick();
    for said in [&later, &one.why_of("fire"), &one.why()] {
        has(said, "`fighter` pursues `kill` (score 0.3)");
        has(said, step);
        has(said, "`fire`, because `kill` wants `dead`");
        lacks(said, "`draw`, because");
    }
    let done = one.why_of("draw");
    has(&done, "`draw` was step 1 of the plan, and is done");
    has(
        &one.why_of("club"),
        "`club` is not part of the plan `draw load fire`",
    );
}

#[test]
fn a_step_that_is_not_reached_says_when_its_turn_comes() {
    let mut one = fighter("", &[]);
    one.tick();
    let why = one.why_of("fire");
    has(
        &why,
        "`fire` is step 3 of the plan, and `draw` comes before it",
    );
}

#[test]
fn a_plan_that_was_made_unseen_is_told_without_its_reasons() {
    let mut one = armed_and_loaded();
    until(&mut one, "fire");
    one.explainer = treemind_explain::Explainer::new(&one.agents, 0);
    let later = one.tick();
    has(&later, "`fire` is step 3 of the plan `draw load fire`");
    lacks(&later, "made in tick");
    lacks(&later, "because");
    has(&later, "`fire` gives `dead = true`");
    lacks(&later, "`load` gives");
    has(&later, NOT_KEPT);
}

const NOT_KEPT: &str =
    "what each step is for is not known: what the search began with was not seen";

/// A save keeps the plan, and what a search has come to, but not what each step is for.
#[test]
fn after_a_save_is_loaded_what_is_not_kept_is_said() {
    let mut one = fighter("slice=2", &[]);
    one.tick();
    let saved = one.agents.save();
    let mut later = fighter("slice=2", &[]);
    let program = std::sync::Arc::clone(later.agents.program());
    later.agents = treemind_core::Population::restore(program, &saved).expect("its own program");
    later.explainer = treemind_explain::Explainer::new(&later.agents, 0);
    let said = until(&mut later, "draw");
    has(&said, "the plan is `draw load fire`, for 3");
    for gives in [
        "`draw` gives `armed = true`",
        "`load` gives `ammo = 6; mags -= 1`",
    ] {
        has(&said, gives);
    }
    has(&said, NOT_KEPT);
}

#[test]
fn goals_that_are_not_pursued_say_why() {
    let mut one = fighter("", &[]);
    has(
        &one.tick(),
        "`survive` is not pursued: `seen && threat > 0.0` does not hold: false && 0.1 > 0.0",
    );
    one.set("seen", Value::Bool(true));
    has(&one.tick(), "`survive` scored 0.1, 0.2 less than `kill`");
    one.set("threat", Value::Double(0.0));
    has(&one.tick(), "`seen && threat > 0.0` does not hold");
    one.set("threat", Value::Double(0.8));
    one.set("safe", Value::Bool(true));
    let said = one.tick();
    has(&said, "`survive` holds already");
    has(
        &said,
        "`safe` changed from false to true in this tick: the game wrote it",
    );
}

#[test]
fn a_goal_that_holds_and_one_that_is_reached_are_told() {
    let mut one = fighter("", &[]);
    one.set("dead", Value::Bool(true));
    let said = one.tick();
    has(&said, "`fighter` answered success");
    has(&said, "`kill` holds already");
    one.set("dead", Value::Bool(false));
    one.tick();
    one.set("dead", Value::Bool(true));
    has(&one.tick(), "`kill` is reached");
}

#[test]
fn a_goal_without_a_plan_is_told_for_as_long_as_there_is_none() {
    let text = FIGHTER.replace("OPTIONS", "").replace(
        "action hide gives=\"safe = true\"",
        "action hide when=\"armed && mags > 3\" gives=\"safe = true\"",
    );
    let mut one = Followed::new(&text, "fighter", &[]);
    one.tick();
    one.set("seen", Value::Bool(true));
    one.set("threat", Value::Double(0.8));
    let first = one.tick();
    has(&first, "`fighter` found no plan for `survive`");
    one.tick();
    let later = one.tick();
    has(&later, "there is no plan for `survive`, since tick 2");
    has(
        &later,
        "one thing is missing: `hide` needs `mags > 3`: `mags` is 1",
    );
    lacks(&later, "found no plan");
}

#[test]
fn an_effect_that_did_not_come_true_is_named_with_who_wrote_it() {
    let mut one = fighter("", &[("draw", Status::Success), ("load", Status::Success)]);
    one.tick();
    one.set("armed", Value::Bool(true));
    one.tick();
    one.set("mags", Value::Int(0));
    let said = one.tick();
    has(
        &said,
        "`load` succeeded, but `ammo` is 0 and not 6, and `fire` needs `ammo > 0`",
    );
    has(&said, "`fighter` gave up its plan for `kill`");
    has(&said, "`fighter` made a plan for `kill`");
    has(
        &one.tick(),
        "in tick 3: the plan `draw load fire` for `kill` was given up: `load` succeeded, but `ammo` is 0 and not 6, and `fire` needs `ammo > 0`",
    );
    let mut vain = fighter("", &[("draw", Status::Success)]);
    vain.tick();
    has(
        &vain.tick(),
        "`draw` changed nothing that it promised, and is left out: `armed` is false and not true",
    );
}

#[test]
fn who_wrote_what_is_missing_is_told() {
    let text = FIGHTER
        .replace("OPTIONS", "")
        .replace("action club gives=\"dead = true\" cost=9", "");
    let mut one = Followed::new(&text.replace("action club;", ""), "fighter", &[]);
    one.set("dead", Value::Bool(true));
    one.tick();
    one.set("dead", Value::Bool(false));
    one.set("mags", Value::Int(0));
    let said = one.tick();
    has(&said, "`mags` is 0, no step gives `mags > 0`");
    has(
        &said,
        "`mags` changed from 1 to 0 in this tick: the game wrote it",
    );
}

#[test]
fn a_step_that_its_while_ends_is_told_with_the_values() {
    let mut one = armed_and_loaded();
    until(&mut one, "fire");
    one.set("threat", Value::Double(0.95));
    let said = one.tick();
    has(
        &said,
        "`fire` was cut off: the guard `while` of `fire` no longer holds",
    );
    has(
        &said,
        "the guard `while` of `fire`, `threat < 0.9`, does not hold: 0.95 < 0.9",
    );
    has(&said, "a guard ended `fire`, and it is left out");
    lacks(&said, "asked to be skipped");
    let mut failed = fighter("", &[("draw", Status::Failure)]);
    has(&failed.tick(), "`draw` failed, and is left out");
}

#[test]
fn a_search_of_several_turns_and_a_turn_that_is_waited_for_are_told() {
    let mut one = fighter("slice=1", &[]);
    let first = one.tick();
    has(&first, "`fighter` looks for a plan for `kill`");
    has(
        &first,
        "it looks at up to 1 situations in a turn, and goes on in tick 2",
    );
    has(&first, "`fighter` began to look for a plan for `kill`");
    has(
        &one.tick(),
        "`fighter` looks for a plan for `kill`, since tick 1",
    );
    let mut waits = fighter("every=5", &[]);
    let said = waits.tick();
    has(&said, "`fighter` thinks for the first time in tick 5");
    for _ in 2..5 {
        has(
            &waits.tick(),
            "`fighter` thinks for the first time in tick 5",
        );
    }
    let said = waits.tick();
    has(&said, "`fighter` made a plan for `kill`");
    has(
        &said,
        "is not pursued: `seen && threat > 0.0` does not hold",
    );
    has(&waits.tick(), "does not hold: false && 0.1 > 0.0 in tick 5");
}

#[test]
fn a_cost_that_is_none_is_told_with_its_value() {
    let cost = |cost: &str| {
        let text = FIGHTER.replace("cost=9", &format!("cost=\"{cost}\""));
        let text = text.replace("OPTIONS", "").replace("mags > 0", "mags > 5");
        Followed::new(&text, "fighter", &[])
    };
    let mut one = cost("threat - 3");
    let said = one.tick();
    has(&said, "there is no plan for `kill`");
    has(
        &said,
        "`club` cannot be used: its cost `threat - 3.0` is -2.9",
    );
    has(
        &said,
        "with a cost that is 0 or more, the plan would be `club`",
    );
    lacks(&said, "two things are missing");
    let said = cost("10 % ammo").tick();
    has(
        &said,
        "`club` cannot be used: its cost `10 % ammo` cannot be computed: `ammo` is 0",
    );
    let text = FIGHTER
        .replace("OPTIONS", "")
        .replace("cost=9", "cost=\"threat - 3\"");
    let said = Followed::new(&text, "fighter", &[]).tick();
    has(&said, "the plan is `draw load fire`, for 3");
    has(
        &said,
        "`club` cannot be used: its cost `threat - 3.0` is -2.9",
    );
    // It would not help here.
    let text = text.replace("hide gives", "hide when=\"ammo > 7\" gives");
    let mut one = Followed::new(&text, "fighter", &[]);
    one.set("seen", Value::Bool(true));
    one.set("threat", Value::Double(0.8));
    one.set("dead", Value::Bool(true));
    let said = one.tick();
    has(
        &said,
        "there is no plan for `survive`\n    one thing is missing: `hide` needs `ammo > 7`",
    );
}

#[test]
fn an_earlier_method_that_can_be_used_now_is_told() {
    let text = r#"
        blackboard { key bread type=int; key coins type=int default=5; }
        leaves { action eat; action buy; }
        planner day replan=changed {
            goal live does=dine
            task dine { method "eat"; method "buy eat"; }
            action eat when="bread > 0" gives="bread -= 1"
            action buy when="coins > 1" gives="bread += 1; coins -= 2"
        }
    "#;
    let mut one = Followed::new(text, "day", &[]);
    has(&one.tick(), "the plan is `buy eat`, for 2");
    one.set("bread", Value::Int(1));
    has(
        &one.tick(),
        "`buy` was cut off: an earlier method of `dine` can be used now",
    );
}

/// The tick in which it thinks again is one in which the agent is due, too.
#[test]
fn the_next_thought_comes_in_the_tick_that_is_told() {
    let mut one = fighter("every=4", &[]);
    one.agents.set_interval(0, 3);
    let mut told = None;
    for tick in 1..=24 {
        let said = one.tick();
        let waits = said.split_once("`fighter` thinks ");
        if let Some((_, rest)) = waits.and_then(|(_, rest)| rest.split_once(" in tick ")) {
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            told = number.parse().ok();
        }
        if said.contains("made a plan") {
            assert_eq!(told, Some(tick), "{said}");
            return;
        }
    }
    panic!("it never thinks");
}

/// A planner that is a step says both: which step it is, and what it does with its own goals.
#[test]
fn a_planner_that_is_a_step_tells_both_plans() {
    let text = r#"
        blackboard { key near type=bool; key told type=bool; key rich type=bool; }
        leaves { action go; action talk; }
        planner outer {
            goal tell wants="told"
            planner inner name=approach gives="near = true"
            action talk when="near" gives="told = true"
        }
        planner inner {
            goal come wants="near"
            goal earn wants="rich" score=0.5
            action go gives="near = true"
        }
    "#;
    let mut one = Followed::new(text, "outer", &[]);
    one.tick();
    one.tick();
    let why = one.why_of("approach");
    has(
        &why,
        "`approach` is step 1 of the plan `approach talk`, for 2, made in tick 1",
    );
    has(
        &why,
        "`go` is step 1 of the plan `go`, for 1, made in tick 1",
    );
    has(&why, "`earn` scored 0.5, 0.5 less than `come`");
}
