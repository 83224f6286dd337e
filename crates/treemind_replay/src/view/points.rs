//! Where very many are, as a short text, and how they have moved since another one.

/// The digits of a number: 64 characters that JSON writes as they are.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// The largest number of two digits.
pub const MOST: u32 = 64 * 64 - 1;
/// How many digits a place has: two for each direction.
const PLACE: usize = 4;
/// A move by so much in each direction is one digit: first all of them row by row, in the middle the one by nothing.
const NEAR: i32 = 3;
const ROW: i32 = 2 * NEAR + 1;
/// From this digit on, they are 2, 4, 8 … places that have not moved.
const REST: i32 = ROW * ROW;
/// After this digit comes a place.
const FAR: i32 = 63;

/// Places, each by its distances from the left and from above, which are at most [`MOST`].
pub fn packed(places: impl IntoIterator<Item = (u32, u32)>) -> String {
    let mut text = String::new();
    for (x, y) in places {
        let both = [x.min(MOST), y.min(MOST)];
        let digits = both.map(|number| [number / 64, number % 64]);
        digits
            .iter()
            .flatten()
            .for_each(|digit| put(&mut text, *digit as i32));
    }
    text
}

/// How places have moved since others; `None` if they are not as many.
pub fn moves(before: &str, now: &str) -> Option<String> {
    if before.len() != now.len() {
        return None;
    }
    let (before, now) = (before.as_bytes(), now.as_bytes());
    let (mut text, mut still) = (String::new(), 0);
    for (old, new) in before.chunks(PLACE).zip(now.chunks(PLACE)) {
        if old == new {
            still += 1;
            continue;
        }
        rest(&mut text, still);
        still = 0;
        let ((x, y), (to_x, to_y)) = (place(old), place(new));
        let (right, down) = (to_x - x, to_y - y);
        match right.abs().max(down.abs()) <= NEAR {
            true => put(&mut text, (down + NEAR) * ROW + right + NEAR),
            false => {
                put(&mut text, FAR);
                text.extend(new.iter().map(|digit| char::from(*digit)));
            }
        }
    }
    rest(&mut text, still);
    Some(text)
}

/// So many places in a row have not moved.
fn rest(text: &mut String, mut count: usize) {
    while count > 1 {
        let times = count.ilog2().min((FAR - REST) as u32);
        put(text, REST + times as i32 - 1);
        count -= 1 << times;
    }
    if count == 1 {
        put(text, REST / 2);
    }
}

fn put(text: &mut String, digit: i32) {
    text.push(char::from(DIGITS[digit as usize]));
}

fn place(digits: &[u8]) -> (i32, i32) {
    let digit = |nth: usize| {
        let known = digits.get(nth).map(|digit| match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'-' => 62,
            _ => 63,
        });
        i32::from(known.unwrap_or(0))
    };
    (digit(0) * 64 + digit(1), digit(2) * 64 + digit(3))
}
