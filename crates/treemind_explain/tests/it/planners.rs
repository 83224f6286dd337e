//! Reasons about plans.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program, Status, Value};
use treemind_explain::{Explainer, Language, Prospect};

const FIGHTER: &str = "
blackboard { key armed type=bool; key ammo type=int; key mags type=int default=1; key dead type=bool; }
leaves { action draw; action load; action fire; }
planner fighter {
    goal kill wants=\"dead\" score=0.4
    action draw when=\"!armed\" gives=\"armed = true\"
    action load when=\"armed && mags > 0\" gives=\"ammo = 6; mags -= 1\"
    action fire when=\"armed && ammo > 0\" gives=\"dead = true\"
}
";

const DAY: &str = "
blackboard { key cash type=int; key there type=bool; key far type=bool default=#true; }
leaves { action walk; action taxi; action pay; }
planner day {
    goal go does=travel
    task travel { method \"walk\" when=\"!far\"; method \"taxi pay\"; }
    action walk gives=\"there = true\"
    action taxi gives=\"there = true\"
    action pay when=\"cash >= 12\" gives=\"cash -= 12\"
}
";

fn agent(text: &str, planner: &str) -> Population {
    let document = treemind_doc::Document::read(text.as_bytes(), "test.kdl");
    let behaviour = document.planner(planner).expect("a planner");
    Population::new(Arc::new(Program::new(behaviour)), 1)
}

pub(crate) fn why(agents: &Population, language: Language) -> Vec<String> {
    let behaviour = agents.program().behaviour();
    let prospect = Prospect::new(behaviour, behaviour.root(), |key| agents.held(0, key));
    let prospect = prospect.expect("a planner");
    let words = match prospect.find(0) {
        Some(plan) => prospect.why_steps(0, &plan),
        None => prospect.why_none(0),
    };
    words.iter().map(|one| one.written(language)).collect()
}

fn set(agents: &mut Population, key: &str, value: Value) {
    let key = agents.program().behaviour().key_id(key).expect("a key");
    agents.set(0, key, value).expect("of its type");
}

#[test]
fn each_step_is_there_for_something() {
    let agents = agent(FIGHTER, "fighter");
    let expected = [
        "`draw`, because `load` needs `armed`",
        "`load`, because `fire` needs `ammo > 0`",
        "`fire`, because `kill` wants `dead`",
    ];
    assert_eq!(why(&agents, Language::English), expected);
}

#[test]
fn what_is_missing_is_what_no_step_gives() {
    let mut agents = agent(FIGHTER, "fighter");
    set(&mut agents, "mags", Value::Int(0));
    let expected = [
        "there is no plan for `kill`",
        "one thing is missing: `load` needs `mags > 0`: `mags` is 0, no step gives `mags > 0`",
        "with it, the plan is `draw load fire`, for 3",
    ];
    assert_eq!(why(&agents, Language::English), expected);
    let chinese = why(&agents, Language::Chinese);
    assert_eq!(chinese[0], "`kill` 没有可行的计划");
}

/// It would be cheaper if the enemy stood nearer, but that is the world's matter.
#[test]
fn what_steps_change_is_missing_before_what_only_the_world_changes() {
    let text = FIGHTER.replace(
        "action fire ",
        "action club when=\"enemy_distance < 2\" gives=\"dead = true\"\n    action fire ",
    );
    let text = text.replace("action load;", "action load; action club;");
    let text = text.replace(
        "key dead",
        "key enemy_distance type=float default=10.0; key dead",
    );
    let mut agents = agent(&text, "fighter");
    set(&mut agents, "mags", Value::Int(0));
    let missing = &why(&agents, Language::English)[1..];
    assert_eq!(
        missing,
        [
            "one thing is missing: `load` needs `mags > 0`: `mags` is 0, no step gives `mags > 0`",
            "with it, the plan is `draw load fire`, for 3",
        ]
    );
}

const LAMP: &str = "
blackboard { key lit type=bool; key fed type=bool; }
leaves { action eat; }
planner lamp {
    goal light wants=\"lit\"
    action eat gives=\"fed = true\"
}
";

#[test]
fn where_one_thing_is_missing_and_nothing_else_no_empty_plan_is_named() {
    let agents = agent(LAMP, "lamp");
    let expected = [
        "there is no plan for `light`",
        "one thing is missing: `light` wants `lit`: `lit` is false, no step gives `lit`",
        "with it, nothing is left to do",
    ];
    let said = why(&agents, Language::English);
    assert_eq!(said, expected);
}

#[test]
fn methods_say_where_they_are_stuck() {
    let agents = agent(DAY, "day");
    let expected = [
        "there is no plan for `go`",
        "the furthest that its methods lead is `taxi`",
        "then `pay` needs `cash >= 12`",
    ];
    assert_eq!(why(&agents, Language::English), expected);
}

#[test]
fn a_tick_says_what_is_pursued_and_why_a_plan_was_given_up() {
    let mut agents = agent(FIGHTER, "fighter");
    let mut host = Scripted::idle(agents.program().behaviour(), 1);
    host.set(0, "draw", &[Status::Success]);
    let mut explainer = Explainer::new(&agents, 0);
    let mut tick = |agents: &mut Population| {
        explainer.before_tick(agents);
        let mut trace = Trace::with_values();
        agents.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(agents, &trace);
        explainer.explain(agents).to_string()
    };
    let first = tick(&mut agents);
    assert!(
        first.contains("`fighter` pursues `kill` (score 0.4)"),
        "{first}"
    );
    assert!(
        first.contains("the plan is `draw load fire`, for 3"),
        "{first}"
    );
    assert!(
        first.contains("`load`, because `fire` needs `ammo > 0`"),
        "{first}"
    );
    // The gun was not drawn, although the step succeeded: it is left out, and there is no other way.
    let second = tick(&mut agents);
    assert!(
        second.contains("changed nothing that it promised"),
        "{second}"
    );
    assert!(second.contains("there is no plan for `kill`"), "{second}");
}

#[test]
fn a_task_may_lack_only_a_cost() {
    let text = DAY.replace("\"cash -= 12\"", "\"cash -= 12\" cost=\"20 - cash\"");
    let mut agents = agent(&text, "day");
    set(&mut agents, "cash", Value::Int(30));
    let expected = [
        "there is no plan for `go`",
        "the furthest that its methods lead is `taxi`",
        "then `pay` cannot be used: its cost `20 - cash` is -10",
    ];
    assert_eq!(why(&agents, Language::English), expected);
}

/// Each of these methods that goes on leaves one more to be done, so choices stand upon choices.
#[test]
fn many_choices_upon_each_other_are_told_too() {
    let text = DAY.replace(
        "task travel {",
        "task travel { method \"tidy pay\"; }\n    task tidy { method \"tidy tidy\"; method \"\"; }\n    task other {",
    );
    let agents = agent(&text, "day");
    let said = why(&agents, Language::English);
    assert_eq!(said[0], "there is no plan for `go`");
    assert!(said[1].contains("gave up after 4096"), "{said:?}");
}

/// What is asked with other facts may also ask with other scores: what they read is among the keys, but no events and lists.
#[test]
fn the_keys_of_a_planner_are_also_those_of_its_scores() {
    let text = FIGHTER
        .replace("key armed", "key seen type=entity list=3; key anger type=double default=0.2; key fear type=double default=0.5; key other type=int; key armed")
        .replace("action draw;", "event noise; action draw;")
        .replace("score=0.4", "when=\"event(noise)\" { score { consider \"anger\" weight=\"fear\"; consider \"if len(seen) > 0 { 1 } else { 0 }\"; }; }");
    let agents = agent(&text, "fighter");
    let behaviour = agents.program().behaviour();
    let prospect = Prospect::new(behaviour, behaviour.root(), |key| agents.held(0, key)).unwrap();
    let names = prospect.keys().map(|key| &*behaviour.key(key).name);
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["anger", "fear", "armed", "ammo", "mags", "dead"]);
}

const WOOD: &str = r#"
blackboard { key sharp type=bool; key wood type=int; key blades type=int; }
leaves { action sharpen; action chop; action forge; }
planner yard {
    goal stock wants="wood >= 2"
    action sharpen gives="sharp = true"
    action chop gives="wood += 1" cost="if sharp { 2 } else { 6 }"
    action forge gives="blades += 1" when="false"
}
"#;

/// Nothing later needs it, but without it the rest is dearer.
#[test]
fn a_step_that_makes_later_ones_cheaper_says_so() {
    let agents = agent(WOOD, "yard");
    let expected = [
        "`sharpen`, because it makes `chop` cost 2 and not 6",
        "`chop`, because `stock` wants `wood >= 2`",
        "`chop`, because `stock` wants `wood >= 2`",
    ];
    assert_eq!(why(&agents, Language::English), expected);
    assert_eq!(
        why(&agents, Language::Chinese)[0],
        "`sharpen`，因为它使 `chop` 的代价为 2 而不是 6"
    );
}

/// Nothing later asks for it, but without it a later step has no cost, or cannot be carried out.
#[test]
fn a_step_that_makes_later_ones_possible_at_all_says_so() {
    let text = WOOD.replace(
        "action forge gives=\"blades += 1\" when=\"false\"",
        "action forge gives=\"blades = 2\"",
    );
    let costs = text.replace("if sharp { 2 } else { 6 }", "blades - 1");
    let said = why(&agent(&costs, "yard"), Language::English);
    let expected = "`forge`, because without it `chop` cannot be used: its cost `blades - 1` is -1";
    assert_eq!(said[0], expected);
    let effect = text.replace("wood += 1", "wood += 2 / blades");
    let said = why(&agent(&effect, "yard"), Language::English);
    let forge = "`forge`, because without it `chop` cannot be used: its `wood += 2 / blades` has a fault: an int was divided by zero";
    assert!(said.contains(&forge.to_owned()), "{said:?}");
}

/// What a task does is the author's word, whatever it costs.
#[test]
fn a_step_of_a_method_is_not_told_to_be_cheaper() {
    let text = WOOD.replace("wants=\"wood >= 2\"", "does=work");
    let text = text.replace(
        "action sharpen gives",
        "task work { method \"sharpen chop\"; }; action sharpen gives",
    );
    let expected = [
        "`sharpen`, because a method says so",
        "`chop`, because a method says so",
    ];
    assert_eq!(why(&agent(&text, "yard"), Language::English), expected);
}

fn without_plan(keys: &str, planner: &str) -> Vec<String> {
    let names = "leaves { action sell; action mine; action dig; action go; }";
    let text = format!("blackboard {{ {keys} }}\n{names}\nplanner p {planner}");
    why(&agent(&text, "p"), Language::English)
}

/// What holds now is not missing, though with it there would be a plan.
#[test]
fn what_the_only_step_takes_away_is_not_told_to_be_missing() {
    let keys = "key rich type=bool; key axe type=bool default=#true; key here type=bool;";
    let planner = r#"{ goal g wants="rich && axe"; action sell gives="rich = true; axe = false"; action go gives="here = true"; }"#;
    let expected = [
        "there is no plan for `g`",
        "one thing stands in the way: `sell` gives `rich`, but takes away `axe`, which `g` wants, too, and no step gives it back",
        "without that, the plan would be `sell`, for 1",
    ];
    assert_eq!(without_plan(keys, planner), expected);
    // A later step needs it.
    let planner = r#"{ goal g wants="here && rich"; action sell gives="rich = true; axe = false" when="!here"; action go when="axe && rich" gives="here = true"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1],
        "one thing stands in the way: `sell` gives `rich`, but takes away `axe`, which `go` needs, too, and no step gives it back"
    );
    // A step gives it back, but undoes the rest.
    let planner = r#"{ goal g wants="rich && axe"; action sell gives="rich = true; axe = false"; action mine gives="axe = true; rich = false"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1],
        "one thing stands in the way: `sell` gives `rich`, but takes away `axe`, which `g` wants, too"
    );
}

#[test]
fn a_step_whose_effect_has_a_fault_is_not_told_to_give_nothing() {
    let keys = "key gold type=int; key n type=int; key vein type=int optional=#true;";
    let planner = r#"{ goal g wants="gold >= 5"; action mine gives="gold = 10 / n"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1],
        "one thing is missing: `g` wants `gold >= 5`: `gold` is 0, `mine` cannot be used: its `gold = 10 / n` has a fault: an int was divided by zero"
    );
    let planner = r#"{ goal g wants="gold >= 5"; action mine gives="gold += vein"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1],
        "one thing is missing: `g` wants `gold >= 5`: `gold` is 0, `mine` cannot be used: its `gold += vein` has a fault: the key `vein` is unset"
    );
    let planner =
        r#"{ goal g does=work; task work { method "mine"; }; action mine gives="gold = 10 / n"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1..],
        [
            "its methods lead to no first step",
            "then `mine` cannot be used: its `gold = 10 / n` has a fault: an int was divided by zero",
        ]
    );
    // After a fault, what a step does is not gone on with.
    let planner =
        r#"{ goal g wants="gold >= 5"; action mine gives="n += 1; gold = 10 / (n - 1)"; }"#;
    let said = without_plan(keys, planner);
    assert!(
        said[1].contains("its `gold = 10 / (n - 1)` has a fault"),
        "{said:?}"
    );
}

/// Only together do the steps give what is wanted, and the search ends before it comes to that.
#[test]
fn what_steps_give_together_is_not_told_to_be_given_by_none() {
    let keys = "key gold type=bool; key found type=bool; key dug type=int; key fed type=bool;";
    let steps = r#"action mine gives="gold = found"; action dig gives="found = true; dug += 1"; action go gives="dug -= 1""#;
    let limited = format!(r#"max-expansions=1 {{ goal g wants="gold"; {steps}; }}"#);
    let said = without_plan(keys, &limited);
    assert_eq!(
        said,
        [
            "there is no plan for `g`",
            "the search gave up after 1 situations",
            "`max-expansions=` allows more, up to 65536",
        ]
    );
    let guarded = format!(
        r#"{{ goal g wants="gold"; {steps}; action sell when="fed && gold" gives="gold = false"; }}"#
    );
    let guarded = guarded.replace("action dig", "action dig when=\"fed\"");
    let guarded = guarded
        .replace("; dug += 1", "")
        .replace("dug -= 1", "dug = 1");
    let said = without_plan(keys, &guarded);
    assert_eq!(
        said[1],
        "one thing is missing: `dig` needs `fed`: `fed` is false, no step gives `fed`"
    );
}

#[test]
fn a_guard_that_has_a_fault_says_so() {
    let keys = "key gold type=bool; key n type=int;";
    let planner = r#"{ goal g wants="gold"; action mine when="10 / n > 2" gives="gold = true"; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[1],
        "one thing is missing: `mine` needs `10 / n > 2`: `n` is 0, it has a fault: an int was divided by zero, no step gives `10 / n > 2`"
    );
}

/// What several steps need stands in one sentence, and a long list is cut.
#[test]
fn what_is_missing_is_not_said_again_and_again() {
    let keys = "key a type=bool; key b type=bool; key fed type=bool;";
    let planner = r#"{ goal g does=work; task work { method "mine"; method "dig"; method "mine sell"; method "go"; };
        action mine when="a" gives="fed = true"; action dig when="a" gives="fed = true"; action go when="b" gives="fed = true"; action sell; }"#;
    let said = without_plan(keys, planner);
    assert_eq!(
        said[2..],
        [
            "then `mine` and `dig` need `a`: `a` is false, no step gives `a`",
            "then `go` needs `b`: `b` is false, no step gives `b`",
        ]
    );
    let keys: String = (0..8)
        .map(|nth| format!("key k{nth} type=bool; "))
        .collect();
    let wants: Vec<String> = (0..8).map(|nth| format!("k{nth}")).collect();
    let planner = format!(
        r#"max-steps=1 {{ goal g wants="{}"; action mine gives="k0 = true"; action dig gives="k1 = true"; }}"#,
        wants.join(" && ")
    );
    let said = without_plan(&keys, &planner);
    let never = "nowhere that the steps lead does this hold: `k2`, `k3`, `k4`, `k5`, `k6` and `k7`";
    assert!(said.iter().any(|one| one == never), "{said:?}");
    let planner = planner
        .replace(
            "action mine",
            "action go when=\"false\" gives=\"k2 = true\"; action mine when=\"false\"",
        )
        .replace("action dig", "action dig when=\"false\"");
    let said = without_plan(&keys, &planner);
    let never = "nowhere that the steps lead does this hold: what is never true, `k0`, `k1`, `k2`, `k3`, `k4` and 3 more";
    assert!(said.iter().any(|one| one == never), "{said:?}");
}

/// A port of the planner goes by the name that the planner gives it.
#[test]
fn ports_are_called_as_in_the_document() {
    let text = r#"
        blackboard { key top type=int; key gold type=int; }
        leaves { action mine; }
        planner p { key want type=int default=3; goal g wants="gold >= want"; action mine when="want > top" gives="gold += want"; }
    "#;
    let said = why(&agent(text, "p"), Language::English);
    assert_eq!(said, ["`mine`, because `g` wants `gold >= want`"]);
}

/// Just what is named is lifted, and a search says whether there is a plan then.
#[test]
fn what_stands_in_the_way_alone_is_all_that_does() {
    let keys = "key a type=bool default=#true; key b type=bool; key c type=bool;";
    let both = r#"{ goal g wants="b && c && a"; action sell gives="b = true; a = false"; action dig gives="c = true; a = false"; }"#;
    let expected = [
        "there is no plan for `g`",
        "`sell` and `dig` take away `a`, which `g` wants, and no step gives it back",
        "without that, the plan would be `sell dig`, for 2",
    ];
    assert_eq!(without_plan(keys, both), expected);
    // Each gives what the other takes away.
    let each_other = r#"{ goal g wants="b && c"; action sell gives="b = true; c = false"; action dig gives="c = true; b = false"; }"#;
    let expected = [
        "there is no plan for `g`",
        "one thing stands in the way: `dig` gives `c`, but takes away `b`, which `g` wants, too",
        "without that, the plan would be `sell dig`, for 2",
    ];
    assert_eq!(without_plan(keys, each_other), expected);
    // Nothing that is lifted alone gives a plan.
    let knot = r#"{ goal g wants="b && c"; action sell when="!c" gives="b = true; c = false"; action dig when="!b" gives="c = true; b = false"; }"#;
    let said = without_plan(keys, knot);
    let together = "nowhere that the steps lead do these hold together: `b` and `c`";
    assert_eq!(said[1..], [together]);
}

/// A step that has to be done twice does not give all of it at once.
#[test]
fn a_step_gives_what_holds_after_it() {
    let keys = "key a type=bool default=#true; key n type=int default=3;";
    let planner = r#"{ goal g wants="n >= 5"; action go when="a" gives="n += 1; a = false"; }"#;
    let expected = [
        "there is no plan for `g`",
        "one thing stands in the way: `go` takes away `a`, which `go` needs, and no step gives it back",
        "without that, the plan would be `go go`, for 2",
    ];
    assert_eq!(without_plan(keys, planner), expected);
}

/// What a step is for is not only what the next one needs.
#[test]
fn a_step_is_there_for_what_the_goal_wants_of_it() {
    let keys = "key done type=bool; key b type=bool;";
    let planner = r#"{ goal g wants="done && !b"; action go gives="done = true; b = true"; action dig when="b" gives="b = false"; }"#;
    let expected = [
        "`go`, because `dig` needs `b`, and `g` wants `done`",
        "`dig`, because `g` wants `!b`",
    ];
    assert_eq!(without_plan(keys, planner), expected);
}

#[test]
fn a_step_of_the_plan_is_not_told_to_be_of_no_use() {
    let text = "blackboard { key n type=int; key done type=bool; }
        leaves { action measure; action go; action slow; }
        planner p {
            goal g wants=\"done\"
            action measure gives=\"n = 5\"
            action go gives=\"done = true\" cost=\"10 / n\"
            action slow gives=\"done = true\" cost=\"40 / n\"
        }";
    let agents = agent(text, "p");
    let behaviour = agents.program().behaviour();
    let prospect = Prospect::new(behaviour, behaviour.root(), |key| agents.held(0, key)).unwrap();
    let plan = prospect.find(0).expect("a plan");
    let unusable = prospect.unusable(0, &plan);
    let unusable: Vec<String> = (unusable.iter())
        .map(|one| one.written(Language::English))
        .collect();
    assert_eq!(
        unusable,
        ["`slow` cannot be used: its cost `40 / n` cannot be computed: `n` is 0"]
    );
}

/// What the value of an `each` decides is said as it is written, with the value.
#[test]
fn what_a_value_of_an_each_decides_is_said_in_the_words_of_the_author() {
    let text = |guard: &str| {
        format!(
            r#"
            blackboard {{ key at type=enum default=home {{ value home mill; }}; key corn type=int; key fed type=bool; }}
            leaves {{ action bake; }}
            planner day {{
                goal eat does=make
                task make {{ method "bake-home"; }}
                each place of=at {{ action bake {guard} gives="fed = true"; }}
            }}
            "#
        )
    };
    for (guard, wanted) in [
        (r#"when="place == mill""#, "`place == mill`"),
        (r#"when="corn >= 0 && place == mill""#, "`place == mill`"),
        (r#"while="place == mill && corn >= 0""#, "`place == mill`"),
        (
            r#"fail-if="corn < 0 || place != mill""#,
            "`!(place != mill)`",
        ),
        (
            r#"when="(place == mill || place == mill) && corn >= 0""#,
            "`(place == mill || place == mill)`",
        ),
        (
            r#"when="place != mill && place != home""#,
            "`place != mill && place != home`",
        ),
    ] {
        let said = why(&agent(&text(guard), "day"), Language::English);
        let wanted = format!("`bake-home` needs {wanted}, where `place` is home");
        assert!(
            said.iter().any(|one| one.contains(&wanted)),
            "{guard}: {said:?}"
        );
    }
    let chinese = why(
        &agent(&text(r#"when="place == mill""#), "day"),
        Language::Chinese,
    );
    assert!(
        chinese
            .iter()
            .any(|one| one.contains("（其中 `place` 为 `home`）")),
        "{chinese:?}"
    );
}
