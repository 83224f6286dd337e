//! Trees written in code are the same as those in documents.

use treemind_core::{Behaviour, KeyId, Value};
use treemind_doc::tree::{self, Declarations, FOREVER, Node, TreeBuilder, TreeError};
use treemind_doc::{Document, outline};

pub(super) const DECLARED: &str = r#"
blackboard {
    key health type=float default=100.0
    key mood type=enum default=calm { value calm angry; }
    key ammo type=int default=7
    key which type=enum default=flee { value flee rest; }
    key target type=entity
    key spotted type=entity list=8
    key home type=vec2 default="1, 2"
    key word type=string optional=#true
}
leaves {
    condition see-enemy { param far type=float default=1.0; }
    action attack { param range type=float; param who type=entity default=3; param mood type=enum default=calm { value calm angry; }; }
    action patrol
    service look { param weight type=float default=1.0; }
    composite best min=2 { param by type=int; }
    decorator loud
    action go { param to type=vec2; param saying type=string default=""; param what type=any default=1; }
}
tree flee { in speed type=float default=1.0; sequence { check "speed > 1"; action patrol; }; }
tree rest { action patrol; }
"#;

pub(super) fn declared() -> Declarations {
    let document = Document::parse(DECLARED, "declared.kdl");
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    Declarations::new().document(&document)
}

fn of_document(root: &str) -> Behaviour {
    let text = format!("{DECLARED} tree t {{ {root} }}");
    match Document::parse(&text, "whole.kdl").behaviour(Some("t")) {
        Ok(behaviour) => behaviour,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// Checks that the tree in code is the same as the one in the document.
fn same(node: Node, root: &str) {
    let built = match node.behaviour("t", &declared()) {
        Ok(built) => built,
        Err(error) => panic!("{error}"),
    };
    let read = of_document(root);
    assert_eq!(outline(&built), outline(&read));
    assert_eq!(built.nodes(), read.nodes(), "{root}");
}

#[test]
fn every_kind_of_node_is_what_it_is_in_a_document() {
    same(
        tree::sequence([
            tree::condition("see-enemy").negated().param("far", 2.5),
            tree::action("attack")
                .param("range", "=health / 2")
                .param("mood", "angry")
                .param("who", 9_u64),
            tree::action("attack")
                .param("range", "{health}")
                .param("mood", "{mood}"),
            tree::check("health < 20"),
            tree::set("ammo -= 1; mood = angry"),
            tree::wait(0.5).jitter(0.25),
            tree::wait("health / 10"),
            tree::succeed(),
            tree::subtree("flee").param("speed", 2),
            tree::action("go")
                .param("to", [0.5, -2.0])
                .param("saying", "a \"word\""),
            tree::action("go").param("to", "{home}").param("what", 2.5),
            tree::unset("word"),
            tree::for_each("one", tree::check("one == target"))
                .in_list("{spotted}")
                .if_empty("failure"),
            tree::interruptible("stop", tree::interrupt("stop").result("failure")),
        ])
        .yields("fresh"),
        r#"sequence yields=fresh {
            condition see-enemy not=#true far=2.5
            action attack range="=health / 2" mood=angry who=9
            action attack range="{health}" mood="{mood}"
            check "health < 20"
            set "ammo -= 1; mood = angry"
            wait 0.5 jitter=0.25
            wait "health / 10"
            succeed
            subtree flee speed=2
            action go to="0.5, -2" saying="a \"word\""
            action go to="{home}" what=2.5
            unset word
            for-each one in="{spotted}" if-empty=failure { check "one == target"; }
            interruptible stop { interrupt stop result=failure; }
        }"#,
    );
    let one = tree::run;
    same(
        tree::selector([
            tree::sticky_sequence([one()])
                .yields("always")
                .reset_on_abort(),
            tree::reactive_sequence([one()]),
            tree::reactive_selector([one()]),
            tree::filter([one()]),
            tree::monitor([one()]),
            tree::parallel([one(), one()])
                .success(1)
                .failure("all")
                .skipped("pending")
                .judged("end")
                .repeat_finished(),
            tree::parallel_all([one(), one()]).max_failures(2),
            tree::simple_parallel([one(), one()]).finish("delayed"),
            tree::random_selector([one()]).replacement(),
            tree::random_sequence([one()]),
            tree::weighted_selector([one().weight(2.5), tree::fail().weight("health")]),
            tree::utility_selector([
                one().score(0.5).weight(2.0),
                tree::action("patrol").child(
                    Node::new("score").option("combine", "min").child(
                        Node::new("consider")
                            .value("health / 100")
                            .option("curve", "power"),
                    ),
                ),
            ])
            .policy("top")
            .top(1)
            .hysteresis(0.1)
            .reactive()
            .on_failure("health = 0"),
            tree::if_then([tree::condition("see-enemy"), one(), one()]),
            tree::reactive_if([tree::condition("see-enemy"), one()]),
            tree::switch(
                "ammo",
                [
                    tree::case(0, one()).value(1),
                    Node::new("case").min(2).max(5).child(one()),
                    tree::default_case(tree::fail()),
                ],
            )
            .once(),
            tree::switch("mood", [tree::case("angry", one())]),
            tree::try_catch([tree::action("patrol"), one()]).on_abort(true),
            tree::subtree_by("{which}").of("flee rest"),
            tree::node("best", [one(), one()]).param("by", "{ammo}"),
            tree::node("loud", [one()]),
        ]),
        r#"selector {
            sticky-sequence yields=always reset-on-abort=#true { run; }
            reactive-sequence { run; }
            reactive-selector { run; }
            filter { run; }
            monitor { run; }
            parallel success=1 failure=all skipped=pending check=end repeat-finished=#true { run; run; }
            parallel-all max-failures=2 { run; run; }
            simple-parallel finish=delayed { run; run; }
            random-selector replacement=#true { run; }
            random-sequence { run; }
            weighted-selector { run weight=2.5; fail weight="health"; }
            utility-selector policy=top top=1 hysteresis=0.1 reactive=#true on-failure="health = 0" {
                run score=0.5 weight=2.0
                action patrol { score combine=min { consider "health / 100" curve=power; }; }
            }
            if { condition see-enemy; run; run; }
            reactive-if { condition see-enemy; run; }
            switch "ammo" once=#true { case 0 1 { run; }; case min=2 max=5 { run; }; default { fail; }; }
            switch "mood" { case angry { run; }; }
            try-catch on-abort=#true { action patrol; run; }
            subtree-by "{which}" of="flee rest"
            node best by="{ammo}" { run; run; }
            node loud { run; }
        }"#,
    );
    same(
        tree::sequence([
            tree::invert(tree::succeed()),
            tree::force_success(one()).even_running(),
            tree::force_failure(one()),
            tree::repeat(FOREVER, one()),
            tree::repeat("ammo + 1", one())
                .on_failure("continue")
                .max_runs(9),
            tree::retry(3, one()).count("ticks"),
            tree::until_failure(one()),
            tree::until_success(one()),
            tree::keep_running_until_failure(one()),
            tree::run_once(one()).then("skipped"),
            tree::limit(3, one()).per("parent"),
            tree::cooldown(2.0, one()).otherwise("skipped"),
            tree::timeout(2, one()),
            tree::delay(0.5, one()),
            tree::chance(0.25, one()),
            tree::interruptible("stop", one()),
            tree::semaphore("door", one()).max(2).scope("world").waits(),
            tree::service("look", one())
                .interval(0.5)
                .param("weight", 2),
        ])
        .name("all")
        .doc("every decorator"),
        r#"sequence name=all doc="every decorator" {
            invert { succeed; }
            force-success even-running=#true { run; }
            force-failure { run; }
            repeat forever { run; }
            repeat "ammo + 1" on-failure=continue max-runs=9 { run; }
            retry 3 count=ticks { run; }
            until-failure { run; }
            until-success { run; }
            keep-running-until-failure { run; }
            run-once then=skipped { run; }
            limit 3 per=parent { run; }
            cooldown 2.0 else=skipped { run; }
            timeout 2 { run; }
            delay 0.5 { run; }
            chance 0.25 { run; }
            interruptible stop { run; }
            semaphore door max=2 scope=world wait=#true { run; }
            service look interval=0.5 { param weight 2; run; }
        }"#,
    );
}

#[test]
fn guards_and_hooks_are_options_of_any_node() {
    same(
        tree::selector([
            tree::action("patrol")
                .fail_if("ammo == 0")
                .succeed_if("health > 99")
                .skip_if("mood == angry"),
            tree::action("patrol")
                .when("ammo > 0")
                .aborts("lower")
                .while_holds("health > 2")
                .while_else("success"),
            tree::action("patrol")
                .on_success("ammo -= 1")
                .on_failure("ammo = 0")
                .on_abort("mood = angry")
                .on_end("ammo = 1"),
            tree::action("attack").param("range", 1).disabled(),
            tree::action("patrol")
                .name("last")
                .name("\"quoted\" \\ \n \u{7} name"),
        ]),
        r#"selector {
            action patrol fail-if="ammo == 0" succeed-if="health > 99" skip-if="mood == angry"
            action patrol when="ammo > 0" aborts=lower while="health > 2" while-else=success
            action patrol on-success="ammo -= 1" on-failure="ammo = 0" on-abort="mood = angry" on-end="ammo = 1"
            action patrol name="\"quoted\" \\ \n \u{7} name"
        }"#,
    );
}

fn guard(builder: TreeBuilder) -> Result<Node, TreeError> {
    builder
        .reactive_selector()
        .reactive_sequence()
        .name("fight")
        .condition("see-enemy")
        .back()
        .selector()
        .sequence()
        .check("health < 20")
        .back()
        .action("patrol")
        .back()
        .back()
        .monitor()
        .condition("see-enemy")
        .negated()
        .back()
        .action("attack")
        .param("range", 2.5)
        .back()
        .back()
        .back()
        .back()
        .action("patrol")
        .end()
}

#[test]
fn the_chained_builder_builds_the_same() {
    same(
        guard(TreeBuilder::new()).unwrap(),
        r#"reactive-selector {
            reactive-sequence name=fight {
                condition see-enemy
                selector {
                    sequence { check "health < 20"; action patrol; }
                    monitor { condition see-enemy not=#true; action attack range=2.5; }
                }
            }
            action patrol
        }"#,
    );
    // Blocks that are closed to the end, or not at all; nodes that are built already; keywords and options by name.
    let closed = TreeBuilder::new().selector().action("patrol").back().back();
    assert_eq!(
        closed.end().unwrap(),
        tree::selector([tree::action("patrol")])
    );
    let open = TreeBuilder::new()
        .selector()
        .invert()
        .put(tree::fail())
        .back();
    assert_eq!(
        open.end().unwrap(),
        tree::selector([tree::invert(tree::fail())])
    );
    let words = TreeBuilder::new()
        .of_kind("wait")
        .value(0.5)
        .option("jitter", 1);
    assert_eq!(words.end().unwrap(), tree::wait(0.5).jitter(1));
    assert_eq!(
        TreeBuilder::new().put(tree::run()).end().unwrap(),
        tree::run()
    );
}

#[test]
fn what_is_unbalanced_is_an_error_that_names_the_node() {
    let error = |builder: TreeBuilder| builder.end().unwrap_err().to_string();
    let new = TreeBuilder::new;
    assert_eq!(error(new()), "there is no node in the tree");
    assert_eq!(error(new().back()), "`back()` has no node to go back from");
    assert_eq!(
        error(new().selector().name("root").back().back()),
        "`back()` has no node to go back from"
    );
    assert_eq!(
        error(
            new()
                .selector()
                .sequence()
                .name("fight")
                .check("health < 1")
                .wait(2)
        ),
        "selector > fight > check: `check` takes no children, but `wait` was added to it; is a `back()` missing?"
    );
    assert_eq!(
        error(
            new()
                .selector()
                .back()
                .action("patrol")
                .back()
                .back()
                .back()
        ),
        "the tree already has a root, and `action` would be a second one; is there a `back()` too many?"
    );
    assert_eq!(
        error(new().action("patrol").put(tree::fail())),
        "patrol: `action` takes no children, but `fail` was added to it; is a `back()` missing?"
    );
    assert_eq!(
        error(new().name("x").selector()),
        "`name` was set before any node"
    );
    assert_eq!(
        error(new().selector().back().param("x", 1)),
        "`x` was set before any node"
    );
    assert_eq!(error(new().value(1)), "`value` was set before any node");
}

#[test]
fn everything_that_is_wrong_is_said_of_its_node() {
    let error = tree::selector([
        tree::sequence([
            tree::condition("see-enemi"),
            tree::action("attack").param("rang", 2.5),
        ])
        .name("fight"),
        tree::invert(tree::check("helth < 20")),
        tree::repeat(-1, tree::node("best", [tree::run()]).param("by", 2)),
        Node::new("selektor"),
        tree::subtree("fle"),
        tree::set("ammo = f(").name("name with > and spaces"),
    ])
    .behaviour("t", &declared())
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "selector > fight > see-enemi: unknown condition `see-enemi`; did you mean `see-enemy`?\n\
         selector > fight > attack: `attack` has no parameter `rang`; did you mean `range`?\n\
         selector > invert > check: unknown key `helth`; did you mean `health`?\n\
         selector > repeat: a count cannot be negative; for no limit, write `repeat forever`\n\
         selector > repeat > best: `best` needs at least 2 children, and this one has 1\n\
         selector > selektor: unknown node `selektor`; did you mean `selector`?\n\
         selector > fle: unknown tree `fle`; did you mean `flee`?\n\
         selector > name with > and spaces: expected a value, found the end of the expression"
    );
    let first = &error.problems()[0];
    assert_eq!(first.node(), Some("selector > fight > see-enemi"));
    assert_eq!(first.message(), "unknown condition `see-enemi`");
    assert_eq!(first.help(), Some("did you mean `see-enemy`?"));
}

#[test]
fn what_is_wrong_with_what_is_declared_is_said_as_well() {
    let fine = tree::succeed();
    let declared = Declarations::new()
        .action("walk", tree::NO_PARAMS)
        .action("walk", [("far", 1)]);
    let error = fine.behaviour("t", &declared).unwrap_err();
    assert_eq!(error.to_string(), "two leaves are named `walk`");
    assert_eq!(error.problems()[0].node(), None);
    let error = fine
        .behaviour("two words", &Declarations::new())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`two words` is not a valid name for a tree"),
        "{error}"
    );
    let declared = Declarations::new().tree("other", tree::subtree("other"));
    let error = fine.behaviour("t", &declared).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("tree `other` contains itself"),
        "{error}"
    );
    let broken = Document::parse("tree a { fai; }", "broken.kdl");
    let error = fine
        .behaviour("t", &Declarations::new().document(&broken))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "broken.kdl:1:10: unknown node `fai`; did you mean `fail`?"
    );
}

#[test]
fn keys_and_trees_can_be_declared_in_code() {
    let declared = Declarations::new()
        .key("health", 100.0_f32)
        .key("far", 2.0_f64)
        .key("ammo", 7)
        .key("armed", true)
        .choice("mood", &["calm", "angry"], "angry")
        .tree("calm-down", tree::set("mood = calm"));
    let behaviour = tree::sequence([
        tree::check("health > far && ammo > 3 && armed && mood == angry"),
        tree::subtree("calm-down"),
    ])
    .behaviour("t", &declared)
    .unwrap();
    let default = |key| behaviour.key(KeyId::new(key)).default;
    assert_eq!(default(0), Value::Float(100.0));
    assert_eq!(behaviour.display_value(default(4)), "angry");
    assert_eq!(behaviour.nodes().len(), 3);
    // Documents of several files and documents of BehaviorTree.CPP provide declarations, too.
    let main = "import \"leaves.kdl\"; tree walk { action stroll; }";
    let several = Document::read_with(main.as_bytes(), "a/main.kdl", |_| {
        Ok::<_, String>(b"leaves { action stroll; }".to_vec())
    });
    let declared = Declarations::new().document(&several);
    let walk = tree::sequence([tree::subtree("walk"), tree::action("stroll")]);
    assert_eq!(walk.behaviour("t", &declared).unwrap().nodes().len(), 4);
    let xml = r#"<root BTCPP_format="4"><BehaviorTree ID="T"><Wave/></BehaviorTree></root>"#;
    let declared = Declarations::new().document(&Document::parse(xml, "t.xml"));
    assert!(tree::action("Wave").behaviour("t", &declared).is_ok());
}

#[test]
fn no_depth_and_no_size_is_too_much() {
    let mut deep = tree::succeed();
    for _ in 0..5_000 {
        deep = tree::invert(deep);
    }
    let error = deep.behaviour("t", &Declarations::new()).unwrap_err();
    assert!(error.to_string().contains("nested"), "{error}");
    let wide = tree::sequence((0..20_000).map(|_| tree::succeed()));
    assert_eq!(
        wide.behaviour("t", &Declarations::new())
            .unwrap()
            .nodes()
            .len(),
        20_001
    );
    let mut builder = TreeBuilder::new();
    for _ in 0..5_000 {
        builder = builder.invert();
    }
    assert!(
        builder
            .fail()
            .end()
            .unwrap()
            .behaviour("t", &Declarations::new())
            .is_err()
    );
}
