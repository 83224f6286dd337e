//! The first words of nodes.

use super::{Asked, Completion, CompletionKind, Offers, plain};
use treemind_doc::edit::written_word;
use treemind_doc::vocabulary::{Circle, Takes, Word};

/// Offers the words that may stand at the place.
pub(super) fn offer(asked: &Asked<'_>, offers: &mut Offers) {
    let cursor = asked.cursor;
    for word in &cursor.words {
        let circle = match word.circle() {
            Circle::FirstDay => 3,
            Circle::FirstWeek => 1,
            Circle::Seldom => 0,
        };
        let likely = 2 * asked.usage.word(word.name()) + circle;
        offers.add(likely, completion(asked, *word));
    }
}

fn completion(asked: &Asked<'_>, word: Word) -> Completion {
    let name = written_word(word.name());
    let has_more = asked.text[asked.cursor.token.end..]
        .chars()
        .find(|c| *c != ' ')
        .is_some_and(|c| !matches!(c, '\n' | '\r' | ';' | '}'));
    let usual = word.usual().map(|usual| format!(" {usual}"));
    Completion {
        label: word.name().to_owned(),
        kind: CompletionKind::Word,
        snippet: (!has_more)
            .then(|| snippet(&name, word))
            .filter(|made| *made != name),
        insert: name,
        detail: word.place().to_owned(),
        doc: format!("{}{}", word.purpose(), usual.unwrap_or_default()),
    }
}

/// The word with stops for its value and its block.
fn snippet(name: &str, word: Word) -> String {
    let mut made = plain(name);
    let mut stop = 1;
    if let Some(value) = word.value() {
        made.push_str(&match value {
            Takes::Expr(_) | Takes::Log | Takes::Statements(_) | Takes::Text | Takes::Times => {
                format!(" \"${stop}\"")
            }
            _ => format!(" ${stop}"),
        });
        stop += 1;
    }
    if word.needs_block() {
        made.push_str(&format!(" {{\n    ${stop}\n\\}}"));
    }
    made
}
