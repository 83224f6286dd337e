//! The blackboard: keys, the columns in which they are stored, and how they are read and written.

mod ages;
mod board;
mod cells;
mod copying;
mod drafts;
mod fields;
mod held;
mod journal;
mod key;
mod packed;
mod saving;
mod shared;
mod shift;
mod slot;

pub(crate) use ages::{Asked, Since};
pub use board::{Board, WrongType};
pub(crate) use board::{BoardLayout, Due, KeySlot, no_value};
pub(crate) use cells::{Cells, CellsMut, Column, Holds, Layout, Shape, Size, WIDE, parts};
pub(crate) use copying::copy;
pub(crate) use fields::{Field, FieldKind, Label, Part};
pub use held::{Held, List, ListMut, PushError};
pub(crate) use journal::Deed;
pub use key::{Enum, EventPart, Form, Heard, Key, Merge, Scope, Sensed};
pub(crate) use packed::{Packed, Tag};
pub(crate) use shared::{Shared, SharedAccess, Staged};
pub(crate) use shift::Shift;
pub(crate) use slot::{SlotForm, TakeOver};
