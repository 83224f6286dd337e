//! Where the keys of lowered documents live.

use treemind_core::behaviour::{Arg, Kind, LeafKind, LogPart, Scope, Sensed};
use treemind_core::{Behaviour, Expr, KeyId, LeafId, NodeId, Type, Value};
use treemind_doc::{Code, Document, Severity, outline};

fn tree(text: &str) -> Behaviour {
    let document = Document::parse(text, "test.kdl");
    match document.behaviour(None) {
        Ok(tree) => tree,
        Err(error) => panic!("{}", error.to_plain()),
    }
}

fn names(behaviour: &Behaviour) -> Vec<&str> {
    let keys = behaviour.keys().iter();
    keys.map(|key| key.name.as_str()).collect()
}

/// The key that the `check` at a node asks about.
fn asked(behaviour: &Behaviour, node: usize) -> &str {
    let Kind::Check { expr } = &behaviour.node(NodeId::new(node)).kind else {
        panic!("node {node} is no check");
    };
    let mut found = None;
    expr.for_each_key(&mut |key| found = Some(key));
    &behaviour.key(found.expect("a key")).name
}

#[test]
fn blackboards_say_who_shares_their_keys() {
    let tree = tree(
        "blackboard scope=world { key a type=int; }
         blackboard { key b type=int; }
         blackboard scope=group { key c type=float default=2.5; }
         blackboard scope=agent { key d type=bool; }
         tree t { check \"a == b && c > 1.0 && d\"; }",
    );
    let scopes: Vec<Scope> = tree.keys().iter().map(|key| key.scope).collect();
    assert_eq!(
        scopes,
        [Scope::World, Scope::Agent, Scope::Group, Scope::Agent]
    );
    assert_eq!(tree.keys()[2].default, Value::Float(2.5));
}

#[test]
fn sensed_keys_have_their_sensor_wherever_that_is_declared() {
    let tree = tree(
        "blackboard {
             key near type=float default=9.0 sensor=radar range=5 interval=1
             key far type=float sensor=radar { param type 3; param range 50.0; }
         }
         tree t { key own type=bool sensor=eye interval=0.25; check \"near < far && own\"; }
         leaves { sensor eye; sensor radar { param range type=float; param type type=int default=7; }; }",
    );
    let sensor = |name: &str| tree.leaf_id(name).expect("a sensor");
    assert_eq!(tree.leaf(sensor("eye")).kind, LeafKind::Sensor);
    let sensed: Vec<&Sensed> = tree
        .keys()
        .iter()
        .filter_map(|key| key.sensed.as_ref())
        .collect();
    let radar = |range: f32, ty: i64, interval_secs| Sensed {
        sensor: sensor("radar"),
        args: vec![Value::Float(range), Value::Int(ty)],
        interval_secs,
    };
    let eye = Sensed {
        sensor: sensor("eye"),
        args: Vec::new(),
        interval_secs: Some(0.25),
    };
    assert_eq!(
        sensed,
        [&radar(5.0, 7, Some(1.0)), &radar(50.0, 3, None), &eye]
    );
    assert_eq!(tree.keys()[0].default, Value::Float(9.0));
}

#[test]
fn inner_keys_hide_outer_ones_and_have_names_of_their_own() {
    let tree = tree(
        "blackboard { key n type=int; key outer type=int; }
         tree t {
             key n type=bool
             sequence {
                 check \"n\"
                 scope {
                     key n type=float
                     sequence {
                         check \"n > 0.5\"
                         scope name=seek { key n type=int; check \"n + outer > 1\"; }
                         check \"n > 0.5\"
                     }
                 }
                 scope { key n type=int; check \"n > 1\"; }
                 check \"n\"
             }
         }",
    );
    assert_eq!(
        names(&tree),
        ["n", "outer", "t.n", "t.scope.n", "t.seek.n", "t.scope-2.n"]
    );
    let asked = [1, 4, 7, 9, 10].map(|node| asked(&tree, node));
    assert_eq!(
        asked,
        ["t.n", "t.scope.n", "t.scope.n", "t.scope-2.n", "t.n"]
    );
    let Kind::Scope { keys } = &tree.node(NodeId::new(5)).kind else {
        panic!("no scope");
    };
    assert_eq!(keys, &[KeyId::new(4)]);
}

#[test]
fn every_place_of_a_tree_has_scopes_of_its_own() {
    let tree = tree(
        "main tree=t
         blackboard { key ammo type=int; }
         tree t { sequence { subtree u n=\"{ammo}\"; subtree u n=3 name=again; }; }
         tree u { in n type=int; scope { key m type=int; check \"m == n\"; }; }",
    );
    assert_eq!(
        names(&tree),
        ["ammo", "u.scope.m", "again.n", "again.scope.m"]
    );
}

#[test]
fn a_tree_that_inherits_knows_the_scopes_around_its_place() {
    let tree = tree(
        "main tree=t
         tree t {
             scope { key n type=int; scope { key m type=int default=4; subtree u inherit=#true; }; }
         }
         tree u { key own type=int; sequence { set \"n = m + own\"; subtree v inherit=#true; }; }
         tree v { check \"n > own\"; }",
    );
    assert_eq!(names(&tree), ["t.scope.n", "t.scope-2.m", "u.own"]);
    let inheriting = "main tree=t
         tree t { scope { key n type=int; subtree u inherit=#true; }; }
         tree u { set \"n = 1\"; }";
    assert_eq!(Document::parse(inheriting, "t.kdl").diagnostics(), []);
    let document = Document::parse(
        "tree t { sequence { scope { key n type=int; set \"n = 1\"; }; subtree u inherit=#true; }; }
         tree u { set \"n = 1\"; }",
        "beside.kdl",
    );
    assert!(document.has_errors(), "the scope stands beside it");
}

#[test]
fn texts_and_events_are_lowered() {
    let tree = tree(
        "blackboard { key ammo type=int; key mood type=enum { value calm angry; }; }
         leaves { event hit { param damage type=double; }; event set { param mood type=enum { value calm angry; }; }; }
         tree t {
             sequence {
                 log \"{{{ammo}}} left{ mood }\"
                 log \"\"
                 emit hit value=\"ammo * 2\"
                 emit hit value=3
                 emit hit damage=\"{ammo}\"
                 emit set value=angry
             }
         }",
    );
    let kind = |node: usize| &tree.node(NodeId::new(node)).kind;
    let text = |text: &str| LogPart::Text(text.to_owned());
    let key = |key: usize| LogPart::Key(KeyId::new(key));
    assert_eq!(
        kind(1),
        &Kind::Log {
            text: vec![text("{"), key(0), text("} left"), key(1)]
        }
    );
    assert_eq!(
        kind(2),
        &Kind::Log {
            text: vec![text("")]
        }
    );
    let emit = |leaf: usize, arg: Arg| Kind::Emit {
        leaf: LeafId::new(leaf),
        args: vec![arg],
        to: None,
    };
    let Kind::Emit { args, .. } = kind(3) else {
        panic!("no emit");
    };
    assert!(matches!(&args[0], Arg::Expr(expr) if expr.ty() == Type::Double));
    assert_eq!(kind(4), &emit(0, Arg::Value(Value::Double(3.0))));
    let ammo = Expr::Key(KeyId::new(0), Type::Int);
    let widened = Expr::Widen(Type::Double, Box::new(ammo));
    assert_eq!(kind(5), &emit(0, Arg::Expr(widened)));
    let Type::Enum(list) = tree.keys()[1].ty else {
        panic!("no enum");
    };
    assert_eq!(kind(6), &emit(1, Arg::Value(Value::Enum(list, 1))));
}

#[test]
fn what_looks_and_tells_is_printed() {
    let tree = tree(
        "blackboard { key ammo type=int; }
         leaves { event noise doc=\"somebody is to be heard\" { param volume type=float; }; }
         tree t {
             on-change ammo else=running {
                 scope name=seek {
                     key n type=int
                     sequence { changed n; log \"{{x}} {n}\"; emit noise value=\"1.0 / 2.0\"; on-change ammo { succeed; }; }
                 }
             }
         }",
    );
    let expected = r#"tree t
  on-change ammo else=running
    scope t.seek.n name=seek
      sequence
        changed t.seek.n
        log "{{x}} {t.seek.n}"
        emit noise volume="=1.0 / 2.0"  // somebody is to be heard
        on-change ammo
          succeed
"#;
    assert_eq!(outline(&tree), expected);
}

#[test]
fn scopes_in_scopes_stay_within_bounds() {
    let long = "x".repeat(1_000);
    let open = format!("scope name={long} {{ key n type=int; ").repeat(250);
    let many: String = (0..2_000).map(|n| format!("key k{n} type=int; ")).collect();
    let text = format!(
        "tree t {{ {open} scope {{ {many} changed n; }} {} }}",
        "}".repeat(250)
    );
    let document = Document::parse(&text, "deep.kdl");
    let errors = document
        .diagnostics()
        .iter()
        .filter(|item| item.severity() == Severity::Error);
    assert_eq!(errors.count(), 0);
    let tree = document.behaviour(None).expect("it is deep and well");
    let length: usize = tree.keys().iter().map(|key| key.name.len()).sum();
    assert!(length < 1_000_000, "{length} bytes of names");
    let warnings = document.diagnostics().iter();
    assert!(warnings.clone().any(|item| item.code() == Code::UnusedKey));
}

/// The name of a definition, or of another definition that a node contains, is the value without a name, wherever it
/// is on the line.
#[test]
fn names_may_stand_behind_properties() {
    let text = "tree doc=\"Holds.\" outer { key k type=int; subtree inherit=#true inner; }
        tree doc=\"Is held.\" inner { set \"k += 1\"; }
        main tree=outer";
    let document = Document::parse(text, "held.kdl");
    assert!(!document.has_errors(), "{:#?}", document.diagnostics());
    let outer = document.behaviour(None).expect("it has no errors");
    assert_eq!(outer.keys().len(), 1);
}

/// Which keys nodes use, by warnings about the others.
#[test]
fn unused_keys_are_those_that_no_enabled_node_uses() {
    let text = r#"blackboard { key a type=int; key b type=int; key c type=int; key started type=int; }
        main tree=t
        tree t {
            key own type=int
            key lent type=int
            sequence {
                set "own += 1"
                set "b = 1" disabled=#true
                repeat 2 disabled=#true { scope { key inner type=int; check "c > 0"; }; }
                subtree u
            }
        }
        tree lender { key lent type=int; subtree heir inherit=#true; }
        tree heir { check "lent > 0 && a > 0"; }
        tree u { key given type=int; succeed; }
        archetype k tree=t { given own=3; given started=1; }"#;
    let document = Document::parse(text, "test.kdl");
    let found: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|found| found.message())
        .collect();
    assert_eq!(
        found,
        [
            "nothing uses key `b`",
            "nothing uses key `c`",
            "key `own` is written, and nothing reads it",
            "nothing uses key `lent`",
            "nothing uses key `given`",
        ]
    );
}

#[test]
fn a_find_has_a_use_for_its_item_only_where_it_judges() {
    let warnings = |block: &str| {
        let text = format!(
            "blackboard {{ key spot type=vec2; }}\nleaves {{ candidates spots type=vec2; action go {{ param to type=vec2; }}; }}\n\
             tree t {{ sequence {{ find place in=spots into=\"{{spot}}\"{block}; action go to=\"{{spot}}\"; }}; }}"
        );
        let document = Document::parse(&text, "t.kdl");
        let found = document.diagnostics().iter();
        found
            .map(|one| one.message().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(warnings(""), [] as [&str; 0]);
    assert_eq!(warnings(" { score \"place.x\"; }"), [] as [&str; 0]);
    assert_eq!(
        warnings(" { score 1.0; }"),
        ["nothing uses the item `place`"]
    );
}
