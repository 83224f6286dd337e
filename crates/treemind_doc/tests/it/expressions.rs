//! Random expressions: each one gives a diagnostic or a typed tree, and the printed tree reads as the same tree.

use treemind_core::{Behaviour, Kind};
use treemind_doc::{Document, outline};

const KEYS: &str = "blackboard {
    key x type=float; key n type=int; key d type=double; key yes type=bool; key no type=bool
    key pos type=vec2; key up type=vec3; key name type=string; key what type=any; key many type=int list=3
    key maybe type=double optional=#true; key spots type=vec2 list=2; key there type=vec3 optional=#true
    key who type=entity; key mood type=enum { value calm angry; }; key day type=enum { value mon tue; }
}";

struct Random(u64);

impl Random {
    fn draw(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.draw(words.len())]
    }

    /// Usually a number.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw(4) == 0 {
            return self
                .pick(&[
                    "x",
                    "n",
                    "d",
                    "1",
                    "0",
                    "2.5",
                    "1e3",
                    "7",
                    "n",
                    "x",
                    "who",
                    "yes",
                    "pos.x",
                    "there.z",
                    "len(many)",
                    "maybe",
                    "what",
                ])
                .to_owned();
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.draw(11) {
            8 => format!("random({a}, {b})"),
            9 => format!(
                "({}).{}",
                self.vector(depth - 1),
                self.pick(&["x", "y", "z"])
            ),
            10 => format!(
                "distance({}, {})",
                self.vector(depth - 1),
                self.vector(depth - 1)
            ),
            0 => format!("-{a}"),
            1 => format!("({a})"),
            2 => format!("abs({a})"),
            3 => format!("{}({a}, {b})", self.pick(&["min", "max", "lerp"])),
            4 => format!("if {} {{ {a} }} else {{ {b} }}", self.truth(depth - 1)),
            5 => format!("{}({a})", self.pick(&["sqrt", "floor", "round", "ceil"])),
            _ => format!("{a} {} {b}", self.pick(&["+", "-", "*", "/", "%"])),
        }
    }

    /// Usually a vector.
    fn vector(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw(4) == 0 {
            let words = ["pos", "up", "there", "spots", "x", "vec2(1, x)", "pos"];
            return self.pick(&words).to_owned();
        }
        let (a, b) = (self.vector(depth - 1), self.vector(depth - 1));
        let number = self.number(depth - 1);
        match self.draw(6) {
            0 => format!("-{a}"),
            1 => format!("vec3({number}, {}, 2.5)", self.number(0)),
            2 => format!("{a} * {number}"),
            3 => format!("{number} * ({a})"),
            4 => format!("if {} {{ {a} }} else {{ {b} }}", self.truth(0)),
            _ => format!("{a} {} ({b})", self.pick(&["+", "-", "/"])),
        }
    }

    /// A value of any type that can be compared.
    fn thing(&mut self, depth: usize) -> String {
        match self.draw(6) {
            0 => self.vector(depth),
            1 => self.number(depth),
            2 => self.truth(0),
            3 => r#"'a \"b'"#.to_owned(),
            _ => self
                .pick(&["what", "name", "mood", "who", "'text'", "calm", "maybe"])
                .to_owned(),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw(5) == 0 {
            return self
                .pick(&[
                    "yes",
                    "no",
                    "true",
                    "false",
                    "mood == calm",
                    "day != tue",
                    "who == 3",
                    "mood == day",
                    "has(maybe)",
                    "has(spots)",
                    "name != 'a'",
                    "there == up",
                ])
                .to_owned();
        }
        match self.draw(9) {
            7 => format!("what == {}", self.thing(depth - 1)),
            8 => format!("{} != {}", self.vector(depth - 1), self.thing(depth - 1)),
            0 => format!("!{}", self.truth(depth - 1)),
            1 => format!("({})", self.truth(depth - 1)),
            2 => format!("{} && {}", self.truth(depth - 1), self.truth(depth - 1)),
            3 => format!("{} || {}", self.truth(depth - 1), self.truth(depth - 1)),
            4 => format!(
                "{} in {}..={}",
                self.number(depth - 1),
                self.number(0),
                self.number(0)
            ),
            _ => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {op} {}", self.number(depth - 1), self.number(depth - 1))
            }
        }
    }
}

fn read(expression: &str) -> Result<Behaviour, String> {
    let text = format!("{KEYS}\ntree t {{ check \"{expression}\"; }}");
    let document = Document::parse(&text, "test.kdl");
    assert!(
        document
            .diagnostics()
            .iter()
            .all(|item| text.get(item.span()).is_some())
    );
    document.behaviour(None).map_err(|error| error.to_plain())
}

fn kind(tree: &Behaviour) -> &Kind {
    &tree.node(tree.root()).kind
}

#[test]
fn expressions_are_typed_or_refused_and_their_print_means_the_same() {
    let mut random = Random(3);
    let mut typed = 0;
    for _ in 0..super::cases(20_000) {
        let depth = random.draw(5);
        let expression = random.truth(depth);
        match read(&expression) {
            Ok(tree) => {
                typed += 1;
                let print = outline(&tree);
                let line = print.lines().nth(1).expect("a node").trim();
                let printed = line.trim_start_matches("check \"").trim_end_matches('"');
                let again = read(printed)
                    .unwrap_or_else(|error| panic!("{expression} → {printed}: {error}"));
                assert_eq!(kind(&again), kind(&tree), "{expression} → {printed}");
            }
            Err(error) => assert!(!error.contains("T0902"), "{expression}: {error}"),
        }
    }
    assert!(typed > super::cases(4_000), "only {typed} were typed");
}

#[test]
fn soups_of_words_never_reach_the_last_check() {
    let words = [
        "x",
        "n",
        "yes",
        "mood",
        "calm",
        "1",
        "2.5",
        "(",
        ")",
        "{",
        "}",
        "if",
        "else",
        "in",
        "..=",
        "!",
        "-",
        "+",
        "*",
        "==",
        "<",
        "&&",
        "||",
        ",",
        "abs",
        "min",
        "true",
        "=",
        ";",
        "+=",
        "'t'",
        "has",
        ".",
        "é",
        "$",
        "pos",
        "up",
        "what",
        "name",
        "many",
        "maybe",
        ".x",
        ".z",
        "len",
        "vec2",
        "random",
        "distance",
        "length",
        "has(maybe)",
        "pos.y",
    ];
    let mut random = Random(5);
    for _ in 0..super::cases(20_000) {
        let length = 1 + random.draw(9);
        let soup: Vec<&str> = (0..length).map(|_| random.pick(&words)).collect();
        let soup = soup.join(" ");
        if let Err(error) = read(&soup) {
            assert!(!error.contains("T0902"), "{soup}: {error}");
        }
        let text = format!(
            "{KEYS}\ntree t {{ sequence {{ set \"x = {soup}\"; set \"pos = {soup}\"; set \"what = {soup}\"; wait \"{soup}\"; repeat \"{soup}\" {{ succeed; }}; }}; }}"
        );
        if let Err(error) = Document::parse(&text, "test.kdl").behaviour(None) {
            assert!(!error.to_plain().contains("T0902"), "{soup}: {error}");
        }
    }
}

/// A quote in a text is written twice.
#[test]
fn quotes_in_texts() {
    let lines = [
        "set \"name = 'it''s'\"",
        "check \"name == '''' || what == ''\"",
        "check \"joined('a', '''b''') == name\"",
    ];
    let text = format!("{KEYS}\ntree t {{ sequence {{ {}; }}; }}", lines.join("; "));
    let behaviour = Document::parse(&text, "test.kdl").behaviour(None);
    let behaviour = behaviour.unwrap_or_else(|problems| panic!("{}", problems.to_plain()));
    let outline = outline(&behaviour);
    for line in lines {
        assert!(outline.contains(line), "{outline}");
    }
    let open = text.replace("it''s'", "it''s");
    assert!(Document::parse(&open, "test.kdl").has_errors());
}
