//! Sensors, and closures for what agents tell.

use super::agent::Agent;
use super::answer::{Done, TaskError};
use super::bulk::{Leaf, each_lane};
use super::keys::Wiring;
use super::value::KeyType;
use treemind_core::KeyId;
use treemind_core::host::{Call, Lanes};

/// What the closure of a sensor may return: a value, an `Option` of one (`None`: the key keeps its value), or a
/// `Result` of one with any error that can be displayed (which is kept as a fault; the key keeps its value).
pub trait Reading {
    /// The type of the value.
    type Value: KeyType;

    /// The value, if there is one.
    ///
    /// # Errors
    /// When the closure returned an error.
    fn into_reading(self) -> Result<Option<Self::Value>, TaskError>;
}

impl<T: KeyType> Reading for T {
    type Value = T;

    #[inline]
    fn into_reading(self) -> Result<Option<T>, TaskError> {
        Ok(Some(self))
    }
}

impl<T: KeyType> Reading for Option<T> {
    type Value = T;

    #[inline]
    fn into_reading(self) -> Result<Option<T>, TaskError> {
        Ok(self)
    }
}

impl<T: KeyType, E: Into<TaskError>> Reading for Result<T, E> {
    type Value = T;

    #[inline]
    fn into_reading(self) -> Result<Option<T>, TaskError> {
        self.map(Some).map_err(Into::into)
    }
}

/// A sensor made from a closure.
pub(super) struct SensorLeaf<F>(pub(super) F);

impl<W, F, R> Leaf<W> for SensorLeaf<F>
where
    F: Fn(&W, &Agent<'_, '_>) -> R + Send + Sync,
    R: Reading,
{
    fn tell(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        key: Option<KeyId>,
        lanes: Lanes<'_>,
    ) {
        let (world, Some(key)) = (&*world, key) else {
            return;
        };
        let sense = |me: &mut Agent<'_, '_>| {
            if let Some(value) = (self.0)(world, me).into_reading()? {
                let index = me.index;
                me.call.board().set(key, index, value.into_value())?;
            }
            Ok(())
        };
        each_lane(call, wiring, lanes, sense, &mut |_| {});
    }
}

/// What is done when an event is emitted.
pub(super) struct EventLeaf<F>(pub(super) F);

impl<W, F, R> Leaf<W> for EventLeaf<F>
where
    F: Fn(&mut W, &mut Agent<'_, '_>) -> R + Send + Sync,
    R: Done,
{
    fn tell(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        _: Option<KeyId>,
        lanes: Lanes<'_>,
    ) {
        let each = |me: &mut Agent<'_, '_>| (self.0)(world, me).into_done();
        each_lane(call, wiring, lanes, each, &mut |_| {});
    }
}

/// What is done with the text of a `log`.
pub(super) struct LogLeaf<F>(pub(super) F);

impl<W, F, R> Leaf<W> for LogLeaf<F>
where
    F: Fn(&mut W, &mut Agent<'_, '_>, &str) -> R + Send + Sync,
    R: Done,
{
    fn tell(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        _: Option<KeyId>,
        lanes: Lanes<'_>,
    ) {
        let each = |me: &mut Agent<'_, '_>| {
            let text = me.text();
            (self.0)(world, me, &text).into_done()
        };
        each_lane(call, wiring, lanes, each, &mut |_| {});
    }
}

/// An event that nobody listens to.
pub(super) struct Unheard;

impl<W> Leaf<W> for Unheard {}
