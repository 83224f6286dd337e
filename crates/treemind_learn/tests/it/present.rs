//! How good decision trees are that a document has already.

use treemind_doc::Document;
use treemind_learn::{Examples, Judgement, NotJudged, Options, Table, document, learn, right_rows};

/// Nights of a watchman, with missing values in one column.
const NIGHTS: &str = include_str!("../../../../examples/09-watchman/nights.csv");

fn examples(text: &str) -> Examples {
    let table = Table::read(text.as_bytes()).expect("the text is a table");
    Examples::of(table, "does", &[]).expect("there is something to learn")
}

/// How many rows of a table the decision tree `watch` gets right.
fn right(text: &str, table: &str) -> Result<u32, NotJudged> {
    let document = Document::parse(text, "watch.kdl");
    let examples = examples(table);
    right_rows(&document, "watch", &examples, &examples.rows)
}

/// A document that was learned gets the same rows right as the tree that it was made of.
#[test]
fn what_was_learned_is_judged_as_it_was() {
    let examples = examples(NIGHTS);
    let [rows, held_out] = examples.divided(0.25, 0, 1);
    for depth in [0, 1, 2, 5, 9] {
        let options = Options {
            depth,
            ..Options::default()
        };
        let tree = learn(&examples, &rows, &options);
        let text = document(&tree, &examples, "watch");
        let present = Document::parse(&text, "watch.kdl");
        for rows in [&rows, &held_out, &Vec::new()] {
            let known = Judgement::of(&tree, &examples, rows).right();
            let found = right_rows(&present, "watch", &examples, rows);
            assert_eq!(found, Ok(known), "depth {depth}: {text}");
        }
    }
}

const TABLE: &str = "\
Far,weather,armed,does
1,clear,true,strike
2,heavy rain,true,strike
3,clear,false,Run Away
9,clear,true,rest
8,clear,false,rest
";

const KEYS: &str = "
    blackboard {
        key far type=float default=0.0
        key weather type=enum default=clear { value clear heavy_rain; }
        key armed type=bool default=#false
    }
    leaves { action strike; action run-away; action rest; action sing; condition dark; }
";

/// Names are those that a learned document would have. What a task does counts by the action in it; a task without one of
/// the actions, and nothing, are wrong.
#[test]
fn its_own_tests_lead_to_the_classes() {
    let near =
        "test \"far < 5.0\" { test armed { timeout 2 { action strike; }; }; action run-away; }";
    for (rest, wanted) in [
        ("action rest", 5),
        ("sequence { action sing; action rest; }", 5),
        ("decide idle", 5),
        ("action sing", 3),
        ("none", 3),
    ] {
        let text = format!(
            "main decide=watch; {KEYS} decide watch {{ {near}; {rest}; }}; decide idle {{ action rest; }}"
        );
        assert_eq!(right(&text, TABLE), Ok(wanted), "{text}");
    }
    let weather = format!(
        "{KEYS} decide watch {{ switch weather {{ case heavy_rain {{ action strike; }}; default {{ action rest; }}; }}; }}"
    );
    assert_eq!(right(&weather, TABLE), Ok(3));
}

#[test]
fn what_the_table_does_not_tell_is_said() {
    let with = |tests: &str| format!("{KEYS} decide watch {{ {tests}; action rest; }}");
    let both = "sequence { action strike; action run-away; }";
    for (text, wanted) in [
        (
            with("test \"far < 5.0\" { action nobody; }"),
            "the document has errors",
        ),
        (
            format!("{KEYS} decide other {{ action rest; }}"),
            "`watch` is no decision tree that leads to tasks",
        ),
        (
            with("test-condition dark { action strike; }"),
            "`test-condition dark` depends on more than the values of keys",
        ),
        (
            with("test \"age(armed) > 2.0\" { action strike; }"),
            "`test \"age(armed) > 2.0\"` depends on more than the values of keys",
        ),
        (
            with("test armed { action strike; }").replace("armed", "awake"),
            "it needs the key `awake`, and the table has no such column that tests can use",
        ),
        (
            with("test \"weather == clear\" { action strike; }").replace("heavy_rain", "fog"),
            "the key `weather` cannot be `heavy rain`, as in the table",
        ),
        (
            with(&format!("test armed {{ {both}; }}")),
            "one of its tasks has several of these actions: run-away, strike",
        ),
    ] {
        let why = right(&text, TABLE).expect_err(&text);
        assert_eq!(why.to_string(), wanted, "{text}");
    }
    let gaps = TABLE.replace("9,", "?,");
    let text = with("test \"far < 5.0\" { action strike; }");
    let why = right(&text, &gaps).expect_err("a value is missing");
    assert_eq!(why, NotJudged::Missing("far".to_owned()));
    // A key that may be without one is without one.
    let optional = text.replace("float default=0.0", "float optional=#true");
    let text = optional.replace("far <", "has(far) && far <");
    assert_eq!(right(&text, &gaps), Ok(4));
}
