//! The studio without a server: what a Web Worker of a page runs instead of `treemind studio`.
//!
//! It plays by the very code of the program `treemind`: the modules below are the files of `treemind_cli`, compiled a second
//! time for another target. Only what touches the system is another one here. Files are in memory ([`disk`]), nothing is
//! watched from another thread ([`watch`]), and nobody asks git. So a game in the page and a game of the program are the
//! same to the last bit.
//!
//! What goes in and out is a handful of functions of numbers ([`exports`]), so that no tool has to write the script that
//! calls them: `site/worker.js` does.

#![cfg(target_family = "wasm")]

mod commands;
mod disk;
mod exports;
mod io;
mod session;
mod watch;
