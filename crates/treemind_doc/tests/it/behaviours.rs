//! Good documents, and what they are lowered to.

use treemind_core::behaviour::{
    Arg, Judging, Kind, LeafKind, Pace, Skips, Threshold, Times, Yields,
};
use treemind_core::expr::{Arith, Compare, Func};
use treemind_core::{Behaviour, Expr, KeyId, Type, Value};
use treemind_doc::{Code, Document};

pub(super) fn tree(text: &str) -> Behaviour {
    let document = Document::parse(text, "test.kdl");
    match document.behaviour(None) {
        Ok(tree) => tree,
        Err(error) => panic!("{}", error.to_plain()),
    }
}

/// The expression of `check` over a few keys.
fn check(expression: &str) -> Expr {
    let text = format!(
        "blackboard {{
            key health type=float; key ammo type=int; key clock type=double; key alive type=bool
            key target type=entity; key mood type=enum {{ value calm angry; }}
        }}
        tree a {{ check #\"{expression}\"#; }}"
    );
    let tree = tree(&text);
    let Kind::Check { expr } = &tree.node(tree.root()).kind else {
        panic!("not a check");
    };
    expr.clone()
}

fn key(tree_index: usize, ty: Type) -> Box<Expr> {
    Box::new(Expr::Key(KeyId::new(tree_index), ty))
}

fn float(value: f32) -> Box<Expr> {
    Box::new(Expr::Value(Value::Float(value)))
}

fn int(value: i64) -> Box<Expr> {
    Box::new(Expr::Value(Value::Int(value)))
}

fn double(value: f64) -> Box<Expr> {
    Box::new(Expr::Value(Value::Double(value)))
}

#[test]
fn the_guard_of_the_specification_lowers() {
    let document = Document::parse(&super::good("guard.kdl"), "guard.kdl");
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.main(), Some("guard"));
    assert_eq!(document.trees().len(), 1);
    let guard = document.behaviour(None).expect("no errors");
    assert_eq!(guard.name(), "guard");
    assert_eq!(guard.keys()[0].default, Value::Float(100.0));
    assert_eq!(guard.keys()[0].doc.as_deref(), Some("hit points, 0 to 100"));
    assert_eq!(guard.display_value(guard.keys()[1].default), "calm");
    assert_eq!(
        guard.leaf(guard.leaf_id("attack").expect("a leaf")).kind,
        LeafKind::ACTION
    );
    let labels: Vec<&str> = guard.node_ids().map(|id| guard.label(id)).collect();
    assert_eq!(
        labels,
        [
            "reactive-selector",
            "fight",
            "see-enemy",
            "reactive-selector",
            "reactive-sequence",
            "check",
            "run-away",
            "monitor",
            "enemy-dead",
            "attack",
            "patrol"
        ]
    );
}

#[test]
fn places_of_a_tree_have_keys_of_their_own() {
    let document = Document::parse(&super::good("subtrees.kdl"), "subtrees.kdl");
    assert_eq!(document.diagnostics(), []);
    let guard = document.behaviour(None).expect("no errors");
    let keys: Vec<&str> = guard.keys().iter().map(|key| key.name.as_str()).collect();
    let (global, own) = keys.split_at(4);
    assert_eq!(global, ["enemy", "there", "health", "tries"]);
    let expected = [
        "guard.health",
        "guard.home",
        "reach.path",
        "reach.speed",
        "back.path",
        "back.speed",
        "reach-2.path",
        "reach-2.target",
        "reach-2.speed",
        "deeper.far",
    ];
    assert_eq!(own, expected);
    let value = |name: &str| guard.key(guard.key_id(name).expect("a key")).default;
    assert_eq!(value("reach.speed"), Value::Float(1.5));
    assert_eq!(value("back.speed"), Value::Float(2.0));
    assert_eq!(value("reach-2.target"), Value::Entity(9));
    // When it runs by itself, a tree has its ports as keys.
    let reach = document.behaviour(Some("reach")).expect("no errors");
    assert!(reach.key_id("reach.target").is_some());
    assert_eq!(reach.keys().len(), 4 + 5);
    // A name that falls through finds no tree around this one.
    let refused = document.behaviour(Some("look")).expect_err("no `home`");
    assert!(refused.to_plain().contains("unknown key `home`"));
    assert!(
        refused
            .to_plain()
            .contains("run the tree that contains `look`")
    );
}

#[test]
fn every_kind_of_node_lowers() {
    let (tree, more, values) = (
        tree(&super::good("every-node.kdl")),
        tree(&super::good("choices-and-decorators.kdl")),
        tree(&super::good("values.kdl")),
    );
    let mut kinds: Vec<&str> = [&tree, &more, &values]
        .iter()
        .flat_map(|tree| tree.nodes())
        .map(|node| node.kind.keyword())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 38, "{kinds:?}");
    let ends: Vec<&Kind> = tree.nodes().iter().map(|node| &node.kind).collect();
    let retries: Vec<&&Kind> = ends
        .iter()
        .filter(|kind| matches!(kind, Kind::Retry { .. }))
        .collect();
    assert!(matches!(
        retries[0],
        Kind::Retry {
            times: Times::Count(_),
            pace: Pace {
                yields: Yields::Fresh,
                ..
            },
            ..
        }
    ));
    assert!(matches!(
        retries[1],
        Kind::Retry {
            times: Times::Forever,
            pace: Pace {
                yields: Yields::Never,
                ..
            },
            ..
        }
    ));
    assert!(ends.contains(&&Kind::Parallel {
        success: Threshold::Count(1),
        failure: Threshold::Count(2),
        skips: Skips::Absent,
        judging: Judging::default(),
    }));
    assert!(ends.contains(&&Kind::Parallel {
        success: Threshold::All,
        failure: Threshold::Count(1),
        skips: Skips::Absent,
        judging: Judging::default(),
    }));
    assert!(!tree.leaves().is_empty());
}

#[test]
fn the_words_of_properties_and_their_defaults() {
    let kind = |line: &str| {
        let tree = tree(&format!("tree t {{ {line} }}"));
        tree.node(tree.root()).kind.clone()
    };
    let (two, one) = ("{ succeed; fail; }", "{ succeed; }");
    for (line, yields) in [
        ("", Yields::Never),
        ("yields=fresh", Yields::Fresh),
        ("yields=always", Yields::Always),
        ("yields=never", Yields::Never),
    ] {
        let list = format!("{line} {two}");
        assert_eq!(kind(&format!("sequence {list}")), Kind::Sequence { yields });
        let expected = Kind::StickySequence {
            yields,
            reset_on_abort: false,
            leaves_open: false,
        };
        assert_eq!(kind(&format!("sticky-sequence {list}")), expected);
    }
    let loops = kind(&format!("until-failure {one}"));
    let pace = Yields::Always.into();
    assert_eq!(loops, Kind::UntilFailure { pace });
    let once = |then_skip| Kind::RunOnce { then_skip };
    assert_eq!(kind(&format!("run-once {one}")), once(false));
    assert_eq!(kind(&format!("run-once then=answer {one}")), once(false));
    assert_eq!(kind(&format!("run-once then=skipped {one}")), once(true));
    let all = |max_failures| Kind::ParallelAll { max_failures };
    assert_eq!(kind(&format!("parallel-all {two}")), all(1));
    assert_eq!(kind(&format!("parallel-all max-failures=2 {two}")), all(2));
    assert_eq!(kind(&format!("filter {one}")), Kind::ReactiveSequence);
    let cooled = |else_skipped| Kind::Cooldown {
        secs: *double(2.0),
        else_skipped,
    };
    assert_eq!(kind(&format!("cooldown 2 {one}")), cooled(false));
    assert_eq!(
        kind(&format!("cooldown 2 else=skipped {one}")),
        cooled(true)
    );
    let parallel = kind(&format!("parallel success=2 skipped=pending {two}"));
    assert_eq!(
        parallel,
        Kind::Parallel {
            success: Threshold::Count(2),
            failure: Threshold::Count(1),
            skips: Skips::Pending,
            judging: Judging::default(),
        }
    );
}

#[test]
fn cases_are_tests_of_the_subject() {
    let tree = tree(
        "blackboard { key n type=int; key f type=float; }
         tree t { switch \"n\" once=#true {
            case 1 { succeed; }
            case 2 3 4 { succeed; }
            case min=5 max=9 { switch \"f + 1\" { case min=0.5 { fail; }; case max=0 { fail; }; case 0.25 { fail; }; }; }
            default { fail; }
         }; }",
    );
    let Kind::Switch { cases, once, .. } = &tree.node(tree.root()).kind else {
        panic!("not a switch");
    };
    assert!(once);
    assert_eq!(tree.node(tree.root()).children.len(), 4);
    let is = |value| Box::new(Expr::Compare(Compare::Eq, key(0, Type::Int), int(value)));
    let two_or_three = Box::new(Expr::Or(is(2), is(3)));
    assert_eq!(
        cases[..],
        [
            *is(1),
            Expr::Or(two_or_three, is(4)),
            Expr::Between(key(0, Type::Int), int(5), int(9)),
        ]
    );
    let inner = tree.node(tree.node(tree.root()).children[2]);
    let Kind::Switch {
        cases, once: false, ..
    } = &inner.kind
    else {
        panic!("not a switch");
    };
    let sum = || Box::new(Expr::Arith(Arith::Add, key(1, Type::Float), float(1.0)));
    assert_eq!(
        cases[..],
        [
            Expr::Compare(Compare::Ge, sum(), float(0.5)),
            Expr::Compare(Compare::Le, sum(), float(0.0)),
            Expr::Compare(Compare::Eq, sum(), float(0.25)),
        ]
    );
}

#[test]
fn keys_without_a_default_start_at_nothing() {
    let tree = tree(&super::good("every-node.kdl"));
    let of = |name: &str| tree.key(tree.key_id(name).expect("a key")).default;
    assert_eq!(of("alive"), Value::Bool(true));
    assert_eq!(of("health"), Value::Float(0.0));
    assert_eq!(of("target"), Value::Entity(0));
    assert_eq!(tree.display_value(of("mood")), "angry");
}

#[test]
fn equal_lists_of_values_are_one_type() {
    let tree = tree(&super::good("every-node.kdl"));
    assert_eq!(tree.enums().len(), 1);
}

#[test]
fn arguments_stand_in_the_order_of_the_leaf() {
    let tree = tree(
        "leaves { action go { param a type=int default=1; param b type=float; param c type=double default=2; }; }
         blackboard { key n type=int; }
         tree t { action go c=\"{n}\" b=\"=1 + 2\"; }",
    );
    let Kind::Action { args, .. } = &tree.node(tree.root()).kind else {
        panic!("not an action");
    };
    assert_eq!(args[0], Arg::Value(Value::Int(1)));
    let sum = Expr::Arith(Arith::Add, float(1.0), float(2.0));
    assert_eq!(args[1], Arg::Expr(sum));
    assert_eq!(
        args[2],
        Arg::Expr(Expr::Widen(Type::Double, key(0, Type::Int)))
    );
}

#[test]
fn literals_adapt_to_the_other_side() {
    assert_eq!(
        check("health < 20"),
        Expr::Compare(Compare::Lt, key(0, Type::Float), float(20.0))
    );
    assert_eq!(
        check("0.15 > health"),
        Expr::Compare(Compare::Gt, float(0.15), key(0, Type::Float))
    );
    assert_eq!(
        check("ammo == -3"),
        Expr::Compare(Compare::Eq, key(1, Type::Int), int(-3))
    );
    assert_eq!(
        check("ammo < 0.5"),
        Expr::Compare(
            Compare::Lt,
            Box::new(Expr::Widen(Type::Double, key(1, Type::Int))),
            double(0.5)
        )
    );
    assert_eq!(
        check("1 < 0.5"),
        Expr::Compare(Compare::Lt, double(1.0), double(0.5))
    );
    assert_eq!(
        check("ammo > -9223372036854775808"),
        Expr::Compare(Compare::Gt, key(1, Type::Int), int(i64::MIN))
    );
}

#[test]
fn numbers_widen_and_nothing_else_converts() {
    let product = Expr::Arith(
        Arith::Mul,
        Box::new(Expr::Widen(Type::Float, key(1, Type::Int))),
        key(0, Type::Float),
    );
    assert_eq!(
        check("ammo * health > clock"),
        Expr::Compare(
            Compare::Gt,
            Box::new(Expr::Widen(Type::Double, Box::new(product))),
            key(2, Type::Double)
        )
    );
    for wrong in [
        "alive == ammo",
        "mood == ammo",
        "target + 1 == 2",
        "alive < alive",
        "!ammo",
        "-alive == 1",
    ] {
        let text = format!(
            "blackboard {{ key ammo type=int; key alive type=bool; key target type=entity; key mood type=enum {{ value calm; }}; }}\ntree a {{ check \"{wrong}\"; }}"
        );
        let document = Document::parse(&text, "test.kdl");
        assert_eq!(
            document.diagnostics().len(),
            1,
            "{wrong}: {:?}",
            document.diagnostics()
        );
        assert_eq!(document.diagnostics()[0].code(), Code::WrongType, "{wrong}");
    }
}

#[test]
fn operators_bind_as_in_rust() {
    let printed = |text: &str| {
        let document = format!(
            "blackboard {{ key a type=bool; key b type=bool; key x type=float; key y type=float; }}\ntree t {{ check \"{text}\"; }}"
        );
        let outline = treemind_doc::outline(&tree(&document));
        let line = outline.lines().nth(1).expect("a line").trim();
        line.trim_start_matches("check \"")
            .trim_end_matches('"')
            .to_owned()
    };
    for same in [
        "a || b && a",
        "(a || b) && a",
        "!(a && b)",
        "!a && b",
        "x + y * x < y",
        "(x + y) * x < y",
        "x - (y - x) < y",
        "x - y - x < y",
        "-x * y < -(x * y)",
        "(x < y) == a",
        "x in y..=x + 1.0",
        "if a { x } else { y } + 1.0 > 2.0",
        "clamp(x, 0.0, 1.0) % y != lerp(x, y, 0.5)",
        "if a { b } else { if b { a } else { true } }",
    ] {
        assert_eq!(printed(same), same);
    }
    assert_eq!(
        printed("if a { b } else if b { a } else { true }"),
        "if a { b } else { if b { a } else { true } }"
    );
    assert_eq!(printed("((a))"), "a");
}

#[test]
fn names_of_values_follow_the_other_side_and_keys_come_first() {
    let text = "blackboard {
        key mood type=enum { value calm angry; }
        key calm type=enum default=angry { value calm angry; }
    }
    tree a { sequence { check \"mood == angry\"; check \"calm != mood\"; check \"mood == calm\"; set \"mood = if mood == angry { angry } else { calm }\"; }; }";
    let tree = tree(text);
    let outline = treemind_doc::outline(&tree);
    assert!(outline.contains("check \"mood == angry\""), "{outline}");
    let kinds: Vec<&Kind> = tree.nodes().iter().map(|node| &node.kind).collect();
    let Kind::Check {
        expr: Expr::Compare(_, _, right),
    } = kinds[3]
    else {
        panic!("not a comparison");
    };
    assert!(matches!(**right, Expr::Key(..)), "the key `calm` wins");
}

#[test]
fn functions_have_one_type() {
    assert_eq!(
        check("max(ammo, 3) > 2"),
        Expr::Compare(
            Compare::Gt,
            Box::new(Expr::Call(Func::Max, vec![*key(1, Type::Int), *int(3)])),
            int(2)
        )
    );
    let Expr::Compare(_, root, _) = check("sqrt(ammo) > health") else {
        panic!("not a comparison");
    };
    assert_eq!(
        *root,
        Expr::Call(
            Func::Sqrt,
            vec![Expr::Widen(Type::Float, key(1, Type::Int))]
        )
    );
}

#[test]
fn disabled_nodes_are_as_if_they_were_not_there() {
    let tree = tree(
        "tree a { invert { fail disabled=#true; nonsense disabled=#true { more; }; succeed; }; }",
    );
    assert_eq!(tree.nodes().len(), 2);
}

#[test]
fn a_tree_is_chosen_by_name_by_main_or_by_being_alone() {
    let two = "tree walk { succeed; }\ntree rest doc=\"lies down\" { fail; }\n";
    let document = Document::parse(two, "two.kdl");
    assert_eq!(
        document.behaviour(Some("rest")).expect("a tree").name(),
        "rest"
    );
    assert_eq!(document.trees()[1].doc(), Some("lies down"));
    assert_eq!(&two[document.trees()[1].span()], "rest");
    let refused = document.behaviour(None).expect_err("which one?");
    assert_eq!(
        refused.to_plain(),
        "two.kdl:1:1: error[T0304]: the document does not say which of its trees to run\n  \
         help: add `main tree=NAME`, or name one; the trees are `walk` and `rest`\n"
    );
    let undecided = document.undecided().map(|found| found.to_plain());
    assert_eq!(undecided, Some(refused.to_plain()));
    let refused = document.behaviour(Some("wlak")).expect_err("a typo");
    assert_eq!(
        refused.to_plain(),
        "two.kdl:1:1: error[T0106]: unknown tree `wlak`\n  help: did you mean `walk`?\n"
    );
    let named = Document::parse(&format!("main tree=rest\n{two}"), "two.kdl");
    assert!(named.undecided().is_none());
    // What only declares is for others to import.
    let declares = Document::parse("leaves { action go; }\n", "leaves.kdl");
    assert!(declares.undecided().is_none());
    assert_eq!(named.main(), Some("rest"));
    assert_eq!(named.behaviour(None).expect("main").name(), "rest");
}

#[test]
fn spans_point_into_the_document() {
    let text = "blackboard { key x type=int; }\ntree a { sequence { check \"x == yy\"; check #\"x == yy\"#; check \"x\\u{20}== yy\"; wait \"= zz\"; }; }";
    let document = Document::parse(text, "test.kdl");
    let shown: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|item| &text[item.span()])
        .collect();
    assert_eq!(shown, ["yy", "yy", "\"x\\u{20}== yy\"", "zz"]);
}

#[test]
fn diagnostics_can_be_printed_by_miette() {
    let document = Document::parse("tree a {\n    fial\n}\n", "test.kdl");
    let diagnostic: &dyn miette::Diagnostic = &document.diagnostics()[0];
    assert_eq!(diagnostic.code().expect("a code").to_string(), "T0101");
    assert_eq!(
        diagnostic.help().expect("help").to_string(),
        "did you mean `fail`?"
    );
    let label = diagnostic.labels().expect("labels").next().expect("one");
    let source = diagnostic.source_code().expect("a source");
    let contents = source
        .read_span(label.inner(), 0, 0)
        .expect("within the text");
    assert_eq!(
        (contents.name(), contents.line(), contents.column()),
        (Some("test.kdl"), 1, 4)
    );
    assert_eq!(contents.data(), b"fial");
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let document = Document::read(b"\xef\xbb\xbftree a { fial; }", "bom.kdl");
    assert_eq!(document.diagnostics()[0].line_column(), (1, 10));
    assert!(
        Document::read("\u{feff}tree a { fail; }\r\n".as_bytes(), "bom.kdl")
            .behaviour(None)
            .is_ok()
    );
}

#[test]
fn sources_know_their_lines() {
    let source = treemind_doc::Source::new("a.kdl", "tree a {\r\n    é fail\n}");
    assert_eq!(source.line_column(0), (1, 1));
    assert_eq!(source.line_column(14), (2, 5));
    assert_eq!(source.line_column(17), (2, 7), "columns count characters");
    assert_eq!(source.line_column(999), (3, 2), "behind the end is the end");
    assert_eq!(source.line(2), Some("    é fail"));
    assert_eq!((source.line(0), source.line(4)), (None, None));
}

#[test]
fn a_leaf_has_a_limited_number_of_parameters() {
    let with = |count: usize| {
        let params: String = (0..count)
            .map(|index| format!("param p{index} type=int default=1;"))
            .collect();
        Document::parse(
            &format!("leaves {{ action go {{ {params} }} }}\ntree t {{ action go; }}"),
            "wide.kdl",
        )
    };
    assert!(with(64).behaviour(None).is_ok());
    assert_eq!(with(65).diagnostics()[0].code(), Code::TooLarge);
}

#[test]
fn documents_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Document>();
    crosses::<treemind_doc::Diagnostics>();
}
