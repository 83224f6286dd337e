//! Tables for everything that reads Arrow, by its C interface:
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>.
//!
//! Whoever gets a structure calls its `release` when it pleases, perhaps on another thread or while Python raises an
//! exception. So nothing here is called through Python. Structures hold no pointer to what they own, but its number in a
//! list: what they point to is owned by that list.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// `ArrowSchema`. Pointers are addresses, so that it can be sent to other threads.
#[repr(C)]
struct Schema {
    format: usize,
    name: usize,
    metadata: usize,
    flags: i64,
    children_count: i64,
    children: usize,
    dictionary: usize,
    release: Option<extern "C" fn(&mut Schema)>,
    number: usize,
}

/// `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    buffers_count: i64,
    children_count: i64,
    buffers: usize,
    children: usize,
    dictionary: usize,
    release: Option<extern "C" fn(&mut Array)>,
    number: usize,
}

/// `ArrowArrayStream`.
#[repr(C)]
struct Stream {
    schema: extern "C" fn(&mut Stream, &mut MaybeUninit<Schema>) -> i32,
    next: extern "C" fn(&mut Stream, &mut MaybeUninit<Array>) -> i32,
    last_error: extern "C" fn(&mut Stream) -> usize,
    release: Option<extern "C" fn(&mut Stream)>,
    number: usize,
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Whoever has taken it over has left `None` here.
        if self.release.is_some() {
            release_stream(self);
        }
    }
}

/// A column, or a part of one, as Python describes it.
struct Piece {
    format: CString,
    name: CString,
    length: i64,
    nulls: i64,
    /// In words, so that they are aligned for everything.
    buffers: Vec<Option<Vec<u64>>>,
    children: Vec<Piece>,
    dictionary: Option<Box<Piece>>,
}

struct Table {
    whole: Piece,
    is_given: AtomicBool,
}

/// What structures point to.
enum Kept {
    Schema {
        _table: Arc<Table>,
        children: Box<[Schema]>,
        _addresses: Box<[usize]>,
    },
    Array {
        _table: Arc<Table>,
        children: Box<[Array]>,
        _addresses: Box<[usize]>,
    },
    Stream(Arc<Table>),
}

static KEPT: LazyLock<Mutex<HashMap<usize, Kept>>> = LazyLock::new(Mutex::default);

fn kept() -> MutexGuard<'static, HashMap<usize, Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(what: Kept) -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    kept().insert(number, what);
    number
}

fn address<T: ?Sized>(of: &T) -> usize {
    std::ptr::from_ref(of).cast::<()>() as usize
}

impl Piece {
    fn schema(&self, table: &Arc<Table>) -> Schema {
        let parts = self.children.iter().chain(self.dictionary.as_deref());
        let children: Box<[Schema]> = parts.map(|part| part.schema(table)).collect();
        let count = self.children.len();
        let addresses: Box<[usize]> = children.iter().map(address).collect();
        Schema {
            format: self.format.as_ptr() as usize,
            name: self.name.as_ptr() as usize,
            metadata: 0,
            // Every value may be missing.
            flags: 2,
            children_count: count as i64,
            children: if count > 0 {
                addresses.as_ptr() as usize
            } else {
                0
            },
            dictionary: addresses.get(count).copied().unwrap_or(0),
            release: Some(release_schema),
            number: keep(Kept::Schema {
                _table: Arc::clone(table),
                children,
                _addresses: addresses,
            }),
        }
    }

    fn array(&self, table: &Arc<Table>) -> Array {
        let parts = self.children.iter().chain(self.dictionary.as_deref());
        let children: Box<[Array]> = parts.map(|part| part.array(table)).collect();
        let (count, buffers) = (self.children.len(), self.buffers.len());
        let of_buffer =
            |buffer: &Option<Vec<u64>>| buffer.as_ref().map_or(0, |all| all.as_ptr() as usize);
        // The addresses of the buffers, then those of the children, then that of the dictionary.
        let addresses = self.buffers.iter().map(of_buffer);
        let addresses: Box<[usize]> = addresses.chain(children.iter().map(address)).collect();
        let at = |place: usize| address(&addresses[place]);
        Array {
            length: self.length,
            null_count: self.nulls,
            offset: 0,
            buffers_count: buffers as i64,
            children_count: count as i64,
            buffers: if buffers > 0 { at(0) } else { 0 },
            children: if count > 0 { at(buffers) } else { 0 },
            dictionary: addresses.get(buffers + count).copied().unwrap_or(0),
            release: Some(release_array),
            number: keep(Kept::Array {
                _table: Arc::clone(table),
                children,
                _addresses: addresses,
            }),
        }
    }
}

extern "C" fn release_schema(of: &mut Schema) {
    of.release = None;
    let known = kept().remove(&of.number);
    if let Some(Kept::Schema { mut children, .. }) = known {
        for child in &mut children {
            if let Some(release) = child.release {
                release(child);
            }
        }
    }
}

extern "C" fn release_array(of: &mut Array) {
    of.release = None;
    let known = kept().remove(&of.number);
    if let Some(Kept::Array { mut children, .. }) = known {
        for child in &mut children {
            if let Some(release) = child.release {
                release(child);
            }
        }
    }
}

extern "C" fn release_stream(of: &mut Stream) {
    of.release = None;
    let known = kept().remove(&of.number);
    drop(known);
}

fn table_of(stream: &Stream) -> Option<Arc<Table>> {
    match kept().get(&stream.number) {
        Some(Kept::Stream(table)) => Some(Arc::clone(table)),
        _ => None,
    }
}

/// `EINVAL`, for who asks a stream that was released.
const INVALID: i32 = 22;

extern "C" fn schema_of(stream: &mut Stream, to: &mut MaybeUninit<Schema>) -> i32 {
    let Some(table) = table_of(stream) else {
        return INVALID;
    };
    to.write(table.whole.schema(&table));
    0
}

/// All rows at once, then nothing.
extern "C" fn next_of(stream: &mut Stream, to: &mut MaybeUninit<Array>) -> i32 {
    let Some(table) = table_of(stream) else {
        return INVALID;
    };
    if !table.is_given.swap(true, Ordering::Relaxed) {
        to.write(table.whole.array(&table));
        return 0;
    }
    // The end is an array without `release`.
    to.write(Array {
        length: 0,
        null_count: 0,
        offset: 0,
        buffers_count: 0,
        children_count: 0,
        buffers: 0,
        children: 0,
        dictionary: 0,
        release: None,
        number: 0,
    });
    0
}

extern "C" fn last_error_of(_: &mut Stream) -> usize {
    0
}

/// Reads what Python describes: the format, the name, the length, how many are missing, the buffers as `bytes`, the
/// children, and the dictionary.
fn piece(described: &Bound<'_, PyTuple>) -> PyResult<Piece> {
    type Parts<'py> = (
        String,
        String,
        i64,
        i64,
        Vec<Option<Bound<'py, PyBytes>>>,
        Vec<Bound<'py, PyTuple>>,
        Option<Bound<'py, PyTuple>>,
    );
    let (format, name, length, nulls, buffers, children, dictionary): Parts<'_> =
        described.extract()?;
    let text = |text: String| {
        CString::new(text).map_err(|_| PyValueError::new_err("a name has a byte 0 in it"))
    };
    let words = |bytes: Bound<'_, PyBytes>| {
        let (eights, rest) = bytes.as_bytes().as_chunks::<8>();
        let mut words: Vec<u64> = eights.iter().map(|one| u64::from_ne_bytes(*one)).collect();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_ne_bytes(last));
        words
    };
    Ok(Piece {
        format: text(format)?,
        name: text(name)?,
        length,
        nulls,
        buffers: buffers.into_iter().map(|one| one.map(words)).collect(),
        children: children.iter().map(piece).collect::<PyResult<_>>()?,
        dictionary: match dictionary {
            Some(dictionary) => Some(Box::new(piece(&dictionary)?)),
            None => None,
        },
    })
}

/// A capsule with a stream that gives a table.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    described: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let table = Arc::new(Table {
        whole: piece(described)?,
        is_given: AtomicBool::new(false),
    });
    let stream = Stream {
        schema: schema_of,
        next: next_of,
        last_error: last_error_of,
        release: Some(release_stream),
        number: keep(Kept::Stream(table)),
    };
    PyCapsule::new_with_value(described.py(), stream, c"arrow_array_stream")
}

/// How many structures have not been released yet.
#[pyfunction]
pub(crate) fn arrow_structures() -> usize {
    kept().len()
}
