//! Profiles of decision trees as JSON; docs/command-line.md describes the format.

use crate::io::{self, Failure, Line, Output};
use serde_json::{Map, Value, json};
use std::path::Path;
use treemind_learn::Profile;
use treemind_learn::profile::{DecisionProfile, Stale, TestProfile};

/// The version of the format.
const VERSION: u64 = 1;

/// Writes a profile to a file.
pub(crate) fn write(output: &Output, profile: &Profile) -> Result<(), Failure> {
    let decisions: Vec<Value> = profile
        .decisions()
        .map(|(name, of)| decision_json(name, of))
        .collect();
    let all = json!({ "treemind_profile": VERSION, "decisions": decisions });
    let text =
        serde_json::to_string_pretty(&all).map_err(|error| Failure::failed(error.to_string()))?;
    output.write(format!("{text}\n").as_bytes())
}

fn decision_json(name: &str, of: &DecisionProfile) -> Value {
    let tests = of.tests().iter().enumerate().map(|(number, test)| {
        let counts = test.ways.iter().zip(of.taken(number));
        let ways: Map<String, Value> = counts
            .map(|(way, count)| (way.clone(), count.into()))
            .collect();
        json!({ "test": test.test, "cost": test.cost, "ways": ways })
    });
    let mut paths: Vec<_> = of.paths().collect();
    paths.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    let paths = paths.into_iter().map(|(path, count)| {
        let answers = path.iter();
        let answers = answers.map(|(test, way)| json!([test, of.tests()[*test].ways[*way]]));
        json!({ "count": count, "answers": answers.collect::<Vec<_>>() })
    });
    json!({
        "decision": name,
        "asked": of.asked(),
        "tests": tests.collect::<Vec<_>>(),
        "paths": paths.collect::<Vec<_>>(),
    })
}

/// Reads a profile from a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Profile, Failure> {
    let name = io::display_name(path);
    let failed = |what: String| Failure::failed(format!("{name} is not a profile: {what}"));
    let all: Value =
        serde_json::from_slice(&io::read(path)?).map_err(|error| failed(error.to_string()))?;
    match all.get("treemind_profile").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(failed(format!(
                "it has version {other} of the format, but this program reads version {VERSION}"
            )));
        }
        None => return Err(failed("`treemind_profile` is missing".to_owned())),
    }
    let mut profile = Profile::default();
    for decision in list(&all, "decisions").map_err(&failed)? {
        let name = text(decision, "decision").map_err(&failed)?;
        let of = decision_of(decision).map_err(|what| failed(format!("in `{name}`: {what}")))?;
        if profile.decision(name).is_some() {
            return Err(failed(format!("`{name}` occurs twice")));
        }
        profile.insert(name.to_owned(), of);
    }
    Ok(profile)
}

fn decision_of(decision: &Value) -> Result<DecisionProfile, String> {
    let tests = list(decision, "tests")?.iter().map(|test| {
        let ways = test.get("ways").and_then(Value::as_object);
        let ways = ways.ok_or("`ways` of a test must be an object")?;
        let cost = test.get("cost").and_then(Value::as_f64);
        Ok(TestProfile {
            test: text(test, "test")?.to_owned(),
            ways: ways.keys().cloned().collect(),
            cost: cost.ok_or("`cost` of a test must be a number")?,
        })
    });
    let mut of = DecisionProfile::new(tests.collect::<Result<_, String>>()?)?;
    for path in list(decision, "paths")? {
        let count = path.get("count").and_then(Value::as_u64);
        let count = count.ok_or("`count` of a path must be a whole number")?;
        let answers = list(path, "answers")?.iter().map(|answer| {
            let wrong =
                || format!("expected the number of a test and one of its ways, found {answer}");
            let test = answer.get(0).and_then(Value::as_u64).ok_or_else(wrong)? as usize;
            let way = answer.get(1).and_then(Value::as_str).ok_or_else(wrong)?;
            let known = of.tests().get(test).ok_or_else(wrong)?;
            let way = known.ways.iter().position(|known| known == way);
            Ok((test, way.ok_or_else(wrong)?))
        });
        let answers = answers.collect::<Result<Vec<_>, String>>()?;
        of.add(answers, count)?;
    }
    Ok(of)
}

fn list<'v>(of: &'v Value, name: &str) -> Result<&'v Vec<Value>, String> {
    let list = of.get(name).and_then(Value::as_array);
    list.ok_or_else(|| format!("`{name}` must be a list"))
}

fn text<'v>(of: &'v Value, name: &str) -> Result<&'v str, String> {
    let text = of.get(name).and_then(Value::as_str);
    text.ok_or_else(|| format!("`{name}` must be a text"))
}

/// Warns of the tests that are in the profile but not in the decision tree, and the reverse.
pub(crate) fn warn_of_stale(name: &str, stale: &Stale) {
    let listed = |tests: &[String]| format!("`{}`", tests.join("`, `"));
    if !stale.unknown.is_empty() {
        let tests = listed(&stale.unknown);
        let sentence = format!("the profile lacks these tests of `{name}`: {tests}");
        io::tell(Line::warning(&sentence));
    }
    if !stale.gone.is_empty() {
        let tests = listed(&stale.gone);
        let sentence = format!("`{name}` lacks these tests of the profile: {tests}");
        io::tell(Line::warning(&sentence));
    }
}
