//! Tests of recordings.

mod damage;
mod games;
mod observed;
mod pieces;
mod societies;
mod threads;

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// A file in memory, which can be read while it is written.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<u8>>>);

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Shelf {
    fn bytes(&self) -> Vec<u8> {
        let file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }
}
