//! "Did you mean …?": the nearest of the words that would have been right.

/// The candidate that is nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Longer words are not typed by hand, nor are more of them looked through by anybody.
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

/// How a help begins that names what was perhaps meant.
pub(crate) const DID_YOU_MEAN: &str = "did you mean ";

/// "did you mean `x`?", or `otherwise` when nothing is near.
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

/// Case and the choice between `-`, `_` and nothing are the commonest slips.
fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}
