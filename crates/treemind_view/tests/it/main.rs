//! The view of a game, as its users and its game see it.

#[cfg(target_os = "linux")]
mod live;
mod logged;
#[expect(dead_code, unreachable_pub, reason = "it is a program")]
#[path = "../../examples/museum.rs"]
mod museum;
mod plays;
