//! Keys of every type and form, and what they are lowered to.

use treemind_core::behaviour::Form;
use treemind_core::{Behaviour, Text, Type, Value};
use treemind_doc::Document;

fn tree(text: &str) -> Behaviour {
    let document = Document::parse(text, "test.kdl");
    match document.behaviour(None) {
        Ok(tree) => tree,
        Err(error) => panic!("{}", error.to_plain()),
    }
}

#[test]
fn keys_are_of_every_type_and_form() {
    let watch = tree(&super::good("values.kdl"));
    let key = |name: &str| watch.key(watch.key_id(name).expect("a key"));
    let text = |text: &str| Value::Text(Text::new(text));
    assert_eq!(key("pos").default, Value::Vec2([1.0, 2.5]));
    assert_eq!(key("velocity").default, Value::Vec2([0.0; 2]));
    assert_eq!(key("up").default, Value::Vec3([0.0, 0.0, 1.0]));
    assert_eq!(key("name").default, text("Bob"));
    assert_eq!(
        (key("what").ty, key("what").default),
        (Type::Any, Value::Int(0))
    );
    assert_eq!(key("tag").default, text("north"));
    let optional = |starts_set| Form::Optional { starts_set };
    assert_eq!(key("target").form, optional(false));
    assert_eq!(key("speed").form, optional(true));
    assert_eq!(key("speed").default, Value::Float(1.5));
    let list = |bound, items: &[Value]| Form::List {
        bound,
        items: items.to_vec(),
    };
    assert_eq!(key("spotted").form, list(32, &[]));
    let places = [Value::Vec2([0.0; 2]), Value::Vec2([10.0, -2.5])];
    assert_eq!(key("route").form, list(4, &places));
    let shown: Vec<String> = match &key("moods").form {
        Form::List { items, .. } => items.iter().map(|mood| watch.display_value(*mood)),
        other => panic!("{other:?}"),
    }
    .collect();
    assert_eq!(shown, ["angry", "calm"]);
    // The items of a list for which no key was named, and a port that got no value.
    assert_eq!(key("watch.who").ty, Type::Entity);
    assert!(matches!(key("watch.who-2").ty, Type::Enum(_)));
    assert_eq!(key("visit.place").ty, Type::Vec2);
    assert_eq!(key("again.goal").form, optional(false));
    assert!(watch.key_id("visit.goal").is_none());
}

#[test]
fn a_port_that_may_be_unset_is_set_by_what_it_is_given() {
    let with = |given: &str| {
        let text = format!(
            "main tree=a; blackboard {{ key k type=int optional=#true; }}
            tree a {{ sequence {{ subtree b {given}; check \"has(k)\"; }}; }}
            tree b {{ in n type=int optional=#true; check \"has(n) && n > 1\"; }}"
        );
        let tree = tree(&text);
        tree.key_id("b.n").map(|id| tree.key(id).clone())
    };
    let optional = |starts_set| Form::Optional { starts_set };
    let given = with("n=3").expect("a key of the place");
    assert_eq!((given.default, given.form), (Value::Int(3), optional(true)));
    assert_eq!(with("").expect("a key").form, optional(false));
    assert!(with("n=\"{k}\"").is_none());
}
