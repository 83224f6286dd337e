//! "Did you mean …?": the most similar of the words that would be valid.

use crate::{Said, said};

/// The candidate that is most similar to `word`, if one is similar enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody types longer words by hand, or reads through more of them.
    const LONGEST: usize = 64;
    const MOST: usize = 2_000;
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let plain = plain(word);
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| !candidate.is_empty() && candidate.len() <= LONGEST)
        .filter_map(|candidate| {
            let other = self::plain(candidate);
            let distance = strsim::osa_distance(&plain, &other);
            let near = distance <= allowed && distance < other.chars().count();
            near.then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?", or `otherwise` when no name is similar.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> Option<Said>,
) -> Option<Said> {
    match nearest(word, candidates) {
        Some(candidate) => Some(meant(candidate)),
        None => otherwise(),
    }
}

/// "did you mean `x`?"
pub(crate) fn meant(name: &str) -> Said {
    said!("did you mean `{}`?", name)
}

/// Whether a help suggests a name that may have been meant.
pub(crate) fn is_meant(help: &Said) -> bool {
    matches!((help, meant("")), (Said::Sentence { says, .. }, Said::Sentence { says: meant, .. }) if *says == meant)
}

/// "did you mean `x`?", or else "the keys are `a` and `b`" with `all` as "the keys", or else the help from `none`.
pub(crate) fn among<'a>(
    word: &str,
    all: Said,
    names: impl Iterator<Item = &'a str> + Clone,
    none: impl FnOnce() -> Option<Said>,
) -> Option<Said> {
    did_you_mean(word, names.clone(), || match names.clone().next() {
        Some(_) => Some(said!("{} are {}", all, listed(names))),
        None => none(),
    })
}

/// All names as a list for people, however many.
pub(crate) fn all_listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Names as a list for people: `` `a`, `b` and `c` ``, cut after a dozen.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> Said {
    const MOST: usize = 12;
    let names: Vec<String> = names
        .into_iter()
        .take(MOST + 1)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.as_slice() {
        [] => said!("nothing"),
        [one] => one.into(),
        names if names.len() > MOST => said!("{} and more", names[..MOST].join(", ")),
        [rest @ .., last] => said!("{} and {}", rest.join(", "), last),
    }
}

/// `` `a`, `b` or `c` ``
pub(crate) fn either(names: &[&str]) -> Said {
    match names {
        [] => said!("nothing"),
        [one] => format!("`{one}`").into(),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            said!("{} or `{}`", rest.join(", "), last)
        }
    }
}

/// Differences in case, and between `-`, `_` and nothing, are the most common mistakes.
fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}
