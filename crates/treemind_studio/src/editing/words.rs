//! The words of the language, for lists from which one chooses.

use treemind_doc::vocabulary::{self, Property, Takes};
use treemind_replay::view::protocol::{Word, WordCurve, WordProperty, Words};

pub(crate) fn words() -> Words {
    let words = vocabulary::words().into_iter().map(|word| Word {
        name: word.name().to_owned(),
        purpose: word.purpose().to_owned(),
        place: word.place().to_owned(),
        is_node: word.is_node(),
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

fn is_computed(takes: &Takes) -> bool {
    matches!(takes, Takes::Expr(_) | Takes::Times)
}
