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

    #[test]
    fn all_words_are_explained_in_chinese() {
        let chinese = include_str!("../../page/words.zh.json");
        let chinese: BTreeMap<String, String> =
            serde_json::from_str(chinese).expect("sentences and sentences");
        let all = words();
        let of_words = all.words.iter().map(|word| &word.purpose);
        let inside = all.words.iter().flat_map(|word| &word.properties);
        let properties = inside.chain(&all.of_nodes).map(|one| &one.purpose);
        let english: BTreeSet<&String> = of_words.chain(properties).collect();
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
            "studio/public/words.zh.json has what no word says: {over:#?}"
        );
        let code = |text: &str| -> BTreeSet<String> {
            text.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        for (english, chinese) in &chinese {
            assert_eq!(code(english), code(chinese), "{english}");
        }
    }
}
