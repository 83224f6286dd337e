//! The studio: its server, and its page in a real browser.

mod access;
mod alone;
mod attached;
mod begin;
mod boss;
mod boss_by_mouse;
mod browser;
mod deltas;
#[cfg(unix)]
mod dog;
mod drawing;
mod drawn;
mod editing;
mod editor;
mod finding;
mod fitting;
mod folders;
mod following;
mod found;
mod gone;
mod hands;
mod inspecting;
mod jumps;
mod kept;
#[cfg(target_os = "linux")]
mod manners;
mod maps;
mod mishaps;
mod mouse;
mod page;
mod paused;
mod planners;
mod program;
mod random;
mod recordings;
mod runs;
mod server;
mod sheets;
mod stopping;
mod tables;
mod testing;
mod together;
mod trials;
mod typing;
mod weighed;
mod writing;
