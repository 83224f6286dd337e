//! Finds out how far to prune a tree, using rows that it was not grown from.

use crate::examples::Examples;
use crate::grow::{LearnedTree, Options, grown};
use crate::prune::prune;

/// The number of parts into which the rows are divided; each part judges trees grown from the others.
const PARTS: usize = 5;

/// With fewer rows than this, the parts are too small to tell anything.
const MIN_ROWS: usize = 40;

/// The [`ccp_alpha`](Options::ccp_alpha) that gives the smallest tree that is about as good as the best. It uses 5-fold
/// cross-validation over the rows; blocks of this many consecutive rows stay together. Among all values whose trees get
/// at most one standard error more rows wrong than the best, it takes the greatest, which is the rule of CART. 0 with
/// fewer than 40 rows, or 5 stretches, which are too few.
///
/// # Panics
/// When a stretch has no rows.
pub fn find_ccp_alpha(
    examples: &Examples,
    rows: &[usize],
    stretch: usize,
    options: &Options,
) -> f64 {
    if rows.len() < MIN_ROWS || rows.len().div_ceil(stretch) < PARTS {
        return 0.0;
    }
    let alphas = alphas(rows.len());
    let mut wrong = vec![0_u32; alphas.len()];
    for part in 0..PARTS {
        let in_part = |(place, _): &(usize, &usize)| place / stretch % PARTS == part;
        let (unknown, known): (Vec<_>, Vec<_>) = rows.iter().enumerate().partition(in_part);
        let known: Vec<usize> = known.into_iter().map(|(_, row)| *row).collect();
        let tree = grown(examples, &known, options);
        for (alpha, wrong) in alphas.iter().zip(&mut wrong) {
            let tree: LearnedTree = prune(tree.clone(), known.len(), *alpha);
            let is_wrong = |(_, row): &&(usize, &usize)| {
                tree.classify(examples, **row) != examples.class_of[**row]
            };
            *wrong += unknown.iter().filter(is_wrong).count() as u32;
        }
    }
    let best = f64::from(wrong.iter().copied().min().unwrap_or(0));
    let share = best / rows.len() as f64;
    let error = (best * (1.0 - share)).sqrt();
    let is_about_as_good = |(_, wrong): &(&f64, &u32)| f64::from(**wrong) <= best + error;
    let mut good = alphas.iter().zip(&wrong).rev();
    good.find(is_about_as_good).map_or(0.0, |(alpha, _)| *alpha)
}

/// 0, and values from one row per leaf up to half of all rows, so close together that neighbouring trees differ little.
fn alphas(rows: usize) -> Vec<f64> {
    let least = 1.0 / rows as f64;
    let growing =
        std::iter::successors(Some(least), |alpha| Some(alpha * std::f64::consts::SQRT_2));
    let growing = growing.take_while(|alpha| *alpha < 0.5);
    std::iter::once(0.0).chain(growing.map(rounded)).collect()
}

/// Rounded to two significant digits, because people read it and type it again as an option.
fn rounded(alpha: f64) -> f64 {
    let text = format!("{alpha:.1e}");
    text.parse().unwrap_or(alpha)
}
