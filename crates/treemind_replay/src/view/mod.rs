//! What a page or a panel shows of one tick, as data.

mod agent;
mod crowd;
mod definition;
mod differences;
mod finds;
mod parts;
mod places;
mod plans;
pub mod points;
pub mod protocol;
mod returns;
mod sheet;
mod weighed;
mod wish;

pub use agent::{steps, view_of};
pub use crowd::crowd_of;
pub use definition::{definition, texts};
pub use differences::{Run, differences};
pub use parts::{Part, parts, text_parts};
pub use places::{Starts, places, problems};
pub use sheet::sheet_change;
pub use wish::Wish;
