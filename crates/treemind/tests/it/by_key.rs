//! Parameters that are given a key itself.

use crate::trees::Play;
use treemind::prelude::*;

const TREE: &str = r#"
leaves {
    action plan { param path type=any by-key=#true; param from type=any by-key=#true default="here"; }
    condition is-planned { param path type=any by-key=#true; }
}
tree main {
    key route type=any optional=#true
    sequence {
        action plan path="{route}"
        condition is-planned path="{route}"
    }
}
"#;

#[test]
fn a_leaf_reads_and_writes_the_key_that_it_is_given() {
    let behaviour = Document::parse(TREE, "tree.kdl").behaviour(None).unwrap();
    let mut registry = Registry::<Vec<String>>::new();
    registry
        .action("plan", |log: &mut Vec<String>, me: &mut Agent| {
            let path = me.arg_key("path").expect("a key is given");
            log.push(format!(
                "{:?} {:?}",
                me.find::<f64>(path),
                me.arg_key("from")
            ));
            me.set(path, 2.5);
            Status::Success
        })
        .condition("is-planned", |_: &Vec<String>, me: &Agent| {
            me.arg::<f64>("path") == 2.5
        });
    let mut play = Play::new(behaviour, &registry, Vec::new(), 1);
    let traced = play.traced(0);
    assert_eq!(
        traced,
        "1 SUCCESS | tick plan SUCCESS; tick is-planned SUCCESS"
    );
    play.tick();
    assert_eq!(play.world, ["None None", "Some(2.5) None"]);
    assert_eq!(play.faults(), []);
}

#[test]
fn what_a_leaf_could_not_write_is_refused() {
    for (wrong, said) in [
        ("in route type=any default=1", "is an `in` port"),
        ("key route type=any list=3", "is a list"),
    ] {
        let text = TREE.replace("key route type=any optional=#true", wrong);
        let document = Document::parse(&text, "tree.kdl");
        let problems = document.diagnostics();
        assert!(
            problems
                .iter()
                .any(|problem| problem.message().contains(said)),
            "{wrong}"
        );
    }
}
