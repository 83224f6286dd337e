//! The published JSON Schema is the one made from the table of the language, and it judges documents as the checks do.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::{Code, Document, Format, convert, json_schema};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with its expected content; `UPDATE_EXPECTED=1` writes the file.
fn is_in(path: &Path, expected: &str) {
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, expected).expect("a written file");
        return;
    }
    let found = fs::read_to_string(path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        found == expected,
        "{} is out of date; write it anew with UPDATE_EXPECTED=1",
        path.display()
    );
}

#[test]
fn the_published_schema_is_that_of_the_table() {
    is_in(
        &root().join("docs/schema/treemind.schema.json"),
        &json_schema(),
    );
}

fn schema() -> Value {
    serde_json::from_str(&json_schema()).expect("the schema is JSON")
}

fn validator() -> jsonschema::Validator {
    jsonschema::draft202012::new(&schema()).expect("the schema is a schema")
}

#[test]
fn everything_is_described() {
    fn look(value: &Value, path: &str, missing: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                if members.get("description").is_some_and(|about| about == "") {
                    missing.push(path.to_owned());
                }
                for (name, value) in members {
                    look(value, &format!("{path}/{name}"), missing);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    look(item, &format!("{path}/{index}"), missing);
                }
            }
            _ => {}
        }
    }
    let mut missing = Vec::new();
    look(&schema(), "", &mut missing);
    assert!(missing.is_empty(), "{missing:#?}");
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "kdl") {
            found.push(path);
        }
    }
}

/// The problems that the schema finds in a document in KDL.
fn problems(validator: &jsonschema::Validator, text: &str) -> Vec<String> {
    let converted = convert(text, "test.kdl", Format::Kdl, Format::Json).expect("converted");
    let json: Value = serde_json::from_str(&converted.text).expect("it is JSON");
    let errors = validator.iter_errors(&json);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn what_checks_accept_is_valid() {
    let validator = validator();
    let mut found = Vec::new();
    documents(&root().join("examples"), &mut found);
    documents(&super::fixtures().join("good"), &mut found);
    assert!(found.len() > 15, "only {} documents", found.len());
    for path in found {
        let text = fs::read_to_string(&path).expect("a document");
        let problems = problems(&validator, &text);
        assert!(problems.is_empty(), "{}: {problems:#?}", path.display());
    }
}

#[test]
fn the_examples_of_all_pages_are_valid() {
    let validator = validator();
    let mut count = 0;
    for entry in fs::read_dir(root().join("docs/nodes")).expect("pages") {
        let path = entry.expect("an entry").path();
        let page = fs::read_to_string(&path).expect("a page");
        for block in page.split("```kdl\n").skip(1) {
            let (block, _) = block.split_once("```").expect("a block ends");
            let text = if block.contains("\ntree ") {
                block.to_owned()
            } else {
                format!("tree example {{\n{block}}}\n")
            };
            let problems = problems(&validator, &text);
            assert!(problems.is_empty(), "{}: {problems:#?}", path.display());
            count += 1;
        }
    }
    assert!(count > 55, "only {count} examples");
}

#[test]
fn what_is_wrong_with_words_is_invalid() {
    let validator = validator();
    let tree = |node: &str| {
        format!("{{\"nodes\":[{{\"node\":\"tree\",\"values\":[\"t\"],\"children\":[{node}]}}]}}")
    };
    let run = "{\"node\":\"run\"}";
    let cases = [
        (tree(run), true),
        (
            tree("{\"node\":\"sequense\",\"children\":[{\"node\":\"run\"}]}"),
            false,
        ),
        (tree("{\"node\":\"sequence\"}"), false),
        (tree("{\"node\":\"sequence\",\"children\":[]}"), false),
        (
            tree("{\"node\":\"sequence\",\"children\":[{\"node\":\"run\"}]}"),
            true,
        ),
        (
            tree("{\"node\":\"sequence\",\"yields\":\"never\",\"children\":[{\"node\":\"run\"}]}"),
            true,
        ),
        (
            tree(
                "{\"node\":\"sequence\",\"yields\":\"sometimes\",\"children\":[{\"node\":\"run\"}]}",
            ),
            false,
        ),
        (
            tree("{\"node\":\"sequence\",\"colour\":\"red\",\"children\":[{\"node\":\"run\"}]}"),
            false,
        ),
        (
            tree("{\"node\":\"run\",\"children\":[{\"node\":\"run\"}]}"),
            false,
        ),
        (tree("{\"node\":\"run\",\"disabled\":\"yes\"}"), false),
        (tree("{\"node\":\"run\",\"disabled\":true}"), true),
        (
            tree("{\"node\":\"action\",\"values\":[\"attack\"],\"range\":2.5}"),
            true,
        ),
        (tree("{\"node\":\"action\",\"values\":\"attack\"}"), false),
        (tree("{\"node\":\"action\",\"values\":[[1,2]]}"), false),
        (
            tree(
                "{\"node\":\"parallel\",\"success\":2,\"children\":[{\"node\":\"run\"},{\"node\":\"run\"}]}",
            ),
            true,
        ),
        (
            tree(
                "{\"node\":\"parallel\",\"success\":\"most\",\"children\":[{\"node\":\"run\"},{\"node\":\"run\"}]}",
            ),
            false,
        ),
        (tree("{\"values\":[\"attack\"]}"), false),
        ("{\"nodes\":[{\"node\":\"tre\"}]}".to_owned(), false),
        (
            "{\"nodes\":[{\"node\":\"leaves\",\"children\":[{\"node\":\"sequence\"}]}]}".to_owned(),
            false,
        ),
        ("{\"node\":[]}".to_owned(), false),
        ("[]".to_owned(), false),
    ];
    for (text, is_valid) in cases {
        let json = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(validator.is_valid(&json), is_valid, "{text}");
    }
}

/// The nodes and those of their properties that take one of a few words, according to the schema.
fn choices() -> Vec<(String, String, Vec<Value>)> {
    let schema = schema();
    let Value::Object(definitions) = &schema["$defs"] else {
        panic!("there are definitions");
    };
    let mut found = Vec::new();
    for (node, definition) in definitions {
        let Some(Value::Object(properties)) = definition.get("properties") else {
            continue;
        };
        for (name, property) in properties {
            if property["type"] == "boolean" {
                let words = vec![Value::Bool(true), Value::Bool(false)];
                found.push((node.clone(), name.clone(), words));
            } else if let Some(words) = property.get("enum").and_then(Value::as_array) {
                found.push((node.clone(), name.clone(), words.clone()));
            }
        }
    }
    found
}

#[test]
fn checks_take_the_words_of_the_schema_and_no_others() {
    let choices = choices();
    assert!(choices.len() > 30, "only {}", choices.len());
    for (node, option, words) in choices {
        let node = if node == "common" { "run" } else { &node };
        // These have a meaning only in some places, and are refused elsewhere with any value.
        if option == "aborts" {
            continue;
        }
        let codes = |value: &Value| -> Vec<Code> {
            let text = format!(
                "{{\"nodes\":[{{\"node\":\"tree\",\"values\":[\"t\"],\"children\":[{{\"node\":{node:?},{option:?}:{value}}}]}}]}}"
            );
            let document = Document::parse(&text, "t.json");
            document
                .diagnostics()
                .iter()
                .map(|item| item.code())
                .collect()
        };
        let bad = [Code::BadChoice, Code::WrongType, Code::UnknownProperty];
        for word in &words {
            let codes = codes(word);
            assert!(
                !codes.iter().any(|code| bad.contains(code)),
                "{node} {option}={word}: {codes:?}"
            );
        }
        let nonsense = codes(&Value::from("nonsense"));
        assert!(
            nonsense.iter().any(|code| bad.contains(code)),
            "{node} {option}: {nonsense:?}"
        );
    }
}
