//! Archetypes: which tree a character follows, and what it starts with.

use treemind_core::{Population, Program, Value};
use treemind_doc::{Code, Document};

const HUNTERS: &str = "
blackboard {
    key weapon type=enum default=bow { value bow sword spear; }
    key range type=float default=1.5
    key lives type=int default=3
    key rank type=int
}
tree hunter doc=\"tracks and shoots\" {
    key shots type=int default=5 allow=\"T0611\"
    in speed type=float default=2.0
    sequence { check \"range > speed && weapon == bow\"; set \"shots -= 1\"; subtree rest; }
}
tree rest { key naps type=int allow=\"T0611\"; set \"naps += lives\"; }
archetype archer tree=hunter number=7 doc=\"shoots from afar\" { given weapon=bow range=20; given shots=9 speed=1; }
archetype swordsman tree=hunter { given weapon=sword; }
archetype sleeper tree=rest { given lives=0 naps=-2 rank=1; }
";

fn hunters() -> Document {
    let document = Document::parse(HUNTERS, "hunters.kdl");
    assert_eq!(document.diagnostics(), []);
    document
}

#[test]
fn an_archetype_names_a_tree_and_what_it_starts_with() {
    let document = hunters();
    let names: Vec<&str> = document.archetypes().iter().map(|one| one.name()).collect();
    assert_eq!(names, ["archer", "swordsman", "sleeper"]);
    let archer = document.archetype("archer").unwrap();
    assert_eq!((archer.tree(), archer.number()), (Some("hunter"), Some(7)));
    assert_eq!((archer.machine(), archer.decision()), (None, None));
    assert_eq!(archer.doc(), Some("shoots from afar"));
    assert_eq!(archer.source().slice(&archer.span()), "archer");
    let given: Vec<&str> = archer.given().map(|(key, _)| key).collect();
    assert_eq!(given, ["weapon", "range", "hunter.shots", "hunter.speed"]);
    assert!(document.archetype("gone").is_none());
}

#[test]
fn its_behaviour_is_the_tree_with_other_defaults() {
    let document = hunters();
    let plain = document.behaviour(Some("hunter")).unwrap();
    let archer = document.behaviour_for("archer").unwrap();
    assert_eq!((archer.name(), archer.nodes()), ("hunter", plain.nodes()));
    let default = |name: &str| archer.key(archer.key_id(name).unwrap()).default;
    assert_eq!(default("range"), Value::Float(20.0));
    assert_eq!(default("lives"), Value::Int(3));
    assert_eq!(default("hunter.shots"), Value::Int(9));
    assert_eq!(default("hunter.speed"), Value::Float(1.0));
    assert_eq!(archer.display_value(default("weapon")), "bow");
    // Subtrees have their own keys, to which archetypes give no values.
    assert_eq!(default("rest.naps"), Value::Int(0));
    let sleeper = document.behaviour_for("sleeper").unwrap();
    let naps = sleeper.key_id("rest.naps").unwrap();
    assert_eq!(
        (sleeper.name(), sleeper.key(naps).default),
        ("rest", Value::Int(-2))
    );
    let error = document.behaviour_for("swordman").unwrap_err();
    assert_eq!(
        error.to_plain(),
        "hunters.kdl:1:1: error[T0121]: unknown archetype `swordman`\n  help: did you mean `swordsman`?\n"
    );
    assert_eq!(error[0].code(), Code::UnknownArchetype);
    let none = Document::parse("tree t { fail; }", "t.kdl")
        .behaviour_for("x")
        .unwrap_err();
    assert_eq!(none[0].help(), Some("add `archetype NAME tree=TREE`"));
    let broken = Document::parse("tree t { fai; }", "t.kdl")
        .behaviour_for("x")
        .unwrap_err();
    assert_eq!(broken[0].code(), Code::UnknownNode);
}

#[test]
fn several_share_one_population() {
    let document = hunters();
    let hunter = document.behaviour(Some("hunter")).unwrap();
    let start = |name: &str| document.archetype(name).unwrap().start(&hunter);
    let keys =
        ["weapon", "range", "lives", "hunter.shots"].map(|name| hunter.key_id(name).unwrap());
    let words = |population: &Population, agent: usize| {
        let behaviour = population.program().behaviour();
        keys.map(|key| behaviour.display_value(population.get(agent, key)))
    };
    let mut population = Population::new(Program::new(hunter.clone()).into(), 1);
    let archer = population.spawn_as(&start("archer")).unwrap().index();
    let swordsman = population.spawn_as(&start("swordsman")).unwrap().index();
    // From an archetype of another tree, an agent takes only the values that all trees share.
    let sleeper = population.spawn_as(&start("sleeper")).unwrap().index();
    assert_eq!(words(&population, 0), ["bow", "1.5", "3", "5"]);
    assert_eq!(words(&population, archer), ["bow", "20", "3", "9"]);
    assert_eq!(words(&population, swordsman), ["sword", "1.5", "3", "5"]);
    assert_eq!(words(&population, sleeper), ["bow", "1.5", "0", "5"]);
    let range = hunter.key_id("range").unwrap();
    let before = population.len();
    let wrong = [(range, Value::Int(2)), (range, Value::Bool(true))];
    assert!(population.spawn_as(&wrong).is_err());
    assert_eq!(population.len(), before);
    assert_eq!(population.spawn_as(&wrong[..1]).unwrap().index(), before);
    assert_eq!(population.get(before, range), Value::Float(2.0));
}

#[test]
fn a_key_that_is_only_given_is_not_unused() {
    let text = "blackboard { key model type=int; }; tree t { fail; }; archetype a tree=t { given model=2; }";
    assert_eq!(Document::parse(text, "a.kdl").diagnostics(), []);
}

#[test]
fn the_page_shows_a_document_that_is_well() {
    let page = include_str!("../../../../docs/archetypes.md").replace("\r\n", "\n");
    let text = page.split("```kdl\n").nth(1).expect("a document");
    let text = text.split("```").next().expect("and its end");
    let document = Document::parse(text, "hunters.kdl");
    // `model` is for the game.
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.archetypes().len(), 3);
}

#[test]
fn an_archetype_may_follow_a_machine_or_a_decision_tree() {
    let text = "
        blackboard { key brave type=bool; key pace type=float default=1.0; }
        leaves { action fight; action flee; }
        machine soldier {
            key shots type=int default=5
            initial calm
            state calm { transition to=wild when=\"brave && shots > pace\"; }
            state wild
        }
        decide watchman { test \"brave\" { action fight; }; action flee; }
        archetype veteran machine=soldier { given brave=#true shots=9; }
        archetype coward decide=watchman { given brave=#false; }";
    let document = Document::parse(text, "t.kdl");
    assert_eq!(document.diagnostics(), []);
    let veteran = document.archetype("veteran").unwrap();
    assert_eq!((veteran.tree(), veteran.machine()), (None, Some("soldier")));
    let behaviour = document.behaviour_for("veteran").unwrap();
    let plain = document.machine("soldier").unwrap();
    assert_eq!(behaviour.nodes(), plain.nodes());
    let default = |name: &str| behaviour.key(behaviour.key_id(name).unwrap()).default;
    assert_eq!(default("brave"), Value::Bool(true));
    assert_eq!(default("soldier.shots"), Value::Int(9));
    let coward = document.archetype("coward").unwrap();
    assert_eq!(
        (coward.machine(), coward.decision()),
        (None, Some("watchman"))
    );
    let behaviour = document.behaviour_for("coward").unwrap();
    assert_eq!(
        behaviour.nodes(),
        document.decision("watchman").unwrap().nodes()
    );
}

#[test]
fn an_archetype_may_think_at_intervals() {
    let text = "tree t { fail; }; archetype near tree=t; archetype far tree=t every=8";
    let document = Document::parse(text, "a.kdl");
    assert_eq!(document.diagnostics(), []);
    let intervals = document.archetypes().iter().map(|one| one.interval());
    assert_eq!(intervals.collect::<Vec<_>>(), [1, 8]);
    assert_eq!(document.behaviour_for("near").unwrap().interval(), 1);
    let far = document.behaviour_for("far").unwrap();
    assert_eq!(far.interval(), 8);
    let population = Population::new(Program::new(far).into(), 2);
    assert_eq!(population.interval(1), 8);
}
