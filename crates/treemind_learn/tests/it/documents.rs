//! The written document has no errors, and decides as the tree does.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Population, Program, Value};
use treemind_doc::Document;
use treemind_learn::{Cells, Examples, LearnedTree, Options, Table, document, learn};

/// Nights of a watchman, with missing values in one column.
const NIGHTS: &str = include_str!("../../../../examples/09-watchman/nights.csv");

fn examples(text: &str, target: &str) -> Examples {
    let table = Table::read(text.as_bytes()).expect("the text is a table");
    Examples::of(table, target, &[]).expect("there is something to learn")
}

fn behaviour(text: &str) -> Behaviour {
    let document = Document::read(text.as_bytes(), "learned.kdl");
    assert!(
        document.diagnostics().is_empty(),
        "{:?}",
        document.diagnostics()
    );
    document.behaviour(None).expect("the document runs")
}

/// The value of a row in a column, in the form of a key's value.
fn value(
    behaviour: &Behaviour,
    examples: &Examples,
    key: &str,
    column: usize,
    row: usize,
) -> Option<Value> {
    match &examples.columns[column].cells {
        Cells::Bool(cells) => cells[row].map(Value::Bool),
        Cells::Int(cells) => cells[row].map(Value::Int),
        Cells::Double(cells) => cells[row].map(Value::Double),
        Cells::Category { values, cells } => cells[row].map(|cell| {
            let key = behaviour.key(behaviour.key_id(key).expect("the key is there"));
            let Value::Enum(list, _) = key.default else {
                panic!("an enumeration");
            };
            let names = &behaviour.enums()[list.index()].values;
            let place = names.iter().position(|name| *name == values[cell as usize]);
            Value::Enum(list, place.expect("the value is there") as u32)
        }),
    }
}

/// The action that a document chooses for each row, with one agent per row.
fn chosen(behaviour: Behaviour, examples: &Examples) -> Vec<String> {
    let rows = &examples.rows;
    let mut host = Scripted::new(&behaviour, rows.len());
    let program = Arc::new(Program::new(behaviour));
    let behaviour = program.behaviour();
    let mut population = Population::new(Arc::clone(&program), rows.len());
    for (column, of) in examples.columns.iter().enumerate() {
        let Some(key) = behaviour.key_id(&of.name) else {
            continue;
        };
        for (agent, &row) in rows.iter().enumerate() {
            if let Some(value) = value(behaviour, examples, &of.name, column, row) {
                population
                    .set(agent, key, value)
                    .expect("the value is of the key's type");
            }
        }
    }
    let mut trace = Trace::new();
    population.tick_traced(&mut host, Duration::ZERO, &mut trace);
    let action = |agent: usize| {
        let mut events = trace.agent(agent);
        let started = events.find(|(_, event)| *event == Event::Start);
        let (node, _) = started.expect("an action is started");
        behaviour.label(node).to_owned()
    };
    (0..rows.len()).map(action).collect()
}

fn decides_alike(tree: &LearnedTree, examples: &Examples) {
    let chosen = chosen(behaviour(&document(tree, examples, "learned")), examples);
    for (&row, chosen) in examples.rows.iter().zip(chosen) {
        let foretold = &examples.classes[tree.classify(examples, row)];
        assert_eq!(chosen, *foretold, "row {row}");
    }
}

#[test]
fn the_document_decides_as_the_tree() {
    let examples = examples(NIGHTS, "does");
    for depth in 1..10 {
        for ccp_alpha in [0.0, 0.004] {
            let options = Options {
                depth,
                ccp_alpha,
                ..Options::default()
            };
            decides_alike(&learn(&examples, &examples.rows, &options), &examples);
        }
    }
}

#[test]
fn words_that_mean_something_in_documents_are_written_otherwise() {
    for word in [
        "inf",
        "-inf",
        "nan",
        "NaN",
        "null",
        "true",
        "if",
        "has",
        "len",
        "a\u{2028}b",
        "a\u{202e}b",
    ] {
        // As the value of a column, as its name, and as the class to predict, where a missing value is not allowed.
        let is_missing = ["nan", "NaN", "null"].contains(&word);
        let class = if is_missing { "thing" } else { word };
        let examples = examples(
            &format!(
                "word,{word}x,{word},does\n{word},1,1,{class}\nother,2,2,other\n{word},1,1,{class}\n"
            ),
            "does",
        );
        for column in 0..examples.columns.len() {
            let mut alone = examples.clone();
            alone.columns = vec![examples.columns[column].clone()];
            let options = Options {
                min_leaf: 1,
                ..Options::default()
            };
            let tree = learn(&alone, &alone.rows, &options);
            assert_eq!(tree.leaves(), 2, "{word} {column}");
            behaviour(&document(&tree, &alone, word));
        }
    }
}

#[test]
fn infinite_numbers_are_numbers() {
    let text =
        "distance,does\ninf,wait\n-inf,flee\n1.5,fight\ninf,wait\n-Infinity,flee\n2.5,fight\n";
    let examples = examples(text, "does");
    let options = Options {
        min_leaf: 1,
        ..Options::default()
    };
    let tree = learn(&examples, &examples.rows, &options);
    assert_eq!(tree.leaves(), 3);
    decides_alike(&tree, &examples);
}

#[test]
fn a_tree_without_tests_asks_for_no_keys() {
    let examples = examples("x,does\n1,a\n1,b\n1,a\n", "does");
    let tree = learn(&examples, &examples.rows, &Options::default());
    let text = document(&tree, &examples, "learned");
    assert!(!text.contains("blackboard"), "{text}");
    behaviour(&text);
}

#[test]
fn whatever_stands_in_a_table_can_be_written() {
    let text = "\
\"in\",\"\"\"quoted\"\" \\ back\",Ünïcode,9 lives,else,does
true,1.5,a b,-9223372036854775808,0.1,\"say \"\"hi\"\"\"
false,1e300,a-b,9223372036854775807,0.2,say hi
true,-1e300,*,0,0.30000000000000004,\"{ }\"
false,1.25,#,1,0.3,//
true,5e-324,in,2,1e-7,true
";
    let examples = examples(text, "does");
    let options = Options {
        min_leaf: 1,
        ..Options::default()
    };
    let tree = learn(&examples, &examples.rows, &options);
    assert_eq!(tree.leaves(), 5);
    behaviour(&document(&tree, &examples, "123 !"));
    // Each column alone, so that tests ask about every one of them.
    for column in 0..examples.columns.len() {
        let mut alone = examples.clone();
        alone.columns = vec![examples.columns[column].clone()];
        let tree = learn(&alone, &alone.rows, &options);
        behaviour(&document(&tree, &alone, "in"));
    }
}
