//! Tries every word and property of the table in a document: everything listed is read, and everything written is
//! read back.

use super::{Children, Named, Shape, Spot, Word, common, find, of_kind};
use crate::{Code, Diagnostic, Document, Format, convert, outline};
use std::collections::HashSet;

/// The declarations in the documents of these tests.
const DECLARED: &str = "\
blackboard {
    key k type=int
    key o type=int optional=#true
    key l type=int list=4
    key x type=any optional=#true
    key next type=string
    key who type=entity optional=#true
    key r type=double
    key v type=vec2
}
leaves {
    condition is-c
    action do-a
    service look-s
    composite all-n
    event heard { param loud type=int }
    candidates spots type=vec2
}
tree other { run }
machine m { initial s; state s { transition to=e when=\"k > 1\"; }; state e final=#true; }
decide d { test \"k > 1\" { yes { run }; no { run }; } }
planner p { goal g wants=\"k > 1\"; action do-a gives=\"k = 2\"; }
network n from=\"n.weights\" { in \"k / 2.0\"; out calm; }
";

/// The node alone, with only its required parts.
fn node(word: &Word, more: &str) -> String {
    let value = match word.name {
        "service" => " look-s".to_owned(),
        "action" => " do-a".to_owned(),
        "node" => " all-n".to_owned(),
        "semaphore" => " s max=1".to_owned(),
        "for-each" => " item in=\"{l}\"".to_owned(),
        "rate" => " \"{r}\"".to_owned(),
        "find" => " place in=spots into=\"{v}\"".to_owned(),
        "policy" => " n calm=\"{r}\"".to_owned(),
        "emit" | "received" | "wait-for-event" => " heard".to_owned(),
        _ => word.value.map_or(String::new(), |value| {
            format!(" {}", values(value.shape())[0])
        }),
    };
    let child = match word.name {
        "weighted-selector" => "run weight=1.0",
        "utility-selector" => "run score=0.5",
        _ => "run",
    };
    let block = match word.children() {
        Children::None if word.name == "emit" && !more.contains("value=") => {
            " { param loud 1 }".to_owned()
        }
        Children::None if word.name == "rate" => " { consider \"k\" }".to_owned(),
        Children::None => String::new(),
        Children::Cases if word.name == "rules" => {
            " { rule hurt when=\"k > 1\" { succeed } }".to_owned()
        }
        Children::Cases => format!(" {{ case 1 {{ {child} }}; default {{ {child} }} }}"),
        Children::One if word.name == "scope" => {
            " { key own type=int; set \"own = 1; k = own\" }".to_owned()
        }
        Children::One => format!(" {{ {child} }}"),
        _ => format!(" {{ {child}; {child} }}"),
    };
    format!("{}{value} {more}{block}", word.name)
}

/// Some possible values for a value or property of a shape.
fn values(shape: Shape) -> Vec<String> {
    let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect();
    match shape {
        Shape::Flag => words(&["#true"]),
        Shape::Words(of) => words(&of.words()),
        Shape::WordsOrNumber(of) => {
            let mut all: Vec<String> = words(&of.words());
            all.push("1".to_owned());
            all.extend(of.pattern().map(|_| "all-but-1".to_owned()));
            all
        }
        Shape::WordsOrKey(of) => {
            let mut all = words(&of.words());
            all.push("\"{who}\"".to_owned());
            all
        }
        Shape::Number => words(&["1"]),
        Shape::Literal => words(&["1"]),
        Shape::Type => words(&["int"]),
        Shape::Expr(treemind_core::Type::Bool) => words(&["\"k > 1\"", "\"=k > 1\""]),
        Shape::Expr(_) => words(&["\"=k + 1\"", "1"]),
        Shape::Times => words(&["\"=k + 1\"", "3", "forever"]),
        Shape::Statements(of) => {
            let mut all: Vec<String> = words(&["\"k = 1\""]);
            all.extend(of.iter().map(|word| (*word).to_owned()));
            all
        }
        Shape::Text => words(&["\"T0604\""]),
        Shape::Log => words(&["\"it is {k}\""]),
        Shape::Key => words(&["k"]),
        Shape::WrittenKey => words(&["o"]),
        Shape::KeyInBraces => words(&["\"{next}\""]),
        Shape::WrittenKeyInBraces => words(&["\"{next}\""]),
        Shape::Declares(_) => words(&["given-here"]),
        Shape::NamesOrKey(_) => words(&["spots", "\"{l}\""]),
        Shape::Names(Named::Leaf) => words(&["is-c"]),
        Shape::Names(Named::Event) => words(&["heard"]),
        Shape::Names(Named::Tree) | Shape::AllNames(Named::Tree) => words(&["other"]),
        Shape::Names(Named::Machine) => words(&["m"]),
        Shape::Names(Named::Decision) => words(&["d"]),
        Shape::Names(Named::Planner) => words(&["p"]),
        Shape::Names(Named::Label) => words(&["label"]),
        Shape::Names(_) | Shape::AllNames(_) => words(&["s"]),
    }
}

/// A document with the node under a parent.
fn text(node: &str) -> String {
    format!(
        "{DECLARED}tree t {{\n    selector {{\n        interruptible label {{ run }}\n        {node}\n        emit heard {{ param loud 1 }}\n        set \"x = k; o = 1; next = 'other'\"\n        check \"len(l) > 0\"\n    }}\n}}\n"
    )
}

fn document(text: &str) -> Document {
    named(text, "test.kdl")
}

fn named(text: &str, name: &str) -> Document {
    Document::read_with(text.as_bytes(), name, |path| match path {
        "n.weights" => Ok("inputs 1\nlayer 1 tanh\n0 1\n".into()),
        _ => Err("there is no such file"),
    })
}

fn errors(document: &Document) -> Vec<Diagnostic> {
    let all = document.diagnostics().iter();
    all.filter(|one| one.severity() == crate::Severity::Error)
        .cloned()
        .collect()
}

/// Every listed property, with a value of each kind that it takes.
fn tries() -> Vec<(&'static Word, &'static str, String)> {
    let mut all = Vec::new();
    for word in Spot::Task.words() {
        let own = word.offered().map(|one| (one.name(), one.shape()));
        let of_all = super::COMMON.into_iter().flatten();
        let of_all = of_all.map(|one| (one.name(), one.shape()));
        for (name, shape) in own.chain(of_all) {
            for value in values(shape) {
                let value = match name {
                    "in" => "\"{l}\"".to_owned(),
                    _ => value,
                };
                all.push((*word, name, value));
            }
        }
    }
    all
}

#[test]
fn every_word_stands_by_itself() {
    for word in Spot::Task.words() {
        let document = document(&text(&node(word, "")));
        let errors = errors(&document);
        assert!(errors.is_empty(), "{}: {errors:#?}", word.name);
    }
}

#[test]
fn what_is_listed_is_read() {
    for (word, name, value) in tries() {
        if ["max", "in", "into"].contains(&name) {
            // They are already there.
            continue;
        }
        let text = text(&node(word, &format!("{name}={value}")));
        for error in errors(&document(&text)) {
            let is_unread = error.message().contains("has no property");
            let is_choice = error.code() == Code::BadChoice && error.message().contains(name);
            let is_type = error.code() == Code::WrongType;
            assert!(
                !is_unread && !is_choice && !is_type,
                "{} {name}={value}: {error:#?}",
                word.name
            );
        }
    }
}

#[test]
fn what_is_not_listed_is_refused() {
    for word in Spot::Task.words() {
        let text = text(&node(word, "colour=1"));
        let errors = errors(&document(&text));
        assert!(
            errors
                .iter()
                .any(|error| error.message().contains("colour")),
            "{}: {errors:#?}",
            word.name
        );
    }
}

/// What readers of other systems make, and nobody else: properties, and words of properties.
#[test]
fn what_is_only_imported_is_refused() {
    let mut tries = vec![
        ("parallel", "success=exactly-1".to_owned()),
        ("parallel", "success=0".to_owned()),
        ("parallel", "failure=exactly-0".to_owned()),
        ("parallel-all", "max-failures=0".to_owned()),
    ];
    for word in Spot::Task.words() {
        for property in word.properties {
            if property.is_imported_only() {
                assert!(word.own().all(|name| name != property.name()));
                tries.push((word.name, format!("{}=#true", property.name())));
            }
        }
    }
    assert_eq!(tries.len(), 16);
    for (name, more) in tries {
        let word = Spot::Task.word(name).expect("a word");
        let kdl = text(&node(word, &more));
        assert!(errors(&document(&text(&node(word, "")))).is_empty());
        let errors = errors(&document(&kdl));
        assert_eq!(errors.len(), 1, "{more}: {errors:#?}");
        let json = convert(&kdl, "test.kdl", Format::Kdl, Format::Json).expect("it is read");
        let json = named(&json.text, "test.json");
        assert_eq!(super::tests::errors(&json).len(), 1, "{more}");
        let name = more.split('=').next().expect("a name");
        assert!(errors[0].message().contains(name), "{errors:#?}");
        let help = errors[0].help().unwrap_or_default();
        assert!(!help.contains(&more[..more.len() - 1]), "{help}");
    }
}

#[test]
fn what_is_read_is_shown() {
    let mut seen = 0;
    for (word, name, value) in tries() {
        if common(name).is_some() && word.property(name).is_none() {
            continue;
        }
        let has_it = ["max", "in", "into"].contains(&name) && (word.name, name) != ("find", "max");
        let more = match (name, value.as_str()) {
            _ if has_it => String::new(),
            ("policy", "top") => "policy=top top=1".to_owned(),
            ("top", _) => "policy=top top=1".to_owned(),
            ("for", "best") => format!("scope=world for={value} bid=1"),
            ("bid", _) => format!("scope=world for=best {name}={value}"),
            ("hysteresis" | "min-hold", _) if word.name == "semaphore" => {
                format!("scope=world for=best bid=1 {name}={value}")
            }
            ("hysteresis", _) => format!("reactive=#true {name}={value}"),
            _ => format!("{name}={value}"),
        };
        let text = text(&node(word, &more));
        let document = document(&text);
        assert!(
            errors(&document).is_empty(),
            "{more}: {:#?}",
            errors(&document)
        );
        let property = word.property(name).expect("it is listed");
        let is_default = property.default() == Some(format!("`{value}`"));
        // A reference is replaced by its target, and its parameters with it.
        let is_gone = ["inherit", "of"].contains(&name) || word.name == "emit";
        if is_default || is_gone {
            continue;
        }
        let behaviour = document.behaviour(Some("t")).expect("a behaviour");
        let shown = outline(&behaviour);
        let shown_at = [format!(" {name}="), format!(" {name}=\"")];
        assert!(
            shown_at.iter().any(|at| shown.contains(at)),
            "{} {name}={value} is not in\n{shown}",
            word.name
        );
        seen += 1;
    }
    assert!(seen > 40, "only {seen}");
}

#[test]
fn guards_and_hooks_are_shown() {
    let mut seen = 0;
    let run = Spot::Task.word("run").expect("a word");
    for one in super::COMMON.into_iter().flatten() {
        let is_hook = matches!(
            one.shape(),
            Shape::Expr(_) | Shape::Statements(_) | Shape::WrittenKeyInBraces
        );
        // Some have a meaning only under some parents, and `when` is shown in its expanded form.
        let elsewhere = ["weight", "score", "gives", "cost", "when"];
        if !is_hook || elsewhere.contains(&one.name()) {
            continue;
        }
        let value = &values(one.shape())[0];
        let document = document(&text(&node(run, &format!("{}={value}", one.name()))));
        let shown = outline(&document.behaviour(Some("t")).expect("a behaviour"));
        assert!(shown.contains(&format!(" {}=", one.name())), "{shown}");
        seen += 1;
    }
    assert!(seen > 7, "only {seen}");
}

#[test]
fn every_kind_has_a_row() {
    for word in Spot::Task.words() {
        let document = document(&text(&node(word, "")));
        let behaviour = document.behaviour(Some("t")).expect("a behaviour");
        for node in behaviour.nodes() {
            assert!(of_kind(&node.kind).is_some(), "{}", node.kind.keyword());
        }
    }
}

#[test]
fn what_is_printed_says_the_same() {
    for (word, name, value) in tries() {
        let text = text(&node(word, &format!("{name}={value}")));
        let first = document(&text);
        let printed = convert(&text, "test.kdl", Format::Kdl, Format::Kdl).expect("it is read");
        let printed = printed.text;
        let again = document(&printed);
        let messages = |document: &Document| -> Vec<String> {
            let all = document.diagnostics().iter();
            all.map(|one| one.message().to_owned()).collect()
        };
        assert_eq!(messages(&again), messages(&first), "{printed}");
        if let (Ok(first), Ok(again)) = (first.behaviour(Some("t")), again.behaviour(Some("t"))) {
            assert_eq!(outline(&first), outline(&again), "{printed}");
        }
    }
}

#[test]
fn words_and_properties_stand_once() {
    for spot in Spot::ALL {
        let mut seen = HashSet::new();
        for word in spot.words() {
            assert!(seen.insert(word.name), "{spot:?} {}", word.name);
            let mut own = HashSet::new();
            for property in word.properties {
                assert!(
                    own.insert(property.name()),
                    "{} {}",
                    word.name,
                    property.name()
                );
                let is_said = !property.doc().is_empty() || spot == Spot::Imported;
                assert!(is_said, "{} {}", word.name, property.name());
            }
            let is_said = !word.doc.is_empty() || spot == Spot::Imported;
            assert!(is_said, "{}", word.name);
        }
    }
}

#[test]
fn a_word_is_found_where_it_stands() {
    let properties = |spots: &[Spot], name: &str| -> Vec<&str> {
        find(spots, name).expect("a word").own().collect()
    };
    assert_eq!(properties(&[Spot::Task], "switch"), ["once"]);
    assert_eq!(
        properties(&[Spot::Decision, Spot::Task], "switch"),
        ["disabled"]
    );
    assert_eq!(
        properties(&[Spot::State], "parallel"),
        ["enter-if", "doc", "disabled"]
    );
    assert_eq!(
        properties(&[Spot::Top], "machine"),
        ["doc", "mode", "mailbox"]
    );
    assert_eq!(properties(&[Spot::Task], "machine"), ["inherit"]);
}
