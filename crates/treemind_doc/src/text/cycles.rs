//! Cycles of references.

/// The cycles among `count` things, with the place that closes each; `uses` gives the things that one of them
/// refers to, and where. The search starts with the first `roots` things. Chains of references may be long, so it
/// does not recurse.
pub(crate) fn circles<'u, P: Clone + 'u>(
    roots: usize,
    count: usize,
    uses: impl Fn(usize) -> &'u [(usize, P)],
) -> Vec<(Vec<usize>, P)> {
    // `None`: not visited; otherwise the number of its uses that have been followed.
    const DONE: usize = usize::MAX;
    let mut next: Vec<Option<usize>> = vec![None; count];
    let mut found = Vec::new();
    for first in 0..roots {
        let mut path = vec![first];
        while let Some(&one) = path.last() {
            let at = next[one].unwrap_or(0);
            let Some((used, place)) = uses(one).get(at) else {
                next[one] = Some(DONE);
                path.pop();
                continue;
            };
            next[one] = Some(at + 1);
            match next[*used] {
                None => path.push(*used),
                Some(DONE) => {}
                Some(_) => {
                    let from = path.iter().position(|one| one == used).unwrap_or(0);
                    found.push((path[from..].to_vec(), place.clone()));
                }
            }
        }
    }
    found
}

/// `a → b → a`, shortened if it is long.
pub(crate) fn row(circle: &[usize], name: impl Fn(usize) -> String) -> String {
    const MOST: usize = 12;
    let mut names: Vec<String> = circle.iter().take(MOST).map(|one| name(*one)).collect();
    if circle.len() > MOST {
        names.push("…".to_owned());
    }
    names.extend(circle.first().map(|first| name(*first)));
    names.join(" → ")
}
