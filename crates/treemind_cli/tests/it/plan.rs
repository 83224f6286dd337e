//! `treemind plan`: plans, and why there is none.

use crate::{Ran, command, examples, ran, treemind_in};
use serde_json::Value;

fn plan(arguments: &str) -> Ran {
    let folder = examples().join("10-soldier");
    treemind_in(&folder, &format!("plan fighter.kdl {arguments}"), b"")
}

#[test]
fn a_plan_is_printed_with_costs_and_reasons() {
    let ran = plan("--planner fighter --given enemy_seen=true enemy_distance=10");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "\
`survive` is not pursued: its score is 0
`fighter` pursues `kill` (score 0.4)
  the plan is `draw-gun reload take-cover shoot`, for 6
       1  `draw-gun`, because `reload` needs `armed`
       1  `reload`, because `shoot` needs `ammo > 0`
       2  `take-cover`, because `shoot` needs `in_cover`
       2  `shoot`, because `kill` wants `enemy_dead`
";
    assert_eq!(ran.out, expected);
}

#[test]
fn the_nearest_missing_condition_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "main planner=fighter
blackboard { key armed type=bool; key ammo type=int; key mags type=int; key in_cover type=bool; key dead type=bool; }
leaves { action draw; action load; action hide; action fire; }
planner fighter {
    goal kill wants=\"dead\"
    action draw when=\"!armed\" gives=\"armed = true\"
    action load when=\"armed && mags > 0\" gives=\"ammo = 6; mags -= 1\"
    action hide gives=\"in_cover = true\" cost=2
    action fire when=\"armed && ammo > 0 && in_cover\" gives=\"dead = true\" cost=2
}
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("written");
    let ran = treemind_in(folder.path(), "plan p.kdl", b"");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let expected = "\
there is no plan for `kill`
  one thing is missing: `load` needs `mags > 0`: `mags` is 0, no step gives `mags > 0`
  with it, the plan is `draw load hide fire`, for 6
";
    assert_eq!(ran.out, expected);
    let ran = treemind_in(
        folder.path(),
        "plan p.kdl --given mags=1 --language zh",
        b"",
    );
    assert!(
        ran.out.contains("计划为 `draw load hide fire`，代价 6"),
        "{}",
        ran.out
    );
}

#[test]
fn json_has_the_steps() {
    let ran = plan("--planner fighter --goal kill --json --given armed=true ammo=3 in_cover=true");
    let json: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let plan = &json["goals"][0]["plan"];
    assert_eq!(plan["cost"], 2.0);
    assert_eq!(plan["steps"][0]["name"], "shoot");
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, wanted) in [
        (
            "--planner fighter --given ammo=many",
            "`many` is no value of `ammo`",
        ),
        (
            "--planner fighter --given amo=1",
            "has no key `amo`; did you mean `ammo`?",
        ),
        (
            "--planner fighter --given weapon=true",
            "has no key `weapon`; the keys are `",
        ),
        (
            "--planner fighter --given ammo=unset",
            "`--given ammo=unset`: `ammo` is not optional, so it always has a value; give it a value of type `int`",
        ),
        ("--planner fighter --given ammo", "is not `KEY=VALUE`"),
        (
            "--planner fighter --given ammo==3",
            "write one `=`, `ammo=3`",
        ),
        ("--planner fighter --goal live", "there is no goal `live`"),
        (
            "--planner figther",
            "there is no planner `figther` in this document; ",
        ),
    ] {
        let ran = plan(arguments);
        assert_ne!(ran.code, 0, "{arguments}");
        assert!(ran.err.contains(wanted), "{arguments}: {}", ran.err);
    }
}

#[test]
fn json_tells_no_plan_from_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "main planner=p
blackboard { key wood type=int; key day type=bool; }
leaves { action chop; }
planner p {
    goal rich wants=\"wood >= 100\"
    goal light wants=\"day\"
    goal warm wants=\"wood >= 2\"
    action chop gives=\"wood += 1\"
}
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("written");
    let no_plan = |goal: &str| {
        let arguments = format!("plan p.kdl --goal {goal} --json");
        let ran = treemind_in(folder.path(), &arguments, b"");
        let json: Value = serde_json::from_str(&ran.out).expect("JSON");
        json["goals"][0]["no_plan"].clone()
    };
    assert_eq!(no_plan("rich"), "limit");
    assert_eq!(no_plan("light"), "none");
    assert_eq!(no_plan("warm"), Value::Null);
}

/// What the scores of goals read may be given, too. A goal that is not pursued says by what: its `when`, or its score.
#[test]
fn keys_of_scores_are_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "main planner=p
blackboard { key anger type=double default=0.2; key near type=float default=1.0 sensor=look; key dead type=bool; key home type=bool; key late type=bool; }
leaves { sensor look; action hit; action go; }
planner p {
    goal kill wants=\"dead\" { score { consider \"anger\"; consider \"1 / near\"; }; }
    goal rest wants=\"home\" when=\"late\" score=0.3
    action hit gives=\"dead = true\"
    action go gives=\"home = true\"
}
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("a file");
    let plan = |given: &str| {
        let ran = treemind_in(folder.path(), &format!("plan p.kdl --given {given}"), b"");
        ran.out
    };
    let kill = "`p` pursues `kill` (score 0.45)\n";
    let found = plan("anger=0.9 near=2");
    assert!(found.starts_with(kill), "{found}");
    let found = plan("anger=0");
    let expected =
        "`kill` is not pursued: its score is 0\n`rest` is not pursued: `late` does not hold\n";
    assert_eq!(found, expected);
}

const POOR: &str = "main planner=p
blackboard { key money type=double default=1.0; key rich type=bool; key glad type=bool default=#true; key late type=bool; }
leaves { action work; action beg; }
planner p {
    goal rich wants=\"rich\" score=\"0.1 + 0.2\"
    goal glad wants=\"glad\" score=0.2
    goal late wants=\"!glad\" when=\"late\"
    goal poor wants=\"money < 0\" score=0.1
    action work gives=\"rich = true\" cost=\"money - 3\"
    action beg gives=\"rich = true; money = -1\" cost=5
}
";

/// Scores have no noise, goals that are not pursued say why, and a cost that is none is named.
#[test]
fn every_goal_has_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.kdl"), POOR).expect("a file");
    let ran = treemind_in(folder.path(), "plan p.kdl", b"");
    let expected = "\
`p` pursues `rich` (score 0.3)
  the plan is `beg`, for 5
       5  `beg`, because `rich` wants `rich`
  `work` cannot be used: its cost `money - 3.0` is -2
`glad` holds already
`late` is not pursued: `late` does not hold
`poor` scored 0.1, 0.2 less than `rich`
";
    assert_eq!(ran.out, expected);
    let ran = treemind_in(folder.path(), "plan p.kdl --json", b"");
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    let goals = json["goals"].as_array().expect("goals");
    let why = goals.iter().map(|goal| goal["why"][0].as_str());
    let why: Vec<&str> = why.map(|why| why.expect("a reason")).collect();
    let expected = [
        "`work` cannot be used: its cost `money - 3.0` is -2",
        "`glad` holds already",
        "`late` is not pursued: `late` does not hold",
        "`poor` scored 0.1, 0.2 less than `rich`",
    ];
    assert_eq!(why, expected);
    assert_eq!([&goals[0]["holds"], &goals[1]["holds"]], [false, true]);
}

/// A list gets its items with spaces between them.
#[test]
fn lists_are_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "main planner=p
blackboard { key home type=bool; key stops type=int list=3; key spots type=vec2 list=4; }
leaves { action go; }
planner p {
    goal rest wants=\"home\"
    action go when=\"len(spots) == 2 && len(stops) < 3\" gives=\"home = true\"
}
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("written");
    let plan = |given: &[&str]| {
        let mut program = command(folder.path(), "plan p.kdl --given");
        ran(&program.args(given).output().expect("it runs"))
    };
    let found = plan(&["spots=0,1 2.5,3", "stops="]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.starts_with("`p` pursues `rest`"), "{found:?}");
    for given in [
        ["spots=0,1", "stops=7"],
        ["spots=", "stops="],
        ["spots=0,1 2,3", "stops=3 -1 2"],
    ] {
        assert_eq!(plan(&given).code, 1, "{given:?}");
    }
    assert_eq!(plan(&["spots=0,1 2.5,3", "stops=unset"]).code, 0);
    for (given, wanted) in [
        ("stops=1 2 3 4", "`--given stops=1 2 3 4`: "),
        (
            "stops=1,2",
            "`1,2` is no list of `int`, which `stops` is; its items have spaces between them",
        ),
    ] {
        let refused = plan(&[given]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.err.contains(wanted), "{refused:?}");
    }
}

/// A text is given as it is, or in the quotes in which sentences show it.
#[test]
fn texts_are_given_with_or_without_quotes() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "main planner=p
blackboard { key name type=string default=\"h\"; }
leaves { action go; }
planner p { goal g wants=\"name == 'z'\"; action go when=\"name != 'x'\" gives=\"name = 'y'\"; }
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("a file");
    for (given, shown) in [
        ("name=x", "'x'"),
        ("name='x'", "'x'"),
        ("name='=x'", "'=x'"),
    ] {
        let ran = treemind_in(folder.path(), &format!("plan p.kdl --given {given}"), b"");
        let expected = format!("`name` is {shown}");
        assert!(ran.out.contains(&expected), "{given}: {}", ran.out);
    }
}

/// An archetype runs a planner, or has one in its tree, and sets keys.
#[test]
fn the_planner_of_an_archetype_is_asked_with_its_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "blackboard { key fed type=bool; key bread type=int; }
leaves { action eat; action bake; action rest; }
planner day { goal full wants=\"fed\"; action eat when=\"bread > 0\" gives=\"fed = true\"; action bake gives=\"bread += 1\"; }
tree life { selector { planner day; action rest; }; }
tree idle { action rest; }
archetype poor planner=day
archetype rich planner=day { given bread=3; }
archetype baker tree=life { given bread=3; }
archetype idler tree=idle
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("written");
    let plan = |more: &str| treemind_in(folder.path(), &format!("plan p.kdl {more}"), b"");
    for (archetype, steps) in [
        ("poor", "`bake eat`, for 2"),
        ("rich", "`eat`, for 1"),
        ("baker", "`eat`, for 1"),
    ] {
        let ran = plan(&format!("--archetype {archetype}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(
            ran.out.contains(&format!("the plan is {steps}\n")),
            "{archetype}: {}",
            ran.out
        );
    }
    let given = plan("--archetype rich --given bread=0");
    assert!(given.out.contains("`bake eat`, for 2"), "{}", given.out);
    let none = plan("--archetype idler");
    assert_eq!(none.code, 1, "{}", none.err);
    assert!(
        none.err.contains("there is no planner in `idle"),
        "{}",
        none.err
    );
    let other = plan("--archetype baker --planner night");
    assert!(
        other.err.contains("there is no planner `night` in"),
        "{}",
        other.err
    );
    assert!(
        other.err.contains("its planners are `day`"),
        "{}",
        other.err
    );
}

/// A planner may be a part of a step of another one: the outer one is asked, and the message says how to ask the other.
#[test]
fn a_planner_inside_of_another_one_is_asked_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "blackboard { key fed type=bool; key bread type=bool; key corn type=int; }
leaves { action eat; action grind; action bake; action rest; }
planner day { goal full wants=\"fed\"; action eat when=\"bread\" gives=\"fed = true\"; subtree get-bread gives=\"bread = true\"; }
planner kitchen { goal have-bread wants=\"bread\"; action grind gives=\"corn += 1\"; action bake when=\"corn > 0\" gives=\"bread = true\"; }
tree get-bread { planner kitchen; }
tree life { selector { planner day; action rest; }; }
archetype farmer planner=day
archetype guest tree=life { given corn=1; }
";
    std::fs::write(folder.path().join("p.kdl"), text).expect("written");
    let plan = |more: &str| treemind_in(folder.path(), &format!("plan p.kdl {more}"), b"");
    let outer = plan("--archetype farmer");
    assert_eq!(outer.code, 0, "{}", outer.err);
    assert!(
        outer.out.contains("`get-bread eat`, for 2"),
        "{}",
        outer.out
    );
    let wanted = "this is the planner `day`; `--planner NAME` asks another one of `";
    assert!(outer.err.contains(wanted), "{}", outer.err);
    assert!(outer.err.contains("`: `kitchen`\n"), "{}", outer.err);
    let inner = plan("--archetype guest --planner kitchen");
    assert_eq!(inner.code, 0, "{}", inner.err);
    assert!(!inner.err.contains("this is the planner"), "{}", inner.err);
    assert!(inner.out.contains("`bake`, for 1"), "{}", inner.out);
    let none = plan("--archetype guest");
    assert_ne!(none.code, 0, "{}", none.err);
    let wanted = "` with `--planner NAME`: `day`, `kitchen`";
    assert!(none.err.contains("say which planner of `"), "{}", none.err);
    assert!(none.err.contains(wanted), "{}", none.err);
    let without = plan("");
    let wanted = "say which planner of this document with `--planner NAME`: `day`, `kitchen`";
    assert!(without.err.contains(wanted), "{}", without.err);
}

/// A cost that is none is also named where no other step leads to the goal, so that the search looks at nothing.
#[test]
fn a_cost_that_is_none_is_why_there_is_no_plan() {
    let text = "main planner=p
blackboard { key lit type=bool; key open type=bool; key n type=int; key far type=int; }
leaves { action unlock; action light; }
planner p {
    goal in wants=\"open\"
    action unlock when=\"lit\" gives=\"open = true\" cost=\"n / far\"
    action light gives=\"lit = true\"
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.kdl"), text).expect("a file");
    for (given, said) in [
        (
            "n=-1 far=1",
            "after `light`, `unlock` cannot be used: its cost `n / far` is -1",
        ),
        (
            "n=1 far=0",
            "after `light`, `unlock` cannot be used: its cost `n / far` ",
        ),
    ] {
        let ran = treemind_in(folder.path(), &format!("plan p.kdl --given {given}"), b"");
        assert!(ran.out.contains(said), "{said}:\n{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("at least two things"), "{}", ran.out);
        assert!(ran.out.contains("`light unlock`"), "{}", ran.out);
    }
}
