//! Mismatches are reported before anything runs.

use crate::trees::{ACTION, action, condition, leaf, look_and_act, tree};
use treemind::core::behaviour::{LeafKind, Yields};
use treemind::core::{Kind, Node};
use treemind::leaves::BindProblem;
use treemind::prelude::*;

#[test]
fn lists_everything_that_is_missing_with_suggestions() {
    let leaves = vec![
        leaf("see-enemy", LeafKind::Condition),
        leaf("attack", ACTION),
        leaf("patrol", ACTION),
    ];
    let root = Node::with(
        Kind::Sequence {
            yields: Yields::Never,
        },
        vec![condition(0), action(1), action(2)],
    );
    let behaviour = tree(leaves, root);
    let mut registry = Registry::<()>::new();
    registry
        .condition("see-enmy", |(), _| true)
        .condition("attack", |(), _| true)
        .action("dance", |(), _| Status::Success);
    let _ = registry.key::<f32>("heatlh");
    let _ = registry.key::<i64>("health");
    let _ = registry.key::<f32>("health");
    let error = registry.bind(&behaviour).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the condition `see-enemy` is not registered; did you mean `see-enmy`?\n\
         `attack` is an action in the behaviour, but is registered as a condition\n\
         the action `patrol` is not registered\n\
         the behaviour has no key `heatlh`; did you mean `health`?\n\
         the key `health` is `float`, but the code asks for `int`"
    );
    assert!(
        matches!(&error.problems()[2], BindProblem::MissingLeaf { name, suggestion: None, .. } if name == "patrol")
    );
    assert_eq!(registry.check(&behaviour), Err(error));
}

#[test]
fn one_registry_serves_many_behaviours_and_the_last_of_a_name_counts() {
    let mut registry = Registry::<u32>::new();
    registry
        .condition("look", |_, _| false)
        .condition("look", |_, _| true)
        .action("act", |_: &mut u32, _: &mut Agent| Status::Running);
    assert!(registry.bind(&look_and_act()).is_ok() && registry.bind(&look_and_act()).is_ok());
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&registry.bind(&look_and_act()).unwrap());
}
