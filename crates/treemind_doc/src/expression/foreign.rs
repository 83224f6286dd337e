//! How to say here what other languages say with another function, a `.` or brackets.

use super::functions::functions;
use crate::syntax::shortened;
use crate::{Said, said};

/// What to write for a call of a function that there is not, if it is known from elsewhere: a help.
pub(super) fn call(name: &str, args: &[&str]) -> Option<Said> {
    let arg = |nth: usize, otherwise: &str| -> String {
        args.get(nth)
            .map_or_else(|| otherwise.to_owned(), |arg| shortened(arg.trim()))
    };
    let (list, value, x) = (arg(0, "list"), arg(1, "value"), arg(0, "x"));
    let written = match &*plain(name) {
        "size" | "count" | "len" | "length" | "num" => format!("len({list})"),
        "get" | "at" | "nth" | "elementat" | "itemat" => {
            format!("item({list}, {})", arg(1, "0"))
        }
        "first" | "front" | "head" => format!("item({list}, 0)"),
        "last" | "back" => format!("item({list}, len({list}) - 1)"),
        "any" | "exists" | "isset" | "isvalid" | "hasvalue" | "defined" | "notempty" => {
            format!("has({list})")
        }
        "empty" | "isempty" | "isunset" | "isnull" => format!("!has({list})"),
        "includes" | "hasitem" | "contains" => format!("contains({list}, {value})"),
        "indexof" | "find" => format!("index({list}, {value})"),
        "closest" => format!("nearest({list}, {value})"),
        "dist" | "distanceto" => format!("distance({x}, {})", arg(1, "y")),
        "mag" | "magnitude" | "norm" => format!("length({x})"),
        "normalized" | "unit" => format!("normalize({x})"),
        "mix" => format!("lerp({x}, {}, {})", arg(1, "b"), arg(2, "t")),
        "rand" | "randf" | "randi" | "randint" | "randomint" | "randomrange" | "randrange" => {
            format!("random({}, {})", arg(0, "0"), arg(1, "1"))
        }
        "pow" | "power" | "square" => format!("{x} * {x}"),
        "time" | "gettime" | "clock" => "now()".to_owned(),
        "self" | "this" => "me()".to_owned(),
        "concat" | "join" => format!("joined({x}, {})", arg(1, "b")),
        word => return change(word, &arg(0, "list"), &value).map(in_set),
    };
    Some(said!("write `{}`", written))
}

/// What to write for a name of no key: a function without its brackets, or what other languages have.
pub(super) fn name(name: &str) -> Option<Said> {
    let known = functions().iter().find(|one| one.name() == name);
    if let Some(known) = known.filter(|known| !known.is_only_for_tests()) {
        let call = format!("{name}({})", known.parameters().join(", "));
        return Some(match known.parameters() {
            [] => said!("write `{}`", call),
            _ => said!("`{}` is a function: write `{}`", name, call),
        });
    }
    match &*plain(name) {
        word @ ("true" | "false") => Some(said!("write `{}`", word)),
        "null" | "nil" | "none" | "undefined" => Some(said!(
            "write `has(key)` to ask whether a key has a value, and `!has(key)` whether it has none"
        )),
        _ => None,
    }
}

/// What to write for a statement that calls a function: `add(list, 3)` or `list.add(3)`, of which `before` is what
/// stands before the first bracket, and `args` what stands after it.
pub(super) fn statement(before: &str, args: &str) -> Option<Said> {
    let args = args.trim().trim_end_matches(';').trim();
    let args = args.strip_suffix(')').unwrap_or(args);
    let (list, name, value) = match before.rsplit_once('.') {
        Some((list, name)) => (list, name, args),
        None => {
            let (list, value) = args.split_once(',').unwrap_or((args, ""));
            (list, before, value)
        }
    };
    let or = |text: &str, otherwise: &str| match text.trim() {
        "" => otherwise.to_owned(),
        text => shortened(text),
    };
    let change = change(&plain(name), &or(list, "list"), &or(value, "value"))?;
    Some(match change {
        Change::Set(statement) => said!("write `{}`", statement),
        change => in_set(change),
    })
}

/// How a list is changed here.
enum Change {
    /// By this statement.
    Set(String),
    /// By this node.
    Node(String),
}

fn change(function: &str, list: &str, value: &str) -> Option<Change> {
    Some(match function {
        "add" | "append" | "push" | "pushback" | "pushfront" | "insert" => {
            Change::Set(format!("{list} += {value}"))
        }
        "remove" | "erase" | "delete" | "discard" => Change::Set(format!("{list} -= {value}")),
        "clear" | "reset" | "unset" => Change::Node(format!("unset {list}")),
        _ => return None,
    })
}

fn in_set(change: Change) -> Said {
    match change {
        Change::Set(statement) => said!(
            "use a node of its own: `{}`",
            format!("set \"{statement}\"")
        ),
        Change::Node(node) => said!("use a node of its own: `{}`", node),
    }
}

/// In small letters, without underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(help: Option<Said>) -> String {
        help.map(|help| help.to_string()).unwrap_or_default()
    }

    #[test]
    fn functions_of_other_languages_are_said_with_ours() {
        for (name, args, ours) in [
            ("size", &["spots"][..], "write `len(spots)`"),
            ("get", &["spots", "2"], "write `item(spots, 2)`"),
            ("isEmpty", &["spots"], "write `!has(spots)`"),
            ("index_of", &["spots"], "write `index(spots, value)`"),
            ("rand", &[], "write `random(0, 1)`"),
            (
                "append",
                &["spots", "2"],
                "use a node of its own: `set \"spots += 2\"`",
            ),
            ("clear", &["spots"], "use a node of its own: `unset spots`"),
            ("exposure", &["spots"], ""),
        ] {
            assert_eq!(said(call(name, args)), ours, "{name}");
        }
    }

    #[test]
    fn statements_of_other_languages_are_said_with_ours() {
        for (before, args, ours) in [
            ("push", "l, x)", "write `l += x`"),
            ("l.push", "x + 1);", "write `l += x + 1`"),
            ("remove", "l, max(x, 1))", "write `l -= max(x, 1)`"),
            ("add", ")", "write `list += value`"),
            ("l.clear", ")", "use a node of its own: `unset l`"),
            ("shout", "x)", ""),
        ] {
            assert_eq!(said(statement(before, args)), ours, "{before}");
        }
    }
}
