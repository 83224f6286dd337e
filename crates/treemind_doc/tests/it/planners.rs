//! Good planners, and what they are lowered to.

use super::machines::assert_file;
use treemind_core::behaviour::{Aim, Doing, Planner, Replan};
use treemind_core::{Behaviour, Kind};
use treemind_doc::{About, Code, Document, dot, mermaid, outline, outline_lines};

fn document(text: &str) -> Document {
    let document = Document::parse(text, "test.kdl");
    let errors = document.diagnostics().iter();
    let errors: Vec<String> = errors.map(|item| item.to_plain()).collect();
    assert!(!document.has_errors(), "{}", errors.concat());
    document
}

/// The planner at the root.
fn planner(behaviour: &Behaviour) -> &Planner {
    match &behaviour.node(behaviour.root()).kind {
        Kind::Planner(planner) => planner,
        kind => panic!("a {}", kind.keyword()),
    }
}

#[test]
fn the_planners_of_the_fixture_print() {
    let document = document(&super::good("planners.kdl"));
    assert_eq!(document.diagnostics(), []);
    let names = document.planners().iter().map(|planner| planner.name());
    assert_eq!(names.collect::<Vec<_>>(), ["fighter", "weapons", "day"]);
    assert_eq!(document.planners()[0].doc(), Some("in a fight"));
    let tree = document.behaviour(None).unwrap();
    let mut printed = outline(&tree);
    printed += &outline(&document.planner("day").unwrap());
    printed += &mermaid(&document.planner("day").unwrap());
    printed += &dot(&document.planner("fighter").unwrap());
    assert_file("planners.outline", &printed);
}

#[test]
fn goals_tasks_and_steps_are_lowered() {
    let document = document(&super::good("planners.kdl"));
    let fighter = document.planner("fighter").unwrap();
    let fighter = planner(&fighter);
    let steps: Vec<&str> = fighter.steps.iter().map(|step| &*step.name).collect();
    let expected = "draw-gun reload club take-cover shoot shoot-standing fetch-mags";
    assert_eq!(steps.join(" "), expected);
    assert_eq!((fighter.replan, fighter.every), (Replan::Changed, 2));
    assert!(matches!(fighter.goals[0].aim, Aim::Wants(_)));

    let day = document.planner("day").unwrap();
    let day = planner(&day);
    assert_eq!(
        (day.slice, day.max_expansions, day.max_steps),
        (64, 512, 20)
    );
    assert_eq!(day.goals[1].aim, Aim::Does(1));
    let methods = &day.tasks[0].methods;
    assert_eq!(methods[2].does, [Doing::Task(1), Doing::Task(0)]);
    assert_eq!(day.tasks[2].methods[0].does, []);
}

#[test]
fn guards_of_a_tree_are_not_those_of_the_step() {
    let document = document(&super::good("planners.kdl"));
    let fighter = document.planner("fighter").unwrap();
    let steps = &fighter.node(fighter.root()).children;
    let cover = fighter.node(steps[3]);
    assert!(cover.guards.is_empty(), "{:?}", cover.guards);
    assert!(matches!(cover.kind, Kind::Sequence { .. }));
}

#[test]
fn a_planner_without_goals_is_only_used() {
    let document = document(&super::good("planners.kdl"));
    let Err(error) = document.planner("weapons") else {
        panic!("it has no goal");
    };
    assert_eq!(error[0].code(), Code::MissingChildren);
}

/// The mistake is reported once, of the first value; the other values find it again.
#[test]
fn a_value_that_is_missing_in_an_each_is_no_defect() {
    let text = "main planner=p\nblackboard { key done type=bool; key trips type=int list=2 { default 1 2; }; }\nleaves { action go; }\n\
        planner p { goal g wants=\"done\"; each trip of=trips { action go gives=\"done = true\" while=}}\n";
    let document = Document::parse(text, "p.kdl");
    let codes: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|one| one.code().as_str())
        .collect();
    assert!(document.has_errors());
    assert!(!codes.contains(&"T0902"), "{codes:?}");
}

fn problems(text: &str) -> Vec<String> {
    let document = Document::parse(text, "test.kdl");
    let all = document.diagnostics().iter();
    all.map(|item| item.to_plain()).collect()
}

const KEYS: &str = "blackboard { key a type=bool; }\nleaves { action x; }\n";

#[test]
fn a_step_whose_line_names_nothing_needs_a_name() {
    for step in [
        "cooldown 2.0 gives=\"a = true\" { action x; }",
        "semaphore seat max=1 gives=\"a = true\" { action x; }",
        "set \"a = true\" gives=\"a = true\"",
        "wait 1.0 gives=\"a = true\"",
        "sequence gives=\"a = true\" { action x; }",
    ] {
        let text = |step: &str| format!("{KEYS}planner p {{ goal g wants=\"a\"; {step}; }}\n");
        let said = problems(&text(step));
        let word = step.split(' ').next().unwrap();
        assert_eq!(said.len(), 1, "{step}: {said:?}");
        assert!(
            said[0].contains("[T0203]: this step has no name"),
            "{said:?}"
        );
        assert!(said[0].contains(&format!("`{word} name=NAME`")), "{said:?}");
        let named = step.replace(" gives=", " name=it gives=");
        assert_eq!(problems(&text(&named)), [""; 0], "{named}");
    }
}

#[test]
fn a_file_may_have_only_steps_for_others() {
    let steps = format!("{KEYS}planner steps {{ action x gives=\"a = true\"; }}\n");
    assert_eq!(problems(&steps), [""; 0]);
    let run = problems(&format!("main planner=steps\n{steps}"));
    assert_eq!(run.len(), 1, "{run:?}");
    assert!(run[0].contains("so it cannot run"), "{run:?}");
    let beside = problems(&format!("{steps}tree t {{ action x; }}\n"));
    assert!(
        beside[0].contains("[T0301]: this planner has no goal"),
        "{beside:?}"
    );
}

#[test]
fn an_unknown_state_of_a_decision_tree_is_told_once() {
    let text = format!(
        "{KEYS}machine m {{ initial s1; state s1 {{ transition decide=d; }}; state s2 {{ transition decide=d; }}; }}\n\
         decide d {{ best {{ option 0.5 {{ state s11; }}; option 0.3 {{ state s2; }}; }}; }}\n"
    );
    let said = problems(&text);
    let unknown = said
        .iter()
        .filter(|one| one.contains("unknown state `s11`"));
    assert_eq!(unknown.count(), 1, "{said:?}");
}

/// What is no node is drawn, too: goals, tasks, methods and rules, with what they use, and what a search keeps.
#[test]
fn diagrams_have_all_parts() {
    let document = document(&super::good("minds.kdl"));
    let tree = document.behaviour(None).unwrap();
    assert_file("minds.mmd", &mermaid(&tree));
    assert_file("minds.dot", &dot(&tree));
}

/// A goal leads to the steps after which what it wants may hold, and not to each step that writes a key of it.
#[test]
fn diagrams_lead_to_the_steps_that_give_what_is_wanted() {
    let text = "main planner=p
blackboard { key at type=enum { value home mill wood; }; key lit type=bool; key hot type=bool; key ammo type=int; key heat type=float; }
leaves { action walk; action use; }
planner p {
    goal back wants=\"at == mill && !lit && ammo >= 3 && heat in 2..=4 && (hot || at != mill)\"
    action walk name=to-mill gives=\"at = mill\"
    action walk name=to-wood gives=\"at = wood\"
    action use name=light gives=\"lit = true; hot = true\"
    action use name=quench gives=\"lit = false; hot = false\"
    action use name=load gives=\"ammo = 2\" on-success=\"ammo = 6\"
    action use name=shoot gives=\"ammo = 2\"
    action use name=add gives=\"ammo += 1\"
    action use name=warm gives=\"heat = 3\"
    action use name=burn gives=\"heat = 5\"
}
";
    let drawn = mermaid(&document(text).behaviour(None).unwrap());
    assert!(drawn.starts_with("%% planner p\nflowchart TD\n"), "{drawn}");
    let given = drawn.lines().filter_map(|line| {
        let link = line.trim().strip_prefix("n0g0 -.->|\"")?;
        let (wanted, to) = link.split_once("\"| ")?;
        let wanted = wanted.replace("#gt;", ">").replace("#124;", "|");
        let step = drawn
            .lines()
            .find(|one| one.trim().starts_with(&format!("{to}([")))?;
        let (_, name) = step.split_once(" name=")?;
        Some(format!("{wanted}: {}", name.split(' ').next()?))
    });
    assert_eq!(
        given.collect::<Vec<_>>(),
        [
            "at == mill: to-mill",
            "!lit: quench",
            "ammo >= 3: load",
            "ammo >= 3: add",
            "heat in 2.0..=4.0: warm",
            "hot || at != mill: to-mill",
            "hot || at != mill: to-wood",
            "hot || at != mill: light",
            "hot || at != mill: quench",
        ],
        "{drawn}"
    );
}

/// The item of an `each` is written as its value, also below zero, and is no key of the behaviour unless something
/// asks what only keys have.
#[test]
fn an_item_of_an_each_is_its_value() {
    let text = |step: &str| {
        format!(
            "main planner=p\nblackboard {{ key at type=int; key stops type=int list=3 {{ default 2 -1 0; }}; }}\n\
             leaves {{ action go {{ param to type=int; }}; }}\n\
             planner p {{ goal g wants=\"at == -1\"; each stop of=stops {{ {step}; }}; }}\n"
        )
    };
    let lowered = |step: &str| document(&text(step)).planner("p").unwrap();
    let step = "action go to=\"{stop}\" when=\"at != stop\" gives=\"at = stop\" cost=\"stop\"";
    let printed = outline(&lowered(step));
    let minus = "  action go to=-1 name=go--1 gives=\"at = -1\" cost=\"=-1\" when=\"at != -1\"\n";
    assert!(printed.contains(minus), "{printed}");
    let names = |step: &str| {
        let behaviour = lowered(step);
        let names = behaviour.keys().iter().map(|key| key.name.clone());
        names.collect::<Vec<String>>()
    };
    assert_eq!(names(step), ["at", "stops"]);
    let log = "log \"to {stop}\" name=tell gives=\"at = stop\"";
    assert_eq!(names(log), ["at", "stops"]);
    assert!(outline(&lowered(log)).contains("log \"to -1\""));
    // In a tree that a step runs, a port with the value may be asked when it changed.
    let asks = "sequence name=look gives=\"at = stop\" { changed stop; }";
    assert_eq!(
        names(asks),
        ["at", "stops", "p.stop", "p.stop-2", "p.stop-3"]
    );
}

/// A number needs nothing to be one, so what it is can be foreseen; what a text is cannot.
#[test]
fn a_number_of_a_number_is_foreseen() {
    let text = |cost: &str| {
        format!(
            "main planner=p\nblackboard {{ key n type=int; key f type=float; key s type=string; key a type=bool; }}\nleaves {{ action x; }}\n\
             planner p {{ goal g wants=\"a\"; action x gives=\"a = true\" cost=\"{cost}\"; }}\n"
        )
    };
    for cost in [
        "double(n)",
        "number(n + 1) / 2",
        "double(f)",
        "int(n) * 2",
        "leading_int(n)",
    ] {
        let said = problems(&text(cost));
        assert!(
            said.iter().all(|one| one.contains("[T0603]: nothing uses")),
            "{cost}: {said:?}"
        );
    }
    for cost in [
        "double(s)",
        "int(f)",
        "number(a)",
        "double(if a { s } else { n })",
    ] {
        let said = problems(&text(cost));
        assert!(
            said.iter().any(|one| one.contains("T1003")),
            "{cost}: {said:?}"
        );
    }
}

#[test]
fn a_rule_outside_rules_is_told_where_it_belongs() {
    for text in [
        "leaves { action x; }\ntree t { sequence { rule hurt when=\"1 > 0\" { action x; }; }; }\n",
        "leaves { action x; }\nrule hurt when=\"1 > 0\" { action x; }\ntree t { action x; }\n",
    ] {
        let said = problems(text);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].contains("[T0113]: `rule` is not allowed"),
            "{said:?}"
        );
        assert!(
            said[0].contains("help: move it into the block of a `rules`"),
            "{said:?}"
        );
    }
}

/// The first line of a planner is the planner itself, so that views have something for it; a tree with a planner at its root
/// is a tree.
#[test]
fn a_planner_has_a_line_of_its_own() {
    let text = format!(
        "{KEYS}planner p every=2 {{ goal g wants=\"a\"; action x gives=\"a = true\"; }}\ntree t {{ planner p; }}\n"
    );
    let document = document(&text);
    let planner = document.planner("p").unwrap();
    let said = |behaviour: &Behaviour| {
        let lines = outline_lines(behaviour).into_iter();
        lines
            .map(|line| (line.indent, line.about, line.text))
            .collect::<Vec<_>>()
    };
    let lines = said(&planner);
    assert_eq!(
        lines[0],
        (
            0,
            About::Node(planner.root()),
            "planner p every=2".to_owned()
        )
    );
    assert_eq!((lines.len(), lines[1].0), (3, 2));
    assert_eq!(outline(&planner).lines().next(), Some("planner p every=2"));
    let tree = document.behaviour(Some("t")).unwrap();
    assert_eq!(outline(&tree).lines().next(), Some("tree t"));
    assert_eq!(
        said(&tree)[0],
        (2, About::Node(tree.root()), "planner p every=2".to_owned())
    );
    // Each line leads to its place in the text.
    let editor = treemind_doc::edit::Editor::new(document).unwrap();
    for (behaviour, words) in [
        (&planner, ["planner p", "goal g", "action x"]),
        (&tree, ["planner p", "goal g", "action x"]),
    ] {
        let places = editor.outline_places(behaviour);
        for (place, word) in places.into_iter().zip(words) {
            let (_, at) = place.expect(word);
            assert!(text[at].starts_with(word), "{word}");
        }
    }
}
