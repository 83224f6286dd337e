//! The numbers on the command line, with error messages for people.

/// Parses a whole number, with an error message for people.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("not a whole number from 0 to {}", u64::MAX))
}

/// How many ticks a command plays at most: a year and a half of the arena.
const MOST_TICKS: u64 = 1_000_000_000;

/// Parses a number of ticks, which a command can play before it ends.
pub(crate) fn ticks(text: &str) -> Result<u64, String> {
    match whole(text)? {
        number if number > MOST_TICKS => Err(format!("at most {MOST_TICKS} ticks are played")),
        number => Ok(number),
    }
}

/// Like [`ticks`], but at least 1.
pub(crate) fn some_ticks(text: &str) -> Result<u64, String> {
    positive(text).and_then(|_| ticks(text))
}

/// Like [`whole`], but at least 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("not a whole number of at least 1".to_owned()),
    }
}

/// Parses the port of a server.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse()
        .map_err(|_| format!("not a port from 0 to {}", u16::MAX))
}

/// Parses a port whose next one is used, too.
pub(crate) fn port_of_two(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(number) if number < u16::MAX => Ok(number),
        _ => Err(format!("not a port from 0 to {}", u16::MAX - 1)),
    }
}
