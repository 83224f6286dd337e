//! Documents that nobody writes by hand. They must not end the process all the same.

use treemind_doc::{Document, MAX_DIAGNOSTICS, Severity};

/// Reads a document. There must be an error, a limited number of diagnostics, and spans within the text.
pub(super) fn refused(name: &str, bytes: &[u8]) {
    let document = Document::read(bytes, name);
    assert!(document.has_errors(), "{name} has an error");
    assert!(
        document.diagnostics().len() <= 2 * MAX_DIAGNOSTICS + 1,
        "{name}"
    );
    for item in document.diagnostics() {
        assert!(
            item.source().text().get(item.span()).is_some(),
            "{name}: {item:?}"
        );
        assert!(item.to_plain().len() < 2_000, "{name}: a message is short");
    }
    assert!(document.behaviour(None).is_err(), "{name}");
}

fn check(expression: &str) -> String {
    format!("blackboard {{ key a type=bool; }}\ntree t {{ check #\"{expression}\"#; }}")
}

pub(super) const MANY: usize = 100_000;

#[test]
fn nested_nodes() {
    for (name, open, close) in [
        ("blocks", "a {", "}"),
        ("sequences", "sequence {", "}"),
        ("lines", "invert {\n", "}\n"),
        ("slashdash", "a /-{", "}"),
        ("slashdashed nodes", "/-a {", "}"),
        ("bare blocks", "{", "}"),
    ] {
        refused(name, open.repeat(MANY).as_bytes());
        refused(name, (open.repeat(MANY) + &close.repeat(MANY)).as_bytes());
        let inside = format!(
            "tree t {{ {} succeed {} }}",
            open.repeat(MANY),
            close.repeat(MANY)
        );
        refused(name, inside.as_bytes());
    }
}

#[test]
fn nesting_has_a_limit_and_reaches_it() {
    let nested = |depth: usize| {
        let text = format!(
            "tree t {{ {} succeed {} }}",
            "invert {".repeat(depth),
            "}".repeat(depth)
        );
        Document::parse(&text, "deep.kdl")
    };
    assert_eq!(
        nested(255)
            .behaviour(None)
            .expect("256 nodes")
            .nodes()
            .len(),
        256
    );
    let too_deep = nested(256);
    let codes: Vec<&str> = too_deep
        .diagnostics()
        .iter()
        .map(|item| item.code().as_str())
        .collect();
    assert_eq!(codes, ["T0004"]);
}

#[test]
fn deep_expressions_in_deep_trees_fit_the_stack() {
    let expression = format!("{}a{}", "(!".repeat(120), ")".repeat(120));
    let text = format!(
        "blackboard {{ key a type=bool; }}\ntree t {{ {} check \"{expression}\" {} }}",
        "invert {".repeat(255),
        "}".repeat(255)
    );
    let document = Document::parse(&text, "deep.kdl");
    let tree = document.behaviour(None).expect("not too deep");
    assert!(treemind_doc::outline(&tree).contains("!!!!a"));
}

#[test]
fn trees_that_hold_trees_stay_within_bounds() {
    // Each tree contains the one before twice.
    let mut doubled = String::from("tree t0 { succeed; }\n");
    for number in 1..60 {
        let below = number - 1;
        doubled.push_str(&format!(
            "tree t{number} {{ key k type=int; sequence on-end=\"k = 1\" {{ subtree t{below}; subtree t{below}; }}; }}\n"
        ));
    }
    refused("doubled", doubled.as_bytes());
    // Each tree is in the next, deeper than nodes may be nested.
    let mut row = String::from("tree t0 { succeed; }\n");
    for number in 1..2_000 {
        let below = number - 1;
        row.push_str(&format!(
            "tree t{number} {{ subtree t{below} inherit=#true; }}\n"
        ));
    }
    refused("a row", row.as_bytes());
    // A long cycle.
    let mut circle = String::from("tree t0 { subtree t1999; }\n");
    for number in 1..2_000 {
        let below = number - 1;
        circle.push_str(&format!("tree t{number} {{ subtree t{below}; }}\n"));
    }
    refused("a circle", circle.as_bytes());
    // The subject of a switch is repeated for each of its values.
    let values: String = (0..300).map(|value| format!(" {value}")).collect();
    let switches = format!(
        "blackboard {{ key a type=int; }}\ntree t {{ sequence {{ {} }}; }}\ntree s {{ switch \"a{}\" {{ case{values} {{ succeed; }}; }}; }}",
        "subtree s;".repeat(5_000),
        " + a".repeat(100)
    );
    refused("switches", switches.as_bytes());
    // Every agent has room for all items.
    let lists: String = (0..65)
        .map(|number| format!("key k{number} type=vec3 list=1024; "))
        .collect();
    let lists = format!("blackboard {{ {lists} }}\ntree t {{ succeed; }}");
    refused("lists", lists.as_bytes());
    let places = format!(
        "tree t {{ sequence {{ {} }}; }}\ntree s {{ key k type=vec3 list=1024; unset k; }}",
        "subtree s;".repeat(5_000)
    );
    refused("places with lists", places.as_bytes());
}

#[test]
fn a_tree_may_be_as_deep_with_those_that_it_holds() {
    let text = |nodes: usize| {
        format!(
            "main tree=a\ntree a {{ {} subtree b {} }}\ntree b {{ {} succeed {} }}",
            "invert {".repeat(100),
            "}".repeat(100),
            "invert {".repeat(nodes),
            "}".repeat(nodes)
        )
    };
    let document = Document::parse(&text(155), "deep.kdl");
    assert!(document.behaviour(None).is_ok());
    refused("deep subtree", text(156).as_bytes());
}

#[test]
fn when_does_not_break_the_limit_of_expressions() {
    let text = format!(
        "blackboard {{ key a type=bool; }}\ntree t {{ succeed when=\"{}a\"; }}",
        "!".repeat(255)
    );
    refused("deep when", text.as_bytes());
}

#[test]
fn the_deepest_node_may_have_statements() {
    let text = format!(
        "blackboard {{ key a type=bool; }}\nleaves {{ action go; }}\ntree t {{ {} action go on-success=\"a = true\" {} }}",
        "invert {".repeat(255),
        "}".repeat(255)
    );
    let document = Document::parse(&text, "deep.kdl");
    assert!(document.behaviour(None).is_ok());
}

#[test]
fn deep_expressions() {
    for (name, expression) in [
        ("brackets", "(".repeat(MANY)),
        (
            "closed brackets",
            "(".repeat(MANY) + "a" + &")".repeat(MANY),
        ),
        ("nots", "!".repeat(MANY) + "a"),
        ("minuses", "-".repeat(MANY) + "1 > 0"),
        ("ifs", "if a { ".repeat(MANY)),
        ("conditions", "if ".repeat(MANY)),
        (
            "closed ifs",
            "if a { ".repeat(MANY) + "a" + &" } else { a }".repeat(MANY),
        ),
        ("else ifs", "if a { a } else ".repeat(MANY) + "{ a }"),
        ("sums", "1 + ".repeat(MANY) + "1 > 0"),
        ("ands", "a && ".repeat(MANY) + "a"),
        ("calls", "abs(".repeat(MANY)),
        ("vectors", "vec2(".repeat(MANY)),
        ("lengths", "length(".repeat(200) + "a" + &")".repeat(200)),
        ("parts", "a".to_owned() + &".x".repeat(MANY)),
        ("points", ".".repeat(MANY)),
        ("arguments", format!("min({}1) > 0", "1, ".repeat(MANY))),
        ("ranges", "a in ".repeat(MANY)),
        ("comparisons", "1 < ".repeat(MANY) + "1"),
        ("quotes", "'".repeat(MANY + 1)),
        ("a long name", "x".repeat(10 * MANY)),
        ("a long number", "9".repeat(10 * MANY)),
        ("names", "x ".repeat(MANY)),
        ("signs", "=".repeat(MANY)),
        ("nothing but blanks", " ".repeat(MANY)),
    ] {
        refused(name, check(&expression).as_bytes());
        let set =
            format!("blackboard {{ key a type=bool; }}\ntree t {{ set #\"a = {expression}\"#; }}");
        refused(name, set.as_bytes());
        let wait = format!("tree t {{ wait #\"{expression}\"#; }}");
        refused(name, wait.as_bytes());
    }
}

#[test]
fn many_statements_are_not_deep() {
    let text = format!(
        "blackboard {{ key a type=bool; }}\ntree t {{ set \"{}\"; }}",
        "a = !a;".repeat(10_000)
    );
    assert!(Document::parse(&text, "long.kdl").behaviour(None).is_ok());
}

#[test]
fn floods_of_one_sign() {
    for sign in [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "/*",
        "*/",
        "/",
        "//",
        "/-",
        "#",
        "\"",
        "\"\"\"",
        "#\"",
        "\\",
        "=",
        "a=",
        "a=\"",
        ";",
        "'",
        ",",
        "-",
        "+",
        ".",
        "1",
        "a ",
        "a;",
        "a\n",
        "true ",
        "(a)",
        "a{}",
        "}{",
        "\r",
        "\t",
        "é",
        "\u{2028}",
        "\u{202e}",
        "\\u{",
        "\"\\",
        "a \"\"\"\n",
        "#true ",
        "a 1 ",
        "=\n",
        "x=true\n",
        "\"\n",
        "a /-",
        "a /- {}\n",
        "tree a {}\n",
        "main\n",
        "leaves {}\n",
        "blackboard {\n",
        "\\\n",
        "\\ /*",
    ] {
        refused(sign, sign.repeat(MANY).as_bytes());
        refused(sign, format!("tree t {{ {}", sign.repeat(MANY)).as_bytes());
    }
}

#[test]
fn nested_comments() {
    refused("open comments", "/*".repeat(MANY).as_bytes());
    let closed = "/*".repeat(MANY) + &"*/".repeat(MANY);
    refused("nothing but comments", closed.as_bytes());
    assert!(
        Document::parse(&(closed + "tree a { succeed; }"), "commented.kdl")
            .behaviour(None)
            .is_ok()
    );
}

#[test]
fn lines_of_a_megabyte() {
    let length = 1_000_000;
    refused("a word", "x".repeat(length).as_bytes());
    refused(
        "a string",
        format!("a \"{}\"", "x".repeat(length)).as_bytes(),
    );
    refused(
        "an open string",
        format!("a \"{}", "x".repeat(length)).as_bytes(),
    );
    refused("words", "x ".repeat(length / 2).as_bytes());
    refused("blanks", " ".repeat(length).as_bytes());
    refused("a comment", format!("//{}", "x".repeat(length)).as_bytes());
    refused("a number", format!("a {}", "9".repeat(length)).as_bytes());
    refused(
        "properties",
        format!("tree a {{ sequence {} }}", "x=1 ".repeat(length / 4)).as_bytes(),
    );
    let properties: String = (0..100_000).map(|index| format!("x{index}=1 ")).collect();
    refused(
        "different properties",
        format!("tree a {{ sequence {properties} }}").as_bytes(),
    );
    refused(
        "different parameters",
        format!("leaves {{ action go; }}\ntree a {{ action go {properties} }}").as_bytes(),
    );
}

#[test]
fn wide_documents() {
    let keys: String = (0..super::flood(20_000))
        .map(|index| format!("key k{index} type=int;"))
        .collect();
    let unknown = "check \"kx > 0\";".repeat(1_000);
    refused(
        "many keys",
        format!("blackboard {{ {keys} }}\ntree a {{ sequence {{ {unknown} }} }}").as_bytes(),
    );
    let leaves: String = (0..super::flood(20_000))
        .map(|index| format!("action go-{index};"))
        .collect();
    let unknown = "action gone-x;".repeat(1_000);
    refused(
        "many leaves",
        format!("leaves {{ {leaves} }}\ntree a {{ sequence {{ {unknown} }} }}").as_bytes(),
    );
    let values: String = (0..100_000).map(|index| format!("v{index} ")).collect();
    refused(
        "many values",
        format!("blackboard {{ key a type=enum default=x {{ value {values} }} }}").as_bytes(),
    );
    let params: String = (0..super::flood(20_000))
        .map(|index| format!("param p{index} type=int;"))
        .collect();
    refused(
        "many parameters",
        format!("leaves {{ action go {{ {params} }} }}\ntree a {{ action go }}").as_bytes(),
    );
    let many = super::flood(20_000);
    let wide = format!("tree a {{ sequence {{ {} }} }}", "wait 1;".repeat(many));
    assert_eq!(
        Document::parse(&wide, "wide.kdl")
            .behaviour(None)
            .expect("a tree")
            .nodes()
            .len(),
        many + 1
    );
}

#[test]
fn names_that_stand_far_apart() {
    let many = if super::is_thorough() { 20_000 } else { 6_000 };
    let each = |write: fn(usize) -> String| -> String { (0..many).map(write).collect() };
    let places = each(|n| format!("semaphore door max={} {{ succeed; }};", 1 + n % 2));
    refused(
        "places",
        format!("tree a {{ sequence {{ {places} }} }}").as_bytes(),
    );
    let labels = each(|n| format!("interruptible l{n} {{ succeed; }};"));
    let unknown = each(|n| format!("interrupt x{n};"));
    refused(
        "labels",
        format!("tree a {{ sequence {{ {labels} {unknown} }} }}").as_bytes(),
    );
    // Every value names a tree, and every node contains all these trees.
    let values = each(|n| format!(" t{n}"));
    let trees = each(|n| format!("tree t{n} {{ succeed; }}\n"));
    let nodes = "subtree-by \"{k}\";".repeat(100);
    let keys = format!("blackboard {{ key k type=enum {{ value{values} }} }}");
    refused(
        "trees of keys",
        format!("{keys}\n{trees}\ntree a {{ sequence {{ {nodes} }} }}").as_bytes(),
    );
    let some = format!("subtree-by \"{{k}}\" of=\"{values}\";");
    refused(
        "some trees of keys",
        format!(
            "{keys}\ntree a {{ sequence {{ {some} {} }} }}",
            "subtree-by \"{k}\" of=\"t1 t1\";".repeat(many)
        )
        .as_bytes(),
    );
}

#[test]
fn any_number_of_warnings_keeps_nothing_from_running() {
    let keys: String = (0..1_000)
        .map(|index| format!("key k{index} type=int;"))
        .collect();
    let document = Document::parse(
        &format!("blackboard {{ {keys} }}\ntree a {{ succeed; }}"),
        "spare.kdl",
    );
    assert_eq!(document.diagnostics().len(), MAX_DIAGNOSTICS + 1);
    assert!(document.behaviour(None).is_ok());
}

/// Numbers that look random and are the same every time.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut x = seed;
    let step = || {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (x >> 56) as u8
    };
    std::iter::repeat_with(step).take(length).collect()
}

/// The feature `fancy` quotes the document; without it, `{:?}` has messages only.
#[test]
fn what_an_error_quotes_commands_no_terminal() {
    for text in [
        "tree a { /* \u{9b}2J \u{202e} */ succeeed; }",
        "tree a { succeed; } \u{1b}[31m",
        "tree a { \u{7}; }",
        "tree \"a\u{85}\u{90}b\" { action \"\u{1b}]0;x\u{9c}\"; }",
    ] {
        let document = Document::read(text.as_bytes(), "gu\u{1b}ard\u{202e}.kdl");
        let error = document.behaviour(None).unwrap_err();
        for shown in [format!("{error:?}"), error.to_string()] {
            let commands = |found: char| found.is_control() && found != '\n' || found == '\u{202e}';
            assert!(!shown.contains(commands), "{shown:?}");
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    refused("noise", &noise(100_000, 1));
    refused("zeros", &[0; 100_000]);
    refused("nothing", b"");
    refused("text and a NUL", b"tree a { succeed; }\0");
    refused(
        "half a character",
        "tree a { é".as_bytes().split_last().expect("bytes").1,
    );
    refused("escape", b"tree a { succeed; } \x1b[31m");
    for big_endian in [false, true] {
        let mut bytes = if big_endian {
            vec![0xfe, 0xff]
        } else {
            vec![0xff, 0xfe]
        };
        for unit in "tree guard { succeed; }".encode_utf16() {
            bytes.extend(if big_endian {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            });
        }
        refused("UTF-16", &bytes);
        let document = Document::read(&bytes, "wide.kdl");
        assert!(document.diagnostics()[0].message().contains("UTF-16"));
    }
    for seed in 0..200 {
        let printable: Vec<u8> = noise(400, seed)
            .into_iter()
            .map(|byte| b' ' + byte % 95)
            .collect();
        let _ = Document::read(&printable, "printable");
        let signs = br##"ab10{}()"#=/*-\;:. "##;
        let chosen: Vec<u8> = noise(400, seed)
            .into_iter()
            .map(|byte| signs[byte as usize % signs.len()])
            .collect();
        let _ = Document::read(&chosen, "signs");
        let inside = String::from_utf8_lossy(&chosen).replace('"', "<");
        let _ = Document::parse(&check(&inside), "expressions");
    }
}

/// Reading never panics, and a document without errors is never refused as a defect.
fn survives(bytes: &[u8]) {
    let document = Document::read(bytes, "cut.kdl");
    let error = document
        .diagnostics()
        .iter()
        .any(|item| item.severity() == Severity::Error);
    if let Err(refusal) = document.behaviour(None) {
        assert!(
            error || refusal[0].code().as_str() != "T0902",
            "{}",
            refusal.to_plain()
        );
    }
}

#[test]
fn guards_with_one_byte_more_or_less() {
    // Some documents take longer than others, and do not have to be changed at every place.
    let names = [
        "guard.kdl",
        "every-node.kdl",
        "values.kdl",
        "options.kdl",
        "shared.kdl",
    ];
    for (name, step) in names.into_iter().zip([1, 1, 1, 4, 8]) {
        let text = super::good(name).into_bytes();
        for at in (0..text.len()).step_by(step) {
            let mut less = text.clone();
            less.remove(at);
            let mut more = text.clone();
            more.insert(at, text[at]);
            let mut changed = vec![text[..at].to_vec(), less, more];
            for sign in [
                b'"', b'{', b'}', b'#', b'\\', b'(', b'=', b';', b' ', b'\n', 0xff,
            ] {
                let mut other = text.clone();
                other[at] = sign;
                changed.push(other);
            }
            // Some change is made at every place.
            let tried = (at / step..).zip(changed);
            for (_, text) in tried.filter(|(case, _)| super::is_tried(*case)) {
                survives(&text);
            }
        }
    }
}

#[test]
fn documents_with_parts_moved_about() {
    let names = [
        "every-node.kdl",
        "guard.kdl",
        "values.kdl",
        "options.kdl",
        "shared.kdl",
    ];
    let text: String = names.map(super::good).concat();
    let tokens: Vec<&str> = text
        .split_inclusive([' ', '\n', ';', '{', '}', '='])
        .collect();
    for seed in 0..super::cases(4_000) as u64 {
        let draws = noise(24, seed);
        let draw = |at: usize, below: usize| {
            (usize::from(draws[at]) << 8 | usize::from(draws[at + 1])) % below
        };
        let mut moved = tokens.clone();
        for step in 0..4 {
            let (from, to) = (draw(step * 6, moved.len()), draw(step * 6 + 2, moved.len()));
            let length = 1 + draw(step * 6 + 4, 12);
            let part: Vec<&str> = moved[from..].iter().take(length).copied().collect();
            match step % 3 {
                0 => drop(moved.splice(to..to, part)),
                1 => drop(moved.drain(from..(from + length).min(moved.len()))),
                _ => drop(moved.splice(to..(to + part.len()).min(moved.len()), part)),
            }
        }
        survives(moved.concat().as_bytes());
    }
}

#[test]
fn switches_that_multiply() {
    let sum = "n + ".repeat(100) + "n";
    let values: String = (0..10_000).map(|value| format!(" {value}")).collect();
    let text = |subject: &str| {
        format!(
            "blackboard {{ key n type=int; }}\ntree t {{ switch \"{subject}\" {{ case{values} {{ succeed; }} }}; }}"
        )
    };
    let well = Document::parse(&text("n"), "wide.kdl");
    assert_eq!(well.diagnostics(), []);
    assert_eq!(well.behaviour(None).expect("well").nodes().len(), 2);
    refused("wide and long", text(&sum).as_bytes());
    let deep = format!("{}1{} > 0", "abs(".repeat(240), ")".repeat(240));
    refused("deep", text(&deep).as_bytes());
}
