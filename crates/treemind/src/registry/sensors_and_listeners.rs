//! Sensors, and listeners: closures that are called with the logs and events of agents.

use super::agent::Agent;
use super::answer::{Done, TaskError};
use super::bulk::{Leaf, Visit, each_lane};
use super::value::KeyType;
use crate::world::World;
use treemind_core::{Board, KeyId, PushError};

/// What a sensor can put into a key: one value, or all the items of a list, as a `Vec` or, to avoid allocating, as
/// an array of `Option`s whose `None`s are left out.
#[diagnostic::on_unimplemented(
    message = "a sensor cannot put `{Self}` into a key",
    label = "this is neither a value of a key nor the items of a list",
    note = "one value is `bool`, `i64` (`int`), `f32` (`float`), `f64` (`double`), `Entity`, `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), `Text` or `&str` (`string`), and `Value` for any of them",
    note = "the items of a list are a `Vec` of values, or an array of `Option`s"
)]
pub trait Content {
    /// The type of the value, or of the items.
    type Item: KeyType;

    /// Whether the content is for keys that are lists.
    const IS_LIST: bool;

    /// Puts the content into a key of an agent.
    ///
    /// # Errors
    /// When the key is of another type or form; when there are more items than the list has room for. In that case
    /// the list is filled with the first items.
    fn put(self, board: &mut Board<'_>, key: KeyId, agent: usize) -> Result<(), TaskError>;
}

impl<T: KeyType> Content for T {
    type Item = T;

    const IS_LIST: bool = false;

    #[inline]
    fn put(self, board: &mut Board<'_>, key: KeyId, agent: usize) -> Result<(), TaskError> {
        Ok(board.set(key, agent, self.into_value())?)
    }
}

impl<T: KeyType> Content for Vec<T> {
    type Item = T;

    const IS_LIST: bool = true;

    fn put(self, board: &mut Board<'_>, key: KeyId, agent: usize) -> Result<(), TaskError> {
        put_items(self.into_iter(), board, key, agent)
    }
}

impl<T: KeyType, const N: usize> Content for [Option<T>; N] {
    type Item = T;

    const IS_LIST: bool = true;

    fn put(self, board: &mut Board<'_>, key: KeyId, agent: usize) -> Result<(), TaskError> {
        put_items(self.into_iter().flatten(), board, key, agent)
    }
}

fn put_items<T: KeyType>(
    items: impl Iterator<Item = T>,
    board: &mut Board<'_>,
    key: KeyId,
    agent: usize,
) -> Result<(), TaskError> {
    let Some(mut list) = board.list_mut(key, agent) else {
        return Err("the key is not a list".into());
    };
    list.clear();
    for (place, item) in items.enumerate() {
        match list.push(item.into_value()) {
            Ok(()) => {}
            Err(PushError::Full) => {
                let text = format!("the list has room for {place} items, but the sensor gave more");
                return Err(text.into());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// What the closure of a sensor may return: a [`Content`] (a value or the items of a list), an `Option` of one
/// (`None`: the key keeps its content), or a `Result` of one of these with any error that can be displayed (the
/// error is kept as a fault; the key keeps its content).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a sensor may return",
    label = "a sensor returns a value, or the items of a list",
    note = "one value is `bool`, `i64` (`int`), `f32` (`float`), `f64` (`double`), `Entity`, `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), `Text` or `&str` (`string`), and `Value` for any of them",
    note = "the items of a list are a `Vec` of values, or an array of `Option`s",
    note = "an `Option` of these leaves the key as it is for `None`; a `Result` of these is a fault for `Err`"
)]
pub trait Reading {
    /// The new content of the key.
    type Content: Content;

    /// The content, if there is one.
    ///
    /// # Errors
    /// When the closure returned an error.
    fn into_reading(self) -> Result<Option<Self::Content>, TaskError>;
}

impl<T: Content> Reading for T {
    type Content = T;

    #[inline]
    fn into_reading(self) -> Result<Option<T>, TaskError> {
        Ok(Some(self))
    }
}

impl<T: Content> Reading for Option<T> {
    type Content = T;

    #[inline]
    fn into_reading(self) -> Result<Option<T>, TaskError> {
        Ok(self)
    }
}

impl<R: Reading, E: Into<TaskError>> Reading for Result<R, E> {
    type Content = R::Content;

    #[inline]
    fn into_reading(self) -> Result<Option<R::Content>, TaskError> {
        self.map_err(Into::into)?.into_reading()
    }
}

/// A sensor made from a closure.
pub(super) struct SensorLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F, R> Leaf<W> for SensorLeaf<F>
where
    F: Fn(&W::At<'_>, &Agent<'_, '_>) -> R + Send + Sync,
    R: Reading,
{
    fn tell(&self, visit: Visit<'_, '_, '_, W>, key: Option<KeyId>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let (world, Some(key)) = (&*world, key) else {
            return;
        };
        let sense = |me: &mut Agent<'_, '_>| match (self.0)(world, me).into_reading()? {
            Some(content) => content.put(&mut me.call.board(), key, me.index),
            None => Ok(()),
        };
        each_lane(call, wiring, lanes, sense, &mut |_| {});
    }
}

/// A listener of an event, made from a closure.
pub(super) struct EventLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F, R> Leaf<W> for EventLeaf<F>
where
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync,
    R: Done,
{
    fn tell(&self, visit: Visit<'_, '_, '_, W>, _: Option<KeyId>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let each = |me: &mut Agent<'_, '_>| (self.0)(world, me).into_done();
        each_lane(call, wiring, lanes, each, &mut |_| {});
    }
}

/// A listener of `log` texts, made from a closure.
pub(super) struct LogLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F, R> Leaf<W> for LogLeaf<F>
where
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>, &str) -> R + Send + Sync,
    R: Done,
{
    fn tell(&self, visit: Visit<'_, '_, '_, W>, _: Option<KeyId>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let each = |me: &mut Agent<'_, '_>| {
            let text = me.text();
            (self.0)(world, me, &text).into_done()
        };
        each_lane(call, wiring, lanes, each, &mut |_| {});
    }
}

/// An event without a listener.
pub(super) struct Unheard;

impl<W: World + ?Sized> Leaf<W> for Unheard {}
