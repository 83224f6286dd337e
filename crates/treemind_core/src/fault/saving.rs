//! Faults in saved states.

use super::{FaultKind, OwnNodeFault};
use crate::snapshot::{Reader, RestoreError, Writer};

impl FaultKind {
    pub(super) fn save(&self, to: &mut Writer) {
        match self {
            FaultKind::Overflow => to.u8(0),
            FaultKind::TextTooLong => to.u8(20),
            FaultKind::DivisionByZero => to.u8(1),
            FaultKind::Unset(key) => {
                to.u8(2);
                to.text(*key);
            }
            FaultKind::NoItem {
                list,
                place,
                length,
            } => {
                to.u8(21);
                to.text(*list);
                to.bool(place.is_some());
                to.u64(place.unwrap_or(0) as u64);
                to.u32(*length);
            }
            FaultKind::NotNumber => to.u8(19),
            FaultKind::BadDuration => to.u8(3),
            FaultKind::BadScore => to.u8(4),
            FaultKind::BadRating => to.u8(23),
            FaultKind::BadOutput => to.u8(24),
            FaultKind::LoopBudget(limit) => {
                to.u8(5);
                to.u32(*limit);
            }
            FaultKind::TurnBudget(limit) => {
                to.u8(6);
                to.u32(*limit);
            }
            FaultKind::UnknownTree => to.u8(7),
            FaultKind::OwnNode(OwnNodeFault::NoSuchChild) => to.u8(8),
            FaultKind::OwnNode(OwnNodeFault::TickedTwice) => to.u8(9),
            FaultKind::OwnNode(OwnNodeFault::NoAnswer) => to.u8(17),
            FaultKind::Livelock(round) => {
                to.u8(10);
                to.str(round);
            }
            FaultKind::TaskRan => to.u8(11),
            FaultKind::EventLost {
                event,
                limit,
                is_mailbox,
            } => {
                to.u8(12);
                to.text(*event);
                to.u32(*limit);
                to.bool(*is_mailbox);
            }
            FaultKind::PostFull => to.u8(13),
            FaultKind::StackFull => to.u8(14),
            FaultKind::InstantRan => to.u8(15),
            FaultKind::ListFull { list, bound } => {
                to.u8(18);
                to.text(*list);
                to.u32(*bound);
            }
            FaultKind::Host(text) => {
                to.u8(16);
                to.str(text);
            }
        }
    }

    pub(super) fn restore(from: &mut Reader<'_>) -> Result<Self, RestoreError> {
        Ok(match from.u8()? {
            0 => FaultKind::Overflow,
            1 => FaultKind::DivisionByZero,
            2 => FaultKind::Unset(from.text()?),
            3 => FaultKind::BadDuration,
            4 => FaultKind::BadScore,
            5 => FaultKind::LoopBudget(from.u32()?),
            6 => FaultKind::TurnBudget(from.u32()?),
            7 => FaultKind::UnknownTree,
            8 => FaultKind::OwnNode(OwnNodeFault::NoSuchChild),
            9 => FaultKind::OwnNode(OwnNodeFault::TickedTwice),
            10 => FaultKind::Livelock(from.str()?.to_owned()),
            11 => FaultKind::TaskRan,
            12 => FaultKind::EventLost {
                event: from.text()?,
                limit: from.u32()?,
                is_mailbox: from.bool()?,
            },
            13 => FaultKind::PostFull,
            14 => FaultKind::StackFull,
            15 => FaultKind::InstantRan,
            16 => FaultKind::Host(from.str()?.to_owned()),
            17 => FaultKind::OwnNode(OwnNodeFault::NoAnswer),
            18 => FaultKind::ListFull {
                list: from.text()?,
                bound: from.u32()?,
            },
            19 => FaultKind::NotNumber,
            20 => FaultKind::TextTooLong,
            23 => FaultKind::BadRating,
            24 => FaultKind::BadOutput,
            21 => {
                let list = from.text()?;
                let has_place = from.bool()?;
                let place = from.u64()? as i64;
                FaultKind::NoItem {
                    list,
                    place: has_place.then_some(place),
                    length: from.u32()?,
                }
            }
            _ => return Err(RestoreError::impossible("a fault is of no known kind")),
        })
    }
}
