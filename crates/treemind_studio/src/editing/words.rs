//! The words of the language, for lists from which one chooses.

use treemind_core::Type;
use treemind_doc::vocabulary::{self, Property, Takes};
use treemind_replay::view::protocol::{Word, WordCurve, WordProperty, WordValue, Words};

pub(crate) fn words() -> Words {
    let words = vocabulary::words().into_iter().map(|word| Word {
        name: word.name().to_owned(),
        purpose: word.purpose().to_owned(),
        place: word.place().to_owned(),
        is_node: word.is_node(),
        value: word.value().map_or(WordValue::Value, |takes| value(&takes)),
        of_value: word.value_purpose().map(str::to_owned),
        is_computed: word.value().is_some_and(|takes| is_computed(&takes)),
        properties: word.properties().iter().map(property).collect(),
    });
    Words {
        words: words.collect(),
        of_nodes: vocabulary::properties_of_nodes()
            .iter()
            .map(property)
            .collect(),
        curves: vocabulary::curves().iter().map(curve).collect(),
    }
}

fn curve(of: &vocabulary::Curve) -> WordCurve {
    let parameters = of.parameters().iter();
    WordCurve {
        name: of.name().to_owned(),
        parameters: parameters
            .map(|(name, usual)| ((*name).to_owned(), *usual))
            .collect(),
    }
}

fn property(of: &Property) -> WordProperty {
    WordProperty {
        name: of.name().to_owned(),
        purpose: of.purpose().to_owned(),
        default: of.default(),
        is_computed: is_computed(&of.takes()),
        below: of.below().iter().map(|word| (*word).to_owned()).collect(),
    }
}

fn value(takes: &Takes) -> WordValue {
    match takes {
        Takes::Declares(_) | Takes::Names(_) | Takes::NamesOrKey(_) | Takes::AllNames(_) => {
            WordValue::Name
        }
        Takes::Key | Takes::WrittenKey | Takes::KeyInBraces => WordValue::Key,
        Takes::Expr(Type::Bool) => WordValue::Condition,
        _ => WordValue::Value,
    }
}

fn is_computed(takes: &Takes) -> bool {
    matches!(takes, Takes::Expr(_) | Takes::Times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};
    use treemind_doc::Code;

    /// The sentences that are in the texts of the crates: those of `said!`, and the words of tables that stand in them.
    fn said() -> BTreeSet<String> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut pending = vec![crates.canonicalize().expect("the crates")];
        let mut all = BTreeSet::new();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                let inside = std::fs::read_dir(&path).expect("a folder");
                let inside = inside.map(|entry| entry.expect("an entry").path());
                // Tests, and what is built, speak to nobody.
                let speaks = |path: &PathBuf| !path.ends_with("tests") && !path.ends_with("target");
                pending.extend(inside.filter(speaks));
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with(file!()) {
                all.extend(said_in(&std::fs::read_to_string(&path).expect("a text")));
            }
        }
        all
    }

    fn said_in(text: &str) -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        // Tests stand at the end of a file.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        let called =
            ["said!(", "Said::plain(", ".of_children("].map(|call| text.split(call).skip(1));
        let called = called.into_iter().flatten();
        let mut found: Vec<String> = called.filter_map(literal).collect();
        for line in text.lines() {
            let Some((of, value)) = line.trim_start().split_once(" => ") else {
                continue;
            };
            let is_place = ["\"in ", "\"at ", "\"before "];
            let is_place = is_place.iter().any(|begin| value.starts_with(begin));
            let is_word = of.starts_with("SymbolKind::")
                || of.starts_with("NodeChange::")
                || of.starts_with("Spot::") && is_place;
            let is_read = |text: &String| is_word && text.starts_with(char::is_alphabetic);
            found.extend(literal(value).filter(is_read));
        }
        found
    }

    /// The text in quotes with which something begins.
    fn literal(text: &str) -> Option<String> {
        let mut letters = text.trim_start().strip_prefix('"')?.chars().peekable();
        let mut out = String::new();
        loop {
            match letters.next()? {
                '"' => return Some(out),
                '\\' => match letters.next()? {
                    'n' => out.push('\n'),
                    // The text goes on at the next letter.
                    '\n' => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                    letter => out.push(letter),
                },
                letter => out.push(letter),
            }
        }
    }

    #[test]
    fn all_words_and_sentences_are_said_in_chinese() {
        let chinese = include_str!("../../page/words.zh.json");
        let chinese: BTreeMap<String, String> =
            serde_json::from_str(chinese).expect("sentences and sentences");
        let all = words();
        let of_words = all.words.iter().map(|word| &word.purpose);
        let of_words = of_words.chain(all.words.iter().filter_map(|word| word.of_value.as_ref()));
        let inside = all.words.iter().flat_map(|word| &word.properties);
        let properties = inside.chain(&all.of_nodes).map(|one| &one.purpose);
        let said = said();
        assert!(said.len() > 250, "{said:#?}");
        let titles: Vec<_> = Code::ALL
            .iter()
            .map(|code| code.title().to_owned())
            .collect();
        let functions = vocabulary::functions().iter();
        let functions: Vec<_> = functions.map(|one| one.doc().to_owned()).collect();
        let english = of_words.chain(properties).chain(&said).chain(&titles);
        let words = vocabulary::words();
        let properties = words.iter().flat_map(|word| word.properties());
        let properties = properties.chain(vocabulary::properties_of_nodes());
        let usual = words.iter().filter_map(|word| word.usual());
        let usual = usual.chain(properties.filter_map(|one| one.usual()));
        let usual: Vec<_> = usual.map(|one| one.how().to_owned()).collect();
        let english = english.chain(&functions).chain(&usual);
        let english: BTreeSet<&String> = english.collect();
        let missing: Vec<_> = english
            .iter()
            .filter(|one| !chinese.contains_key(**one))
            .collect();
        assert!(
            missing.is_empty(),
            "studio/public/words.zh.json lacks {missing:#?}"
        );
        let over: Vec<_> = chinese
            .keys()
            .filter(|one| !english.contains(one))
            .collect();
        assert!(
            over.is_empty(),
            "studio/public/words.zh.json has what nobody says: {over:#?}"
        );
        let code = |text: &str| -> BTreeSet<String> {
            text.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        for (english, chinese) in &chinese {
            let holes = english.matches("{}").count();
            let plain = (0..holes).fold(chinese.clone(), |text, nth| {
                let hole = format!("{{{nth}}}");
                assert_eq!(text.matches(&hole).count(), 1, "{hole} in {text}");
                text.replace(&hole, "{}")
            });
            assert_eq!(code(english), code(&plain), "{english}");
        }
    }
}
