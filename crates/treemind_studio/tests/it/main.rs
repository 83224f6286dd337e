//! Games that are shown in the studio, and clients that look at them.

mod at_once;
mod beside;
mod control;
mod editing;
mod games;
mod hamlet;
mod late;
mod needs;
mod pasting;
mod putting_in;
mod renaming;
mod reveal;
mod sheets;
mod talk;
mod together;
mod typing;
