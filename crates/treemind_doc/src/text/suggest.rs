//! "Did you mean …?": the most similar of the words that would be valid.

/// The candidate that is most similar to `word`, if one is similar enough.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
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

/// The beginning of a help that suggests a name.
pub(crate) const DID_YOU_MEAN: &str = "did you mean ";

/// "did you mean `x`?", or `otherwise` when no name is similar.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> Option<String>,
) -> Option<String> {
    match nearest(word, candidates) {
        Some(candidate) => Some(format!("{DID_YOU_MEAN}`{candidate}`?")),
        None => otherwise(),
    }
}

/// "did you mean `x`?", or else "the keys are `a` and `b`" with `all` as "the keys", or else the help from `none`.
pub(crate) fn among<'a>(
    word: &str,
    all: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    none: impl FnOnce() -> Option<String>,
) -> Option<String> {
    did_you_mean(word, names.clone(), || match names.clone().next() {
        Some(_) => Some(format!("{all} are {}", listed(names))),
        None => none(),
    })
}

/// Names as a list for people: `` `a`, `b` and `c` ``, cut after a dozen.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = names
        .into_iter()
        .take(MOST + 1)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        names if names.len() > MOST => format!("{} and more", names[..MOST].join(", ")),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `` `a`, `b` or `c` ``
pub(crate) fn either(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            format!("{} or `{last}`", rest.join(", "))
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
