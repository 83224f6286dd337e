//! The mocks of BehaviorTree.CPP and Groot2: JSON that says which nodes are replaced, and what answers in their place.
//!
//! `SubstitutionRules` has a line for each pattern: the name, ID or path of nodes (`*` stands for any letters, `?` for
//! one), and the name of an entry in `TestNodeConfigs`, or of a node. They become a test of the document, whose leaves
//! answer so.

use roxmltree::{Document, Node};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fmt::Write as _;

/// How long a tick of a test is.
const TICK_MSEC: u64 = 100;
/// How many ticks a mock may keep running.
const MOST_TICKS: u64 = 10_000;
/// How deep trees may be inserted in one another.
const MOST_DEPTH: usize = 64;

/// What an entry of `TestNodeConfigs` says.
const READ: [&str; 6] = [
    "return_status",
    "return_status_script",
    "async_delay",
    "post_script",
    "success_script",
    "failure_script",
];

/// Mocks as a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mocks {
    /// The test, in KDL.
    pub test: String,
    /// What a test cannot say, one sentence each.
    pub left_out: Vec<String>,
}

/// Why a text has no mocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MocksError(String);

impl fmt::Display for MocksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MocksError {}

/// What answers in place of a node.
struct Mock {
    answers: String,
}

impl Mocks {
    /// Reads mocks for the tree in `xml`, as a test with this name.
    ///
    /// # Errors
    /// When `json` is no JSON of this kind, or `xml` is no XML.
    pub fn read(json: &str, xml: &str, name: &str) -> Result<Self, MocksError> {
        let read: Value = serde_json::from_str(json)
            .map_err(|error| MocksError(format!("the mocks are no JSON: {error}")))?;
        let part = |name: &str| read.get(name).and_then(Value::as_object);
        let rules = part("SubstitutionRules");
        let rules =
            rules.ok_or_else(|| MocksError("the mocks have no `SubstitutionRules`".into()))?;
        let none = Map::new();
        let configs = part("TestNodeConfigs").unwrap_or(&none);
        let document = Document::parse(xml)
            .map_err(|error| MocksError(format!("the tree is no XML: {error}")))?;
        let leaves = leaves(&document);
        let mut left_out = Vec::new();
        let mut answers: BTreeMap<&str, (String, &str)> = BTreeMap::new();
        for (pattern, target) in rules {
            let Some(mock) = mock(pattern, target, configs, &mut left_out) else {
                continue;
            };
            let matching = leaves.iter().filter(|leaf| leaf.is(pattern));
            let names: HashSet<&str> = matching.map(|leaf| &leaf.name[..]).collect();
            if names.is_empty() {
                left_out.push(format!("no leaf is called `{pattern}`"));
            }
            for name in names {
                // The first rule that fits counts.
                let held = answers
                    .entry(name)
                    .or_insert((mock.answers.clone(), pattern));
                if held.1 != pattern && held.0 != mock.answers {
                    let other = held.1;
                    left_out.push(format!(
                        "`{name}` answers as `{other}` says, not as `{pattern}`"
                    ));
                }
            }
        }
        let tree = main_tree(&document).and_then(|tree| tree.attribute("ID"));
        // A single tree needs no name there.
        let tree = quoted(tree.unwrap_or("BehaviorTree"));
        let mut test = format!("test {} tree={tree} {{\n", quoted(name));
        for (name, (answers, _)) in &answers {
            let _ = writeln!(
                test,
                "    leaf {} answers={}",
                quoted(name),
                quoted(answers)
            );
        }
        // A test without anything that it expects is refused.
        test.push_str("    tick\n    // Add what you expect.\n    always \"true\"\n}\n");
        Ok(Self { test, left_out })
    }
}

/// What a rule puts in place of a node; `None` if a test cannot say it.
fn mock(
    pattern: &str,
    target: &Value,
    configs: &Map<String, Value>,
    left_out: &mut Vec<String>,
) -> Option<Mock> {
    let config = match target {
        Value::String(name) => match (configs.get(name), name.as_str()) {
            (Some(config), _) => config.as_object(),
            (None, "AlwaysSuccess") => {
                return Some(Mock {
                    answers: "S".into(),
                });
            }
            (None, "AlwaysFailure") => {
                return Some(Mock {
                    answers: "F".into(),
                });
            }
            (None, other) => {
                left_out.push(format!("`{pattern}` is not replaced by the node `{other}`"));
                return None;
            }
        },
        other => other.as_object(),
    };
    let Some(config) = config else {
        left_out.push(format!("what replaces `{pattern}` is no object"));
        return None;
    };
    for script in ["post_script", "success_script", "failure_script"] {
        let code = config
            .get(script)
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !code.trim().is_empty() {
            left_out.push(format!("`{pattern}` does not run its `{script}`: {code}"));
        }
    }
    let others = config.iter().filter(|(name, _)| !READ.contains(&&name[..]));
    left_out.extend(
        others.map(|(name, value)| format!("`{pattern}` has `{name}`, which is not read: {value}")),
    );
    // Whatever is no text comes out as one that is no status.
    let text = |name: &str| {
        config.get(name).map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
    };
    let script = text("return_status_script").filter(|script| !script.trim().is_empty());
    let by_script = script.is_some();
    let status = script.or(text("return_status"));
    let status = status.unwrap_or_else(|| "SUCCESS".to_owned());
    let Some(last) = letter(status.trim()) else {
        left_out.push(match by_script {
            true => {
                format!("`{pattern}` answers by a script, and a test has fixed answers: {status}")
            }
            false => format!(
                "`{pattern}` is not replaced, because its `return_status` is not a status: {status}"
            ),
        });
        return None;
    };
    let msec = match config.get("async_delay") {
        None => 0,
        Some(delay) => delay.as_u64().unwrap_or_else(|| {
            left_out.push(format!("`{pattern}` answers at once, because its `async_delay` is not a number of milliseconds: {delay}"));
            0
        }),
    };
    let ticks = msec.div_ceil(TICK_MSEC);
    if ticks > MOST_TICKS {
        left_out.push(format!(
            "`{pattern}` runs for {MOST_TICKS} ticks, not for {msec} milliseconds"
        ));
    }
    let ticks = usize::try_from(ticks.min(MOST_TICKS)).unwrap_or(0);
    Some(Mock {
        answers: "R ".repeat(ticks) + last,
    })
}

fn letter(status: &str) -> Option<&'static str> {
    Some(match status {
        "SUCCESS" => "S",
        "FAILURE" => "F",
        "SKIPPED" => "K",
        "RUNNING" => "R",
        _ => return None,
    })
}

/// A leaf of the tree that runs.
struct Leaf {
    name: String,
    id: String,
    path: String,
}

impl Leaf {
    fn is(&self, pattern: &str) -> bool {
        self.name == pattern || self.id == pattern || fits(pattern, &self.path)
    }
}

/// The trees of a file.
fn trees<'a>(document: &'a Document<'_>) -> impl Iterator<Item = Node<'a, 'a>> {
    let all = document.root_element().children();
    all.filter(|node| node.tag_name().name() == "BehaviorTree")
}

fn named<'a>(document: &'a Document<'_>, id: &str) -> Option<Node<'a, 'a>> {
    trees(document).find(|tree| tree.attribute("ID") == Some(id))
}

/// The tree that runs.
fn main_tree<'a>(document: &'a Document<'_>) -> Option<Node<'a, 'a>> {
    let main = document.root_element().attribute("main_tree_to_execute");
    main.and_then(|id| named(document, id))
        .or_else(|| trees(document).next())
}

/// The elements without children in the tree that runs, and in the trees that it calls.
fn leaves(document: &Document<'_>) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let mut pending: Vec<(Node<'_, '_>, String, usize)> = Vec::new();
    pending.extend(main_tree(document).map(|tree| (tree, String::new(), 0)));
    let mut seen = HashSet::new();
    while let Some((tree, prefix, depth)) = pending.pop() {
        if !seen.insert((tree.id(), prefix.clone())) || depth > MOST_DEPTH {
            continue;
        }
        for node in tree.descendants().filter(Node::is_element).skip(1) {
            let word = node.tag_name().name();
            let id = match word {
                "Action" | "Condition" | "SubTree" => node.attribute("ID").unwrap_or(word),
                word => word,
            };
            let name = node.attribute("name").filter(|name| !name.is_empty());
            let name = name.unwrap_or(id).to_owned();
            if word == "SubTree" {
                let inside = named(document, id);
                pending.extend(inside.map(|tree| (tree, format!("{prefix}{name}/"), depth + 1)));
            } else if !node.children().any(|child| child.is_element()) {
                leaves.push(Leaf {
                    path: format!("{prefix}{name}"),
                    id: id.to_owned(),
                    name,
                });
            }
        }
    }
    leaves
}

/// Whether a pattern with `*` and `?` fits a whole text.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut in_text) = (0, 0);
    // Where the last `*` is, and from where on it takes letters.
    let mut star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                star = Some((at, in_text));
                at += 1;
            }
            (Some(c), _) if *c == '?' || *c == text[in_text] => {
                at += 1;
                in_text += 1;
            }
            (_, Some((place, begin))) => {
                star = Some((place, begin + 1));
                (at, in_text) = (place + 1, begin + 1);
            }
            (_, None) => return false,
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// A text between quotes, as KDL has it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{{{:x}}}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("sub/act*", "sub/action_1", true),
            ("sub/act*", "act", false),
            ("*", "", true),
            ("a?c*d", "abccd", true),
            ("a?c", "ac", false),
            ("*x*x*", "axbx", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    const TREE: &str = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Main\"><Sequence><SaySomething name=\"talk\" message=\"hi\"/><SubTree ID=\"Sub\" name=\"mysub\"/>\
        <SaySomething name=\"last\" message=\"bye\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Sub\"><Fallback><Action ID=\"Go\" name=\"action_a\"/><Action ID=\"Go\" name=\"action_b\"/></Fallback></BehaviorTree></root>";

    #[test]
    fn mocks_become_a_test() {
        let json = r#"{"TestNodeConfigs": {
            "Slow": {"async_delay": 250, "return_status": "FAILURE", "post_script": "msg = 'x'"},
            "By script": {"return_status_script": "x > 1 ? SUCCESS : FAILURE"},
            "Fixed script": {"return_status": "FAILURE", "return_status_script": "SUCCESS"}
        }, "SubstitutionRules": {
            "mysub/action_*": "Slow", "talk": "Fixed script", "last": "By script", "nobody": "Slow", "SaySomething": "Other"
        }}"#;
        let mocks = Mocks::read(json, TREE, "mocks \"1\"").expect("mocks");
        assert_eq!(
            mocks.test,
            "test \"mocks \\\"1\\\"\" tree=\"Main\" {\n    leaf \"action_a\" answers=\"R R R F\"\n    \
             leaf \"action_b\" answers=\"R R R F\"\n    leaf \"talk\" answers=\"S\"\n    tick\n    // Add what you expect.\n    always \"true\"\n}\n"
        );
        let left_out = mocks.left_out.join("\n");
        for part in [
            "`mysub/action_*` does not run its `post_script`: msg = 'x'",
            "`last` answers by a script, and a test has fixed answers: x > 1 ? SUCCESS : FAILURE",
            "no leaf is called `nobody`",
            "`SaySomething` is not replaced by the node `Other`",
        ] {
            assert!(left_out.contains(part), "{part}\n{left_out}");
        }
        let odd = r#"{"TestNodeConfigs": {
            "Number": {"return_status": 2}, "Wrong": {"return_status": "DONE", "complete_func": "f"},
            "Early": {"async_delay": -5}, "Late": {"async_delay": 100000000, "return_status": "FAILURE"}
        }, "SubstitutionRules": {"talk": "Number", "last": "Wrong", "action_a": "Early", "action_b": "Late"}}"#;
        let mut mocks = Mocks::read(odd, TREE, "t").expect("mocks");
        mocks.left_out.sort();
        assert_eq!(
            mocks.left_out,
            [
                "`action_a` answers at once, because its `async_delay` is not a number of milliseconds: -5",
                "`action_b` runs for 10000 ticks, not for 100000000 milliseconds",
                "`last` has `complete_func`, which is not read: \"f\"",
                "`last` is not replaced, because its `return_status` is not a status: DONE",
                "`talk` is not replaced, because its `return_status` is not a status: 2",
            ]
        );
        let leaves = mocks.test.lines().filter(|line| line.contains("leaf"));
        assert_eq!(leaves.count(), 2, "{}", mocks.test);
        for bad in ["", "[]", "{\"SubstitutionRules\": 3}"] {
            assert!(Mocks::read(bad, TREE, "t").is_err());
        }
        assert!(Mocks::read("{\"SubstitutionRules\": {}}", "<", "t").is_err());
    }
}
