//! The mocks of BehaviorTree.CPP and Groot2: JSON that says which nodes are replaced, and what answers in their place.
//!
//! `SubstitutionRules` has a line for each pattern: the name, ID or path of nodes (`*` stands for any letters, `?` for
//! one), and the name of an entry in `TestNodeConfigs`, or of a node. They become a test of the document, whose leaves
//! answer so.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use treemind_core::Status;
use treemind_doc::{BtcppNode, BtcppScripts, GivenIf};

/// How long a tick of a test is.
const TICK_MSEC: u64 = 100;
/// How many ticks a mock may keep running.
const MOST_TICKS: u64 = 10_000;

/// All statuses. A test has no condition for running, so that one comes first: it is the last answer if it is possible.
const ANY: [Status; 4] = [
    Status::Running,
    Status::Failure,
    Status::Success,
    Status::Skipped,
];

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

/// What answers in place of nodes.
struct Mock<'c> {
    /// How many ticks it runs before that.
    ticks: usize,
    answer: Answer<'c>,
    /// Our words for its scripts, those of the dialect, and the scripts.
    scripts: Vec<(&'static str, &'static str, &'c str)>,
}

enum Answer<'c> {
    Fixed(&'static str),
    /// By a script.
    Script(&'c str),
}

impl Mock<'_> {
    fn fixed(answer: &'static str) -> Self {
        Mock {
            ticks: 0,
            answer: Answer::Fixed(answer),
            scripts: Vec::new(),
        }
    }

    /// What a line of a test says of a node in whose place this is; what it cannot say is added to `left_out`.
    fn line(
        &self,
        node: &BtcppNode,
        scripts: &mut BtcppScripts,
        left_out: &mut Vec<String>,
    ) -> Option<String> {
        let name = &node.path;
        let mut conditions = Vec::new();
        let last = match self.answer {
            Answer::Fixed(letter) => letter,
            Answer::Script(code) => match scripts.answers(code, node) {
                Ok(answers) => last_of(answers, &mut conditions),
                Err(why) => {
                    left_out.push(format!(
                        "`{name}` is not replaced, because of its `return_status_script` ({why}): {code}"
                    ));
                    return None;
                }
            },
        };
        let can_be_other =
            matches!(last, "R" | "K") || conditions.iter().any(|(word, _)| *word == "skip-if");
        let mut line = format!("answers={}", quoted(&("R ".repeat(self.ticks) + last)));
        if self.ticks > 0 {
            line.push_str(" each-run=#true");
        }
        for (word, expression) in conditions {
            let _ = write!(line, " {word}={}", quoted(&expression));
        }
        for (word, theirs, code) in &self.scripts {
            match scripts.statements(code, node) {
                Ok(statements) if statements.is_empty() => {}
                Ok(statements) => {
                    let _ = write!(line, " {word}={}", quoted(&statements));
                }
                Err(why) => {
                    left_out.push(format!(
                        "`{name}` does not run its `{theirs}` ({why}): {code}"
                    ));
                }
            }
        }
        let is_post = |(word, ..): &&(&str, &str, &str)| *word == "on-end";
        if self.scripts.iter().any(|one| is_post(&one)) && can_be_other {
            left_out.push(format!(
                "`{name}` runs its `post_script` after success and failure only, not after another status"
            ));
        }
        Some(line)
    }
}

/// The answer that is given when no condition holds, and the conditions of the others.
fn last_of(
    answers: Vec<(Status, GivenIf)>,
    conditions: &mut Vec<(&'static str, String)>,
) -> &'static str {
    let given = |status: Status| {
        let mut all = answers.iter();
        all.find(|(known, _)| *known == status)
            .map_or(&GivenIf::Never, |(_, given)| given)
    };
    let mut all = ANY.into_iter();
    let always = all.find(|status| *given(*status) == GivenIf::Always);
    let mut all = ANY.into_iter();
    let possible = all.find(|status| *given(*status) != GivenIf::Never);
    let last = always.or(possible).unwrap_or(Status::Failure);
    for (word, status) in [
        ("fail-if", Status::Failure),
        ("succeed-if", Status::Success),
        ("skip-if", Status::Skipped),
    ] {
        if let (GivenIf::Holds(expression), None, true) = (given(status), always, status != last) {
            conditions.push((word, expression.clone()));
        }
    }
    letter_of(last)
}

impl Mocks {
    /// Reads mocks for the tree that a file runs, as a test with this name.
    ///
    /// # Errors
    /// When `json` is no JSON of this kind.
    pub fn read(json: &str, scripts: &mut BtcppScripts, name: &str) -> Result<Self, MocksError> {
        let read: Value = serde_json::from_str(json)
            .map_err(|error| MocksError(format!("the mocks are not JSON: {error}")))?;
        let part = |name: &str| read.get(name).and_then(Value::as_object);
        let rules = part("SubstitutionRules");
        let rules =
            rules.ok_or_else(|| MocksError("the mocks have no `SubstitutionRules`".into()))?;
        let none = Map::new();
        let configs = part("TestNodeConfigs").unwrap_or(&none);
        let nodes = scripts.nodes().to_vec();
        let mut left_out = Vec::new();
        let mut answers: BTreeMap<&str, (String, &str)> = BTreeMap::new();
        for (pattern, target) in rules {
            let Some(mock) = mock(pattern, target, configs, &mut left_out) else {
                continue;
            };
            let mut is_used = false;
            for node in nodes.iter().filter(|node| is(node, pattern)) {
                is_used = true;
                let Some(answers_as) = &node.answers_as else {
                    let path = &node.path;
                    left_out.push(format!(
                        "`{path}` stays as it is: a test has answers only for nodes of the game"
                    ));
                    continue;
                };
                let Some(line) = mock.line(node, scripts, &mut left_out) else {
                    continue;
                };
                // The first rule that fits counts.
                let held = answers.entry(answers_as).or_insert((line.clone(), pattern));
                if held.0 == line {
                    continue;
                }
                let other = held.1;
                left_out.push(match other == pattern {
                    true => format!("`{answers_as}` has one line for several nodes, of which `{}` would need another", node.path),
                    false => format!("`{answers_as}` answers as `{other}` says, not as `{pattern}`"),
                });
            }
            if !is_used {
                left_out.push(format!("no node is called `{pattern}`"));
            }
        }
        let tree = quoted(&scripts.tree());
        let mut test = format!("test {} tree={tree} {{\n", quoted(name));
        for (name, (line, _)) in &answers {
            let _ = writeln!(test, "    leaf {} {line}", quoted(name));
        }
        // A test without anything that it expects is refused.
        test.push_str("    tick\n    // Add what you expect.\n    always \"true\"\n}\n");
        left_out.dedup();
        Ok(Self { test, left_out })
    }
}

/// What a rule puts in place of a node; `None` if a test cannot say it.
fn mock<'c>(
    pattern: &str,
    target: &'c Value,
    configs: &'c Map<String, Value>,
    left_out: &mut Vec<String>,
) -> Option<Mock<'c>> {
    let config = match target {
        Value::String(name) => match (configs.get(name), name.as_str()) {
            (Some(config), _) => config.as_object(),
            (None, "AlwaysSuccess") => return Some(Mock::fixed("S")),
            (None, "AlwaysFailure") => return Some(Mock::fixed("F")),
            (None, other) => {
                left_out.push(format!("`{pattern}` is not replaced by the node `{other}`"));
                return None;
            }
        },
        other => other.as_object(),
    };
    let Some(config) = config else {
        left_out.push(format!("what replaces `{pattern}` is not an object"));
        return None;
    };
    let code = |name: &str| {
        let code = config.get(name).and_then(Value::as_str);
        code.filter(|code| !code.trim().is_empty())
    };
    let scripts = [
        ("on-success", "success_script"),
        ("on-failure", "failure_script"),
        ("on-end", "post_script"),
    ];
    let scripts = scripts.iter();
    let scripts = scripts.filter_map(|(word, name)| Some((*word, *name, code(name)?)));
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
    let status = text("return_status").unwrap_or_else(|| "SUCCESS".to_owned());
    let answer = match (code("return_status_script"), letter_named(status.trim())) {
        (Some(code), _) => Answer::Script(code),
        (None, Some(letter)) => Answer::Fixed(letter),
        (None, None) => {
            left_out.push(format!(
                "`{pattern}` is not replaced, because its `return_status` is not a status: {status}"
            ));
            return None;
        }
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
    Some(Mock {
        ticks: usize::try_from(ticks.min(MOST_TICKS)).unwrap_or(0),
        answer,
        scripts: scripts.collect(),
    })
}

fn letter_named(name: &str) -> Option<&'static str> {
    let mut all = ANY.into_iter();
    all.find(|status| status.as_str() == name).map(letter_of)
}

fn letter_of(status: Status) -> &'static str {
    match status {
        Status::Success => "S",
        Status::Failure => "F",
        Status::Skipped => "K",
        Status::Running => "R",
    }
}

/// Whether a pattern means a node.
fn is(node: &BtcppNode, pattern: &str) -> bool {
    node.name == pattern || node.id == pattern || fits(pattern, &node.path)
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
        <BehaviorTree ID=\"Main\"><Sequence><Script code=\"x := 0.5; x += 0.5; verdict := 'RUNNING'; mine := 1.0\"/>\
        <SaySomething name=\"talk\" message=\"{msg}\"/><SubTree ID=\"Sub\" name=\"mysub\" words=\"{msg}\"/>\
        <SaySomething name=\"last\" message=\"bye\"/><SaySomething name=\"last\" message=\"again\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Sub\"><Fallback><Script code=\"inner := 1\"/><Action ID=\"Go\" name=\"action_a\" say=\"{words}\"/>\
        <Action ID=\"Go\" name=\"action_b\"/></Fallback></BehaviorTree></root>";

    fn read(json: &str, name: &str) -> Result<Mocks, MocksError> {
        let load = |_: &str| Err::<Vec<u8>, _>("there are no other files");
        let scripts = BtcppScripts::read(TREE, "tree.xml", None, load);
        Mocks::read(json, &mut scripts.expect("a tree"), name)
    }

    #[test]
    fn mocks_become_a_test() {
        let json = r#"{"TestNodeConfigs": {
            "Slow": {"async_delay": 250, "return_status": "FAILURE", "post_script": "words = 'x'"},
            "By script": {"return_status": "FAILURE", "return_status_script": "x > 1 ? SUCCESS : FAILURE"},
            "Fixed script": {"return_status": "FAILURE", "return_status_script": "SUCCESS", "success_script": "x += 1"}
        }, "SubstitutionRules": {
            "mysub/action_*": "Slow", "talk": "Fixed script", "last": "By script", "nobody": "Slow", "SaySomething": "Other",
            "Script": "AlwaysSuccess"
        }}"#;
        let mocks = read(json, "mocks \"1\"").expect("mocks");
        assert_eq!(
            mocks.test,
            r#"test "mocks \"1\"" tree="Main" {
    leaf "action_a" answers="R R R F" each-run=#true on-end="msg = 'x'"
    leaf "action_b" answers="R R R F" each-run=#true on-end="msg = 'x'"
    leaf "last" answers="F" succeed-if="(x > 1.0)"
    leaf "last 2" answers="F" succeed-if="(x > 1.0)"
    leaf "talk" answers="S" on-success="x = x + 1.0"
    tick
    // Add what you expect.
    always "true"
}
"#
        );
        let left_out = mocks.left_out.join("\n");
        for part in [
            "no node is called `nobody`",
            "`SaySomething` is not replaced by the node `Other`",
            "`Script` stays as it is: a test has answers only for nodes of the game",
        ] {
            assert!(left_out.contains(part), "{part}\n{left_out}");
        }
    }

    /// What a test says for a `return_status_script`.
    fn line(script: &str) -> Result<String, String> {
        let json = serde_json::json!({
            "TestNodeConfigs": {"By script": {"return_status_script": script}},
            "SubstitutionRules": {"talk": "By script"},
        });
        let mocks = read(&json.to_string(), "t").expect("mocks");
        let line = mocks
            .test
            .lines()
            .find_map(|line| line.trim().strip_prefix("leaf \"talk\" "));
        line.map(str::to_owned).ok_or(mocks.left_out.join("; "))
    }

    #[test]
    fn scripts_give_every_status() {
        for (script, expected) in [
            ("SKIPPED", r#"answers="K""#),
            ("'FAILURE'", r#"answers="F""#),
            ("2", r#"answers="S""#),
            ("true ? SUCCESS : SUCCESS", r#"answers="S""#),
            (
                "x > 3 ? SUCCESS : (x > 2 ? SKIPPED : (x > 1 ? RUNNING : FAILURE))",
                r#"answers="R" fail-if="(!((x > 3.0)) && (!((x > 2.0)) && !((x > 1.0))))" succeed-if="(x > 3.0)" skip-if="(!((x > 3.0)) && (x > 2.0))""#,
            ),
            (
                "verdict",
                r#"answers="R" fail-if="(verdict == 'FAILURE')" succeed-if="(verdict == 'SUCCESS')" skip-if="(verdict == 'SKIPPED')""#,
            ),
            (
                "x + 1",
                r#"answers="R" fail-if="(likeness((x + 1.0), 3.0) == 0)" succeed-if="(likeness((x + 1.0), 2.0) == 0)" skip-if="(likeness((x + 1.0), 4.0) == 0)""#,
            ),
        ] {
            assert_eq!(line(script).as_deref(), Ok(expected), "{script}");
        }
        // A key that may hold anything.
        let any = line("msg + 1 > 1 ? SUCCESS : FAILURE").expect("an expression");
        assert!(any.contains("number(msg)"), "{any}");
        for (script, why) in [
            ("x := 2; SUCCESS", "it is not a single expression"),
            (
                "nobody ? SUCCESS : FAILURE",
                "no node of the tree uses `nobody`",
            ),
            ("x > 1", "its value is not a status"),
            ("IDLE", "no node of the tree uses `IDLE`"),
            ("0", "it gives no status"),
            ("x >", "("),
        ] {
            let said = line(script).expect_err(script);
            assert!(said.contains(why), "{script}: {said}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_named() {
        let odd = r#"{"TestNodeConfigs": {
            "Number": {"return_status": 2}, "Wrong": {"return_status": "DONE", "complete_func": "f"},
            "Early": {"async_delay": -5, "post_script": "inner = 2"},
            "Late": {"async_delay": 100000000, "return_status": "FAILURE", "post_script": "other := 1"}
        }, "SubstitutionRules": {"talk": "Number", "last": "Wrong", "action_a": "Early", "action_b": "Late"}}"#;
        let mut mocks = read(odd, "t").expect("mocks");
        mocks.left_out.sort();
        assert_eq!(
            mocks.left_out,
            [
                "`action_a` answers at once, because its `async_delay` is not a number of milliseconds: -5",
                "`action_b` runs for 10000 ticks, not for 100000000 milliseconds",
                "`last` has `complete_func`, which is not read: \"f\"",
                "`last` is not replaced, because its `return_status` is not a status: DONE",
                "`mysub/action_a` does not run its `post_script` (`inner` is not a key of the tree that runs, but of one in it): inner = 2",
                "`mysub/action_b` does not run its `post_script` (`other` is not a key of the tree that runs, but of one in it): other := 1",
                "`talk` is not replaced, because its `return_status` is not a status: 2",
            ]
        );
        let leaves = mocks.test.lines().filter(|line| line.contains("leaf"));
        assert_eq!(leaves.count(), 2, "{}", mocks.test);
        for bad in ["", "[]", "{\"SubstitutionRules\": 3}"] {
            assert!(read(bad, "t").is_err());
        }
    }
}
