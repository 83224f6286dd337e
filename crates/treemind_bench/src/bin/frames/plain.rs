//! A plain system.

use super::{Doing, Frame, Sight};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

fn guard(mut guards: Query<(&Sight, &mut Doing)>) {
    for (sight, mut doing) in &mut guards {
        let next = if sight.is_hurt {
            Doing::Flee
        } else if sight.see_enemy {
            Doing::Attack
        } else {
            Doing::Patrol
        };
        doing.set_if_neq(next);
    }
}

pub(crate) fn app(guards: usize) -> App {
    let mut app = App::new();
    app.init_schedule(Frame).add_systems(Frame, guard);
    let all = std::iter::repeat_n((Sight::default(), Doing::default()), guards);
    app.world_mut().spawn_batch(all);
    app
}
