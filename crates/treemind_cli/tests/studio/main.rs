//! The studio: its server, and its page in a real browser.

mod access;
mod alone;
mod attached;
mod begin;
mod boss;
mod browser;
mod deltas;
mod drawing;
mod drawn;
mod editing;
mod editor;
mod finding;
mod folders;
mod following;
mod found;
mod hands;
mod inspecting;
mod jumps;
#[cfg(target_os = "linux")]
mod manners;
mod maps;
mod mouse;
mod page;
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
mod writing;
