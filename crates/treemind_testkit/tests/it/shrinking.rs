//! A case that differs is made small, and its report is readable.

use treemind_core::{Behaviour, Value};
use treemind_testkit::compare::{case_of_seed, outline, same_value, try_compare};

#[test]
fn values_are_compared_to_the_bit_and_nans_are_one() {
    assert!(!same_value(Value::Double(0.0), Value::Double(-0.0)));
    assert!(same_value(Value::Float(f32::NAN), Value::Float(-f32::NAN)));
    assert!(!same_value(Value::Double(1.0), Value::Double(2.0)));
    assert!(!same_value(Value::Double(1.0), Value::Float(1.0)));
    assert!(!same_value(Value::Int(1), Value::Int(2)));
}

#[test]
fn an_outline_has_a_line_per_node() {
    for seed in 0..20 {
        let case = case_of_seed(seed, 1, 1);
        let behaviour = Behaviour::new(case.parts).expect("a case's parts fit together");
        assert_eq!(outline(&behaviour).lines().count(), behaviour.nodes().len());
    }
}

#[test]
fn an_empty_plan_agrees() {
    let mut case = case_of_seed(1, 2, 5);
    case.steps.clear();
    assert!(try_compare(&case).is_ok());
}
