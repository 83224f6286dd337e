//! Trees of the crate `bevior_tree`. It has no reactive lists: each branch ends within its frame, and the tree begins
//! again in the next one.

use super::{Doing, Frame, Sight};
use bevior_tree::prelude::*;
use bevy_app::prelude::*;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_ecs::system::IntoSystem;

/// Does something and fails, so that the next branch has its turn, unless the condition holds.
#[derive(Debug)]
struct If {
    holds: fn(&Sight) -> bool,
    doing: Doing,
}

impl TaskDefinition for If {
    fn build_checker(&self) -> Box<TaskChecker> {
        let (holds, next) = (self.holds, self.doing);
        let check = move |In(guard): In<Entity>, mut guards: Query<(&Sight, &mut Doing)>| {
            let (sight, mut doing) = guards.get_mut(guard).expect("a guard");
            if !holds(sight) {
                return TaskStatus::Complete(NodeResult::Failure);
            }
            doing.set_if_neq(next);
            TaskStatus::Complete(NodeResult::Success)
        };
        Box::new(IntoSystem::into_system(check))
    }

    fn build_event_listeners(&self) -> Vec<(TaskEvent, Box<TaskEventListener>)> {
        Vec::new()
    }
}

fn branch(holds: fn(&Sight) -> bool, doing: Doing) -> Box<dyn Node> {
    Box::new(TaskBridge::new(Box::new(If { holds, doing })))
}

pub(crate) fn app(guards: usize) -> App {
    let mut app = App::new();
    app.init_schedule(Frame);
    app.add_plugins(BehaviorTreePlugin::default().in_schedule(Frame));
    let tree = app
        .world_mut()
        .resource_scope(|_, mut trees: Mut<'_, Assets<BehaviorTreeRoot>>| {
            let selector = Selector::new(vec![
                branch(|sight| sight.is_hurt, Doing::Flee),
                branch(|sight| sight.see_enemy, Doing::Attack),
                branch(|_| true, Doing::Patrol),
            ]);
            BehaviorTree::from_node(InfiniteLoop::new(selector), &mut trees)
        });
    let all: Vec<_> = (0..guards)
        .map(|_| (tree.clone(), Sight::default(), Doing::default()))
        .collect();
    app.world_mut().spawn_batch(all);
    app.world_mut().run_schedule(Frame);
    app
}
