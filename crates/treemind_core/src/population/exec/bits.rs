//! Sets of agents: `W` words of bits.

pub(super) type Bits<const W: usize> = [u64; W];

#[inline(always)]
pub(super) fn zero<const W: usize>() -> Bits<W> {
    [0; W]
}

#[inline(always)]
pub(super) fn any<const W: usize>(set: &Bits<W>) -> bool {
    set.iter().fold(0, |all, word| all | word) != 0
}

// The compiler turns a loop over existing words into vector code, but not code that builds an array word by word.
#[inline(always)]
fn combine<const W: usize>(
    left: &Bits<W>,
    right: &Bits<W>,
    op: impl Fn(u64, u64) -> u64,
) -> Bits<W> {
    let mut result = *left;
    for (left, right) in result.iter_mut().zip(right) {
        *left = op(*left, *right);
    }
    result
}

#[inline(always)]
pub(super) fn and<const W: usize>(left: &Bits<W>, right: &Bits<W>) -> Bits<W> {
    combine(left, right, |left, right| left & right)
}

#[inline(always)]
pub(super) fn without<const W: usize>(left: &Bits<W>, right: &Bits<W>) -> Bits<W> {
    combine(left, right, |left, right| left & !right)
}

#[inline(always)]
pub(super) fn or<const W: usize>(left: &Bits<W>, right: &Bits<W>) -> Bits<W> {
    combine(left, right, |left, right| left | right)
}

#[inline(always)]
pub(super) fn add<const W: usize>(to: &mut Bits<W>, set: &Bits<W>) {
    for word in 0..W {
        to[word] |= set[word];
    }
}

#[inline(always)]
pub(super) fn remove<const W: usize>(from: &mut Bits<W>, set: &Bits<W>) {
    for word in 0..W {
        from[word] &= !set[word];
    }
}

/// The lanes of a word that are in a mask, in ascending order.
#[inline]
pub(super) fn lanes_of(word: usize, mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| word * 64 + rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}

/// Calls `each` with the number of every lane in the set, in ascending order. It is [`lanes_of`] written out: as an iterator,
/// this walk costs agents who talk to themselves 7 % more instructions.
#[inline]
pub(super) fn for_each<const W: usize>(set: &Bits<W>, mut each: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            each(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

#[inline(always)]
pub(super) fn set_lane<const W: usize>(set: &mut Bits<W>, lane: usize) {
    set[lane / 64] |= 1 << (lane % 64);
}

#[inline(always)]
pub(super) fn has_lane<const W: usize>(set: &Bits<W>, lane: usize) -> bool {
    set[lane / 64] >> (lane % 64) & 1 == 1
}
