//! Worlds that a game lends to its leaves.

use std::marker::PhantomData;

/// What a registry, a mind or a cast works on.
///
/// Every type without borrows is a world: `Registry<World>` works on `World`, and [`At`](Self::At) is the type itself. A
/// world that borrows, such as `struct Ctx<'a> { ecs: &'a mut Ecs }`, is another type for each lifetime, so it is given
/// as a [family](WorldFamily): `Registry<Lent<Game>>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the world of a registry",
    label = "this is not a world",
    note = "a type without borrows is a world",
    note = "a world that borrows is given as a family: `Lent<Game>`, with an `impl WorldFamily for Game`"
)]
pub trait World: 'static {
    /// The world, while it is lent for this long.
    type At<'w>;
}

impl<W: 'static> World for W {
    type At<'w> = W;
}

/// A world that borrows parts of the game: one type for each lifetime.
///
/// ```
/// use std::time::Duration;
/// use treemind::prelude::*;
/// use treemind::world::{Lent, WorldFamily};
///
/// /// What the game owns.
/// struct Ecs { steps: u32 }
///
/// /// What leaves see of it in a tick.
/// struct Ctx<'a> { ecs: &'a mut Ecs, speed: u32 }
///
/// struct Game;
///
/// impl WorldFamily for Game {
///     type World<'a> = Ctx<'a>;
/// }
///
/// let mut leaves = Registry::<Lent<Game>>::new();
/// leaves.action("patrol", |world, _| {
///     world.ecs.steps += world.speed;
///     Status::Running
/// });
/// let text = b"leaves { action patrol; }\ntree guard { action patrol; }";
/// let mut guard = Mind::read(text, "guard.kdl", &leaves)?;
///
/// let mut ecs = Ecs { steps: 0 };
/// for _ in 0..3 {
///     guard.tick(&mut Ctx { ecs: &mut ecs, speed: 2 }, Duration::from_millis(50));
/// }
/// assert_eq!(ecs.steps, 6);
/// # Ok::<(), treemind::Error>(())
/// ```
///
/// A type of the game is implemented for the family, and its methods get the world:
/// `impl ActionType<Lent<Game>> for WalkTo { fn update(&self, state: &mut (), world: &mut Ctx, … }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of worlds",
    label = "`{Self}` does not implement `WorldFamily`",
    note = "write `impl WorldFamily for {Self} {{ type World<'a> = Ctx<'a>; }}`, where `Ctx<'a>` is the world that borrows",
    note = "a world that borrows nothing needs no family: `Registry<World>`"
)]
pub trait WorldFamily: 'static {
    /// The world with this lifetime.
    type World<'w>;
}

/// The worlds of a [family](WorldFamily), as the parameter of a registry, a mind or a cast. It has no values.
pub struct Lent<F> {
    family: PhantomData<fn(F)>,
    /// A type without a size is no world by itself, so that it can be one in this way.
    #[expect(dead_code, reason = "there are no values")]
    unsized_end: str,
}

impl<F: WorldFamily> World for Lent<F> {
    type At<'w> = F::World<'w>;
}
