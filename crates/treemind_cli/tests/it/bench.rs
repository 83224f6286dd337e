//! `treemind bench`, in small: that it measures what it says.

use crate::treemind;
use serde_json::{Value, json};

fn measured(arguments: &str) -> Value {
    let ran = treemind(&format!("bench {arguments} --json"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments}");
    serde_json::from_str(&ran.out).expect("one object")
}

#[test]
fn what_is_done_does_not_depend_on_the_host() {
    let cases = [
        ("guard", json!([25066, 12625, 62309])),
        ("guard-expr", json!([25066, 12625, 62309])),
        ("decide", json!([25066, 12625, 62309])),
        ("decide-expr", json!([25066, 12625, 62309])),
        ("machine", json!([38984, 35965, 25051])),
    ];
    for (case, histogram) in cases {
        for host in ["columns", "closures"] {
            let found = measured(&format!("{case} --host {host}"));
            assert_eq!(found["histogram"], histogram, "{case} with {host}");
            assert_eq!(found["allocs_per_tick"], 0.0, "{case} with {host}");
        }
    }
}

#[test]
fn a_machine_stands_beside_its_peers() {
    let found = measured("machine --agents 70 --ticks 300 --host columns");
    let again = measured("machine --agents 70 --ticks 300 --host closures --threads 2");
    assert_eq!(found["histogram"], again["histogram"]);
    let ticks: u64 = found["histogram"]
        .as_array()
        .expect("three numbers")
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(ticks, 70 * 300);
    // That they spend the same ticks in the same states is checked before they are told of.
    let names: Vec<&Value> = found["peers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|peer| &peer["name"])
        .collect();
    assert_eq!(names, ["match by hand", "statig"]);
    assert_eq!(again["peers"], Value::Null);
    measured("machine --agents 3 --ticks 50 --steady");
}

#[test]
fn people_get_a_table() {
    let ran = treemind("bench machine --ticks 100");
    assert_eq!(ran.code, 0);
    let first = |line: &str| line.split("  ").next().unwrap_or_default().to_owned();
    let rows: Vec<String> = ran.err.lines().map(first).collect();
    assert_eq!(rows, ["", "treemind", "match by hand", "statig 0.4.1"]);
}

#[test]
fn loading_stands_beside_parsing() {
    let found = measured("load --nodes 200");
    assert_eq!(
        found["nodes"], 202,
        "with the root of the tree, and what it does else"
    );
    for figure in [
        "ns_per_node_read",
        "ns_per_node_lowered",
        "ns_per_node_kdl_crate",
        "ratio",
    ] {
        let number = found[figure].as_f64();
        assert!(
            number.is_some_and(|number| number > 0.0),
            "{figure}: {found}"
        );
    }
    let ran = treemind("bench guard --nodes 200");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}
